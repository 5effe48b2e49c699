// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Binding registry
/// @notice How far one agent trusts another: at most one binding per ordered pair of souls. A
/// binding belongs to the epochs of both souls in which it was written, and says whether an owner
/// or only the service stands behind it.
/// @dev Warning: it is not guaranteed that `to` agrees, or that a SERVICE binding is what the owner
/// of `from` wants.
/// @dev Warning: before relying on a binding, require `live`, {Authority.OWNER} and a sufficient
/// {TrustLevel}.
interface IBindingRegistry is IOwnerAuthorization {
    /// @notice How far, in rising order, so that levels compare with `>=`. NONE: never bound;
    /// REVOKED: bound no longer.
    enum TrustLevel {
        NONE,
        REVOKED,
        LIMITED,
        VERIFIED,
        TRUSTED
    }

    /// @notice Who stands behind a binding. NONE: never bound; SERVICE: a holder of BINDER_ROLE,
    /// for a client with the agent's API key; OWNER: the agent's owner itself.
    enum Authority {
        NONE,
        SERVICE,
        OWNER
    }

    /// @notice What the owner of `fromTokenId` signs (EIP-712 type `SetBinding`, `trustLevel` as
    /// `uint8`).
    struct SetBinding {
        uint256 fromTokenId;
        /// The current epoch of `fromTokenId`.
        uint16 epoch;
        uint256 toTokenId;
        /// The current epoch of `toTokenId`: the binding is with the other agent under its present
        /// owner. For REVOKED any other value is accepted too, so that a hand-over of `toTokenId`
        /// cannot outrun a revocation.
        uint16 toEpoch;
        /// Not NONE.
        TrustLevel trustLevel;
        /// What for, in words; at most 1,024 bytes.
        string context;
        /// The binding's version, see {recordOf}: any write of an owner since then makes the
        /// signature worthless. A write of the service does not.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice A binding as recorded, dead or alive.
    struct Binding {
        TrustLevel trustLevel;
        Authority authority;
        uint16 epoch;
        uint16 toEpoch;
        /// How often an owner wrote it, in any epoch: what the owner's next write is signed over.
        uint32 version;
        /// How often the service wrote it, in any epoch: what the service's next write names.
        uint32 serviceVersion;
        /// keccak256 of the context's bytes.
        bytes32 contextHash;
    }

    /// @notice A binding was made or changed. `bindingId` is {bindingIdOf} the pair. `setBy` is the
    /// owner of `fromTokenId`, or with {Authority.SERVICE} the role's holder. `version` counts the
    /// writes of owners and is what the owner's next write is signed over, `serviceVersion` counts
    /// those of the service: each write raises one of the two by one. `epoch` and `toEpoch` are the
    /// current ones.
    /// @param bindingId The binding, see {bindingIdOf}.
    /// @param fromTokenId The agent that trusts.
    /// @param toTokenId The agent that is trusted.
    /// @param previousTrustLevel The level before; NONE for a new binding.
    /// @param trustLevel The level from now on.
    /// @param authority Who stands behind it.
    /// @param setBy The owner of `fromTokenId`, or the role's holder.
    /// @param epoch The epoch of `fromTokenId`.
    /// @param toEpoch The epoch of `toTokenId`.
    /// @param version What the owner's next write is signed over.
    /// @param serviceVersion What the service's next write names.
    /// @param contextHash keccak256 of the context's bytes.
    /// @param context What for, in words.
    event BindingSet(
        bytes32 indexed bindingId,
        uint256 indexed fromTokenId,
        uint256 indexed toTokenId,
        TrustLevel previousTrustLevel,
        TrustLevel trustLevel,
        Authority authority,
        address setBy,
        uint16 epoch,
        uint16 toEpoch,
        uint32 version,
        uint32 serviceVersion,
        bytes32 contextHash,
        string context
    );

    /// @notice The agent has no live owner now: it is not sealed, burned, suspended, or its
    /// passport has moved.
    /// @param tokenId The soul.
    error NoOwner(uint256 tokenId);

    /// @notice No soul has this id.
    /// @param tokenId The soul.
    error UnknownSoul(uint256 tokenId);

