// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Organization registry
/// @notice Organizations and the agents that belong to them; an agent belongs to at most one.
/// Joining takes the agent's owner and the organization's admin, ending takes either. A membership
/// belongs to the soul's epoch in which it began. An organization changes hands only when its admin
/// and the next admin both agree.
/// @dev Warning: it is not guaranteed that an organization's name is unique, true, or even text.
interface IOrganizationRegistry is IOwnerAuthorization {
    /// @notice What an admin signs to found an organization (EIP-712 type `CreateOrganization`).
    struct CreateOrganization {
        /// 1 to 64 bytes.
        string name;
        address admin;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the agent's owner signs for the agent to join (EIP-712 type `Join`).
    struct Join {
        uint256 tokenId;
        /// The soul's current epoch.
        uint16 epoch;
        uint256 organizationId;
        /// The membership's version, see {membershipOf}: any join or end since then makes the
        /// signature worthless.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the organization's admin signs for an agent to join (EIP-712 type `Admission`).
    /// It has its own nonce and deadline, so that an invitation can wait for the owner, and an
    /// application for the admin.
    struct Admission {
        /// The fields up to `version` are those of the owner's {Join}.
        uint256 tokenId;
        uint16 epoch;
        uint256 organizationId;
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice The agreement of the second of two parties: the nonce, deadline and signature of the
    /// struct that it signed. The struct's other fields follow from the call. With an empty
    /// signature, nonce and deadline mean nothing.
    struct Consent {
        uint256 nonce;
        uint256 deadline;
        bytes signature;
    }

    /// @notice What the agent's owner or the organization's admin signs to end a membership
    /// (EIP-712 type `Leave`).
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

    /// @notice What an admin signs to name the next admin (EIP-712 type `ChangeAdmin`).
    struct ChangeAdmin {
        uint256 organizationId;
        /// Zero withdraws the pending admin.
        address newAdmin;
        /// The organization's version, see {versionOf}: any naming since then makes the signature
        /// worthless.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What the next admin signs to take the organization over (EIP-712 type
    /// `AcceptAdmin`).
    struct AcceptAdmin {
        uint256 organizationId;
        address newAdmin;
        /// The organization's version after {changeAdmin} named `newAdmin`: any naming since then
        /// makes the signature worthless.
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an admin signs to admit an agent in the very transaction that registers it
    /// (EIP-712 type `Admit`).
    struct Admit {
        /// The EIP-712 digest that the agent's owner signed on the soul registry: it admits this
        /// registration and no other.
        bytes32 registrationDigest;
        uint256 organizationId;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice An organization was founded. `organizationId` counts from 1; its version is 0.
    /// @param organizationId The new organization, from 1.
    /// @param admin Its admin.
    /// @param name Its name.
    event OrganizationCreated(uint256 indexed organizationId, address indexed admin, string name);

