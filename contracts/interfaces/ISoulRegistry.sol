// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
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
        /// The soul this one descends from, 0 for none; a soul sealed by the same owner.
        uint256 parentTokenId;
        /// The organization to join, 0 for none.
        uint256 organizationId;
        /// True: SEALED at once. False: PROVISIONAL.
        bool seal;
        uint256 nonce;
        uint256 deadline;
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

    /// @notice A soul was sealed by `sealer`. `agentURIHasIds` is false when the passport points at the file without ids and
    /// its owner should update it.
    event SoulSealed(
        uint256 indexed tokenId,
        uint256 indexed passportId,
        address indexed sealer,
        uint16 epoch,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        string archiveId,
        bool agentURIHasIds
    );

    /// @notice The name is not of the accepted form.
    error InvalidName(string name);

    /// @notice The name belongs to soul `tokenId`, in whatever state that is.
    error NameTaken(string name, uint256 tokenId);

    /// @notice A soul hash or Merkle root is zero.
    error EmptySoul();

    /// @notice `parentTokenId` names no soul sealed by `owner`.
    error InvalidParent(uint256 parentTokenId, address owner);

    /// @notice No organization with this id can be joined.
    error InvalidOrganization(uint256 organizationId);

    /// @notice This registry does not register in this way: with `bindPassport` true, `passportId` other than 0, or `seal` false.
    error UnsupportedRegistration(bool bindPassport, uint256 passportId, bool seal);

    /// @notice The passport id does not fit 64 bits.
    error PassportIdTooLarge(uint256 passportId);

    /// @notice A token was sent here that this contract is not registering in this very call.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice The ERC-8004 identity registry whose passports souls are bound to. A third party's upgradeable contract.
    function IDENTITY_REGISTRY() external view returns (address);

    /// @notice The certificates, one per soul, with the soul's token id.
    function CERTIFICATE() external view returns (ISoulCertificate);

    /// @notice Registers a new passport with its metadata, mints the certificate and seals the soul, in one transaction.
    /// Authority: the caller holds REGISTRAR_ROLE and `signature` is `registration.owner`'s.
    /// @return tokenId Id of the soul and its certificate, from 1.
    /// @return passportId Id of the ERC-8004 passport, from 0, owned by `registration.owner` when the call returns.
    function register(
        Registration calldata registration,
        Publication calldata publication,
        bytes calldata signature
    ) external returns (uint256 tokenId, uint256 passportId);

    /// @notice Whether the soul is sealed and its sealer owns the passport in this block. Never reverts.
    function isValid(uint256 tokenId) external view returns (bool);

    /// @notice Live validity, and the passport's live owner (zero when it cannot be read). Never reverts.
    function validityOf(uint256 tokenId) external view returns (Validity validity, address passportOwner);

    /// @notice The soul's record; all zero for an id that was never given. Never reverts.
    function soulOf(uint256 tokenId) external view returns (Soul memory);

    /// @notice The current epoch: 1 from registration on, 0 for an id that was never given. Never reverts.
    function epochOf(uint256 tokenId) external view returns (uint16);

    /// @notice The soul bound to a passport, 0 for none. Never reverts.
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId);

    /// @notice The soul that was given `name`, 0 for none. Never reverts.
    function tokenOfName(string calldata name) external view returns (uint256 tokenId);

    /// @notice The id that the next registration gets.
    function nextTokenId() external view returns (uint256);

    /// @notice The EIP-712 digest that `registration.owner` signs.
    function registrationDigest(Registration calldata registration) external view returns (bytes32);

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
