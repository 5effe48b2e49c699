// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPassportMint} from "../../contracts/interfaces/IPassportMint.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";

/// @dev What it mints is tested by the registrations of {SoulRegistryTest}.
contract PassportMintTest is SoulRegistryBase {
    function test_mintsForTheSoulRegistryAlone() public {
        address[3] memory others = [owner, registrar, admin];
        ISoulRegistry.BatchPublication[] memory publications = new ISoulRegistry.BatchPublication[](1);
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(IPassportMint.OnlySoulRegistry.selector, others[i]);
            vm.startPrank(others[i]);
            vm.expectRevert(refusal);
            mint.mint(owner, 1, ARCHIVE, true, publicationAt(0, 1));
            vm.expectRevert(refusal);
            mint.mintBatch(owner, publications);
            vm.stopPrank();
        }
        assertEq(identity.balanceOf(owner), 0);
    }

    function test_acceptsNoOtherToken() public {
        vm.startPrank(stranger);
        uint256 passportId = identity.register();
        vm.expectRevert(abi.encodeWithSelector(IPassportMint.UnexpectedToken.selector, address(identity), passportId));
        identity.safeTransferFrom(stranger, address(mint), passportId);
        vm.expectRevert(abi.encodeWithSelector(IPassportMint.UnexpectedToken.selector, stranger, 3));
        mint.onERC721Received(address(mint), address(0), 3, "");
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IPassportMint.UnexpectedToken.selector, address(identity), passportId));
        vm.prank(address(identity));
        mint.onERC721Received(address(mint), address(0), passportId, "");
    }
}
