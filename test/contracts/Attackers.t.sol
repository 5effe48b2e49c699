// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulLifeBase} from "./SoulLifeBase.sol";
import {AllowanceVault} from "../../contracts/AllowanceVault.sol";
import {BindingRegistry} from "../../contracts/BindingRegistry.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IBindingRegistry} from "../../contracts/interfaces/IBindingRegistry.sol";
import {IOrganizationRegistry} from "../../contracts/interfaces/IOrganizationRegistry.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {Stablecoin} from "../../contracts/mocks/Stablecoin.sol";

/// @dev What no other account can do in an owner's name: operation by operation, against a holder
/// of the service's keys, and against the previous owner. Each contract's operations have a section
/// of their own.
abstract contract AttackerBase is SoulLifeBase {
    uint256 internal constant ATTACKER_KEY = 0xE711;
    address internal attacker = vm.addr(ATTACKER_KEY);

    /// @dev Every role that a service account or the admin ever holds, in one hand, given by the
    /// admin itself.
    function setUp() public virtual override {
        super.setUp();
        vm.startPrank(admin);
        registrars.grantRole(REGISTRAR_ROLE, attacker);
        registrars.beginDefaultAdminTransfer(attacker);
        vm.stopPrank();
        vm.warp(vm.getBlockTimestamp() + ADMIN_DELAY + 1);
        vm.prank(attacker);
        registrars.acceptDefaultAdminTransfer();
    }

    function invalidSignature(address actor) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, actor);
    }

    function notOwner(address caller, address actor) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, caller, actor);
    }

    function assertRefusedAt(address target, address caller, bytes memory data, bytes memory expected) internal {
        vm.prank(caller);
        (bool success, bytes memory answer) = target.call(data);
        assertFalse(success, "was accepted");
        assertEq(answer, expected);
    }

    /// @dev The buyer takes over soul 1, which the owner sold.
    function sellAndReseal() internal {
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
    }

    /// @dev The buyer records the sale and sends the passport back unasked: it may have the
    /// operator's key.
    function sellAndSendBack() internal {
        sellAndObserve(1);
        move(0, owner);
        nextBlock();
    }

    /// @dev The seller takes back what was sent to it.
    function resealBySeller() internal {
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        reseal.operator = OPERATOR;
        vm.prank(owner);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
    }

    /// @dev Nothing that the attacker signs, forges or leaves empty is taken for the decision of
    /// `actor`.
    function assertCannotForge(Operation operation, address actor) internal {
        bytes32 before = stateOf(1);
        Terms memory terms = termsOf(1);
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, actor);
        assertRefused(
            attacker,
            callOf(operation, terms, ""),
            abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, attacker, actor)
        );
        assertRefused(attacker, signedCall(operation, terms, ATTACKER_KEY), invalid);
        assertRefused(attacker, callOf(operation, terms, new bytes(65)), invalid);
        assertRefused(attacker, callOf(operation, terms, hex"deadbeef"), invalid);
        assertEq(stateOf(1), before);
    }
}

/* SOULS: the holder of every role */

contract RoleHolderAttacksSouls is AttackerBase {
    function attack(Operation operation) internal {
        stage(operation);
        assertCannotForge(operation, actorOf(operation));
    }

    function test_cannotSeal() public {
        attack(Operation.SEAL);
    }

    function test_cannotRevise() public {
        attack(Operation.REVISE);
    }

    function test_cannotReseal() public {
        attack(Operation.RESEAL);
    }

    function test_cannotChangeTheOperator() public {
        attack(Operation.CHANGE_OPERATOR);
    }

    function test_cannotBurn() public {
        attack(Operation.BURN);
    }

    function test_cannotSetTheDidArchive() public {
        attack(Operation.SET_DID_ARCHIVE);
    }

    function test_cannotRelease() public {
        attack(Operation.RELEASE);
    }

    function test_cannotRegisterInAnOwnersName() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        ISoulRegistry.RegistrationBatch memory batch;
        batch.owner = owner;
        batch.deadline = vm.getBlockTimestamp();
        batch.entries = new ISoulRegistry.BatchEntry[](1);
        batch.entries[0] = ISoulRegistry.BatchEntry(
            "alice",
            ISoulRegistry.AgentType.OTHER,
            attacker,
            NEW_HASH,
            NEW_ROOT,
            NEW_CONTENT
        );
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        bytes[2] memory signatures = [bytes(""), sign(ATTACKER_KEY, digestOf(registration))];
        for (uint256 i = 0; i < 2; ++i) {
            assertRefused(
                attacker,
                abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signatures[i])),
                invalid
            );
        }
        assertRefused(
            attacker,
            abi.encodeCall(
                souls.registerBatch,
                (
                    batch,
                    new ISoulRegistry.BatchPublication[](1),
                    ISoulRegistry.BatchExpectation(0, 0),
                    sign(ATTACKER_KEY, digestOf(hasher.hash(batch)))
                )
            ),
            invalid
        );
        assertEq(souls.nextTokenId(), 1);
    }

    function test_cannotBindAnOwnersPassport() public {
        vm.prank(owner);
        identity.register();
        approveWriter(owner);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.owner = attacker;
        registration.bindPassport = true;
        bytes memory signature = sign(ATTACKER_KEY, digestOf(registration));
        assertRefused(
            attacker,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signature)),
            abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, attacker, owner)
        );
    }

    function test_cannotDescendFromAnOwnersSoul() public {
        sealedSoul("alice");
        ISoulRegistry.Registration memory registration = registrationOf("child");
        registration.owner = attacker;
        registration.parentTokenId = 1;
        bytes memory signature = sign(ATTACKER_KEY, digestOf(registration));
        assertRefused(
            attacker,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 2), noProof(), "", signature)),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, attacker)
        );
    }

    function test_cannotResealToItself() public {
        sealedSoul("alice");
        sellAndObserve(1);
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), attacker);
        assertRefused(
            attacker,
            abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), "")),
            abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, attacker, buyer)
        );
    }

    function test_cannotSuspendASoulOfItsOwner() public {
        sealedSoul("alice");
        assertRefused(
            attacker,
            abi.encodeCall(souls.suspend, (1)),
            abi.encodeWithSelector(ISoulRegistry.NotSuspended.selector, 1)
        );
    }

    function test_cannotCancelAnOwnersNonce() public {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Cancel(address signer,uint256 nonce,uint256 deadline)"),
                owner,
                uint256(1),
                type(uint256).max
            )
        );
        assertRefused(
            attacker,
            abi.encodeCall(souls.cancelFor, (owner, 1, type(uint256).max, sign(ATTACKER_KEY, digestOf(structHash)))),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner)
        );
        vm.prank(attacker);
        souls.cancel(1);
        assertFalse(souls.isNonceUsed(owner, 1));
    }

    function test_cannotMoveAPassportEvenWhereTheContractsAreApproved() public {
        sealedSoul("alice");
        vm.prank(owner);
        identity.setApprovalForAll(address(souls), true);
        approveWriter(owner);
        vm.startPrank(attacker);
        vm.expectRevert();
        identity.transferFrom(owner, attacker, 0);
        vm.expectRevert();
        identity.setMetadata(0, "svcStatus", "SEALED");
        vm.stopPrank();
        assertEq(identity.ownerOf(0), owner);
    }

    function test_cannotMoveACertificate() public {
        sealedSoul("alice");
        bytes memory onlyRegistry = abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, attacker);
        vm.startPrank(attacker);
        vm.expectRevert(onlyRegistry);
        certificates.move(1, owner, attacker);
        vm.expectRevert(onlyRegistry);
        certificates.burn(1, owner);
        vm.expectRevert(onlyRegistry);
        certificates.mint(attacker, 2);
        vm.expectRevert();
        certificates.transferFrom(owner, attacker, 1);
        vm.stopPrank();
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_cannotChangeWhatTheOwnerSigned() public {
        sealedSoul("alice");
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(evolution)));
        evolution.newSoulHash = keccak256("the attacker's");
        assertRefused(attacker, abi.encodeCall(souls.revise, (evolution, REVISION_ARCHIVE, signature)), invalid);

        ISoulRegistry.SetDidArchive memory change = didArchiveOf(termsOf(1));
        signature = sign(OWNER_KEY, digestOf(hasher.hash(change)));
        change.archiveId = keccak256("the attacker's");
        assertRefused(attacker, abi.encodeCall(souls.setDidArchive, (change, signature)), invalid);
    }

    function test_cannotUseASignatureForAnotherOperationOrSoul() public {
        sealedSoul("alice");
        register("second");
        Terms memory terms = termsOf(1);
        bytes memory signature = sign(OWNER_KEY, digestOf(Operation.SET_DID_ARCHIVE, terms));
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        assertRefused(attacker, callOf(Operation.BURN, terms, signature), invalid);
        assertRefused(attacker, callOf(Operation.REVISE, terms, signature), invalid);
        terms.tokenId = 2;
        assertRefused(attacker, callOf(Operation.SET_DID_ARCHIVE, terms, signature), invalid);
    }
}

