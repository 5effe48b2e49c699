// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IAgentKeys} from "./interfaces/IAgentKeys.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {PassportReads} from "./libraries/PassportReads.sol";

/// @title Agent keys
/// @notice See {IAgentKeys}.
contract AgentKeys is IAgentKeys, OwnerAuthorization {
    bytes32 private constant SET_AGENT_KEYS_TYPEHASH = keccak256(
        "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
    );

    /// @inheritdoc IAgentKeys
    ISoulRegistry public immutable SOUL_REGISTRY;

    address private immutable _IDENTITY_REGISTRY;

    struct Record {
        bytes32 keysHash;
        uint16 epoch;
        uint32 version;
        bool onlyWithAgentWallet;
    }

    mapping(uint256 tokenId => Record record) private _records;

    constructor(ISoulRegistry soulRegistry) EIP712("AgentKeys", "2") {
        SOUL_REGISTRY = soulRegistry;
        _IDENTITY_REGISTRY = soulRegistry.IDENTITY_REGISTRY();
    }

    /// @inheritdoc IAgentKeys
    function setKeys(SetAgentKeys calldata keys, bytes calldata signature) external {
        uint256 tokenId = keys.tokenId;
        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner == address(0)) revert NoOwner(tokenId);

        // Authority comes before the preconditions, so that a repeated submission answers "this
        // nonce was used".
        bytes32 structHash = keccak256(
            abi.encode(
                SET_AGENT_KEYS_TYPEHASH,
                tokenId,
                keys.epoch,
                keys.version,
                keys.keysHash,
                keys.archiveId,
                keys.onlyWithAgentWallet,
                keys.nonce,
                keys.deadline
            )
        );
        _authorizeOrCaller(owner, structHash, keys.nonce, keys.deadline, signature);

        Record storage record = _records[tokenId];
        if (keys.epoch != epoch) revert WrongEpoch(tokenId, keys.epoch, epoch);
        if (keys.version != record.version) revert WrongVersion(tokenId, keys.version, record.version);
        if ((keys.keysHash == 0) != (keys.archiveId == 0)) revert ArchiveMismatch(keys.keysHash, keys.archiveId);

        uint32 version = ++record.version;
        record.keysHash = keys.keysHash;
        record.epoch = epoch;
        record.onlyWithAgentWallet = keys.onlyWithAgentWallet;

        emit AgentKeysSet(tokenId, epoch, owner, version, keys.keysHash, keys.archiveId, keys.onlyWithAgentWallet);
    }

    /// @inheritdoc IAgentKeys
    function keysOf(uint256 tokenId) external view returns (bytes32 keysHash) {
        Record storage record = _records[tokenId];
        if (record.epoch != SOUL_REGISTRY.liveEpochOf(tokenId)) return bytes32(0);
        if (record.onlyWithAgentWallet && !_isOperatorAgentWallet(tokenId)) return bytes32(0);
        return record.keysHash;
    }

    /// @inheritdoc IAgentKeys
    function versionOf(uint256 tokenId) external view returns (uint32 version) {
        return _records[tokenId].version;
    }

    /// @dev Whether the live operator is the passport's `agentWallet`, and not zero.
    function _isOperatorAgentWallet(uint256 tokenId) private view returns (bool) {
        (, address operator, ) = SOUL_REGISTRY.authorityOf(tokenId);
        address wallet = PassportReads.agentWalletOf(_IDENTITY_REGISTRY, SOUL_REGISTRY.passportOf(tokenId));
        return wallet != address(0) && wallet == operator;
    }
}
