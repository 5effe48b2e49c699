// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDouble} from "../SoulsDouble.sol";
import {Test} from "../utils/Test.sol";
import {Vm} from "../utils/Vm.sol";
import {OrganizationRegistry} from "../../../contracts/OrganizationRegistry.sol";
import {IOrganizationRegistry} from "../../../contracts/interfaces/IOrganizationRegistry.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";

/// @dev Does everything that can happen to up to thirty agents, three people and their
/// organizations. It keeps its own record of who joined what and who agreed to what, and a second
/// one that it rebuilds from the events alone. Never reverts.
contract OrganizationRegistryHandler is Test {
    uint256 internal constant FIRST_AGENTS = 6;
    uint256 internal constant MOST_AGENTS = 30;
    uint256 internal constant ORGANIZATIONS = 3;

    struct Expected {
        uint256 organizationId;
        uint16 epoch;
        uint32 version;
    }

    struct Admins {
        address admin;
        address pendingAdmin;
        uint32 version;
    }

    SoulsDouble public immutable SOULS = new SoulsDouble();
    OrganizationRegistry public immutable REGISTRY;
    uint256[3] internal keys = [uint256(0xA1), 0xA2, 0xA3];
    address[3] internal people = [vm.addr(0xA1), vm.addr(0xA2), vm.addr(0xA3)];

    uint256 public agentCount;
    mapping(uint256 tokenId => Expected expected) public expectedOf;
    /// @dev What each organization's admins agreed on.
    mapping(uint256 organizationId => Admins agreed) public agreedOf;
    /// @dev Rebuilt from the events alone.
    mapping(uint256 tokenId => Expected recorded) public recordedOf;
    mapping(uint256 organizationId => Admins recorded) public recordedAdminsOf;
    mapping(uint256 organizationId => uint64 memberCount) public toldCountOf;
    mapping(uint256 tokenId => address owner) internal lastOwnerOf;
    mapping(uint256 tokenId => bool burned) internal isBurned;
    uint256 public joins;
    uint256 public handOvers;
    uint256 internal noncesGiven;
    /// @dev The call reverted: what it emitted before is recorded all the same, and counts for
    /// nothing.
    bool internal refused;
    /// @dev What succeeded although one side had not agreed, or was refused although both had.
    uint256 public wrongs;

    /// @dev Reads the events of the call into the second record.
    modifier recorded() {
        refused = false;
        vm.recordLogs();
        _;
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length && !refused; ++i) {
            if (logs[i].emitter == address(REGISTRY)) tell(logs[i]);
        }
    }

    constructor() {
        REGISTRY = OrganizationRegistry(deploy("OrganizationRegistry", abi.encode(ISoulRegistry(address(SOULS)))));
        for (uint256 i = 0; i < ORGANIZATIONS; ++i) {
            vm.prank(people[i]);
            REGISTRY.create(IOrganizationRegistry.CreateOrganization("Organization", people[i], 0, 0), "");
            agreedOf[i + 1].admin = people[i];
            recordedAdminsOf[i + 1].admin = people[i];
        }
        for (; agentCount < FIRST_AGENTS; ++agentCount) sealFor(agentCount + 1, people[agentCount % 3], 1);
    }

    /* REGISTRATION */

    /// @dev Agents of one owner with the next ids: into an organization, alone or together, or into
    /// none.
    function register(uint256 organizationId, uint256 caller, uint256 count) external recorded {
        count = bound(count, 1, 8);
        if (agentCount + count > MOST_AGENTS) return;
        organizationId = bound(organizationId, 0, ORGANIZATIONS + 1);
        address person = people[caller % 3];
        uint256 firstTokenId = agentCount + 1;
        bool joined =
            organizationId != 0 &&
                (
                    count > 1
                        ? joinBatch(firstTokenId, count, organizationId, person)
                        : joinOne(firstTokenId, organizationId, person)
                );
        if (organizationId != 0 && joined != (agreedOf[organizationId].admin == person)) ++wrongs;
        if (organizationId != 0 && !joined) return;

        for (; count > 0; --count) {
            uint256 tokenId = ++agentCount;
            sealFor(tokenId, person, 1);
            if (joined) expectedOf[tokenId] = Expected(organizationId, 1, 1);
        }
    }

    function joinOne(uint256 tokenId, uint256 organizationId, address person) private returns (bool) {
        vm.prank(address(SOULS));
        try REGISTRY.joinAtRegistration(tokenId, organizationId, person, 0, "") {
            return true;
        } catch {
            refused = true;
            return false;
        }
    }

    function joinBatch(
        uint256 firstTokenId,
        uint256 count,
        uint256 organizationId,
        address person
    ) private returns (bool) {
        vm.prank(address(SOULS));
        try REGISTRY.joinBatch(firstTokenId, count, organizationId, person) {
            return true;
        } catch {
            refused = true;
            return false;
        }
    }

    /* MEMBERSHIPS */

    function join(uint256 tokenId, uint256 organizationId, uint256 caller) external recorded {
        tokenId = bound(tokenId, 1, agentCount);
        organizationId = bound(organizationId, 0, ORGANIZATIONS + 1);
        address person = people[caller % 3];
        (, , uint32 version) = REGISTRY.membershipOf(tokenId);
        (address owner, , uint16 epoch) = SOULS.authorityOf(tokenId);
        bool agreed = owner == person && REGISTRY.adminOf(organizationId) == person;

        vm.prank(person);
        try
            REGISTRY.join(
                IOrganizationRegistry.Join(tokenId, epoch, organizationId, version, 0, 0),
                "",
                IOrganizationRegistry.Consent(0, 0, "")
            )
        {
            if (!agreed) ++wrongs;
            ++joins;
            expectedOf[tokenId] = Expected(organizationId, epoch, version + 1);
        } catch {
            refused = true;
        }
    }

    function end(uint256 tokenId, uint256 caller) external recorded {
        tokenId = bound(tokenId, 1, agentCount);
        address person = people[caller % 3];
        (uint256 organizationId, uint16 epoch, uint32 version) = REGISTRY.membershipOf(tokenId);
        vm.prank(person);
        try
            REGISTRY.leaveOrganization(
                IOrganizationRegistry.Leave(tokenId, epoch, organizationId, version, 0, 0),
                person,
                ""
            )
        {
            expectedOf[tokenId] = Expected(0, 0, version + 1);
        } catch {
            refused = true;
        }
    }

    function prune(uint256 tokenId) external recorded {
        tokenId = bound(tokenId, 1, agentCount);
        bool live = REGISTRY.organizationOf(tokenId) != 0;
        try REGISTRY.prune(tokenId) {
            if (live) ++wrongs;
            expectedOf[tokenId] = Expected(0, 0, expectedOf[tokenId].version);
        } catch {
            refused = true;
        }
    }

    /* ADMINS */

    /// @dev `caller` names one of the people, or none, and the named one may call itself.
    function changeAdmin(uint256 organizationId, uint256 caller, uint256 to) external recorded {
        organizationId = bound(organizationId, 1, ORGANIZATIONS);
        address person = people[caller % 3];
        address newAdmin = to % 4 == 3 ? address(0) : people[to % 4];
        uint32 version = REGISTRY.versionOf(organizationId);
        vm.prank(person);
        try
            REGISTRY.changeAdmin(
                IOrganizationRegistry.ChangeAdmin(organizationId, newAdmin, version, 0, 0),
                "",
                IOrganizationRegistry.Consent(0, 0, "")
            )
        {
            agreeOn(organizationId, person, newAdmin, person == newAdmin);
        } catch {
            refused = true;
            if (agreedOf[organizationId].admin == person) ++wrongs;
        }
    }

    /// @dev As {changeAdmin}, by the signatures of two people.
    function changeAdminSigned(uint256 organizationId, uint256 signer, uint256 to, uint256 accepter) external recorded {
        organizationId = bound(organizationId, 1, ORGANIZATIONS);
        uint32 version = REGISTRY.versionOf(organizationId);
        IOrganizationRegistry.ChangeAdmin memory change = IOrganizationRegistry.ChangeAdmin(
            organizationId,
            people[to % 3],
            version,
            ++noncesGiven,
            block.timestamp
        );
        IOrganizationRegistry.AcceptAdmin memory acceptance = IOrganizationRegistry.AcceptAdmin(
            organizationId,
            people[to % 3],
            version + 1,
            ++noncesGiven,
            block.timestamp
        );
        bool mayName = agreedOf[organizationId].admin == people[signer % 3];
        try
            REGISTRY.changeAdmin(
                change,
                signed(signer, "ChangeAdmin", abi.encode(change)),
                IOrganizationRegistry.Consent(
                    acceptance.nonce,
                    acceptance.deadline,
                    signed(accepter, "AcceptAdmin", abi.encode(acceptance))
                )
            )
        {
            agreeOn(organizationId, people[signer % 3], people[accepter % 3], true);
        } catch {
            refused = true;
            if (mayName && accepter % 3 == to % 3) ++wrongs;
        }
    }

    function acceptAdmin(uint256 organizationId, uint256 caller) external recorded {
        organizationId = bound(organizationId, 1, ORGANIZATIONS);
        address person = people[caller % 3];
        bool mayAccept = agreedOf[organizationId].pendingAdmin == person;
        uint32 version = REGISTRY.versionOf(organizationId);
        vm.prank(person);
        try REGISTRY.acceptAdmin(IOrganizationRegistry.AcceptAdmin(organizationId, person, version, 0, 0), "") {
            if (!mayAccept) ++wrongs;
            ++handOvers;
            agreedOf[organizationId] = Admins(person, address(0), version);
        } catch {
            refused = true;
            if (mayAccept) ++wrongs;
        }
    }

    function agreeOn(uint256 organizationId, address admin, address newAdmin, bool accepted) private {
        Admins storage agreed = agreedOf[organizationId];
        if (agreed.admin != admin) ++wrongs;
        ++agreed.version;
        agreed.pendingAdmin = accepted ? address(0) : newAdmin;
        if (accepted) agreed.admin = newAdmin;
        if (accepted) ++handOvers;
    }

    function signed(uint256 person, string memory name, bytes memory fields) private view returns (bytes memory) {
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                name,
                "(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("OrganizationRegistry"),
                keccak256("1"),
                block.chainid,
                address(REGISTRY)
            )
        );
        bytes32 structHash = keccak256(abi.encodePacked(typeHash, fields));
        return signDigest(keys[person % 3], keccak256(abi.encodePacked(hex"1901", domain, structHash)));
    }

    /* THE AGENTS' LIVES */

    function suspend(uint256 tokenId) external {
        SOULS.suspend(bound(tokenId, 1, agentCount));
    }

    function comeBack(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, agentCount);
        if (!isBurned[tokenId]) sealFor(tokenId, lastOwnerOf[tokenId], SOULS.epochOf(tokenId));
    }

    function reseal(uint256 tokenId, uint256 to) external {
        tokenId = bound(tokenId, 1, agentCount);
        uint16 epoch = SOULS.epochOf(tokenId);
        if (!isBurned[tokenId]) sealFor(tokenId, people[to % 3], epoch + 1);
    }

    function burn(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, agentCount);
        // A rare end, or all agents are soon gone.
        if (uint256(keccak256(abi.encode(tokenId, joins))) % 8 != 0) return;
        SOULS.burn(tokenId);
        isBurned[tokenId] = true;
    }

    function sealFor(uint256 tokenId, address owner, uint16 epoch) private {
        SOULS.seal(tokenId, owner, owner, epoch);
        lastOwnerOf[tokenId] = owner;
    }

    /* EVENTS */

    function tell(Vm.Log memory log) private {
        bytes32 topic = log.topics[0];
        if (topic == IOrganizationRegistry.MemberJoined.selector) {
            (, uint16 epoch, uint32 version, uint64 memberCount) = abi.decode(
                log.data,
                (address, uint16, uint32, uint64)
            );
            recordedOf[uint256(log.topics[1])] = Expected(uint256(log.topics[2]), epoch, version);
            toldCountOf[uint256(log.topics[2])] = memberCount;
        } else if (topic == IOrganizationRegistry.MembersJoined.selector) {
            (uint256 firstTokenId, uint256 count, uint16 epoch, uint32 version, uint64 memberCount) = abi.decode(
                log.data,
                (uint256, uint256, uint16, uint32, uint64)
            );
            for (uint256 i = 0; i < count; ++i) {
                recordedOf[firstTokenId + i] = Expected(uint256(log.topics[1]), epoch, version);
            }
            toldCountOf[uint256(log.topics[1])] = memberCount;
        } else if (
            topic == IOrganizationRegistry.MemberLeft.selector || topic == IOrganizationRegistry.MemberPruned.selector
        ) {
            (, uint32 version, uint64 memberCount) = abi.decode(log.data, (uint16, uint32, uint64));
            recordedOf[uint256(log.topics[1])] = Expected(0, 0, version);
            toldCountOf[uint256(log.topics[2])] = memberCount;
        } else if (topic == IOrganizationRegistry.AdminNamed.selector) {
            Admins storage admins = recordedAdminsOf[uint256(log.topics[1])];
            admins.pendingAdmin = address(uint160(uint256(log.topics[3])));
            admins.version = abi.decode(log.data, (uint32));
        } else if (topic == IOrganizationRegistry.AdminChanged.selector) {
            recordedAdminsOf[uint256(log.topics[1])] = Admins(
                address(uint160(uint256(log.topics[3]))),
                address(0),
                abi.decode(log.data, (uint32))
            );
        }
    }
}