/* SOULS: the owner before */

contract PreviousOwnerAttacksSouls is AttackerBase {
    /// @dev Everything that the seller can still sign, after the sale or before it, dies with the
    /// passport's transfer.
    function attack(Operation operation) internal {
        sealedSoul("alice");
        Terms memory terms = termsOf(1);
        bytes memory withheld = signedCall(operation, terms, OWNER_KEY);

        move(0, buyer);
        bytes memory suspended = abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, buyer);
        assertRefused(attacker, withheld, suspended);
        assertRefused(owner, callOf(operation, terms, ""), suspended);

        souls.suspend(1);
        nextBlock();
        relay(Operation.RESEAL, 1);
        bytes32 before = stateOf(1);
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 2));
        terms = termsOf(1);
        assertRefused(
            attacker,
            signedCall(operation, terms, OWNER_KEY),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, buyer)
        );
        bytes memory notOwner = abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, owner, buyer);
        assertRefused(owner, callOf(operation, terms, ""), needsRegistrar(operation) ? unauthorized(owner) : notOwner);
        assertEq(stateOf(1), before);
    }

    function test_cannotRevise() public {
        attack(Operation.REVISE);
    }

    function test_cannotChangeTheOperator() public {
        attack(Operation.CHANGE_OPERATOR);
    }

    function test_cannotBurn() public {
        attack(Operation.BURN);
    }

    function test_cannotSetTheDidArchive() public {
        attack(Operation.SET_DID_ARCHIVE);
    }

    function test_cannotSealASoulThatItSoldUnsealed() public {
        provisional("alice");
        bytes memory withheld = signedCall(Operation.SEAL, termsOf(1), OWNER_KEY);
        move(0, buyer);
        assertRefused(
            attacker,
            withheld,
            abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, buyer)
        );
        souls.suspend(1);
        nextBlock();
        relay(Operation.RESEAL, 1);
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 2));
    }

    function test_cannotResealWithAPassportBorrowedForOneBlock() public {
        sealedSoul("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        // The seller borrows the passport: seen, and used in the same block.
        move(0, owner);
        souls.suspend(1);
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        assertRefused(
            owner,
            abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), "")),
            abi.encodeWithSelector(ISoulRegistry.NotObserved.selector, 1, owner)
        );
        move(0, buyer);
        assertEq(souls.soulOf(1).sealer, buyer);
        nextBlock();
        assertRefused(
            owner,
            abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), "")),
            abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, owner, buyer)
        );
        // What it can do is to have the loan recorded: the buyer reseals then.
        assertFalse(souls.isValid(1));
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory own = resealOf(termsOf(1), buyer);
        vm.prank(buyer);
        souls.reseal(own, ARCHIVE, noProof(), "");
        assertTrue(souls.isValid(1));
    }

    function test_cannotReincarnateASoulThatTheBuyerBurned() public {
        sealedSoul("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        perform(buyer, callOf(Operation.BURN, termsOf(1), ""));
        ISoulRegistry.Registration memory registration = registrationOf("child");
        registration.parentTokenId = 1;
        assertRefused(
            attacker,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 2), noProof(), "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, owner)
        );
    }

    function test_itsGrantsDieWithItsEpoch() public {
        sealedSoul("alice");
        perform(owner, callOf(Operation.SET_DID_ARCHIVE, termsOf(1), ""));
        move(0, buyer);
        (address authority, address operator, ) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
        reseal.operator = address(0);
        vm.prank(buyer);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
        (authority, operator, ) = souls.authorityOf(1);
        assertEq(authority, buyer);
        assertEq(operator, buyer);
        assertEq(souls.didArchiveOf(1), bytes32(0));
    }
}

/* SOULS: the buyer who sends the passport back unasked */

contract BuyerWhoSendsThePassportBackAttacksSouls is AttackerBase {
    function test_operatorAndAttestationAreDeadUntilTheSellerReseals() public {
        humanSoul("alice");
        perform(owner, callOf(Operation.SET_DID_ARCHIVE, termsOf(1), ""));
        sellAndSendBack();
        (address authority, address operator, ) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
        assertFalse(souls.humanVerified(1));

        resealBySeller();
        (authority, operator, ) = souls.authorityOf(1);
        assertEq(authority, owner);
        assertEq(operator, OPERATOR);
        assertEq(souls.epochOf(1), 2);
        assertEq(souls.didArchiveOf(1), bytes32(0));
        // It is the same person still.
        assertTrue(souls.humanVerified(1));
    }
}

/* SOULS: signatures withheld or reordered by the relayer */

