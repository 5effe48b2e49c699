// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IChronicleAnchor} from "../interfaces/IChronicleAnchor.sol";
import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title Example: a service that asks for a record of the agent's life
/// @notice Admits an agent that shows, with the proof of `GET /v1/chronicle/:queueId/proof`, one
/// chronicle of the kind asked for. The protocol does not deploy this contract.
/// @dev Warning: a record proves what was anchored, not that it is true. Ask for records whose
/// author you trust.
contract ChronicleGate {
    /// @notice A chronicle as its leaf holds it. The caller knows it from the proof and from the
    /// archived record.
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

    /// @notice Holds the roots of the batches.
    IChronicleAnchor public immutable CHRONICLE_ANCHOR;

    /// @notice Says whether an agent is valid.
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @notice keccak256 of the category that an agent must have on record.
    bytes32 public immutable CATEGORY_HASH;

    /// @notice keccak256 of the change type that an agent must have on record.
    bytes32 public immutable CHANGE_TYPE_HASH;

    /// @dev The epoch of the soul at its admission, 0 without one. An epoch ends with a reseal.
    mapping(uint256 tokenId => uint16 epoch) private _admittedEpochs;

    /// @notice The agent showed its record and was admitted.
    /// @param tokenId The agent.
    /// @param batchId The batch that holds the chronicle.
    /// @param chronicleId The chronicle, counted per agent.
    event Admitted(uint256 indexed tokenId, uint256 indexed batchId, uint256 chronicleId);

    /// @notice The soul is not sealed, is burned or suspended, or its passport has left the sealer.
    /// @param tokenId The soul that was asked about.
    error SoulNotValid(uint256 tokenId);

    /// @notice No such chronicle is in this batch.
    /// @param tokenId The agent.
    /// @param batchId The batch that was named.
    /// @param leaf The leaf that the batch does not hold.
    error NotOnRecord(uint256 tokenId, uint256 batchId, bytes32 leaf);

    /// @notice Deploys the gate for one kind of record.
    /// @param chronicleAnchor The contract that anchors the batches.
    /// @param soulRegistry The soul registry.
    /// @param category The category that is asked for, such as `certification`.
    /// @param changeType The change type that is asked for, such as `safety_audit`.
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

    /// @notice Admits the agent of `chronicle`. Any account may call: a record is public, and
    /// proves nothing about the caller.
    /// @param chronicle What the proof endpoint and the archived record say.
    function admit(Chronicle calldata chronicle) external {
        uint16 epoch = SOUL_REGISTRY.liveEpochOf(chronicle.tokenId);
        if (epoch == 0) revert SoulNotValid(chronicle.tokenId);

        // The leaf is computed here, from what this service asks for: a leaf taken from the caller
        // could be any chronicle's, or an inner node of the tree.
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

        _admittedEpochs[chronicle.tokenId] = epoch;

        emit Admitted(chronicle.tokenId, chronicle.batchId, chronicle.chronicleId);
    }

    /// @notice Whether an agent was admitted, is valid and has had no other owner since: an
    /// admission ends with a sale, a reseal and a burn.
    /// @param tokenId The agent.
    /// @return admitted Whether it is admitted now.
    function isAdmitted(uint256 tokenId) external view returns (bool admitted) {
        uint16 epoch = SOUL_REGISTRY.liveEpochOf(tokenId);
        return epoch != 0 && epoch == _admittedEpochs[tokenId];
    }
}
