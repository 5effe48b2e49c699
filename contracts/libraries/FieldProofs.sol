// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Bytes} from "@openzeppelin/contracts/utils/Bytes.sol";

/// @title Proofs of one field of a soul
/// @notice A soul's Merkle root covers 16 leaves: its 12 fields in a fixed order, then four equal
/// empty ones.
///   leaf  = SHA-256(0x00 || index as one byte || blinding || SHA-256(field name || 0x00 || canonical JSON of the value))
///   inner = SHA-256(0x01 || left || right)
/// The blinding is derived from the soul's secret salt, so the value behind a sibling in a proof
/// cannot be guessed. A proof is `[blinding, sibling, sibling, sibling, sibling]`, the siblings
/// from the leaf upward.
library FieldProofs {
    uint256 internal constant FIELD_COUNT = 12;
    uint256 internal constant PROOF_LENGTH = 5;

    /// @dev The field names in index order, end to end; {NAME_OFFSETS} says where each begins and
    /// the last ends. One text with offsets is a third of the bytecode of twelve constants.
    string private constant NAMES =
        "identity.name"
        "identity.agent_type"
        "identity.description"
        "soul.purpose"
        "soul.personality"
        "soul.constraints"
        "soul.guidelines"
        "capabilities.skills"
        "capabilities.tools"
        "capabilities.languages"
        "capabilities.models"
        "soul.documents";

    bytes13 private constant NAME_OFFSETS = 0x000d20344050606f8294aabdcb;

    /// @notice Whether `value` is the content of field `index` in the soul with this root. Never
    /// reverts: an index above 11 or a proof of another length is a wrong proof.
    /// @param root The soul's Merkle root.
    /// @param index The field's position, 0 to 11.
    /// @param value Canonical JSON (RFC 8785) of the field's value, UTF-8, normalised as in the
    /// soul.
    /// @param proof The leaf's blinding and its four siblings.
    function verify(
        bytes32 root,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) internal pure returns (bool) {
        if (index >= FIELD_COUNT || proof.length != PROOF_LENGTH) return false;

        bytes32 node = leafHash(index, value, proof[0]);
        for (uint256 i = 1; i < PROOF_LENGTH; ++i) {
            node = index & 1 == 0 ? _nodeHash(node, proof[i]) : _nodeHash(proof[i], node);
            index >>= 1;
        }
        return node == root;
    }

    /// @notice Hash of the leaf of field `index`, which must be below 12.
    function leafHash(uint256 index, bytes calldata value, bytes32 blinding) internal pure returns (bytes32) {
        bytes32 content = sha256(abi.encodePacked(fieldName(index), bytes1(0x00), value));
        return sha256(abi.encodePacked(bytes1(0x00), uint8(index), blinding, content));
    }

    /// @notice Name of field `index`, which must be below 12.
    function fieldName(uint256 index) internal pure returns (bytes memory) {
        return Bytes.slice(bytes(NAMES), uint8(NAME_OFFSETS[index]), uint8(NAME_OFFSETS[index + 1]));
    }

    function _nodeHash(bytes32 left, bytes32 right) private pure returns (bytes32) {
        return sha256(abi.encodePacked(bytes1(0x01), left, right));
    }
}