contract WithheldSignaturesOfSouls is AttackerBase {
    function test_aSealIsDeadAfterAnotherSeal() public {
        provisional("alice");
        bytes memory withheld = signedCall(Operation.SEAL, termsOf(1), OWNER_KEY);
        relay(Operation.SEAL, 1);
        assertRefused(
            attacker,
            withheld,
            abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, ISoulRegistry.Status.SEALED)
        );
    }

    function test_aRevisionIsDeadAfterAnotherRevision() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.REVISE, termsOf(1), OWNER_KEY);
        relay(Operation.REVISE, 1);
        assertRefused(attacker, withheld, wrongVersion(0, 1));
    }

    function test_anOperatorChangeIsDeadAfterAnother() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        relay(Operation.CHANGE_OPERATOR, 1);
        assertRefused(attacker, withheld, wrongVersion(0, 1));
    }

    function test_twoOperatorChangesGoThroughInTheSignedOrderOnly() public {
        sealedSoul("alice");
        bytes memory first = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        Terms memory terms = termsOf(1);
        terms.version = 1;
        ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(terms, address(0));
        bytes memory second = abi.encodeCall(
            souls.changeOperator,
            (evolution, address(0), sign(OWNER_KEY, digestOf(hasher.hash(evolution))))
        );
        assertRefused(attacker, second, wrongVersion(1, 0));
        perform(attacker, first);
        perform(attacker, second);
        assertEq(souls.soulOf(1).operator, address(0));
    }

    function test_aResealIsDeadAfterAnotherReseal() public {
        sealedSoul("alice");
        sellAndObserve(1);
        bytes memory withheld = signedCall(Operation.RESEAL, termsOf(1), BUYER_KEY);
        relay(Operation.RESEAL, 1);
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 2));
    }

    function test_aDidArchiveIsDeadAfterAnother() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.SET_DID_ARCHIVE, termsOf(1), OWNER_KEY);
        relay(Operation.SET_DID_ARCHIVE, 1);
        assertRefused(attacker, withheld, wrongVersion(0, 1));
    }

    /* A to B and back to A: every value that was signed over fits again, the decision does not. */

    function revise(bytes32 soulHash) internal {
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        evolution.newSoulHash = soulHash;
        vm.prank(owner);
        souls.revise(evolution, REVISION_ARCHIVE, "");
    }

    function setDidArchive(bytes32 archiveId) internal {
        ISoulRegistry.SetDidArchive memory change = didArchiveOf(termsOf(1));
        change.archiveId = archiveId;
        vm.prank(owner);
        souls.setDidArchive(change, "");
    }

    function test_aRevisionIsDeadWhenTheSoulIsBackToWhatItWas() public {
        sealedSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        bytes memory withheld = signedCall(Operation.REVISE, termsOf(1), OWNER_KEY);
        revise(keccak256("another"));
        revise(first);
        assertEq(souls.soulOf(1).soulHash, first);
        assertRefused(attacker, withheld, wrongVersion(0, 2));
    }

    function test_anOperatorChangeIsDeadWhenTheOperatorIsBackToWhatItWas() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        address[2] memory operators = [address(0xBEEF), OPERATOR];
        for (uint256 i = 0; i < 2; ++i) {
            ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(termsOf(1), operators[i]);
            vm.prank(owner);
            souls.changeOperator(evolution, operators[i], "");
        }
        assertEq(souls.soulOf(1).operator, OPERATOR);
        assertRefused(attacker, withheld, wrongVersion(0, 2));
    }

    function test_aDidArchiveIsDeadWhenTheArchiveIsBackToWhatItWas() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.SET_DID_ARCHIVE, termsOf(1), OWNER_KEY);
        setDidArchive(keccak256("another"));
        setDidArchive(bytes32(0));
        assertRefused(attacker, withheld, wrongVersion(0, 2));
    }

    function test_aBurnIsDeadAfterAnyLaterDecision() public {
        for (uint256 i = 0; i < OPERATIONS; ++i) {
            Operation later = Operation(i);
            if (later == Operation.BURN || endsSuspension(later)) continue;
            uint256 snapshot = vm.snapshotState();
            stage(later);
            bytes memory withheld = signedCall(Operation.BURN, termsOf(1), OWNER_KEY);
            relay(later, 1);
            bytes memory refusal =
                later == Operation.SUSPEND
                    ? abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, owner)
                    : wrongVersion(0, 1);
            assertRefused(attacker, withheld, refusal);
            vm.revertToState(snapshot);
        }
    }

    /// @dev The buyer gave the passport back, the seller resealed, and the buyer bought it once
    /// more.
    function test_aResealIsDeadOnceTheSellerDecidedAgain() public {
        sealedSoul("alice");
        sellAndObserve(1);
        bytes memory withheld = signedCall(Operation.RESEAL, termsOf(1), BUYER_KEY);
        move(0, owner);
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory back = resealOf(termsOf(1), owner);
        vm.prank(owner);
        souls.reseal(back, ARCHIVE, noProof(), "");
        sellAndObserve(1);
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 2));
    }

    /// @dev Signed over the observation before: after a later one it is dead, though owner, epoch
    /// and version fit again.
    function test_aResealAndAReleaseOfAnEarlierSuspensionAreDead() public {
        sealedSoul("alice");
        sellAndObserve(1);
        bytes[2] memory withheld = [
            signedCall(Operation.RESEAL, termsOf(1), BUYER_KEY),
            signedCall(Operation.RELEASE, termsOf(1), BUYER_KEY)
        ];
        move(0, owner);
        souls.suspend(1);
        nextBlock();
        sellAndObserve(1);
        bytes memory refusal = abi.encodeWithSelector(ISoulRegistry.NotObserved.selector, 1, buyer);
        for (uint256 i = 0; i < 2; ++i) assertRefused(attacker, withheld[i], refusal);
    }

    function test_whatWasSignedBeforeASaleIsDeadWhenThePassportIsBackAndTheSoulResealed() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.BURN, termsOf(1), OWNER_KEY);
        sellAndReseal();
        move(0, owner);
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory back = resealOf(termsOf(1), owner);
        vm.prank(owner);
        souls.reseal(back, ARCHIVE, noProof(), "");
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 3));
    }

    function test_aRegistrationIsDeadOnceItsNameIsGiven() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.seal = false;
        registration.nonce = 77;
        bytes memory withheld = abi.encodeCall(
            souls.register,
            (registration, publicationAt(0, 1), noProof(), "", signed(registration))
        );
        register("alice");
        relay(Operation.BURN, 1);
        assertRefused(attacker, withheld, abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "alice", 1));
    }

    function test_aBindingRegistrationIsDeadWhileThePassportCarriesASoul() public {
        sealedSoul("alice");
        ISoulRegistry.Registration memory registration = registrationOf("second");
        registration.bindPassport = true;
        assertRefused(
            attacker,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.PassportAlreadyBound.selector, 0, 1)
        );
    }

    function test_everySubmittedSignatureWorksOnce() public {
        sealedSoul("alice");
        Terms memory terms = termsOf(1);
        bytes memory data = signedCall(Operation.SET_DID_ARCHIVE, terms, OWNER_KEY);
        perform(attacker, data);
        // The owner goes back to the archive before: what was signed over fits again, the nonce
        // does not.
        ISoulRegistry.SetDidArchive memory back = didArchiveOf(termsOf(1));
        back.archiveId = bytes32(0);
        vm.prank(owner);
        souls.setDidArchive(back, "");
        assertRefused(
            attacker,
            data,
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, terms.nonce)
        );
    }
}

/* ALLOWANCES */

