// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {IChronicleAnchor} from "./interfaces/IChronicleAnchor.sol";

/// @title Chronicle anchor
/// @notice See {IChronicleAnchor}.
contract ChronicleAnchor is IChronicleAnchor, AccessControlDefaultAdminRules {
    /* CONSTANTS */

    /// @notice May anchor the next batch. What it can do wrong: anchor a root of leaves that were
    /// never recorded, or leave a chronicle out. It cannot change, reorder or remove a batch, and
    /// the archived leaf list shows what it anchored.
    bytes32 public constant ANCHOR_ROLE = keccak256("ANCHOR_ROLE");

    /* STORAGE */

    mapping(uint256 batchId => bytes32 root) private _roots;

    /// @inheritdoc IChronicleAnchor
    uint256 public batchCount;

    /* CONSTRUCTOR */

    /// @param admin Grants and revokes roles; holds no other power.
    /// @param anchorer The first holder of ANCHOR_ROLE.
    /// @param adminDelay Seconds that the naming of another admin waits in public. Revoking a role
    /// never waits.
    constructor(address admin, address anchorer, uint48 adminDelay) AccessControlDefaultAdminRules(adminDelay, admin) {
        _grantRole(ANCHOR_ROLE, anchorer);
    }

    /* ANCHORING */

    /// @inheritdoc IChronicleAnchor
    function anchor(
        uint256 batchId,
        bytes32 root,
        bytes32 previousRoot,
        uint256 leafCount,
        bytes32 leavesArchiveId
    ) external onlyRole(ANCHOR_ROLE) {
        uint256 lastBatchId = batchCount;
        if (batchId != lastBatchId + 1) revert UnexpectedBatchId(batchId, lastBatchId + 1);
        bytes32 lastRoot = _roots[lastBatchId];
        if (previousRoot != lastRoot) revert UnexpectedPreviousRoot(previousRoot, lastRoot);
        if (root == bytes32(0) || leafCount == 0) revert EmptyBatch();
        if (leavesArchiveId == bytes32(0)) revert MissingLeavesArchive();

        batchCount = batchId;
        _roots[batchId] = root;

        emit BatchAnchored(batchId, root, previousRoot, leafCount, leavesArchiveId);
    }

    /* READS */

    /// @inheritdoc IChronicleAnchor
    function verify(uint256 batchId, bytes32 leaf, bytes32[] calldata proof) external view returns (bool) {
        bytes32 root = _roots[batchId];
        // Without the first half, an empty proof would show the zero leaf to be in every unknown
        // batch.
        return root != bytes32(0) && MerkleProof.verifyCalldata(proof, root, leaf);
    }

    /// @inheritdoc IChronicleAnchor
    function chronicleLeaf(
        uint256 tokenId,
        uint256 chronicleId,
        bytes32 categoryHash,
        bytes32 changeTypeHash,
        bytes32 contentHash,
        uint256 timestamp
    ) external pure returns (bytes32) {
        // Hashed twice, so that no inner node passes for a leaf.
        return
            keccak256(
                bytes.concat(
                    keccak256(abi.encode(tokenId, chronicleId, categoryHash, changeTypeHash, contentHash, timestamp))
                )
            );
    }

    /// @inheritdoc IChronicleAnchor
    function rootOf(uint256 batchId) external view returns (bytes32) {
        return _roots[batchId];
    }

    /// @inheritdoc AccessControlDefaultAdminRules
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IChronicleAnchor).interfaceId || super.supportsInterface(interfaceId);
    }
}
