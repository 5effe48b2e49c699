// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Alignment registry
/// @notice The last alignment score of each soul, as the service computed it from one block's
/// state. A score belongs to the epoch in which it was recorded: a new owner begins without one.
/// @dev Warning: it is not guaranteed that the score is right. The archived snapshot publishes its
/// inputs, so that any reader can recompute it.
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
        /// The block whose state was scored: later than that of the soul's last record of any
        /// epoch, and not in the future.
        uint64 blockNumber;
    }

    /// @notice A score was recorded. `previousScore` is 0 for the first of an epoch.
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param score 0 to 100.
    /// @param previousScore The score before in this epoch; 0 for the first.
    /// @param archiveId Id of the snapshot on permanent storage.
    /// @param blockNumber The block whose state was scored.
    event AlignmentRecorded(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        uint8 score,
        uint8 previousScore,
        bytes32 archiveId,
        uint64 blockNumber
    );

    /// @notice No soul has this id.
    /// @param tokenId The soul.
    error UnknownSoul(uint256 tokenId);

    /// @notice The soul is in epoch `current`.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was given.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The score is above 100.
    /// @param tokenId The soul.
    /// @param score The score that was given.
    error InvalidScore(uint256 tokenId, uint8 score);

    /// @notice The snapshot was not archived.
    /// @param tokenId The soul.
    error MissingArchive(uint256 tokenId);

    /// @notice The soul's last record, of any epoch, is of block `recorded`, which is not earlier
    /// than `blockNumber`.
    /// @param tokenId The soul.
    /// @param blockNumber The block that was given.
    /// @param recorded The block of the soul's last record.
    error OutdatedAlignment(uint256 tokenId, uint64 blockNumber, uint64 recorded);

    /// @notice `blockNumber` has not been mined yet.
    /// @param tokenId The soul.
    /// @param blockNumber The block that was given.
    error FutureBlock(uint256 tokenId, uint64 blockNumber);

    /// @notice The registry of the agents.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (ISoulRegistry registry);

    /// @notice Records scores, all or none. Authority: ALIGNMENT_ROLE. A repeated call fails with
    /// {OutdatedAlignment}.
    /// @param records The scores, at most one for each soul.
    function recordAlignment(AlignmentRecord[] calldata records) external;

    /// @notice The soul's last score of its current epoch. Never reverts.
    /// @dev Warning: it says nothing of validity. A suspended or burned soul keeps the score of its
    /// last epoch.
    /// @param tokenId The soul.
    /// @return score 0 to 100.
    /// @return timestamp When it was recorded, in Unix seconds; 0 when there is none in this epoch.
    function alignmentOf(uint256 tokenId) external view returns (uint8 score, uint64 timestamp);

    /// @notice The block whose state the last score is of. Never reverts.
    /// @param tokenId The soul.
    /// @return blockNumber 0 when there is no score in the current epoch.
    function alignmentBlockOf(uint256 tokenId) external view returns (uint64 blockNumber);
}