/// @dev Soul 1, whose operator may spend from its owner's wallet: within limits that the owner set
/// once.
abstract contract AllowanceAttackerBase is AttackerBase {
    uint56 internal constant PER_TRANSACTION = 10_000_000;
    uint56 internal constant DAILY_LIMIT = 25_000_000;
    uint256 internal constant FUNDS = 1_000_000_000;

    bytes32 private constant SET_TYPEHASH = keccak256(
        "SetAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint56 perTransaction,uint56 dailyLimit,"
        "uint32 validUntil,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DEACTIVATE_TYPEHASH = keccak256(
        "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint256 nonce,uint256 deadline)"
    );

    Stablecoin internal stablecoin;
    AllowanceVault internal vault;

    function setUp() public override {
        super.setUp();
        stablecoin = Stablecoin(deploy("Stablecoin", ""));
        vault = AllowanceVault(deploy("AllowanceVault", abi.encode(souls, stablecoin)));
        sealedSoul("alice");
        address[2] memory accounts = [owner, buyer];
        for (uint256 i = 0; i < 2; ++i) {
            stablecoin.mint(accounts[i], FUNDS);
            vm.prank(accounts[i]);
            stablecoin.approve(address(vault), type(uint256).max);
        }
        decide(setting(1, 0, DAILY_LIMIT));
    }

    function setting(
        uint16 epoch,
        uint16 version,
        uint56 dailyLimit
    ) internal returns (IAllowanceVault.SetAllowance memory) {
        return
            IAllowanceVault.SetAllowance(
                1,
                epoch,
                version,
                PER_TRANSACTION,
                dailyLimit,
                uint32(vm.getBlockTimestamp() + 30 days),
                false,
                ++noncesGiven,
                vm.getBlockTimestamp() + 15 minutes
            );
    }

    function deactivation(uint16 epoch, uint16 version) internal returns (IAllowanceVault.DeactivateAllowance memory) {
        return
            IAllowanceVault.DeactivateAllowance(1, epoch, version, ++noncesGiven, vm.getBlockTimestamp() + 15 minutes);
    }

    function call(
        IAllowanceVault.SetAllowance memory terms,
        bytes memory signature
    ) internal view returns (bytes memory) {
        return abi.encodeCall(vault.setAllowance, (terms, signature));
    }

    function call(
        IAllowanceVault.DeactivateAllowance memory terms,
        bytes memory signature
    ) internal view returns (bytes memory) {
        return abi.encodeCall(vault.deactivate, (terms, signature));
    }

    function signedCall(IAllowanceVault.SetAllowance memory terms, uint256 key) internal view returns (bytes memory) {
        return call(terms, signatureOf(key, terms));
    }

    function signatureOf(uint256 key, IAllowanceVault.SetAllowance memory terms) internal view returns (bytes memory) {
        return signature(key, keccak256(abi.encode(SET_TYPEHASH, terms)));
    }

    function signedCall(
        IAllowanceVault.DeactivateAllowance memory terms,
        uint256 key
    ) internal view returns (bytes memory) {
        return call(terms, signature(key, keccak256(abi.encode(DEACTIVATE_TYPEHASH, terms))));
    }

    function signature(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return sign(key, digestFor("AllowanceVault", "2", address(vault), structHash));
    }

    /// @dev The owner's own decision.
    function decide(IAllowanceVault.SetAllowance memory terms) internal {
        vm.prank(owner);
        vault.setAllowance(terms, "");
    }

    function decide(IAllowanceVault.DeactivateAllowance memory terms) internal {
        vm.prank(owner);
        vault.deactivate(terms, "");
    }

    function submit(bytes memory data) internal {
        vm.prank(attacker);
        (bool success, ) = address(vault).call(data);
        assertTrue(success, "was refused");
    }

    function assertRefusedHere(address caller, bytes memory data, bytes memory expected) internal {
        assertRefusedAt(address(vault), caller, data, expected);
    }

    function spendCall(address recipient) internal view returns (bytes memory) {
        return abi.encodeCall(vault.spend, (1, recipient, 1_000_000, bytes32(0)));
    }

    function notAllowed(IAllowanceVault.Reason reason) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.SpendNotAllowed.selector, 1, 1_000_000, reason, 0);
    }

    function notOperator(address caller, address operator) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.NotOperator.selector, 1, caller, operator);
    }

    function outdated(uint16 version, uint16 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, 1, version, current);
    }

    /// @dev No balance changed, and the terms are the owner's of {setUp}.
    function assertUntouched() internal view {
        assertEq(stablecoin.balanceOf(owner), FUNDS);
        assertEq(stablecoin.balanceOf(buyer), FUNDS);
        assertEq(stablecoin.balanceOf(attacker), 0);
    }

    function assertTerms(uint16 version, uint56 dailyLimit, bool active) internal view {
        IAllowanceVault.Allowance memory allowance = vault.allowanceOf(1);
        assertEq(allowance.version, version);
        assertEq(allowance.dailyLimit, dailyLimit);
        assertEq(allowance.active, active);
    }
}

contract RoleHolderAttacksAllowances is AllowanceAttackerBase {
    function test_cannotSetTheAllowance() public {
        IAllowanceVault.SetAllowance memory terms = setting(1, 1, type(uint56).max);
        assertRefusedHere(attacker, call(terms, ""), notOwner(attacker, owner));
        assertRefusedHere(attacker, signedCall(terms, ATTACKER_KEY), invalidSignature(owner));
        assertRefusedHere(attacker, call(terms, new bytes(65)), invalidSignature(owner));
        assertTerms(1, DAILY_LIMIT, true);
    }

    function test_cannotDeactivateTheAllowance() public {
        IAllowanceVault.DeactivateAllowance memory terms = deactivation(1, 1);
        assertRefusedHere(attacker, call(terms, ""), notOwner(attacker, owner));
        assertRefusedHere(attacker, signedCall(terms, ATTACKER_KEY), invalidSignature(owner));
        assertTerms(1, DAILY_LIMIT, true);
    }

    function test_cannotChangeWhatTheOwnerSigned() public {
        IAllowanceVault.SetAllowance memory terms = setting(1, 1, 1);
        bytes memory signature_ = signatureOf(OWNER_KEY, terms);
        terms.dailyLimit = type(uint56).max;
        assertRefusedHere(attacker, call(terms, signature_), invalidSignature(owner));
        assertTerms(1, DAILY_LIMIT, true);
    }

    function test_cannotSpend() public {
        bytes memory refusal = notOperator(attacker, OPERATOR);
        assertRefusedHere(attacker, spendCall(attacker), refusal);
        assertRefusedHere(attacker, abi.encodeCall(vault.trySpend, (1, attacker, 1, bytes32(0))), refusal);
        // Nor use up the day with payments that were none.
        assertRefusedHere(attacker, abi.encodeCall(vault.report, (1, attacker, DAILY_LIMIT, bytes32(0))), refusal);
        assertUntouched();
        assertEq(vault.allowanceOf(1).spentToday, 0);
    }

    function test_cannotPullTheMoneyItself() public {
        vm.prank(attacker);
        vm.expectRevert(abi.encodeWithSignature("ERC20InsufficientAllowance(address,uint256,uint256)", attacker, 0, 1));
        stablecoin.transferFrom(owner, attacker, 1);
        assertUntouched();
    }
}

