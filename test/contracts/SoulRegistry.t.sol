// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {SoulRegistry} from "../../contracts/SoulRegistry.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {IOrganizationRegistry} from "../../contracts/interfaces/IOrganizationRegistry.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulView} from "../../contracts/interfaces/ISoulView.sol";
import {SoulView} from "../../contracts/SoulView.sol";
import {PassportMint} from "../../contracts/PassportMint.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";

/// @dev A wallet that accepts every signature but cannot receive ERC-721 tokens safely.
contract PermissiveWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// @dev Code that an EIP-7702 account might carry: it refuses every ERC-1271 signature.
contract RefusingDelegate {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

contract SoulRegistryRegisterTest is SoulRegistryBase {
    function submit(ISoulRegistry.Registration memory registration, bytes memory signature) internal {
        submit(registration, publicationAt(0, 1), signature);
    }

    function expectRefusal(ISoulRegistry.Registration memory registration, bytes memory revertData) internal {
        bytes memory signature = signed(registration);
        vm.expectRevert(revertData);
        submit(registration, signature);
        assertEq(souls.nextTokenId(), 1);
    }

    /* authority */

    function test_revertsWhenTheCallerIsNoRegistrar() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.NotRegistrar.selector, owner));
        vm.prank(owner);
        souls.register(registration, publicationAt(0, 1), noProof(), "", signature);
    }

    function test_theRegistrarCannotRegisterWithoutTheOwnersSignature() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes32 digest = digestOf(registration);
        bytes[4] memory forgeries = [bytes(""), sign(STRANGER_KEY, digest), hex"00", new bytes(65)];

        for (uint256 i = 0; i < forgeries.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
            submit(registration, forgeries[i]);
        }
        assertEq(souls.nextTokenId(), 1);
    }

    function test_theAdminCannotRegister() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.NotRegistrar.selector, admin));
        vm.prank(admin);
        souls.register(registration, publicationAt(0, 1), noProof(), "", signature);
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);
        bytes32 other = keccak256(abi.encode(noise));

        field = bound(field, 0, 16);
        if (field == 0) registration.name = "mallory";
        if (field == 1) registration.agentType = ISoulRegistry.AgentType.OTHER;
        if (field == 2) registration.owner = stranger;
        if (field == 3) registration.operator = address(uint160(uint256(other)));
        if (field == 4) registration.soulHash = other;
        if (field == 5) registration.soulMerkleRoot = other;
        if (field == 6) registration.contentHash = other;
        if (field == 7) registration.bindPassport = true;
        if (field == 8) registration.passportId = uint256(other);
        if (field == 9) registration.parentTokenId = uint256(other);
        if (field == 10) registration.organizationId = uint256(other);
        if (field == 11) registration.seal = false;
        if (field == 12) registration.nonce = uint256(other);
        if (field == 13) registration.agentURI = "ar://another";
        if (field == 14) registration.humanVerifier = stranger;
        if (field == 15) registration.humanProofHash = other;
        if (field == 16) registration.deadline = block.timestamp + bound(noise, 16 minutes, 365 days);

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, registration.owner));
        submit(registration, signature);
        assertEq(souls.nextTokenId(), 1);
    }

    function test_aSignatureForAnotherContractIsRefused() public {
        SoulRegistry other = deploySouls();
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = sign(OWNER_KEY, digestFor("SoulRegistry", address(other), hasher.hash(registration)));

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        submit(registration, signature);
    }

    function test_aSignatureForAnotherChainIsRefused() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.chainId(8453);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        submit(registration, signature);
    }

    function test_aMalleatedSignatureIsRefused() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OWNER_KEY, digestOf(registration));
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        bytes memory highS = abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        submit(registration, highS);
    }

    function test_revertsAfterTheDeadline() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.warp(registration.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, registration.deadline));
        submit(registration, signature);
    }

    function test_acceptsAtTheDeadline() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.warp(registration.deadline);
        submit(registration, signature);
        assertEq(souls.tokenOfName("alice"), 1);
    }

    function test_aNonceWorksOnce() public {
        register("alice");
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        registration.nonce = registrationOf("alice").nonce;
        bytes memory signature = signed(registration);

        vm.expectRevert(
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, registration.nonce)
        );
        submit(registration, signature);
    }

    function test_aReplayIsRefused() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);
        submit(registration, signature);

        vm.expectRevert(
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, registration.nonce)
        );
        submit(registration, signature);
    }

    function testFuzz_aCancelledNonceIsDead(uint256 nonce, uint256 otherNonce) public {
        vm.assume(nonce != otherNonce);
        vm.expectEmit(true, true, true, true, address(souls));
        emit IOwnerAuthorization.NonceUsed(owner, nonce, bytes32(0));
        vm.prank(owner);
        souls.cancel(nonce);

        assertTrue(souls.isNonceUsed(owner, nonce));
        assertFalse(souls.isNonceUsed(owner, otherNonce));
        assertFalse(souls.isNonceUsed(stranger, nonce));

        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.nonce = nonce;
        expectRefusal(
            registration,
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, nonce)
        );
        registration.nonce = otherNonce;
        submit(registration, signed(registration));
        assertTrue(souls.isNonceUsed(owner, otherNonce));
    }

    function test_aNonceIsCancelledOnce() public {
        vm.startPrank(owner);
        souls.cancel(7);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, 7));
        souls.cancel(7);
        vm.stopPrank();
    }

    /* what an owner may ask for */

    function test_refusesNamesOfAnotherForm() public {
        string[8] memory names = ["ab", "Alice", "-alice", "alice-", "al ice", "123", "agent-7", "request"];
        for (uint256 i = 0; i < names.length; ++i) {
            expectRefusal(
                registrationOf(names[i]),
                abi.encodeWithSelector(ISoulRegistry.InvalidName.selector, names[i])
            );
        }
    }

    function test_aNameIsNeverGivenTwice() public {
        register("alice");
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.nonce = 99;
        bytes memory signature = signed(registration);

        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "alice", 1));
        submit(registration, signature);
        assertEq(souls.nextTokenId(), 2);
    }

    function test_refusesAnEmptySoul() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.soulHash = bytes32(0);
        expectRefusal(registration, abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));

        registration = registrationOf("alice");
        registration.soulMerkleRoot = bytes32(0);
        expectRefusal(registration, abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));
    }

    function test_refusesAParentThatIsNotTheOwners() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.parentTokenId = 1;
        expectRefusal(registration, abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, owner));

        register("parent");
        registration.owner = stranger;
        bytes memory signature = sign(STRANGER_KEY, digestOf(registration));
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.InvalidParent.selector, 1, stranger));
        submit(registration, signature);
    }

    function test_acceptsAParentOfTheSameOwner() public {
        register("parent");
        ISoulRegistry.Registration memory registration = registrationOf("child");
        registration.parentTokenId = 1;
        submit(registration, signed(registration));
        assertEq(souls.tokenOfName("child"), 2);
    }

    function testFuzz_refusesOrganizationsThatDoNotExist(uint256 organizationId) public {
        vm.assume(organizationId != 0);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.organizationId = organizationId;
        expectRefusal(
            registration,
            abi.encodeWithSelector(IOrganizationRegistry.UnknownOrganization.selector, organizationId)
        );
    }

    function test_refusesAnIdForANewPassport() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.passportId = 5;
        expectRefusal(registration, abi.encodeWithSelector(ISoulRegistry.UnexpectedPassportId.selector, 5));
    }

    function test_refusesASignedUriForANewPassport() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.agentURI = "ar://signed";
        expectRefusal(registration, abi.encodeWithSelector(ISoulRegistry.UnexpectedAgentURI.selector));
    }

    /* the registered soul */

    function test_givesPassportAndCertificateToTheOwner() public {
        (uint256 tokenId, uint256 passportId) = register("alice");

        assertEq(tokenId, 1);
        assertEq(passportId, 0);
        assertEq(identity.ownerOf(0), owner);
        assertEq(certificates.ownerOf(1), owner);
        assertTrue(certificates.locked(1));
        assertEq(identity.balanceOf(address(souls)), 0);
        assertEq(identity.getAgentWallet(0), address(0));
    }

    function test_storesTheRecord() public {
        register("first-agent");
        (uint256 tokenId, uint256 passportId) = register("alice");
        ISoulRegistry.Registration memory registration = registrationOf("alice");

        ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
        assertEq(soul.sealer, owner);
        assertEq(soul.passportId, 1);
        assertEq(soul.epoch, 1);
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.SEALED));
        assertEq(uint256(soul.agentType), uint256(ISoulRegistry.AgentType.SPECIALIST));
        assertEq(soul.soulHash, registration.soulHash);
        assertEq(soul.soulMerkleRoot, registration.soulMerkleRoot);
        assertEq(soul.operator, address(0x0909));
        assertEq(soul.name, "alice");
        assertEq(souls.epochOf(tokenId), 1);
        assertEq(souls.liveEpochOf(tokenId), 1);
        assertEq(souls.passportOf(tokenId), passportId);
        assertEq(souls.tokenOfPassport(passportId), tokenId);
        assertEq(souls.tokenOfName("alice"), tokenId);
        assertEq(souls.nextTokenId(), 3);
    }

    function test_anOwnerAsOperatorIsStoredAsNone() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.operator = owner;
        submit(registration, signed(registration));
        assertEq(souls.soulOf(1).operator, address(0));
    }

    function test_writesThePassportsMetadata() public {
        register("alice");

        assertEq(identity.getMetadata(0, "svcSoulHash"), abi.encode(registrationOf("alice").soulHash));
        assertEq(identity.getMetadata(0, "svcTokenId"), abi.encode(uint256(1)));
        assertEq(identity.getMetadata(0, "svcArweaveId"), bytes(Base64.encodeURL(abi.encode(ARCHIVE))));
        assertEq(identity.getMetadata(0, "svcArweaveId").length, 43);
        assertEq(identity.getMetadata(0, "svcStatus"), bytes("SEALED"));
        assertEq(identity.tokenURI(0), "ar://with-ids");
    }

    function test_emitsEveryField() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.expectEmit(true, true, true, true, address(souls));
        emit IOwnerAuthorization.NonceUsed(owner, registration.nonce, digestOf(registration));
        vm.expectEmit(true, true, true, true, address(certificates));
        emit ISoulCertificate.Locked(1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRegistered(
            1,
            0,
            owner,
            "alice",
            ISoulRegistry.AgentType.SPECIALIST,
            address(0x0909),
            0,
            1,
            true
        );
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            1,
            0,
            owner,
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            ARCHIVE,
            true,
            address(0)
        );
        submit(registration, signature);
    }

    function test_writesTheUriWithoutIdsWhenAnotherPassportCameBetween() public {
        vm.prank(stranger);
        identity.register();
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);

        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            1,
            1,
            owner,
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            ARCHIVE,
            false,
            address(0)
        );
        submit(registration, signature);
        assertEq(identity.tokenURI(1), "ar://without-ids");
    }

    function test_anERC1271WalletOwns() public {
        ERC1271Wallet wallet = new ERC1271Wallet(owner);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.owner = address(wallet);
        submit(registration, signed(registration));
        assertEq(identity.ownerOf(0), address(wallet));
        assertEq(certificates.ownerOf(1), address(wallet));

        registration.nonce = 2;
        bytes memory foreign = sign(STRANGER_KEY, digestOf(registration));
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, address(wallet)));
        submit(registration, foreign);
    }

    function test_aWalletThatReceivesNothingSafelyStillOwns() public {
        PermissiveWallet wallet = new PermissiveWallet();
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.owner = address(wallet);
        submit(registration, "");
        assertEq(certificates.ownerOf(1), address(wallet));
    }

    function test_anAccountWithDelegatedCodeSignsAsItself() public {
        vm.etch(owner, address(new RefusingDelegate()).code);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        submit(registration, signed(registration));
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_givesOutAReservedTokenId() public {
        vm.prank(registrar);
        assertEq(souls.reserve(2), 1);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        ISoulRegistry.Publication memory publication = publicationAt(1, 2);
        publication.reservation = 1;
        (uint256 tokenId, uint256 passportId) = submit(registration, publication, signed(registration));
        assertEq(tokenId, 2);
        assertEq(passportId, 1);
        assertEq(souls.tokenOfName("alice"), 2);
        assertEq(souls.nextTokenId(), 3);
    }
}

