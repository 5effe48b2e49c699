// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {OwnerOnlyRegistry} from "./OwnerOnlyRegistry.sol";
import {HumanVerifiersDouble, SoulLifeBase} from "./SoulLifeBase.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {IPassportWriter} from "../../contracts/interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";
import {NonReceiver} from "../../contracts/mocks/NonReceiver.sol";
import {Vm} from "./utils/Vm.sol";

/// @dev What holds for every owner operation alike.
contract SoulOperationsTest is SoulLifeBase {
    /// @dev Runs `check` for every operation, each on a fresh protocol with a soul that it can be
    /// done to.
    function forEach(function(Operation) internal check) internal {
        for (uint256 i = 0; i < OPERATIONS; ++i) {
            uint256 snapshot = vm.snapshotState();
            stage(Operation(i));
            check(Operation(i));
            vm.revertToState(snapshot);
        }
    }

    function test_theRegistrarSubmitsWhatTheOwnerSigned() public {
        forEach(registrarSubmits);
    }

    function registrarSubmits(Operation operation) internal {
        Terms memory terms = termsOf(1);
        bytes32 digest = digestOf(operation, terms);
        bytes memory data = callOf(operation, terms, sign(keyOf(operation), digest));
        bytes32 before = stateOf(1);

        vm.expectEmit(true, true, true, true, address(souls));
        emit IOwnerAuthorization.NonceUsed(actorOf(operation), terms.nonce, digest);
        perform(registrar, data);
        assertTrue(souls.isNonceUsed(actorOf(operation), terms.nonce));
        assertNotEq(stateOf(1), before);
    }

    function test_aStrangerSubmitsOnlyWhatIsSignedInFull() public {
        forEach(strangerSubmits);
    }

    function strangerSubmits(Operation operation) internal {
        bytes memory data = signedCall(operation, termsOf(1), keyOf(operation));
        bytes32 before = stateOf(1);
        if (needsRegistrar(operation)) {
            assertRefused(stranger, data, unauthorized(stranger));
            assertEq(stateOf(1), before);
        } else {
            perform(stranger, data);
            assertNotEq(stateOf(1), before);
        }
    }

    function test_theOwnerCallsWithoutSignature() public {
        forEach(ownerCalls);
    }

    function ownerCalls(Operation operation) internal {
        Terms memory terms = termsOf(1);
        terms.deadline = 0;
        bytes32 before = stateOf(1);
        perform(actorOf(operation), callOf(operation, terms, ""));
        assertNotEq(stateOf(1), before);
        assertFalse(souls.isNonceUsed(actorOf(operation), terms.nonce));
    }

    function test_theOwnerSubmitsItsOwnSignature() public {
        forEach(ownerSubmits);
    }

    function ownerSubmits(Operation operation) internal {
        Terms memory terms = termsOf(1);
        perform(actorOf(operation), signedCall(operation, terms, keyOf(operation)));
        assertTrue(souls.isNonceUsed(actorOf(operation), terms.nonce));
    }

    function test_anERC1271WalletOwns() public {
        owner = address(new ERC1271Wallet(vm.addr(OWNER_KEY)));
        buyer = address(new ERC1271Wallet(vm.addr(BUYER_KEY)));
        forEach(registrarSubmits);
        forEach(ownerCalls);
        forEach(forgeriesAreRefused);
    }

    function test_anAccountWithDelegatedCodeOwns() public {
        // Code that answers no ERC-1271 question.
        vm.etch(owner, address(new NonReceiver()).code);
        vm.etch(buyer, address(new NonReceiver()).code);
        forEach(registrarSubmits);
        forEach(ownerCalls);
        forEach(emptySignatureOfAnAccountWithCode);
    }

    function emptySignatureOfAnAccountWithCode(Operation operation) internal {
        assertRefused(
            registrar,
            callOf(operation, termsOf(1), ""),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, actorOf(operation))
        );
    }

    function test_forgeriesAreRefused() public {
        forEach(forgeriesAreRefused);
    }

    function forgeriesAreRefused(Operation operation) internal {
        Terms memory terms = termsOf(1);
        bytes memory refusal = abi.encodeWithSelector(
            IOwnerAuthorization.InvalidSignature.selector,
            actorOf(operation)
        );
        bytes32 before = stateOf(1);
        assertRefused(registrar, signedCall(operation, terms, STRANGER_KEY), refusal);
        assertRefused(registrar, callOf(operation, terms, hex"00"), refusal);
        assertRefused(registrar, callOf(operation, terms, new bytes(65)), refusal);
        // The buyer or seller in a sale has no authority here.
        uint256 otherKey = keyOf(operation) == OWNER_KEY ? BUYER_KEY : OWNER_KEY;
        assertRefused(registrar, signedCall(operation, terms, otherKey), refusal);
        assertEq(stateOf(1), before);
    }

    function test_onlyTheOwnerCallsWithoutSignature() public {
        forEach(emptySignatureIsRefused);
    }

    function emptySignatureIsRefused(Operation operation) internal {
        bytes memory data = callOf(operation, termsOf(1), "");
        address actor = actorOf(operation);
        assertRefused(registrar, data, abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, registrar, actor));
        bytes memory notOwner = abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, stranger, actor);
        assertRefused(stranger, data, needsRegistrar(operation) ? unauthorized(stranger) : notOwner);
    }

    function test_everyCommonWordIsSigned() public {
        forEach(commonWordsAreSigned);
    }

    function commonWordsAreSigned(Operation operation) internal {
        Terms memory terms = termsOf(1);
        bytes memory signature = sign(keyOf(operation), digestOf(operation, terms));
        bytes memory refusal = abi.encodeWithSelector(
            IOwnerAuthorization.InvalidSignature.selector,
            actorOf(operation)
        );
        terms.nonce += 1000;
        assertRefused(registrar, callOf(operation, terms, signature), refusal);
        terms.nonce -= 1000;
        terms.deadline += 1;
        assertRefused(registrar, callOf(operation, terms, signature), refusal);
    }

    function test_deadlinesAreInclusive() public {
        forEach(deadlineIsInclusive);
    }

    function deadlineIsInclusive(Operation operation) internal {
        Terms memory terms = termsOf(1);
        bytes memory data = signedCall(operation, terms, keyOf(operation));
        vm.warp(terms.deadline + 1);
        assertRefused(
            registrar,
            data,
            abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, terms.deadline)
        );
        vm.warp(terms.deadline);
        perform(registrar, data);
    }

    function test_aCancelledNonceIsDead() public {
        forEach(cancelledNonceIsDead);
    }

    function cancelledNonceIsDead(Operation operation) internal {
        Terms memory terms = termsOf(1);
        bytes memory data = signedCall(operation, terms, keyOf(operation));
        vm.prank(actorOf(operation));
        souls.cancel(terms.nonce);
        assertRefused(
            registrar,
            data,
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, actorOf(operation), terms.nonce)
        );
    }

    function test_anotherEpochIsRefused() public {
        forEach(otherEpochIsRefused);
    }

    function otherEpochIsRefused(Operation operation) internal {
        Terms memory terms = termsOf(1);
        for (uint16 epoch = 0; epoch < 3; ++epoch) {
            if (epoch == 1) continue;
            terms.epoch = epoch;
            assertRefused(
                registrar,
                signedCall(operation, terms, keyOf(operation)),
                abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, epoch, 1)
            );
        }
    }

    function test_everyOperationRaisesTheVersionAndEmitsOwnerDecided() public {
        forEach(operationCounts);
    }

    function operationCounts(Operation operation) internal {
        uint32 before = souls.versionOf(1);
        bytes memory data = signedCall(operation, termsOf(1), keyOf(operation));
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OwnerDecided(1, before + 1);
        perform(registrar, data);
        assertEq(souls.versionOf(1), before + 1);
    }

    function test_anotherVersionIsRefused() public {
        forEach(otherVersionIsRefused);
    }

    function otherVersionIsRefused(Operation operation) internal {
        Terms memory terms = termsOf(1);
        terms.version = 1;
        bytes32 before = stateOf(1);
        assertRefused(registrar, signedCall(operation, terms, keyOf(operation)), wrongVersion(1, 0));
        assertRefused(actorOf(operation), callOf(operation, terms, ""), wrongVersion(1, 0));
        assertEq(stateOf(1), before);
    }

    function test_aRepeatedSubmissionRevertsWithNonceAlreadyUsed() public {
        Operation[3] memory repeatable = [Operation.REVISE, Operation.CHANGE_OPERATOR, Operation.SET_DID_ARCHIVE];
        for (uint256 i = 0; i < repeatable.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            stage(repeatable[i]);
            Terms memory terms = termsOf(1);
            bytes memory data = signedCall(repeatable[i], terms, OWNER_KEY);
            perform(registrar, data);
            assertRefused(
                registrar,
                data,
                abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, terms.nonce)
            );
            vm.revertToState(snapshot);
        }
    }

    function test_registrationsCountNothing() public {
        sealedSoul("alice");
        assertEq(souls.versionOf(1), 0);
        assertEq(souls.versionOf(2), 0);
    }

    function test_anUnknownSoulIsRefused() public {
        forEach(unknownSoulIsRefused);
    }

    function unknownSoulIsRefused(Operation operation) internal {
        Terms memory terms = termsOf(1);
        terms.tokenId = 2;
        terms.epoch = 0;
        assertRefused(
            registrar,
            signedCall(operation, terms, keyOf(operation)),
            abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 2, ISoulRegistry.Status.NONE)
        );
    }

    /// @dev Six passports share a word.
    function test_aBurnFreesItsOwnPassportAlone() public {
        sealedSoul("alice");
        sealedSoul("bob");
        sealedSoul("carol");
        relay(Operation.BURN, 2);
        assertEq(souls.tokenOfPassport(0), 1);
        assertEq(souls.tokenOfPassport(1), 0);
        assertEq(souls.tokenOfPassport(2), 3);
    }

    function test_nothingFollowsABurn() public {
        sealedSoul("alice");
        bytes[] memory withheld = new bytes[](OPERATIONS);
        for (uint256 i = 0; i < OPERATIONS; ++i) {
            withheld[i] = signedCall(Operation(i), termsOf(1), keyOf(Operation(i)));
        }
        relay(Operation.BURN, 1);
        move(0, buyer);
        bytes memory refusal = abi.encodeWithSelector(
            ISoulRegistry.WrongStatus.selector,
            1,
            ISoulRegistry.Status.BURNED
        );
        for (uint256 i = 0; i < OPERATIONS; ++i) {
            assertRefused(registrar, withheld[i], refusal);
            assertRefused(actorOf(Operation(i)), callOf(Operation(i), termsOf(1), ""), refusal);
        }
        assertRefused(stranger, abi.encodeCall(souls.suspend, (1)), refusal);
    }

    function test_theStatusMustFit() public {
        provisional("alice");
        Operation[3] memory needSealed = [Operation.REVISE, Operation.CHANGE_OPERATOR, Operation.SET_DID_ARCHIVE];
        for (uint256 i = 0; i < needSealed.length; ++i) {
            assertRefused(
                registrar,
                signedCall(needSealed[i], termsOf(1), OWNER_KEY),
                abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, ISoulRegistry.Status.PROVISIONAL)
            );
        }
        relay(Operation.SEAL, 1);
        assertRefused(
            registrar,
            signedCall(Operation.SEAL, termsOf(1), OWNER_KEY),
            abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, ISoulRegistry.Status.SEALED)
        );
    }

    function test_nothingOfTheSealerActsOnAMovedPassport() public {
        forEach(movedPassportIsRefused);
    }

    function movedPassportIsRefused(Operation operation) internal {
        if (endsSuspension(operation)) return;
        bytes memory data = signedCall(operation, termsOf(1), OWNER_KEY);
        bytes memory direct = callOf(operation, termsOf(1), "");
        move(0, buyer);
        bytes memory refusal = abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, buyer);
        assertRefused(registrar, data, refusal);
        assertRefused(owner, direct, refusal);
        assertRefused(buyer, direct, refusal);
        // It is the passport that decides: without a mark, nothing remembers that it was away.
        move(0, owner);
        perform(registrar, data);
    }
}

