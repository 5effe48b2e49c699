// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {PassportWriter} from "../../contracts/PassportWriter.sol";
import {IIdentityRegistry} from "../../contracts/erc8004/interfaces/IIdentityRegistry.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {IPassportWriter} from "../../contracts/interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {BoundSoulsDouble, PassportWriterBase} from "./PassportWriterBase.sol";
import {Vm} from "./utils/Vm.sol";

/// @dev What the identity registry might be upgraded to. Reads are answered as the owner's approved
/// passport would answer.
contract OddIdentityRegistry {
    enum Answer {
        REFUSE_METADATA,
        REFUSE_URI,
        TAKE_ALL_GAS,
        REENTER_WRITE,
        REENTER_SYNC,
        REENTER_OWNER_WRITE
    }

    address private immutable _OWNER;
    Answer private immutable _ANSWER;
    BoundSoulsDouble private immutable _SOULS;
    IPassportWriter public writer;

    constructor(address owner, Answer answer, BoundSoulsDouble souls) {
        _OWNER = owner;
        _ANSWER = answer;
        _SOULS = souls;
    }

    function setWriter(IPassportWriter writer_) external {
        writer = writer_;
    }

    function setMetadata(uint256, string calldata, bytes calldata) external {
        if (_ANSWER == Answer.REFUSE_METADATA) revert("Metadata refused");
        if (_ANSWER == Answer.TAKE_ALL_GAS) {
            assembly {
                invalid()
            }
        }
        if (_ANSWER == Answer.REENTER_WRITE) _SOULS.write(writer, 7, "");
        if (_ANSWER == Answer.REENTER_SYNC) {
            uint256[] memory tokenIds = new uint256[](1);
            tokenIds[0] = 7;
            writer.sync(tokenIds);
        }
        if (_ANSWER == Answer.REENTER_OWNER_WRITE) {
            IPassportWriter.SetMetadata memory change;
            change.tokenId = 7;
            writer.setMetadata(change, "");
        }
    }

    function setAgentURI(uint256, string calldata) external {
        if (_ANSWER == Answer.REFUSE_URI) revert("URI refused");
        if (_ANSWER == Answer.REENTER_OWNER_WRITE) {
            IPassportWriter.SetAgentURI memory change;
            change.tokenId = 7;
            writer.setAgentURI(change, "");
        }
    }

    function ownerOf(uint256) external view returns (address) {
        return _OWNER;
    }

    function isAuthorizedOrOwner(address, uint256) external pure returns (bool) {
        return true;
    }

    function tokenURI(uint256) external pure returns (string memory) {
        return "";
    }

    function getMetadata(uint256, string calldata) external pure returns (bytes memory) {
        return "";
    }
}

contract PassportWriterDeploymentTest is PassportWriterBase {
    function test_NamesBothRegistries() public view {
        assertEq(writer.SOUL_REGISTRY(), address(souls));
        assertEq(writer.IDENTITY_REGISTRY(), address(identity));
    }

    function test_AnswersERC165() public view {
        assertTrue(writer.supportsInterface(type(IPassportWriter).interfaceId));
        assertTrue(writer.supportsInterface(type(IOwnerAuthorization).interfaceId));
        assertTrue(writer.supportsInterface(type(IERC165).interfaceId));
        assertFalse(writer.supportsInterface(0xffffffff));
    }
}

