// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Organization registry
/// @notice Organizations and the agents that belong to them; an agent belongs to at most one. Joining takes the agent's owner
/// and the organization's admin, ending takes either. A membership belongs to the soul's epoch in which it began.
/// What is not guaranteed: that an organization's name is unique, true, or even text.
interface IOrganizationRegistry is IOwnerAuthorization {
    /// @notice What an admin signs to found an organization (EIP-712 type `CreateOrganization`).
    struct CreateOrganization {
        /// 1 to 64 bytes.
        string name;
        address admin;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the agent's owner and the organization's admin sign for an agent to join (EIP-712 type `Join`).
    struct Join {
        uint256 tokenId;
        /// The soul's current epoch.
        uint16 epoch;
        uint256 organizationId;
        /// The membership's version, see {membershipOf}: any join or end since then makes the signature worthless.
        uint32 version;
        /// Used up for each of the two who signs.
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the agent's owner or the organization's admin signs to end a membership (EIP-712 type `Leave`).
    struct Leave {
        uint256 tokenId;
        /// The epoch in which the membership began.
        uint16 epoch;
        uint256 organizationId;
        /// The membership's version, see {membershipOf}.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an admin signs to hand the organization over (EIP-712 type `ChangeAdmin`).
    struct ChangeAdmin {
        uint256 organizationId;
        address newAdmin;
        /// The organization's version, see {versionOf}.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an admin signs to admit an agent in the very transaction that registers it (EIP-712 type `Admit`).
    struct Admit {
        /// The EIP-712 digest that the agent's owner signed on the soul registry: it admits this registration and no other.
        bytes32 registrationDigest;
        uint256 organizationId;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice An organization was founded. `organizationId` counts from 1; its version is 0.
    event OrganizationCreated(uint256 indexed organizationId, address indexed admin, string name);

