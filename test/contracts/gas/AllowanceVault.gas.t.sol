// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {AllowanceVaultRedeemBase} from "../AllowanceVaultRedeemBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. The stablecoin is OpenZeppelin's ERC-20: another one costs more or
/// less.
contract AllowanceVaultGas is AllowanceVaultRedeemBase, GasScenarios {
    /// hardhat-config: isolate = true
    function test_setsAndDeactivatesBySignature() public {
        tokenId = 1; // It has no allowance yet.
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

    /// @dev The owner's first approval and first permit.
    /// hardhat-config: isolate = true
    function test_setsWithPermit() public {
        vm.prank(owner);
        stablecoin.approve(address(vault), 0);
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 1);
        vault.setAllowanceWithPermit(
            allowance,
            signedBy(OWNER_KEY, allowance),
            permitOf(OWNER_KEY, address(vault), 100_000_000, vm.getBlockTimestamp())
        );
    }

    /// @dev As {test_spends}. The first payment uses the first nonce of a storage word, the others
    /// later ones.
    /// hardhat-config: isolate = true
    function test_redeems() public {
        redeem(paymentOf(1_000_000));
        redeem(paymentOf(1_000_000));
        vm.warp(vm.getBlockTimestamp() + 1 days);
        redeem(paymentOf(1_000_000));
    }

    /// @dev The recipient's first payment, then two to a recipient that has money already, the last
    /// on another day.
    /// hardhat-config: isolate = true
    function test_spends() public {
        spend(1_000_000);
        spend(1_000_000);
        vm.warp(vm.getBlockTimestamp() + 1 days);
        spend(1_000_000);
    }

    /// hardhat-config: isolate = true
    function test_triesToSpend() public {
        trySpend(1_000_000);
        trySpend(1_000_000);
        trySpend(PER_TRANSACTION + 1);
    }

    /// hardhat-config: isolate = true
    function test_reports() public {
        vm.startPrank(operator);
        vault.report(tokenId, recipient, 1_000_000, keccak256("payment"));
        vault.report(tokenId, recipient, 1_000_000, keccak256("another payment"));
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
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
