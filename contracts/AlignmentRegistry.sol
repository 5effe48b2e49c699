// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IAlignmentRegistry} from "./interfaces/IAlignmentRegistry.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";

/// @title Alignment registry
/// @notice See {IAlignmentRegistry}.
contract AlignmentRegistry is IAlignmentRegistry, AccessControlDefaultAdminRules {
    /* CONSTANTS */

    /// @notice May record scores. What it can do wrong: record a score that the archived inputs do
    /// not give.
    bytes32 public constant ALIGNMENT_ROLE = keccak256("ALIGNMENT_ROLE");

    uint8 private constant MAX_SCORE = 100;

    /* IMMUTABLES */

    /// @inheritdoc IAlignmentRegistry
    ISoulRegistry public immutable SOUL_REGISTRY;

    /* STORAGE */

    struct Alignment {
        uint8 score;
        uint16 epoch;
        uint64 timestamp;
        uint64 blockNumber;
    }

    mapping(uint256 tokenId => Alignment alignment) private _alignments;

    /* CONSTRUCTOR */

    /// @param admin Grants and revokes roles; holds no other power.
    /// @param recorder The first holder of ALIGNMENT_ROLE.
    /// @param adminDelay Seconds that the naming of another admin waits in public. Revoking a role
    /// never waits.
    constructor(
        ISoulRegistry soulRegistry,
        address admin,
        address recorder,
        uint48 adminDelay
    ) AccessControlDefaultAdminRules(adminDelay, admin) {
        SOUL_REGISTRY = soulRegistry;
        _grantRole(ALIGNMENT_ROLE, recorder);
    }

    /* RECORDING */

    /// @inheritdoc IAlignmentRegistry
    function recordAlignment(AlignmentRecord[] calldata records) external onlyRole(ALIGNMENT_ROLE) {
        for (uint256 i = 0; i < records.length; ++i) {
            _record(records[i]);
        }
    }

    /* READS */

    /// @inheritdoc IAlignmentRegistry
    function alignmentOf(uint256 tokenId) external view returns (uint8 score, uint64 timestamp) {
        Alignment storage alignment = _alignments[tokenId];
        if (alignment.epoch != SOUL_REGISTRY.epochOf(tokenId)) return (0, 0);

        return (alignment.score, alignment.timestamp);
    }

    /// @inheritdoc IAlignmentRegistry
    function alignmentBlockOf(uint256 tokenId) external view returns (uint64 blockNumber) {
        Alignment storage alignment = _alignments[tokenId];
        return alignment.epoch == SOUL_REGISTRY.epochOf(tokenId) ? alignment.blockNumber : 0;
    }

    /// @inheritdoc AccessControlDefaultAdminRules
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IAlignmentRegistry).interfaceId || super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    function _record(AlignmentRecord calldata record) private {
        uint256 tokenId = record.tokenId;
        uint16 epoch = SOUL_REGISTRY.epochOf(tokenId);
        if (epoch == 0) revert UnknownSoul(tokenId);
        if (record.epoch != epoch) revert WrongEpoch(tokenId, record.epoch, epoch);
        if (record.score > MAX_SCORE) revert InvalidScore(tokenId, record.score);
        if (record.archiveId == bytes32(0)) revert MissingArchive(tokenId);
        if (record.blockNumber > block.number) revert FutureBlock(tokenId, record.blockNumber);

        Alignment storage alignment = _alignments[tokenId];
        if (record.blockNumber <= alignment.blockNumber) {
            revert OutdatedAlignment(tokenId, record.blockNumber, alignment.blockNumber);
        }
        uint8 previousScore = alignment.epoch == epoch ? alignment.score : 0;
        alignment.score = record.score;
        alignment.epoch = epoch;
        alignment.timestamp = uint64(block.timestamp);
        alignment.blockNumber = record.blockNumber;

        emit AlignmentRecorded(tokenId, epoch, record.score, previousScore, record.archiveId, record.blockNumber);
    }
}