contract SoulBindTest is SoulLifeBase {
    function bindingOf(uint256 passportId) internal view returns (ISoulRegistry.Registration memory registration) {
        registration = registrationOf("alice");
        registration.bindPassport = true;
        registration.passportId = passportId;
    }

    /// @dev The owner holds passports 0 and 1 of its own making.
    function setUp() public override {
        super.setUp();
        vm.startPrank(owner);
        identity.register("ipfs://own");
        identity.register("ipfs://own");
        vm.stopPrank();
    }

    function test_bindsAPassportOfTheOwner() public {
        for (uint256 passportId = 0; passportId < 2; ++passportId) {
            uint256 snapshot = vm.snapshotState();
            approveWriter(owner);
            ISoulRegistry.Registration memory registration = bindingOf(passportId);
            registration.agentURI = "ar://signed";
            bytes memory signature = signed(registration);

            expectRegistered(passportId);
            expectSealed(registration, true);
            (uint256 tokenId, uint256 bound) = submit(registration, publicationAt(passportId, 1), signature);

            assertEq(tokenId, 1);
            assertEq(bound, passportId);
            assertEq(souls.tokenOfPassport(passportId), 1);
            assertEq(souls.tokenOfPassport(1 - passportId), 0);
            assertEq(souls.soulOf(1).passportId, passportId);
            assertTrue(souls.isValid(1));
            assertEq(souls.archiveOf(1), ARCHIVE);
            assertEq(identity.ownerOf(passportId), owner);
            assertEq(identity.balanceOf(owner), 2);
            assertEq(certificates.ownerOf(1), owner);
            assertEq(identity.tokenURI(passportId), "ar://signed");
            assertEq(identity.getMetadata(passportId, "svcSoulHash"), abi.encode(registration.soulHash));
            assertEq(identity.getMetadata(passportId, "svcTokenId"), abi.encode(uint256(1)));
            assertEq(identity.getMetadata(passportId, "svcArweaveId").length, 43);
            assertEq(identity.getMetadata(passportId, "svcStatus"), "SEALED");
            vm.revertToState(snapshot);
        }
    }

    /// @dev The registrar publishes the URIs of new passports only: here it can write none.
    function test_leavesTheUriWhenTheOwnerSignedNone() public {
        approveWriter(owner);
        ISoulRegistry.Registration memory registration = bindingOf(0);
        bytes memory signature = signed(registration);
        expectSealed(registration, false);
        submit(registration, publicationAt(0, 1), signature);
        assertEq(identity.tokenURI(0), "ipfs://own");
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");
    }

    function expectRegistered(uint256 passportId) internal {
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRegistered(
            1,
            passportId,
            owner,
            "alice",
            ISoulRegistry.AgentType.SPECIALIST,
            OPERATOR,
            0,
            1,
            false
        );
    }

    function expectSealed(ISoulRegistry.Registration memory registration, bool agentURIWritten) internal {
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            1,
            registration.passportId,
            owner,
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            ARCHIVE,
            agentURIWritten,
            address(0)
        );
    }

    function test_withoutApprovalItWritesNothingAndEmitsMetadataPending() public {
        ISoulRegistry.Registration memory registration = bindingOf(0);
        registration.agentURI = "ar://signed";
        bytes memory signature = signed(registration);

        expectRegistered(0);
        vm.expectEmit(true, true, true, true, address(writer));
        emit IPassportWriter.MetadataPending(1, 0);
        expectSealed(registration, false);
        submit(registration, publicationAt(0, 1), signature);

        assertTrue(souls.isValid(1));
        assertEq(identity.tokenURI(0), "ipfs://own");
        assertEq(identity.getMetadata(0, "svcStatus"), "");
        assertEq(identity.getMetadata(0, "svcSoulHash"), "");
        assertEq(identity.getMetadata(0, "svcTokenId"), "");
        assertEq(identity.getMetadata(0, "svcArweaveId"), "");
    }

    function test_anApprovalOfTheSoulRegistryItselfWritesNothing() public {
        vm.prank(owner);
        identity.setApprovalForAll(address(souls), true);
        ISoulRegistry.Registration memory registration = bindingOf(0);
        registration.agentURI = "ar://signed";
        submit(registration, publicationAt(0, 1), signed(registration));
        assertEq(identity.tokenURI(0), "ipfs://own");
        assertEq(identity.getMetadata(0, "svcStatus"), "");
    }

    function test_bindsProvisionally() public {
        approveWriter(owner);
        ISoulRegistry.Registration memory registration = bindingOf(0);
        registration.seal = false;
        registration.agentURI = "ar://signed";
        submit(registration, publicationAt(0, 1), signed(registration));
        assertEq(identity.getMetadata(0, "svcStatus"), "PENDING");
        assertEq(identity.tokenURI(0), "ar://signed");
        assertFalse(souls.isValid(1));
        assertEq(souls.liveEpochOf(1), 0);
    }

    function test_refusesAnotherOnesPassport() public {
        vm.prank(stranger);
        identity.register();
        uint256[2] memory ids = [uint256(2), 3];
        address[2] memory holders = [stranger, address(0)];
        for (uint256 i = 0; i < 2; ++i) {
            ISoulRegistry.Registration memory registration = bindingOf(ids[i]);
            assertRefused(
                registrar,
                abi.encodeCall(
                    souls.register,
                    (registration, publicationAt(0, 1), noProof(), "", signed(registration))
                ),
                abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, ids[i], owner, holders[i])
            );
        }
    }

    function test_refusesABoundPassportUntilItsSoulIsBurned() public {
        ISoulRegistry.Registration memory registration = bindingOf(0);
        submit(registration, publicationAt(0, 1), signed(registration));
        registration.name = "second";
        registration.nonce = 2;
        bytes memory data = abi.encodeCall(
            souls.register,
            (registration, publicationAt(0, 2), noProof(), "", signed(registration))
        );
        assertRefused(registrar, data, abi.encodeWithSelector(ISoulRegistry.PassportAlreadyBound.selector, 0, 1));
        relay(Operation.BURN, 1);
        perform(registrar, data);
        assertEq(souls.tokenOfPassport(0), 2);
        assertTrue(souls.isValid(2));
        assertFalse(souls.isValid(1));
    }

    function test_refusesAnIdBeyond56Bits() public {
        // A registry that answers the owner for every id.
        bytes memory code = abi.encodePacked(hex"73", owner, hex"60005260206000f3");
        vm.etch(address(identity), code);
        ISoulRegistry.Registration memory registration = bindingOf(uint256(type(uint56).max) + 1);
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.PassportIdTooLarge.selector, registration.passportId)
        );
    }
}

