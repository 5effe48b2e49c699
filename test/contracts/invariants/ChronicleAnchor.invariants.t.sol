// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {ChronicleAnchor} from "../../../contracts/ChronicleAnchor.sol";

/// @dev Anchors what may be anchored, and what may not. Never reverts.
contract ChronicleAnchorHandler is Test {
    ChronicleAnchor public immutable ANCHORS = ChronicleAnchor(
        deploy("ChronicleAnchor", abi.encode(address(this), address(this), 0))
    );

    /// @dev Every root that was accepted, in order.
    bytes32[] public roots;

    function anchorNext(bytes32 root) external {
        tryAnchor(roots.length + 1, root, lastRoot());
    }

    function anchorAnything(uint256 batchId, bytes32 root, bytes32 previousRoot) external {
        tryAnchor(bound(batchId, 0, roots.length + 2), root, previousRoot);
    }

    function anchorAgain(bytes32 root) external {
        tryAnchor(roots.length, root, lastRoot());
    }

    function rootCount() external view returns (uint256) {
        return roots.length;
    }

    function tryAnchor(uint256 batchId, bytes32 root, bytes32 previousRoot) private {
        try ANCHORS.anchor(batchId, root, previousRoot, 1, "archive") {
            roots.push(root);
        } catch {}
    }

    function lastRoot() private view returns (bytes32) {
        return roots.length == 0 ? bytes32(0) : roots[roots.length - 1];
    }
}

/// @dev - The batch count is the number of roots accepted: it never decreases and leaves no gap.
/// - A batch's root never changes, and no other batch has one.
contract ChronicleAnchorInvariants is Test {
    ChronicleAnchorHandler internal handler;

    function setUp() public {
        handler = new ChronicleAnchorHandler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_theBatchCountIsTheNumberOfRootsAccepted() public view {
        assertEq(handler.ANCHORS().batchCount(), handler.rootCount());
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_aBatchsRootNeverChangesAndNoOtherBatchHasOne() public view {
        uint256 count = handler.rootCount();
        for (uint256 id = 1; id <= count; ++id) assertEq(handler.ANCHORS().rootOf(id), handler.roots(id - 1));
        assertEq(handler.ANCHORS().rootOf(0), bytes32(0));
        assertEq(handler.ANCHORS().rootOf(count + 1), bytes32(0));
    }
}
