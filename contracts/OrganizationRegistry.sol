// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IOrganizationRegistry} from "./interfaces/IOrganizationRegistry.sol";
import {IOwnerAuthorization} from "./interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";

/// @title Organization registry
/// @notice See {IOrganizationRegistry}.
contract OrganizationRegistry is IOrganizationRegistry, OwnerAuthorization, ERC165 {
    /* CONSTANTS */

    uint256 private constant MAX_NAME_BYTES = 64;

    /// @dev The epoch that every registration begins, and the version of a membership that began
    /// with it.
    uint16 private constant FIRST_EPOCH = 1;
    uint32 private constant FIRST_VERSION = 1;

    /// @dev Organization ids that share a storage word, the bits of each, and a 1 in the place of
    /// each.
    uint256 private constant IDS_PER_WORD = 6;
    uint256 private constant ID_BITS = 40;
    uint256 private constant EVERY_PLACE =
        1 | (1 << ID_BITS) | (1 << (2 * ID_BITS)) | (1 << (3 * ID_BITS)) | (1 << (4 * ID_BITS)) | (1 << (5 * ID_BITS));

    bytes32 private constant CREATE_TYPEHASH = keccak256(
        "CreateOrganization(string name,address admin,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant JOIN_TYPEHASH = keccak256(
        "Join(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant ADMISSION_TYPEHASH = keccak256(
        "Admission(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant LEAVE_TYPEHASH = keccak256(
        "Leave(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant CHANGE_ADMIN_TYPEHASH = keccak256(
        "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant ACCEPT_ADMIN_TYPEHASH = keccak256(
        "AcceptAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant ADMIT_TYPEHASH = keccak256(
        "Admit(bytes32 registrationDigest,uint256 organizationId,uint256 nonce,uint256 deadline)"
    );

    /* IMMUTABLES */

    /// @inheritdoc IOrganizationRegistry
    ISoulRegistry public immutable SOUL_REGISTRY;

    /* STORAGE */

    struct Organization {
        /// Never zero once founded.
        address admin;
        uint64 memberCount;
        /// Raised by every naming of an admin.
        uint32 version;
        /// Zero when no hand-over is pending.
        address pendingAdmin;
    }

    struct Membership {
        /// Zero when none is recorded; the version stays.
        uint40 organizationId;
        uint16 epoch;
        uint32 version;
    }

    mapping(uint256 organizationId => Organization organization) private _organizations;
    /// Written at the first change after the registration; its version is then not zero, and
    /// {_registeredInto} says nothing.
    mapping(uint256 tokenId => Membership membership) private _memberships;
    /// The organizations that agents joined when they were registered, six ids a word: agent `n`
    /// has place `n % 6` of word `n / 6`. Written once for each agent.
    mapping(uint256 word => uint256 organizationIds) private _registeredInto;

    /// @inheritdoc IOrganizationRegistry
    uint256 public organizationCount;

    /* CONSTRUCTOR */

    constructor(ISoulRegistry soulRegistry) EIP712("OrganizationRegistry", "1") {
        SOUL_REGISTRY = soulRegistry;
    }

    /* ORGANIZATIONS */

    /// @inheritdoc IOrganizationRegistry
    function create(
        CreateOrganization calldata creation,
        bytes calldata signature
    ) external returns (uint256 organizationId) {
        bytes32 structHash = keccak256(
            abi.encode(
                CREATE_TYPEHASH,
                keccak256(bytes(creation.name)),
                creation.admin,
                creation.nonce,
                creation.deadline
            )
        );
        _authorizeOrCaller(creation.admin, structHash, creation.nonce, creation.deadline, signature);

        uint256 byteLength = bytes(creation.name).length;
        if (byteLength == 0 || byteLength > MAX_NAME_BYTES) revert InvalidOrganizationName(byteLength);
        if (organizationCount == type(uint40).max) revert TooManyOrganizations();

        organizationId = ++organizationCount;
        _organizations[organizationId].admin = creation.admin;

        emit OrganizationCreated(organizationId, creation.admin, creation.name);
    }

    /// @inheritdoc IOrganizationRegistry
    function changeAdmin(
        ChangeAdmin calldata change,
        bytes calldata adminSignature,
        Consent calldata acceptance
    ) external {
        address admin = _knownAdmin(change.organizationId);
        bytes32 structHash = keccak256(
            abi.encode(
                CHANGE_ADMIN_TYPEHASH,
                change.organizationId,
                change.newAdmin,
                change.version,
                change.nonce,
                change.deadline
            )
        );
        _authorizeOrCaller(admin, structHash, change.nonce, change.deadline, adminSignature);

        Organization storage organization = _organizations[change.organizationId];
        if (change.version != organization.version) {
            revert WrongVersion(change.organizationId, change.version, organization.version);
        }

        organization.pendingAdmin = change.newAdmin;
        organization.version = change.version + 1;

        emit AdminNamed(change.organizationId, admin, change.newAdmin, change.version + 1);

        if (acceptance.signature.length != 0 || msg.sender == change.newAdmin) {
            _acceptAdmin(
                AcceptAdmin(
                    change.organizationId,
                    change.newAdmin,
                    change.version + 1,
                    acceptance.nonce,
                    acceptance.deadline
                ),
                acceptance.signature
            );
        }
    }

    /// @inheritdoc IOrganizationRegistry
    function acceptAdmin(AcceptAdmin calldata acceptance, bytes calldata signature) external {
        _knownAdmin(acceptance.organizationId);
        _acceptAdmin(acceptance, signature);
    }

    /* MEMBERSHIPS */

    /// @inheritdoc IOrganizationRegistry
    function join(Join calldata entry, bytes calldata ownerSignature, Consent calldata adminConsent) external {
        address admin = _knownAdmin(entry.organizationId);
        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(entry.tokenId);
        if (owner == address(0)) revert NoOwner(entry.tokenId);

        // Authority comes before the preconditions, so that a repeated submission answers "this
        // nonce was used".
        _authorizeOrCaller(
            owner,
            _hashJoin(JOIN_TYPEHASH, entry, entry.nonce, entry.deadline),
            entry.nonce,
            entry.deadline,
            ownerSignature
        );
        if (admin != owner) {
            _authorizeOrCaller(
                admin,
                _hashJoin(ADMISSION_TYPEHASH, entry, adminConsent.nonce, adminConsent.deadline),
                adminConsent.nonce,
                adminConsent.deadline,
                adminConsent.signature
            );
        }

        if (entry.epoch != epoch) revert WrongEpoch(entry.tokenId, entry.epoch, epoch);
        Membership memory membership = _membershipOf(entry.tokenId);
        if (entry.version != membership.version) {
            revert WrongVersion(entry.tokenId, entry.version, membership.version);
        }
        if (membership.organizationId != 0) {
            if (membership.epoch == epoch) revert AlreadyMember(entry.tokenId, membership.organizationId);
            _prune(entry.tokenId, membership);
        }

        uint32 version = entry.version + 1;
        uint64 memberCount = ++_organizations[entry.organizationId].memberCount;
        // {create} gives out no id above 40 bits.
        _memberships[entry.tokenId] = Membership(uint40(entry.organizationId), epoch, version);

        emit MemberJoined(entry.tokenId, entry.organizationId, owner, admin, epoch, version, memberCount);
    }

    /// @inheritdoc IOrganizationRegistry
    function leaveOrganization(Leave calldata departure, address signer, bytes calldata signature) external {
        address admin = _knownAdmin(departure.organizationId);
        (address owner, , ) = SOUL_REGISTRY.authorityOf(departure.tokenId);
        if (signer == address(0) || (signer != owner && signer != admin)) {
            revert NotOwnerOrAdmin(signer, owner, admin);
        }
        bytes32 structHash = keccak256(
            abi.encode(
                LEAVE_TYPEHASH,
                departure.tokenId,
                departure.epoch,
                departure.organizationId,
                departure.version,
                departure.nonce,
                departure.deadline
            )
        );
        _authorizeOrCaller(signer, structHash, departure.nonce, departure.deadline, signature);

        // The soul's current epoch does not matter: a dead membership can be ended as well as a
        // live one.
        Membership memory membership = _membershipOf(departure.tokenId);
        if (departure.version != membership.version) {
            revert WrongVersion(departure.tokenId, departure.version, membership.version);
        }
        if (departure.organizationId != membership.organizationId || departure.epoch != membership.epoch) {
            revert NotMember(departure.tokenId, departure.organizationId, departure.epoch);
        }

        uint32 version = departure.version + 1;
        uint64 memberCount = _remove(departure.tokenId, membership.organizationId, version);

        emit MemberLeft(departure.tokenId, departure.organizationId, signer, departure.epoch, version, memberCount);
    }

    /// @inheritdoc IOrganizationRegistry
    function prune(uint256 tokenId) external {
        Membership memory membership = _membershipOf(tokenId);
        bool dead =
            membership.organizationId != 0 &&
                (SOUL_REGISTRY.epochOf(tokenId) != membership.epoch ||
                    SOUL_REGISTRY.soulOf(tokenId).status == ISoulRegistry.Status.BURNED);
        if (!dead) revert NotPrunable(tokenId);

        _prune(tokenId, membership);
    }

    /* REGISTRATION */

    /// @inheritdoc IOrganizationRegistry
    function joinAtRegistration(
        uint256 tokenId,
        uint256 organizationId,
        address owner,
        bytes32 registrationDigest,
        bytes calldata adminConsent
    ) external {
        _checkSoulRegistry();
        address admin = _knownAdmin(organizationId);
        if (admin != owner) {
            if (adminConsent.length == 0) revert AdminConsentRequired(organizationId, admin);
            (uint256 nonce, uint256 deadline, bytes calldata signature) = _decodeConsent(adminConsent);
            _authorize(
                admin,
                keccak256(abi.encode(ADMIT_TYPEHASH, registrationDigest, organizationId, nonce, deadline)),
                nonce,
                deadline,
                signature
            );
        }

        _register(tokenId, 1, organizationId);
        uint64 memberCount = ++_organizations[organizationId].memberCount;

        emit MemberJoined(tokenId, organizationId, owner, admin, FIRST_EPOCH, FIRST_VERSION, memberCount);
    }

    /// @inheritdoc IOrganizationRegistry
    function joinBatch(uint256 firstTokenId, uint256 count, uint256 organizationId, address owner) external {
        _checkSoulRegistry();
        address admin = _knownAdmin(organizationId);
        if (admin != owner) revert AdminConsentRequired(organizationId, admin);

        _register(firstTokenId, count, organizationId);
        // What fits a transaction is far below 64 bits.
        uint64 memberCount = _organizations[organizationId].memberCount + uint64(count);
        _organizations[organizationId].memberCount = memberCount;

        emit MembersJoined(organizationId, owner, firstTokenId, count, FIRST_EPOCH, FIRST_VERSION, memberCount);
    }

    /* READS */

    /// @inheritdoc IOrganizationRegistry
    function organizationOf(uint256 tokenId) external view returns (uint256 organizationId) {
        Membership memory membership = _membershipOf(tokenId);
        return _isLive(tokenId, membership) ? membership.organizationId : 0;
    }

    /// @inheritdoc IOrganizationRegistry
    function isMember(uint256 tokenId, uint256 organizationId) external view returns (bool) {
        Membership memory membership = _membershipOf(tokenId);
        return membership.organizationId == organizationId && _isLive(tokenId, membership);
    }

    /// @inheritdoc IOrganizationRegistry
    function membershipOf(
        uint256 tokenId
    ) external view returns (uint256 organizationId, uint16 epoch, uint32 version) {
        Membership memory membership = _membershipOf(tokenId);
        return (membership.organizationId, membership.epoch, membership.version);
    }

    /// @inheritdoc IOrganizationRegistry
    function adminOf(uint256 organizationId) external view returns (address) {
        return _organizations[organizationId].admin;
    }

    /// @inheritdoc IOrganizationRegistry
    function pendingAdminOf(uint256 organizationId) external view returns (address) {
        return _organizations[organizationId].pendingAdmin;
    }

    /// @inheritdoc IOrganizationRegistry
    function memberCountOf(uint256 organizationId) external view returns (uint64) {
        return _organizations[organizationId].memberCount;
    }

    /// @inheritdoc IOrganizationRegistry
    function versionOf(uint256 organizationId) external view returns (uint32) {
        return _organizations[organizationId].version;
    }

    /// @inheritdoc ERC165
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(IOrganizationRegistry).interfaceId ||
            interfaceId == type(IOwnerAuthorization).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    function _checkSoulRegistry() private view {
        if (msg.sender != address(SOUL_REGISTRY)) revert OnlySoulRegistry(msg.sender);
    }

    function _knownAdmin(uint256 organizationId) private view returns (address admin) {
        admin = _organizations[organizationId].admin;
        if (admin == address(0)) revert UnknownOrganization(organizationId);
    }

    function _isLive(uint256 tokenId, Membership memory membership) private view returns (bool) {
        if (membership.organizationId == 0) return false;

        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        return owner != address(0) && membership.epoch == epoch;
    }

    /// @dev {Join} and {Admission} have the same fields; only the nonce and the deadline are each
    /// signer's own.
    function _hashJoin(
        bytes32 typeHash,
        Join calldata entry,
        uint256 nonce,
        uint256 deadline
    ) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(typeHash, entry.tokenId, entry.epoch, entry.organizationId, entry.version, nonce, deadline)
            );
    }

    /// @dev The caller has seen that the organization exists.
    function _acceptAdmin(AcceptAdmin memory acceptance, bytes calldata signature) private {
        bytes32 structHash = keccak256(abi.encode(ACCEPT_ADMIN_TYPEHASH, acceptance));
        _authorizeOrCaller(acceptance.newAdmin, structHash, acceptance.nonce, acceptance.deadline, signature);

        Organization storage organization = _organizations[acceptance.organizationId];
        if (acceptance.version != organization.version) {
            revert WrongVersion(acceptance.organizationId, acceptance.version, organization.version);
        }
        address pendingAdmin = organization.pendingAdmin;
        // Zero cannot agree: it neither signs nor calls.
        if (acceptance.newAdmin != pendingAdmin) {
            revert NotPendingAdmin(acceptance.organizationId, acceptance.newAdmin, pendingAdmin);
        }

        address previousAdmin = organization.admin;
        organization.admin = pendingAdmin;
        organization.pendingAdmin = address(0);

        emit AdminChanged(acceptance.organizationId, previousAdmin, pendingAdmin, acceptance.version);
    }

    /// @dev The record of the last change, else what the registration wrote.
    function _membershipOf(uint256 tokenId) private view returns (Membership memory membership) {
        membership = _memberships[tokenId];
        if (membership.version != 0) return membership;

        uint256 organizationIds = _registeredInto[tokenId / IDS_PER_WORD];
        uint40 organizationId = uint40(organizationIds >> ((tokenId % IDS_PER_WORD) * ID_BITS));
        if (organizationId != 0) membership = Membership(organizationId, FIRST_EPOCH, FIRST_VERSION);
    }

    /// @dev Writes the organization's id in the places of `count` new agents, one word after the
    /// other.
    function _register(uint256 firstTokenId, uint256 count, uint256 organizationId) private {
        uint256 end = firstTokenId + count;
        for (uint256 tokenId = firstTokenId; tokenId < end;) {
            uint256 place = tokenId % IDS_PER_WORD;
            uint256 places = Math.min(IDS_PER_WORD - place, end - tokenId);
            uint256 mask = ((1 << (places * ID_BITS)) - 1) << (place * ID_BITS);
            _registeredInto[tokenId / IDS_PER_WORD] |= organizationId * (EVERY_PLACE & mask);
            tokenId += places;
        }
    }

    /// @dev The version stays: the membership was dead already, and any account may remove it.
    function _prune(uint256 tokenId, Membership memory membership) private {
        uint64 memberCount = _remove(tokenId, membership.organizationId, membership.version);

        emit MemberPruned(tokenId, membership.organizationId, membership.epoch, membership.version, memberCount);
    }

    function _remove(uint256 tokenId, uint256 organizationId, uint32 version) private returns (uint64 memberCount) {
        memberCount = --_organizations[organizationId].memberCount;
        _memberships[tokenId] = Membership(0, 0, version);
    }

    /// @dev Strict about the one form that `abi.encode(uint256, uint256, bytes)` has, so that a
    /// signature is read from nowhere else in the calldata.
    function _decodeConsent(
        bytes calldata consent
    ) private pure returns (uint256 nonce, uint256 deadline, bytes calldata signature) {
        if (consent.length < 0x80) revert MalformedAdminConsent();

        uint256 length = uint256(bytes32(consent[0x60:0x80]));
        if (uint256(bytes32(consent[0x40:0x60])) != 0x60 || length > consent.length - 0x80) {
            revert MalformedAdminConsent();
        }
        nonce = uint256(bytes32(consent[0x00:0x20]));
        deadline = uint256(bytes32(consent[0x20:0x40]));
        signature = consent[0x80:0x80 + length];
    }
}