contract PassportWriterWriteTest is PassportWriterBase {
    function test_RefusesCallersOtherThanTheSoulRegistry() public {
        approve(owner);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.OnlySoulRegistry.selector, owner));
        vm.prank(owner);
        writer.write(SOUL, "ar://other");
    }

    function test_LeavesAnUnapprovedPassportAndEmitsMetadataPending() public {
        bytes32 before = stateOf(PASSPORT);
        vm.recordLogs();
        assertFalse(souls.write(writer, SOUL, "ar://other"));

        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(writer),
            topicsOf(IPassportWriter.MetadataPending.selector, toTopic(SOUL), toTopic(PASSPORT)),
            ""
        );
        assertEq(stateOf(PASSPORT), before);
    }

    function test_WritesFourKeysAndTheURI() public {
        approve(owner);
        bytes32 soulHash = keccak256(abi.encode("soul", SOUL));
        bytes32 archiveId = 0x00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29a;
        souls.setArchive(SOUL, archiveId);
        vm.expectEmit(address(writer));
        emit IPassportWriter.MetadataSynced(SOUL, PASSPORT, soulHash, "SEALED", archiveId);
        assertTrue(souls.write(writer, SOUL, "ar://other"));

        assertEq(identity.getMetadata(PASSPORT, "svcSoulHash"), abi.encode(soulHash));
        assertEq(identity.getMetadata(PASSPORT, "svcTokenId"), abi.encode(SOUL));
        // The bytes count up in steps of six bits, so that the text is the alphabet of RFC 4648 in
        // its order; four bits remain.
        assertEq(string(identity.getMetadata(PASSPORT, "svcArweaveId")), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopo");
        assertEq(statusText(PASSPORT), "SEALED");
        assertEq(identity.tokenURI(PASSPORT), "ar://other");
    }

    function test_WritesPENDINGForAProvisionalSoul() public {
        approve(owner);
        souls.bind(SOUL, PASSPORT, owner, ISoulRegistry.Status.PROVISIONAL);
        assertTrue(souls.write(writer, SOUL, ""));
        assertEq(statusText(PASSPORT), "PENDING");
    }

    function test_LeavesTheURIWithoutASignedOne() public {
        approve(owner);
        assertTrue(souls.write(writer, SOUL, ""));
        assertEq(identity.tokenURI(PASSPORT), URI);
    }

    function test_LeavesSvcArweaveIdWithoutAnArchive() public {
        vm.prank(owner);
        identity.setMetadata(PASSPORT, "svcArweaveId", "of the mint");
        approve(owner);
        souls.setArchive(SOUL, bytes32(0));
        vm.expectEmit(address(writer));
        emit IPassportWriter.MetadataSynced(SOUL, PASSPORT, keccak256(abi.encode("soul", SOUL)), "SEALED", bytes32(0));
        assertTrue(souls.write(writer, SOUL, ""));
        assertEq(string(identity.getMetadata(PASSPORT, "svcArweaveId")), "of the mint");
    }

    function test_AcceptsAnApprovalOfOnePassport() public {
        vm.prank(owner);
        identity.approve(address(writer), PASSPORT);
        assertTrue(souls.write(writer, SOUL, ""));
        assertEq(statusText(PASSPORT), "SEALED");
        assertFalse(souls.write(writer, 8, ""));
    }

    /// @dev The record names passport 0 in the middle of a registration, and the owner of passport
    /// 0 may have approved the writer.
    function test_RefusesARecordWhosePassportIsNotBoundYet() public {
        approve(stranger);
        souls.bind(9, 0, owner, ISoulRegistry.Status.PROVISIONAL);
        souls.setTokenOfPassport(0, 0);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotBound.selector, 9, 0));
        souls.write(writer, 9, "ar://other");
    }

    function test_RefusesAPassportThatCarriesAnotherSoul() public {
        approve(owner);
        souls.bind(9, PASSPORT, owner, ISoulRegistry.Status.SEALED);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotBound.selector, SOUL, PASSPORT));
        souls.write(writer, SOUL, "ar://other");
    }

    /// @dev For every amount of gas the call either writes all or reverts: what a submitter
    /// withholds suppresses nothing.
    function testFuzz_WritesAllOrNothingWithAnyGas(uint256 gasLimit) public {
        approve(owner);
        bytes32 before = stateOf(PASSPORT);
        gasLimit = bound(gasLimit, 1_000, 400_000);
        try souls.write{gas: gasLimit}(writer, SOUL, "ar://other") returns (bool written) {
            assertTrue(written, "said that nothing was written");
            assertEq(statusText(PASSPORT), "SEALED");
            assertEq(identity.tokenURI(PASSPORT), "ar://other");
        } catch {
            assertEq(stateOf(PASSPORT), before);
        }
    }
}

