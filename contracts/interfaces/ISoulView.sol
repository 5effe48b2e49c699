// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Composed reads over the protocol's contracts
/// @notice For callers off chain that need several facts of one block in one call. Holds no state
/// and no power.
interface ISoulView {
    /// @notice One passport and one soul: the soul that is bound to the passport, or, of a burned
    /// soul, the passport that it was bound to.
    struct PassportState {
        uint256 passportId;
        /// Zero when there is no such passport, or the identity registry does not answer; every
        /// other field is then zero too.
        address owner;
        /// Zero when no soul is bound; `validity` and `soul` are then zero too.
        uint256 tokenId;
        ISoulRegistry.Validity validity;
        ISoulRegistry.Soul soul;
        /// Whether the owner was attested to be a person, in this epoch, and still owns the
        /// passport.
        bool humanVerified;
        /// Whether the mark of a suspension stands, see {ISoulRegistry-isSuspended}: also with the
        /// passport back at the sealer.
        bool suspended;
        /// What an owner's next operation on the soul is signed over, see
        /// {ISoulRegistry-versionOf}.
        uint32 version;
        /// The same for operations on the passport, see {IPassportWriter-versionOf}.
        uint32 passportVersion;
        /// Archive of the soul, zero when the registry keeps none.
        bytes32 archiveId;
        /// Archive of its DID document in this epoch, zero for none.
        bytes32 didArchiveId;
    }

    /// @notice What `holder` has, all read in block `blockNumber`.
    struct HolderState {
        uint256 blockNumber;
        /// Unix seconds.
        uint256 blockTime;
        /// How many passports `holder` owns: more than were asked about means that an index is
        /// behind. Zero when the identity registry refuses to say, as for the zero address.
        uint256 passportCount;
        /// In the order of the ids that were asked about, also those that `holder` does not own.
        PassportState[] passports;
    }

    /// @notice State of the passports asked about, and how many passports `holder` owns in all.
    /// Never reverts.
    /// @dev Warning: its cost grows with the number of passports asked about. It is meant for
    /// callers off chain.
    /// @param holder Whose passports are counted.
    /// @param passportIds The passports that are asked about.
    /// @return state The block, the number of passports, and the state of each passport asked
    /// about.
    function passportStates(
        address holder,
        uint256[] calldata passportIds
    ) external view returns (HolderState memory state);

    /// @notice One soul with its passport, in whatever state it is, burned included: all read in
    /// block `blockNumber`. Never reverts.
    /// @param tokenId The soul.
    /// @return blockNumber The block that was read.
    /// @return blockTime Its time in Unix seconds.
    /// @return state All zero for an id that was never given. `owner` is zero when the passport's
    /// owner cannot be read.
    function soulState(
        uint256 tokenId
    ) external view returns (uint256 blockNumber, uint256 blockTime, PassportState memory state);

    /// @notice Whether the soul's owner is attested to be a person, as {ISoulRegistry-humanVerified}
    /// answers it, by which adapter, and whether that adapter is still approved. Never reverts.
    /// @dev Its cost grows with the reseals by the same sealer since the attestation.
    /// @param tokenId The soul.
    /// @return verified Whether the owner was attested in this epoch and still owns the passport.
    /// @return verifier The adapter; zero when not verified.
    /// @return stillApproved Whether the adapter is approved now, see
    /// {IHumanVerifierRegistry-isApproved}. It may have been removed and approved again.
    function humanVerifiedBy(
        uint256 tokenId
    ) external view returns (bool verified, address verifier, bool stillApproved);

    /// @notice Whether `value` is the content of the soul's field `index`, proved as in
    /// {FieldProofs}, and whether that soul may be relied on in this block. Never reverts. The fields
    /// `identity.name` (index 0) and `identity.agent_type` (index 1) must also be the registered ones:
    /// the name as it is, or another writing of it in ASCII such as `Ada Lovelace` for `ada-lovelace`. A
    /// name with two hyphens in a row is not proven.
    /// @dev Warning: every other field belongs to a content, not to an agent. A soul's root is public,
    /// so another owner can register a soul with the same root, and one proof then holds for both.
    /// Prove `identity.name` too: it is proven for the soul that the content names, and for no copy.
    /// @dev Warning: a field of a suspended or burned soul is still `proven`. Check both answers.
    /// @param tokenId The soul.
    /// @param index The field's position, 0 to 11.
    /// @param value Canonical JSON of the field, UTF-8.
    /// @param proof The leaf's blinding and its four siblings.
    /// @return proven Whether the soul's current content has this value. False for a proof of
    /// another form, and for a name or type that the soul is not registered with.
    /// @return valid Whether the soul is valid now, as {ISoulRegistry-isValid} answers.
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view returns (bool proven, bool valid);
}