    /// @notice An agent joined. `owner` and `admin` are those who agreed, `version` is the membership's from now on,
    /// `memberCount` the organization's.
    event MemberJoined(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        address indexed owner,
        address admin,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice A membership was ended by `endedBy`, the agent's owner or the organization's admin.
    event MemberLeft(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        address indexed endedBy,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice The record of a membership that had died with its epoch was removed. `epoch` is the one it died with.
    event MemberPruned(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice The organization has another admin. `version` is what the next {changeAdmin} is signed over.
    event AdminChanged(
        uint256 indexed organizationId,
        address indexed previousAdmin,
        address indexed admin,
        uint32 version
    );

    /// @notice The name is empty or longer than 64 bytes.
    error InvalidOrganizationName(uint256 byteLength);

    /// @notice No organization has this id; 0 stands for "independent" and is none.
    error UnknownOrganization(uint256 organizationId);

    /// @notice Nobody has an owner's authority over this agent now: it is not sealed, burned, or its passport has moved.
    error NoOwner(uint256 tokenId);

    /// @notice The signed epoch is not the current one.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice What was signed over has changed since: the membership of agent `id`, or with {changeAdmin} the organization `id`.
    error WrongVersion(uint256 id, uint32 version, uint32 current);

    /// @notice The agent belongs to organization `organizationId` and has to leave it first.
    error AlreadyMember(uint256 tokenId, uint256 organizationId);

    /// @notice No membership of this agent in this organization, begun in this epoch, is recorded.
    error NotMember(uint256 tokenId, uint256 organizationId, uint16 epoch);

    /// @notice `signer` is neither the agent's live owner nor the organization's admin.
    error NotOwnerOrAdmin(address signer, address owner, address admin);

    /// @notice There is no record, or it is not dead: its epoch is the current one and the soul is not burned.
    error NotPrunable(uint256 tokenId);

    /// @notice An organization always has an admin.
    error InvalidAdmin();

    /// @notice The registering owner is not the organization's admin, and no consent of `admin` was given.
    error AdminConsentRequired(uint256 organizationId, address admin);

    /// @notice The consent is not `abi.encode(nonce, deadline, signature)`.
    error MalformedAdminConsent();

    /// @notice Only the soul registry lets an agent join in the middle of its registration.
    error OnlySoulRegistry(address caller);

    /// @notice The registry of the agents.
    function SOUL_REGISTRY() external view returns (ISoulRegistry);

    /// @notice Founds an organization. Authority: `creation.admin`, by signature or as the caller with an empty one.
    /// @return organizationId Its id, from 1.
    function create(
        CreateOrganization calldata creation,
        bytes calldata signature
    ) external returns (uint256 organizationId);

    /// @notice Lets an agent join. Authority: the agent's owner and the organization's admin, each by its signature over the
    /// same struct or as the caller with an empty one. When they are one and the same, `adminSignature` is not looked at.
    /// A membership that died with an earlier epoch is removed first.
    function join(Join calldata entry, bytes calldata ownerSignature, bytes calldata adminSignature) external;

    /// @notice Ends a membership. Authority: `signer`, by signature or as the caller with an empty one, who is the agent's live
    /// owner or the organization's admin. The admin may do so while the agent is suspended too. (Solidity is about to reserve the
    /// word `leave`.)
    function leaveOrganization(Leave calldata departure, address signer, bytes calldata signature) external;

    /// @notice Hands an organization over, at once and without asking `newAdmin`. Authority: the current admin, by signature or
    /// as the caller with an empty one.
    function changeAdmin(ChangeAdmin calldata change, bytes calldata signature) external;

    /// @notice Removes the record of a membership that died by a reseal or a burn. Anybody may. A suspended agent's membership
    /// is not dead: it acts again when the passport returns.
    function prune(uint256 tokenId) external;

    /// @notice Lets an agent join in the transaction that registers it. Only the soul registry calls this, after it has verified
    /// `owner`'s signature over a registration that names `organizationId`; epoch 1 is what a registration begins.
    /// @param registrationDigest The EIP-712 digest that `owner` signed.
    /// @param adminConsent Not looked at when `owner` is the admin; else `abi.encode(uint256 nonce, uint256 deadline, bytes
    /// signature)` with the admin's signature over {Admit}.
    function joinAtRegistration(
        uint256 tokenId,
        uint256 organizationId,
        address owner,
        bytes32 registrationDigest,
        bytes calldata adminConsent
    ) external;

    /// @notice As {joinAtRegistration} for many agents that `owner`, who must be the admin, registered with one signature.
    function joinBatch(uint256[] calldata tokenIds, uint256 organizationId, address owner) external;

    /// @notice The organization that the agent belongs to now; 0 when independent, suspended, or the membership has died.
    /// Never reverts.
    function organizationOf(uint256 tokenId) external view returns (uint256 organizationId);

    /// @notice Whether the agent belongs to the organization now: its membership began in the current epoch, and its sealer owns
    /// the passport in this block. False for organization 0. Never reverts.
    function isMember(uint256 tokenId, uint256 organizationId) external view returns (bool);

    /// @notice The membership as recorded, dead or alive: organization (0 for none), the epoch in which it began, and the
    /// version that the next {join} or {leaveOrganization} is signed over. Never reverts.
    function membershipOf(uint256 tokenId) external view returns (uint256 organizationId, uint16 epoch, uint32 version);

    /// @notice The organization's admin; zero for an unknown one. Never reverts.
    function adminOf(uint256 organizationId) external view returns (address);

    /// @notice How many memberships are recorded. Dead ones count until they are pruned or replaced; suspended ones count.
    /// Never reverts.
    function memberCountOf(uint256 organizationId) external view returns (uint64);

    /// @notice The version that the next {changeAdmin} is signed over. Never reverts.
    function versionOf(uint256 organizationId) external view returns (uint32);

    /// @notice How many organizations were founded: the highest id. Never reverts.
    function organizationCount() external view returns (uint256);
}