contract PassportWriterSyncTest is PassportWriterBase {
    enum Place {
        SEALER,
        MOVED,
        BACK
    }

    /// @dev Every living state: mark, place of the passport, status. The new owner approved the
    /// writer, so that only the state decides.
    function test_WritesTheStatusOfEveryLivingState() public {
        approve(owner);
        approve(buyer);
        for (uint256 i = 0; i < 12; ++i) {
            bool marked = i % 2 == 1;
            Place place = Place((i / 2) % 3);
            bool provisional = i >= 6;
            uint256 snapshot = vm.snapshotState();
            souls.bind(
                SOUL,
                PASSPORT,
                owner,
                provisional ? ISoulRegistry.Status.PROVISIONAL : ISoulRegistry.Status.SEALED
            );
            if (place != Place.SEALER) move(PASSPORT, buyer);
            if (place == Place.BACK) move(PASSPORT, owner);
            souls.mark(SOUL, marked);

            string memory expected =
                marked || place == Place.MOVED
                    ? "SUSPENDED"
                    : provisional
                        ? "PENDING"
                        : "SEALED";
            vm.expectEmit(address(writer));
            emit IPassportWriter.MetadataSynced(
                SOUL,
                PASSPORT,
                keccak256(abi.encode("soul", SOUL)),
                expected,
                keccak256(abi.encode("archive", SOUL))
            );
            vm.prank(stranger);
            writer.sync(one(SOUL));
            assertEq(statusText(PASSPORT), expected);
            assertEq(identity.getMetadata(PASSPORT, "svcTokenId"), abi.encode(SOUL));
            vm.revertToState(snapshot);
        }
    }

    function test_ClearsWhatABurnedSoulLeft() public {
        approve(owner);
        writer.sync(one(SOUL));
        souls.burn(SOUL);
        vm.expectEmit(address(writer));
        emit IPassportWriter.MetadataCleared(SOUL, PASSPORT);
        vm.prank(stranger);
        writer.sync(one(SOUL));
        assertEq(identity.getMetadata(PASSPORT, "svcSoulHash"), "");
        assertEq(identity.getMetadata(PASSPORT, "svcTokenId"), "");
        assertEq(identity.getMetadata(PASSPORT, "svcArweaveId"), "");
        assertEq(identity.getMetadata(PASSPORT, "svcStatus"), "");
        assertEq(identity.tokenURI(PASSPORT), URI);
    }

    /// @dev The buyer approved the writer for souls of its own. It never had this one.
    function test_WritesNothingOfABurnedSoulForABuyer() public {
        approve(owner);
        approve(buyer);
        writer.sync(one(SOUL));
        souls.burn(SOUL);
        move(PASSPORT, buyer);
        bytes32 before = stateOf(PASSPORT);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotLastSealer.selector, SOUL, owner, buyer));
        writer.sync(one(SOUL));
        assertEq(stateOf(PASSPORT), before);
    }

    function test_WritesNothingOfABurnedSoulOnAPassportThatNamesAnother() public {
        approve(owner);
        souls.burn(SOUL);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NothingToClear.selector, SOUL, PASSPORT));
        writer.sync(one(SOUL));

        vm.startPrank(owner);
        identity.setMetadata(PASSPORT, "svcTokenId", abi.encode(SOUL + 1));
        identity.setMetadata(PASSPORT, "svcStatus", "SEALED");
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NothingToClear.selector, SOUL, PASSPORT));
        writer.sync(one(SOUL));
        assertEq(statusText(PASSPORT), "SEALED");
    }

    function test_ClearsOnce() public {
        approve(owner);
        writer.sync(one(SOUL));
        souls.burn(SOUL);
        writer.sync(one(SOUL));
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NothingToClear.selector, SOUL, PASSPORT));
        writer.sync(one(SOUL));
    }

    function test_RefusesABurnedSoulWhosePassportCarriesAnother() public {
        approve(owner);
        souls.burn(SOUL);
        souls.bind(9, PASSPORT, owner, ISoulRegistry.Status.SEALED);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotBound.selector, SOUL, PASSPORT));
        writer.sync(one(SOUL));
    }

    function test_RefusesAnUnknownSoul() public {
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongStatus.selector, 99, ISoulRegistry.Status.NONE));
        writer.sync(one(99));
    }

    function test_RefusesAnUnapprovedPassport() public {
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotApproved.selector, PASSPORT));
        writer.sync(one(SOUL));
    }

    /// @dev The buyer gave no approval: the seller's does not reach a passport that it sold.
    function test_RefusesAMovedPassportThatOnlyTheSellerApproved() public {
        approve(owner);
        move(PASSPORT, buyer);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotApproved.selector, PASSPORT));
        writer.sync(one(SOUL));
    }

    function test_RefusesAPassportThatDoesNotExist() public {
        souls.bind(9, 500, owner, ISoulRegistry.Status.SEALED);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 500));
        writer.sync(one(9));
    }

    function test_WritesAllOrNone() public {
        approve(owner);
        uint256[] memory tokenIds = new uint256[](3);
        (tokenIds[0], tokenIds[1], tokenIds[2]) = (SOUL, 8, 99);
        bytes32 before = stateOf(PASSPORT);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongStatus.selector, 99, ISoulRegistry.Status.NONE));
        writer.sync(tokenIds);
        assertEq(stateOf(PASSPORT), before);

        tokenIds[2] = SOUL;
        writer.sync(tokenIds);
        assertEq(statusText(PASSPORT), "SEALED");
        assertEq(identity.getMetadata(2, "svcTokenId"), abi.encode(8));
    }

    function test_WritesNothingForAnEmptyList() public {
        vm.recordLogs();
        writer.sync(new uint256[](0));
        assertEq(vm.getRecordedLogs().length, 0);
    }
}

