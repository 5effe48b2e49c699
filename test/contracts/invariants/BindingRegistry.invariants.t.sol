// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDouble} from "../SoulsDouble.sol";
import {Test} from "../utils/Test.sol";
import {BindingRegistry} from "../../../contracts/BindingRegistry.sol";
import {IBindingRegistry} from "../../../contracts/interfaces/IBindingRegistry.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";

/// @dev Owners and the service write over each other between three agents that are sold, return and
/// end. Never reverts.
contract BindingRegistryHandler is Test {
    /// @dev A revocation that an owner decided on, and has not submitted yet.
    struct Revocation {
        IBindingRegistry.SetBinding terms;
        address owner;
        uint256 ownerWrites;
    }

    uint256 internal constant AGENTS = 3;

    SoulsDouble public immutable SOULS = new SoulsDouble();
    BindingRegistry public immutable REGISTRY;
    address internal binder = address(0xB1);
    address[3] internal people = [address(0xA1), address(0xA2), address(0xA3)];

    /// @dev What the owner of `from` said last, and in which epoch.
    mapping(bytes32 pair => IBindingRegistry.TrustLevel level) public ownersLevel;
    mapping(bytes32 pair => uint16 epoch) public ownersEpoch;
    mapping(uint256 tokenId => address owner) internal lastOwnerOf;
    mapping(bytes32 pair => uint256 count) internal ownerWrites;
    mapping(bytes32 pair => Revocation revocation) internal revocations;
    uint256 public writes;
    /// @dev Writes that did not raise their own version by one and leave the other, or succeeded
    /// without a live owner.
    uint256 public wrongs;
    uint256 public revoked;
    /// @dev Revocations that failed although their owner still owned the agent and had written
    /// nothing since.
    uint256 public refusedRevocations;

    constructor() {
        REGISTRY = BindingRegistry(
            deploy("BindingRegistry", abi.encode(ISoulRegistry(address(SOULS)), address(this), binder, 0))
        );
        for (uint256 tokenId = 1; tokenId <= AGENTS; ++tokenId) sealFor(tokenId, people[tokenId - 1], 1);
    }

    function setAsOwner(uint256 from, uint256 to, uint256 level, uint256 caller) external {
        (from, to) = (bound(from, 1, AGENTS), bound(to, 1, AGENTS));
        IBindingRegistry.TrustLevel trustLevel = IBindingRegistry.TrustLevel(bound(level, 0, 4));
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        uint16 toEpoch = SOULS.epochOf(to);
        IBindingRegistry.Binding memory before = REGISTRY.recordOf(from, to);
        address person = people[caller % 3];
        vm.prank(person);
        try
            REGISTRY.setBinding(
                IBindingRegistry.SetBinding(from, epoch, to, toEpoch, trustLevel, "", before.version, 0, 0),
                ""
            )
        {
            noteOwners(from, to, before, trustLevel, person == owner);
        } catch {}
    }

    /// @dev The owner signs now; what is signed reaches the chain whenever {submitRevocations} is
    /// called.
    function prepareRevocation(uint256 from, uint256 to) external {
        (from, to) = (bound(from, 1, AGENTS), bound(to, 1, AGENTS));
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        if (owner == address(0) || from == to) return;
        bytes32 pair = keccak256(abi.encode(from, to));
        revocations[pair] = Revocation({
            terms: IBindingRegistry.SetBinding({
                fromTokenId: from,
                epoch: epoch,
                toTokenId: to,
                toEpoch: SOULS.epochOf(to),
                trustLevel: IBindingRegistry.TrustLevel.REVOKED,
                context: "",
                version: REGISTRY.recordOf(from, to).version,
                nonce: 0,
                deadline: 0
            }),
            owner: owner,
            ownerWrites: ownerWrites[pair]
        });
    }

    function submitRevocations() external {
        for (uint256 from = 1; from <= AGENTS; ++from) {
            for (uint256 to = 1; to <= AGENTS; ++to) submit(from, to);
        }
    }

    function setAsService(uint256 from, uint256 to, uint256 level) external {
        (from, to) = (bound(from, 1, AGENTS), bound(to, 1, AGENTS));
        IBindingRegistry.TrustLevel trustLevel = IBindingRegistry.TrustLevel(bound(level, 0, 4));
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        uint16 toEpoch = SOULS.epochOf(to);
        IBindingRegistry.Binding memory before = REGISTRY.recordOf(from, to);
        vm.prank(binder);
        try REGISTRY.setServiceBinding(from, epoch, to, toEpoch, trustLevel, "", before.serviceVersion) {
            note(from, to, before.version, before.serviceVersion + 1, owner != address(0));
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

    function submit(uint256 from, uint256 to) private {
        bytes32 pair = keccak256(abi.encode(from, to));
        Revocation memory revocation = revocations[pair];
        (address owner, , uint16 epoch) = SOULS.authorityOf(from);
        bool due =
            revocation.owner != address(0) &&
                revocation.owner == owner &&
                revocation.terms.epoch == epoch &&
                revocation.ownerWrites == ownerWrites[pair];
        if (!due) return;

        delete revocations[pair];
        IBindingRegistry.Binding memory before = REGISTRY.recordOf(from, to);
        vm.prank(owner);
        try REGISTRY.setBinding(revocation.terms, "") {
            ++revoked;
            noteOwners(from, to, before, IBindingRegistry.TrustLevel.REVOKED, true);
        } catch {
            ++refusedRevocations;
        }
    }

    function noteOwners(
        uint256 from,
        uint256 to,
        IBindingRegistry.Binding memory before,
        IBindingRegistry.TrustLevel level,
        bool authorised
    ) private {
        note(from, to, before.version + 1, before.serviceVersion, authorised);
        bytes32 pair = keccak256(abi.encode(from, to));
        ++ownerWrites[pair];
        ownersLevel[pair] = level;
        ownersEpoch[pair] = SOULS.epochOf(from);
    }

    function note(uint256 from, uint256 to, uint32 version, uint32 serviceVersion, bool authorised) private {
        ++writes;
        IBindingRegistry.Binding memory recorded = REGISTRY.recordOf(from, to);
        if (!authorised || from == to) ++wrongs;
        if (recorded.version != version || recorded.serviceVersion != serviceVersion) ++wrongs;
    }
}

/// @dev - What an owner set stands, in its epoch, until an owner sets something else.
/// - A binding is live only while both agents have an owner and are in the epochs in which it was
/// written.
/// - Every write has a live owner behind it and raises its own version by one.
/// - An owner can always revoke, after any writes of the service and of the other agent.
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
                    recorded.version + recorded.serviceVersion != 0 &&
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
    function invariant_everyWriteHasALiveOwnerBehindItAndRaisesItsOwnVersionByOne() public view {
        assertEq(handler.wrongs(), 0);
    }

    /// hardhat-config: invariant.runs = 32
    /// hardhat-config: invariant.depth = 64
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_anOwnerCanAlwaysRevoke() public view {
        assertEq(handler.refusedRevocations(), 0);
    }
}
