// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistryBase} from "../SoulRegistryBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract RegistrarsGas is SoulRegistryBase, GasScenarios {
    /// hardhat-config: isolate = true
    function test_reads() public view {
        registrars.REGISTRAR_ROLE();
        registrars.isRegistrar(registrar);
        callInterfaces(address(registrars));
    }

    /// hardhat-config: isolate = true
    function test_givesRoles() public {
        callRoles(address(registrars), registrars.REGISTRAR_ROLE(), admin);
    }

    function canChangeDelay() internal pure override returns (bool) {
        return false;
    }
}
