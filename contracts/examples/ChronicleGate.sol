// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IChronicleAnchor} from "../interfaces/IChronicleAnchor.sol";
import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title Example: a service that asks for a record of the agent's life
/// @notice Admits an agent that shows, with the proof of `GET /v1/chronicle/:queueId/proof`, one chronicle of the kind asked
/// for. It is nothing that the protocol deploys.
contract ChronicleGate {
    /// @notice A chronicle as its leaf holds it. The caller knows it from the proof and from the archived record.
    struct Chronicle {
        uint256 tokenId;
        uint256 chronicleId;
        /// SHA-256 of the archived public record.
        bytes32 contentHash;
        /// Unix seconds.
        uint256 timestamp;
        uint256 batchId;
        bytes32[] proof;
    }

    IChronicleAnchor public immutable CHRONICLE_ANCHOR;
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @notice What an agent must have on record: keccak256 of the category and of the change type.
    bytes32 public immutable CATEGORY_HASH;
    bytes32 public immutable CHANGE_TYPE_HASH;

    /// @notice Whether an agent was admitted.
    mapping(uint256 tokenId => bool admitted) public isAdmitted;

    /// @notice The agent showed its record and was admitted.
    event Admitted(uint256 indexed tokenId, uint256 indexed batchId, uint256 chronicleId);

    /// @notice The soul is not sealed, is burned, or its passport has left the sealer.
    error SoulNotValid(uint256 tokenId);

    /// @notice No such chronicle is in this batch.
    error NotOnRecord(uint256 tokenId, uint256 batchId, bytes32 leaf);

    constructor(
        IChronicleAnchor chronicleAnchor,
        ISoulRegistry soulRegistry,
        string memory category,
        string memory changeType
    ) {
        CHRONICLE_ANCHOR = chronicleAnchor;
        SOUL_REGISTRY = soulRegistry;
        CATEGORY_HASH = keccak256(bytes(category));
        CHANGE_TYPE_HASH = keccak256(bytes(changeType));
    }

    /// @notice Admits the agent of `chronicle`. Anybody may show it: a record is public, and proves nothing about the caller.
    function admit(Chronicle calldata chronicle) external {
        if (!SOUL_REGISTRY.isValid(chronicle.tokenId)) revert SoulNotValid(chronicle.tokenId);

        // The leaf is computed here, from what this service asks for: a leaf taken from the caller could be any chronicle's, or
        // an inner node of the tree.
        bytes32 leaf = CHRONICLE_ANCHOR.chronicleLeaf(
            chronicle.tokenId,
            chronicle.chronicleId,
            CATEGORY_HASH,
            CHANGE_TYPE_HASH,
            chronicle.contentHash,
            chronicle.timestamp
        );
        if (!CHRONICLE_ANCHOR.verify(chronicle.batchId, leaf, chronicle.proof)) {
            revert NotOnRecord(chronicle.tokenId, chronicle.batchId, leaf);
        }

        isAdmitted[chronicle.tokenId] = true;

        emit Admitted(chronicle.tokenId, chronicle.batchId, chronicle.chronicleId);
    }
}