contract PreviousOwnerAttacksAllowances is AllowanceAttackerBase {
    /// @dev No transaction is sent between the transfer and these.
    function test_nothingIsDecidedOrSpentFromTheBlockOfTheSaleOn() public {
        bytes memory set = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        bytes memory ended = signedCall(deactivation(1, 1), OWNER_KEY);
        move(0, buyer);
        bytes memory noOwner = abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, 1);
        assertRefusedHere(attacker, set, noOwner);
        assertRefusedHere(attacker, ended, noOwner);
        assertRefusedHere(owner, call(setting(1, 1, type(uint56).max), ""), noOwner);
        assertRefusedHere(OPERATOR, spendCall(attacker), notAllowed(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        assertRefusedHere(
            OPERATOR,
            abi.encodeCall(vault.report, (1, attacker, 1, bytes32(0))),
            notOperator(OPERATOR, address(0))
        );
        vm.prank(OPERATOR);
        IAllowanceVault.Reason reason = vault.trySpend(1, attacker, 1, bytes32(0));
        assertEq(uint256(reason), uint256(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        (bool allowed, , ) = vault.canSpend(1, 1);
        assertFalse(allowed);
        assertUntouched();
    }

    function test_nothingOfItSurvivesTheReseal() public {
        bytes memory withheld = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        sellAndReseal();
        assertRefusedHere(attacker, withheld, abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, 1, 1, 2));
        IAllowanceVault.SetAllowance memory terms = setting(2, 0, type(uint56).max);
        assertRefusedHere(attacker, signedCall(terms, OWNER_KEY), invalidSignature(buyer));
        assertRefusedHere(owner, call(terms, ""), notOwner(owner, buyer));
        assertRefusedHere(OPERATOR, spendCall(attacker), notOperator(OPERATOR, NEW_OPERATOR));
        assertRefusedHere(NEW_OPERATOR, spendCall(attacker), notAllowed(IAllowanceVault.Reason.ALLOWANCE_NOT_SET));
        assertTerms(0, 0, false);
        assertUntouched();
    }
}

/// @dev The buyer has the operator's key, or is the operator.
contract BuyerWhoSendsThePassportBackAttacksAllowances is AllowanceAttackerBase {
    function test_nothingOfTheSellersIsSpentBeforeOrAfterItsReseal() public {
        bytes memory withheld = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        sellAndSendBack();
        assertRefusedHere(OPERATOR, spendCall(attacker), notAllowed(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        (bool allowed, , ) = vault.canSpend(1, 1);
        assertFalse(allowed);
        assertRefusedHere(attacker, withheld, abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, 1));

        resealBySeller();
        assertTrue(souls.isValid(1));
        assertRefusedHere(OPERATOR, spendCall(attacker), notAllowed(IAllowanceVault.Reason.ALLOWANCE_NOT_SET));
        (allowed, , ) = vault.canSpend(1, 1);
        assertFalse(allowed);
        assertRefusedHere(attacker, withheld, abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, 1, 1, 2));
        assertUntouched();
    }

    /// @dev Documented: an owner who does not want this sets the allowance with
    /// `onlyWithAgentWallet`, or marks the soul before or right after the sale.
    function test_aRoundTripThatIsNotRecordedRevivesTheAllowance() public {
        move(0, buyer);
        nextBlock();
        move(0, owner);
        (bool allowed, , ) = vault.canSpend(1, 1);
        assertTrue(allowed);
    }
}

contract WithheldSignaturesOfAllowances is AllowanceAttackerBase {
    function test_aSettingIsDeadAfterAnother() public {
        bytes memory withheld = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        decide(setting(1, 1, 1));
        assertRefusedHere(attacker, withheld, outdated(1, 2));
        assertTerms(2, 1, true);
    }

    function test_aSettingIsDeadWhenTheTermsAreBackToWhatTheyWere() public {
        bytes memory withheld = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        decide(setting(1, 1, 1));
        decide(setting(1, 2, DAILY_LIMIT));
        assertRefusedHere(attacker, withheld, outdated(1, 3));
        assertTerms(3, DAILY_LIMIT, true);
    }

    function test_aSettingIsDeadAfterADeactivation() public {
        bytes memory withheld = signedCall(setting(1, 1, type(uint56).max), OWNER_KEY);
        decide(deactivation(1, 1));
        assertRefusedHere(attacker, withheld, outdated(1, 2));
        assertTerms(2, DAILY_LIMIT, false);
    }

    function test_aDeactivationIsDeadOnceTheAllowanceIsSetAgain() public {
        bytes memory withheld = signedCall(deactivation(1, 1), OWNER_KEY);
        decide(deactivation(1, 1));
        decide(setting(1, 2, DAILY_LIMIT));
        assertRefusedHere(attacker, withheld, outdated(1, 3));
        assertTerms(3, DAILY_LIMIT, true);
    }

    function test_twoDecisionsGoThroughInTheSignedOrderOnly() public {
        bytes memory first = signedCall(deactivation(1, 1), OWNER_KEY);
        bytes memory second = signedCall(setting(1, 2, 1), OWNER_KEY);
        assertRefusedHere(attacker, second, outdated(2, 1));
        submit(first);
        submit(second);
        assertTerms(3, 1, true);
        assertRefusedHere(attacker, first, outdated(1, 3));
        assertRefusedHere(attacker, second, outdated(2, 3));
    }
}

/* MEMBERSHIPS */

/// @dev Soul 1 and organization 1 of another person; neither has joined yet.
abstract contract MembershipAttackerBase is AttackerBase {
    uint256 internal constant HEAD_KEY = 0x4EAD;
    address internal head = vm.addr(HEAD_KEY);
    IOrganizationRegistry internal organizations;

    function setUp() public override {
        super.setUp();
        organizations = souls.ORGANIZATION_REGISTRY();
        sealedSoul("alice");
        vm.prank(head);
        organizations.create(IOrganizationRegistry.CreateOrganization("Guild", head, 0, 0), "");
    }

    function joining(uint16 epoch, uint32 version) internal returns (IOrganizationRegistry.Join memory) {
        return IOrganizationRegistry.Join(1, epoch, 1, version, ++noncesGiven, vm.getBlockTimestamp() + 15 minutes);
    }

    function leaving(uint16 epoch, uint32 version) internal returns (IOrganizationRegistry.Leave memory) {
        return IOrganizationRegistry.Leave(1, epoch, 1, version, ++noncesGiven, vm.getBlockTimestamp() + 15 minutes);
    }

    function handing(address to, uint32 version) internal returns (IOrganizationRegistry.ChangeAdmin memory) {
        return IOrganizationRegistry.ChangeAdmin(1, to, version, ++noncesGiven, vm.getBlockTimestamp() + 15 minutes);
    }

    function signatureOf(uint256 key, IOrganizationRegistry.Join memory terms) internal view returns (bytes memory) {
        string memory words =
            "(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
        return signature(key, keccak256(abi.encode(keccak256(abi.encodePacked("Join", words)), terms)));
    }

    function signatureOf(uint256 key, IOrganizationRegistry.Leave memory terms) internal view returns (bytes memory) {
        string memory words =
            "(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
        return signature(key, keccak256(abi.encode(keccak256(abi.encodePacked("Leave", words)), terms)));
    }

    /// @dev The head's side of `terms`, with the same nonce and deadline.
    function consentOf(
        uint256 key,
        IOrganizationRegistry.Join memory terms
    ) internal view returns (IOrganizationRegistry.Consent memory) {
        string memory words =
            "(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
        bytes32 structHash = keccak256(abi.encode(keccak256(abi.encodePacked("Admission", words)), terms));
        return IOrganizationRegistry.Consent(terms.nonce, terms.deadline, signature(key, structHash));
    }

    function noConsent() internal pure returns (IOrganizationRegistry.Consent memory) {
        return IOrganizationRegistry.Consent(0, 0, "");
    }

    function accepting(address newAdmin, uint32 version) internal returns (IOrganizationRegistry.AcceptAdmin memory) {
        return
            IOrganizationRegistry.AcceptAdmin(1, newAdmin, version, ++noncesGiven, vm.getBlockTimestamp() + 15 minutes);
    }

    function signatureOf(
        uint256 key,
        IOrganizationRegistry.AcceptAdmin memory terms
    ) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "AcceptAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return signature(key, keccak256(abi.encode(typeHash, terms)));
    }

    function signatureOf(
        uint256 key,
        IOrganizationRegistry.ChangeAdmin memory terms
    ) internal view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return signature(key, keccak256(abi.encode(typeHash, terms)));
    }

    function signature(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return sign(key, digestFor("OrganizationRegistry", address(organizations), structHash));
    }

    function joinCall(
        IOrganizationRegistry.Join memory terms,
        uint256 ownerKey,
        uint256 headKey
    ) internal view returns (bytes memory) {
        return abi.encodeCall(organizations.join, (terms, signatureOf(ownerKey, terms), consentOf(headKey, terms)));
    }

    function leaveCall(
        IOrganizationRegistry.Leave memory terms,
        address signer,
        uint256 key
    ) internal view returns (bytes memory) {
        return abi.encodeCall(organizations.leaveOrganization, (terms, signer, signatureOf(key, terms)));
    }

    function submit(bytes memory data) internal {
        vm.prank(attacker);
        (bool success, ) = address(organizations).call(data);
        assertTrue(success, "was refused");
    }

    /// @dev What owner and head agreed on.
    function join(uint32 version) internal {
        submit(joinCall(joining(1, version), OWNER_KEY, HEAD_KEY));
    }

    function leave(uint32 version) internal {
        IOrganizationRegistry.Leave memory terms = leaving(1, version);
        vm.prank(owner);
        organizations.leaveOrganization(terms, owner, "");
    }

    function assertRefusedHere(address caller, bytes memory data, bytes memory expected) internal {
        assertRefusedAt(address(organizations), caller, data, expected);
    }

    function outdated(uint32 version, uint32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrganizationRegistry.WrongVersion.selector, 1, version, current);
    }
}