    /// @notice An agent joined. `owner` and `admin` are those who agreed, `version` is the
    /// membership's from now on, `memberCount` the organization's.
    /// @param tokenId The agent.
    /// @param organizationId The organization.
    /// @param owner The agent's owner.
    /// @param admin The organization's admin.
    /// @param epoch The epoch in which the membership began.
    /// @param version The membership's version from now on.
    /// @param memberCount How many memberships of the organization are recorded now.
    event MemberJoined(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        address indexed owner,
        address admin,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice The agents `firstTokenId` to `firstTokenId + count - 1` joined in the transaction
    /// that registered them. `owner` is their owner and the organization's admin, `version` is each
    /// membership's from now on, `memberCount` the organization's.
    /// @param organizationId The organization.
    /// @param owner The agents' owner, who is the organization's admin.
    /// @param firstTokenId The first agent.
    /// @param count How many agents.
    /// @param epoch The epoch in which the memberships began.
    /// @param version Each membership's version from now on.
    /// @param memberCount How many memberships of the organization are recorded now.
    event MembersJoined(
        uint256 indexed organizationId,
        address indexed owner,
        uint256 firstTokenId,
        uint256 count,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice A membership was ended by `endedBy`, the agent's owner or the organization's admin.
    /// @param tokenId The agent.
    /// @param organizationId The organization.
    /// @param endedBy The agent's owner or the organization's admin.
    /// @param epoch The epoch in which the membership began.
    /// @param version The membership's version from now on.
    /// @param memberCount How many memberships of the organization are recorded now.
    event MemberLeft(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        address indexed endedBy,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice The record of a membership that had died with its epoch was removed. `epoch` is the
    /// one it died with; `version` is the membership's as before.
    /// @param tokenId The agent.
    /// @param organizationId The organization.
    /// @param epoch The epoch with which the membership died.
    /// @param version The membership's version, as before.
    /// @param memberCount How many memberships of the organization are recorded now.
    event MemberPruned(
        uint256 indexed tokenId,
        uint256 indexed organizationId,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    );

    /// @notice `admin` named the next admin, who decides nothing before it accepts. Zero: there is
    /// no pending admin any more. `version` is what {acceptAdmin} and the next {changeAdmin} are
    /// signed over.
    /// @param organizationId The organization.
    /// @param admin The admin that named.
    /// @param pendingAdmin The pending admin; zero for none.
    /// @param version What the next signature on the hand-over names.
    event AdminNamed(
        uint256 indexed organizationId,
        address indexed admin,
        address indexed pendingAdmin,
        uint32 version
    );

    /// @notice The pending admin accepted and is the admin now. `version` is what the next
    /// {changeAdmin} is signed over.
    /// @param organizationId The organization.
    /// @param previousAdmin The admin before.
    /// @param admin The admin from now on.
    /// @param version What the next {changeAdmin} is signed over.
    event AdminChanged(
        uint256 indexed organizationId,
        address indexed previousAdmin,
        address indexed admin,
        uint32 version
    );

    /// @notice The name is empty or longer than 64 bytes.
    /// @param byteLength The name's length in bytes.
    error InvalidOrganizationName(uint256 byteLength);

    /// @notice No more organization can be founded: an id has 40 bits.
    error TooManyOrganizations();

    /// @notice No organization has this id; 0 stands for "independent".
    /// @param organizationId The id that was given.
    error UnknownOrganization(uint256 organizationId);

    /// @notice The agent has no live owner now: it is not sealed, burned, or its passport has
    /// moved.
    /// @param tokenId The agent.
    error NoOwner(uint256 tokenId);

    /// @notice The signed epoch is not the current one.
    /// @param tokenId The agent.
    /// @param epoch The epoch that was signed.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice What was signed over has changed since: the membership of agent `id`, or, in
    /// {changeAdmin} and {acceptAdmin}, the naming of an admin of organization `id`.
    /// @param id The agent, or the organization.
    /// @param version The version that was signed.
    /// @param current The current version.
    error WrongVersion(uint256 id, uint32 version, uint32 current);

    /// @notice The agent belongs to organization `organizationId` and has to leave it first.
    /// @param tokenId The agent.
    /// @param organizationId The organization that it belongs to.
    error AlreadyMember(uint256 tokenId, uint256 organizationId);

    /// @notice No membership of this agent in this organization, begun in this epoch, is recorded.
    /// @param tokenId The agent.
    /// @param organizationId The organization.
    /// @param epoch The epoch that was signed.
    error NotMember(uint256 tokenId, uint256 organizationId, uint16 epoch);

    /// @notice `signer` is neither the agent's live owner nor the organization's admin.
    /// @param signer The account that was named as the signer.
    /// @param owner The agent's live owner; zero when it has none.
    /// @param admin The organization's admin.
    error NotOwnerOrAdmin(address signer, address owner, address admin);

    /// @notice No membership is recorded, or it is not dead: its epoch is the current one and the
    /// soul is not burned.
    /// @param tokenId The agent.
    error NotPrunable(uint256 tokenId);

    /// @notice `account` was not named, or its naming was withdrawn. `pendingAdmin` is zero when no
    /// hand-over is pending.
    /// @param organizationId The organization.
    /// @param account The account that accepted.
    /// @param pendingAdmin The pending admin; zero for none.
    error NotPendingAdmin(uint256 organizationId, address account, address pendingAdmin);

    /// @notice The registering owner is not the organization's admin, and no consent of `admin` was
    /// given.
    /// @param organizationId The organization.
    /// @param admin The organization's admin.
    error AdminConsentRequired(uint256 organizationId, address admin);

    /// @notice The consent is not `abi.encode(nonce, deadline, signature)`.
    error MalformedAdminConsent();

    /// @notice Only the soul registry lets an agent join in the middle of its registration.
    /// @param caller Who called.
    error OnlySoulRegistry(address caller);

    /// @notice The registry of the agents.
    /// @return registry Its address, given at deployment.
    function SOUL_REGISTRY() external view returns (ISoulRegistry registry);

    /// @notice Founds an organization. Authority: `creation.admin`, by signature or as the caller
    /// with an empty one.
    /// @param creation Name and admin.
    /// @param signature The signature of `creation.admin`, or empty.
    /// @return organizationId Its id, from 1.
    function create(
        CreateOrganization calldata creation,
        bytes calldata signature
    ) external returns (uint256 organizationId);

    /// @notice Lets an agent join. Authority: the agent's owner and the organization's admin, each
    /// by its signature or as the caller with an empty one. When they are the same account,
    /// `adminConsent` is ignored. A membership that died with an earlier epoch is removed first.
    /// @param entry What the owner signs.
    /// @param ownerSignature The owner's signature over `entry`, or empty.
    /// @param adminConsent The admin's signature over the {Admission} of `entry`'s agent, epoch,
    /// organization and version, with its own nonce and deadline; or an empty signature.
    function join(Join calldata entry, bytes calldata ownerSignature, Consent calldata adminConsent) external;

    /// @notice Ends a membership. Authority: `signer`, by signature or as the caller with an empty
    /// one, who is the agent's live owner or the organization's admin. The admin may do so while
    /// the agent is suspended too. (Solidity is about to reserve the word `leave`.)
    /// @param departure The membership as recorded.
    /// @param signer The owner or the admin.
    /// @param signature The signature of `signer`, or empty.
    function leaveOrganization(Leave calldata departure, address signer, bytes calldata signature) external;

    /// @notice Names the next admin, in place of one named before, and raises the organization's
    /// version. Zero withdraws. Authority: the current admin, by signature or as the caller with an
    /// empty one. When the named account agrees in the same call, by its signature or as the
    /// caller, it is the admin at once; else it decides nothing before {acceptAdmin}.
    /// @param change What the current admin signs.
    /// @param adminSignature The current admin's signature over `change`, or empty.
    /// @param acceptance The signature of `change.newAdmin` over the {AcceptAdmin} of the raised
    /// version (`change.version + 1`), with its own nonce and deadline; or an empty signature.
    function changeAdmin(
        ChangeAdmin calldata change,
        bytes calldata adminSignature,
        Consent calldata acceptance
    ) external;

    /// @notice Makes the pending admin the admin. Authority: the pending admin, by signature or as
    /// the caller with an empty one.
    /// @param acceptance What the pending admin signs, over the version that its naming raised.
    /// @param signature The signature of `acceptance.newAdmin`, or empty.
    function acceptAdmin(AcceptAdmin calldata acceptance, bytes calldata signature) external;

    /// @notice Removes the record of a membership that died by a reseal or a burn. Any account may.
    /// It leaves the version alone, so that no signed invitation dies with it. A suspended agent's
    /// membership is not dead: it acts again when the passport returns.
    /// @param tokenId The agent.
    function prune(uint256 tokenId) external;

    /// @notice Lets an agent join in the transaction that registers it. Only the soul registry
    /// calls this, after it has verified `owner`'s signature over a registration that names
    /// `organizationId`; epoch 1 is what a registration begins.
    /// @param tokenId The agent, new in this transaction.
    /// @param organizationId The organization that the registration names.
    /// @param owner Who signed the registration.
    /// @param registrationDigest The EIP-712 digest that `owner` signed.
    /// @param adminConsent Ignored when `owner` is the admin; else `abi.encode(uint256 nonce,
    /// uint256 deadline, bytes signature)` with the admin's signature over {Admit}.
    function joinAtRegistration(
        uint256 tokenId,
        uint256 organizationId,
        address owner,
        bytes32 registrationDigest,
        bytes calldata adminConsent
    ) external;

    /// @notice As {joinAtRegistration} for agents with consecutive ids that `owner`, who must be
    /// the admin, registered with one signature.
    /// @param firstTokenId The first agent; all are new in this transaction.
    /// @param count How many agents, at least 1.
    /// @param organizationId The organization that the batch names.
    /// @param owner Who signed the batch.
    function joinBatch(uint256 firstTokenId, uint256 count, uint256 organizationId, address owner) external;

    /// @notice The organization that the agent belongs to now. Never reverts.
    /// @param tokenId The agent.
    /// @return organizationId 0 when independent or suspended, or when the membership has died.
    function organizationOf(uint256 tokenId) external view returns (uint256 organizationId);

    /// @notice Whether the agent belongs to the organization now: its membership began in the
    /// current epoch, and its sealer owns the passport in this block. Never reverts.
    /// @dev Warning: it says nothing of the name or merit of the organization. Know its id from a
    /// source that you trust.
    /// @param tokenId The agent.
    /// @param organizationId The organization; false for 0.
    /// @return member Whether it is a live member.
    function isMember(uint256 tokenId, uint256 organizationId) external view returns (bool member);

    /// @notice The membership as recorded, dead or alive. Never reverts.
    /// @dev Warning: the record may be dead. For a decision read {isMember} or {organizationOf}.
    /// @param tokenId The agent.
    /// @return organizationId The organization; 0 for none.
    /// @return epoch The epoch in which it began; 0 for none.
    /// @return version What the next {join} or {leaveOrganization} is signed over. A membership of
    /// the registration has version 1.
    function membershipOf(uint256 tokenId) external view returns (uint256 organizationId, uint16 epoch, uint32 version);

    /// @notice The organization's admin. Never reverts.
    /// @param organizationId The organization.
    /// @return admin The admin; zero for an unknown organization.
    function adminOf(uint256 organizationId) external view returns (address admin);

    /// @notice The account that was named as the next admin and has not accepted yet. Never
    /// reverts.
    /// @param organizationId The organization.
    /// @return pendingAdmin The pending admin; zero for none.
    function pendingAdminOf(uint256 organizationId) external view returns (address pendingAdmin);

    /// @notice How many memberships are recorded. Dead ones count until they are pruned or
    /// replaced; suspended ones count. Never reverts.
    /// @dev Warning: it counts dead and suspended members too.
    /// @param organizationId The organization.
    /// @return memberCount The number of members.
    function memberCountOf(uint256 organizationId) external view returns (uint64 memberCount);

    /// @notice What the next {changeAdmin}, and {acceptAdmin} by the pending admin, are signed
    /// over. Never reverts.
    /// @param organizationId The organization.
    /// @return version How many times an admin was named or withdrawn.
    function versionOf(uint256 organizationId) external view returns (uint32 version);

    /// @notice How many organizations were founded. Never reverts.
    /// @return count The highest id.
    function organizationCount() external view returns (uint256 count);
}