contract PassportWriterAgentURITest is PassportWriterBase {
    function setUp() public override {
        super.setUp();
        approve(owner);
    }

    function test_WritesWhatTheOwnerSigned() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.expectEmit(address(writer));
        emit IOwnerAuthorization.NonceUsed(owner, change.nonce, digestOf(change));
        vm.expectEmit(address(writer));
        emit IPassportWriter.AgentURIWritten(SOUL, PASSPORT, 1, 1, "ar://second");
        vm.expectEmit(address(identity));
        emit IIdentityRegistry.URIUpdated(PASSPORT, "ar://second", address(writer));
        vm.prank(stranger);
        writer.setAgentURI(change, signed(OWNER_KEY, change));

        assertEq(identity.tokenURI(PASSPORT), "ar://second");
        assertEq(uint256(writer.versionOf(SOUL)), 1);
        assertEq(uint256(writer.versionOf(8)), 0);
    }

    function test_AcceptsACallOfTheOwner() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.prank(owner);
        writer.setAgentURI(change, "");
        assertEq(identity.tokenURI(PASSPORT), "ar://second");
        assertFalse(writer.isNonceUsed(owner, change.nonce));
    }

    function test_AcceptsAProvisionalSoul() public {
        souls.bind(SOUL, PASSPORT, owner, ISoulRegistry.Status.PROVISIONAL);
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        writer.setAgentURI(change, signed(OWNER_KEY, change));
        assertEq(identity.tokenURI(PASSPORT), "ar://second");
    }

    function test_RefusesACallerWithoutASignature() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, stranger, owner));
        vm.prank(stranger);
        writer.setAgentURI(change, "");
    }

    function test_RefusesAnotherSigner() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        writer.setAgentURI(change, signed(STRANGER_KEY, change));
    }

    /// @dev The soul registry had these structs once: what was signed for another contract is
    /// nothing here.
    function test_RefusesASignatureForAnotherDomain() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signDigest(OWNER_KEY, digestFor("SoulRegistry", hashOf(change)));
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesAnAlteredURI() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signed(OWNER_KEY, change);
        change.agentURI = "ar://third";
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesBothOwnersOfAMovedPassport() public {
        approve(buyer);
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory bySeller = signed(OWNER_KEY, change);
        bytes memory byBuyer = signed(BUYER_KEY, change);
        move(PASSPORT, buyer);
        bytes memory refusal = abi.encodeWithSelector(IPassportWriter.SoulSuspended.selector, SOUL, owner, buyer);
        vm.expectRevert(refusal);
        writer.setAgentURI(change, bySeller);
        vm.expectRevert(refusal);
        writer.setAgentURI(change, byBuyer);
        vm.expectRevert(refusal);
        vm.prank(buyer);
        writer.setAgentURI(change, "");
    }

    function test_RefusesAMarkedSoulWhosePassportIsBack() public {
        souls.mark(SOUL, true);
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signed(OWNER_KEY, change);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.SoulSuspended.selector, SOUL, owner, owner));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesABurnedSoul() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        souls.burn(SOUL);
        vm.expectRevert(
            abi.encodeWithSelector(IPassportWriter.WrongStatus.selector, SOUL, ISoulRegistry.Status.BURNED)
        );
        vm.prank(owner);
        writer.setAgentURI(change, "");
    }

    function test_RefusesAnUnknownSoul() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        change.tokenId = 99;
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongStatus.selector, 99, ISoulRegistry.Status.NONE));
        vm.prank(owner);
        writer.setAgentURI(change, "");
    }

    function test_RefusesAPassportThatCarriesAnotherSoul() public {
        souls.setTokenOfPassport(PASSPORT, 8);
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotBound.selector, SOUL, PASSPORT));
        vm.prank(owner);
        writer.setAgentURI(change, "");
    }

    function test_RefusesAnotherEpoch() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        souls.setEpoch(SOUL, 2);
        bytes memory signature = signed(OWNER_KEY, change);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongEpoch.selector, SOUL, 1, 2));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesAnotherVersion() public {
        IPassportWriter.SetAgentURI memory withheld = agentURIOf("ar://second");
        IPassportWriter.SetMetadata memory metadata = metadataOf("colour", "blue");
        writer.setMetadata(metadata, signed(OWNER_KEY, metadata));
        bytes memory signature = signed(OWNER_KEY, withheld);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongVersion.selector, SOUL, 0, 1));
        writer.setAgentURI(withheld, signature);
        withheld.version = 2;
        signature = signed(OWNER_KEY, withheld);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongVersion.selector, SOUL, 2, 1));
        writer.setAgentURI(withheld, signature);
    }

    function test_RefusesASignatureTwice() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signed(OWNER_KEY, change);
        writer.setAgentURI(change, signature);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, change.nonce));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesAnExpiredSignature() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        vm.warp(change.deadline + 1);
        bytes memory signature = signed(OWNER_KEY, change);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, change.deadline));
        writer.setAgentURI(change, signature);
    }

    function test_RefusesAnotherPreviousURI() public {
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signed(OWNER_KEY, change);
        vm.prank(owner);
        identity.setAgentURI(PASSPORT, "ar://written directly");
        vm.expectRevert(
            abi.encodeWithSelector(
                IPassportWriter.Outdated.selector,
                SOUL,
                keccak256(bytes(URI)),
                keccak256("ar://written directly")
            )
        );
        writer.setAgentURI(change, signature);
        assertFalse(writer.isNonceUsed(owner, change.nonce));
    }

    function test_RefusesAnUnapprovedPassport() public {
        vm.prank(owner);
        identity.setApprovalForAll(address(writer), false);
        IPassportWriter.SetAgentURI memory change = agentURIOf("ar://second");
        bytes memory signature = signed(OWNER_KEY, change);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotApproved.selector, PASSPORT));
        writer.setAgentURI(change, signature);
    }
}

