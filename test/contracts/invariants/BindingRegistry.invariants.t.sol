// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDouble} from "../SoulsDouble.sol";
import {Test} from "../utils/Test.sol";
import {BindingRegistry} from "../../../contracts/BindingRegistry.sol";
import {IBindingRegistry} from "../../../contracts/interfaces/IBindingRegistry.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";

/// @dev Owners and the service write over each other between three agents that are sold, return and end. Never reverts.
contract BindingRegistryHandler is Test {
    uint256 internal constant AGENTS = 3;

    SoulsDouble public immutable SOULS = new SoulsDouble();
    BindingRegistry public immutable REGISTRY;
    address internal binder = address(0xB1);
    address[3] internal people = [address(0xA1), address(0xA2), address(0xA3)];

    /// @dev What the owner of `from` said last, and in which epoch.
    mapping(bytes32 pair => IBindingRegistry.TrustLevel level) public ownersLevel;
    mapping(bytes32 pair => uint16 epoch) public ownersEpoch;
    mapping(uint256 tokenId => address owner) internal lastOwnerOf;
    uint256 public writes;
    /// @dev Writes that did not raise the version by one, or succeeded without a live owner.
    uint256 public wrongs;

    constructor() {
        REGISTRY = BindingRegistry(
            deploy("BindingRegistry", abi.encode(ISoulRegistry(address(SOULS)), address(this), binder))
        );
        for (uint256 tokenId = 1; tokenId <= AGENTS; ++tokenId) sealFor(tokenId, people[tokenId - 1], 1);
    }

    function setAsOwner(uint256 from, uint256 to, uint256 level, uint256 caller) external {
        (from, to) = (bound(from, 1, AGENTS), bound(to, 1, AGENTS));
        IBindingRegistry.TrustLevel trustLevel = IBindingRegistry.TrustLevel(bound(level, 0, 4));
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        uint16 toEpoch = SOULS.epochOf(to);
        uint32 version = REGISTRY.recordOf(from, to).version;
        address person = people[caller % 3];
        vm.prank(person);
        try
            REGISTRY.setBinding(
                IBindingRegistry.SetBinding(from, epoch, to, toEpoch, trustLevel, "", version, 0, 0),
                ""
            )
        {
            note(from, to, version, person == owner);
            ownersLevel[keccak256(abi.encode(from, to))] = trustLevel;
            ownersEpoch[keccak256(abi.encode(from, to))] = epoch;
        } catch {}
    }

    function setAsService(uint256 from, uint256 to, uint256 level) external {
        (from, to) = (bound(from, 1, AGENTS), bound(to, 1, AGENTS));
        IBindingRegistry.TrustLevel trustLevel = IBindingRegistry.TrustLevel(bound(level, 0, 4));
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        uint16 toEpoch = SOULS.epochOf(to);
        uint32 version = REGISTRY.recordOf(from, to).version;
        vm.prank(binder);
        try REGISTRY.setServiceBinding(from, epoch, to, toEpoch, trustLevel, "", version) {
            note(from, to, version, owner != address(0));
        } catch {}
    }

    function suspend(uint256 tokenId) external {
        SOULS.suspend(bound(tokenId, 1, AGENTS));
    }

    function comeBack(uint256 tokenId) external {
        tokenId = bound(tokenId, 1, AGENTS);
        sealFor(tokenId, lastOwnerOf[tokenId], SOULS.epochOf(tokenId));
    }

    function reseal(uint256 tokenId, uint256 to) external {
        tokenId = bound(tokenId, 1, AGENTS);
        sealFor(tokenId, people[to % 3], SOULS.epochOf(tokenId) + 1);
    }

    function agentCount() external pure returns (uint256) {
        return AGENTS;
    }

    function sealFor(uint256 tokenId, address owner, uint16 epoch) private {
        SOULS.seal(tokenId, owner, owner, epoch);
        lastOwnerOf[tokenId] = owner;
    }

    function note(uint256 from, uint256 to, uint32 version, bool authorised) private {
        ++writes;
        if (!authorised || from == to || REGISTRY.recordOf(from, to).version != version + 1) ++wrongs;
    }
}

/// @dev - What an owner set stands, in its epoch, until an owner sets something else.
/// - A binding is live only while both agents have an owner and are in the epochs in which it was written.
/// - Every write has a live owner behind it and raises the version by one.
contract BindingRegistryInvariants is Test {
    BindingRegistryHandler internal handler;
    BindingRegistry internal registry;

    function setUp() public {
        handler = new BindingRegistryHandler();
        registry = handler.REGISTRY();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_whatAnOwnerSetStandsInItsEpochUntilAnOwnerSetsSomethingElse() public view {
        for (uint256 from = 1; from <= handler.agentCount(); ++from) {
            for (uint256 to = 1; to <= handler.agentCount(); ++to) {
                bytes32 pair = keccak256(abi.encode(from, to));
                uint16 epoch = handler.ownersEpoch(pair);
                if (epoch == 0 || epoch != handler.SOULS().epochOf(from)) continue;

                IBindingRegistry.Binding memory recorded = registry.recordOf(from, to);
                assertEq(uint256(recorded.authority), uint256(IBindingRegistry.Authority.OWNER));
                assertEq(uint256(recorded.trustLevel), uint256(handler.ownersLevel(pair)));
                assertEq(recorded.epoch, epoch);
            }
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_aBindingIsLiveOnlyWhileBothAgentsHaveAnOwnerAndAreInItsEpochs() public view {
        for (uint256 from = 1; from <= handler.agentCount(); ++from) {
            for (uint256 to = 1; to <= handler.agentCount(); ++to) {
                (, , , bool live) = registry.bindingOf(from, to);
                IBindingRegistry.Binding memory recorded = registry.recordOf(from, to);
                (address fromOwner, , uint16 fromEpoch) = handler.SOULS().authorityOf(from);
                (address toOwner, , uint16 toEpoch) = handler.SOULS().authorityOf(to);
                bool expected =
                    recorded.version != 0 &&
                        fromOwner != address(0) &&
                        toOwner != address(0) &&
                        recorded.epoch == fromEpoch &&
                        recorded.toEpoch == toEpoch;
                assertEq(live, expected);
            }
        }
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_everyWriteHasALiveOwnerBehindItAndRaisesTheVersionByOne() public view {
        assertEq(handler.wrongs(), 0);
    }
}