contract RoleHolderAttacksMemberships is MembershipAttackerBase {
    function test_cannotFoundInAnothersName() public {
        IOrganizationRegistry.CreateOrganization memory terms = IOrganizationRegistry.CreateOrganization(
            "Guild",
            head,
            9,
            vm.getBlockTimestamp()
        );
        assertRefusedHere(attacker, abi.encodeCall(organizations.create, (terms, "")), notOwner(attacker, head));
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.create, (terms, new bytes(65))),
            invalidSignature(head)
        );
    }

    function test_cannotJoinAnAgentThatItsOwnerDidNot() public {
        IOrganizationRegistry.Join memory terms = joining(1, 0);
        assertRefusedHere(attacker, joinCall(terms, ATTACKER_KEY, HEAD_KEY), invalidSignature(owner));
        assertRefusedHere(attacker, joinCall(terms, HEAD_KEY, HEAD_KEY), invalidSignature(owner));
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.join, (terms, "", noConsent())),
            notOwner(attacker, owner)
        );
        assertFalse(organizations.isMember(1, 1));
    }

    function test_cannotAdmitAnAgentThatTheHeadDidNot() public {
        IOrganizationRegistry.Join memory terms = joining(1, 0);
        assertRefusedHere(attacker, joinCall(terms, OWNER_KEY, ATTACKER_KEY), invalidSignature(head));
        assertRefusedHere(attacker, joinCall(terms, OWNER_KEY, OWNER_KEY), invalidSignature(head));
        assertFalse(organizations.isMember(1, 1));
    }

    function test_cannotEndAMembership() public {
        join(0);
        IOrganizationRegistry.Leave memory terms = leaving(1, 1);
        bytes memory stranger_ = abi.encodeWithSelector(
            IOrganizationRegistry.NotOwnerOrAdmin.selector,
            attacker,
            owner,
            head
        );
        assertRefusedHere(attacker, leaveCall(terms, attacker, ATTACKER_KEY), stranger_);
        assertRefusedHere(attacker, leaveCall(terms, owner, ATTACKER_KEY), invalidSignature(owner));
        assertRefusedHere(attacker, leaveCall(terms, head, ATTACKER_KEY), invalidSignature(head));
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.prune, (1)),
            abi.encodeWithSelector(IOrganizationRegistry.NotPrunable.selector, 1)
        );
        assertTrue(organizations.isMember(1, 1));
    }

    function test_cannotTakeAnOrganization() public {
        IOrganizationRegistry.ChangeAdmin memory terms = handing(attacker, 0);
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.changeAdmin, (terms, "", noConsent())),
            notOwner(attacker, head)
        );
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.changeAdmin, (terms, signatureOf(ATTACKER_KEY, terms), noConsent())),
            invalidSignature(head)
        );
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.acceptAdmin, (accepting(attacker, 0), "")),
            abi.encodeWithSelector(IOrganizationRegistry.NotPendingAdmin.selector, 1, attacker, address(0))
        );
        assertEq(organizations.adminOf(1), head);
    }

    function test_cannotAcceptForTheAccountThatTheHeadNamed() public {
        IOrganizationRegistry.ChangeAdmin memory terms = handing(owner, 0);
        submit(abi.encodeCall(organizations.changeAdmin, (terms, signatureOf(HEAD_KEY, terms), noConsent())));
        IOrganizationRegistry.AcceptAdmin memory acceptance = accepting(owner, 1);
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.acceptAdmin, (acceptance, signatureOf(HEAD_KEY, acceptance))),
            invalidSignature(owner)
        );
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.acceptAdmin, (acceptance, "")),
            notOwner(attacker, owner)
        );
        assertEq(organizations.adminOf(1), head);
    }

    function test_cannotJoinAsTheSoulRegistryDoes() public {
        bytes memory refusal = abi.encodeWithSelector(IOrganizationRegistry.OnlySoulRegistry.selector, attacker);
        assertRefusedHere(
            attacker,
            abi.encodeCall(organizations.joinAtRegistration, (1, 1, head, bytes32(0), "")),
            refusal
        );
        assertRefusedHere(attacker, abi.encodeCall(organizations.joinBatch, (1, 1, 1, head)), refusal);
        assertFalse(organizations.isMember(1, 1));
    }

    function test_cannotRegisterAnAgentIntoAnOrganizationWithoutItsHead() public {
        ISoulRegistry.Registration memory registration = registrationOf("second");
        registration.organizationId = 1;
        assertRefused(
            attacker,
            abi.encodeCall(souls.register, (registration, publicationAt(1, 2), noProof(), "", signed(registration))),
            abi.encodeWithSelector(IOrganizationRegistry.AdminConsentRequired.selector, 1, head)
        );
    }
}

