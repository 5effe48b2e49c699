// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {Test} from "./utils/Test.sol";
import {Vm} from "./utils/Vm.sol";
import {ChronicleAnchor} from "../../contracts/ChronicleAnchor.sol";
import {IChronicleAnchor} from "../../contracts/interfaces/IChronicleAnchor.sol";

abstract contract ChronicleAnchorBase is Test {
    bytes32 internal constant ANCHOR_ROLE = keccak256("ANCHOR_ROLE");
    bytes32 internal constant ARCHIVE = keccak256("archive");

    address internal admin = makeAddr("admin");
    address internal anchorer = makeAddr("anchorer");

    ChronicleAnchor internal anchors;

    function setUp() public {
        anchors = ChronicleAnchor(deploy("ChronicleAnchor", abi.encode(admin, anchorer, 0)));
    }

    function anchor(uint256 batchId, bytes32 root, bytes32 previousRoot) internal {
        vm.prank(anchorer);
        anchors.anchor(batchId, root, previousRoot, 1000, ARCHIVE);
    }
}

contract ChronicleAnchorAnchorTest is ChronicleAnchorBase {
    function test_takesTheRole() public {
        address[2] memory others = [admin, makeAddr("stranger")];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, others[i], ANCHOR_ROLE)
            );
            vm.prank(others[i]);
            anchors.anchor(1, bytes32(uint256(1)), bytes32(0), 1, ARCHIVE);
        }
    }

    function testFuzz_idsHaveNoGap(uint256 batchId) public {
        anchor(1, bytes32(uint256(11)), bytes32(0));
        vm.assume(batchId != 2);
        vm.expectRevert(abi.encodeWithSelector(IChronicleAnchor.UnexpectedBatchId.selector, batchId, uint256(2)));
        anchor(batchId, bytes32(uint256(12)), bytes32(uint256(11)));
    }

    function testFuzz_namesTheRootBefore(bytes32 previousRoot) public {
        vm.assume(previousRoot != bytes32(0) && previousRoot != bytes32(uint256(11)));
        vm.expectRevert(
            abi.encodeWithSelector(IChronicleAnchor.UnexpectedPreviousRoot.selector, previousRoot, bytes32(0))
        );
        anchor(1, bytes32(uint256(11)), previousRoot);

        anchor(1, bytes32(uint256(11)), bytes32(0));
        vm.expectRevert(
            abi.encodeWithSelector(IChronicleAnchor.UnexpectedPreviousRoot.selector, previousRoot, bytes32(uint256(11)))
        );
        anchor(2, bytes32(uint256(12)), previousRoot);
    }

    function test_aBatchHasARootLeavesAndAnArchive() public {
        vm.startPrank(anchorer);
        vm.expectRevert(abi.encodeWithSelector(IChronicleAnchor.EmptyBatch.selector));
        anchors.anchor(1, bytes32(0), bytes32(0), 1, ARCHIVE);
        vm.expectRevert(abi.encodeWithSelector(IChronicleAnchor.EmptyBatch.selector));
        anchors.anchor(1, bytes32(uint256(1)), bytes32(0), 0, ARCHIVE);
        vm.expectRevert(abi.encodeWithSelector(IChronicleAnchor.MissingLeavesArchive.selector));
        anchors.anchor(1, bytes32(uint256(1)), bytes32(0), 1, bytes32(0));
        vm.stopPrank();
        assertEq(anchors.batchCount(), 0);
    }

    function test_anchors() public {
        anchor(1, bytes32(uint256(11)), bytes32(0));
        vm.recordLogs();
        anchor(2, bytes32(uint256(12)), bytes32(uint256(11)));
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(anchors),
            topicsOf(IChronicleAnchor.BatchAnchored.selector, toTopic(uint256(2)), bytes32(uint256(12))),
            abi.encode(bytes32(uint256(11)), uint256(1000), ARCHIVE)
        );
        assertEq(anchors.batchCount(), 2);
        assertEq(anchors.rootOf(0), bytes32(0));
        assertEq(anchors.rootOf(1), bytes32(uint256(11)));
        assertEq(anchors.rootOf(2), bytes32(uint256(12)));
        assertEq(anchors.rootOf(3), bytes32(0));

        vm.expectRevert(abi.encodeWithSelector(IChronicleAnchor.UnexpectedBatchId.selector, uint256(2), uint256(3)));
        anchor(2, bytes32(uint256(12)), bytes32(uint256(11)));
    }
}

