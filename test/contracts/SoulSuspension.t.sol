// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OwnerOnlyRegistry} from "./OwnerOnlyRegistry.sol";
import {HumanVerifiersDouble, SoulLifeBase} from "./SoulLifeBase.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {IPassportWriter} from "../../contracts/interfaces/IPassportWriter.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {IdentityRegistry} from "../../contracts/erc8004/IdentityRegistry.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {Vm} from "./utils/Vm.sol";

/// @dev A sale, its observation, and what ends the suspension.
abstract contract SoulSuspensionBase is SoulLifeBase {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    uint256 internal constant LIFETIME = 1 days;
    uint16 internal constant LAST_EPOCH = type(uint16).max;

    address internal other = makeAddr("other");

    function notObserved(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.NotObserved.selector, 1, account);
    }

    function notSuspended() internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.NotSuspended.selector, 1);
    }

    function alreadySuspended(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.AlreadySuspended.selector, 1, account);
    }

    function suspendCall() internal view returns (bytes memory) {
        return abi.encodeCall(souls.suspend, (1));
    }

    function assertObserved(address account, uint256 height, uint256 time) internal view {
        (address observedOwner, uint64 observedBlock, uint64 observedAt) = souls.suspensionOf(1);
        assertEq(observedOwner, account);
        assertEq(observedBlock, height);
        assertEq(observedAt, time);
    }

    function later(uint256 duration) internal {
        vm.warp(vm.getBlockTimestamp() + duration);
    }

    /// @dev Sold, observed, sent back and observed once more: what the sealer finds that was sent
    /// its passport unasked.
    function sellObserveAndReturn() internal {
        sellAndObserve(1);
        move(0, owner);
        souls.suspend(1);
        nextBlock();
    }

    function resealBySealer() internal {
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        vm.prank(owner);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
    }

    function resealCall(address newOwner) internal returns (bytes memory) {
        return abi.encodeCall(souls.reseal, (resealOf(termsOf(1), newOwner), ARCHIVE, noProof(), ""));
    }

    function releaseCall(address newOwner) internal returns (bytes memory) {
        return abi.encodeCall(souls.release, (releaseOf(termsOf(1), newOwner), ""));
    }

    /// @dev Soul 1 is in the last epoch that there is: bits 216 to 231 of its record's first word.
    function toLastEpoch() internal {
        bytes32 slot = keccak256(abi.encode(uint256(1), RECORDS_SLOT));
        uint256 word = uint256(vm.load(address(souls), slot));
        word = (word & ~(uint256(type(uint16).max) << 216)) | (uint256(LAST_EPOCH) << 216);
        vm.store(address(souls), slot, bytes32(word));
        assertEq(souls.epochOf(1), LAST_EPOCH);
    }
}

