// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HumanVerifiersDouble, SoulLifeBase} from "./SoulLifeBase.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ISoulView} from "../../contracts/interfaces/ISoulView.sol";

contract SoulViewStateTest is SoulLifeBase {
    ISoulView internal composed;

    function setUp() public override {
        super.setUp();
        composed = ISoulView(deploy("SoulView", abi.encode(souls)));
    }

    function soulStateOf(uint256 tokenId) internal view returns (ISoulView.PassportState memory state) {
        (, , state) = composed.soulState(tokenId);
    }

    /// @dev Every member against the contract that decides it.
    function assertAgrees(uint256 tokenId) internal view {
        ISoulView.PassportState memory state = soulStateOf(tokenId);
        (ISoulRegistry.Validity validity, address passportOwner) = souls.validityOf(tokenId);
        ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
        assertEq(state.tokenId, tokenId);
        assertEq(state.passportId, soul.passportId);
        assertEq(state.owner, passportOwner);
        assertEq(uint256(state.validity), uint256(validity));
        assertEq(keccak256(abi.encode(state.soul)), keccak256(abi.encode(soul)));
        assertEq(state.humanVerified, souls.humanVerified(tokenId));
        assertEq(state.suspended, souls.isSuspended(tokenId));
        assertEq(state.version, souls.versionOf(tokenId));
        assertEq(state.passportVersion, writer.versionOf(tokenId));
        assertEq(state.archiveId, souls.archiveOf(tokenId));
        assertEq(state.didArchiveId, souls.didArchiveOf(tokenId));
    }

    function test_readsAProvisionalAndASealedSoul() public {
        assertAgrees(humanSoul("alice"));
        assertAgrees(provisional("bob"));
        assertEq(soulStateOf(1).owner, owner);
        assertTrue(soulStateOf(1).humanVerified);
        assertEq(uint256(soulStateOf(2).soul.status), uint256(ISoulRegistry.Status.PROVISIONAL));
    }

    function test_readsEverythingInTheBlockThatItNames() public {
        sealedSoul("alice");
        vm.roll(vm.getBlockNumber() + 7);
        vm.warp(1_900_000_000);
        (uint256 blockNumber, uint256 blockTime, ) = composed.soulState(1);
        assertEq(blockNumber, vm.getBlockNumber());
        assertEq(blockTime, 1_900_000_000);
    }

    function test_readsWhatItsOwnerDecided() public {
        sealedSoul("alice");
        relay(Operation.SET_DID_ARCHIVE, 1);
        assertAgrees(1);
        assertEq(soulStateOf(1).version, 1);
        assertTrue(soulStateOf(1).didArchiveId != 0);
    }

    function test_readsTheArchiveOfARevision() public {
        sealedSoul("alice");
        relay(Operation.REVISE, 1);
        assertAgrees(1);
        assertNotEq(soulStateOf(1).archiveId, bytes32(0));
    }

    function test_readsASuspendedSoulWithItsNewOwner() public {
        sealedSoul("alice");
        sellAndObserve(1);
        assertAgrees(1);
        assertEq(soulStateOf(1).owner, buyer);
        assertTrue(soulStateOf(1).suspended);
    }

    function test_readsABurnedSoulWithThePassportThatItHad() public {
        sealedSoul("alice");
        relay(Operation.BURN, 1);
        assertAgrees(1);
        assertEq(soulStateOf(1).owner, owner);
        assertEq(uint256(soulStateOf(1).soul.status), uint256(ISoulRegistry.Status.BURNED));
        assertEq(composed.passportStates(owner, new uint256[](1)).passports[0].tokenId, 0);
    }

    function test_isAllZeroForAnIdThatWasNeverGiven() public view {
        ISoulView.PassportState memory none;
        assertEq(keccak256(abi.encode(soulStateOf(9))), keccak256(abi.encode(none)));
    }

    function test_readsTheSoulOfAPassportAsItReadsTheSoul() public {
        sealedSoul("alice");
        ISoulView.PassportState memory byPassport = composed.passportStates(owner, new uint256[](1)).passports[0];
        assertEq(keccak256(abi.encode(byPassport)), keccak256(abi.encode(soulStateOf(1))));
    }

    function test_readsASoulWhosePassportCannotBeRead() public {
        sealedSoul("alice");
        vm.etch(address(identity), hex"60006000fd");
        assertEq(soulStateOf(1).owner, address(0));
        assertEq(soulStateOf(1).soul.sealer, owner);
        assertEq(uint256(soulStateOf(1).validity), uint256(ISoulRegistry.Validity.NOT_LINKED));
        ISoulView.PassportState memory none;
        ISoulView.PassportState memory byPassport = composed.passportStates(owner, new uint256[](1)).passports[0];
        assertEq(keccak256(abi.encode(byPassport)), keccak256(abi.encode(none)));
    }
}

contract SoulViewHumanVerifiedByTest is SoulLifeBase {
    ISoulView internal composed;

    function setUp() public override {
        super.setUp();
        composed = ISoulView(deploy("SoulView", abi.encode(souls)));
        setApproved(true);
    }

    function setApproved(bool approved) internal {
        HumanVerifiersDouble(humanVerifiers).setApproved(human("").verifier, approved);
    }

    function assertVerifiedBy(bool verified, bool stillApproved) internal {
        (bool verifiedNow, address verifier, bool approvedNow) = composed.humanVerifiedBy(1);
        assertEq(verifiedNow, verified, "verified");
        assertEq(verifier, verified ? human("").verifier : address(0), "verifier");
        assertEq(approvedNow, stillApproved, "stillApproved");
        assertEq(verifiedNow, souls.humanVerified(1), "as the soul registry");
    }

    /// @dev The passport goes to the buyer and back; the sealer reseals without a proof.
    function takeBack() internal {
        takeBack(noProof());
    }

    function takeBack(ISoulRegistry.HumanProof memory proof) internal {
        sellAndObserve(1);
        move(0, owner);
        souls.suspend(1);
        nextBlock();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(1), owner);
        reseal.humanVerifier = proof.verifier;
        if (proof.verifier != address(0)) reseal.humanProofHash = proofHashOf(proof);
        vm.prank(owner);
        souls.reseal(reseal, ARCHIVE, proof, "");
    }

    function test_namesTheAdapterAndWhetherItIsStillApproved() public {
        humanSoul("alice");
        assertVerifiedBy(true, true);
        setApproved(false);
        assertVerifiedBy(true, false);
    }

    function test_namesNoAdapterWithoutAnAttestation() public {
        assertVerifiedBy(false, false);
        sealedSoul("alice");
        assertVerifiedBy(false, false);
    }

    function test_namesNoAdapterOfASoldSoulNorOfItsNewOwner() public {
        humanSoul("alice");
        sellAndObserve(1);
        assertVerifiedBy(false, false);
        relay(Operation.RESEAL, 1);
        assertVerifiedBy(false, false);
    }

    function test_findsTheAttestationOfAnEarlierEpochOfTheSameSealer() public {
        humanSoul("alice");
        takeBack();
        takeBack();
        assertEq(souls.epochOf(1), 3);
        assertVerifiedBy(true, true);
    }

    function test_findsTheAttestationOfALaterEpoch() public {
        sealedSoul("alice");
        takeBack(human(""));
        assertVerifiedBy(true, true);
        takeBack();
        assertVerifiedBy(true, true);
    }
}