contract PassportWriterMetadataTest is PassportWriterBase {
    function setUp() public override {
        super.setUp();
        approve(owner);
    }

    function test_WritesWhatTheOwnerSigned() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.expectEmit(address(writer));
        emit IOwnerAuthorization.NonceUsed(owner, change.nonce, digestOf(change));
        vm.expectEmit(address(writer));
        emit IPassportWriter.MetadataWritten(SOUL, PASSPORT, 1, 1, "colour", "blue");
        vm.expectEmit(address(identity));
        emit IIdentityRegistry.MetadataSet(PASSPORT, "colour", "colour", "blue");
        vm.prank(stranger);
        writer.setMetadata(change, signed(OWNER_KEY, change));

        assertEq(identity.getMetadata(PASSPORT, "colour"), "blue");
        assertEq(uint256(writer.versionOf(SOUL)), 1);
    }

    function test_AcceptsACallOfTheOwner() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.prank(owner);
        writer.setMetadata(change, "");
        assertEq(identity.getMetadata(PASSPORT, "colour"), "blue");
    }

    function test_RefusesKeysOfTheSoulsState() public {
        string[4] memory keys = ["svc", "svcStatus", "svcSoulHash", "svcOfTomorrow"];
        for (uint256 i = 0; i < keys.length; ++i) {
            IPassportWriter.SetMetadata memory change = metadataOf(keys[i], "SEALED");
            bytes memory signature = signed(OWNER_KEY, change);
            vm.expectRevert(abi.encodeWithSelector(IPassportWriter.ReservedMetadataKey.selector, keys[i]));
            writer.setMetadata(change, signature);
            vm.expectRevert(abi.encodeWithSelector(IPassportWriter.ReservedMetadataKey.selector, keys[i]));
            vm.prank(owner);
            writer.setMetadata(change, "");
        }
    }

    function test_AcceptsKeysThatOnlyResembleThose() public {
        string[4] memory keys = ["", "sv", "Svc", "asvc"];
        for (uint256 i = 0; i < keys.length; ++i) {
            IPassportWriter.SetMetadata memory change = metadataOf(keys[i], "value");
            writer.setMetadata(change, signed(OWNER_KEY, change));
            assertEq(identity.getMetadata(PASSPORT, keys[i]), "value");
        }
    }

    function test_LeavesTheRegistrysReservedKeyToTheRegistry() public {
        IPassportWriter.SetMetadata memory change = metadataOf("agentWallet", "value");
        bytes memory signature = signed(OWNER_KEY, change);
        vm.expectRevert(bytes("reserved key"), address(identity));
        writer.setMetadata(change, signature);
        assertFalse(writer.isNonceUsed(owner, change.nonce));
        assertEq(uint256(writer.versionOf(SOUL)), 0);
    }

    function test_RefusesACallerWithoutASignature() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, stranger, owner));
        vm.prank(stranger);
        writer.setMetadata(change, "");
    }

    function test_RefusesAnAlteredKeyOrValue() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        bytes memory signature = signed(OWNER_KEY, change);
        bytes memory refusal = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        change.value = "red";
        vm.expectRevert(refusal);
        writer.setMetadata(change, signature);
        (change.key, change.value) = ("shape", "blue");
        vm.expectRevert(refusal);
        writer.setMetadata(change, signature);
    }

    function test_RefusesBothOwnersOfAMovedPassport() public {
        approve(buyer);
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        bytes memory bySeller = signed(OWNER_KEY, change);
        move(PASSPORT, buyer);
        bytes memory refusal = abi.encodeWithSelector(IPassportWriter.SoulSuspended.selector, SOUL, owner, buyer);
        vm.expectRevert(refusal);
        writer.setMetadata(change, bySeller);
        vm.expectRevert(refusal);
        vm.prank(buyer);
        writer.setMetadata(change, "");
    }

    function test_RefusesAMarkedSoulWhosePassportIsBack() public {
        souls.mark(SOUL, true);
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.SoulSuspended.selector, SOUL, owner, owner));
        vm.prank(owner);
        writer.setMetadata(change, "");
    }

    function test_RefusesAPassportThatCarriesAnotherSoul() public {
        souls.setTokenOfPassport(PASSPORT, 8);
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotBound.selector, SOUL, PASSPORT));
        vm.prank(owner);
        writer.setMetadata(change, "");
    }

    function test_RefusesAnotherEpoch() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        souls.setEpoch(SOUL, 3);
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongEpoch.selector, SOUL, 1, 3));
        vm.prank(owner);
        writer.setMetadata(change, "");
    }

    /// @dev Blue, red, blue: the value is back to what the withheld signature names, the version is
    /// not.
    function test_RefusesAWithheldSignatureAfterALaterWrite() public {
        IPassportWriter.SetMetadata memory withheld = metadataOf("colour", "green");
        bytes memory signature = signed(OWNER_KEY, withheld);
        IPassportWriter.SetMetadata memory red = metadataOf("colour", "red");
        writer.setMetadata(red, signed(OWNER_KEY, red));
        IPassportWriter.SetMetadata memory empty = metadataOf("colour", "");
        writer.setMetadata(empty, signed(OWNER_KEY, empty));
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.WrongVersion.selector, SOUL, 0, 2));
        writer.setMetadata(withheld, signature);
    }

    function test_RefusesAnotherPreviousValue() public {
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.prank(owner);
        identity.setMetadata(PASSPORT, "colour", "written directly");
        vm.expectRevert(
            abi.encodeWithSelector(
                IPassportWriter.Outdated.selector,
                SOUL,
                keccak256(""),
                keccak256("written directly")
            )
        );
        vm.prank(owner);
        writer.setMetadata(change, "");
    }

    function test_RefusesAnUnapprovedPassport() public {
        vm.prank(owner);
        identity.setApprovalForAll(address(writer), false);
        IPassportWriter.SetMetadata memory change = metadataOf("colour", "blue");
        vm.expectRevert(abi.encodeWithSelector(IPassportWriter.NotApproved.selector, PASSPORT));
        vm.prank(owner);
        writer.setMetadata(change, "");
    }
}

