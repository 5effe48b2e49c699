// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {HumanVerifierRegistry} from "../../../contracts/HumanVerifierRegistry.sol";
import {IHumanVerifierRegistry} from "../../../contracts/interfaces/IHumanVerifierRegistry.sol";
import {SignatureVerifier} from "../../../contracts/mocks/SignatureVerifier.sol";

/// @dev Does everything that can be done to a registry with three adapters, two callers and four
/// people, keeps its own record of what should follow, and never reverts.
contract HumanVerifierRegistryHandler is Test {
    uint256 internal constant ATTESTER_KEY = 0xA77E57;
    uint256 internal constant CONSUMERS = 2;
    uint256 internal constant PEOPLE = 4;

    HumanVerifierRegistry public immutable REGISTRY;
    SignatureVerifier[3] public adapters;

    mapping(address adapter => uint256 time) public proposedAt;
    mapping(address adapter => uint256 time) public activatedAt;
    mapping(bytes32 key => uint256 uses) public uses;
    uint256 public unexpected;

    constructor() {
        REGISTRY = HumanVerifierRegistry(deploy("HumanVerifierRegistry", abi.encode(address(this), 2 days, 0)));
        for (uint256 i = 0; i < adapters.length; ++i) adapters[i] = new SignatureVerifier(vm.addr(ATTESTER_KEY));
    }

    function wait(uint256 time) external {
        vm.warp(vm.getBlockTimestamp() + bound(time, 1, 3 days));
    }

    function propose(uint256 index) external {
        address adapter = pick(index);
        try REGISTRY.propose(adapter) {
            proposedAt[adapter] = vm.getBlockTimestamp();
        } catch {}
    }

    function activate(uint256 index, address caller) external {
        address adapter = pick(index);
        vm.prank(caller);
        try REGISTRY.activate(adapter) {
            activatedAt[adapter] = vm.getBlockTimestamp();
        } catch {}
    }

    function remove(uint256 index) external {
        address adapter = pick(index);
        try REGISTRY.remove(adapter) {
            proposedAt[adapter] = 0;
            activatedAt[adapter] = 0;
        } catch {}
    }

    function consume(uint256 index, uint256 consumer, uint256 person) external {
        address adapter = pick(index);
        address caller = consumerAt(consumer % CONSUMERS);
        bytes32 nullifier = nullifierAt(person % PEOPLE);
        bytes memory data = proofOf(SignatureVerifier(adapter), nullifier);
        bytes32 key = keyOf(caller, adapter, nullifier);
        bool expected = REGISTRY.isApproved(adapter) && uses[key] == 0;

        vm.prank(caller);
        try REGISTRY.consume(adapter, "action", "signal", data) {
            uses[key] += 1;
            if (!expected) ++unexpected;
        } catch {
            if (expected) ++unexpected;
        }
    }

    function pick(uint256 index) public view returns (address) {
        return address(adapters[index % adapters.length]);
    }

    function consumerAt(uint256 index) public pure returns (address) {
        return address(uint160(0xC0 + index));
    }

    function nullifierAt(uint256 index) public pure returns (bytes32) {
        return keccak256(abi.encode("person", index));
    }

    function keyOf(address consumer, address adapter, bytes32 nullifier) public pure returns (bytes32) {
        return keccak256(abi.encode(consumer, adapter, nullifier));
    }

    function proofOf(SignatureVerifier adapter, bytes32 nullifier) private view returns (bytes memory) {
        bytes32 statement = adapter.statement("action", "signal", nullifier);
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", statement));
        return abi.encode(nullifier, signDigest(ATTESTER_KEY, digest));
    }
}

contract HumanVerifierRegistryInvariants is Test {
    HumanVerifierRegistryHandler internal handler;
    HumanVerifierRegistry internal registry;

    function setUp() public {
        vm.warp(1_800_000_000);
        handler = new HumanVerifierRegistryHandler();
        registry = handler.REGISTRY();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev An adapter is approved exactly when it was proposed, then activated no sooner than the
    /// delay later, and not removed.
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_everyApprovedAdapterWaited() public view {
        uint256 approved;
        for (uint256 i = 0; i < 3; ++i) {
            address adapter = handler.pick(i);
            uint256 activatedAt = handler.activatedAt(adapter);
            assertEq(registry.isApproved(adapter), activatedAt != 0, "approved");
            if (activatedAt == 0) continue;

            ++approved;
            assertGe(activatedAt, handler.proposedAt(adapter) + registry.DELAY(), "waited");
        }
        assertEq(registry.approvedVerifiers().length, approved, "listed");
    }

    /// @dev A nullifier is used at most once per caller and adapter, and for ever; no other caller
    /// or adapter uses it up.
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_everyNullifierIsUsedAtMostOnce() public view {
        for (uint256 adapter = 0; adapter < 3; ++adapter) {
            for (uint256 consumer = 0; consumer < 2; ++consumer) {
                for (uint256 person = 0; person < 4; ++person) {
                    address verifier = handler.pick(adapter);
                    address caller = handler.consumerAt(consumer);
                    bytes32 nullifier = handler.nullifierAt(person);
                    uint256 uses = handler.uses(handler.keyOf(caller, verifier, nullifier));
                    assertLe(uses, 1, "uses");
                    assertEq(registry.isNullifierUsed(caller, verifier, nullifier), uses == 1, "used");
                }
            }
        }
    }

    /// @dev A proof that holds is accepted exactly when its adapter is approved and its nullifier
    /// unused.
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_everyAnswerIsTheExpectedOne() public view {
        assertEq(handler.unexpected(), 0);
    }
}
