// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Vm} from "../utils/Vm.sol";
import {OrganizationRegistry} from "../../../contracts/OrganizationRegistry.sol";
import {IOrganizationRegistry} from "../../../contracts/interfaces/IOrganizationRegistry.sol";
import {IOwnerAuthorization} from "../../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {ProtocolHandler} from "./ProtocolHandler.sol";
import * as Types from "./SignedTypes.sol";

/// @dev What no call may ever do to an organization, or refuse it.
enum OrganizationRule {
    JOINED_WITHOUT_BOTH,
    ENDED_WITHOUT_RIGHT,
    LIVE_MEMBER_PRUNED,
    ADMIN_WITHOUT_BOTH,
    REFUSED_THOUGH_AGREED
}

/// @dev Founds organizations, and does everything that owners and admins may do with them and what
/// they may not. It keeps its own record of what both sides agreed on, and a second one that it
/// rebuilds from the logs alone.
abstract contract OrganizationsHandler is ProtocolHandler {
    uint256 internal constant MOST_ORGANIZATIONS = 4;

    struct Organization {
        address admin;
        address pendingAdmin;
        uint32 version;
        uint64 memberCount;
    }

    struct Membership {
        uint256 organizationId;
        uint16 epoch;
        uint32 version;
    }

    OrganizationRegistry public immutable ORGANIZATIONS;

    uint256 public organizationCount;
    mapping(OrganizationRule rule => uint256) public brokenHere;
    mapping(uint256 organizationId => Organization) private agreed;
    mapping(uint256 tokenId => Membership) private memberships;
    mapping(uint256 organizationId => Organization) private reported;
    mapping(uint256 tokenId => Membership) private reportedMemberships;
    bool private consented;

    constructor() {
        ORGANIZATIONS = OrganizationRegistry(address(souls.ORGANIZATION_REGISTRY()));
        listenTo(address(ORGANIZATIONS), "OrganizationRegistry", "1");
        createOrganization();
        createOrganization();
        for (uint256 i = 0; i < 4; ++i) {
            register();
            join();
        }
        succeeded = 0;
    }

    function agreedOn(uint256 organizationId) external view returns (Organization memory) {
        return agreed[organizationId];
    }

    function reportedOf(uint256 organizationId) external view returns (Organization memory) {
        return reported[organizationId];
    }

    function membershipOf(uint256 tokenId) external view returns (Membership memory) {
        return memberships[tokenId];
    }

    function reportedMembershipOf(uint256 tokenId) external view returns (Membership memory) {
        return reportedMemberships[tokenId];
    }

    /* ACTIONS */

    function organize() internal override {
        uint256 side = draw(16);
        if (side < 1) createOrganization();
        else if (side < 7) join();
        else if (side < 8) end();
        else if (side < 10) prune();
        else if (side < 14) changeAdmin();
        else acceptAdmin();
    }

    function createOrganization() private {
        if (organizationCount == MOST_ORGANIZATIONS) return;
        address admin = people[draw(PEOPLE)];
        (address signer, bool direct) = (mostly(admin), draw(2) == 0);
        uint256 nonce = nonceOf();
        bool expected = direct ? signer == admin : signsFor(signer, admin) && !used(admin, nonce);
        bytes memory fields = abi.encode(keccak256("Organization"), admin, nonce, type(uint256).max);
        bytes memory data = abi.encodeCall(
            ORGANIZATIONS.create,
            (
                IOrganizationRegistry.CreateOrganization("Organization", admin, nonce, type(uint256).max),
                words(signer, direct, Types.CREATE_ORGANIZATION, fields)
            )
        );
        bool success = attempt("createOrganization", direct ? signer : stranger, data);
        judge(success, expected, OrganizationRule.ADMIN_WITHOUT_BOTH);
        if (success) agreed[++organizationCount].admin = admin;
    }

    /// @dev The owner's part and the admin's, mostly by them; the owner calls itself or signs.
    function join() private {
        uint256 tokenId = anyLive();
        Membership memory membership = memberships[tokenId];
        IOrganizationRegistry.Join memory entry = IOrganizationRegistry.Join({
            tokenId: tokenId,
            epoch: ghosts[tokenId].epoch,
            organizationId: draw(organizationCount + 2),
            version: draw(10) == 0 ? membership.version + 1 : membership.version,
            nonce: nonceOf(),
            deadline: type(uint256).max
        });
        IOrganizationRegistry.Consent memory consent;
        (consent.nonce, consent.deadline) = (nonceOf(), type(uint256).max);
        (address signer, bool direct) = (mostly(liveOwnerOf(tokenId)), draw(3) == 0);
        address adminSigner = mostly(agreed[entry.organizationId].admin);
        bool isMember = membership.organizationId != 0 && membership.epoch == entry.epoch;
        bool expected =
            !isMember &&
                entry.version == membership.version &&
                agreeToJoin(entry, consent.nonce, signer, direct, adminSigner);
        consent.signature = words(adminSigner, false, Types.ADMISSION, fieldsOf(entry, consent.nonce));
        bytes memory signature = words(signer, direct, Types.JOIN, fieldsOf(entry, entry.nonce));
        bytes memory data = abi.encodeCall(ORGANIZATIONS.join, (entry, signature, consent));
        bool success = attempt("join", direct ? signer : stranger, data);
        judge(success, expected, OrganizationRule.JOINED_WITHOUT_BOTH);
        if (!success) return;
        if (membership.organizationId != 0) --agreed[membership.organizationId].memberCount;
        enrol(tokenId, Membership(entry.organizationId, entry.epoch, entry.version + 1));
    }

    function agreeToJoin(
        IOrganizationRegistry.Join memory entry,
        uint256 adminNonce,
        address signer,
        bool direct,
        address adminSigner
    ) private view returns (bool) {
        address owner = liveOwnerOf(entry.tokenId);
        address admin = agreed[entry.organizationId].admin;
        if (owner == address(0) || admin == address(0)) return false;
        bool ownerAgrees = direct ? signer == owner : signsFor(signer, owner) && !used(owner, entry.nonce);
        bool adminAgrees = admin == owner || (signsFor(adminSigner, admin) && !used(admin, adminNonce));
        return ownerAgrees && adminAgrees;
    }

    function end() private {
        uint256 tokenId = anyLive();
        for (uint256 i = 0; i < 10 && memberships[tokenId].organizationId == 0; ++i) tokenId = anyToken();
        Membership memory membership = memberships[tokenId];
        IOrganizationRegistry.Leave memory departure = IOrganizationRegistry.Leave({
            tokenId: tokenId,
            epoch: membership.epoch,
            organizationId: draw(8) == 0 ? draw(organizationCount + 2) : membership.organizationId,
            version: draw(10) == 0 ? membership.version + 1 : membership.version,
            nonce: nonceOf(),
            deadline: type(uint256).max
        });
        address admin = agreed[departure.organizationId].admin;
        address named = mostly(draw(2) == 0 ? admin : liveOwnerOf(tokenId));
        (address signer, bool direct) = (mostly(named), draw(2) == 0);
        bool expected =
            membership.organizationId != 0 &&
                departure.organizationId == membership.organizationId &&
                departure.version == membership.version &&
                (named == admin || named == liveOwnerOf(tokenId)) &&
                (direct ? signer == named : signsFor(signer, named) && !used(named, departure.nonce));
        bytes memory signature = words(signer, direct, Types.LEAVE, abi.encode(departure));
        bytes memory data = abi.encodeCall(ORGANIZATIONS.leaveOrganization, (departure, named, signature));
        bool success = attempt("leave", direct ? signer : stranger, data);
        judge(success, expected, OrganizationRule.ENDED_WITHOUT_RIGHT);
        if (success) expel(tokenId, membership.version + 1);
    }

    function prune() private {
        uint256 tokenId = anyToken();
        for (uint256 i = 0; i < 16 && !isDead(tokenId); ++i) tokenId = anyToken();
        bool success = attempt("prune", stranger, abi.encodeCall(ORGANIZATIONS.prune, (tokenId)));
        judge(success, isDead(tokenId), OrganizationRule.LIVE_MEMBER_PRUNED);
        if (success) expel(tokenId, memberships[tokenId].version);
    }

    /// @dev The admin names another, or none; that one often agrees at once, by its signature or as
    /// the one that submits.
    function changeAdmin() private {
        IOrganizationRegistry.ChangeAdmin memory change;
        change.organizationId = 1 + draw(organizationCount);
        change.newAdmin = draw(8) == 0 ? address(0) : people[draw(PEOPLE)];
        change.version = agreed[change.organizationId].version;
        if (draw(10) == 0) ++change.version;
        (change.nonce, change.deadline) = (nonceOf(), type(uint256).max);
        (address signer, bool direct) = (mostly(agreed[change.organizationId].admin), draw(3) == 0);
        address caller =
            direct
                ? signer
                : draw(4) == 0
                    ? mostly(change.newAdmin)
                    : stranger;
        (IOrganizationRegistry.Consent memory acceptance, bool accepts) = acceptanceOf(change);
        bool signed = acceptance.signature.length != 0;
        bool accepted = signed || caller == change.newAdmin;
        bool expected = names(change, signer, direct) && (accepts || !signed);
        bytes memory signature = words(signer, direct, Types.CHANGE_ADMIN, abi.encode(change));
        bytes memory data = abi.encodeCall(ORGANIZATIONS.changeAdmin, (change, signature, acceptance));
        bool success = attempt("changeAdmin", caller, data);
        // One account's one nonce for both its words works for the first.
        if (!success && change.nonce == acceptance.nonce) return;
        judge(success, expected, OrganizationRule.ADMIN_WITHOUT_BOTH);
        if (!success) return;
        Organization storage organization = agreed[change.organizationId];
        ++organization.version;
        organization.pendingAdmin = accepted ? address(0) : change.newAdmin;
        if (accepted) organization.admin = change.newAdmin;
    }

    /// @dev `accepts`: whether this is the consent of the one that is named.
    function acceptanceOf(
        IOrganizationRegistry.ChangeAdmin memory change
    ) private returns (IOrganizationRegistry.Consent memory acceptance, bool accepts) {
        (acceptance.nonce, acceptance.deadline) = (nonceOf(), type(uint256).max);
        if (change.newAdmin == address(0) || draw(3) != 0) return (acceptance, false);
        address signer = mostly(change.newAdmin);
        acceptance.signature = words(
            signer,
            false,
            Types.ACCEPT_ADMIN,
            abi.encode(
                change.organizationId,
                change.newAdmin,
                change.version + 1,
                acceptance.nonce,
                acceptance.deadline
            )
        );
        accepts = signsFor(signer, change.newAdmin) && !used(change.newAdmin, acceptance.nonce);
    }

    function names(
        IOrganizationRegistry.ChangeAdmin memory change,
        address signer,
        bool direct
    ) private view returns (bool) {
        Organization storage organization = agreed[change.organizationId];
        bool isAdmin =
            direct
                ? signer == organization.admin
                : signsFor(signer, organization.admin) && !used(organization.admin, change.nonce);
        return isAdmin && change.version == organization.version;
    }

    function acceptAdmin() private {
        uint256 id = 1 + draw(organizationCount);
        for (uint256 i = 0; i < 9 && agreed[id].pendingAdmin == address(0); ++i) id = 1 + draw(organizationCount);
        Organization storage organization = agreed[id];
        IOrganizationRegistry.AcceptAdmin memory acceptance = IOrganizationRegistry.AcceptAdmin(
            id,
            mostly(organization.pendingAdmin),
            draw(10) == 0 ? organization.version + 1 : organization.version,
            nonceOf(),
            type(uint256).max
        );
        (address signer, bool direct) = (mostly(acceptance.newAdmin), draw(2) == 0);
        bool expected =
            acceptance.newAdmin == organization.pendingAdmin &&
                acceptance.version == organization.version &&
                (
                    direct
                        ? signer == acceptance.newAdmin
                        : signsFor(signer, acceptance.newAdmin) && !used(acceptance.newAdmin, acceptance.nonce)
                );
        bytes memory signature = words(signer, direct, Types.ACCEPT_ADMIN, abi.encode(acceptance));
        bytes memory data = abi.encodeCall(ORGANIZATIONS.acceptAdmin, (acceptance, signature));
        bool success = attempt("acceptAdmin", direct ? signer : stranger, data);
        judge(success, expected, OrganizationRule.ADMIN_WITHOUT_BOTH);
        if (success) (organization.admin, organization.pendingAdmin) = (acceptance.newAdmin, address(0));
    }

    /* REGISTRATION */

    function organizationFor(address owner) internal override returns (uint256 organizationId) {
        consented = false;
        if (organizationCount == 0 || draw(3) != 0) return 0;
        organizationId = 1 + draw(organizationCount + (draw(8) == 0 ? 1 : 0));
        for (uint256 id = 1; id <= organizationCount; ++id) {
            if (agreed[id].admin == owner && draw(2) == 0) organizationId = id;
        }
    }

    function consentTo(
        uint256 organizationId,
        address owner,
        bytes32 registrationDigest
    ) internal override returns (bytes memory) {
        address admin = agreed[organizationId].admin;
        if (admin == address(0) || admin == owner) return "";
        address signer = mostly(admin);
        consented = signsFor(signer, admin);
        (uint256 nonce, uint256 deadline) = (nonceOf(), type(uint256).max);
        bytes memory fields = abi.encode(registrationDigest, organizationId, nonce, deadline);
        return abi.encode(nonce, deadline, words(signer, false, Types.ADMIT, fields));
    }

    /// @dev By the organization, although its admin is the owner or gave its consent.
    function refusedIn(uint256 organizationId, address owner, bytes memory answer) internal override {
        address admin = agreed[organizationId].admin;
        if (admin == address(0) || (admin != owner && !consented)) return;
        bytes32 refusal = keccak256(answer);
        bool forConsent =
            refusal ==
                keccak256(
                    abi.encodeWithSelector(IOrganizationRegistry.AdminConsentRequired.selector, organizationId, admin)
                );
        bool forSignature =
            admin != owner &&
                refusal == keccak256(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, admin));
        if (forConsent || forSignature) ++brokenHere[OrganizationRule.REFUSED_THOUGH_AGREED];
    }

    function begunIn(uint256 organizationId, uint256 tokenId, address owner, bool inBatch) internal override {
        bool isAdmin = agreed[organizationId].admin == owner;
        if (!isAdmin && (inBatch || !consented)) ++brokenHere[OrganizationRule.JOINED_WITHOUT_BOTH];
        ++successes["joinAtRegistration"];
        enrol(tokenId, Membership(organizationId, 1, 1));
    }

    /* INTERNAL */

    function enrol(uint256 tokenId, Membership memory membership) private {
        memberships[tokenId] = membership;
        ++agreed[membership.organizationId].memberCount;
    }

    function expel(uint256 tokenId, uint32 version) private {
        --agreed[memberships[tokenId].organizationId].memberCount;
        memberships[tokenId] = Membership(0, 0, version);
    }

    function isDead(uint256 tokenId) private view returns (bool) {
        Membership storage membership = memberships[tokenId];
        Ghost storage ghost = ghosts[tokenId];
        bool over = ghost.epoch != membership.epoch || ghost.status == ISoulRegistry.Status.BURNED;
        return membership.organizationId != 0 && over;
    }

    function attempt(string memory action, address caller, bytes memory data) private returns (bool success) {
        (success, ) = run(action, caller, address(ORGANIZATIONS), data);
    }

    function judge(bool success, bool expected, OrganizationRule rule) private {
        if (success && !expected) ++brokenHere[rule];
        if (!success && expected) ++brokenHere[OrganizationRule.REFUSED_THOUGH_AGREED];
    }

    function liveOwnerOf(uint256 tokenId) private view returns (address) {
        return isLive(tokenId) ? ghosts[tokenId].sealer : address(0);
    }

    /// @dev `account` itself, or sometimes another person.
    function mostly(address account) private returns (address) {
        return account == address(0) || draw(8) == 0 ? people[draw(PEOPLE)] : account;
    }

    function used(address signer, uint256 nonce) private view returns (bool) {
        return consumed[address(ORGANIZATIONS)][signer][nonce];
    }

    function words(
        address signer,
        bool direct,
        string memory contents,
        bytes memory fields
    ) private view returns (bytes memory) {
        if (direct) return "";
        bytes32 structHash = keccak256(abi.encodePacked(keccak256(bytes(contents)), fields));
        return signatureOf(signer, address(ORGANIZATIONS), contents, structHash);
    }

    /// @dev Of {Join} and {Admission} alike.
    function fieldsOf(IOrganizationRegistry.Join memory entry, uint256 nonce) private pure returns (bytes memory) {
        return abi.encode(entry.tokenId, entry.epoch, entry.organizationId, entry.version, nonce, type(uint256).max);
    }

    function followElsewhere(Vm.Log memory log) internal override {
        if (log.emitter != address(ORGANIZATIONS)) return;
        bytes32 topic = log.topics[0];
        if (topic == IOrganizationRegistry.OrganizationCreated.selector) {
            reported[uint256(log.topics[1])].admin = address(uint160(uint256(log.topics[2])));
        } else if (topic == IOrganizationRegistry.AdminNamed.selector) {
            Organization storage organization = reported[uint256(log.topics[1])];
            organization.pendingAdmin = address(uint160(uint256(log.topics[3])));
            organization.version = abi.decode(log.data, (uint32));
        } else if (topic == IOrganizationRegistry.AdminChanged.selector) {
            Organization storage organization = reported[uint256(log.topics[1])];
            organization.admin = address(uint160(uint256(log.topics[3])));
            organization.pendingAdmin = address(0);
            organization.version = abi.decode(log.data, (uint32));
        } else {
            followMembers(log);
        }
    }

    function followMembers(Vm.Log memory log) private {
        bytes32 topic = log.topics[0];
        if (topic == IOrganizationRegistry.MemberJoined.selector) {
            (, uint16 epoch, uint32 version, uint64 memberCount) = abi.decode(
                log.data,
                (address, uint16, uint32, uint64)
            );
            reportedMemberships[uint256(log.topics[1])] = Membership(uint256(log.topics[2]), epoch, version);
            reported[uint256(log.topics[2])].memberCount = memberCount;
        } else if (topic == IOrganizationRegistry.MembersJoined.selector) {
            (uint256 firstTokenId, uint256 count, uint16 epoch, uint32 version, uint64 memberCount) = abi.decode(
                log.data,
                (uint256, uint256, uint16, uint32, uint64)
            );
            for (uint256 i = 0; i < count; ++i) {
                reportedMemberships[firstTokenId + i] = Membership(uint256(log.topics[1]), epoch, version);
            }
            reported[uint256(log.topics[1])].memberCount = memberCount;
        } else {
            // Left or pruned.
            (, uint32 version, uint64 memberCount) = abi.decode(log.data, (uint16, uint32, uint64));
            reportedMemberships[uint256(log.topics[1])] = Membership(0, 0, version);
            reported[uint256(log.topics[2])].memberCount = memberCount;
        }
    }
}