contract SoulSealTest is SoulLifeBase {
    function test_aProvisionalSoulIsNotReliedOn() public {
        provisional("alice");

        ISoulRegistry.Soul memory soul = souls.soulOf(1);
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.PROVISIONAL));
        assertEq(soul.sealer, owner);
        assertEq(soul.epoch, 1);
        assertFalse(souls.isValid(1));
        (address authority, address operator, uint16 epoch) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
        assertEq(epoch, 1);
        (ISoulRegistry.Validity validity, address passportOwner) = souls.validityOf(1);
        assertEq(uint256(validity), uint256(ISoulRegistry.Validity.NOT_LINKED));
        assertEq(passportOwner, owner);
        assertEq(souls.genesisSoulHashOf(1), bytes32(0));
        assertEq(identity.getMetadata(0, "svcStatus"), "PENDING");
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_aProvisionalRegistrationEmitsEveryField() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.seal = false;
        bytes memory signature = signed(registration);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRegistered(
            1,
            0,
            owner,
            "alice",
            ISoulRegistry.AgentType.SPECIALIST,
            OPERATOR,
            0,
            1,
            true
        );
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulProvisioned(
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            ARCHIVE
        );
        submit(registration, publicationAt(0, 1), signature);
    }

    function test_aProvisionalRegistrationAttestsNothing() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.seal = false;
        ISoulRegistry.HumanProof memory proof = human("proof");
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), proof, "", signed(registration))),
            mismatch(bytes32(0), proofHashOf(proof))
        );
        (registration.humanVerifier, registration.humanProofHash) = (proof.verifier, proofHashOf(proof));
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), proof, "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.UnexpectedHumanProof.selector)
        );
        assertEq(HumanVerifiersDouble(humanVerifiers).calls(), 0);
    }

    function mismatch(bytes32 signedHash, bytes32 given) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.HumanProofMismatch.selector, signedHash, given);
    }

    /// @dev Every way in which what the registrar passes can differ from what the owner signed, in
    /// all three operations.
    function test_theRegistrarNeitherLeavesOutAddsNorSwapsAProof() public {
        ISoulRegistry.HumanProof memory own = human("own proof");
        bytes32 ownHash = proofHashOf(own);
        ISoulRegistry.HumanProof[5] memory others = [
            noProof(),
            human("another person's"),
            ISoulRegistry.HumanProof(stranger, own.data),
            ISoulRegistry.HumanProof(own.verifier, ""),
            ISoulRegistry.HumanProof(address(0), own.data)
        ];
        for (uint256 i = 0; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            if (i == 1) provisional("alice");
            if (i == 2) sealedSoul("alice");
            if (i == 2) sellAndObserve(1);
            for (uint256 j = 0; j < others.length; ++j) {
                bytes32 given = j == 0 ? bytes32(0) : proofHashOf(others[j]);
                assertRefused(registrar, callWith(i, own.verifier, ownHash, others[j]), mismatch(ownHash, given));
                if (j == 0) continue;
                assertRefused(registrar, callWith(i, address(0), bytes32(0), others[j]), mismatch(bytes32(0), given));
            }
            // Contradictory words that an owner signed itself.
            assertRefused(registrar, callWith(i, stranger, ownHash, own), mismatch(ownHash, ownHash));
            assertRefused(registrar, callWith(i, stranger, bytes32(0), noProof()), mismatch(bytes32(0), bytes32(0)));
            assertEq(HumanVerifiersDouble(humanVerifiers).calls(), 0);

            perform(registrar, callWith(i, own.verifier, ownHash, own));
            assertAttested(i == 2 ? buyer : owner, "alice", "own proof");
            assertTrue(souls.humanVerified(1));
            vm.revertToState(snapshot);
        }
    }

    /// @dev A registration, a seal or a reseal in which the owner signed this verifier and hash,
    /// submitted with `proof`.
    function callWith(
        uint256 kind,
        address verifier,
        bytes32 proofHash,
        ISoulRegistry.HumanProof memory proof
    ) internal returns (bytes memory) {
        if (kind == 0) {
            ISoulRegistry.Registration memory registration = registrationOf("alice");
            (registration.humanVerifier, registration.humanProofHash) = (verifier, proofHash);
            return abi.encodeCall(souls.register, (registration, publicationAt(0, 1), proof, "", signed(registration)));
        }
        if (kind == 1) {
            ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
            (seal.humanVerifier, seal.humanProofHash) = (verifier, proofHash);
            return abi.encodeCall(souls.seal, (seal, ARCHIVE, proof, sign(OWNER_KEY, digestOf(hasher.hash(seal)))));
        }
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
        (reseal.humanVerifier, reseal.humanProofHash) = (verifier, proofHash);
        return abi.encodeCall(souls.reseal, (reseal, ARCHIVE, proof, sign(BUYER_KEY, digestOf(hasher.hash(reseal)))));
    }

    function test_aSignedProofOfNoVerifierIsRefused() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        ISoulRegistry.HumanProof memory proof = ISoulRegistry.HumanProof(address(0), "refused");
        registration.humanProofHash = proofHashOf(proof);
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), proof, "", signed(registration))),
            abi.encodeWithSelector(HumanVerifiersDouble.ProofRefused.selector, address(0))
        );
    }

    function test_sealsWithEveryField() public {
        provisional("alice");
        approveWriter(owner);
        ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
        seal.agentURI = "ar://signed";
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));

        expectSealed(true, address(0));
        vm.prank(registrar);
        souls.seal(seal, ARCHIVE, noProof(), signature);

        ISoulRegistry.Soul memory soul = souls.soulOf(1);
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.SEALED));
        assertEq(soul.soulHash, NEW_HASH);
        assertEq(soul.soulMerkleRoot, NEW_ROOT);
        assertEq(soul.operator, OPERATOR);
        assertTrue(souls.isValid(1));
        (address authority, address operator, uint16 epoch) = souls.authorityOf(1);
        assertEq(authority, owner);
        assertEq(operator, OPERATOR);
        assertEq(epoch, 1);
        assertEq(souls.genesisSoulHashOf(1), NEW_HASH);
        assertEq(souls.archiveOf(1), ARCHIVE);
        assertEq(identity.tokenURI(0), "ar://signed");
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");
        assertEq(identity.getMetadata(0, "svcSoulHash"), abi.encode(NEW_HASH));
    }

    function expectSealed(bool agentURIWritten, address verifier) internal {
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            1,
            0,
            owner,
            1,
            NEW_HASH,
            NEW_ROOT,
            NEW_CONTENT,
            ARCHIVE,
            agentURIWritten,
            verifier
        );
    }

    function test_leavesTheUriWhenTheOwnerSignedNone() public {
        provisional("alice");
        approveWriter(owner);
        bytes memory data = signedCall(Operation.SEAL, termsOf(1), OWNER_KEY);
        expectSealed(false, address(0));
        perform(registrar, data);
        assertEq(identity.tokenURI(0), "ar://with-ids");
    }

    function test_sealsWithoutApprovalAndEmitsMetadataPending() public {
        provisional("alice");
        ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
        seal.agentURI = "ar://signed";
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
        vm.expectEmit(true, true, true, true, address(writer));
        emit IPassportWriter.MetadataPending(1, 0);
        expectSealed(false, address(0));
        vm.prank(registrar);
        souls.seal(seal, ARCHIVE, noProof(), signature);
        assertEq(identity.getMetadata(0, "svcStatus"), "PENDING");
        assertEq(identity.tokenURI(0), "ar://with-ids");
    }

    function test_refusesToSealAnEmptySoul() public {
        provisional("alice");
        for (uint256 i = 0; i < 2; ++i) {
            ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
            if (i == 0) seal.soulHash = bytes32(0);
            else seal.soulMerkleRoot = bytes32(0);
            bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
            assertRefused(
                registrar,
                abi.encodeCall(souls.seal, (seal, ARCHIVE, noProof(), signature)),
                abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector)
            );
        }
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field) public {
        provisional("alice");
        ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
        field = bound(field, 0, 7);
        if (field == 0) seal.soulHash = keccak256("other");
        if (field == 1) seal.soulMerkleRoot = keccak256("other");
        if (field == 2) seal.contentHash = keccak256("other");
        if (field == 3) seal.agentURI = "ar://other";
        if (field == 4) seal.humanVerifier = stranger;
        if (field == 5) seal.humanProofHash = keccak256("other");
        if (field == 6) seal.nonce += 1;
        if (field == 7) seal.deadline += 1;
        assertRefused(
            registrar,
            abi.encodeCall(souls.seal, (seal, ARCHIVE, noProof(), signature)),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner)
        );
    }

    function test_attestsAPersonAtRegistration() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        ISoulRegistry.HumanProof memory proof = human("proof");
        (registration.humanVerifier, registration.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = signed(registration);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            1,
            0,
            owner,
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            ARCHIVE,
            true,
            proof.verifier
        );
        vm.prank(registrar);
        souls.register(registration, publicationAt(0, 1), proof, "", signature);
        assertAttested(owner, "alice", "proof");
        assertTrue(souls.humanVerified(1));
    }

    function test_attestsAPersonAtTheSealForThisEpochOnly() public {
        provisional("alice");
        ISoulRegistry.HumanProof memory proof = human("proof");
        ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
        (seal.humanVerifier, seal.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
        expectSealed(false, proof.verifier);
        vm.prank(registrar);
        souls.seal(seal, ARCHIVE, proof, signature);
        assertAttested(owner, "alice", "proof");
        assertTrue(souls.humanVerified(1));

        sellAndObserve(1);
        assertFalse(souls.humanVerified(1));
        relay(Operation.RESEAL, 1);
        assertTrue(souls.isValid(1));
        assertFalse(souls.humanVerified(1));
    }

    function test_aRefusedProofRefusesTheSeal() public {
        provisional("alice");
        ISoulRegistry.HumanProof memory proof = human("refused");
        ISoulRegistry.Seal memory seal = sealOf(termsOf(1));
        (seal.humanVerifier, seal.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
        assertRefused(
            registrar,
            abi.encodeCall(souls.seal, (seal, ARCHIVE, proof, signature)),
            abi.encodeWithSelector(HumanVerifiersDouble.ProofRefused.selector, proof.verifier)
        );
        assertFalse(souls.isValid(1));
    }
}

contract SoulEvolutionTest is SoulLifeBase {
    function setUp() public override {
        super.setUp();
        sealedSoul("alice");
    }

    function reviseCall(ISoulRegistry.RecordEvolution memory evolution) internal view returns (bytes memory) {
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(evolution)));
        return abi.encodeCall(souls.revise, (evolution, REVISION_ARCHIVE, signature));
    }

    function operatorCall(
        ISoulRegistry.RecordEvolution memory evolution,
        address operator
    ) internal view returns (bytes memory) {
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(evolution)));
        return abi.encodeCall(souls.changeOperator, (evolution, operator, signature));
    }

    function test_revisesWithEveryField() public {
        approveWriter(owner);
        bytes32 first = souls.soulOf(1).soulHash;
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        bytes memory data = reviseCall(evolution);

        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRevised(
            1,
            1,
            owner,
            first,
            NEW_HASH,
            NEW_ROOT,
            evolution.dataHash,
            REVISION_ARCHIVE,
            false
        );
        perform(registrar, data);

        assertEq(souls.soulOf(1).soulHash, NEW_HASH);
        assertEq(souls.soulOf(1).soulMerkleRoot, NEW_ROOT);
        assertEq(souls.epochOf(1), 1);
        assertEq(souls.genesisSoulHashOf(1), first);
        assertTrue(souls.isValid(1));
        assertEq(souls.archiveOf(1), REVISION_ARCHIVE);
        assertEq(identity.tokenURI(0), "ar://with-ids");
        assertEq(identity.getMetadata(0, "svcSoulHash"), abi.encode(NEW_HASH));
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");

        evolution = revisionOf(termsOf(1));
        evolution.newSoulHash = keccak256("third");
        perform(registrar, reviseCall(evolution));
        assertEq(souls.genesisSoulHashOf(1), first);
    }

    function test_aRevisionWritesTheSignedUriWhereTheWriterIsApproved() public {
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        evolution.agentURI = "ar://revised";
        bytes memory data = reviseCall(evolution);
        bytes32 first = souls.soulOf(1).soulHash;
        bytes32 dataHash = evolution.dataHash;
        uint256 before = vm.snapshotState();
        for (uint256 i = 0; i < 2; ++i) {
            bool approved = i == 1;
            if (approved) approveWriter(owner);
            vm.expectEmit(true, true, true, true, address(souls));
            emit ISoulRegistry.SoulRevised(
                1,
                1,
                owner,
                first,
                NEW_HASH,
                NEW_ROOT,
                dataHash,
                REVISION_ARCHIVE,
                approved
            );
            perform(registrar, data);
            assertEq(identity.tokenURI(0), approved ? "ar://revised" : "ar://with-ids");
            vm.revertToState(before);
        }
        evolution.agentURI = "ar://another";
        bytes memory another = abi.encodeCall(
            souls.revise,
            (evolution, REVISION_ARCHIVE, sign(OWNER_KEY, digestOf(hasher.hash(revisionOf(termsOf(1))))))
        );
        assertRefused(registrar, another, abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
    }

    function test_aRevisionWithoutApprovalEmitsMetadataPending() public {
        bytes memory data = reviseCall(revisionOf(termsOf(1)));
        vm.expectEmit(true, true, true, true, address(writer));
        emit IPassportWriter.MetadataPending(1, 0);
        perform(registrar, data);
    }

    function test_refusesOtherRevisions() public {
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        evolution.changeType = "operator_change";
        assertRefused(
            registrar,
            reviseCall(evolution),
            abi.encodeWithSelector(ISoulRegistry.InvalidEvolution.selector, "operator_change")
        );
        evolution = revisionOf(termsOf(1));
        evolution.newSoulHash = bytes32(0);
        assertRefused(registrar, reviseCall(evolution), abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));
        evolution = revisionOf(termsOf(1));
        evolution.newSoulMerkleRoot = bytes32(0);
        assertRefused(registrar, reviseCall(evolution), abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));
    }

    function test_ofTwoRevisionsOfOneSoulTheSecondIsDead() public {
        bytes memory withheld = signedCall(Operation.REVISE, termsOf(1), OWNER_KEY);
        bytes memory operatorWithheld = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        relay(Operation.REVISE, 1);
        assertRefused(registrar, withheld, wrongVersion(0, 1));
        assertRefused(registrar, operatorWithheld, wrongVersion(0, 1));
    }

    function test_aRevisionNamesTheSoulHashThatItReplaces() public {
        bytes32 first = souls.soulOf(1).soulHash;
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        evolution.previousSoulHash = NEW_HASH;
        bytes memory refusal = abi.encodeWithSelector(ISoulRegistry.Outdated.selector, 1, NEW_HASH, first);
        assertRefused(registrar, reviseCall(evolution), refusal);
        evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        evolution.previousSoulHash = NEW_HASH;
        assertRefused(registrar, operatorCall(evolution, NEW_OPERATOR), refusal);
    }

    function test_changesTheOperatorWithEveryField() public {
        bytes memory data = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OperatorChanged(1, 1, NEW_OPERATOR, OPERATOR, 1);
        perform(stranger, data);
        assertEq(souls.soulOf(1).operator, NEW_OPERATOR);
        assertEq(souls.versionOf(1), 1);
        (, address operator, ) = souls.authorityOf(1);
        assertEq(operator, NEW_OPERATOR);

        data = operatorCall(operatorChangeOf(termsOf(1), owner), owner);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OperatorChanged(1, 1, address(0), NEW_OPERATOR, 2);
        perform(stranger, data);
        assertEq(souls.soulOf(1).operator, address(0));
        (, operator, ) = souls.authorityOf(1);
        assertEq(operator, owner);
    }

    function test_refusesOtherOperatorChanges() public {
        bytes memory refusal = abi.encodeWithSelector(ISoulRegistry.InvalidEvolution.selector, "operator_change");
        ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        evolution.newSoulHash = NEW_HASH;
        assertRefused(stranger, operatorCall(evolution, NEW_OPERATOR), refusal);
        evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        evolution.newSoulMerkleRoot = NEW_ROOT;
        assertRefused(stranger, operatorCall(evolution, NEW_OPERATOR), refusal);
        evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        evolution.agentURI = "ar://revised";
        assertRefused(stranger, operatorCall(evolution, NEW_OPERATOR), refusal);
        evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        evolution.changeType = "soul_revision";
        assertRefused(
            stranger,
            operatorCall(evolution, NEW_OPERATOR),
            abi.encodeWithSelector(ISoulRegistry.InvalidEvolution.selector, "soul_revision")
        );
    }

    function test_theOperatorIsSigned() public {
        ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        assertRefused(
            stranger,
            operatorCall(evolution, stranger),
            abi.encodeWithSelector(ISoulRegistry.InvalidEvolution.selector, "operator_change")
        );
    }

    function test_aWithheldOperatorChangeIsDeadEvenWhenTheOperatorIsTheSameAgain() public {
        ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(termsOf(1), NEW_OPERATOR);
        bytes memory withheld = operatorCall(evolution, NEW_OPERATOR);
        relay(Operation.CHANGE_OPERATOR, 1);
        perform(registrar, operatorCall(operatorChangeOf(termsOf(1), OPERATOR), OPERATOR));
        assertRefused(registrar, withheld, wrongVersion(0, 2));
    }
}

