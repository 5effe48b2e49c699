// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {ISoulView} from "./interfaces/ISoulView.sol";
import {FieldProofs} from "./libraries/FieldProofs.sol";
import {PassportReads} from "./libraries/PassportReads.sol";

/// @title Composed reads
/// @notice See {ISoulView}.
contract SoulView is ISoulView {
    ISoulRegistry private immutable _SOUL_REGISTRY;
    address private immutable _IDENTITY_REGISTRY;

    constructor(ISoulRegistry soulRegistry) {
        _SOUL_REGISTRY = soulRegistry;
        _IDENTITY_REGISTRY = soulRegistry.IDENTITY_REGISTRY();
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
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view returns (bool proven, bool valid) {
        proven = FieldProofs.verify(_SOUL_REGISTRY.soulOf(tokenId).soulMerkleRoot, index, value, proof);
        valid = _SOUL_REGISTRY.isValid(tokenId);
    }

    function _passportState(uint256 passportId) private view returns (PassportState memory state) {
        state.passportId = passportId;
        state.owner = PassportReads.ownerOf(_IDENTITY_REGISTRY, passportId);
        if (state.owner == address(0)) return state;

        state.tokenId = _SOUL_REGISTRY.tokenOfPassport(passportId);
        if (state.tokenId == 0) return state;

        state.soul = _SOUL_REGISTRY.soulOf(state.tokenId);
        (state.validity, ) = _SOUL_REGISTRY.validityOf(state.tokenId);
        state.humanVerified = _SOUL_REGISTRY.humanVerified(state.tokenId);
        state.suspended = _SOUL_REGISTRY.isSuspended(state.tokenId);
    }
}