/// @dev An identity registry that a third party upgraded: nothing it does is hidden, and nothing is
/// half done.
contract PassportWriterOddRegistryTest is PassportWriterBase {
    OddIdentityRegistry internal odd;

    function face(OddIdentityRegistry.Answer answer) internal {
        odd = new OddIdentityRegistry(owner, answer, souls);
        writer = PassportWriter(deploy("PassportWriter", abi.encode(souls, odd)));
        odd.setWriter(writer);
    }

    function ownMetadata() internal returns (IPassportWriter.SetMetadata memory) {
        return
            IPassportWriter.SetMetadata(
                SOUL,
                1,
                writer.versionOf(SOUL),
                "colour",
                keccak256(""),
                "blue",
                ++noncesGiven,
                vm.getBlockTimestamp()
            );
    }

    function test_PassesARefusalOn() public {
        face(OddIdentityRegistry.Answer.REFUSE_METADATA);
        vm.expectRevert(bytes("Metadata refused"), address(odd));
        souls.write(writer, SOUL, "");
        vm.expectRevert(bytes("Metadata refused"), address(odd));
        writer.sync(one(SOUL));
        IPassportWriter.SetMetadata memory change = ownMetadata();
        vm.expectRevert(bytes("Metadata refused"), address(odd));
        vm.prank(owner);
        writer.setMetadata(change, "");
        assertEq(uint256(writer.versionOf(SOUL)), 0);
    }

    function test_PassesARefusedURIOn() public {
        face(OddIdentityRegistry.Answer.REFUSE_URI);
        vm.expectRevert(bytes("URI refused"), address(odd));
        souls.write(writer, SOUL, "ar://other");
        assertTrue(souls.write(writer, SOUL, ""));
    }

    function test_RevertsWhereTheRegistryTakesAllGas() public {
        face(OddIdentityRegistry.Answer.TAKE_ALL_GAS);
        vm.expectRevert();
        souls.write{gas: 5_000_000}(writer, SOUL, "");
        vm.expectRevert();
        writer.sync{gas: 5_000_000}(one(SOUL));
    }

    function test_RefusesToBeReentered() public {
        bytes memory refusal = abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (
            uint8 answer = uint8(OddIdentityRegistry.Answer.REENTER_WRITE);
            answer <= uint8(OddIdentityRegistry.Answer.REENTER_OWNER_WRITE);
            ++answer
        ) {
            face(OddIdentityRegistry.Answer(answer));
            vm.expectRevert(refusal);
            souls.write(writer, SOUL, "");
            vm.expectRevert(refusal);
            writer.sync(one(SOUL));
            IPassportWriter.SetMetadata memory change = ownMetadata();
            vm.expectRevert(refusal);
            vm.prank(owner);
            writer.setMetadata(change, "");
        }
        uint256 deadline = vm.getBlockTimestamp();
        IPassportWriter.SetAgentURI memory other = IPassportWriter.SetAgentURI(
            SOUL,
            1,
            writer.versionOf(SOUL),
            keccak256(""),
            "ar://other",
            1,
            deadline
        );
        vm.expectRevert(refusal);
        vm.prank(owner);
        writer.setAgentURI(other, "");
    }
}