contract SoulBurnTest is SoulLifeBase {
    function test_burnsWithEveryField() public {
        sealedSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        bytes memory data = signedCall(Operation.BURN, termsOf(1), OWNER_KEY);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OwnerDecided(1, 1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulBurned(1, 0, owner, 1, keccak256("reason"));
        perform(stranger, data);

        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
        assertFalse(souls.isValid(1));
        (address authority, , uint16 epoch) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(epoch, 1);
        (ISoulRegistry.Validity validity, address passportOwner) = souls.validityOf(1);
        assertEq(uint256(validity), uint256(ISoulRegistry.Validity.NOT_LINKED));
        assertEq(passportOwner, owner);
        assertEq(souls.tokenOfPassport(0), 0);
        assertEq(souls.tokenOfName("alice"), 1);
        assertEq(souls.genesisSoulHashOf(1), first);
        assertEq(certificates.balanceOf(owner), 0);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 1));
        certificates.ownerOf(1);
    }

    /// @dev The passport's metadata is written by {PassportWriter-sync}, which any account may
    /// call.
    function test_writesNothingToThePassport() public {
        sealedSoul("alice");
        approveWriter(owner);
        bytes32 before = keccak256(abi.encode(identity.tokenURI(0), identity.getMetadata(0, "svcStatus")));
        relay(Operation.BURN, 1);
        assertEq(keccak256(abi.encode(identity.tokenURI(0), identity.getMetadata(0, "svcStatus"))), before);
    }

    /// @dev A registry that refuses everything but its owners, or takes all gas, keeps no soul
    /// alive.
    function test_asksTheIdentityRegistryForTheOwnerOnly() public {
        sealedSoul("alice");
        vm.etch(address(identity), address(new OwnerOnlyRegistry(owner, OwnerOnlyRegistry.Refusal.TAKE_ALL_GAS)).code);
        relay(Operation.BURN, 1);
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
    }

    function test_aProvisionalSoulIsBurnedToo() public {
        provisional("alice");
        relay(Operation.BURN, 1);
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
        assertEq(souls.genesisSoulHashOf(1), bytes32(0));
    }

    function test_theNameStaysTaken() public {
        sealedSoul("alice");
        relay(Operation.BURN, 1);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.nonce = 99;
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "alice", 1)
        );
    }

    function test_onlyItsOwnPassportIsReleased() public {
        for (uint256 i = 0; i < 14; ++i)
            register(string.concat("agent-", string(abi.encodePacked(bytes1(uint8(97 + i))))));
        relay(Operation.BURN, 7);
        for (uint256 i = 0; i < 14; ++i) assertEq(souls.tokenOfPassport(i), i == 6 ? 0 : i + 1);
        assertEq(souls.tokenOfPassport(14), 0);
    }

    function childOf(uint256 parent, bytes32 soulHash) internal view returns (ISoulRegistry.Registration memory child) {
        child = registrationOf("child");
        child.parentTokenId = parent;
        child.soulHash = soulHash;
    }

    function expectReincarnation(bytes32 soulHash, bool continuity, bool matchesFirst) internal {
        ISoulRegistry.Registration memory child = childOf(1, soulHash);
        bytes memory signature = signed(child);
        uint256 snapshot = vm.snapshotState();
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRegistered(
            2,
            1,
            owner,
            "child",
            ISoulRegistry.AgentType.SPECIALIST,
            OPERATOR,
            1,
            1,
            true
        );
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(2, 1, continuity, matchesFirst);
        submit(child, publicationAt(1, 2), signature);
        assertTrue(souls.isValid(2));
        vm.revertToState(snapshot);
    }

    function test_aBurnedParentsChildEmitsSoulReincarnated() public {
        sealedSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        relay(Operation.REVISE, 1);
        relay(Operation.BURN, 1);
        expectReincarnation(NEW_HASH, true, false);
        expectReincarnation(first, false, true);
        expectReincarnation(keccak256("neither"), false, false);
    }

    function test_anUnchangedParentsChildContinuesBoth() public {
        sealedSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        relay(Operation.BURN, 1);
        expectReincarnation(first, true, true);
    }

    function test_aParentThatWasNeverSealedHasNoFirstSoul() public {
        provisional("alice");
        bytes32 last = souls.soulOf(1).soulHash;
        relay(Operation.BURN, 1);
        expectReincarnation(last, true, false);
    }

    function test_theBuyerWhoBurnedReincarnatesAndTheSellerCannot() public {
        sealedSoul("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        perform(buyer, callOf(Operation.BURN, termsOf(1), ""));

        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (child, publicationAt(0, 1), noProof(), "", signed(child))),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, owner)
        );
        child.owner = buyer;
        bytes memory signature = sign(BUYER_KEY, digestOf(child));
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(2, 1, true, false);
        submit(child, publicationAt(1, 2), signature);
    }

    function provisionalChild() internal {
        sealedSoul("alice");
        relay(Operation.BURN, 1);
        ISoulRegistry.Registration memory child = childOf(1, souls.soulOf(1).soulHash);
        child.seal = false;
        bytes memory signature = signed(child);
        vm.recordLogs();
        submit(child, publicationAt(1, 2), signature);
        assertNoReincarnation(vm.getRecordedLogs());
    }

    function assertNoReincarnation(Vm.Log[] memory logs) internal pure {
        assertGt(logs.length, 0);
        for (uint256 i = 0; i < logs.length; ++i) {
            assertNotEq(logs[i].topics[0], ISoulRegistry.SoulReincarnated.selector);
        }
    }

    function test_aChildThatIsSealedLaterEmitsSoulReincarnatedWithItsSeal() public {
        provisionalChild();
        ISoulRegistry.Seal memory seal = sealOf(termsOf(2));
        seal.soulHash = souls.soulOf(1).soulHash;
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(seal)));
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(2, 1, owner, 1, seal.soulHash, NEW_ROOT, NEW_CONTENT, ARCHIVE, false, address(0));
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(2, 1, true, true);
        vm.prank(registrar);
        souls.seal(seal, ARCHIVE, noProof(), signature);
    }

    function test_aLaterSealComparesTheSealedHash() public {
        provisionalChild();
        bytes memory data = signedCall(Operation.SEAL, termsOf(2), OWNER_KEY);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(2, 1, false, false);
        perform(registrar, data);
    }

    /* ONE SUCCESSOR */

    function alreadySucceeded(uint256 successor) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.AlreadySucceeded.selector, 1, successor);
    }

    function registerCall(ISoulRegistry.Registration memory child) internal view returns (bytes memory) {
        return abi.encodeCall(souls.register, (child, publicationAt(0, 1), noProof(), "", signed(child)));
    }

    function test_aBurnedParentHasOneSuccessor() public {
        sealedSoul("alice");
        assertEq(souls.successorOf(1), 0);
        relay(Operation.BURN, 1);
        assertEq(souls.successorOf(1), 0);
        perform(registrar, registerCall(childOf(1, NEW_HASH)));
        assertEq(souls.successorOf(1), 2);
        assertEq(souls.successorOf(2), 0);

        ISoulRegistry.Registration memory second = childOf(1, NEW_HASH);
        (second.name, second.nonce) = ("second", 77);
        assertRefused(registrar, registerCall(second), alreadySucceeded(2));
        assertEq(souls.tokenOfName("second"), 0);
    }

    /// @dev Two provisional children: the first seal decides, and the second can only be burned.
    function test_theSuccessorIsTheChildThatIsSealedFirst() public {
        provisionalChild();
        ISoulRegistry.Registration memory second = childOf(1, NEW_HASH);
        (second.name, second.nonce, second.seal) = ("second", 77, false);
        perform(registrar, registerCall(second));
        assertEq(souls.successorOf(1), 0);
        assertEq(souls.successorOf(3), 0);

        relay(Operation.SEAL, 3);
        assertEq(souls.successorOf(1), 3);
        assertRefused(registrar, signedCall(Operation.SEAL, termsOf(2), OWNER_KEY), alreadySucceeded(3));
        relay(Operation.BURN, 2);
        relay(Operation.BURN, 3);
        assertEq(souls.successorOf(1), 3);
        // What a provisional child was to succeed is not taken for its own successor.
        assertEq(souls.successorOf(2), 0);
        assertEq(souls.successorOf(3), 0);
    }

    function test_theSoldChildThatNeverSucceededHasItsOwnSuccessor() public {
        provisionalChild();
        sellAndObserve(2);
        perform(registrar, signedCall(Operation.RESEAL, termsOf(2), BUYER_KEY));
        perform(buyer, callOf(Operation.BURN, termsOf(2), ""));
        assertEq(souls.successorOf(2), 0);
        ISoulRegistry.Registration memory grandchild = childOf(2, NEW_HASH);
        (grandchild.owner, grandchild.name) = (buyer, "grandchild");
        bytes memory signature = sign(BUYER_KEY, digestOf(grandchild));
        submit(grandchild, publicationAt(2, 3), signature);
        assertEq(souls.successorOf(2), 3);
        assertEq(souls.successorOf(1), 0);
    }

    function test_theBuyerOfAProvisionalChildReincarnatesNothing() public {
        provisionalChild();
        sellAndObserve(2);
        bytes memory data = signedCall(Operation.RESEAL, termsOf(2), BUYER_KEY);
        vm.recordLogs();
        perform(registrar, data);
        assertNoReincarnation(vm.getRecordedLogs());
    }

    function test_aParentThatIsBurnedAfterTheRegistrationIsNotSucceeded() public {
        sealedSoul("alice");
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        child.seal = false;
        submit(child, publicationAt(1, 2), signed(child));
        relay(Operation.BURN, 1);
        bytes memory data = signedCall(Operation.SEAL, termsOf(2), OWNER_KEY);
        vm.recordLogs();
        perform(registrar, data);
        assertNoReincarnation(vm.getRecordedLogs());
    }

    function test_aLivingParentMustBeTheOwnersInThisBlock() public {
        sealedSoul("alice");
        move(0, buyer);
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        bytes memory data = abi.encodeCall(souls.register, (child, publicationAt(1, 2), noProof(), "", signed(child)));
        assertRefused(registrar, data, abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, owner));

        // The passport alone makes its new owner no parent's owner either.
        child.owner = buyer;
        assertRefused(
            registrar,
            abi.encodeCall(
                souls.register,
                (child, publicationAt(1, 2), noProof(), "", sign(BUYER_KEY, digestOf(child)))
            ),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, buyer)
        );
        move(0, owner);
        perform(registrar, data);
        assertEq(souls.soulOf(2).sealer, owner);
    }

    function test_aProvisionalParentIsItsOwnersToo() public {
        provisional("alice");
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        submit(child, publicationAt(1, 2), signed(child));
        assertTrue(souls.isValid(2));
    }

    function test_aMarkedParentIsNoParent() public {
        sealedSoul("alice");
        sellAndObserve(1);
        move(0, owner);
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (child, publicationAt(1, 2), noProof(), "", signed(child))),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, owner)
        );
    }

    function test_aBurnedParentStaysItsOwnersWhereverThePassportWent() public {
        sealedSoul("alice");
        relay(Operation.BURN, 1);
        move(0, buyer);
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        bytes memory signature = signed(child);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(2, 1, false, false);
        submit(child, publicationAt(1, 2), signature);
    }

    function test_aLivingParentIsNoReincarnation() public {
        sealedSoul("alice");
        ISoulRegistry.Registration memory child = childOf(1, NEW_HASH);
        bytes memory signature = signed(child);
        vm.recordLogs();
        submit(child, publicationAt(1, 2), signature);
        assertNoReincarnation(vm.getRecordedLogs());
    }
}

