// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulLifeBase} from "./SoulLifeBase.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev What nobody can do in an owner's name: operation by operation, against whoever holds the service's keys, and
/// against the owner before. Each contract's operations have a section of their own.
abstract contract AttackerBase is SoulLifeBase {
    uint256 internal constant ATTACKER_KEY = 0xE711;
    address internal attacker = vm.addr(ATTACKER_KEY);

    /// @dev Every role that a service account or the admin ever holds, in one hand, granted by the admin itself.
    function setUp() public virtual override {
        super.setUp();
        vm.startPrank(admin);
        souls.grantRole(REGISTRAR_ROLE, attacker);
        souls.grantRole(bytes32(0), attacker);
        vm.stopPrank();
    }

    /// @dev Nothing that the attacker signs, forges or leaves empty is taken for the decision of `actor`.
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

    function test_cannotSetTheUri() public {
        attack(Operation.SET_AGENT_URI);
    }

    function test_cannotSetMetadata() public {
        attack(Operation.SET_METADATA);
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
                (batch, new ISoulRegistry.BatchPublication[](1), sign(ATTACKER_KEY, digestOf(hasher.hash(batch))))
            ),
            invalid
        );
        assertEq(souls.nextTokenId(), 1);
    }

    function test_cannotBindAnOwnersPassport() public {
        vm.prank(owner);
        identity.register();
        approveRegistry(owner);
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
            abi.encodeCall(souls.reseal, (reseal, publicationAt(0, 1), "")),
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
            abi.encode(keccak256("Cancel(uint256 nonce,uint256 deadline)"), uint256(1), type(uint256).max)
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

    function test_cannotMoveAPassportEvenWhereTheRegistryIsApproved() public {
        sealedSoul("alice");
        approveRegistry(owner);
        vm.startPrank(attacker);
        vm.expectRevert();
        identity.transferFrom(owner, attacker, 0);
        vm.expectRevert();
        identity.setMetadata(0, "svcStatus", "SEALED");
        vm.stopPrank();
        // Nothing that the soul registry does moves a passport that it holds no mint of.
        perform(attacker, abi.encodeCall(souls.syncMetadata, (1)));
        assertEq(identity.ownerOf(0), owner);
    }

    function test_cannotMoveACertificate() public {
        sealedSoul("alice");
        bytes memory onlyRegistry = abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, attacker);
        vm.startPrank(attacker);
        vm.expectRevert(onlyRegistry);
        certificates.move(1, attacker);
        vm.expectRevert(onlyRegistry);
        certificates.burn(1);
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
        assertRefused(attacker, abi.encodeCall(souls.revise, (evolution, "archive", signature)), invalid);

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
    /// @dev Everything that the seller can still sign, after the sale or before it, dies with the passport's transfer.
    function attack(Operation operation) internal {
        sealedSoul("alice");
        approveRegistry(owner);
        Terms memory terms = termsOf(1);
        bytes memory withheld = signedCall(operation, terms, OWNER_KEY);

        move(0, buyer);
        approveRegistry(buyer);
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

    function test_cannotSetTheUri() public {
        attack(Operation.SET_AGENT_URI);
    }

    function test_cannotSetMetadata() public {
        attack(Operation.SET_METADATA);
    }

    function test_cannotSealWhatWasSoldUnsealed() public {
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
            abi.encodeCall(souls.reseal, (reseal, publicationAt(0, 1), "")),
            abi.encodeWithSelector(ISoulRegistry.NotObserved.selector, 1, owner)
        );
        move(0, buyer);
        assertTrue(souls.isValid(1));
        assertEq(souls.soulOf(1).sealer, buyer);
        nextBlock();
        assertRefused(
            owner,
            abi.encodeCall(souls.reseal, (reseal, publicationAt(0, 1), "")),
            abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, owner, buyer)
        );
    }

    function test_cannotReincarnateWhatTheBuyerBurned() public {
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
        souls.reseal(reseal, publicationAt(0, 1), "");
        (authority, operator, ) = souls.authorityOf(1);
        assertEq(authority, buyer);
        assertEq(operator, buyer);
        assertEq(souls.didArchiveOf(1), bytes32(0));
    }
}

/* SOULS: signatures withheld or reordered by whoever relays */

contract WithheldSignaturesOfSouls is AttackerBase {
    function outdated(bytes32 signedOver, bytes32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.Outdated.selector, 1, signedOver, current);
    }

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
        bytes32 first = souls.soulOf(1).soulHash;
        bytes memory withheld = signedCall(Operation.REVISE, termsOf(1), OWNER_KEY);
        relay(Operation.REVISE, 1);
        assertRefused(attacker, withheld, outdated(first, NEW_HASH));
    }

    function test_anOperatorChangeIsDeadAfterAnother() public {
        sealedSoul("alice");
        bytes memory withheld = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        relay(Operation.CHANGE_OPERATOR, 1);
        assertRefused(
            attacker,
            withheld,
            outdated(keccak256(abi.encode(NEW_OPERATOR, uint32(0))), keccak256(abi.encode(NEW_OPERATOR, uint32(1))))
        );
    }

    function test_twoOperatorChangesGoThroughInTheSignedOrderOnly() public {
        sealedSoul("alice");
        bytes memory first = signedCall(Operation.CHANGE_OPERATOR, termsOf(1), OWNER_KEY);
        ISoulRegistry.RecordEvolution memory evolution = operatorChangeOf(termsOf(1), address(0));
        evolution.dataHash = keccak256(abi.encode(address(0), uint32(1)));
        bytes memory second = abi.encodeCall(
            souls.changeOperator,
            (evolution, address(0), sign(OWNER_KEY, digestOf(hasher.hash(evolution))))
        );
        assertRefused(attacker, second, outdated(evolution.dataHash, keccak256(abi.encode(address(0), uint32(0)))));
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
        assertRefused(attacker, withheld, outdated(bytes32(0), keccak256("archive")));
    }

    function test_aUriIsDeadAfterAnother() public {
        sealedSoul("alice");
        approveRegistry(owner);
        bytes memory withheld = signedCall(Operation.SET_AGENT_URI, termsOf(1), OWNER_KEY);
        relay(Operation.SET_AGENT_URI, 1);
        assertRefused(attacker, withheld, outdated(keccak256("ar://with-ids"), keccak256("ar://another")));
    }

    function test_aMetadataValueIsDeadAfterAnother() public {
        sealedSoul("alice");
        approveRegistry(owner);
        bytes memory withheld = signedCall(Operation.SET_METADATA, termsOf(1), OWNER_KEY);
        relay(Operation.SET_METADATA, 1);
        assertRefused(attacker, withheld, outdated(keccak256(""), keccak256("blue")));
    }

    function test_everySubmittedSignatureWorksOnce() public {
        sealedSoul("alice");
        Terms memory terms = termsOf(1);
        bytes memory data = signedCall(Operation.SET_DID_ARCHIVE, terms, OWNER_KEY);
        perform(attacker, data);
        // The owner goes back to the archive before: what was signed over fits again, the nonce does not.
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