contract ChronicleAnchorVerifyTest is ChronicleAnchorBase {
    /// @dev Root of `leaves` paired in order, an odd one carried up, and the proof of leaf `index`.
    function treeOf(
        bytes32[] memory leaves,
        uint256 index
    ) internal pure returns (bytes32 root, bytes32[] memory proof) {
        bytes32[] memory level = leaves;
        bytes32[] memory siblings = new bytes32[](16);
        uint256 height;
        while (level.length > 1) {
            bytes32[] memory next = new bytes32[]((level.length + 1) / 2);
            for (uint256 i = 0; i < next.length; ++i) {
                next[i] = 2 * i + 1 < level.length ? node(level[2 * i], level[2 * i + 1]) : level[2 * i];
            }
            uint256 sibling = index ^ 1;
            if (sibling < level.length) siblings[height++] = level[sibling];
            index /= 2;
            level = next;
        }
        proof = new bytes32[](height);
        for (uint256 i = 0; i < height; ++i) proof[i] = siblings[i];
        root = level[0];
    }

    function node(bytes32 left, bytes32 right) internal pure returns (bytes32) {
        return left < right ? keccak256(abi.encode(left, right)) : keccak256(abi.encode(right, left));
    }

    function leavesOf(uint256 size, uint256 seed) internal view returns (bytes32[] memory leaves) {
        leaves = new bytes32[](size);
        for (uint256 i = 0; i < size; ++i) {
            leaves[i] = anchors.chronicleLeaf(seed, i, keccak256("technical"), keccak256("skill"), keccak256("x"), 17);
        }
    }

    function testFuzz_provesEveryLeafAndNoOther(uint256 size, uint256 index, uint256 seed, bytes32 other) public {
        size = bound(size, 1, 64);
        index = bound(index, 0, size - 1);
        bytes32[] memory leaves = leavesOf(size, seed);
        (bytes32 root, bytes32[] memory proof) = treeOf(leaves, index);
        anchor(1, root, bytes32(0));

        assertTrue(anchors.verify(1, leaves[index], proof));
        assertFalse(anchors.verify(0, leaves[index], proof));
        assertFalse(anchors.verify(2, leaves[index], proof));
        if (other != leaves[index]) assertFalse(anchors.verify(1, other, proof));
        if (proof.length != 0) {
            proof[0] = ~proof[0];
            assertFalse(anchors.verify(1, leaves[index], proof));
        }
    }

    function testFuzz_nothingIsInAnUnknownBatch(uint256 batchId, bytes32 leaf) public view {
        assertFalse(anchors.verify(batchId, leaf, new bytes32[](0)));
        assertFalse(anchors.verify(batchId, bytes32(0), new bytes32[](0)));
    }

    function testFuzz_aLeafIsTheDoubleHashOfSixWords(
        uint256 tokenId,
        uint256 chronicleId,
        bytes32 category,
        bytes32 changeType,
        bytes32 content,
        uint256 timestamp
    ) public view {
        bytes32 inner = keccak256(
            bytes.concat(bytes32(tokenId), bytes32(chronicleId), category, changeType, content, bytes32(timestamp))
        );
        assertEq(
            anchors.chronicleLeaf(tokenId, chronicleId, category, changeType, content, timestamp),
            keccak256(abi.encodePacked(inner))
        );
    }

    function test_namesItsRegistryAndItsInterfaces() public view {
        assertEq(anchors.ANCHOR_ROLE(), ANCHOR_ROLE);
        assertTrue(anchors.hasRole(bytes32(0), admin));
        assertTrue(anchors.supportsInterface(type(IChronicleAnchor).interfaceId));
        assertTrue(anchors.supportsInterface(type(IAccessControl).interfaceId));
        assertFalse(anchors.supportsInterface(0xffffffff));
    }
}
