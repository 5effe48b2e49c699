// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {ChronicleAnchorBase} from "../ChronicleAnchor.t.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract ChronicleAnchorGas is ChronicleAnchorBase, GasScenarios {
    /// @dev The first batch turns the counter from zero; every later one costs as the second.
    /// hardhat-config: isolate = true
    function test_anchors() public {
        anchor(1, keccak256("first"), bytes32(0));
        anchor(2, keccak256("second"), keccak256("first"));
    }

    /// @dev A leaf of a batch of 1,000 has ten siblings.
    /// hardhat-config: isolate = true
    function test_reads() public {
        bytes32 leaf = anchors.chronicleLeaf(1, 2, keccak256("soul"), keccak256("soul_revision"), keccak256("it"), 3);
        bytes32[] memory proof = new bytes32[](10);
        for (uint256 i = 0; i < proof.length; ++i) proof[i] = keccak256(abi.encode(i));
        anchor(1, MerkleProof.processProof(proof, leaf), bytes32(0));
        assertTrue(anchors.verify(1, leaf, proof));
        anchors.rootOf(1);
        anchors.batchCount();
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        anchors.ANCHOR_ROLE();
        callInterfaces(address(anchors));
    }

    /// hardhat-config: isolate = true
    function test_givesRoles() public {
        callRoles(address(anchors), ANCHOR_ROLE, admin);
    }
}