contract SoulRegistryReadsTest is SoulRegistryBase {
    function validity(uint256 tokenId) internal view returns (ISoulRegistry.Validity answer) {
        (answer, ) = souls.validityOf(tokenId);
    }

    function test_aSealedSoulOfTheLiveOwnerIsValid() public {
        register("alice");

        assertTrue(souls.isValid(1));
        (ISoulRegistry.Validity answer, address passportOwner) = souls.validityOf(1);
        assertEq(uint256(answer), uint256(ISoulRegistry.Validity.VALID));
        assertEq(passportOwner, owner);
    }

    function testFuzz_itIsSuspendedFromTheTransferOnAndValidAgainOnReturn(address buyer) public {
        vm.assume(buyer != address(0) && buyer != owner);
        register("alice");

        vm.prank(owner);
        identity.transferFrom(owner, buyer, 0);
        assertFalse(souls.isValid(1));
        (ISoulRegistry.Validity answer, address passportOwner) = souls.validityOf(1);
        assertEq(uint256(answer), uint256(ISoulRegistry.Validity.SUSPENDED));
        assertEq(passportOwner, buyer);
        assertEq(certificates.ownerOf(1), owner);

        vm.prank(buyer);
        identity.transferFrom(buyer, owner, 0);
        assertTrue(souls.isValid(1));
        assertEq(uint256(validity(1)), uint256(ISoulRegistry.Validity.VALID));
    }

    function testFuzz_anUnknownTokenIsNotLinked(uint256 tokenId) public view {
        assertFalse(souls.isValid(tokenId));
        (ISoulRegistry.Validity answer, address passportOwner) = souls.validityOf(tokenId);
        assertEq(uint256(answer), uint256(ISoulRegistry.Validity.NOT_LINKED));
        assertEq(passportOwner, address(0));
        assertEq(souls.epochOf(tokenId), 0);
        assertEq(souls.liveEpochOf(tokenId), 0);
        assertEq(souls.soulOf(tokenId).name, "");
        assertEq(souls.tokenOfPassport(tokenId), 0);
    }

    function test_aNameOfAnotherFormHasNoSoul() public {
        register("alice");
        assertEq(souls.tokenOfName("Alice"), 0);
        assertEq(souls.tokenOfName("a-name-that-is-longer-than-32-bytes-is-no-name"), 0);
    }

    function test_noAnswerOfTheIdentityRegistryMakesAReadRevert() public {
        register("alice");
        SoulView composed = SoulView(deploy("SoulView", abi.encode(souls)));
        bytes[7] memory codes = [
            bytes(hex"60006000fd"), // reverts
            hex"00", // answers nothing
            hex"600160005260106000f3", // answers 16 bytes
            hex"61ffff6000f3", // answers 65,535 bytes
            hex"fe", // takes all gas at once
            hex"5b600056", // takes all gas in a loop
            hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff60005260206000f3" // no address
        ];
        for (uint256 i = 0; i < codes.length; ++i) {
            vm.etch(address(identity), codes[i]);
            // What a caller keeps of its gas is bounded too.
            assertFalse(souls.isValid{gas: 150_000}(1));
            assertFalse(souls.humanVerified{gas: 150_000}(1));
            (address authority, address operator, uint16 epoch) = souls.authorityOf{gas: 150_000}(1);
            assertEq(authority, address(0));
            assertEq(operator, address(0));
            assertEq(epoch, 1);
            (ISoulRegistry.Validity answer, address passportOwner) = souls.validityOf{gas: 150_000}(1);
            assertEq(uint256(answer), uint256(ISoulRegistry.Validity.NOT_LINKED));
            assertEq(passportOwner, address(0));

            ISoulView.HolderState memory state = composed.passportStates{gas: 300_000}(owner, new uint256[](1));
            assertEq(state.passports.length, 1);
            assertEq(state.passports[0].owner, address(0));
            assertEq(state.passports[0].tokenId, 0);
            // A number is a number, however unlikely.
            assertEq(state.passportCount, i == 6 ? type(uint256).max : 0);
        }
    }
}

