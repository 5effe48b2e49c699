// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Alignment registry
/// @notice The last alignment score of each soul, as the service computed it from one block's state. A score belongs to the epoch
/// in which it was recorded: a new owner begins without one.
/// What is not guaranteed: that the score is right. The archived snapshot publishes its inputs, so that anybody can recompute it.
interface IAlignmentRegistry {
    /// @notice One soul's score.
    struct AlignmentRecord {
        uint256 tokenId;
        /// The soul's current epoch: what is scored is the agent under its present owner.
        uint16 epoch;
        /// 0 to 100.
        uint8 score;
        /// Id of the snapshot, with every input, on permanent storage; not zero.
        bytes32 archiveId;
        /// The block whose state was scored: later than that of the soul's last record of any epoch, and not in the future.
        uint64 blockNumber;
    }

    /// @notice A score was recorded. `previousScore` is 0 for the first of an epoch.
    event AlignmentRecorded(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        uint8 score,
        uint8 previousScore,
        bytes32 archiveId,
        uint64 blockNumber
    );

    /// @notice No soul has this id.
    error UnknownSoul(uint256 tokenId);

    /// @notice The soul is in epoch `current`.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The score is above 100.
    error InvalidScore(uint256 tokenId, uint8 score);

    /// @notice The snapshot was not archived.
    error MissingArchive(uint256 tokenId);

    /// @notice The soul's last record, in whatever epoch, is of block `recorded`, which is not earlier than `blockNumber`.
    error OutdatedAlignment(uint256 tokenId, uint64 blockNumber, uint64 recorded);

    /// @notice `blockNumber` has not been mined yet.
    error FutureBlock(uint256 tokenId, uint64 blockNumber);

    /// @notice The registry of the agents.
    /// @return Its address.
    function SOUL_REGISTRY() external view returns (ISoulRegistry);

    /// @notice Records scores, all or none. Authority: ALIGNMENT_ROLE. A repeated call fails with {OutdatedAlignment}.
    /// @param records The scores, at most one for each soul.
    function recordAlignment(AlignmentRecord[] calldata records) external;

    /// @notice The soul's last score of its current epoch. Never reverts.
    /// @dev Warning: it says nothing of validity. A suspended or burned soul keeps the score of its last epoch.
    /// @param tokenId The soul.
    /// @return score 0 to 100.
    /// @return timestamp When it was recorded, in Unix seconds; 0 when there is none in this epoch.
    function alignmentOf(uint256 tokenId) external view returns (uint8 score, uint64 timestamp);

    /// @notice The block whose state the last score is of. Never reverts.
    /// @param tokenId The soul.
    /// @return blockNumber 0 when there is no score in the current epoch.
    function alignmentBlockOf(uint256 tokenId) external view returns (uint64 blockNumber);
}
