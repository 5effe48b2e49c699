// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {SoulRegistryBase} from "../SoulRegistryBase.sol";

/// @dev See {GasScenarios}. Each call is measured with the soul registry as its caller.
contract PassportMintGas is SoulRegistryBase {
    /// hardhat-config: isolate = true
    function test_mints() public {
        vm.startPrank(address(souls));
        mint.mint(owner, 1, keccak256("soul"), true, publicationAt(0, 1));
        mint.mint(owner, 2, keccak256("soul"), true, publicationAt(1, 2));
        mint.mint(owner, 3, keccak256("soul"), true, publicationAt(9, 3));
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_mintsABatch() public {
        ISoulRegistry.BatchPublication[] memory publications = new ISoulRegistry.BatchPublication[](3);
        for (uint256 i = 0; i < publications.length; ++i) {
            publications[i] = ISoulRegistry.BatchPublication(ARCHIVE, "ar://without-ids");
        }
        vm.prank(address(souls));
        mint.mintBatch(owner, publications, 0);
    }

    /// hardhat-config: isolate = true
    function test_reserves() public {
        vm.startPrank(address(souls));
        mint.reserve(1, 25);
        ISoulRegistry.Publication memory publication = publicationAt(0, 1);
        publication.reservation = 1;
        mint.mint(owner, 1, keccak256("soul"), true, publication);
        vm.stopPrank();
        mint.reservationOf(1);
        mint.unusedReservations();
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        mint.SOUL_REGISTRY();
        mint.IDENTITY_REGISTRY();
    }
}