    /// @notice An agent is not bound to itself.
    /// @param tokenId The soul.
    error SelfBinding(uint256 tokenId);

    /// @notice The epoch given for this soul is not its current one.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was given.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice An owner wrote the binding since this version, or has not yet written the one before
    /// it.
    /// @param bindingId The binding, see {bindingIdOf}.
    /// @param version The version that was given.
    /// @param current The current version.
    error WrongVersion(bytes32 bindingId, uint32 version, uint32 current);

    /// @notice The service wrote the binding since this version of its writes.
    /// @param bindingId The binding, see {bindingIdOf}.
    /// @param serviceVersion The version that was given.
    /// @param current The current version.
    error WrongServiceVersion(bytes32 bindingId, uint32 serviceVersion, uint32 current);

    /// @notice NONE cannot be set: what was bound once is REVOKED.
    error InvalidTrustLevel();

    /// @notice The context is longer than 1,024 bytes.
    /// @param byteLength The context's length in bytes.
    error ContextTooLong(uint256 byteLength);

    /// @notice The owner has spoken in this epoch: the service changes nothing about this binding,
    /// not even to revoke it.
    /// @param bindingId The binding, see {bindingIdOf}.
    error OwnerBindingStands(bytes32 bindingId);

    /// @notice The registry of the agents.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (ISoulRegistry registry);

    /// @notice Makes or changes a binding with {Authority.OWNER}, over one of the service too.
    /// Authority: the live owner of `binding.fromTokenId`, by signature or as the caller with an
    /// empty one. `toTokenId` may be suspended or burned. Nothing that the service writes meanwhile
    /// makes it fail.
    /// @param binding What the owner decided.
    /// @param signature The owner's, over `binding`; empty when the owner calls itself.
    function setBinding(SetBinding calldata binding, bytes calldata signature) external;

    /// @notice Makes or changes a binding with {Authority.SERVICE}. Authority: BINDER_ROLE, and
    /// only while `fromTokenId` has a live owner and the pair has no owner's binding of this epoch.
    /// @param fromTokenId The agent that trusts.
    /// @param epoch The epoch of `fromTokenId` to which the API key belongs.
    /// @param toTokenId The agent that is trusted.
    /// @param toEpoch The current epoch of `toTokenId`.
    /// @param trustLevel How far; not NONE.
    /// @param context What for, in words; at most 1,024 bytes.
    /// @param expectedServiceVersion How often the service wrote this binding, so that a repeated
    /// call fails.
    function setServiceBinding(
        uint256 fromTokenId,
        uint16 epoch,
        uint256 toTokenId,
        uint16 toEpoch,
        TrustLevel trustLevel,
        string calldata context,
        uint32 expectedServiceVersion
    ) external;

    /// @notice What a decision needs. Never reverts.
    /// @dev Warning: a REVOKED binding can be live. Check the level too.
    /// @param fromTokenId The agent that trusts.
    /// @param toTokenId The agent that is trusted.
    /// @return trustLevel How far.
    /// @return authority On whose word.
    /// @return epoch The epoch of `fromTokenId` in which the binding was written.
    /// @return live Both souls are sealed, owned by their sealers in this block, and in the epochs
    /// in which the binding was written.
    function bindingOf(
        uint256 fromTokenId,
        uint256 toTokenId
    ) external view returns (TrustLevel trustLevel, Authority authority, uint16 epoch, bool live);

    /// @notice The binding as recorded, dead or alive. Never reverts.
    /// @dev Warning: the record may be dead. For a decision read {bindingOf}.
    /// @param fromTokenId The agent that trusts.
    /// @param toTokenId The agent that is trusted.
    /// @return binding The record; all zero for a binding never made.
    function recordOf(uint256 fromTokenId, uint256 toTokenId) external view returns (Binding memory binding);

    /// @notice The pair's one id, for ever. Never reverts.
    /// @param fromTokenId The agent that trusts.
    /// @param toTokenId The agent that is trusted.
    /// @return bindingId `keccak256(abi.encode(fromTokenId, toTokenId))`.
    function bindingIdOf(uint256 fromTokenId, uint256 toTokenId) external pure returns (bytes32 bindingId);
}
