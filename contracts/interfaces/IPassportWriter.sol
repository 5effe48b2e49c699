// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Passport writer
/// @notice The one contract of the protocol that passport owners approve on the identity registry. It writes metadata and the URI
/// of passports that a soul is bound to. It transfers nothing, approves nothing and makes no call that its caller chooses.
/// The keys that it writes from the soul's state: `svcSoulHash` and `svcTokenId` (ABI-encoded words), `svcStatus` (SEALED,
/// PENDING, SUSPENDED, or empty after the soul's end) and `svcArweaveId` (43 characters, base64url).
interface IPassportWriter is IOwnerAuthorization {
    /// @notice What an owner signs to write its passport's URI (EIP-712 type `SetAgentURI`).
    struct SetAgentURI {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf} of this contract: dead after any later write of the owner's.
        uint32 version;
        /// keccak256 of the URI that is replaced.
        bytes32 previousURIHash;
        string agentURI;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to write passport metadata (EIP-712 type `SetMetadata`).
    struct SetMetadata {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf} of this contract: dead after any later write of the owner's.
        uint32 version;
        string key;
        /// keccak256 of the value that is replaced.
        bytes32 previousValueHash;
        bytes value;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice The owner wrote its passport's URI. `version` is what its next write is signed over.
    event AgentURIWritten(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        uint16 epoch,
        uint32 version,
        string agentURI
    );

    /// @notice The owner wrote passport metadata. `version` is what its next write is signed over.
    event MetadataWritten(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        uint16 epoch,
        uint32 version,
        string key,
        bytes value
    );

    /// @notice The `svc*` metadata was written from the soul's state, by {write} or {sync}. `archiveId` zero: `svcArweaveId` was left
    /// as it is.
    event MetadataSynced(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        bytes32 soulHash,
        string status,
        bytes32 archiveId
    );

    /// @notice `svc*` metadata and URI were left out of a passport that this contract is not approved on.
    event MetadataPending(uint256 indexed tokenId, uint256 indexed passportId);

    /// @notice The caller is not the soul registry.
    error OnlySoulRegistry(address caller);

    /// @notice The passport's owner has not approved this contract on the identity registry.
    error NotApproved(uint256 passportId);

    /// @notice The passport does not carry this soul.
    error NotBound(uint256 tokenId, uint256 passportId);

    /// @notice The soul is not in the state that this operation needs.
    error WrongStatus(uint256 tokenId, ISoulRegistry.Status status);

    /// @notice The signed epoch is not the soul's current one.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The sealer does not own the passport in this block, or the soul's mark of suspension stands.
    error SoulSuspended(uint256 tokenId, address sealer, address passportOwner);

    /// @notice The owner's write was signed over an older version: another one was made since. See {versionOf}.
    error WrongVersion(uint256 tokenId, uint32 version, uint32 current);

    /// @notice The value that was to be replaced is another one.
    error Outdated(uint256 tokenId, bytes32 expected, bytes32 current);

    /// @notice This metadata key is written from the soul's own state only.
    error ReservedMetadataKey(string key);

    /// @notice The soul registry whose passports this contract writes; set once, at deployment.
    /// @return Its address.
    function SOUL_REGISTRY() external view returns (address);

    /// @notice The ERC-8004 identity registry whose metadata and URIs this contract writes; set once, at deployment.
    /// @return Its address.
    function IDENTITY_REGISTRY() external view returns (address);

    /// @notice Writes the four `svc*` keys from the soul's state, and `agentURI` where it is not empty. Only the soul registry, once
    /// its state is final. A passport that this contract is not approved on is left as it is, and {MetadataPending} says so;
    /// whatever else the identity registry refuses reverts.
    /// @param tokenId The soul.
    /// @param agentURI The URI that the owner signed; empty to leave it as it is.
    /// @return written Whether this contract is approved, and all was written.
    function write(uint256 tokenId, string calldata agentURI) external returns (bool written);

    /// @notice Writes the four `svc*` keys from each soul's state. Authority: any account.
    /// @param tokenIds The souls. Reverts for all when one cannot be written.
    function sync(uint256[] calldata tokenIds) external;

    /// @notice Writes the passport's URI. Authority: the sealer, who must own the passport and have approved this contract on it.
    /// @param change What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function setAgentURI(SetAgentURI calldata change, bytes calldata signature) external;

    /// @notice Writes passport metadata; keys beginning with `svc` are refused. Authority: the sealer, who must own the
    /// passport and have approved this contract on it.
    /// @param change What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function setMetadata(SetMetadata calldata change, bytes calldata signature) external;

    /// @notice How many writes of its owners were carried out here: each is signed over it. Never goes back, and never reverts.
    /// @param tokenId The soul.
    /// @return The version that the next write is signed over.
    function versionOf(uint256 tokenId) external view returns (uint32);
}
