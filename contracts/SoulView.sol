// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IHumanVerifierRegistry} from "./interfaces/IHumanVerifierRegistry.sol";
import {IPassportWriter} from "./interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {ISoulView} from "./interfaces/ISoulView.sol";
import {FieldProofs} from "./libraries/FieldProofs.sol";
import {HumanProofs} from "./libraries/HumanProofs.sol";
import {PassportReads} from "./libraries/PassportReads.sol";

/// @title Composed reads
/// @notice See {ISoulView}.
contract SoulView is ISoulView {
    uint256 private constant NAME_FIELD = 0;
    uint256 private constant TYPE_FIELD = 1;

    ISoulRegistry private immutable _SOUL_REGISTRY;
    address private immutable _IDENTITY_REGISTRY;
    IPassportWriter private immutable _PASSPORT_WRITER;
    IHumanVerifierRegistry private immutable _HUMAN_VERIFIERS;

    constructor(ISoulRegistry soulRegistry) {
        _SOUL_REGISTRY = soulRegistry;
        _IDENTITY_REGISTRY = soulRegistry.IDENTITY_REGISTRY();
        _PASSPORT_WRITER = soulRegistry.PASSPORT_WRITER();
        _HUMAN_VERIFIERS = IHumanVerifierRegistry(soulRegistry.HUMAN_VERIFIERS());
    }

    /// @inheritdoc ISoulView
    function passportStates(
        address holder,
        uint256[] calldata passportIds
    ) external view returns (HolderState memory state) {
        state.blockNumber = block.number;
        state.blockTime = block.timestamp;
        state.passportCount = PassportReads.balanceOf(_IDENTITY_REGISTRY, holder);
        state.passports = new PassportState[](passportIds.length);
        for (uint256 i = 0; i < passportIds.length; ++i) {
            state.passports[i] = _passportState(passportIds[i]);
        }
    }

    /// @inheritdoc ISoulView
    function soulState(
        uint256 tokenId
    ) external view returns (uint256 blockNumber, uint256 blockTime, PassportState memory state) {
        blockNumber = block.number;
        blockTime = block.timestamp;
        ISoulRegistry.Soul memory soul = _SOUL_REGISTRY.soulOf(tokenId);
        if (soul.status == ISoulRegistry.Status.NONE) return (blockNumber, blockTime, state);

        state.passportId = soul.passportId;
        (, state.owner) = _SOUL_REGISTRY.validityOf(tokenId);
        _readSoul(state, tokenId);
    }

    /// @inheritdoc ISoulView
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view returns (bool proven, bool valid) {
        ISoulRegistry.Soul memory soul = _SOUL_REGISTRY.soulOf(tokenId);
        proven = FieldProofs.verify(soul.soulMerkleRoot, index, value, proof) && _isRegistered(soul, index, value);
        valid = _SOUL_REGISTRY.isValid(tokenId);
    }

    /// @inheritdoc ISoulView
    function humanVerifiedBy(
        uint256 tokenId
    ) external view returns (bool verified, address verifier, bool stillApproved) {
        verified = _SOUL_REGISTRY.humanVerified(tokenId);
        if (!verified) return (false, address(0), false);

        // A reseal by the same sealer takes the attestation of an earlier epoch along.
        ISoulRegistry.Soul memory soul = _SOUL_REGISTRY.soulOf(tokenId);
        for (uint16 epoch = soul.epoch; verifier == address(0) && epoch != 0; --epoch) {
            verifier = _HUMAN_VERIFIERS.verifierOf(address(_SOUL_REGISTRY), HumanProofs.action(soul.name, epoch));
        }
        stillApproved = _HUMAN_VERIFIERS.isApproved(verifier);
    }

    /// @dev Whether the registry says the same of the two fields that it holds itself.
    function _isRegistered(
        ISoulRegistry.Soul memory soul,
        uint256 index,
        bytes calldata value
    ) private pure returns (bool) {
        if (index == NAME_FIELD) return _spells(value, bytes(soul.name));
        if (index == TYPE_FIELD) return keccak256(value) == keccak256(_typeValue(soul.agentType));
        return true;
    }

    /// @dev Whether the JSON string is a writing of `name` in ASCII: letters in any case, and anything
    /// but letters and digits for one hyphen, as protocol/ turns `Ada Lovelace` into `ada-lovelace`. A
    /// string is a writing of one name at most.
    function _spells(bytes calldata value, bytes memory name) private pure returns (bool) {
        uint256 matched = 0;
        bool separated = false;
        for (uint256 i = 0; i < value.length; ++i) {
            bytes1 char = value[i];
            // Of these, protocol/ makes letters, or hyphens of whole escapes.
            if (char >= 0x80 || char == "\\") return false;
            if (char >= "A" && char <= "Z") char |= 0x20;
            if ((char < "a" || char > "z") && (char < "0" || char > "9")) {
                separated = true;
                continue;
            }
            if (separated && matched != 0 && !(matched < name.length && name[matched++] == "-")) return false;
            if (matched == name.length || name[matched++] != char) return false;
            separated = false;
        }
        return matched == name.length && matched != 0;
    }

    /// @dev Canonical JSON of a type's name in protocol/.
    function _typeValue(ISoulRegistry.AgentType agentType) private pure returns (bytes memory) {
        if (agentType == ISoulRegistry.AgentType.ASSISTANT) return '"assistant"';
        if (agentType == ISoulRegistry.AgentType.COMPANION) return '"companion"';
        if (agentType == ISoulRegistry.AgentType.SPECIALIST) return '"specialist"';
        if (agentType == ISoulRegistry.AgentType.CREATIVE) return '"creative"';
        return '"other"';
    }

    function _passportState(uint256 passportId) private view returns (PassportState memory state) {
        state.passportId = passportId;
        state.owner = PassportReads.ownerOf(_IDENTITY_REGISTRY, passportId);
        if (state.owner == address(0)) return state;

        uint256 tokenId = _SOUL_REGISTRY.tokenOfPassport(passportId);
        if (tokenId != 0) _readSoul(state, tokenId);
    }

    function _readSoul(PassportState memory state, uint256 tokenId) private view {
        state.tokenId = tokenId;
        state.soul = _SOUL_REGISTRY.soulOf(tokenId);
        (state.validity, ) = _SOUL_REGISTRY.validityOf(tokenId);
        state.humanVerified = _SOUL_REGISTRY.humanVerified(tokenId);
        state.suspended = _SOUL_REGISTRY.isSuspended(tokenId);
        state.version = _SOUL_REGISTRY.versionOf(tokenId);
        state.passportVersion = _PASSPORT_WRITER.versionOf(tokenId);
        state.archiveId = _SOUL_REGISTRY.archiveOf(tokenId);
        state.didArchiveId = _SOUL_REGISTRY.didArchiveOf(tokenId);
    }
}
