// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract SoulCertificateGas is SoulLifeBase, GasScenarios {
    /// @dev As transactions of their own; within the soul registry's they cost their base cost
    /// less.
    /// hardhat-config: isolate = true
    function test_mintsMovesAndBurns() public {
        vm.startPrank(address(souls));
        certificates.mint(owner, 1);
        certificates.mint(owner, 2);
        certificates.mintBatch(owner, 3, 3);
        certificates.move(1, owner, buyer);
        certificates.burn(1, buyer);
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        sealedSoul("alice");
        certificates.tokenURI(1);
        certificates.locked(1);
        certificates.ownerOf(1);
        certificates.balanceOf(owner);
        certificates.getApproved(1);
        certificates.isApprovedForAll(owner, stranger);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        certificates.name();
        certificates.symbol();
        certificates.SOUL_REGISTRY();
        callInterfaces(address(certificates));
    }
}
