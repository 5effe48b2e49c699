// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Passport writer
/// @notice The one contract of the protocol that passport owners approve on the identity registry.
/// It writes metadata and the URI of passports that a soul is bound to. It transfers nothing,
/// approves nothing and makes no call that its caller chooses. The keys that it writes from the
/// soul's state: `svcSoulHash` and `svcTokenId` (ABI-encoded words), `svcStatus` (SEALED, PENDING
/// or SUSPENDED) and `svcArweaveId` (43 characters, base64url).
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
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param epoch The soul's epoch.
    /// @param version What the owner's next write is signed over.
    /// @param agentURI The URI.
    event AgentURIWritten(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        uint16 epoch,
        uint32 version,
        string agentURI
    );

    /// @notice The owner wrote passport metadata. `version` is what its next write is signed over.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param epoch The soul's epoch.
    /// @param version What the owner's next write is signed over.
    /// @param key The key.
    /// @param value The value.
    event MetadataWritten(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        uint16 epoch,
        uint32 version,
        string key,
        bytes value
    );

    /// @notice The `svc*` metadata was written from the soul's state, by {write} or {sync}.
    /// `archiveId` zero: `svcArweaveId` was left as it is.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param soulHash The soul's hash.
    /// @param status What `svcStatus` is now.
    /// @param archiveId The archive that `svcArweaveId` names; zero when the key was left as it is.
    event MetadataSynced(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        bytes32 soulHash,
        string status,
        bytes32 archiveId
    );

    /// @notice {sync} emptied the four `svc*` keys, which still named a burned soul.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    event MetadataCleared(uint256 indexed tokenId, uint256 indexed passportId);

    /// @notice `svc*` metadata and URI were left out of a passport that this contract is not
    /// approved on.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    event MetadataPending(uint256 indexed tokenId, uint256 indexed passportId);

    /// @notice The caller is not the soul registry.
    /// @param caller Who called.
    error OnlySoulRegistry(address caller);

    /// @notice The passport's owner has not approved this contract on the identity registry.
    /// @param passportId The ERC-8004 passport.
    error NotApproved(uint256 passportId);

    /// @notice The passport does not carry this soul.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    error NotBound(uint256 tokenId, uint256 passportId);

    /// @notice The soul is burned, and its last sealer does not own the passport: the owner clears
    /// what it wants cleared itself.
    /// @param tokenId The soul.
    /// @param sealer The soul's last sealer.
    /// @param passportOwner The passport's live owner; zero when it cannot be read.
    error NotLastSealer(uint256 tokenId, address sealer, address passportOwner);

    /// @notice The soul is burned, and `svcTokenId` of the passport does not name it.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    error NothingToClear(uint256 tokenId, uint256 passportId);

    /// @notice The soul is not in the state that this operation needs.
    /// @param tokenId The soul.
    /// @param status The state that it is in.
    error WrongStatus(uint256 tokenId, ISoulRegistry.Status status);

    /// @notice The signed epoch is not the soul's current one.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was signed.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The sealer does not own the passport in this block, or the soul's mark of suspension
    /// stands.
    /// @param tokenId The soul.
    /// @param sealer The soul's sealer.
    /// @param passportOwner The passport's live owner; zero when it cannot be read.
    error SoulSuspended(uint256 tokenId, address sealer, address passportOwner);

    /// @notice The owner's write was signed over an older version: another one was made since. See
    /// {versionOf}.
    /// @param tokenId The soul.
    /// @param version The version that was signed.
    /// @param current The current version.
    error WrongVersion(uint256 tokenId, uint32 version, uint32 current);

    /// @notice The value that was to be replaced is another one.
    /// @param tokenId The soul.
    /// @param expected keccak256 of the value that was to be replaced, as signed.
    /// @param current keccak256 of the current value.
    error Outdated(uint256 tokenId, bytes32 expected, bytes32 current);

    /// @notice This metadata key is written from the soul's own state only.
    /// @param key The key that was given.
    error ReservedMetadataKey(string key);

    /// @notice The soul registry whose passports this contract writes; set once, at deployment.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (address registry);

    /// @notice The ERC-8004 identity registry whose metadata and URIs this contract writes; set
    /// once, at deployment.
    /// @return registry Its address.
    function IDENTITY_REGISTRY() external view returns (address registry);

    /// @notice Writes the four `svc*` keys from the soul's state, and `agentURI` where it is not
    /// empty. Only the soul registry, once its state is final. A passport that this contract is not
    /// approved on is left as it is, and {MetadataPending} says so; any other refusal of the
    /// identity registry reverts.
    /// @param tokenId The soul.
    /// @param agentURI The URI that the owner signed; empty to leave it as it is.
    /// @return written Whether this contract is approved, and all was written.
    function write(uint256 tokenId, string calldata agentURI) external returns (bool written);

    /// @notice Writes the four `svc*` keys from each soul's state. Of a burned soul it writes
    /// nothing: it empties the four keys, only while `svcTokenId` names the soul, and only for the
    /// last sealer, who must own the passport. Authority: any account.
    /// @dev Warning: between a change of the soul and the next call of this function, the `svc*`
    /// metadata is outdated. For decisions read the soul registry.
    /// @param tokenIds The souls. Reverts for all when one cannot be written.
    function sync(uint256[] calldata tokenIds) external;

    /// @notice Writes the passport's URI. Authority: the sealer, who must own the passport and have
    /// approved this contract on it.
    /// @dev Reverts with WrongStatus, NotBound, WrongEpoch, SoulSuspended, NotApproved, an error of
    /// {IOwnerAuthorization}, WrongVersion, Outdated, or the identity registry's own error.
    /// @param change What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function setAgentURI(SetAgentURI calldata change, bytes calldata signature) external;

    /// @notice Writes passport metadata; keys beginning with `svc` are refused. Authority: the
    /// sealer, who must own the passport and have approved this contract on it.
    /// @dev Reverts as {setAgentURI}, or with ReservedMetadataKey.
    /// @param change What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function setMetadata(SetMetadata calldata change, bytes calldata signature) external;

    /// @notice How many writes of its owners were carried out here: each is signed over it. Never
    /// goes back, and never reverts.
    /// @dev Warning: the passport's owner can also write on the identity registry. That is not
    /// counted here.
    /// @param tokenId The soul.
    /// @return version The version that the next write is signed over.
    function versionOf(uint256 tokenId) external view returns (uint32 version);
}
