// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IWorldIdRouter} from "../verifiers/IWorldIdRouter.sol";

/// @title World ID router without zero knowledge, for tests and local chains
/// @notice Accepts exactly the proofs that {accept} named before, with every one of their public
/// inputs.
contract MockWorldIdRouter is IWorldIdRouter {
    mapping(bytes32 proofHash => bool accepted) private _accepted;

    /// @notice The proof was never accepted with these inputs.
    error InvalidProof();

    /// @notice There is no such group.
    error NoSuchGroup(uint256 groupId);

    /// @notice Makes {verifyProof} accept this proof with these inputs.
    function accept(
        uint256 root,
        uint256 groupId,
        uint256 signalHash,
        uint256 nullifierHash,
        uint256 externalNullifierHash,
        uint256[8] calldata proof
    ) external {
        _accepted[_hash(root, groupId, signalHash, nullifierHash, externalNullifierHash, proof)] = true;
    }

    /// @inheritdoc IWorldIdRouter
    function verifyProof(
        uint256 root,
        uint256 groupId,
        uint256 signalHash,
        uint256 nullifierHash,
        uint256 externalNullifierHash,
        uint256[8] calldata proof
    ) external view {
        if (!_accepted[_hash(root, groupId, signalHash, nullifierHash, externalNullifierHash, proof)]) {
            revert InvalidProof();
        }
    }

    /// @inheritdoc IWorldIdRouter
    function routeFor(uint256 groupId) external view returns (address) {
        if (groupId > 1) revert NoSuchGroup(groupId);
        return address(this);
    }

    function _hash(
        uint256 root,
        uint256 groupId,
        uint256 signalHash,
        uint256 nullifierHash,
        uint256 externalNullifierHash,
        uint256[8] calldata proof
    ) private pure returns (bytes32) {
        return keccak256(abi.encode(root, groupId, signalHash, nullifierHash, externalNullifierHash, proof));
    }
}