contract SoulSuspendTest is SoulSuspensionBase {
    function test_anyAccountRecordsASale() public {
        sealedSoul("alice");
        move(0, buyer);
        approveWriter(buyer);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulVerificationSuspended(1, 0, buyer, owner);
        vm.prank(stranger);
        souls.suspend(1);
        assertObserved(buyer, vm.getBlockNumber(), vm.getBlockTimestamp());
        assertTrue(souls.isSuspended(1));
        // The passport writer says so on the passport, when asked: nothing is called here but
        // `ownerOf`.
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");
    }

    function test_recordsAnotherOwnerAtOnce() public {
        sealedSoul("alice");
        move(0, buyer);
        souls.suspend(1);
        nextBlock();
        move(0, other);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulVerificationSuspended(1, 0, other, owner);
        perform(stranger, suspendCall());
        assertObserved(other, vm.getBlockNumber(), vm.getBlockTimestamp());
    }

    function test_recordsTheSameOwnerAgainAfterADayOnly() public {
        sealedSoul("alice");
        move(0, buyer);
        souls.suspend(1);
        uint256 time = vm.getBlockTimestamp();
        uint256 height = vm.getBlockNumber();
        nextBlock();
        assertRefused(stranger, suspendCall(), alreadySuspended(buyer));
        later(LIFETIME);
        assertRefused(stranger, suspendCall(), alreadySuspended(buyer));
        assertObserved(buyer, height, time);

        later(1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulVerificationSuspended(1, 0, buyer, owner);
        perform(stranger, suspendCall());
        assertObserved(buyer, height + 1, time + LIFETIME + 1);
    }

    function test_recordsTheSealerWhileTheMarkStands() public {
        sealedSoul("alice");
        sellAndObserve(1);
        move(0, owner);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulVerificationSuspended(1, 0, owner, owner);
        perform(stranger, suspendCall());
        assertObserved(owner, vm.getBlockNumber(), vm.getBlockTimestamp());
        assertTrue(souls.isSuspended(1));
        assertRefused(stranger, suspendCall(), alreadySuspended(owner));
    }

    function test_suspendsNothingElse() public {
        assertRefused(
            stranger,
            suspendCall(),
            abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, ISoulRegistry.Status.NONE)
        );
        sealedSoul("alice");
        assertRefused(stranger, suspendCall(), notSuspended());
        // A registry that does not answer is no change of owner.
        vm.etch(address(identity), hex"00");
        assertRefused(stranger, suspendCall(), notSuspended());
        assertFalse(souls.isSuspended(1));
    }

    /// @dev Too little gas or a hostile registry suppresses nothing: there is no call that could
    /// fail and be passed over.
    function test_asksTheIdentityRegistryForTheOwnerOnly() public {
        sealedSoul("alice");
        for (uint256 i = 0; i < 2; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.etch(address(identity), address(new OwnerOnlyRegistry(buyer, OwnerOnlyRegistry.Refusal(i))).code);
            souls.suspend(1);
            assertObserved(buyer, vm.getBlockNumber(), vm.getBlockTimestamp());
            vm.revertToState(snapshot);
        }
    }

    function test_theMarkOutlivesTheReturnInEveryRead() public {
        humanSoul("alice");
        assertTrue(souls.humanVerified(1));
        sellAndObserve(1);
        move(0, owner);

        assertTrue(souls.isSuspended(1));
        assertFalse(souls.isValid(1));
        assertFalse(souls.humanVerified(1));
        assertEq(souls.liveEpochOf(1), 0);
        (address authority, address operator, uint16 epoch) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
        assertEq(epoch, 1);
        (ISoulRegistry.Validity validity, address passportOwner) = souls.validityOf(1);
        assertEq(uint256(validity), uint256(ISoulRegistry.Validity.SUSPENDED));
        assertEq(passportOwner, owner);
        assertEq(souls.sealerOf(1), owner);
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_aMarkedSoulWhosePassportCannotBeReadIsNotLinked() public {
        sealedSoul("alice");
        sellAndObserve(1);
        vm.etch(address(identity), hex"fe");
        (ISoulRegistry.Validity validity, ) = souls.validityOf(1);
        assertEq(uint256(validity), uint256(ISoulRegistry.Validity.NOT_LINKED));
    }

    function test_aRoundTripThatIsNotRecordedSuspendsNothing() public {
        humanSoul("alice");
        move(0, buyer);
        nextBlock();
        move(0, owner);
        assertTrue(souls.isValid(1));
        assertTrue(souls.humanVerified(1));
        assertRefused(stranger, suspendCall(), notSuspended());
    }
}

/// @dev A mark that a sealer sets itself, before it sells the passport.
contract SoulSuspendBySealerTest is SoulSuspensionBase {
    function test_theSealerMarksItsOwnSoul() public {
        humanSoul("alice");
        vm.recordLogs();
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OwnerDecided(1, 1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulVerificationSuspended(1, 0, owner, owner);
        perform(stranger, signedCall(Operation.SUSPEND, termsOf(1), OWNER_KEY));
        assertObserved(owner, vm.getBlockNumber(), vm.getBlockTimestamp());
        assertTrue(souls.isSuspended(1));
        assertFalse(souls.isValid(1));
        assertFalse(souls.humanVerified(1));
        (address authority, address operator, ) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
        assertEq(identity.ownerOf(0), owner);
    }

    function test_aProvisionalSoulHasNothingToMark() public {
        provisional("alice");
        assertRefused(
            owner,
            callOf(Operation.SUSPEND, termsOf(1), ""),
            abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, ISoulRegistry.Status.PROVISIONAL)
        );
    }

    /// @dev The finding: a buyer's contract takes the passport and hands it back within one
    /// transaction, so that nothing can be recorded in between.
    function test_aSaleAndReturnInOneTransactionRevivesNothingThatWasMarked() public {
        sealedSoul("alice");
        uint256 unmarked = vm.snapshotState();
        RoundTrip buyersContract = new RoundTrip(identity);
        vm.prank(owner);
        identity.approve(address(buyersContract), 0);
        buyersContract.takeAndReturn(0);
        // Without the mark it is as before the sale.
        assertRefused(stranger, suspendCall(), notSuspended());
        assertTrue(souls.isValid(1));
        vm.revertToState(unmarked);

        relay(Operation.SUSPEND, 1);
        buyersContract = new RoundTrip(identity);
        vm.prank(owner);
        identity.approve(address(buyersContract), 0);
        buyersContract.takeAndReturn(0);
        assertFalse(souls.isValid(1));
        (address authority, address operator, ) = souls.authorityOf(1);
        assertEq(authority, address(0));
        assertEq(operator, address(0));
    }

    function test_theBuyerIsRecordedWhileTheMarkStandsAndReseals() public {
        sealedSoul("alice");
        relay(Operation.SUSPEND, 1);
        nextBlock();
        // The sealer's mark is no observation of the buyer.
        move(0, buyer);
        assertRefused(buyer, resealCall(buyer), notObserved(buyer));
        souls.suspend(1);
        assertObserved(buyer, vm.getBlockNumber(), vm.getBlockTimestamp());
        nextBlock();
        perform(buyer, resealCall(buyer));
        assertTrue(souls.isValid(1));
        assertEq(souls.sealerOf(1), buyer);
        assertEq(souls.epochOf(1), 2);
    }

    function test_theSealerThatDidNotSellTakesItsMarkBackByAReseal() public {
        humanSoul("alice");
        relay(Operation.SUSPEND, 1);
        // In the block of the mark, nothing ends it.
        assertRefused(owner, resealCall(owner), notObserved(owner));
        nextBlock();
        perform(owner, resealCall(owner));
        assertTrue(souls.isValid(1));
        assertEq(souls.epochOf(1), 2);
        assertTrue(souls.humanVerified(1));
    }

    function test_theSealerReleasesWhatItMarked() public {
        sealedSoul("alice");
        relay(Operation.SUSPEND, 1);
        nextBlock();
        perform(owner, releaseCall(owner));
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
    }

    function test_aMarkedSoulIsNotMarkedAgain() public {
        sealedSoul("alice");
        relay(Operation.SUSPEND, 1);
        bytes memory data = callOf(Operation.SUSPEND, termsOf(1), "");
        assertRefused(owner, data, abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, owner));
        assertRefused(stranger, suspendCall(), alreadySuspended(owner));
    }
}

