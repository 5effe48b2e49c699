// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Chronicle anchor
/// @notice One Merkle root per batch of chronicles: proof that a record existed, unchanged, when
/// its batch was anchored. Batches are numbered from 1 without a gap, and each names the root
/// before it, so that nothing is slipped in between.
/// @dev Warning: it is not guaranteed that a leaf is true, or that every chronicle was anchored.
/// The archived leaf list says which were.
interface IChronicleAnchor {
    /// @notice A batch was anchored. `previousRoot` is zero for batch 1; `leavesArchiveId` is the
    /// id, on permanent storage, of the list of all `leafCount` leaves, from which any reader can
    /// rebuild `root`.
    /// @param batchId The batch, from 1.
    /// @param root The batch's root.
    /// @param previousRoot Root of the batch before; zero for batch 1.
    /// @param leafCount How many leaves the tree has, as the anchoring account says.
    /// @param leavesArchiveId Id of the list of leaves on permanent storage.
    event BatchAnchored(
        uint256 indexed batchId,
        bytes32 indexed root,
        bytes32 previousRoot,
        uint256 leafCount,
        bytes32 leavesArchiveId
    );

    /// @notice `batchId` is taken already, or leaves a gap.
    /// @param batchId The id that was given.
    /// @param expected The id of the next batch.
    error UnexpectedBatchId(uint256 batchId, uint256 expected);

    /// @notice The batch before has another root.
    /// @param previousRoot The root that was given.
    /// @param expected The root of the batch before.
    error UnexpectedPreviousRoot(bytes32 previousRoot, bytes32 expected);

    /// @notice The root or the number of leaves is zero.
    error EmptyBatch();

    /// @notice The list of leaves was not archived.
    error MissingLeavesArchive();

    /// @notice Anchors the next batch. Authority: ANCHOR_ROLE.
    /// @param batchId {batchCount} + 1, so that a repeated call fails.
    /// @param root Root of an OpenZeppelin standard tree over {chronicleLeaf}s; not zero.
    /// @param previousRoot Root of the batch before; zero for batch 1.
    /// @param leafCount How many leaves the tree has; not zero. It is not checked against `root`.
    /// @param leavesArchiveId Id of the list of leaves on permanent storage; not zero.
    function anchor(
        uint256 batchId,
        bytes32 root,
        bytes32 previousRoot,
        uint256 leafCount,
        bytes32 leavesArchiveId
    ) external;

    /// @notice Whether `leaf` is in the batch's tree. False for an unknown batch. Never reverts.
    /// @dev Warning: a leaf that the caller supplies can be an inner node or another chronicle.
    /// Compute it with {chronicleLeaf}.
    /// @param batchId The batch.
    /// @param leaf The leaf, see {chronicleLeaf}.
    /// @param proof The siblings, from the leaf up.
    /// @return included Whether the batch holds the leaf.
    function verify(uint256 batchId, bytes32 leaf, bytes32[] calldata proof) external view returns (bool included);

    /// @notice The leaf of one chronicle: `keccak256(keccak256(abi.encode(tokenId, chronicleId,
    /// categoryHash, changeTypeHash, contentHash, timestamp)))`. Never reverts.
    /// @param tokenId The soul.
    /// @param chronicleId Counts per token.
    /// @param categoryHash keccak256 of the category's UTF-8.
    /// @param changeTypeHash keccak256 of the change type's UTF-8.
    /// @param contentHash SHA-256 of the archived public record.
    /// @param timestamp When it was recorded, in Unix seconds.
    /// @return leaf The leaf.
    function chronicleLeaf(
        uint256 tokenId,
        uint256 chronicleId,
        bytes32 categoryHash,
        bytes32 changeTypeHash,
        bytes32 contentHash,
        uint256 timestamp
    ) external pure returns (bytes32 leaf);

    /// @notice The batch's root; zero for an unknown one. Never reverts.
    /// @param batchId The batch.
    /// @return root The root; zero for an unknown batch.
    function rootOf(uint256 batchId) external view returns (bytes32 root);

    /// @notice How many batches were anchored: the id of the last one. Never reverts.
    /// @return count The number of batches.
    function batchCount() external view returns (uint256 count);
}