contract SoulRegistryConstructorTest is SoulRegistryBase {
    function test_keepsTheConstructorsArguments() public view {
        assertEq(souls.IDENTITY_REGISTRY(), address(identity));
        assertEq(souls.HUMAN_VERIFIERS(), humanVerifiers);
        assertEq(certificates.SOUL_REGISTRY(), address(souls));
        assertEq(address(souls.ORGANIZATION_REGISTRY().SOUL_REGISTRY()), address(souls));
        assertEq(writer.SOUL_REGISTRY(), address(souls));
        assertEq(mint.SOUL_REGISTRY(), address(souls));
        assertEq(mint.IDENTITY_REGISTRY(), address(identity));
        assertEq(address(souls.REGISTRARS()), address(registrars));
    }

    function nextSouls() internal view returns (address) {
        return vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 4);
    }

    function test_refusesAContractOfAnotherRegistryWhicheverItIs() public {
        address[4] memory foreign = partsFor(address(souls));
        for (uint256 i = 0; i < foreign.length; ++i) {
            address[4] memory own = partsFor(nextSouls());
            own[i] = foreign[i];
            vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, foreign[i]));
            this.deployWith(own);
        }
    }

    function test_refusesAContractThatWritesAnotherIdentityRegistry() public {
        string[2] memory names = ["PassportWriter", "PassportMint"];
        for (uint256 i = 0; i < names.length; ++i) {
            address[4] memory own = partsFor(vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 5));
            own[2 + i] = deploy(names[i], abi.encode(nextSouls(own), stranger));
            vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, own[2 + i]));
            this.deployWith(own);
        }
    }

    /// @dev The registry that these contracts name.
    function nextSouls(address[4] memory own) internal view returns (address) {
        return PassportMint(own[3]).SOUL_REGISTRY();
    }

    function test_refusesAnAccountWithoutCode() public {
        address[4] memory own = partsFor(nextSouls());
        own[2] = stranger;
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, stranger));
        this.deployWith(own);
    }

    function deployWith(address[4] memory given) external returns (SoulRegistry) {
        return deploySouls(given);
    }
}

contract SoulRegistryRolesTest is SoulRegistryBase {
    bytes32 internal constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");

    function test_aStolenRegistrarsRoleIsRevokedAtOnce() public {
        vm.prank(admin);
        registrars.revokeRole(REGISTRAR_ROLE, registrar);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        bytes memory signature = signed(registration);
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.NotRegistrar.selector, registrar));
        submit(registration, publicationAt(0, 1), signature);

        vm.prank(admin);
        registrars.grantRole(REGISTRAR_ROLE, stranger);
        vm.prank(stranger);
        souls.register(registration, publicationAt(0, 1), noProof(), "", signature);
        assertEq(souls.tokenOfName("alice"), 1);
    }
}
