// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {SoulsDoubleBase} from "./SoulsDouble.sol";
import {Vm} from "./utils/Vm.sol";
import {AlignmentRegistry} from "../../contracts/AlignmentRegistry.sol";
import {IAlignmentRegistry} from "../../contracts/interfaces/IAlignmentRegistry.sol";

contract AlignmentRegistryTest is SoulsDoubleBase {
    bytes32 internal constant ALIGNMENT_ROLE = keccak256("ALIGNMENT_ROLE");
    bytes32 internal constant ARCHIVE = keccak256("archive");

    address internal admin = makeAddr("admin");
    address internal recorder = makeAddr("recorder");

    AlignmentRegistry internal alignments;

    function setUp() public override {
        super.setUp();
        vm.roll(1000);
        alignments = AlignmentRegistry(deploy("AlignmentRegistry", abi.encode(soulRegistry, admin, recorder, 0)));
    }

    /// @dev A good record of agent 1, and `last`.
    function recordsWith(
        IAlignmentRegistry.AlignmentRecord memory last
    ) internal pure returns (IAlignmentRegistry.AlignmentRecord[] memory records) {
        records = new IAlignmentRegistry.AlignmentRecord[](2);
        records[0] = IAlignmentRegistry.AlignmentRecord(1, 1, 83, ARCHIVE, 900);
        records[1] = last;
    }

    function record(uint256 tokenId, uint8 score, bytes32 archiveId, uint64 blockNumber) internal {
        IAlignmentRegistry.AlignmentRecord[] memory records = recordsWith(
            IAlignmentRegistry.AlignmentRecord(tokenId, 1, score, archiveId, blockNumber)
        );
        vm.prank(recorder);
        alignments.recordAlignment(records);
    }

    function expectRefusal(
        uint256 tokenId,
        uint8 score,
        bytes32 archiveId,
        uint64 blockNumber,
        bytes memory refusal
    ) internal {
        vm.expectRevert(refusal);
        record(tokenId, score, archiveId, blockNumber);
        assertAlignment(1, 0, 0, 0);
    }

    function assertAlignment(uint256 tokenId, uint8 score, uint64 timestamp, uint64 blockNumber) internal view {
        (uint8 seenScore, uint64 seenTimestamp) = alignments.alignmentOf(tokenId);
        assertEq(seenScore, score, "score");
        assertEq(seenTimestamp, timestamp, "timestamp");
        assertEq(alignments.alignmentBlockOf(tokenId), blockNumber, "block");
    }

    function outdated(uint256 tokenId, uint64 blockNumber, uint64 recorded) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAlignmentRegistry.OutdatedAlignment.selector, tokenId, blockNumber, recorded);
    }

    function test_takesTheRole() public {
        address[3] memory others = [owner, admin, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControl.AccessControlUnauthorizedAccount.selector,
                    others[i],
                    ALIGNMENT_ROLE
                )
            );
            vm.prank(others[i]);
            alignments.recordAlignment(new IAlignmentRegistry.AlignmentRecord[](0));
        }
    }

    function test_oneWrongRecordRefusesAll() public {
        expectRefusal(99, 1, ARCHIVE, 900, abi.encodeWithSelector(IAlignmentRegistry.UnknownSoul.selector, 99));
        expectRefusal(2, 1, bytes32(0), 900, abi.encodeWithSelector(IAlignmentRegistry.MissingArchive.selector, 2));
        expectRefusal(
            2,
            1,
            ARCHIVE,
            1001,
            abi.encodeWithSelector(IAlignmentRegistry.FutureBlock.selector, uint256(2), uint64(1001))
        );
        expectRefusal(2, 1, ARCHIVE, 0, outdated(2, 0, 0));
        expectRefusal(1, 1, ARCHIVE, 900, outdated(1, 900, 900));
    }

    function testFuzz_aScoreIsAtMost100(uint8 score) public {
        if (score > 100) {
            expectRefusal(
                2,
                score,
                ARCHIVE,
                900,
                abi.encodeWithSelector(IAlignmentRegistry.InvalidScore.selector, uint256(2), score)
            );
        } else {
            record(2, score, ARCHIVE, 900);
            assertAlignment(2, score, 1_800_000_000, 900);
        }
    }

    function test_records() public {
        record(2, 100, ARCHIVE, 1000);
        souls.burn(2);
        vm.roll(2000);
        vm.warp(1_800_003_600);
        IAlignmentRegistry.AlignmentRecord[] memory records = new IAlignmentRegistry.AlignmentRecord[](2);
        records[0] = IAlignmentRegistry.AlignmentRecord(1, 1, 0, keccak256("first"), 1500);
        records[1] = IAlignmentRegistry.AlignmentRecord(2, 1, 71, keccak256("second"), 2000);

        vm.recordLogs();
        vm.prank(recorder);
        alignments.recordAlignment(records);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertLog(
            logs[0],
            address(alignments),
            topicsOf(IAlignmentRegistry.AlignmentRecorded.selector, toTopic(uint256(1)), toTopic(uint256(1))),
            abi.encode(uint8(0), uint8(83), keccak256("first"), uint64(1500))
        );
        assertLog(
            logs[1],
            address(alignments),
            topicsOf(IAlignmentRegistry.AlignmentRecorded.selector, toTopic(uint256(2)), toTopic(uint256(1))),
            abi.encode(uint8(71), uint8(100), keccak256("second"), uint64(2000))
        );
        assertAlignment(1, 0, 1_800_003_600, 1500);
        assertAlignment(2, 71, 1_800_003_600, 2000);

        vm.expectRevert(outdated(1, 1500, 1500));
        vm.prank(recorder);
        alignments.recordAlignment(records);
    }

    function recordOne(uint16 epoch, uint8 score, uint64 blockNumber) internal {
        IAlignmentRegistry.AlignmentRecord[] memory records = new IAlignmentRegistry.AlignmentRecord[](1);
        records[0] = IAlignmentRegistry.AlignmentRecord(1, epoch, score, ARCHIVE, blockNumber);
        vm.prank(recorder);
        alignments.recordAlignment(records);
    }

    function wrongEpoch(uint16 epoch, uint16 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAlignmentRegistry.WrongEpoch.selector, uint256(1), epoch, current);
    }

    function testFuzz_aScoreIsForTheCurrentEpoch(uint16 epoch, uint16 current) public {
        current = uint16(bound(current, 1, type(uint16).max));
        souls.seal(1, owner, owner, current);
        if (epoch != current) vm.expectRevert(wrongEpoch(epoch, current));
        recordOne(epoch, 83, 900);
        assertAlignment(1, epoch == current ? 83 : 0, epoch == current ? 1_800_000_000 : 0, epoch == current ? 900 : 0);
    }

    function test_aNewOwnerBeginsWithoutAScore() public {
        recordOne(1, 83, 900);
        souls.suspend(1);
        assertAlignment(1, 83, 1_800_000_000, 900);
        souls.seal(1, buyer, buyer, 2);
        assertAlignment(1, 0, 0, 0);

        // A snapshot of before the last record says nothing of the new epoch either.
        vm.expectRevert(outdated(1, 900, 900));
        recordOne(2, 71, 900);
        vm.expectRevert(wrongEpoch(1, 2));
        recordOne(1, 71, 950);

        vm.recordLogs();
        recordOne(2, 71, 950);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(alignments),
            topicsOf(IAlignmentRegistry.AlignmentRecorded.selector, toTopic(uint256(1)), toTopic(uint256(2))),
            abi.encode(uint8(71), uint8(0), ARCHIVE, uint64(950))
        );
        assertAlignment(1, 71, 1_800_000_000, 950);
    }

    function testFuzz_anOlderSnapshotNeverReplacesANewerOne(uint64 blockNumber) public {
        record(2, 50, ARCHIVE, 500);
        IAlignmentRegistry.AlignmentRecord[] memory records = new IAlignmentRegistry.AlignmentRecord[](1);
        records[0] = IAlignmentRegistry.AlignmentRecord(2, 1, 60, ARCHIVE, uint64(bound(blockNumber, 0, 1000)));
        if (records[0].blockNumber <= 500) vm.expectRevert(outdated(2, records[0].blockNumber, 500));
        vm.prank(recorder);
        alignments.recordAlignment(records);
    }

    function testFuzz_noReadReverts(uint256 tokenId) public view {
        assertAlignment(tokenId, 0, 0, 0);
    }

    function test_namesItsRegistryAndItsInterfaces() public view {
        assertEq(address(alignments.SOUL_REGISTRY()), address(souls));
        assertEq(alignments.ALIGNMENT_ROLE(), ALIGNMENT_ROLE);
        assertTrue(alignments.hasRole(bytes32(0), admin));
        assertTrue(alignments.supportsInterface(type(IAlignmentRegistry).interfaceId));
        assertTrue(alignments.supportsInterface(type(IAccessControl).interfaceId));
        assertFalse(alignments.supportsInterface(0xffffffff));
    }
}
