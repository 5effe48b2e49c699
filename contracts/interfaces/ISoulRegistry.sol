// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {IOrganizationRegistry} from "./IOrganizationRegistry.sol";
import {ISoulCertificate} from "./ISoulCertificate.sol";

/// @title Soul registry
/// @notice Binds a soul (the hash of an agent's self-description) to an ERC-8004 passport and a soulbound certificate.
/// A soul is registered by its owner's signature and submitted by a registrar; neither can do it alone.
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

    /// @notice Live answer to "may this soul be relied on now".
    /// NOT_LINKED: no sealed soul, or its passport cannot be read; SUSPENDED: sealed, but the passport's live owner is not
    /// the sealer; VALID: sealed, and the sealer owns the passport in this block.
    enum Validity {
        NOT_LINKED,
        SUSPENDED,
        VALID
    }

    /// @notice What an owner signs to bring an agent to life (EIP-712 type `Registration`, fields in this order).
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
        /// True: bind to the existing passport `passportId` (0 is a passport too). False: register a new one.
        bool bindPassport;
        /// The passport to bind; 0 when a new one is registered.
        uint256 passportId;
        /// The soul this one descends from, 0 for none. A living one is the owner's in this block; a burned one was when it ended.
        uint256 parentTokenId;
        /// The organization to join, 0 for none.
        uint256 organizationId;
        /// True: SEALED at once. False: PROVISIONAL.
        bool seal;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice One agent of a batch; the rest is common to all (EIP-712 type `BatchEntry`, fields in this order).
    struct BatchEntry {
        string name;
        AgentType agentType;
        address operator;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 contentHash;
    }

    /// @notice What an owner signs once to register many agents of an organization (EIP-712 type `RegistrationBatch`).
    struct RegistrationBatch {
        address owner;
        uint256 organizationId;
        BatchEntry[] entries;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice Where the registrar stored one agent of a batch. A batch writes no `svc*` metadata, so that it fits one
    /// transaction, and its files name no ids.
    struct BatchPublication {
        string archiveId;
        string agentURI;
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
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to record a change of the agent (EIP-712 type `RecordEvolution`). This contract carries out
    /// two kinds: `changeType` "soul_revision" replaces the soul, "operator_change" the operator.
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
        /// Of a revision: SHA-256 of its public record. Of an operator change: see {changeOperator}.
        bytes32 dataHash;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the passport's new owner signs to take over a suspended soul (EIP-712 type `Reseal`).
    struct Reseal {
        uint256 tokenId;
        /// The epoch that ends.
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        address newOwner;
        /// The agent's own account from now on; zero means that the owner acts for the agent.
        address operator;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 contentHash;
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

    /// @notice What an owner signs to write its passport's URI through this contract (EIP-712 type `SetAgentURI`). The passport's
    /// owner must have approved this contract on the identity registry.
    struct SetAgentURI {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        /// keccak256 of the URI that is replaced.
        bytes32 previousURIHash;
        string agentURI;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to write passport metadata through this contract (EIP-712 type `SetMetadata`). The passport's
    /// owner must have approved this contract on the identity registry.
    struct SetMetadata {
        uint256 tokenId;
        uint16 epoch;
        /// See {versionOf}: dead after any later decision.
        uint32 version;
        string key;
        /// keccak256 of the value that is replaced.
        bytes32 previousValueHash;
        bytes value;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice A proof that the owner is a person, for a verifier approved on the human verifier registry. Not covered by the
    /// owner's signature: the proof itself is bound to owner, name, chain and this contract.
    struct HumanProof {
        /// The adapter to ask; zero for no proof.
        address verifier;
        bytes data;
    }

    /// @notice Where the registrar stored what the owner signed. Not covered by the owner's signature: it names archive
    /// ids that exist only after signing. What stands behind them is checked against `soulHash` and `contentHash`.
    struct Publication {
        /// Id of the soul archive on permanent storage.
        string archiveId;
        /// URI of the registration file that names `expectedPassportId` and `expectedTokenId`.
        string agentURI;
        /// URI of the same file without ids, used when another registration came between.
        string agentURIWithoutIds;
        uint256 expectedPassportId;
        uint256 expectedTokenId;
    }

    /// @notice A soul's record.
    struct Soul {
        address sealer;
        uint64 passportId;
        uint16 epoch;
        Status status;
        AgentType agentType;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        /// Zero when the sealer acts for the agent.
        address operator;
        string name;
    }

    /// @notice A soul was registered, and its certificate minted to `owner`. `epoch` is 1 at registration.
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

    /// @notice A soul was sealed by `sealer`. `agentURIHasIds` is false when the passport points at another file than the one that
    /// names its ids, and its owner should update it. `verifier` attested that the sealer is a person, in this epoch only; zero
    /// for nobody.
    event SoulSealed(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed sealer,
        uint16 epoch,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        string archiveId,
        bool agentURIHasIds,
        address verifier
    );

    /// @notice A soul was revised by its owner. `dataHash` is the SHA-256 of the public record stored under `archiveId`.
    event SoulRevised(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed owner,
        bytes32 previousSoulHash,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 dataHash,
        string archiveId
    );

    /// @notice A suspended soul was taken over by its passport's new owner: a new epoch began, and everything that was granted
    /// in the one before is dead.
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
        string archiveId
    );

    /// @notice Somebody recorded that a soul's passport is owned by another than its sealer. Validity never depended on it.
    event SoulVerificationSuspended(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed observedOwner,
        address sealer
    );

    /// @notice A soul ended for ever; its passport is free to be bound again.
    event SoulBurned(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed owner,
        uint16 epoch,
        bytes32 reasonHash
    );

    /// @notice A soul was sealed by who registered it as the successor of a burned one; after its {SoulRegistered} and {SoulSealed},
    /// in the transaction of the latter.
    /// `soulContinuity`: its hash is the parent's last one; `soulHashMatch`: it is the parent's first one.
    event SoulReincarnated(
        uint256 indexed tokenId,
        uint256 indexed parentTokenId,
        bool soulContinuity,
        bool soulHashMatch
    );

    /// @notice The agent's own account changed; zero means that the owner acts for the agent. `version` counts this
    /// decision, as in {OwnerDecided}.
    event OperatorChanged(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed operator,
        address previousOperator,
        uint32 version
    );

    /// @notice An owner's decision was carried out; `version` is what the next one is made over. Emitted before the events that say
    /// what was decided, by every operation but registrations.
    event OwnerDecided(uint256 indexed tokenId, uint32 version);

    /// @notice The agent's DID document is now the one stored under `archiveId` (32 bytes, base64url in `ar://`).
    event DidArchiveSet(uint256 indexed tokenId, uint16 indexed epoch, bytes32 archiveId, bytes32 previousArchiveId);

    /// @notice `svc*` metadata was left out of a passport, because this contract is not approved on it or a batch had to fit.
    event MetadataPending(uint256 indexed tokenId, uint256 indexed passportId);

    /// @notice The soul is not in the state that this operation needs.
    error WrongStatus(uint256 tokenId, Status status);

    /// @notice The signed epoch is not the soul's current one.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The sealer does not own the passport in this block: nothing owner-granted acts until a reseal.
    error SoulSuspended(uint256 tokenId, address sealer, address passportOwner);

    /// @notice The passport's owner is the sealer: there is nothing to suspend or to take over.
    error NotSuspended(uint256 tokenId);

    /// @notice This owner was observed before; a suspension is recorded again only for another one.
    error AlreadySuspended(uint256 tokenId, address observedOwner);

    /// @notice A reseal needs a {suspend} that observed this very owner in an earlier block, so that nobody reseals with a
    /// passport borrowed for one transaction.
    error NotObserved(uint256 tokenId, address newOwner);

    /// @notice The signer does not own the passport.
    error NotPassportOwner(uint256 passportId, address account, address passportOwner);

    /// @notice A passport id was named for a new passport, whose id nobody chooses.
    error UnexpectedPassportId(uint256 passportId);

    /// @notice The passport carries soul `tokenId` already.
    error PassportAlreadyBound(uint256 passportId, uint256 tokenId);

    /// @notice An owner's decision was made over an older version: another one was made since. See {versionOf}.
    error WrongVersion(uint256 tokenId, uint32 version, uint32 current);

    /// @notice The value that was to be replaced is another one.
    error Outdated(uint256 tokenId, bytes32 expected, bytes32 current);

    /// @notice The change is none that this contract carries out, or its parts contradict each other.
    error InvalidEvolution(string changeType);

    /// @notice The passport's owner has not approved this contract on the identity registry.
    error NotApproved(uint256 passportId);

    /// @notice This metadata key is written from the soul's own state only.
    error ReservedMetadataKey(string key);

    /// @notice A batch is empty, or has another number of publications than of entries.
    error InvalidBatch(uint256 entries, uint256 publications);

    /// @notice One entry of a batch was refused; `reason` is its error.
    error BatchEntryRefused(uint256 index, bytes reason);

    /// @notice The name is not of the accepted form.
    error InvalidName(string name);

    /// @notice The name belongs to soul `tokenId`, in whatever state that is.
    error NameTaken(string name, uint256 tokenId);

    /// @notice A soul hash or Merkle root is zero.
    error EmptySoul();

    /// @notice `parentTokenId` names no soul of `owner`: neither a living one whose sealer and passport's owner it is, nor a burned one
    /// that it burned.
    error InvalidParent(uint256 parentTokenId, address owner);

    /// @notice The passport id does not fit 64 bits.
    error PassportIdTooLarge(uint256 passportId);

    /// @notice A token was sent here that this contract is not registering in this very call.
    error UnexpectedToken(address token, uint256 tokenId);

    /* CONSTANTS */

    /// @notice The ERC-8004 identity registry whose passports souls are bound to. A third party's upgradeable contract.
    function IDENTITY_REGISTRY() external view returns (address);

    /// @notice The certificates, one per soul, with the soul's token id.
    function CERTIFICATE() external view returns (ISoulCertificate);

    /// @notice The registry of approved human-verification adapters.
    function HUMAN_VERIFIERS() external view returns (address);

    /// @notice The organizations that a registration may join.
    function ORGANIZATION_REGISTRY() external view returns (IOrganizationRegistry);

    /* REGISTRATION: the registrar role and the owner's signature, both */

    /// @notice Registers a new passport, or binds one that its owner holds; mints the certificate, and seals the soul when
    /// `registration.seal` is true. With a burned parent it is a reincarnation, which {SoulReincarnated} says with the seal.
    /// Authority: the caller holds REGISTRAR_ROLE and `signature` is `registration.owner`'s.
    /// @param proof Used only with `seal` true: an attestation is possible once, with the first seal.
    /// @param adminConsent The organization admin's consent, where `organizationId` is not 0 and the owner is not its admin; see
    /// {IOrganizationRegistry-joinAtRegistration}.
    /// @return tokenId Id of the soul and its certificate, from 1.
    /// @return passportId Id of the ERC-8004 passport, from 0, owned by `registration.owner` when the call returns.
    function register(
        Registration calldata registration,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata adminConsent,
        bytes calldata signature
    ) external returns (uint256 tokenId, uint256 passportId);

    /// @notice Registers and seals many agents of one owner on new passports, all or none. Writes no `svc*` metadata.
    /// Authority: the caller holds REGISTRAR_ROLE and `signature` is `batch.owner`'s, who administers the organization where one
    /// is named.
    /// @return firstTokenId The others follow in the order of the entries.
    function registerBatch(
        RegistrationBatch calldata batch,
        BatchPublication[] calldata publications,
        bytes calldata signature
    ) external returns (uint256 firstTokenId);

    /* LIFE: the owner's signature, submitted by the registrar; or a direct call of the owner with an empty signature */

    /// @notice Seals a provisional soul. Authority: the sealer, who must own the passport.
    function seal(
        Seal calldata seal_,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata signature
    ) external;

    /// @notice Replaces a sealed soul by its revision. Authority: the sealer, who must own the passport.
    /// @param evolution `changeType` "soul_revision".
    /// @param archiveId Where the revision's public record is stored; not covered by the signature.
    function revise(RecordEvolution calldata evolution, string calldata archiveId, bytes calldata signature) external;

    /// @notice Takes over a soul whose passport was sold: a new epoch begins, the certificate moves to the new owner.
    /// Authority: `reseal_.newOwner`, who must own the passport and have been observed by {suspend} in an earlier block.
    function reseal(Reseal calldata reseal_, Publication calldata publication, bytes calldata signature) external;

    /* LIFE: the owner's signature, submitted by anybody; or a direct call of the owner with an empty signature */

    /// @notice Sets the agent's own account. Authority: the sealer, who must own the passport.
    /// @param evolution `changeType` "operator_change"; `newSoulHash` and `newSoulMerkleRoot` zero; `dataHash` is
    /// keccak256 of the operator's 20 bytes.
    function changeOperator(RecordEvolution calldata evolution, address operator, bytes calldata signature) external;

    /// @notice Ends a soul for ever. Its name stays taken, its passport is free to be bound again. Authority: the sealer, who
    /// must own the passport. A provisional soul can be burned too. Clears `svcStatus` where this contract is approved.
    function burn(Burn calldata burn_, bytes calldata signature) external;

    /// @notice Names the archive of the agent's DID document, for this epoch. Authority: the sealer, who must own the passport.
    function setDidArchive(SetDidArchive calldata change, bytes calldata signature) external;

    /// @notice Writes the passport's URI. Authority: the sealer, who must own the passport and have approved this contract on it.
    function setAgentURI(SetAgentURI calldata change, bytes calldata signature) external;

    /// @notice Writes passport metadata; keys beginning with `svc` are refused. Authority: the sealer, who must own the
    /// passport and have approved this contract on it.
    function setMetadata(SetMetadata calldata change, bytes calldata signature) external;

    /* ANYBODY */

    /// @notice Records that the passport is owned by another than the sealer. Needed before a reseal, and never read by {isValid}.
    function suspend(uint256 tokenId) external;

    /// @notice Writes `svcSoulHash`, `svcTokenId` and `svcStatus` to the passport from the soul's state, where this contract is
    /// approved on it.
    function syncMetadata(uint256 tokenId) external;

    /* READS */

    /// @notice What the other contracts of the protocol need to decide on an owner's operation, in one call. Never reverts.
    /// @return owner The sealer, while the soul is sealed and the sealer owns the passport in this block; else zero: then
    /// nobody has an owner's authority, and nothing that an owner granted may act.
    /// @return operator The agent's own account; the owner itself when none is set; zero exactly when `owner` is.
    /// @return epoch The current epoch. What was granted in another one is dead.
    function authorityOf(uint256 tokenId) external view returns (address owner, address operator, uint16 epoch);

    /// @notice Whether the soul is sealed and its sealer owns the passport in this block. Never reverts.
    function isValid(uint256 tokenId) external view returns (bool);

    /// @notice Live validity, and the passport's live owner (zero when it cannot be read). Never reverts.
    function validityOf(uint256 tokenId) external view returns (Validity validity, address passportOwner);

    /// @notice The soul's record; all zero for an id that was never given. Never reverts.
    function soulOf(uint256 tokenId) external view returns (Soul memory);

    /// @notice The current epoch: 1 from registration on, 0 for an id that was never given. Never reverts.
    function epochOf(uint256 tokenId) external view returns (uint16);

    /// @notice The current epoch while the soul is valid, else 0: `isValid` and `epochOf` in one answer. Never reverts.
    function liveEpochOf(uint256 tokenId) external view returns (uint16);

    /// @notice The soul bound to a passport, 0 for none. Never reverts.
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId);

    /// @notice The soul that was given `name`, 0 for none. Never reverts.
    function tokenOfName(string calldata name) external view returns (uint256 tokenId);

    /// @notice The id that the next registration gets.
    function nextTokenId() external view returns (uint256);

    /// @notice Whether the owner was attested to be a person, in this epoch, and still owns the passport. Never reverts.
    function humanVerified(uint256 tokenId) external view returns (bool);

    /// @notice The soul hash of the first seal; zero for a soul that was never sealed. Never reverts.
    function genesisSoulHashOf(uint256 tokenId) external view returns (bytes32);

    /// @notice The archive of the agent's DID document in the current epoch; zero for none. Never reverts.
    function didArchiveOf(uint256 tokenId) external view returns (bytes32);

    /// @notice How many decisions of its owners were carried out since the registration, seals, reseals and the burn included: every
    /// owner's operation on the soul is signed over it, so that what was withheld or comes out of order is dead, even where
    /// a value is back to what it was. It never goes back, in no epoch. What an owner writes on the identity registry
    /// itself is not counted. Never reverts.
    function versionOf(uint256 tokenId) external view returns (uint32);

    /// @notice The owner that the last {suspend} observed, and in which block; zero since the last reseal. Never reverts.
    function suspensionOf(uint256 tokenId) external view returns (address observedOwner, uint64 observedBlock);
}
