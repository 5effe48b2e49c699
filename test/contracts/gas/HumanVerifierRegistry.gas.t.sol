// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HumanVerifierRegistryBase} from "../HumanVerifierRegistry.t.sol";
import {MockWorldIdRouter} from "../../../contracts/mocks/MockWorldIdRouter.sol";
import {WorldIdVerifier} from "../../../contracts/verifiers/WorldIdVerifier.sol";

/// @dev See {SoulRegistryGas}. The router is a stand-in: the real one adds the cost of the zero-knowledge proof.
contract HumanVerifierRegistryGas is HumanVerifierRegistryBase {
    /// hardhat-config: isolate = true
    function test_asksWorldId() public {
        MockWorldIdRouter router = new MockWorldIdRouter();
        WorldIdVerifier worldId = WorldIdVerifier(
            deploy("WorldIdVerifier", abi.encode(router, "app_0123456789abcdef0123456789abcdef"))
        );
        approve(address(worldId));
        uint256[8] memory numbers = [uint256(1), 2, 3, 4, 5, 6, 7, 8];
        router.accept(77, 1, worldId.signalHash(signal), 99, worldId.externalNullifier(action), numbers);

        vm.prank(souls);
        registry.consume(address(worldId), action, signal, abi.encode(77, 99, numbers));
    }

    /// hardhat-config: isolate = true
    function test_removes() public {
        approve(address(verifier));
        vm.prank(admin);
        registry.remove(address(verifier));
    }
}
