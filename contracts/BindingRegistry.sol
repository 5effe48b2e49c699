// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IBindingRegistry} from "./interfaces/IBindingRegistry.sol";
import {IOwnerAuthorization} from "./interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";

/// @title Binding registry
/// @notice See {IBindingRegistry}.
contract BindingRegistry is IBindingRegistry, OwnerAuthorization, AccessControlDefaultAdminRules {
    /* CONSTANTS */

    /// @notice May write SERVICE bindings for agents whose API key asked for it. What it can do
    /// wrong: bind an agent to another one against its owner's will, at any level. Such a binding
    /// is always marked SERVICE, never replaces what the owner set, and never makes a signature of
    /// the owner fail.
    bytes32 public constant BINDER_ROLE = keccak256("BINDER_ROLE");

    uint256 private constant MAX_CONTEXT_BYTES = 1024;

    bytes32 private constant SET_BINDING_TYPEHASH = keccak256(
        "SetBinding(uint256 fromTokenId,uint16 epoch,uint256 toTokenId,uint16 toEpoch,uint8 trustLevel,string context,"
        "uint32 version,uint256 nonce,uint256 deadline)"
    );

    /* IMMUTABLES */

    /// @inheritdoc IBindingRegistry
    ISoulRegistry public immutable SOUL_REGISTRY;

    /* STORAGE */

    mapping(bytes32 bindingId => Binding binding) private _bindings;

    /* CONSTRUCTOR */

    /// @param admin Grants and revokes roles; holds no other power.
    /// @param binder The first holder of BINDER_ROLE.
    /// @param adminDelay Seconds that the naming of another admin waits in public. Revoking a role
    /// never waits.
    constructor(
        ISoulRegistry soulRegistry,
        address admin,
        address binder,
        uint48 adminDelay
    ) EIP712("BindingRegistry", "1") AccessControlDefaultAdminRules(adminDelay, admin) {
        SOUL_REGISTRY = soulRegistry;
        _grantRole(BINDER_ROLE, binder);
    }

    /* BINDINGS */

    /// @inheritdoc IBindingRegistry
    function setBinding(SetBinding calldata binding, bytes calldata signature) external {
        (address owner, uint16 epoch) = _liveOwner(binding.fromTokenId);

        // Authority comes before the preconditions, so that a repeated submission answers "this
        // nonce was used".
        bytes32 structHash = keccak256(
            abi.encode(
                SET_BINDING_TYPEHASH,
                binding.fromTokenId,
                binding.epoch,
                binding.toTokenId,
                binding.toEpoch,
                binding.trustLevel,
                keccak256(bytes(binding.context)),
                binding.version,
                binding.nonce,
                binding.deadline
            )
        );
        _authorizeOrCaller(owner, structHash, binding.nonce, binding.deadline, signature);

        if (binding.epoch != epoch) revert WrongEpoch(binding.fromTokenId, binding.epoch, epoch);
        bytes32 bindingId = bindingIdOf(binding.fromTokenId, binding.toTokenId);
        Binding storage recorded = _bindings[bindingId];
        if (binding.version != recorded.version) revert WrongVersion(bindingId, binding.version, recorded.version);

        _set(
            binding.fromTokenId,
            binding.toTokenId,
            Binding({
                trustLevel: binding.trustLevel,
                authority: Authority.OWNER,
                epoch: epoch,
                toEpoch: binding.toEpoch,
                version: recorded.version + 1,
                serviceVersion: recorded.serviceVersion,
                contextHash: keccak256(bytes(binding.context))
            }),
            binding.context,
            owner
        );
    }

    /// @inheritdoc IBindingRegistry
    function setServiceBinding(
        uint256 fromTokenId,
        uint16 epoch,
        uint256 toTokenId,
        uint16 toEpoch,
        TrustLevel trustLevel,
        string calldata context,
        uint32 expectedServiceVersion
    ) external onlyRole(BINDER_ROLE) {
        (, uint16 current) = _liveOwner(fromTokenId);
        if (epoch != current) revert WrongEpoch(fromTokenId, epoch, current);

        bytes32 bindingId = bindingIdOf(fromTokenId, toTokenId);
        Binding storage recorded = _bindings[bindingId];
        // Only the owner changes what the owner set, a revocation above all, also after `to` was
        // sold or burned.
        if (recorded.authority == Authority.OWNER && recorded.epoch == epoch) revert OwnerBindingStands(bindingId);
        if (expectedServiceVersion != recorded.serviceVersion) {
            revert WrongServiceVersion(bindingId, expectedServiceVersion, recorded.serviceVersion);
        }

        _set(
            fromTokenId,
            toTokenId,
            Binding({
                trustLevel: trustLevel,
                authority: Authority.SERVICE,
                epoch: epoch,
                toEpoch: toEpoch,
                version: recorded.version,
                serviceVersion: recorded.serviceVersion + 1,
                contextHash: keccak256(bytes(context))
            }),
            context,
            msg.sender
        );
    }

    /* READS */

    /// @inheritdoc IBindingRegistry
    function bindingOf(
        uint256 fromTokenId,
        uint256 toTokenId
    ) external view returns (TrustLevel trustLevel, Authority authority, uint16 epoch, bool live) {
        Binding storage binding = _bindings[bindingIdOf(fromTokenId, toTokenId)];
        trustLevel = binding.trustLevel;
        authority = binding.authority;
        epoch = binding.epoch;
        live = authority != Authority.NONE && _isLiveIn(fromTokenId, epoch) && _isLiveIn(toTokenId, binding.toEpoch);
    }

    /// @inheritdoc IBindingRegistry
    function recordOf(uint256 fromTokenId, uint256 toTokenId) external view returns (Binding memory) {
        return _bindings[bindingIdOf(fromTokenId, toTokenId)];
    }

    /// @inheritdoc IBindingRegistry
    function bindingIdOf(uint256 fromTokenId, uint256 toTokenId) public pure returns (bytes32) {
        return keccak256(abi.encode(fromTokenId, toTokenId));
    }

    /// @inheritdoc AccessControlDefaultAdminRules
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(IBindingRegistry).interfaceId ||
            interfaceId == type(IOwnerAuthorization).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    /// @dev `binding` is what is stored, but for `toEpoch`, which is the one that was named.
    function _set(
        uint256 fromTokenId,
        uint256 toTokenId,
        Binding memory binding,
        string calldata context,
        address setBy
    ) private {
        if (fromTokenId == toTokenId) revert SelfBinding(fromTokenId);
        if (binding.trustLevel == TrustLevel.NONE) revert InvalidTrustLevel();
        if (bytes(context).length > MAX_CONTEXT_BYTES) revert ContextTooLong(bytes(context).length);

        uint16 toEpoch = SOUL_REGISTRY.epochOf(toTokenId);
        if (toEpoch == 0) revert UnknownSoul(toTokenId);
        // A hand-over of `to` must not outrun a revocation by the owner of `from`.
        bool revokedByOwner = binding.authority == Authority.OWNER && binding.trustLevel == TrustLevel.REVOKED;
        if (binding.toEpoch != toEpoch && !revokedByOwner) revert WrongEpoch(toTokenId, binding.toEpoch, toEpoch);
        binding.toEpoch = toEpoch;

        bytes32 bindingId = bindingIdOf(fromTokenId, toTokenId);
        TrustLevel previousTrustLevel = _bindings[bindingId].trustLevel;
        _bindings[bindingId] = binding;

        emit BindingSet(
            bindingId,
            fromTokenId,
            toTokenId,
            previousTrustLevel,
            binding.trustLevel,
            binding.authority,
            setBy,
            binding.epoch,
            toEpoch,
            binding.version,
            binding.serviceVersion,
            binding.contextHash,
            context
        );
    }

    function _liveOwner(uint256 tokenId) private view returns (address owner, uint16 epoch) {
        (owner, , epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner == address(0)) revert NoOwner(tokenId);
    }

    function _isLiveIn(uint256 tokenId, uint16 epoch) private view returns (bool) {
        (address owner, , uint16 current) = SOUL_REGISTRY.authorityOf(tokenId);
        return owner != address(0) && current == epoch;
    }
}
