// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title Composed reads for tests of contracts that check fields and people
/// @notice Answers {ISoulView-verifyField} and {ISoulView-humanVerifiedBy} from what a test sets, and otherwise from a
/// registry such as MockSoulRegistry. Cast its address: `ISoulView(address(mock))`. It has no access control: never
/// deploy it outside of tests.
contract MockSoulView {
    struct Attestation {
        address verifier;
        bool stillApproved;
    }

    ISoulRegistry private immutable _SOULS;
    mapping(uint256 tokenId => mapping(uint256 index => bytes32 valueHash)) private _values;
    mapping(uint256 tokenId => Attestation attestation) private _attestations;

    /// @param souls Answers which souls are valid, and whether people vouch for them.
    constructor(ISoulRegistry souls) {
        _SOULS = souls;
    }

    /// @notice Sets the content of a field: every proof of this value then holds, and of no other.
    /// @param tokenId The soul.
    /// @param index The field's position, 0 to 11.
    /// @param value Canonical JSON of the field, UTF-8.
    function setField(uint256 tokenId, uint256 index, bytes calldata value) external {
        _values[tokenId][index] = keccak256(value);
    }

    /// @notice Sets who vouches for a soul. Whether one does, the registry says.
    /// @param tokenId The soul.
    /// @param verifier The adapter.
    /// @param stillApproved Whether it is approved now.
    function setVerifier(uint256 tokenId, address verifier, bool stillApproved) external {
        _attestations[tokenId] = Attestation(verifier, stillApproved);
    }

    /// @notice As {ISoulView-verifyField}, for any proof.
    /// @param tokenId The soul.
    /// @param index The field's position, 0 to 11.
    /// @param value Canonical JSON of the field, UTF-8.
    /// @return proven Whether the field was set to this value.
    /// @return valid Whether the registry says that the soul is valid.
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata
    ) external view returns (bool proven, bool valid) {
        proven = _values[tokenId][index] == keccak256(value);
        valid = _SOULS.isValid(tokenId);
    }

    /// @notice As {ISoulView-humanVerifiedBy}.
    /// @param tokenId The soul.
    /// @return verified Whether the registry says that a person vouches for it.
    /// @return verifier The adapter; zero when not verified.
    /// @return stillApproved Whether the adapter is approved now.
    function humanVerifiedBy(
        uint256 tokenId
    ) external view returns (bool verified, address verifier, bool stillApproved) {
        verified = _SOULS.humanVerified(tokenId);
        if (!verified) return (false, address(0), false);
        Attestation storage attestation = _attestations[tokenId];
        return (true, attestation.verifier, attestation.stillApproved);
    }
}