contract SoulDidArchiveTest is SoulLifeBase {
    function setUp() public override {
        super.setUp();
        sealedSoul("alice");
    }

    function outdated(bytes32 signedOver, bytes32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.Outdated.selector, 1, signedOver, current);
    }

    function test_setsTheDidArchive() public {
        bytes memory data = signedCall(Operation.SET_DID_ARCHIVE, termsOf(1), OWNER_KEY);
        bytes memory withheld = signedCall(Operation.SET_DID_ARCHIVE, termsOf(1), OWNER_KEY);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.DidArchiveSet(1, 1, keccak256("archive"), bytes32(0));
        perform(stranger, data);
        assertEq(souls.didArchiveOf(1), keccak256("archive"));
        assertRefused(stranger, withheld, wrongVersion(0, 1));

        ISoulRegistry.SetDidArchive memory change = didArchiveOf(termsOf(1));
        change.previousArchiveId = bytes32(0);
        assertRefused(
            owner,
            abi.encodeCall(souls.setDidArchive, (change, "")),
            outdated(bytes32(0), keccak256("archive"))
        );
        change = didArchiveOf(termsOf(1));
        change.archiveId = keccak256("next");
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.DidArchiveSet(1, 1, keccak256("next"), keccak256("archive"));
        vm.prank(owner);
        souls.setDidArchive(change, "");
    }
}

