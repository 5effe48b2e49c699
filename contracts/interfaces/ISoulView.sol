// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Composed reads over the protocol's contracts
/// @notice For callers off chain that need several facts of one block in one call. Holds no state and no power.
interface ISoulView {
    /// @notice One passport and the soul bound to it.
    struct PassportState {
        uint256 passportId;
        /// Zero when there is no such passport, or the identity registry does not answer; every other field is then zero too.
        address owner;
        /// Zero when no soul is bound; `validity` and `soul` are then zero too.
        uint256 tokenId;
        ISoulRegistry.Validity validity;
        ISoulRegistry.Soul soul;
        /// Whether the owner was attested to be a person, in this epoch, and still owns the passport.
        bool humanVerified;
        /// Whether the mark of a suspension stands, see {ISoulRegistry-isSuspended}: also with the passport back at the sealer.
        bool suspended;
    }

    /// @notice What `holder` has, all read in block `blockNumber`.
    struct HolderState {
        uint256 blockNumber;
        /// Unix seconds.
        uint256 blockTime;
        /// How many passports `holder` owns: more than were asked about means that an index is behind. Zero when the identity
        /// registry refuses to say, as for the zero address.
        uint256 passportCount;
        /// In the order of the ids that were asked about, whoever owns them.
        PassportState[] passports;
    }

    /// @notice State of the named passports, and how many passports `holder` owns in all. Never
    /// reverts.
    function passportStates(address holder, uint256[] calldata passportIds) external view returns (HolderState memory);

    /// @notice Whether `value` is the content of the soul's field `index`, proved as in {FieldProofs}. Never reverts.
    /// @param value Canonical JSON of the field, UTF-8.
    /// @param proof The leaf's blinding and its four siblings.
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view returns (bool);
}