/// @dev What a buyer's contract can do in one transaction: own the passport, and give it back.
contract RoundTrip {
    IdentityRegistry private immutable IDENTITY;

    constructor(IdentityRegistry identity) {
        IDENTITY = identity;
    }

    function takeAndReturn(uint256 passportId) external {
        address seller = IDENTITY.ownerOf(passportId);
        IDENTITY.transferFrom(seller, address(this), passportId);
        IDENTITY.transferFrom(address(this), seller, passportId);
    }
}

contract SoulResealTest is SoulSuspensionBase {
    function test_resealsWithEveryField() public {
        sealedSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        perform(owner, callOf(Operation.SET_DID_ARCHIVE, termsOf(1), ""));
        sellAndObserve(1);
        approveWriter(buyer);
        ISoulRegistry.HumanProof memory proof = human("buyer's proof");
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
        reseal.agentURI = "ar://signed";
        (reseal.humanVerifier, reseal.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = sign(BUYER_KEY, digestOf(hasher.hash(reseal)));

        vm.expectEmit(true, true, true, true, address(certificates));
        emit Transfer(owner, address(0), 1);
        vm.expectEmit(true, true, true, true, address(certificates));
        emit Transfer(address(0), buyer, 1);
        vm.expectEmit(true, true, true, true, address(certificates));
        emit ISoulCertificate.Locked(1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulResealed(
            1,
            owner,
            buyer,
            2,
            NEW_OPERATOR,
            first,
            NEW_HASH,
            NEW_ROOT,
            NEW_CONTENT,
            ARCHIVE,
            true,
            proof.verifier
        );
        vm.prank(registrar);
        souls.reseal(reseal, ARCHIVE, proof, signature);

        ISoulRegistry.Soul memory soul = souls.soulOf(1);
        assertEq(soul.sealer, buyer);
        assertEq(soul.epoch, 2);
        assertEq(soul.operator, NEW_OPERATOR);
        assertEq(soul.soulHash, NEW_HASH);
        assertEq(soul.soulMerkleRoot, NEW_ROOT);
        assertEq(soul.passportId, 0);
        assertEq(soul.name, "alice");
        assertEq(uint256(soul.agentType), uint256(ISoulRegistry.AgentType.SPECIALIST));
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.SEALED));
        assertTrue(souls.isValid(1));
        assertAttested(buyer, "alice", "buyer's proof");
        assertTrue(souls.humanVerified(1));
        assertEq(certificates.ownerOf(1), buyer);
        assertEq(certificates.balanceOf(owner), 0);
        assertEq(certificates.balanceOf(buyer), 1);
        assertEq(souls.genesisSoulHashOf(1), first);
        assertEq(souls.didArchiveOf(1), bytes32(0));
        assertEq(souls.archiveOf(1), ARCHIVE);
        assertEq(souls.versionOf(1), 2);
        assertFalse(souls.isSuspended(1));
        assertObserved(address(0), 0, 0);
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");
        assertEq(identity.getMetadata(0, "svcArweaveId").length, 43);
        assertEq(identity.tokenURI(0), "ar://signed");
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field) public {
        sealedSoul("alice");
        sellAndObserve(1);
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
        bytes memory signature = sign(BUYER_KEY, digestOf(hasher.hash(reseal)));
        field = bound(field, 0, 7);
        if (field == 0) reseal.operator = stranger;
        if (field == 1) reseal.soulHash = keccak256("other");
        if (field == 2) reseal.soulMerkleRoot = keccak256("other");
        if (field == 3) reseal.contentHash = keccak256("other");
        if (field == 4) reseal.agentURI = "ar://other";
        if (field == 5) reseal.humanVerifier = stranger;
        if (field == 6) reseal.humanProofHash = keccak256("other");
        if (field == 7) reseal.deadline += 1;
        assertRefused(
            registrar,
            abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), signature)),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, buyer)
        );
    }

    function test_resealsAProvisionalSoul() public {
        provisional("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        assertTrue(souls.isValid(1));
        assertEq(souls.epochOf(1), 2);
        assertEq(certificates.ownerOf(1), buyer);
        // What was never sealed is no genesis.
        assertEq(souls.genesisSoulHashOf(1), NEW_HASH);
        relayRevisionBy(BUYER_KEY);
        assertEq(souls.genesisSoulHashOf(1), NEW_HASH);
    }

    function relayRevisionBy(uint256 key) internal {
        ISoulRegistry.RecordEvolution memory evolution = revisionOf(termsOf(1));
        evolution.newSoulHash = keccak256("third");
        bytes memory signature = sign(key, digestOf(hasher.hash(evolution)));
        vm.prank(registrar);
        souls.revise(evolution, REVISION_ARCHIVE, signature);
    }

    function test_anOwnerAsOperatorIsStoredAsNone() public {
        sealedSoul("alice");
        sellAndObserve(1);
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
        reseal.operator = buyer;
        vm.prank(buyer);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
        assertEq(souls.soulOf(1).operator, address(0));
    }

    /* The sealer takes back what was sent back. */

    function test_theSealerBeginsAnEpochAndKeepsItsAttestationAndCertificate() public {
        humanSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        sellObserveAndReturn();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(reseal)));

        vm.recordLogs();
        vm.prank(registrar);
        souls.reseal(reseal, ARCHIVE, noProof(), signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) assertNotEq(logs[i].emitter, address(certificates));
        assertLog(
            logs[logs.length - 1],
            address(souls),
            topicsOf(ISoulRegistry.SoulResealed.selector, toTopic(1), toTopic(owner), toTopic(owner)),
            abi.encode(2, NEW_OPERATOR, first, NEW_HASH, NEW_ROOT, NEW_CONTENT, ARCHIVE, false, address(0))
        );
        assertEq(souls.epochOf(1), 2);
        assertEq(souls.soulOf(1).operator, NEW_OPERATOR);
        assertTrue(souls.isValid(1));
        assertTrue(souls.humanVerified(1));
        assertFalse(souls.isSuspended(1));
        assertEq(HumanVerifiersDouble(humanVerifiers).calls(), 1);
        assertEq(certificates.ownerOf(1), owner);
        assertEq(certificates.balanceOf(owner), 1);
    }

    function test_theSealerCannotKeepWhatItNeverHad() public {
        sealedSoul("alice");
        sellObserveAndReturn();
        resealBySealer();
        assertFalse(souls.humanVerified(1));
    }

    function test_theSealerKeepsNoAttestationOfAnOwnerBefore() public {
        humanSoul("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        // The buyer's passport goes away and comes back.
        move(0, other);
        souls.suspend(1);
        move(0, buyer);
        souls.suspend(1);
        nextBlock();
        perform(buyer, resealCall(buyer));
        assertTrue(souls.isValid(1));
        assertEq(souls.epochOf(1), 3);
        assertFalse(souls.humanVerified(1));
    }

    function test_theSealerMayAttestAnew() public {
        sealedSoul("alice");
        sellObserveAndReturn();
        ISoulRegistry.HumanProof memory proof = human("owner's proof");
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        (reseal.humanVerifier, reseal.humanProofHash) = (proof.verifier, proofHashOf(proof));
        vm.prank(owner);
        souls.reseal(reseal, ARCHIVE, proof, "");
        assertTrue(souls.humanVerified(1));
        assertAttested(owner, "alice", "owner's proof");
    }

    function test_whatWasSignedBeforeTheSealersResealIsDead() public {
        sealedSoul("alice");
        Operation[4] memory operations = [
            Operation.REVISE,
            Operation.CHANGE_OPERATOR,
            Operation.BURN,
            Operation.SET_DID_ARCHIVE
        ];
        bytes[] memory withheld = new bytes[](4);
        for (uint256 i = 0; i < 4; ++i) withheld[i] = signedCall(operations[i], termsOf(1), OWNER_KEY);
        sellObserveAndReturn();
        resealBySealer();
        for (uint256 i = 0; i < 4; ++i) {
            assertRefused(registrar, withheld[i], abi.encodeWithSelector(ISoulRegistry.WrongEpoch.selector, 1, 1, 2));
        }
    }

    function test_theSealersResealNeedsItsOwnObservation() public {
        sealedSoul("alice");
        sellAndObserve(1);
        move(0, owner);
        assertRefused(owner, resealCall(owner), notObserved(owner));
        assertRefused(owner, releaseCall(owner), notObserved(owner));
        souls.suspend(1);
        assertRefused(owner, resealCall(owner), notObserved(owner));
        nextBlock();
        perform(owner, resealCall(owner));
        assertTrue(souls.isValid(1));
    }

    function test_aSuspendedSoulsDirectWritesReachNoPassport() public {
        sealedSoul("alice");
        sellAndObserve(1);
        bytes memory data = signedCall(Operation.RESEAL, termsOf(1), BUYER_KEY);
        vm.expectEmit(true, true, true, true, address(writer));
        emit IPassportWriter.MetadataPending(1, 0);
        perform(registrar, data);
        assertEq(identity.getMetadata(0, "svcStatus"), "SEALED");
        assertEq(identity.tokenURI(0), "ar://with-ids");
    }

    function test_aSecondSaleNeedsItsOwnSuspension() public {
        sealedSoul("alice");
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        move(0, owner);
        assertRefused(owner, resealCall(owner), notSuspended());
        souls.suspend(1);
        nextBlock();
        perform(owner, resealCall(owner));
        assertEq(souls.epochOf(1), 3);
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_refusesAnEmptySoul() public {
        sealedSoul("alice");
        sellAndObserve(1);
        for (uint256 i = 0; i < 2; ++i) {
            ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
            if (i == 0) reseal.soulHash = bytes32(0);
            else reseal.soulMerkleRoot = bytes32(0);
            assertRefused(
                buyer,
                abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), "")),
                abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector)
            );
        }
    }

    function test_noEpochFollowsTheLast() public {
        sealedSoul("alice");
        toLastEpoch();
        sellAndObserve(1);
        assertRefused(buyer, resealCall(buyer), abi.encodeWithSignature("Panic(uint256)", 0x11));
    }
}

