// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HumanVerifierRegistryBase} from "../HumanVerifierRegistry.t.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. The adapter checks one signature: see {WorldIdVerifierGas} for another.
contract HumanVerifierRegistryGas is HumanVerifierRegistryBase, GasScenarios {
    /// hardhat-config: isolate = true
    function test_consumes() public {
        approve(address(verifier));
        bytes memory data = proof();
        vm.prank(souls);
        registry.consume(address(verifier), action, signal, data);
    }

    /// hardhat-config: isolate = true
    function test_removes() public {
        approve(address(verifier));
        vm.prank(admin);
        registry.remove(address(verifier));
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        approve(address(verifier));
        registry.isApproved(address(verifier));
        registry.statusOf(address(verifier));
        registry.approvedVerifiers();
        registry.isNullifierUsed(souls, address(verifier), NULLIFIER);
        registry.verifierOf(souls, action);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        registry.DELAY();
        callInterfaces(address(registry));
    }

    /// hardhat-config: isolate = true
    function test_givesRoles() public {
        callRoles(address(registry), keccak256("ANOTHER_ROLE"), admin);
    }
}