/// @dev What the approval of every owner rests on, read off the deployed code itself.
contract PassportWriterBytecodeTest is PassportWriterBase {
    uint256 private constant PUSH1 = 0x60;
    uint256 private constant PUSH32 = 0x7f;
    uint256 private constant CREATE = 0xf0;
    uint256 private constant CALL = 0xf1;
    uint256 private constant CALLCODE = 0xf2;
    uint256 private constant DELEGATECALL = 0xf4;
    uint256 private constant CREATE2 = 0xf5;
    uint256 private constant STATICCALL = 0xfa;
    uint256 private constant SELFDESTRUCT = 0xff;

    /// @dev How often an instruction occurs, outside of what others push.
    function scan(uint256 wanted) private view returns (uint256 count) {
        bytes memory code = instructions();
        for (uint256 i = 0; i < code.length; ++i) {
            uint256 instruction = uint8(code[i]);
            if (instruction == wanted) ++count;
            if (instruction >= PUSH1 && instruction <= PUSH32) i += instruction - PUSH1 + 1;
        }
    }

    /// @dev Every constant that the code pushes, without the zero bits at its end: the compiler
    /// pushes a selector shifted as suits it.
    function constants() private view returns (uint256[] memory pushed) {
        bytes memory code = instructions();
        pushed = new uint256[](code.length);
        uint256 count = 0;
        for (uint256 i = 0; i < code.length; ++i) {
            uint256 instruction = uint8(code[i]);
            if (instruction < PUSH1 || instruction > PUSH32) continue;
            uint256 value = 0;
            for (uint256 size = instruction - PUSH1 + 1; size > 0; --size) value = (value << 8) | uint8(code[++i]);
            pushed[count++] = withoutEnd(value);
        }
        assembly ("memory-safe") {
            mstore(pushed, count)
        }
    }

    function withoutEnd(uint256 value) private pure returns (uint256) {
        if (value == 0) return 0;
        while (value & 1 == 0) value >>= 1;
        return value;
    }

    /// @dev The runtime code without the compiler's metadata at its end, whose length the last two
    /// bytes say.
    function instructions() private view returns (bytes memory code) {
        code = address(writer).code;
        uint256 length = code.length;
        uint256 metadata = (uint256(uint8(code[length - 2])) << 8) | uint8(code[length - 1]);
        assembly ("memory-safe") {
            mstore(code, sub(length, add(metadata, 2)))
        }
    }

    function pushes(uint256[] memory pushed, bytes4 selector) private pure returns (bool) {
        uint256 wanted = withoutEnd(uint32(selector));
        for (uint256 i = 0; i < pushed.length; ++i) {
            if (pushed[i] == wanted) return true;
        }
        return false;
    }

    function test_HoldsNoSelectorThatMovesOrApprovesAPassport() public view {
        uint256[] memory pushed = constants();
        string[14] memory signatures = [
            "transferFrom(address,address,uint256)",
            "safeTransferFrom(address,address,uint256)",
            "safeTransferFrom(address,address,uint256,bytes)",
            "approve(address,uint256)",
            "setApprovalForAll(address,bool)",
            "setAgentWallet(uint256,address,uint256,bytes)",
            "unsetAgentWallet(uint256)",
            "register()",
            "register(string)",
            "register(string,(string,bytes)[])",
            "transfer(address,uint256)",
            "burn(uint256)",
            "permit(address,uint256,uint256,bytes)",
            "multicall(bytes[])"
        ];
        for (uint256 i = 0; i < signatures.length; ++i) {
            assertFalse(pushes(pushed, bytes4(keccak256(bytes(signatures[i])))), signatures[i]);
        }
        // What the search must find, or it would find nothing at all.
        assertTrue(pushes(pushed, IIdentityRegistry.setMetadata.selector), "setMetadata");
        assertTrue(pushes(pushed, IIdentityRegistry.setAgentURI.selector), "setAgentURI");
    }

    function test_HoldsNoInstructionThatRunsOrCreatesOtherCode() public view {
        assertEq(scan(DELEGATECALL), 0, "DELEGATECALL");
        assertEq(scan(CALLCODE), 0, "CALLCODE");
        assertEq(scan(CREATE), 0, "CREATE");
        assertEq(scan(CREATE2), 0, "CREATE2");
        assertEq(scan(SELFDESTRUCT), 0, "SELFDESTRUCT");
        assertGt(scan(STATICCALL), 0, "STATICCALL");
    }

    /// @dev One for each line of the source that changes another contract: metadata and URI after a
    /// soul's operation, metadata and URI of the owner's. {test_CallsOnlyTheIdentityRegistry} shows
    /// where they go.
    function test_HoldsFourInstructionsThatCallWithEffect() public view {
        assertEq(scan(CALL), 4, "CALL");
    }

    /// @dev For any arguments: every call that could change state goes to the identity registry,
    /// without ether, and is `setMetadata` or `setAgentURI` of the soul's own passport.
    function testFuzz_CallsOnlyTheIdentityRegistry(string calldata text, bytes calldata value) public {
        approve(owner);
        vm.assume(keccak256(bytes(text)) != keccak256("agentWallet"));
        IPassportWriter.SetMetadata memory metadata = metadataOf(string.concat("x", text), value);
        IPassportWriter.SetAgentURI memory agentURI = agentURIOf(text);
        agentURI.version = 1;
        bytes memory metadataSignature = signed(OWNER_KEY, metadata);
        vm.startStateDiffRecording();
        writer.setMetadata(metadata, metadataSignature);
        vm.prank(owner);
        agentURI.previousURIHash = keccak256(bytes(URI));
        writer.setAgentURI(agentURI, "");
        souls.write(writer, SOUL, text);
        writer.sync(one(SOUL));
        Vm.AccountAccess[] memory accesses = vm.stopAndReturnStateDiff();

        uint256 calls = 0;
        for (uint256 i = 0; i < accesses.length; ++i) {
            Vm.AccountAccess memory access = accesses[i];
            if (access.accessor != address(writer)) continue;
            if (access.kind == Vm.AccountAccessKind.StaticCall || access.kind == Vm.AccountAccessKind.Resume) continue;
            if (access.kind == Vm.AccountAccessKind.Extcodesize) continue;
            assertEq(uint256(access.kind), uint256(Vm.AccountAccessKind.Call), "kind");
            assertEq(access.account, address(identity), "target");
            assertEq(access.value, 0, "ether");
            bytes4 selector = bytes4(access.data);
            assertTrue(
                selector == IIdentityRegistry.setMetadata.selector ||
                    selector == IIdentityRegistry.setAgentURI.selector,
                "function"
            );
            bytes memory data = access.data;
            uint256 passportId;
            assembly ("memory-safe") {
                passportId := mload(add(data, 0x24))
            }
            assertEq(passportId, PASSPORT, "passport");
            ++calls;
        }
        assertEq(calls, 10 + (bytes(text).length == 0 ? 0 : 1), "calls");
    }
}