contract CancelForTest is SoulLifeBase {
    function cancelDigest(uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        return cancelDigest(owner, nonce, deadline);
    }

    function cancelDigest(address signer, uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        bytes32 typeHash = keccak256("Cancel(address signer,uint256 nonce,uint256 deadline)");
        return digestOf(keccak256(abi.encode(typeHash, signer, nonce, deadline)));
    }

    /// @dev Two accounts with one key, such as two wallets of one person: a cancel is for the one
    /// that it names.
    function test_aCancelNamesItsSigner() public {
        address first = address(new ERC1271Wallet(owner));
        address second = address(new ERC1271Wallet(owner));
        uint256 deadline = vm.getBlockTimestamp();
        bytes memory signature = sign(OWNER_KEY, cancelDigest(first, 7, deadline));
        assertRefused(
            stranger,
            abi.encodeCall(souls.cancelFor, (second, 7, deadline, signature)),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, second)
        );
        souls.cancelFor(first, 7, deadline, signature);
        assertTrue(souls.isNonceUsed(first, 7));
        assertFalse(souls.isNonceUsed(second, 7));
    }

    function test_anyAccountSubmitsASignedCancel() public {
        uint256 deadline = vm.getBlockTimestamp();
        bytes32 digest = cancelDigest(7, deadline);
        bytes memory data = abi.encodeCall(souls.cancelFor, (owner, 7, deadline, sign(OWNER_KEY, digest)));
        vm.expectEmit(true, true, true, true, address(souls));
        emit IOwnerAuthorization.NonceUsed(owner, 7, digest);
        perform(stranger, data);
        assertTrue(souls.isNonceUsed(owner, 7));
        assertFalse(souls.isNonceUsed(stranger, 7));
        assertRefused(stranger, data, abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, 7));
    }

    function test_aCancelKillsTheOperationOfItsNonce() public {
        sealedSoul("alice");
        Terms memory terms = termsOf(1);
        bytes memory withheld = signedCall(Operation.BURN, terms, OWNER_KEY);
        souls.cancelFor(owner, terms.nonce, terms.deadline, sign(OWNER_KEY, cancelDigest(terms.nonce, terms.deadline)));
        assertRefused(
            stranger,
            withheld,
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, terms.nonce)
        );
    }

    function test_refusesForeignOtherAndLateCancels() public {
        uint256 deadline = vm.getBlockTimestamp();
        bytes memory signature = sign(OWNER_KEY, cancelDigest(7, deadline));
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        bytes memory foreign = sign(STRANGER_KEY, cancelDigest(7, deadline));
        assertRefused(stranger, abi.encodeCall(souls.cancelFor, (owner, 7, deadline, foreign)), invalid);
        assertRefused(stranger, abi.encodeCall(souls.cancelFor, (owner, 8, deadline, signature)), invalid);
        assertRefused(stranger, abi.encodeCall(souls.cancelFor, (owner, 7, deadline + 1, signature)), invalid);
        assertRefused(owner, abi.encodeCall(souls.cancelFor, (owner, 7, deadline, "")), invalid);
        vm.warp(deadline + 1);
        assertRefused(
            stranger,
            abi.encodeCall(souls.cancelFor, (owner, 7, deadline, signature)),
            abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, deadline)
        );
    }
}
