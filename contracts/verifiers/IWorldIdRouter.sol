// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title World ID router, version 3
/// @notice The part used of the contract that World ID deploys on each chain it serves. A third
/// party's upgradeable contract.
interface IWorldIdRouter {
    /// @notice Returns when the proof holds, else reverts with an error of the group's verifier.
    /// Keeps no record of used nullifiers.
    /// @param root Root of the group's tree; how old it may be is the router's decision.
    /// @param groupId The credential: 1 for the orb.
    /// @param signalHash Hash of the signal, as a field element.
    /// @param nullifierHash The person's nullifier for this external nullifier.
    /// @param externalNullifierHash Hash of application and action, as a field element.
    /// @param proof The zero-knowledge proof.
    function verifyProof(
        uint256 root,
        uint256 groupId,
        uint256 signalHash,
        uint256 nullifierHash,
        uint256 externalNullifierHash,
        uint256[8] calldata proof
    ) external view;

    /// @notice The contract that verifies a group's proofs; reverts when there is none.
    function routeFor(uint256 groupId) external view returns (address);
}