/// @dev - Each organization's member count is the number of memberships recorded in it.
/// - An agent's recorded membership is the last one that owner and admin agreed on and that was not
/// ended.
/// - An agent is a live member of at most one organization, only in the epoch it joined in, and
/// only while it has an owner.
/// - Nothing is joined without both sides, and nothing live is pruned.
/// - No admin changes without the agreement of the former and of the new one, and every agreement
/// of both counts.
/// - The events alone tell every membership, member count, admin, pending admin and version.
contract OrganizationRegistryInvariants is Test {
    OrganizationRegistryHandler internal handler;
    OrganizationRegistry internal registry;

    function setUp() public {
        handler = new OrganizationRegistryHandler();
        registry = handler.REGISTRY();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_eachOrganizationsMemberCountIsTheNumberOfMembershipsRecordedInIt() public view {
        uint256[4] memory counts;
        for (uint256 tokenId = 1; tokenId <= handler.agentCount(); ++tokenId) {
            (uint256 organizationId, , ) = registry.membershipOf(tokenId);
            ++counts[organizationId];
        }
        for (uint256 id = 1; id < counts.length; ++id) assertEq(registry.memberCountOf(id), counts[id]);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_anAgentsRecordedMembershipIsTheLastOneAgreedOnAndNotEnded() public view {
        for (uint256 tokenId = 1; tokenId <= handler.agentCount(); ++tokenId) {
            (uint256 organizationId, uint16 epoch, uint32 version) = registry.membershipOf(tokenId);
            (uint256 expectedOrganization, uint16 expectedEpoch, uint32 expectedVersion) = handler.expectedOf(tokenId);
            assertEq(organizationId, expectedOrganization, "organization");
            assertEq(epoch, expectedEpoch, "epoch");
            assertEq(version, expectedVersion, "version");
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_anAgentIsALiveMemberOfAtMostOneOrganizationInItsEpochAndWithAnOwner() public view {
        for (uint256 tokenId = 1; tokenId <= handler.agentCount(); ++tokenId) {
            (address owner, , uint16 epoch) = handler.SOULS().authorityOf(tokenId);
            (uint256 expectedOrganization, uint16 expectedEpoch, ) = handler.expectedOf(tokenId);
            bool live = owner != address(0) && epoch == expectedEpoch && expectedOrganization != 0;
            assertEq(registry.organizationOf(tokenId), live ? expectedOrganization : 0);
            for (uint256 id = 0; id < 5; ++id) {
                assertEq(registry.isMember(tokenId, id), live && id == expectedOrganization);
            }
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_nothingIsJoinedOrHandedOverWithoutBothSidesAndNothingLivePruned() public view {
        assertEq(handler.wrongs(), 0);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_noAdminChangesWithoutTheAgreementOfTheFormerAndTheNewOne() public view {
        for (uint256 id = 1; id < 4; ++id) {
            (address admin, address pendingAdmin, uint32 version) = handler.agreedOf(id);
            assertEq(registry.adminOf(id), admin, "admin");
            assertEq(registry.pendingAdminOf(id), pendingAdmin, "pending admin");
            assertEq(registry.versionOf(id), version, "version");
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_theEventsAloneTellEveryMembershipAndAdmin() public view {
        for (uint256 tokenId = 1; tokenId <= handler.agentCount(); ++tokenId) {
            (uint256 organizationId, uint16 epoch, uint32 version) = registry.membershipOf(tokenId);
            (uint256 toldOrganization, uint16 toldEpoch, uint32 toldVersion) = handler.recordedOf(tokenId);
            assertEq(toldOrganization, organizationId, "organization");
            assertEq(toldEpoch, epoch, "epoch");
            assertEq(toldVersion, version, "version");
        }
        for (uint256 id = 1; id < 4; ++id) {
            (address admin, address pendingAdmin, uint32 version) = handler.recordedAdminsOf(id);
            assertEq(admin, registry.adminOf(id), "admin");
            assertEq(pendingAdmin, registry.pendingAdminOf(id), "pending admin");
            assertEq(version, registry.versionOf(id), "version");
            assertEq(handler.toldCountOf(id), registry.memberCountOf(id), "member count");
        }
    }
}
