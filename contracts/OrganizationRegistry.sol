// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
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

    /// @dev What every registration begins with.
    uint16 private constant FIRST_EPOCH = 1;

    bytes32 private constant CREATE_TYPEHASH = keccak256(
        "CreateOrganization(string name,address admin,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant JOIN_TYPEHASH = keccak256(
        "Join(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant LEAVE_TYPEHASH = keccak256(
        "Leave(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant CHANGE_ADMIN_TYPEHASH = keccak256(
        "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
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
        uint32 version;
    }

    struct Membership {
        /// Zero when none is recorded; the version stays.
        uint128 organizationId;
        uint16 epoch;
        uint32 version;
    }

    mapping(uint256 organizationId => Organization organization) private _organizations;
    mapping(uint256 tokenId => Membership membership) private _memberships;

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

        organizationId = ++organizationCount;
        _organizations[organizationId].admin = creation.admin;

        emit OrganizationCreated(organizationId, creation.admin, creation.name);
    }

    /// @inheritdoc IOrganizationRegistry
    function changeAdmin(ChangeAdmin calldata change, bytes calldata signature) external {
        address previousAdmin = _knownAdmin(change.organizationId);
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
        _authorizeOrCaller(previousAdmin, structHash, change.nonce, change.deadline, signature);

        Organization storage organization = _organizations[change.organizationId];
        if (change.version != organization.version) {
            revert WrongVersion(change.organizationId, change.version, organization.version);
        }
        if (change.newAdmin == address(0)) revert InvalidAdmin();

        organization.admin = change.newAdmin;
        organization.version = change.version + 1;

        emit AdminChanged(change.organizationId, previousAdmin, change.newAdmin, change.version + 1);
    }

    /* MEMBERSHIPS */

    /// @inheritdoc IOrganizationRegistry
    function join(Join calldata entry, bytes calldata ownerSignature, bytes calldata adminSignature) external {
        address admin = _knownAdmin(entry.organizationId);
        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(entry.tokenId);
        if (owner == address(0)) revert NoOwner(entry.tokenId);

        // Authority comes before the preconditions, so that a repeated submission answers "this nonce was used".
        bytes32 structHash = keccak256(
            abi.encode(
                JOIN_TYPEHASH,
                entry.tokenId,
                entry.epoch,
                entry.organizationId,
                entry.version,
                entry.nonce,
                entry.deadline
            )
        );
        _authorizeOrCaller(owner, structHash, entry.nonce, entry.deadline, ownerSignature);
        if (admin != owner) _authorizeOrCaller(admin, structHash, entry.nonce, entry.deadline, adminSignature);

        if (entry.epoch != epoch) revert WrongEpoch(entry.tokenId, entry.epoch, epoch);
        Membership storage membership = _memberships[entry.tokenId];
        if (entry.version != membership.version) {
            revert WrongVersion(entry.tokenId, entry.version, membership.version);
        }
        if (membership.organizationId != 0) {
            if (membership.epoch == epoch) revert AlreadyMember(entry.tokenId, membership.organizationId);
            _prune(entry.tokenId, membership);
        }

        Organization storage organization = _organizations[entry.organizationId];
        _record(entry.tokenId, entry.organizationId, owner, admin, epoch, ++organization.memberCount);
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

        // The soul's current epoch does not matter: a dead membership may be ended as well as a live one.
        Membership storage membership = _memberships[departure.tokenId];
        if (departure.version != membership.version) {
            revert WrongVersion(departure.tokenId, departure.version, membership.version);
        }
        if (departure.organizationId != membership.organizationId || departure.epoch != membership.epoch) {
            revert NotMember(departure.tokenId, departure.organizationId, departure.epoch);
        }

        (uint32 version, uint64 memberCount) = _remove(membership);

        emit MemberLeft(departure.tokenId, departure.organizationId, signer, departure.epoch, version, memberCount);
    }

    /// @inheritdoc IOrganizationRegistry
    function prune(uint256 tokenId) external {
        Membership storage membership = _memberships[tokenId];
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

        Organization storage organization = _organizations[organizationId];
        _record(tokenId, organizationId, owner, admin, FIRST_EPOCH, ++organization.memberCount);
    }

    /// @inheritdoc IOrganizationRegistry
    function joinBatch(uint256[] calldata tokenIds, uint256 organizationId, address owner) external {
        _checkSoulRegistry();
        address admin = _knownAdmin(organizationId);
        if (admin != owner) revert AdminConsentRequired(organizationId, admin);

        uint64 memberCount = _organizations[organizationId].memberCount;
        for (uint256 i = 0; i < tokenIds.length; ++i) {
            _record(tokenIds[i], organizationId, owner, admin, FIRST_EPOCH, ++memberCount);
        }
        _organizations[organizationId].memberCount = memberCount;
    }

    /* READS */

    /// @inheritdoc IOrganizationRegistry
    function organizationOf(uint256 tokenId) external view returns (uint256 organizationId) {
        Membership storage membership = _memberships[tokenId];
        return _isLive(tokenId, membership) ? membership.organizationId : 0;
    }

    /// @inheritdoc IOrganizationRegistry
    function isMember(uint256 tokenId, uint256 organizationId) external view returns (bool) {
        Membership storage membership = _memberships[tokenId];
        return membership.organizationId == organizationId && _isLive(tokenId, membership);
    }

    /// @inheritdoc IOrganizationRegistry
    function membershipOf(
        uint256 tokenId
    ) external view returns (uint256 organizationId, uint16 epoch, uint32 version) {
        Membership storage membership = _memberships[tokenId];
        return (membership.organizationId, membership.epoch, membership.version);
    }

    /// @inheritdoc IOrganizationRegistry
    function adminOf(uint256 organizationId) external view returns (address) {
        return _organizations[organizationId].admin;
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

    function _isLive(uint256 tokenId, Membership storage membership) private view returns (bool) {
        if (membership.organizationId == 0) return false;

        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        return owner != address(0) && membership.epoch == epoch;
    }

    /// @dev The caller has counted the member and knows that no membership is recorded.
    function _record(
        uint256 tokenId,
        uint256 organizationId,
        address owner,
        address admin,
        uint16 epoch,
        uint64 memberCount
    ) private {
        Membership storage membership = _memberships[tokenId];
        uint32 version = membership.version + 1;
        // Ids are given out one by one: no organization's id comes near 128 bits.
        membership.organizationId = uint128(organizationId);
        membership.epoch = epoch;
        membership.version = version;

        emit MemberJoined(tokenId, organizationId, owner, admin, epoch, version, memberCount);
    }

    function _prune(uint256 tokenId, Membership storage membership) private {
        uint256 organizationId = membership.organizationId;
        uint16 epoch = membership.epoch;
        (uint32 version, uint64 memberCount) = _remove(membership);

        emit MemberPruned(tokenId, organizationId, epoch, version, memberCount);
    }

    function _remove(Membership storage membership) private returns (uint32 version, uint64 memberCount) {
        version = membership.version + 1;
        memberCount = --_organizations[membership.organizationId].memberCount;
        membership.organizationId = 0;
        membership.epoch = 0;
        membership.version = version;
    }

    /// @dev Strict about the one form that `abi.encode(uint256, uint256, bytes)` has, so that a signature is read from nowhere
    /// else in the calldata.
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
