// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDouble} from "../SoulsDouble.sol";
import {Test} from "../utils/Test.sol";
import {OrganizationRegistry} from "../../../contracts/OrganizationRegistry.sol";
import {IOrganizationRegistry} from "../../../contracts/interfaces/IOrganizationRegistry.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";

/// @dev Does everything that can happen to six agents, three people and their organizations, and keeps its own record of who
/// joined what. Never reverts.
contract OrganizationRegistryHandler is Test {
    uint256 internal constant AGENTS = 6;
    uint256 internal constant ORGANIZATIONS = 3;

    struct Expected {
        uint256 organizationId;
        uint16 epoch;
    }

    SoulsDouble public immutable SOULS = new SoulsDouble();
    OrganizationRegistry public immutable REGISTRY;
    address[3] internal people = [address(0xA1), address(0xA2), address(0xA3)];

    mapping(uint256 tokenId => Expected expected) public expectedOf;
    mapping(uint256 tokenId => address owner) internal lastOwnerOf;
    mapping(uint256 tokenId => bool burned) internal isBurned;
    mapping(uint256 tokenId => uint32 version) internal lastVersionOf;
    uint256 public joins;
    /// @dev Joins that succeeded although one side had not agreed, or versions that did not grow.
    uint256 public wrongs;

    constructor() {
        REGISTRY = OrganizationRegistry(deploy("OrganizationRegistry", abi.encode(ISoulRegistry(address(SOULS)))));
        for (uint256 i = 0; i < ORGANIZATIONS; ++i) {
            vm.prank(people[i]);
            REGISTRY.create(IOrganizationRegistry.CreateOrganization("Organization", people[i], 0, 0), "");
        }
        for (uint256 tokenId = 1; tokenId <= AGENTS; ++tokenId) sealFor(tokenId, people[tokenId % 3], 1);
    }

    function join(uint256 tokenId, uint256 organizationId, uint256 caller) external {
        tokenId = bound(tokenId, 1, AGENTS);
        organizationId = bound(organizationId, 0, ORGANIZATIONS + 1);
        address person = people[caller % 3];
        (, , uint32 version) = REGISTRY.membershipOf(tokenId);
        (address owner, , uint16 epoch) = SOULS.authorityOf(tokenId);
        bool agreed = owner == person && REGISTRY.adminOf(organizationId) == person;

        vm.prank(person);
        try REGISTRY.join(IOrganizationRegistry.Join(tokenId, epoch, organizationId, version, 0, 0), "", "") {
            if (!agreed) ++wrongs;
            ++joins;
            expectedOf[tokenId] = Expected(organizationId, epoch);
            noteVersion(tokenId);
        } catch {}
    }

    function end(uint256 tokenId, uint256 caller) external {
        tokenId = bound(tokenId, 1, AGENTS);
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
            delete expectedOf[tokenId];
            noteVersion(tokenId);
        } catch {}
    }

    function prune(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, AGENTS);
        bool live = REGISTRY.organizationOf(tokenId) != 0;
        try REGISTRY.prune(tokenId) {
            if (live) ++wrongs;
            delete expectedOf[tokenId];
            noteVersion(tokenId);
        } catch {}
    }

    function changeAdmin(uint256 organizationId, uint256 to) external {
        organizationId = bound(organizationId, 1, ORGANIZATIONS);
        uint32 version = REGISTRY.versionOf(organizationId);
        vm.startPrank(REGISTRY.adminOf(organizationId));
        REGISTRY.changeAdmin(IOrganizationRegistry.ChangeAdmin(organizationId, people[to % 3], version, 0, 0), "");
        vm.stopPrank();
    }

    function suspend(uint256 tokenId) external {
        SOULS.suspend(bound(tokenId, 1, AGENTS));
    }

    function comeBack(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, AGENTS);
        if (!isBurned[tokenId]) sealFor(tokenId, lastOwnerOf[tokenId], SOULS.epochOf(tokenId));
    }

    function reseal(uint256 tokenId, uint256 to) external {
        tokenId = bound(tokenId, 1, AGENTS);
        uint16 epoch = SOULS.epochOf(tokenId);
        if (!isBurned[tokenId]) sealFor(tokenId, people[to % 3], epoch + 1);
    }

    function burn(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, AGENTS);
        // A rare end, or all agents are soon gone.
        if (uint256(keccak256(abi.encode(tokenId, joins))) % 8 != 0) return;
        SOULS.burn(tokenId);
        isBurned[tokenId] = true;
    }

    function agentCount() external pure returns (uint256) {
        return AGENTS;
    }

    function sealFor(uint256 tokenId, address owner, uint16 epoch) private {
        SOULS.seal(tokenId, owner, owner, epoch);
        lastOwnerOf[tokenId] = owner;
    }

    function noteVersion(uint256 tokenId) private {
        (, , uint32 version) = REGISTRY.membershipOf(tokenId);
        if (version <= lastVersionOf[tokenId]) ++wrongs;
        lastVersionOf[tokenId] = version;
    }
}

/// @dev - Each organization's member count is the number of memberships recorded in it.
/// - An agent's recorded membership is the last one that owner and admin agreed on and nobody ended.
/// - An agent is a live member of at most one organization, only in the epoch it joined in, and only while it has an owner.
/// - Nothing is joined without both sides, nothing live is pruned, and versions only grow.
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
            (uint256 organizationId, uint16 epoch, ) = registry.membershipOf(tokenId);
            (uint256 expectedOrganization, uint16 expectedEpoch) = handler.expectedOf(tokenId);
            assertEq(organizationId, expectedOrganization);
            assertEq(epoch, expectedEpoch);
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_anAgentIsALiveMemberOfAtMostOneOrganizationInItsEpochAndWithAnOwner() public view {
        for (uint256 tokenId = 1; tokenId <= handler.agentCount(); ++tokenId) {
            (address owner, , uint16 epoch) = handler.SOULS().authorityOf(tokenId);
            (uint256 expectedOrganization, uint16 expectedEpoch) = handler.expectedOf(tokenId);
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
    function invariant_nothingIsJoinedWithoutBothSidesNothingLivePrunedAndVersionsOnlyGrow() public view {
        assertEq(handler.wrongs(), 0);
    }
}