/// @dev The conditions that a reseal and a release have in common, each tried with both.
contract SoulObservationTest is SoulSuspensionBase {
    function assertBothRefused(address account, bytes memory refusal) internal {
        assertRefused(account, resealCall(account), refusal);
        assertRefused(account, releaseCall(account), refusal);
    }

    /// @dev Each is done, and undone.
    function assertBothDone(address account) internal {
        uint256 snapshot = vm.snapshotState();
        perform(account, resealCall(account));
        assertTrue(souls.isValid(1));
        vm.revertToState(snapshot);
        perform(account, releaseCall(account));
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
        vm.revertToState(snapshot);
    }

    function test_needsAMark() public {
        sealedSoul("alice");
        assertBothRefused(owner, notSuspended());
        move(0, buyer);
        assertBothRefused(buyer, notSuspended());
    }

    function test_needsAnEarlierBlock() public {
        sealedSoul("alice");
        move(0, buyer);
        souls.suspend(1);
        assertBothRefused(buyer, notObserved(buyer));
        nextBlock();
        assertBothDone(buyer);
    }

    function test_needsThisOwnerToHaveBeenObserved() public {
        sealedSoul("alice");
        move(0, other);
        souls.suspend(1);
        nextBlock();
        move(0, buyer);
        assertBothRefused(buyer, notObserved(buyer));
        souls.suspend(1);
        assertBothRefused(buyer, notObserved(buyer));
        nextBlock();
        assertBothDone(buyer);
    }

    function test_needsTheObservationThatWasSigned() public {
        sealedSoul("alice");
        sellAndObserve(1);
        uint64 observed = observedBlockOf(1);
        for (uint64 block_ = observed - 1; block_ <= observed + 1; block_ += 2) {
            ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), buyer);
            reseal.observedBlock = block_;
            assertRefused(buyer, abi.encodeCall(souls.reseal, (reseal, ARCHIVE, noProof(), "")), notObserved(buyer));
            ISoulRegistry.Release memory release = releaseOf(termsOf(1), buyer);
            release.observedBlock = block_;
            assertRefused(buyer, abi.encodeCall(souls.release, (release, "")), notObserved(buyer));
        }
        assertBothDone(buyer);
    }

    function test_holdsForOneDay() public {
        sealedSoul("alice");
        sellAndObserve(1);
        later(LIFETIME);
        assertBothDone(buyer);
        later(1);
        assertBothRefused(buyer, notObserved(buyer));
        souls.suspend(1);
        assertBothRefused(buyer, notObserved(buyer));
        nextBlock();
        assertBothDone(buyer);
    }

    function test_onlyThePassportsOwnerEndsIt() public {
        sealedSoul("alice");
        sellAndObserve(1);
        bytes[2] memory withheld = [
            signedCall(Operation.RESEAL, termsOf(1), BUYER_KEY),
            signedCall(Operation.RELEASE, termsOf(1), BUYER_KEY)
        ];
        move(0, other);
        for (uint256 i = 0; i < 2; ++i) {
            assertRefused(
                registrar,
                withheld[i],
                abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, buyer, other)
            );
        }
        assertBothRefused(owner, abi.encodeWithSelector(ISoulRegistry.NotPassportOwner.selector, 0, owner, other));
    }
}

