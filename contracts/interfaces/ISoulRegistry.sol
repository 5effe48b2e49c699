// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {IOrganizationRegistry} from "./IOrganizationRegistry.sol";
import {IPassportMint} from "./IPassportMint.sol";
import {IPassportWriter} from "./IPassportWriter.sol";
import {IRegistrars} from "./IRegistrars.sol";
import {ISoulCertificate} from "./ISoulCertificate.sol";

/// @title Soul registry
/// @notice Binds a soul (the hash of an agent's self-description) to an ERC-8004 passport and a
/// soulbound certificate. A soul is registered by its owner's signature and submitted by a
/// registrar; neither can do it alone.
/// @dev This contract is approved on no passport. It calls the identity registry only for
/// `ownerOf`. {IPassportMint} registers new passports, {IPassportWriter} writes existing ones.
/// @dev Warning: a passport that was sold and returned without a mark of suspension in between is as
/// it was before: what its owner granted acts again. That can happen within one transaction of the
/// buyer. A seller who does not want it marks its soul by {suspendBySealer} before the sale.
interface ISoulRegistry is IOwnerAuthorization {
    /// @notice What the agent is for. Immutable.
    enum AgentType {
        ASSISTANT,
        COMPANION,
        SPECIALIST,
        CREATIVE,
        OTHER
    }

    /// @notice Where a soul is in its life. NONE: the token id was never given.
    enum Status {
        NONE,
        PROVISIONAL,
        SEALED,
        BURNED
    }

    /// @notice Live answer to "may this soul be relied on now". NOT_LINKED: no sealed soul, or its
    /// passport cannot be read. SUSPENDED: sealed, but the passport's live owner is not the sealer,
    /// or the mark of {suspend} stands. VALID: sealed, no mark, and the sealer owns the passport in
    /// this block.
    enum Validity {
        NOT_LINKED,
        SUSPENDED,
        VALID
    }

