// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Agent keys
/// @notice Which public keys speak for an agent outside the chain: for each soul and epoch one
/// hash, of a key set (JWKS) that the owner signed. The set itself lies on permanent storage. Any
/// server may serve it: its bytes hash to what {keysOf} answers.
/// @dev Warning: it is not guaranteed that the archive holds a key set, or that the owner's agent
/// has the private keys.
interface IAgentKeys is IOwnerAuthorization {
    /// @notice What the owner of `tokenId` signs (EIP-712 type `SetAgentKeys`, domain `AgentKeys`,
    /// version `2`).
    struct SetAgentKeys {
        uint256 tokenId;
        /// The current epoch of `tokenId`.
        uint16 epoch;
        /// See {versionOf}: any change since then makes the signature worthless.
        uint32 version;
        /// SHA-256 of the canonical key set's bytes; zero withdraws the keys.
        bytes32 keysHash;
        /// Where the key set is stored; zero exactly when `keysHash` is.
        bytes32 archiveId;
        /// Whether the keys need the passport's `agentWallet` (ERC-8004) to be the operator. Every
        /// transfer of the passport clears it, also one that is undone in the same transaction. A
        /// new passport has no `agentWallet`: set it first.
        bool onlyWithAgentWallet;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice The keys of a soul were set or, with a zero `keysHash`, withdrawn. `version` is what
    /// the next change is signed over.
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param owner The owner that decided.
    /// @param version What the next change is signed over.
    /// @param keysHash SHA-256 of the canonical key set; zero when the keys were withdrawn.
    /// @param archiveId Where the key set is stored; zero when the keys were withdrawn.
    /// @param onlyWithAgentWallet Whether the keys need the passport's `agentWallet` to be the
    /// operator.
    event AgentKeysSet(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed owner,
        uint32 version,
        bytes32 keysHash,
        bytes32 archiveId,
        bool onlyWithAgentWallet
    );

    /// @notice The agent has no live owner now: it is not sealed, burned, suspended, or its
    /// passport has moved.
    /// @param tokenId The soul.
    error NoOwner(uint256 tokenId);

    /// @notice The soul is in epoch `current`.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was given.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The keys changed since this version.
    /// @param tokenId The soul.
    /// @param version The version that was given.
    /// @param current The current version.
    error WrongVersion(uint256 tokenId, uint32 version, uint32 current);

    /// @notice Only one of the two is zero: keys need an archive, and without keys there is none.
    /// @param keysHash The hash that was given.
    /// @param archiveId The archive that was given.
    error ArchiveMismatch(bytes32 keysHash, bytes32 archiveId);

    /// @notice The registry of the agents.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (ISoulRegistry registry);

    /// @notice Sets or withdraws the keys of an agent. Authority: the live owner of `keys.tokenId`,
    /// by signature or as the caller with an empty one.
    /// @param keys What the owner decided.
    /// @param signature The owner's, over `keys`; empty when the owner calls itself.
    function setKeys(SetAgentKeys calldata keys, bytes calldata signature) external;

    /// @notice The hash of the key set that speaks for an agent now. Never reverts.
    /// @dev Warning: zero means no keys. Check that the answer is not zero before comparing it with
    /// the hash of a set.
    /// @param tokenId The soul.
    /// @return keysHash SHA-256 of the canonical key set; zero when there is none, while the soul is
    /// not valid, and, of keys that need it, while the passport's `agentWallet` is not the operator.
    function keysOf(uint256 tokenId) external view returns (bytes32 keysHash);

    /// @notice How often the keys of a soul were set, in any epoch: what the next change is signed
    /// over. Never reverts.
    /// @param tokenId The soul.
    /// @return version 0 for a soul whose keys were never set.
    function versionOf(uint256 tokenId) external view returns (uint32 version);
}
