// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Alignment registry
/// @notice The last alignment score of each soul, as the service computed it from one block's state.
/// What is not guaranteed: that the score is right. The archived snapshot publishes its inputs, so that anybody can recompute it.
interface IAlignmentRegistry {
    /// @notice One soul's score.
    struct AlignmentRecord {
        uint256 tokenId;
        /// 0 to 100.
        uint8 score;
        /// Id of the snapshot, with every input, on permanent storage; not zero.
        bytes32 archiveId;
        /// The block whose state was scored: later than that of the soul's last record, and not in the future.
        uint64 blockNumber;
    }

    /// @notice A score was recorded. `previousScore` is 0 for the first.
    event AlignmentRecorded(
        uint256 indexed tokenId,
        uint8 score,
        uint8 previousScore,
        bytes32 archiveId,
        uint64 blockNumber
    );

    /// @notice No soul has this id.
    error UnknownSoul(uint256 tokenId);

    /// @notice The score is above 100.
    error InvalidScore(uint256 tokenId, uint8 score);

    /// @notice The snapshot was not archived.
    error MissingArchive(uint256 tokenId);

    /// @notice The soul's last record is of block `recorded`, which is not earlier than `blockNumber`.
    error OutdatedAlignment(uint256 tokenId, uint64 blockNumber, uint64 recorded);

    /// @notice `blockNumber` has not been mined yet.
    error FutureBlock(uint256 tokenId, uint64 blockNumber);

    /// @notice The registry of the agents.
    function SOUL_REGISTRY() external view returns (ISoulRegistry);

    /// @notice Records scores, all or none. Authority: ALIGNMENT_ROLE. A repeated call fails with {OutdatedAlignment}.
    function recordAlignment(AlignmentRecord[] calldata records) external;

    /// @notice The soul's last score, 0 to 100, and when it was recorded, in Unix seconds; `timestamp` is 0 when there is none.
    /// The score is the agent's, not its owner's: it outlives epochs. Never reverts.
    function alignmentOf(uint256 tokenId) external view returns (uint8 score, uint64 timestamp);

    /// @notice The block whose state the last score is of, 0 when there is none. Never reverts.
    function alignmentBlockOf(uint256 tokenId) external view returns (uint64 blockNumber);
}
