// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {CertificateImage} from "../../contracts/libraries/CertificateImage.sol";
import {SoulLifeBase} from "./SoulLifeBase.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";

/// @dev A certificate's metadata over the life of a soul. That the picture and the JSON around it
/// are well-formed is tested where both can be parsed, in certificate-image.test.ts.
contract SoulCertificateTest is SoulLifeBase {
    using Strings for uint256;

    function test_aProvisionalSoulShowsItsStatus() public {
        provisional("alice");
        assertShows(1, CertificateImage.Standing.PROVISIONAL, "provisional");
    }

    function test_aSealedSoulIsValid() public {
        sealedSoul("alice");
        assertShows(1, CertificateImage.Standing.VALID, "valid");
    }

    function test_aRevisionChangesTheFace() public {
        sealedSoul("alice");
        string memory before = certificates.tokenURI(1);
        relay(Operation.REVISE, 1);
        assertEq(souls.soulOf(1).soulHash, NEW_HASH);
        assertNotEq(keccak256(bytes(certificates.tokenURI(1))), keccak256(bytes(before)));
        assertShows(1, CertificateImage.Standing.VALID, "valid");
    }

    function test_aSaleSuspendsAtOnceAndAResealBeginsAnEpoch() public {
        sealedSoul("alice");
        move(0, buyer);
        assertShows(1, CertificateImage.Standing.SUSPENDED, "suspended");

        nextBlock();
        move(0, owner);
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        assertEq(souls.epochOf(1), 2);
        assertShows(2, CertificateImage.Standing.VALID, "valid");
    }

    function test_aPassportThatCannotBeReadIsNotLinked() public {
        sealedSoul("alice");
        vm.etch(address(identity), hex"fe");
        assertShows(1, CertificateImage.Standing.NOT_LINKED, "not linked");
    }

    function test_aBurnedCertificateHasNoMetadata() public {
        sealedSoul("alice");
        relay(Operation.BURN, 1);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 1));
        certificates.tokenURI(1);
    }

    function test_anUnknownCertificateHasNoMetadata() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        certificates.tokenURI(9);
    }

    /// @dev Soul 1 of passport 0, named alice.
    function assertShows(uint256 epoch, CertificateImage.Standing standing, string memory status) private view {
        bytes32 soulHash = souls.soulOf(1).soulHash;
        string memory image = CertificateImage.dataUri(
            CertificateImage.Face({name: "alice", passportId: 0, epoch: epoch, standing: standing, soulHash: soulHash})
        );
        string memory json = string.concat(
            '{"name":"alice","description":"Soulbound certificate of an agent\'s sealed soul.","image":"',
            image,
            '","attributes":[{"trait_type":"passport","value":"0"},{"trait_type":"epoch","value":',
            epoch.toString(),
            '},{"trait_type":"status","value":"',
            status,
            '"},{"trait_type":"soulHash","value":"',
            uint256(soulHash).toHexString(32),
            '"}]}'
        );
        assertEq(certificates.tokenURI(1), string.concat("data:application/json;base64,", Base64.encode(bytes(json))));
    }
}

contract SoulCertificateAsErc721Test is SoulRegistryBase {
    function test_neverMovesAtItsHoldersWill() public {
        register("alice");

        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.Soulbound.selector, 1));
        certificates.transferFrom(owner, stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.Soulbound.selector, 1));
        certificates.safeTransferFrom(owner, stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.ApprovalDisabled.selector));
        certificates.approve(stranger, 1);
        vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.ApprovalDisabled.selector));
        certificates.setApprovalForAll(stranger, true);
        vm.stopPrank();
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_onlyTheSoulRegistryMints() public {
        address[4] memory callers = [owner, registrar, admin, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, callers[i]));
            vm.prank(callers[i]);
            certificates.mint(callers[i], 1);
            vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, callers[i]));
            vm.prank(callers[i]);
            certificates.mintBatch(callers[i], 1, 2);
            vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, callers[i]));
            vm.prank(callers[i]);
            certificates.move(1, owner, callers[i]);
            vm.expectRevert(abi.encodeWithSelector(ISoulCertificate.OnlySoulRegistry.selector, callers[i]));
            vm.prank(callers[i]);
            certificates.burn(1, owner);
        }
        assertEq(certificates.SOUL_REGISTRY(), address(souls));
    }

    function test_anErc721sOtherRefusalsComeFirst() public {
        register("alice");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(0)));
        vm.prank(owner);
        certificates.transferFrom(owner, address(0), 1);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, stranger, 1));
        vm.prank(stranger);
        certificates.safeTransferFrom(owner, stranger, 1, "data");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 2));
        certificates.transferFrom(owner, stranger, 2);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidOwner.selector, address(0)));
        certificates.balanceOf(address(0));
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 2));
        certificates.getApproved(2);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 2));
        certificates.ownerOf(2);
        assertEq(certificates.getApproved(1), address(0));
        assertFalse(certificates.isApprovedForAll(owner, stranger));
        assertEq(certificates.name(), "Soul Certificate");
        assertEq(certificates.symbol(), "SOUL");
    }

    function test_lockedRevertsForAnUnknownToken() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 1));
        certificates.locked(1);
    }

    function test_saysWhichInterfacesItHas() public view {
        assertTrue(certificates.supportsInterface(0x01ffc9a7));
        assertTrue(certificates.supportsInterface(0x80ac58cd));
        assertTrue(certificates.supportsInterface(0x5b5e139f));
        assertTrue(certificates.supportsInterface(0xb45a3c0e));
        assertFalse(certificates.supportsInterface(0xffffffff));
    }
}
