// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title World ID's hashes
/// @notice The two rules by which World ID 3.0 turns texts and bytes into the public inputs of its
/// proofs.
library WorldIdHashes {
    /// @notice Any bytes as an element of the proofs' field: their hash without its last byte.
    function toField(bytes memory value) internal pure returns (uint256) {
        return uint256(keccak256(value)) >> 8;
    }

    /// @notice What a nullifier is unique for: one action of one application.
    /// @param appIdHash {toField} of the application id.
    /// @param action The action's text.
    function externalNullifier(uint256 appIdHash, string memory action) internal pure returns (uint256) {
        return toField(abi.encodePacked(appIdHash, action));
    }
}