contract PreviousOwnerAttacksMemberships is MembershipAttackerBase {
    function test_cannotJoinOrLeaveFromTheBlockOfTheSaleOn() public {
        IOrganizationRegistry.Join memory terms = joining(1, 0);
        bytes memory withheld = joinCall(terms, OWNER_KEY, HEAD_KEY);
        move(0, buyer);
        bytes memory noOwner = abi.encodeWithSelector(IOrganizationRegistry.NoOwner.selector, 1);
        assertRefusedHere(attacker, withheld, noOwner);
        assertRefusedHere(owner, withheld, noOwner);
        assertRefusedHere(
            owner,
            leaveCall(leaving(1, 0), owner, OWNER_KEY),
            abi.encodeWithSelector(IOrganizationRegistry.NotOwnerOrAdmin.selector, owner, address(0), head)
        );
    }

    function test_itsMembershipIsDeadFromTheBlockOfTheSaleOn() public {
        join(0);
        assertEq(organizations.organizationOf(1), 1);
        move(0, buyer);
        assertEq(organizations.organizationOf(1), 0);
        assertFalse(organizations.isMember(1, 1));
        souls.suspend(1);
        nextBlock();
        relay(Operation.RESEAL, 1);
        assertTrue(souls.isValid(1));
        assertEq(organizations.organizationOf(1), 0);
    }

    function test_cannotJoinOrLeaveAfterTheReseal() public {
        bytes memory withheld = joinCall(joining(1, 0), OWNER_KEY, HEAD_KEY);
        sellAndReseal();
        assertRefusedHere(attacker, withheld, invalidSignature(buyer));
        assertRefusedHere(attacker, joinCall(joining(2, 0), OWNER_KEY, HEAD_KEY), invalidSignature(buyer));
        // What the new owner signs, it signs for its own epoch.
        assertRefusedHere(
            attacker,
            joinCall(joining(1, 0), BUYER_KEY, HEAD_KEY),
            abi.encodeWithSelector(IOrganizationRegistry.WrongEpoch.selector, 1, 1, 2)
        );
        submit(joinCall(joining(2, 0), BUYER_KEY, HEAD_KEY));
        assertRefusedHere(
            owner,
            leaveCall(leaving(2, 1), owner, OWNER_KEY),
            abi.encodeWithSelector(IOrganizationRegistry.NotOwnerOrAdmin.selector, owner, buyer, head)
        );
        assertTrue(organizations.isMember(1, 1));
    }
}

contract BuyerWhoSendsThePassportBackAttacksMemberships is MembershipAttackerBase {
    function test_theMembershipIsDeadBeforeAndAfterTheSellersReseal() public {
        join(0);
        assertTrue(organizations.isMember(1, 1));
        sellAndSendBack();
        assertFalse(organizations.isMember(1, 1));
        assertEq(organizations.organizationOf(1), 0);

        resealBySeller();
        assertTrue(souls.isValid(1));
        assertFalse(organizations.isMember(1, 1));
        assertEq(organizations.organizationOf(1), 0);
    }
}

contract WithheldSignaturesOfMemberships is MembershipAttackerBase {
    function handOver(address from, address to, uint32 version) internal {
        IOrganizationRegistry.ChangeAdmin memory naming = handing(to, version);
        IOrganizationRegistry.AcceptAdmin memory acceptance = accepting(to, version + 1);
        vm.prank(from);
        organizations.changeAdmin(naming, "", noConsent());
        vm.prank(to);
        organizations.acceptAdmin(acceptance, "");
    }

    function test_anAcceptanceIsDeadOnceTheHeadWithdrew() public {
        IOrganizationRegistry.ChangeAdmin memory naming = handing(owner, 0);
        IOrganizationRegistry.ChangeAdmin memory withdrawal = handing(address(0), 1);
        IOrganizationRegistry.AcceptAdmin memory terms = accepting(owner, 1);
        bytes memory withheld = abi.encodeCall(organizations.acceptAdmin, (terms, signatureOf(OWNER_KEY, terms)));
        vm.startPrank(head);
        organizations.changeAdmin(naming, "", noConsent());
        organizations.changeAdmin(withdrawal, "", noConsent());
        vm.stopPrank();
        assertRefusedHere(attacker, withheld, outdated(1, 2));
        assertEq(organizations.adminOf(1), head);
    }

    function test_aJoinIsDeadOnceTheAgentJoinedAndLeft() public {
        bytes memory withheld = joinCall(joining(1, 0), OWNER_KEY, HEAD_KEY);
        join(0);
        leave(1);
        assertRefusedHere(attacker, withheld, outdated(0, 2));
        assertFalse(organizations.isMember(1, 1));
    }

    function test_aDepartureIsDeadOnceTheAgentIsBack() public {
        join(0);
        bytes memory ofOwner = leaveCall(leaving(1, 1), owner, OWNER_KEY);
        bytes memory ofHead = leaveCall(leaving(1, 1), head, HEAD_KEY);
        leave(1);
        join(2);
        assertRefusedHere(attacker, ofOwner, outdated(1, 3));
        assertRefusedHere(attacker, ofHead, outdated(1, 3));
        assertTrue(organizations.isMember(1, 1));
    }

    function test_decisionsGoThroughInTheSignedOrderOnly() public {
        bytes memory first = joinCall(joining(1, 0), OWNER_KEY, HEAD_KEY);
        bytes memory second = leaveCall(leaving(1, 1), owner, OWNER_KEY);
        assertRefusedHere(attacker, second, outdated(1, 0));
        submit(first);
        submit(second);
        assertFalse(organizations.isMember(1, 1));
    }

    function test_aHandOverIsDeadWhenTheHeadIsBack() public {
        IOrganizationRegistry.ChangeAdmin memory terms = handing(attacker, 0);
        bytes memory withheld = abi.encodeCall(
            organizations.changeAdmin,
            (terms, signatureOf(HEAD_KEY, terms), noConsent())
        );
        handOver(head, owner, 0);
        handOver(owner, head, 1);
        assertRefusedHere(attacker, withheld, outdated(0, 2));
        assertEq(organizations.adminOf(1), head);
    }
}

/* BINDINGS */

/// @dev Souls 1, of the owner, and 2, of the buyer; the attacker holds every role over bindings
/// too.
abstract contract BindingAttackerBase is AttackerBase {
    BindingRegistry internal bindings;
    bytes32 internal pair;

    function setUp() public override {
        super.setUp();
        bindings = BindingRegistry(deploy("BindingRegistry", abi.encode(souls, attacker, attacker, 0)));
        sealedSoul("alice");
        ISoulRegistry.Registration memory registration = registrationOf("second");
        registration.owner = buyer;
        submit(registration, publicationAt(1, 2), sign(BUYER_KEY, digestOf(registration)));
        pair = bindings.bindingIdOf(1, 2);
    }

    function binding(
        uint16 epoch,
        uint32 version,
        IBindingRegistry.TrustLevel trustLevel
    ) internal returns (IBindingRegistry.SetBinding memory) {
        return
            IBindingRegistry.SetBinding({
                fromTokenId: 1,
                epoch: epoch,
                toTokenId: 2,
                toEpoch: 1,
                trustLevel: trustLevel,
                context: "work",
                version: version,
                nonce: ++noncesGiven,
                deadline: vm.getBlockTimestamp() + 15 minutes
            });
    }

    function call(
        IBindingRegistry.SetBinding memory terms,
        bytes memory signature
    ) internal view returns (bytes memory) {
        return abi.encodeCall(bindings.setBinding, (terms, signature));
    }

    function signedCall(IBindingRegistry.SetBinding memory terms, uint256 key) internal view returns (bytes memory) {
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "SetBinding(uint256 fromTokenId,uint16 epoch,uint256 toTokenId,uint16 toEpoch,uint8 trustLevel,string context,"
                    "uint32 version,uint256 nonce,uint256 deadline)"
                ),
                terms.fromTokenId,
                terms.epoch,
                terms.toTokenId,
                terms.toEpoch,
                terms.trustLevel,
                keccak256(bytes(terms.context)),
                terms.version,
                terms.nonce,
                terms.deadline
            )
        );
        return call(terms, sign(key, digestFor("BindingRegistry", address(bindings), structHash)));
    }

    /// @dev The owner's own decision.
    function decide(uint32 version, IBindingRegistry.TrustLevel trustLevel) internal {
        IBindingRegistry.SetBinding memory terms = binding(1, version, trustLevel);
        vm.prank(owner);
        bindings.setBinding(terms, "");
    }

    function serviceCall(uint16 epoch, uint32 serviceVersion) internal view returns (bytes memory) {
        return
            abi.encodeCall(
                bindings.setServiceBinding,
                (1, epoch, 2, 1, IBindingRegistry.TrustLevel.TRUSTED, "work", serviceVersion)
            );
    }

    function assertRefusedHere(address caller, bytes memory data, bytes memory expected) internal {
        assertRefusedAt(address(bindings), caller, data, expected);
    }

    function assertBound(
        IBindingRegistry.TrustLevel trustLevel,
        IBindingRegistry.Authority authority,
        bool live
    ) internal view {
        (IBindingRegistry.TrustLevel level, IBindingRegistry.Authority by, , bool alive) = bindings.bindingOf(1, 2);
        assertEq(uint256(level), uint256(trustLevel));
        assertEq(uint256(by), uint256(authority));
        assertEq(alive, live);
    }

    function outdated(uint32 version, uint32 current) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IBindingRegistry.WrongVersion.selector, pair, version, current);
    }
}

