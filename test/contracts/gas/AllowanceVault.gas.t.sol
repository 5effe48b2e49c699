// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {AllowanceVaultBase} from "../AllowanceVaultBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. The stablecoin is OpenZeppelin's ERC-20: another one costs more or less.
contract AllowanceVaultGas is AllowanceVaultBase, GasScenarios {
    /// hardhat-config: isolate = true
    function test_setsAndDeactivatesBySignature() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        vault.setAllowance(allowance, signedBy(OWNER_KEY, allowance));
        allowance = allowanceFor(1, 1);
        vault.setAllowance(allowance, signedBy(OWNER_KEY, allowance));
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 2);
        vault.deactivate(deactivation, signedBy(OWNER_KEY, deactivation));
    }

    /// hardhat-config: isolate = true
    function test_setsAndDeactivatesByCall() public {
        setLimits();
        deactivate();
    }

    /// @dev The recipient's first payment, then two to a recipient that has money already, the last on another day.
    /// hardhat-config: isolate = true
    function test_spends() public {
        setLimits();
        spend(1_000_000);
        spend(1_000_000);
        vm.warp(vm.getBlockTimestamp() + 1 days);
        spend(1_000_000);
    }

    /// hardhat-config: isolate = true
    function test_triesToSpend() public {
        setLimits();
        trySpend(1_000_000);
        trySpend(1_000_000);
        trySpend(PER_TRANSACTION + 1);
    }

    /// hardhat-config: isolate = true
    function test_reports() public {
        setLimits();
        vm.startPrank(operator);
        vault.report(tokenId, recipient, 1_000_000, keccak256("payment"));
        vault.report(tokenId, recipient, 1_000_000, keccak256("another payment"));
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        setLimits();
        vault.canSpend(tokenId, 1);
        vault.canSpend(tokenId, PER_TRANSACTION + 1);
        vault.fundingOf(tokenId);
        vault.allowanceOf(tokenId);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        vault.SOUL_REGISTRY();
        vault.STABLECOIN();
        callInterfaces(address(vault));
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(vault));
    }
}
