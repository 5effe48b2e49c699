// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistryBase} from "../SoulRegistryBase.sol";
import {SoulView} from "../../../contracts/SoulView.sol";

/// @dev Not a test of behaviour: docs/gas.json is measured from these calls, each a transaction of its own with its base cost and
/// cold storage. Inputs are fixed, so that the numbers are.
contract SoulRegistryGas is SoulRegistryBase {
    /// hardhat-config: isolate = true
    function test_registers() public {
        register("first-agent");
        register("second-agent");
        register("third-agent");
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        register("alice");
        souls.isValid(1);
        souls.validityOf(1);
        souls.soulOf(1);
        souls.epochOf(1);
        souls.tokenOfPassport(0);
        souls.tokenOfName("alice");
        certificates.tokenURI(1);
    }

    /// hardhat-config: isolate = true
    function test_readsComposed() public {
        register("alice");
        SoulView composed = SoulView(deploy("SoulView", abi.encode(souls)));
        composed.passportStates(owner, new uint256[](1));
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        vm.prank(owner);
        souls.cancel(7);
    }
}
