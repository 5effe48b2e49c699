// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MockWorldIdRouter} from "../../../contracts/mocks/MockWorldIdRouter.sol";
import {WorldIdVerifier} from "../../../contracts/verifiers/WorldIdVerifier.sol";
import {HumanVerifierRegistryBase} from "../HumanVerifierRegistry.t.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. The router is a stand-in: the real one adds the cost of the
/// zero-knowledge proof.
contract WorldIdVerifierGas is HumanVerifierRegistryBase, GasScenarios {
    WorldIdVerifier internal worldId;
    uint256[8] internal numbers = [uint256(1), 2, 3, 4, 5, 6, 7, 8];

    function setUp() public override {
        super.setUp();
        MockWorldIdRouter router = new MockWorldIdRouter();
        worldId = WorldIdVerifier(
            deploy("WorldIdVerifier", abi.encode(router, "app_0123456789abcdef0123456789abcdef"))
        );
        router.accept(77, 1, worldId.signalHash(signal), 99, worldId.externalNullifier(action), numbers);
    }

    /// hardhat-config: isolate = true
    function test_verifies() public view {
        worldId.verify(action, signal, abi.encode(77, 99, numbers));
    }

    /// hardhat-config: isolate = true
    function test_reads() public view {
        worldId.actionText(action);
        worldId.externalNullifier(action);
        worldId.signalHash(signal);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        worldId.GROUP_ID();
        worldId.ROUTER();
        worldId.APP_ID_HASH();
        callInterfaces(address(worldId));
    }
}