    /// @notice What an owner signs to bring an agent to life (EIP-712 type `Registration`, fields
    /// in this order).
    struct Registration {
        /// The given name; see {Names} for the accepted form. Never given twice.
        string name;
        AgentType agentType;
        /// Signer, first sealer, holder of passport and certificate.
        address owner;
        /// The agent's own account; zero means that the owner acts for the agent.
        address operator;
        /// SHA-256 of the salt and the canonical self-description; never zero.
        bytes32 soulHash;
        /// Root of the 16-wide field tree (see {FieldProofs}); never zero.
        bytes32 soulMerkleRoot;
        /// SHA-256 of the public registration file without ids, in canonical form.
        bytes32 contentHash;
        /// True: bind to the existing passport `passportId` (0 is a passport too). False: register
        /// a new one.
        bool bindPassport;
        /// The passport to bind; 0 when a new one is registered.
        uint256 passportId;
        /// URI to write to the bound passport; empty to leave it as it is. Always empty for a new
        /// passport.
        string agentURI;
        /// The soul this one descends from, 0 for none. A living one is the owner's in this block;
        /// a burned one was when it ended.
        uint256 parentTokenId;
        /// The organization to join, 0 for none.
        uint256 organizationId;
        /// True: SEALED at once. False: PROVISIONAL.
        bool seal;
        /// The adapter of the human proof; zero for no proof. Always zero when `seal` is false.
        address humanVerifier;
        /// keccak256(abi.encode(verifier, data)) of the human proof; zero for no proof.
        bytes32 humanProofHash;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice One agent of a batch; the rest is common to all (EIP-712 type `BatchEntry`, fields
    /// in this order).
    struct BatchEntry {
        string name;
        AgentType agentType;
        address operator;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 contentHash;
    }

    /// @notice What an owner signs once to register many agents of an organization (EIP-712 type
    /// `RegistrationBatch`).
    struct RegistrationBatch {
        address owner;
        uint256 organizationId;
        /// True: entries whose names were given meanwhile are left out. False: they make the whole
        /// batch fail.
        bool leaveOutTakenNames;
        BatchEntry[] entries;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Where the registrar stored one agent of a batch. A batch writes no `svc*` metadata,
    /// so that it fits one transaction.
    struct BatchPublication {
        /// Id of the soul archive on permanent storage.
        bytes32 archiveId;
        /// URI of the registration file. Where ids are expected (see {BatchExpectation}), an empty
        /// one says that the entry's name is taken.
        string agentURI;
    }

    /// @notice The ids that the files of a batch name. The batch fails when they turn out
    /// otherwise. The others follow in the order of the entries that are not left out.
    struct BatchExpectation {
        /// 0: any.
        uint256 firstTokenId;
        /// 0: any, and files name no ids.
        uint256 firstPassportId;
    }

    /// @notice What an owner signs to seal a provisional soul (EIP-712 type `Seal`).
    struct Seal {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 contentHash;
        /// URI to write to the passport; empty to leave it as it is.
        string agentURI;
        /// The adapter of the human proof; zero for no proof.
        address humanVerifier;
        /// keccak256(abi.encode(verifier, data)) of the human proof; zero for no proof.
        bytes32 humanProofHash;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to record a change of the agent (EIP-712 type
    /// `RecordEvolution`). This contract carries out two kinds: `changeType` "soul_revision"
    /// replaces the soul, "operator_change" the operator.
    struct RecordEvolution {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        string category;
        string changeType;
        /// The soul hash that is replaced, or that stays.
        bytes32 previousSoulHash;
        bytes32 newSoulHash;
        bytes32 newSoulMerkleRoot;
        /// Of a revision: SHA-256 of its public record. Of an operator change: see
        /// {changeOperator}.
        bytes32 dataHash;
        /// Of a revision: URI to write to the passport; empty to leave it as it is. Always empty for
        /// an operator change.
        string agentURI;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the passport's owner signs to end a suspension by a new epoch (EIP-712 type
    /// `Reseal`).
    struct Reseal {
        uint256 tokenId;
        /// The epoch that ends.
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        /// The passport's owner: a buyer, or the sealer itself when the passport is back.
        address newOwner;
        /// The agent's own account from now on; zero means that the owner acts for the agent.
        address operator;
        /// The block of the observation, see {suspensionOf}: dead after any later observation.
        uint64 observedBlock;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 contentHash;
        /// URI to write to the passport; empty to leave it as it is.
        string agentURI;
        /// The adapter of the human proof; zero for no proof.
        address humanVerifier;
        /// keccak256(abi.encode(verifier, data)) of the human proof; zero for no proof.
        bytes32 humanProofHash;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the passport's owner signs to end a suspended soul and free the passport
    /// (EIP-712 type `Release`).
    struct Release {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        /// The passport's owner.
        address newOwner;
        /// The block of the observation, see {suspensionOf}: dead after any later observation.
        uint64 observedBlock;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to end a soul for ever (EIP-712 type `Burn`).
    struct Burn {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        /// keccak256 of the reason's UTF-8.
        bytes32 reasonHash;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What a sealer signs to suspend its own soul, before it sells the passport (EIP-712
    /// type `Suspend`).
    struct Suspend {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to publish a new DID document (EIP-712 type `SetDidArchive`).
    struct SetDidArchive {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        /// The archive that is replaced; zero for the first.
        bytes32 previousArchiveId;
        bytes32 archiveId;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice A proof that the owner is a person, for a verifier approved on the human verifier
    /// registry. The owner signs its verifier and hash; the proof itself is bound to owner, name,
    /// chain and this contract.
    struct HumanProof {
        /// The adapter to ask; zero for no proof.
        address verifier;
        /// The proof in the adapter's encoding; empty for no proof.
        bytes data;
    }

    /// @notice Where the registrar stored what the owner signed. Not covered by the owner's
    /// signature: it names archive ids that exist only after signing. What stands behind them is
    /// checked against `soulHash` and `contentHash`. The other five fields are for a new passport
    /// only, and are not read when a passport is bound.
    struct Publication {
        /// Id of the soul archive on permanent storage.
        bytes32 archiveId;
        /// URI of the registration file that names `expectedPassportId` and `expectedTokenId`.
        string agentURI;
        /// URI of the same file without ids, used when another registration came between.
        string agentURIWithoutIds;
        uint256 expectedPassportId;
        uint256 expectedTokenId;
        /// The first token id of the {reserve} that holds `expectedTokenId` and its passport; 0: the
        /// passport is registered now, and the ids follow from the order of registrations.
        uint256 reservation;
    }

    /// @notice A soul's record.
    struct Soul {
        address sealer;
        uint56 passportId;
        uint16 epoch;
        Status status;
        AgentType agentType;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        /// Zero when the sealer acts for the agent.
        address operator;
        string name;
    }

    /// @notice A soul was registered, and its certificate minted to `owner`. `epoch` is 1 at
    /// registration.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param owner The first sealer.
    /// @param name The given name.
    /// @param agentType What the agent is for.
    /// @param operator The agent's own account; zero when the owner acts for the agent.
    /// @param parentTokenId The soul that this one descends from; 0 for none.
    /// @param epoch 1.
    /// @param newPassport Whether the passport was registered in this transaction.
    event SoulRegistered(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed owner,
        string name,
        AgentType agentType,
        address operator,
        uint256 parentTokenId,
        uint16 epoch,
        bool newPassport
    );

    /// @notice A soul was registered without a seal. Emitted after its {SoulRegistered}; what it
    /// holds is replaced by the seal.
    /// @param tokenId The soul.
    /// @param soulHash The soul's hash.
    /// @param soulMerkleRoot Root of the soul's field tree.
    /// @param contentHash SHA-256 of the public registration file without ids, in canonical form.
    /// @param archiveId Id of the archive on permanent storage.
    event SoulProvisioned(
        uint256 indexed tokenId,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        bytes32 archiveId
    );

    /// @notice A soul was sealed by `sealer`. `agentURIHasIds` is true for a new passport that
    /// points at the file which names its ids, and for an existing one whose signed URI was
    /// written; when it is false, the owner should update the URI. `verifier` attested that the
    /// sealer is a person, in this epoch only; zero for no attestation.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param sealer Who sealed it.
    /// @param epoch The soul's epoch.
    /// @param soulHash The soul's hash.
    /// @param soulMerkleRoot Root of the soul's field tree.
    /// @param contentHash SHA-256 of the public registration file without ids, in canonical form.
    /// @param archiveId Id of the archive on permanent storage.
    /// @param agentURIHasIds Whether the passport points at a file that names its ids.
    /// @param verifier The adapter that attested the sealer; zero for no attestation.
    event SoulSealed(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed sealer,
        uint16 epoch,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        bytes32 archiveId,
        bool agentURIHasIds,
        address verifier
    );

    /// @notice A soul was revised by its owner. `dataHash` is the SHA-256 of the public record
    /// stored under `archiveId`.
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param owner The owner that decided.
    /// @param previousSoulHash The soul hash that was replaced.
    /// @param soulHash The soul's hash from now on.
    /// @param soulMerkleRoot Root of the soul's field tree from now on.
    /// @param dataHash SHA-256 of the public record of the revision.
    /// @param archiveId Id of the archive on permanent storage.
    /// @param agentURIWritten Whether the signed URI was written to the passport.
    event SoulRevised(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed owner,
        bytes32 previousSoulHash,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 dataHash,
        bytes32 archiveId,
        bool agentURIWritten
    );

    /// @notice A suspension ended by a new epoch: everything that was granted or signed before is
    /// dead. `previousSealer` equal to `sealer`: the sealer took its soul back, and an attestation
    /// of the epoch before is kept. `agentURIWritten`: the signed URI was written to the passport.
    /// `verifier`: as in {SoulSealed}.
    /// @param tokenId The soul.
    /// @param previousSealer The sealer of the epoch before.
    /// @param sealer The sealer from now on.
    /// @param epoch The epoch that begins.
    /// @param operator The agent's own account from now on; zero when the owner acts for the agent.
    /// @param previousSoulHash The soul hash that was replaced.
    /// @param soulHash The soul's hash from now on.
    /// @param soulMerkleRoot Root of the soul's field tree from now on.
    /// @param contentHash SHA-256 of the public registration file without ids, in canonical form.
    /// @param archiveId Id of the archive on permanent storage.
    /// @param agentURIWritten Whether the signed URI was written to the passport.
    /// @param verifier The adapter that attested the new sealer; zero for no new attestation.
    event SoulResealed(
        uint256 indexed tokenId,
        address indexed previousSealer,
        address indexed sealer,
        uint16 epoch,
        address operator,
        bytes32 previousSoulHash,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        bytes32 archiveId,
        bool agentURIWritten,
        address verifier
    );

    /// @notice The mark of suspension stands, and `observedOwner` owned the passport. It is the
    /// sealer when the passport came back while the mark stood, and when the sealer set the mark
    /// itself by {suspendBySealer}, which {OwnerDecided} tells.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param observedOwner The passport's owner that was observed.
    /// @param sealer The soul's sealer.
    event SoulVerificationSuspended(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed observedOwner,
        address sealer
    );

    /// @notice A soul ended for ever; its passport is free to be bound again.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param owner The sealer that ended it.
    /// @param epoch The last epoch.
    /// @param reasonHash keccak256 of the reason's UTF-8.
    event SoulBurned(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed owner,
        uint16 epoch,
        bytes32 reasonHash
    );

    /// @notice A suspended soul was ended by the passport's owner `owner`. Its name stays taken,
    /// its passport is free to be bound again, and `sealer` may register its successor.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    /// @param owner The passport's owner that ended it.
    /// @param sealer The last sealer.
    /// @param epoch The last epoch.
    event SoulReleased(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed owner,
        address sealer,
        uint16 epoch
    );

    /// @notice A soul was sealed by the account that registered it as the successor of a burned
    /// one. Emitted after its {SoulRegistered} and {SoulSealed}, in the transaction of the latter.
    /// `soulContinuity`: its hash is the parent's last one; `soulHashMatch`: it is the parent's
    /// first one.
    /// @param tokenId The soul.
    /// @param parentTokenId The soul that ended.
    /// @param soulContinuity Whether the soul hash is the parent's last one.
    /// @param soulHashMatch Whether the soul hash is the parent's first one.
    event SoulReincarnated(
        uint256 indexed tokenId,
        uint256 indexed parentTokenId,
        bool soulContinuity,
        bool soulHashMatch
    );

    /// @notice The agent's own account changed; zero means that the owner acts for the agent.
    /// `version` counts this decision, as in {OwnerDecided}.
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param operator The agent's own account from now on; zero when the owner acts for the agent.
    /// @param previousOperator The agent's own account before.
    /// @param version What the next decision is made over.
    event OperatorChanged(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed operator,
        address previousOperator,
        uint32 version
    );

    /// @notice An owner's decision was carried out; `version` is what the next one is made over.
    /// Emitted before the events that say what was decided, by every operation but registrations.
    /// @param tokenId The soul.
    /// @param version What the next decision is made over.
    event OwnerDecided(uint256 indexed tokenId, uint32 version);

    /// @notice The agent's DID document is now the one stored under `archiveId` (32 bytes,
    /// base64url in `ar://`).
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param archiveId Id of the DID document's archive.
    /// @param previousArchiveId The archive that was replaced; zero for the first.
    event DidArchiveSet(uint256 indexed tokenId, uint16 indexed epoch, bytes32 archiveId, bytes32 previousArchiveId);

    /// @notice An entry of a batch was left out, because its name is taken: it was given meanwhile, or to
    /// an earlier entry of the batch.
    /// @param index The position of the entry, from 0.
    /// @param name The entry's name.
    /// @param holder The soul that has the name.
    event BatchEntryLeftOut(uint256 index, string name, uint256 holder);

    /// @notice `svc*` metadata was left out of a passport because a batch had to fit.
    /// {IPassportWriter} emits the same event for a passport that its owner did not approve it on.
    /// @param tokenId The soul.
    /// @param passportId The ERC-8004 passport.
    event MetadataPending(uint256 indexed tokenId, uint256 indexed passportId);

    /// @notice The caller may not submit what owners sign: see {REGISTRARS}.
    /// @param caller Who called.
    error NotRegistrar(address caller);

    /// @notice The soul is not in the state that this operation needs.
    /// @param tokenId The soul.
    /// @param status The state that it is in.
    error WrongStatus(uint256 tokenId, Status status);

    /// @notice The signed epoch is not the soul's current one.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was signed.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The sealer does not own the passport in this block, or the mark of {suspend} stands
    /// (then `passportOwner` may be the sealer): nothing owner-granted acts. A mark ends by
    /// {reseal} or {release} only.
    /// @param tokenId The soul.
    /// @param sealer The soul's sealer.
    /// @param passportOwner The passport's live owner; zero when it cannot be read.
    error SoulSuspended(uint256 tokenId, address sealer, address passportOwner);

    /// @notice There is no suspension to record or to end: {suspend} found the passport at the
    /// sealer, or unreadable, and no mark; {reseal} and {release} found no mark.
    /// @param tokenId The soul.
    error NotSuspended(uint256 tokenId);

    /// @notice This owner was observed less than one day ago; until then only another owner is
    /// recorded.
    /// @param tokenId The soul.
    /// @param observedOwner The owner that was observed.
    error AlreadySuspended(uint256 tokenId, address observedOwner);

    /// @notice A reseal or release needs a {suspend} that observed this very owner, in the signed
    /// block, which is an earlier one, at most one day ago. So a passport that is borrowed for one
    /// transaction does not suffice.
    /// @param tokenId The soul.
    /// @param newOwner The account that signed or called.
    error NotObserved(uint256 tokenId, address newOwner);

    /// @notice The signer does not own the passport.
    /// @param passportId The ERC-8004 passport.
    /// @param account The account that signed or called.
    /// @param passportOwner The passport's live owner; zero when it cannot be read.
    error NotPassportOwner(uint256 passportId, address account, address passportOwner);

    /// @notice A passport id was named for a new passport, whose id the identity registry chooses;
    /// or a batch's first passport is not the one that its files name.
    /// @param passportId The id that was given.
    error UnexpectedPassportId(uint256 passportId);

    /// @notice A batch's first token id is not the one that its files name.
    /// @param expected The id that was expected.
    /// @param next The id that it would get.
    error UnexpectedTokenId(uint256 expected, uint256 next);

    /// @notice The burned parent has a successor already.
    /// @param parentTokenId The soul that ended.
    /// @param tokenId The soul that succeeded it.
    error AlreadySucceeded(uint256 parentTokenId, uint256 tokenId);

    /// @notice A URI was signed for a new passport, whose URI names ids that exist only after
    /// signing.
    error UnexpectedAgentURI();

    /// @notice A human proof was signed for a provisional registration, which attests nothing. Sign
    /// it with the seal.
    error UnexpectedHumanProof();

    /// @notice The human proof is not the one that the owner signed. `signed` and `given` are the
    /// hashes; equal ones mean that the signed verifier contradicts the signed hash.
    /// @param signed The hash that the owner signed.
    /// @param given The hash of the proof that was given.
    error HumanProofMismatch(bytes32 signed, bytes32 given);

    /// @notice The passport carries soul `tokenId` already.
    /// @param passportId The ERC-8004 passport.
    /// @param tokenId The soul that it carries.
    error PassportAlreadyBound(uint256 passportId, uint256 tokenId);

    /// @notice An owner's decision was made over an older version: another one was made since. See
    /// {versionOf}.
    /// @param tokenId The soul.
    /// @param version The version that was signed.
    /// @param current The current version.
    error WrongVersion(uint256 tokenId, uint32 version, uint32 current);

    /// @notice The value that was to be replaced is another one.
    /// @param tokenId The soul.
    /// @param expected The value that was to be replaced, as signed.
    /// @param current The current value.
    error Outdated(uint256 tokenId, bytes32 expected, bytes32 current);

    /// @notice This contract does not carry out this change, or its parts contradict each other.
    /// @param changeType The change type that was signed.
    error InvalidEvolution(string changeType);

    /// @notice A batch is empty, has more than 256 entries, or has another number of publications
    /// than of entries; or all of its names are taken (then `entries` is 0).
    /// @param entries How many entries were signed.
    /// @param publications How many publications were given.
    error InvalidBatch(uint256 entries, uint256 publications);

    /// @notice One entry of a batch was refused; `reason` is its error.
    /// @param index The position of the entry, from 0.
    /// @param reason The ABI encoding of its error.
    error BatchEntryRefused(uint256 index, bytes reason);

    /// @notice Ids are expected, and an entry whose name is free has no URI.
    /// @param index The position of the entry, from 0.
    error EntryWithoutURI(uint256 index);

    /// @notice The name is not of the accepted form.
    /// @param name The name that was given.
    error InvalidName(string name);

    /// @notice The name belongs to soul `tokenId`, also when that soul ended.
    /// @param name The name that was given.
    /// @param tokenId The soul that has it.
    error NameTaken(string name, uint256 tokenId);

    /// @notice A soul hash or Merkle root is zero.
    error EmptySoul();

    /// @notice `parentTokenId` names no soul of `owner`: neither a living one whose sealer and
    /// passport's owner it is, nor a burned one that it burned.
    /// @param parentTokenId The parent that was signed.
    /// @param owner The owner that registers.
    error InvalidParent(uint256 parentTokenId, address owner);

    /// @notice The passport id does not fit 56 bits.
    /// @param passportId The id that was given.
    error PassportIdTooLarge(uint256 passportId);

    /// @notice `account` was given to the constructor and does not name this contract as its soul
    /// registry, or names another identity registry.
    /// @param account The contract that was given.
    error WrongRegistry(address account);

    /* CONSTANTS */

    /// @notice The ERC-8004 identity registry whose passports souls are bound to. A third party's
    /// upgradeable contract.
    /// @return registry Its address.
    function IDENTITY_REGISTRY() external view returns (address registry);

    /// @notice The certificates, one per soul, with the soul's token id.
    /// @return certificate The contract.
    function CERTIFICATE() external view returns (ISoulCertificate certificate);

    /// @notice The registry of approved human-verification adapters.
    /// @return verifiers Its address.
    function HUMAN_VERIFIERS() external view returns (address verifiers);

    /// @notice Which accounts may submit what owners signed.
    /// @return registrars The contract.
    function REGISTRARS() external view returns (IRegistrars registrars);

    /// @notice The organizations that a registration may join.
    /// @return organizations The contract.
    function ORGANIZATION_REGISTRY() external view returns (IOrganizationRegistry organizations);

    /// @notice The contract that passport owners approve, and that writes their passports.
    /// @return writer The contract.
    function PASSPORT_WRITER() external view returns (IPassportWriter writer);

    /// @notice The contract that registers new passports and hands them to their owners.
    /// @return mint The contract.
    function PASSPORT_MINT() external view returns (IPassportMint mint);

    /* REGISTRATION: a registrar, and the owner's signature for all but a reservation */

    /// @notice Registers a new passport, or binds one that its owner holds; mints the certificate,
    /// and seals the soul when `registration.seal` is true. With a burned parent it is a
    /// reincarnation, which {SoulReincarnated} says with the seal. Authority: the caller is a
    /// registrar (see {REGISTRARS}) and `signature` is `registration.owner`'s.
    /// @param registration What the owner signed.
    /// @param publication Where the registrar stored it.
    /// @param proof The human proof that the owner signed; both fields empty when it signed none.
    /// @param adminConsent The organization admin's consent, where `organizationId` is not 0 and
    /// the owner is not its admin; see {IOrganizationRegistry-joinAtRegistration}.
    /// @param signature The owner's signature.
    /// @return tokenId Id of the soul and its certificate, from 1.
    /// @return passportId Id of the ERC-8004 passport, from 0, owned by `registration.owner` when
    /// the call returns.
    function register(
        Registration calldata registration,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata adminConsent,
        bytes calldata signature
    ) external returns (uint256 tokenId, uint256 passportId);

    /// @notice Registers and seals many agents of one owner on new passports, all or none. Writes
    /// no `svc*` metadata. Authority: the caller is a registrar and `signature` is
    /// `batch.owner`'s, who administers the organization where one is named.
    /// @param batch What the owner signed.
    /// @param publications Where the registrar stored each entry, in the order of the entries.
    /// @param expected The ids that the files name.
    /// @param signature The owner's signature.
    /// @return firstTokenId The others follow in the order of the entries.
    /// @return firstPassportId The first passport; the others follow.
    /// @return count How many agents were registered.
    function registerBatch(
        RegistrationBatch calldata batch,
        BatchPublication[] calldata publications,
        BatchExpectation calldata expected,
        bytes calldata signature
    ) external returns (uint256 firstTokenId, uint256 firstPassportId, uint256 count);

    /// @notice Sets token ids aside, with a new passport for each, so that registrations which name
    /// them get these ids, also when other accounts register passports in between. Authority: the
    /// caller is a registrar.
    /// @dev The passports wait in {PASSPORT_MINT}, and belong to no soul. Only {register}, for what
    /// an owner signed, hands one over.
    /// @param count How many, from 1.
    /// @return firstTokenId The first token id; the others follow. It names the reservation.
    function reserve(uint256 count) external returns (uint256 firstTokenId);

    /* LIFE: the owner's signature, submitted by the registrar; or a direct call of the owner with an empty signature */

    /// @notice Seals a provisional soul. Authority: the sealer, who must own the passport.
    /// @param seal_ What the sealer signed.
    /// @param archiveId Id of the soul archive on permanent storage; not covered by the signature.
    /// @param proof The human proof that the sealer signed; both fields empty when it signed none.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function seal(Seal calldata seal_, bytes32 archiveId, HumanProof calldata proof, bytes calldata signature) external;

    /// @notice Replaces a sealed soul by its revision, and writes the passport's URI where one was
    /// signed and {IPassportWriter} is approved. Authority: the sealer, who must own the passport.
    /// @param evolution `changeType` "soul_revision".
    /// @param archiveId Where the revision's public record is stored; not covered by the signature.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function revise(RecordEvolution calldata evolution, bytes32 archiveId, bytes calldata signature) external;

    /// @notice Ends a suspension by a new epoch: what was granted and signed before is dead.
    /// Resealed by the sealer, whose passport came back, the human attestation is kept and the
    /// certificate stays. Resealed by another, the certificate is burned and minted to the new
    /// owner, and only a new proof attests. Authority: `reseal_.newOwner`, who must own the
    /// passport and have been observed by {suspend} in an earlier block, at most one day ago.
    /// @param reseal_ What the passport's owner signed.
    /// @param archiveId Id of the soul archive on permanent storage; not covered by the signature.
    /// @param proof The human proof that the passport's owner signed; both fields empty when it
    /// signed none.
    /// @param signature The signature of `reseal_.newOwner`; empty when that account calls.
    function reseal(
        Reseal calldata reseal_,
        bytes32 archiveId,
        HumanProof calldata proof,
        bytes calldata signature
    ) external;

    /* LIFE: the owner's signature, submitted by any account; or a direct call of the owner with an empty signature */

    /// @notice Sets the agent's own account. Authority: the sealer, who must own the passport.
    /// @param evolution `changeType` "operator_change"; `newSoulHash` and `newSoulMerkleRoot` zero;
    /// `dataHash` is keccak256 of the operator's 20 bytes.
    /// @param operator The agent's own account from now on; zero means that the owner acts for the
    /// agent.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function changeOperator(RecordEvolution calldata evolution, address operator, bytes calldata signature) external;

    /// @notice Sets the mark of {suspend} on one's own sealed soul, so that a sale cannot be undone without
    /// a {reseal}: for a sealer who is about to sell. It counts as the observation of the sealer, and
    /// {suspend} records a new owner while it stands. Only {reseal} and {release} end it. Authority:
    /// the sealer, who must own the passport.
    /// @param suspend_ What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function suspendBySealer(Suspend calldata suspend_, bytes calldata signature) external;

    /// @notice Ends a soul for ever. Its name stays taken, its passport is free to be bound again.
    /// Authority: the sealer, who must own the passport. A provisional soul can be burned too.
    /// {IPassportWriter-sync} clears what the passport says of the soul afterwards.
    /// @param burn_ What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function burn(Burn calldata burn_, bytes calldata signature) external;

    /// @notice Ends a suspended soul for ever, for a passport's owner who wants no soul on it. Its
    /// name stays taken, the passport is free to be bound again, and the last sealer may register
    /// the successor. It begins no epoch, so it works in the last one too. Authority:
    /// `release_.newOwner`, under the conditions of {reseal}.
    /// @param release_ What the passport's owner signed.
    /// @param signature The signature of `release_.newOwner`; empty when that account calls.
    function release(Release calldata release_, bytes calldata signature) external;

    /// @notice Names the archive of the agent's DID document, for this epoch. Authority: the
    /// sealer, who must own the passport.
    /// @param change What the sealer signed.
    /// @param signature The sealer's signature; empty when the sealer calls.
    function setDidArchive(SetDidArchive calldata change, bytes calldata signature) external;

    /* ANY ACCOUNT */

    /// @notice Observes the passport's owner and sets the mark. While it stands, every read and
    /// owner operation answers as for a moved passport, also when the passport is back at the
    /// sealer; only {reseal} and {release} end it. It is set when the passport is owned by another
    /// than the sealer. While it stands, another owner, the sealer included, is recorded at once,
    /// and the same owner again after one day.
    /// @dev Warning: until an account calls this, a sold passport that returns revives what its
    /// owner granted. A buyer can take and return it in one transaction: see {suspendBySealer}.
    /// @param tokenId The soul; provisional or sealed.
    function suspend(uint256 tokenId) external;

    /* READS */

    /// @notice What the other contracts of the protocol need to decide on an owner's operation, in
    /// one call. Never reverts.
    /// @dev Warning: a passport can be sold at any time. Read this in the transaction that relies
    /// on it, and do not store the answer.
    /// @param tokenId The soul.
    /// @return owner The sealer, while the soul is sealed, no mark stands and the sealer owns the
    /// passport in this block; else zero: then no account has an owner's authority, and nothing
    /// that an owner granted may act.
    /// @return operator The agent's own account; the owner itself when none is set; zero exactly
    /// when `owner` is.
    /// @return epoch The current epoch. What was granted in another one is dead.
    function authorityOf(uint256 tokenId) external view returns (address owner, address operator, uint16 epoch);

    /// @notice Whether the soul is sealed, no mark stands and its sealer owns the passport in this
    /// block. Never reverts.
    /// @dev Warning: a passport can be sold at any time. Read this in the transaction that relies
    /// on it, and do not store the answer.
    /// @param tokenId The soul.
    /// @return valid Whether the soul may be relied on in this block.
    function isValid(uint256 tokenId) external view returns (bool valid);

    /// @notice Live validity, and the passport's live owner. Never reverts.
    /// @dev Warning: NOT_LINKED is also the answer while the identity registry does not answer.
    /// @param tokenId The soul.
    /// @return validity See {Validity}.
    /// @return passportOwner Zero when it cannot be read.
    function validityOf(uint256 tokenId) external view returns (Validity validity, address passportOwner);

    /// @notice The soul's record; all zero for an id that was never given. Never reverts.
    /// @dev In the middle of a registration on a new passport the record shows passport 0, which
    /// {tokenOfPassport} contradicts.
    /// @dev Warning: the record says nothing of validity. A suspended or burned soul keeps its
    /// record. Check {isValid}.
    /// @param tokenId The soul.
    /// @return soul The record.
    function soulOf(uint256 tokenId) external view returns (Soul memory soul);

    /// @notice The sealer while the soul is provisional or sealed, suspended or not; else zero. The
    /// certificate's owner is derived from it. Never reverts.
    /// @dev Warning: the sealer of a suspended soul has no authority. For authority read
    /// {authorityOf}.
    /// @param tokenId The soul.
    /// @return sealer The sealer.
    function sealerOf(uint256 tokenId) external view returns (address sealer);

    /// @notice The current epoch: 1 from registration on, 0 for an id that was never given. Never
    /// reverts.
    /// @dev Warning: an epoch says nothing of validity. For both in one call read {liveEpochOf}.
    /// @param tokenId The soul.
    /// @return epoch The epoch.
    function epochOf(uint256 tokenId) external view returns (uint16 epoch);

    /// @notice The current epoch while the soul is valid, else 0: `isValid` and `epochOf` in one
    /// answer. Never reverts.
    /// @param tokenId The soul.
    /// @return epoch The epoch, or 0.
    function liveEpochOf(uint256 tokenId) external view returns (uint16 epoch);

    /// @notice The passport that the soul is bound to, or was until it ended. Never reverts.
    /// @dev Warning: 0 is a passport too, and the answer for an id that was never given.
    /// @param tokenId The soul.
    /// @return passportId The passport.
    function passportOf(uint256 tokenId) external view returns (uint256 passportId);

    /// @notice The soul bound to a passport, 0 for none. Never reverts.
    /// @dev Warning: a bound soul need not be valid. Check {isValid}.
    /// @param passportId The passport.
    /// @return tokenId The soul.
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId);

    /// @notice The soul that was given `name`, 0 for none. Never reverts.
    /// @dev Warning: the soul of a name need not be valid, and may have ended. Check {isValid}.
    /// @param name The given name.
    /// @return tokenId The soul.
    function tokenOfName(string calldata name) external view returns (uint256 tokenId);

    /// @notice The id that the next registration without a reservation gets.
    /// @return tokenId The token id.
    function nextTokenId() external view returns (uint256 tokenId);

    /// @notice The soul that succeeded a burned one: the first that was sealed as its successor; 0
    /// for none. Never reverts.
    /// @param tokenId The soul that ended.
    /// @return successor The soul that succeeded it.
    function successorOf(uint256 tokenId) external view returns (uint256 successor);

    /// @notice Whether the owner was attested to be a person, in this epoch, and the soul is valid
    /// now. Never reverts.
    /// @dev Warning: the answer is as good as the adapter that attested. It is about the owner, not
    /// about the operator.
    /// @param tokenId The soul.
    /// @return verified Whether the attestation holds.
    function humanVerified(uint256 tokenId) external view returns (bool verified);

    /// @notice The soul hash of the first seal; zero for a soul that was never sealed. Never
    /// reverts.
    /// @param tokenId The soul.
    /// @return soulHash The first soul hash.
    function genesisSoulHashOf(uint256 tokenId) external view returns (bytes32 soulHash);

    /// @notice The archive of the agent's DID document in the current epoch; zero for none. Never
    /// reverts.
    /// @dev Warning: it is not guaranteed that the archive holds a DID document. Compare its
    /// content with the chain.
    /// @param tokenId The soul.
    /// @return archiveId The archive id.
    function didArchiveOf(uint256 tokenId) external view returns (bytes32 archiveId);

    /// @notice The archive id of the last binding of an existing passport, seal, revision or
    /// reseal. Zero for a soul that was registered with a new passport or in a batch and has not
    /// changed since. Never reverts.
    /// @dev Warning: the registrar chose it unsigned. Compare the content with the soul hash.
    /// @param tokenId The soul.
    /// @return archiveId The archive id.
    function archiveOf(uint256 tokenId) external view returns (bytes32 archiveId);

    /// @notice How many decisions of its owners were carried out since the registration, seals,
    /// reseals and the end included: every owner's operation on the soul is signed over it, so that
    /// what was withheld or comes out of order is dead, even where a value is back to what it was.
    /// It never goes back, in no epoch. What an owner writes to its passport is not counted here.
    /// Never reverts.
    /// @param tokenId The soul.
    /// @return version The version that the next operation is signed over.
    function versionOf(uint256 tokenId) external view returns (uint32 version);

    /// @notice Whether the mark of {suspend} stands. Never reverts.
    /// @param tokenId The soul.
    /// @return suspended Whether the soul is suspended until a {reseal} or {release}.
    function isSuspended(uint256 tokenId) external view returns (bool suspended);

    /// @notice The last observation of {suspend}; all zero when no mark stands. Never reverts.
    /// @param tokenId The soul.
    /// @return observedOwner The passport's owner that was observed.
    /// @return observedBlock The block of the observation, which a {Reseal} or {Release} names.
    /// @return observedAt Its time (Unix seconds). The observation can be used for one day from
    /// then, both ends included.
    function suspensionOf(
        uint256 tokenId
    ) external view returns (address observedOwner, uint64 observedBlock, uint64 observedAt);
}