contract SoulReleaseTest is SoulSuspensionBase {
    function test_releasesWithEveryFieldFromEveryStateAndEpoch() public {
        for (uint256 i = 0; i < 4; ++i) {
            uint256 snapshot = vm.snapshotState();
            bool wasSealed = i % 2 == 0;
            if (wasSealed) sealedSoul("alice");
            else provisional("alice");
            if (i > 1) toLastEpoch();
            assertReleases(wasSealed, i > 1 ? LAST_EPOCH : 1);
            vm.revertToState(snapshot);
        }
    }

    function assertReleases(bool wasSealed, uint16 epoch) internal {
        bytes32 soulHash = souls.soulOf(1).soulHash;
        sellAndObserve(1);
        bytes memory data = signedCall(Operation.RELEASE, termsOf(1), BUYER_KEY);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.OwnerDecided(1, 1);
        vm.expectEmit(true, true, true, true, address(certificates));
        emit Transfer(owner, address(0), 1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReleased(1, 0, buyer, owner, epoch);
        perform(stranger, data);

        ISoulRegistry.Soul memory soul = souls.soulOf(1);
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.BURNED));
        assertEq(soul.sealer, owner);
        assertEq(soul.epoch, epoch);
        assertEq(souls.sealerOf(1), address(0));
        assertFalse(souls.isSuspended(1));
        assertObserved(address(0), 0, 0);
        assertEq(souls.tokenOfPassport(0), 0);
        assertEq(souls.tokenOfName("alice"), 1);
        assertEq(souls.versionOf(1), 1);
        assertEq(souls.genesisSoulHashOf(1), wasSealed ? soulHash : bytes32(0));
        assertEq(certificates.balanceOf(owner), 0);
        assertEq(certificates.balanceOf(buyer), 0);
        assertEq(identity.ownerOf(0), buyer);
        (ISoulRegistry.Validity validity, ) = souls.validityOf(1);
        assertEq(uint256(validity), uint256(ISoulRegistry.Validity.NOT_LINKED));

        assertPassportIsFree();
        assertOnlyTheLastSealerSucceeds(soulHash, wasSealed);
    }

    function assertPassportIsFree() internal {
        ISoulRegistry.Registration memory registration = registrationOf("the-buyers");
        (registration.owner, registration.bindPassport) = (buyer, true);
        submit(registration, publicationAt(0, 2), sign(BUYER_KEY, digestOf(registration)));
        assertEq(souls.tokenOfPassport(0), 2);
        assertTrue(souls.isValid(2));
    }

    function assertOnlyTheLastSealerSucceeds(bytes32 soulHash, bool wasSealed) internal {
        ISoulRegistry.Registration memory child = registrationOf("child");
        (child.parentTokenId, child.soulHash, child.owner) = (1, soulHash, buyer);
        assertRefused(
            registrar,
            abi.encodeCall(
                souls.register,
                (child, publicationAt(1, 3), noProof(), "", sign(BUYER_KEY, digestOf(child)))
            ),
            abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, buyer)
        );
        child.owner = owner;
        bytes memory signature = signed(child);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulReincarnated(3, 1, true, wasSealed);
        submit(child, publicationAt(1, 3), signature);
    }

    function test_theSealerReleasesWhatCameBack() public {
        sealedSoul("alice");
        sellObserveAndReturn();
        perform(owner, releaseCall(owner));
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
        assertEq(identity.ownerOf(0), owner);
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field) public {
        sealedSoul("alice");
        sellAndObserve(1);
        ISoulRegistry.Release memory release = releaseOf(termsOf(1), buyer);
        bytes memory signature = sign(BUYER_KEY, digestOf(hasher.hash(release)));
        field = bound(field, 0, 1);
        if (field == 0) release.nonce += 1;
        if (field == 1) release.deadline += 1;
        assertRefused(
            stranger,
            abi.encodeCall(souls.release, (release, signature)),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, buyer)
        );
    }

    function test_asksTheIdentityRegistryForTheOwnerOnly() public {
        sealedSoul("alice");
        sellAndObserve(1);
        vm.etch(address(identity), address(new OwnerOnlyRegistry(buyer, OwnerOnlyRegistry.Refusal.TAKE_ALL_GAS)).code);
        perform(buyer, releaseCall(buyer));
        assertEq(uint256(souls.soulOf(1).status), uint256(ISoulRegistry.Status.BURNED));
    }
}