contract RoleHolderAttacksBindings is BindingAttackerBase {
    function test_cannotBindInTheOwnersName() public {
        IBindingRegistry.SetBinding memory terms = binding(1, 0, IBindingRegistry.TrustLevel.TRUSTED);
        assertRefusedHere(attacker, call(terms, ""), notOwner(attacker, owner));
        assertRefusedHere(attacker, signedCall(terms, ATTACKER_KEY), invalidSignature(owner));
        assertRefusedHere(attacker, call(terms, new bytes(65)), invalidSignature(owner));
        // The second agent's owner signs for its own soul only.
        assertRefusedHere(attacker, signedCall(terms, BUYER_KEY), invalidSignature(owner));
        assertBound(IBindingRegistry.TrustLevel.NONE, IBindingRegistry.Authority.NONE, false);
    }

    function test_itsOwnBindingsSayThatNoOwnerMadeThem() public {
        vm.prank(attacker);
        bindings.setServiceBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.TRUSTED, "work", 0);
        assertBound(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.SERVICE, true);
    }

    function test_cannotOutrunARevocation() public {
        bytes memory revocation = signedCall(binding(1, 0, IBindingRegistry.TrustLevel.REVOKED), OWNER_KEY);
        for (uint32 i = 0; i < 3; ++i) {
            vm.prank(attacker);
            bindings.setServiceBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.TRUSTED, "work", i);
        }
        (bool success, ) = address(bindings).call(revocation);
        assertTrue(success);
        assertBound(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, true);
    }

    function test_cannotChangeWhatTheOwnerSet() public {
        IBindingRegistry.TrustLevel[2] memory levels = [
            IBindingRegistry.TrustLevel.LIMITED,
            IBindingRegistry.TrustLevel.REVOKED
        ];
        for (uint32 i = 0; i < 2; ++i) {
            decide(i, levels[i]);
            assertRefusedHere(
                attacker,
                serviceCall(1, 0),
                abi.encodeWithSelector(IBindingRegistry.OwnerBindingStands.selector, pair)
            );
            assertBound(levels[i], IBindingRegistry.Authority.OWNER, true);
        }
    }
}

contract PreviousOwnerAttacksBindings is BindingAttackerBase {
    function test_itsBindingsDieWithTheSale() public {
        decide(0, IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory withheld = signedCall(binding(1, 1, IBindingRegistry.TrustLevel.VERIFIED), OWNER_KEY);
        address newOwner = vm.addr(HEIR_KEY);
        move(0, newOwner);
        assertBound(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, false);
        bytes memory noOwner = abi.encodeWithSelector(IBindingRegistry.NoOwner.selector, 1);
        assertRefusedHere(attacker, withheld, noOwner);
        assertRefusedHere(owner, call(binding(1, 1, IBindingRegistry.TrustLevel.VERIFIED), ""), noOwner);
        assertRefusedHere(attacker, serviceCall(1, 0), noOwner);

        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), newOwner);
        vm.prank(newOwner);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
        assertBound(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, false);
        assertRefusedHere(attacker, withheld, invalidSignature(newOwner));
        assertRefusedHere(
            owner,
            call(binding(2, 1, IBindingRegistry.TrustLevel.VERIFIED), ""),
            notOwner(owner, newOwner)
        );
        assertRefusedHere(
            attacker,
            signedCall(binding(1, 1, IBindingRegistry.TrustLevel.VERIFIED), HEIR_KEY),
            abi.encodeWithSelector(IBindingRegistry.WrongEpoch.selector, 1, 1, 2)
        );
    }

    uint256 internal constant HEIR_KEY = 0x4E14;
}

contract BuyerWhoSendsThePassportBackAttacksBindings is BindingAttackerBase {
    function test_theBindingIsDeadBeforeAndAfterTheSellersReseal() public {
        decide(0, IBindingRegistry.TrustLevel.TRUSTED);
        sellAndSendBack();
        assertBound(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, false);
        resealBySeller();
        assertTrue(souls.isValid(1));
        assertBound(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, false);
    }
}

contract WithheldSignaturesOfBindings is BindingAttackerBase {
    function test_aBindingIsDeadAfterARevocation() public {
        bytes memory withheld = signedCall(binding(1, 0, IBindingRegistry.TrustLevel.TRUSTED), OWNER_KEY);
        decide(0, IBindingRegistry.TrustLevel.REVOKED);
        assertRefusedHere(attacker, withheld, outdated(0, 1));
        assertBound(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, true);
    }

    function test_aBindingIsDeadWhenTheLevelIsBackToWhatItWas() public {
        decide(0, IBindingRegistry.TrustLevel.LIMITED);
        bytes memory withheld = signedCall(binding(1, 1, IBindingRegistry.TrustLevel.TRUSTED), OWNER_KEY);
        decide(1, IBindingRegistry.TrustLevel.REVOKED);
        decide(2, IBindingRegistry.TrustLevel.LIMITED);
        assertRefusedHere(attacker, withheld, outdated(1, 3));
        assertBound(IBindingRegistry.TrustLevel.LIMITED, IBindingRegistry.Authority.OWNER, true);
    }

    function test_twoBindingsGoThroughInTheSignedOrderOnly() public {
        bytes memory first = signedCall(binding(1, 0, IBindingRegistry.TrustLevel.TRUSTED), OWNER_KEY);
        bytes memory second = signedCall(binding(1, 1, IBindingRegistry.TrustLevel.REVOKED), OWNER_KEY);
        assertRefusedHere(attacker, second, outdated(1, 0));
        (bool success, ) = address(bindings).call(first);
        assertTrue(success);
        (success, ) = address(bindings).call(second);
        assertTrue(success);
        assertBound(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, true);
    }
}
