// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {IIdentityRegistry} from "../../contracts/erc8004/interfaces/IIdentityRegistry.sol";
import {IPassportMint} from "../../contracts/interfaces/IPassportMint.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {RepeatingRegistry, SoulRegistryBase} from "./SoulRegistryBase.sol";
import {Vm} from "./utils/Vm.sol";

/// @dev Another token, which claims to mint to the contract.
contract OtherToken {
    function mintTo(IERC721Receiver receiver) external {
        receiver.onERC721Received(address(receiver), address(0), 3, "");
    }
}

/// @dev An identity registry that calls another token while it registers.
contract CallingRegistry {
    OtherToken private immutable _OTHER = new OtherToken();

    function register() external returns (uint256) {
        _OTHER.mintTo(IERC721Receiver(msg.sender));
        return 7;
    }

    function other() external view returns (address) {
        return address(_OTHER);
    }
}

/// @dev What it mints for one registration without a reservation is tested in {SoulRegistryTest}.
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
            mint.mintBatch(owner, publications, 0);
            vm.expectRevert(refusal);
            mint.reserve(1, 1);
            vm.stopPrank();
        }
        assertEq(identity.balanceOf(owner), 0);
    }

    function test_writesWhatIsKnownOfANewSoul() public {
        vm.startPrank(address(souls));
        (uint256 sealedPassport, ) = mint.mint(owner, 1, ARCHIVE, true, publicationAt(0, 1));
        (uint256 provisional, ) = mint.mint(owner, 2, ARCHIVE, false, publicationAt(1, 2));
        vm.stopPrank();
        assertEq(identity.getMetadata(sealedPassport, "svcStatus"), "SEALED");
        assertEq(identity.getMetadata(provisional, "svcStatus"), "PENDING");
        assertEq(identity.getMetadata(sealedPassport, "svcSoulHash"), abi.encode(ARCHIVE));
        assertEq(identity.getMetadata(provisional, "svcTokenId"), abi.encode(2));
        bytes memory archive = bytes(Base64.encodeURL(abi.encode(publicationAt(0, 1).archiveId)));
        assertEq(identity.getMetadata(provisional, "svcArweaveId"), archive);
    }

    function test_writesFourEntriesAndNoOther() public {
        reserve(1);
        uint256[2] memory reservations = [uint256(0), 1];
        for (uint256 i = 0; i < reservations.length; ++i) {
            ISoulRegistry.Publication memory publication = publicationAt(0, 1);
            publication.reservation = reservations[i];
            vm.recordLogs();
            vm.prank(address(souls));
            mint.mint(owner, 1, ARCHIVE, true, publication);
            Vm.Log[] memory logs = vm.getRecordedLogs();
            uint256 entries;
            for (uint256 j = 0; j < logs.length; ++j) {
                if (logs[j].topics[0] != IIdentityRegistry.MetadataSet.selector) continue;
                assertNotEq(logs[j].topics[2], keccak256(""));
                // The registry writes and clears the wallet by itself.
                if (logs[j].topics[2] != keccak256("agentWallet")) ++entries;
            }
            assertEq(entries, 4);
        }
    }

    function test_aFileThatNamesAnotherTokenIdIsNotWritten() public {
        vm.prank(address(souls));
        (uint256 passportId, bool hasIds) = mint.mint(owner, 2, ARCHIVE, true, publicationAt(0, 1));
        assertEq(passportId, 0);
        assertFalse(hasIds);
        assertEq(identity.tokenURI(0), "ar://without-ids");

        reserve(2);
        vm.prank(address(souls));
        (passportId, hasIds) = mint.mint(owner, 2, ARCHIVE, true, reserved(1, 2, 1));
        assertEq(passportId, 2);
        assertFalse(hasIds);
        assertEq(identity.tokenURI(2), "ar://without-ids");
    }

    function test_refusesPassportsThatAreNotConsecutive() public {
        vm.etch(address(identity), address(new RepeatingRegistry()).code);
        vm.startPrank(address(souls));
        bytes memory refusal = abi.encodeWithSelector(IPassportMint.NotConsecutive.selector, 0, 1);
        vm.expectRevert(refusal);
        mint.mintBatch(owner, new ISoulRegistry.BatchPublication[](2), 0);
        vm.expectRevert(refusal);
        mint.reserve(1, 2);
        vm.stopPrank();
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

    function test_acceptsNoOtherTokenWhileItMints() public {
        CallingRegistry calling = new CallingRegistry();
        bytes memory refusal = abi.encodeWithSelector(IPassportMint.UnexpectedToken.selector, calling.other(), 3);
        vm.etch(address(identity), address(calling).code);
        vm.prank(address(souls));
        vm.expectRevert(refusal);
        mint.reserve(1, 1);
    }

    function test_mintsThoseOfABatchThatAreNotLeftOut() public {
        vm.prank(stranger);
        identity.register();
        ISoulRegistry.BatchPublication[] memory publications = new ISoulRegistry.BatchPublication[](4);
        for (uint256 i = 0; i < publications.length; ++i) {
            publications[i].agentURI = string.concat("ar://", string(abi.encodePacked(bytes1(uint8(97 + i)))));
        }
        vm.prank(address(souls));
        assertEq(mint.mintBatch(owner, publications, 2 + 4), 1);
        assertEq(identity.balanceOf(owner), 2);
        assertEq(identity.ownerOf(1), owner);
        assertEq(identity.ownerOf(2), owner);
        assertEq(identity.tokenURI(1), "ar://a");
        assertEq(identity.tokenURI(2), "ar://d");
        assertEq(identity.balanceOf(address(mint)), 0);
    }

    /* RESERVATIONS */

    function reserve(uint256 count) private returns (uint256 firstTokenId) {
        vm.prank(registrar);
        return souls.reserve(count);
    }

    function reserved(
        uint256 reservation,
        uint256 passportId,
        uint256 tokenId
    ) private pure returns (ISoulRegistry.Publication memory publication) {
        publication = publicationAt(passportId, tokenId);
        publication.reservation = reservation;
    }

    function test_setsTokenIdsAndPassportsAside() public {
        register("first-agent");
        vm.expectEmit(true, true, true, true, address(mint));
        emit IPassportMint.PassportsReserved(2, 1, 3);
        assertEq(reserve(3), 2);
        (uint256 firstPassportId, uint256 count) = mint.reservationOf(2);
        assertEq(firstPassportId, 1);
        assertEq(count, 3);
        assertEq(identity.balanceOf(address(mint)), 3);
        assertEq(souls.nextTokenId(), 5);
        assertEq(mint.unusedReservations(), 3);
        for (uint256 tokenId = 2; tokenId < 5; ++tokenId) {
            assertEq(uint256(souls.soulOf(tokenId).status), uint256(ISoulRegistry.Status.NONE));
            assertEq(souls.tokenOfPassport(tokenId - 1), 0);
        }
    }

    /// @dev What a reservation is for: a stranger registers before each of them, and they are sent in
    /// any order.
    function test_25RegistrationsKeepFilesThatNameTheirIdsWhileAStrangerRegisters() public {
        reserve(25);
        for (uint256 i = 25; i > 0; --i) {
            vm.prank(stranger);
            identity.register();
            string memory name = string.concat("agent-", string(abi.encodePacked(bytes1(uint8(96 + i)))));
            ISoulRegistry.Registration memory registration = registrationOf(name);
            (uint256 tokenId, uint256 passportId) = submit(registration, reserved(1, i - 1, i), signed(registration));
            assertEq(tokenId, i);
            assertEq(passportId, i - 1);
            assertEq(identity.tokenURI(passportId), "ar://with-ids");
            assertEq(identity.ownerOf(passportId), owner);
            assertEq(identity.getAgentWallet(passportId), address(0));
            assertEq(identity.getMetadata(passportId, "svcSoulHash"), abi.encode(registration.soulHash));
            assertEq(identity.getMetadata(passportId, "svcTokenId"), abi.encode(tokenId));
            assertEq(identity.getMetadata(passportId, "svcStatus"), "SEALED");
            assertTrue(souls.isValid(tokenId));
            assertEq(souls.tokenOfPassport(passportId), tokenId);
        }
        assertEq(identity.balanceOf(address(mint)), 0);
        assertEq(mint.unusedReservations(), 0);
        assertEq(souls.nextTokenId(), 26);
    }

    function test_aFileThatNamesOtherIdsIsNotWritten() public {
        reserve(2);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        submit(registration, reserved(1, 7, 2), signed(registration));
        assertEq(identity.tokenURI(1), "ar://without-ids");
    }

    function test_aReservedIdIsUsedOnceAndOnlyOfItsOwnReservation() public {
        reserve(2);
        reserve(1);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);
        uint256[3] memory wrong = [uint256(3), 4, 0];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IPassportMint.NotReserved.selector, 1, wrong[i]));
            submit(registration, reserved(1, 0, wrong[i]), signature);
        }
        vm.expectRevert(abi.encodeWithSelector(IPassportMint.NotReserved.selector, 2, 2));
        submit(registration, reserved(2, 1, 2), signature);

        submit(registration, reserved(1, 1, 2), signature);
        ISoulRegistry.Registration memory next = registrationOf("bob");
        signature = signed(next);
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 2, ISoulRegistry.Status.SEALED));
        submit(next, reserved(1, 1, 2), signature);
        submit(next, publicationAt(3, 4), signature);
        assertEq(souls.tokenOfName("bob"), 4);
        assertEq(identity.tokenURI(3), "ar://with-ids");
    }

    /// @dev A reservation is of new passports: the registration of an existing one takes the next id.
    function test_anExistingPassportTakesNoReservedId() public {
        reserve(1);
        vm.prank(owner);
        uint256 passportId = identity.register("ar://before");
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        (registration.bindPassport, registration.passportId) = (true, passportId);
        (uint256 tokenId, ) = submit(registration, reserved(1, 0, 1), signed(registration));
        assertEq(tokenId, 2);
        assertEq(identity.ownerOf(0), address(mint));
    }

    function test_onlyTheRegistrarReserves() public {
        address[3] memory others = [owner, stranger, admin];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.NotRegistrar.selector, others[i]));
            vm.prank(others[i]);
            souls.reserve(1);
        }
    }

    function test_reservesFrom1To255() public {
        uint256[2] memory wrong = [uint256(0), 256];
        for (uint256 i = 0; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IPassportMint.InvalidReservation.selector, wrong[i]));
            reserve(wrong[i]);
        }
        assertEq(reserve(255), 1);
        (, uint256 count) = mint.reservationOf(1);
        assertEq(count, 255);
        assertEq(souls.nextTokenId(), 256);
    }
}
