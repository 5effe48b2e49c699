// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {RefusingCode, SoulsDoubleBase} from "./SoulsDouble.sol";
import {Vm} from "./utils/Vm.sol";
import {BindingRegistry} from "../../contracts/BindingRegistry.sol";
import {IBindingRegistry} from "../../contracts/interfaces/IBindingRegistry.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";

abstract contract BindingRegistryBase is SoulsDoubleBase {
    bytes32 internal constant BINDER_ROLE = keccak256("BINDER_ROLE");

    address internal admin = makeAddr("admin");
    address internal binder = makeAddr("binder");
    bytes32 internal pair = keccak256(abi.encode(uint256(1), uint256(2)));

    BindingRegistry internal bindings;

    function setUp() public virtual override {
        super.setUp();
        bindings = BindingRegistry(deploy("BindingRegistry", abi.encode(soulRegistry, admin, binder, 0)));
    }

    /// @dev From agent 1 to agent 2, over the present state.
    function bindingOf(
        IBindingRegistry.TrustLevel level
    ) internal view returns (IBindingRegistry.SetBinding memory binding) {
        uint32 version = bindings.recordOf(1, 2).version;
        return
            IBindingRegistry.SetBinding({
                fromTokenId: 1,
                epoch: souls.epochOf(1),
                toTokenId: 2,
                toEpoch: souls.epochOf(2),
                trustLevel: level,
                context: "sub-contractor",
                version: version,
                nonce: uint256(keccak256(abi.encode(version))),
                deadline: block.timestamp + 15 minutes
            });
    }

    /// @dev The same as the service gives it: its `version` is the one of the service's writes.
    function serviceBindingOf(
        IBindingRegistry.TrustLevel level
    ) internal view returns (IBindingRegistry.SetBinding memory binding) {
        binding = bindingOf(level);
        binding.version = bindings.recordOf(1, 2).serviceVersion;
    }

    function digest(IBindingRegistry.SetBinding memory binding) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "SetBinding(uint256 fromTokenId,uint16 epoch,uint256 toTokenId,uint16 toEpoch,uint8 trustLevel,string context,uint32 version,uint256 nonce,uint256 deadline)"
        );
        bytes memory fields = abi.encode(
            typeHash,
            binding.fromTokenId,
            binding.epoch,
            binding.toTokenId,
            binding.toEpoch,
            binding.trustLevel,
            keccak256(bytes(binding.context))
        );
        fields = bytes.concat(fields, abi.encode(binding.version, binding.nonce, binding.deadline));
        return digestOf(address(bindings), "BindingRegistry", keccak256(fields));
    }

    function setAsOwner(IBindingRegistry.TrustLevel level) internal {
        IBindingRegistry.SetBinding memory binding = bindingOf(level);
        vm.prank(owner);
        bindings.setBinding(binding, "");
    }

    function setAsService(IBindingRegistry.SetBinding memory binding) internal {
        vm.prank(binder);
        bindings.setServiceBinding(
            binding.fromTokenId,
            binding.epoch,
            binding.toTokenId,
            binding.toEpoch,
            binding.trustLevel,
            binding.context,
            binding.version
        );
    }

    function assertBinding(
        IBindingRegistry.TrustLevel level,
        IBindingRegistry.Authority authority,
        uint16 epoch,
        bool live
    ) internal view {
        (
            IBindingRegistry.TrustLevel seenLevel,
            IBindingRegistry.Authority seenAuthority,
            uint16 seenEpoch,
            bool seenLive
        ) = bindings.bindingOf(1, 2);
        assertEq(uint256(seenLevel), uint256(level), "level");
        assertEq(uint256(seenAuthority), uint256(authority), "authority");
        assertEq(seenEpoch, epoch, "epoch");
        assertEq(seenLive, live, "live");
    }

    function wrongVersion(uint32 version, uint32 current) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IBindingRegistry.WrongVersion.selector, pair, version, current);
    }

    function wrongServiceVersion(uint32 version, uint32 current) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IBindingRegistry.WrongServiceVersion.selector, pair, version, current);
    }

    function wrongEpoch(uint256 tokenId, uint16 epoch, uint16 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IBindingRegistry.WrongEpoch.selector, tokenId, epoch, current);
    }

    function noOwner(uint256 tokenId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IBindingRegistry.NoOwner.selector, tokenId);
    }

    function invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, signer);
    }

    /// @dev Every invalid binding, from owner or service, as (binding, error). The last is the
    /// owner's only.
    function refusedBinding(
        uint256 number
    ) internal view returns (IBindingRegistry.SetBinding memory binding, bytes memory refusal) {
        binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        if (number == 0) {
            binding.epoch = 2;
            refusal = wrongEpoch(1, 2, 1);
        } else if (number == 1) {
            binding.toEpoch = 2;
            refusal = wrongEpoch(2, 2, 1);
        } else if (number == 2) {
            binding.toTokenId = 99;
            refusal = abi.encodeWithSelector(IBindingRegistry.UnknownSoul.selector, uint256(99));
        } else if (number == 3) {
            binding.toTokenId = 1;
            refusal = abi.encodeWithSelector(IBindingRegistry.SelfBinding.selector, uint256(1));
        } else if (number == 4) {
            binding.trustLevel = IBindingRegistry.TrustLevel.NONE;
            refusal = abi.encodeWithSelector(IBindingRegistry.InvalidTrustLevel.selector);
        } else if (number == 5) {
            binding.context = string(new bytes(1025));
            refusal = abi.encodeWithSelector(IBindingRegistry.ContextTooLong.selector, uint256(1025));
        } else {
            binding.version = 7;
            refusal = wrongVersion(7, 0);
        }
    }
}

contract BindingRegistrySetBindingTest is BindingRegistryBase {
    function test_aMovedOrUnknownAgentHasNoOwner() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory signature = signDigest(OWNER_KEY, digest(binding));
        souls.suspend(1);
        vm.expectRevert(noOwner(1));
        bindings.setBinding(binding, signature);

        binding.fromTokenId = 99;
        vm.expectRevert(noOwner(99));
        bindings.setBinding(binding, "");
    }

    function test_onlyTheOwnerBinds() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        // Not the agent bound to, nor the operator, nor the service.
        address[4] memory others = [stranger, address(0x0909), binder, admin];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, others[i], owner));
            vm.prank(others[i]);
            bindings.setBinding(binding, "");
        }
        bytes memory forged = signDigest(STRANGER_KEY, digest(binding));
        vm.expectRevert(invalidSignature(owner));
        bindings.setBinding(binding, forged);
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        souls.seal(3, owner, owner, 1);
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory signature = signDigest(OWNER_KEY, digest(binding));

        field = bound(field, 0, 8);
        if (field == 0) binding.fromTokenId = 3;
        if (field == 1) binding.epoch = uint16(bound(noise, 2, 65535));
        if (field == 2) binding.toTokenId = bound(noise, 3, type(uint256).max);
        if (field == 3) binding.toEpoch = uint16(bound(noise, 2, 65535));
        if (field == 4) binding.trustLevel = IBindingRegistry.TrustLevel(bound(noise, 0, 3));
        if (field == 5) binding.context = "anything";
        if (field == 6) binding.version = uint32(bound(noise, 1, type(uint32).max));
        if (field == 7) binding.nonce ^= bound(noise, 1, type(uint256).max);
        if (field == 8) binding.deadline += bound(noise, 1, 365 days);

        vm.expectRevert(invalidSignature(owner));
        bindings.setBinding(binding, signature);
    }

    function test_aSignatureIsForOneChainAndForItsTime() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory signature = signDigest(OWNER_KEY, digest(binding));
        vm.warp(binding.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, binding.deadline));
        bindings.setBinding(binding, signature);
        vm.warp(binding.deadline);
        vm.chainId(8453);
        vm.expectRevert(invalidSignature(owner));
        bindings.setBinding(binding, signature);
        vm.chainId(31337);
        bindings.setBinding(binding, signature);
    }

    function test_refusesEveryInvalidBinding() public {
        for (uint256 i = 0; i < 7; ++i) {
            (IBindingRegistry.SetBinding memory binding, bytes memory refusal) = refusedBinding(i);
            vm.expectRevert(refusal);
            vm.prank(owner);
            bindings.setBinding(binding, "");
        }
        assertBinding(IBindingRegistry.TrustLevel.NONE, IBindingRegistry.Authority.NONE, 0, false);
    }

    function test_bindsBySignatureOverTheServicesBinding() public {
        setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.LIMITED));
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes32 signedDigest = digest(binding);
        bytes memory signature = signDigest(OWNER_KEY, signedDigest);

        vm.recordLogs();
        vm.prank(stranger);
        bindings.setBinding(binding, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertLog(
            logs[0],
            address(bindings),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(owner), signedDigest),
            abi.encode(binding.nonce)
        );
        assertLog(
            logs[1],
            address(bindings),
            topicsOf(IBindingRegistry.BindingSet.selector, pair, toTopic(uint256(1)), toTopic(uint256(2))),
            abi.encode(
                IBindingRegistry.TrustLevel.LIMITED,
                IBindingRegistry.TrustLevel.TRUSTED,
                IBindingRegistry.Authority.OWNER,
                owner,
                uint16(1),
                uint16(1),
                uint32(1),
                uint32(1),
                keccak256("sub-contractor"),
                "sub-contractor"
            )
        );
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, true);
        IBindingRegistry.Binding memory recorded = bindings.recordOf(1, 2);
        assertEq(uint256(recorded.trustLevel), uint256(IBindingRegistry.TrustLevel.TRUSTED));
        assertEq(uint256(recorded.authority), uint256(IBindingRegistry.Authority.OWNER));
        assertEq(recorded.epoch, 1);
        assertEq(recorded.toEpoch, 1);
        assertEq(recorded.version, 1);
        assertEq(recorded.serviceVersion, 1);
        assertEq(recorded.contextHash, keccak256("sub-contractor"));

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, binding.nonce));
        bindings.setBinding(binding, signature);
    }

    function test_aDirectionSaysNothingOfTheOther() public {
        setAsOwner(IBindingRegistry.TrustLevel.TRUSTED);
        (IBindingRegistry.TrustLevel level, , , bool live) = bindings.bindingOf(2, 1);
        assertEq(uint256(level), uint256(IBindingRegistry.TrustLevel.NONE));
        assertFalse(live);
    }

    function test_withheldAndReorderedSignaturesAreDead() public {
        IBindingRegistry.SetBinding memory withheld = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory first = signDigest(OWNER_KEY, digest(withheld));
        setAsOwner(IBindingRegistry.TrustLevel.REVOKED);
        vm.expectRevert(wrongVersion(0, 1));
        bindings.setBinding(withheld, first);

        // Signed in advance for after the next change: it waits for that change.
        IBindingRegistry.SetBinding memory later = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        later.version = 2;
        later.nonce = 1000;
        bytes memory second = signDigest(OWNER_KEY, digest(later));
        vm.expectRevert(wrongVersion(2, 1));
        bindings.setBinding(later, second);
        assertBinding(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, 1, true);
    }

    function test_refusesThePreviousOwnersSignature() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory signature = signDigest(OWNER_KEY, digest(binding));
        souls.seal(1, buyer, buyer, 2);
        vm.expectRevert(invalidSignature(buyer));
        bindings.setBinding(binding, signature);
    }

    function test_itBindsNoOtherOwnerOfTheOtherAgent() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        bytes memory signature = signDigest(OWNER_KEY, digest(binding));
        souls.seal(2, buyer, buyer, 2);
        vm.expectRevert(wrongEpoch(2, 1, 2));
        bindings.setBinding(binding, signature);
    }

    function test_theServiceCannotOutrunARevocation() public {
        setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.LIMITED));
        IBindingRegistry.SetBinding memory revocation = bindingOf(IBindingRegistry.TrustLevel.REVOKED);
        bytes memory signature = signDigest(OWNER_KEY, digest(revocation));
        for (uint256 i = 0; i < 3; ++i) setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.TRUSTED));

        bindings.setBinding(revocation, signature);
        assertBinding(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, 1, true);
        IBindingRegistry.Binding memory recorded = bindings.recordOf(1, 2);
        assertEq(recorded.version, 1);
        assertEq(recorded.serviceVersion, 4);

        IBindingRegistry.SetBinding memory again = serviceBindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        vm.expectRevert(abi.encodeWithSelector(IBindingRegistry.OwnerBindingStands.selector, pair));
        setAsService(again);
    }

    function test_aHandOverOfTheOtherAgentCannotOutrunARevocation() public {
        setAsOwner(IBindingRegistry.TrustLevel.TRUSTED);
        IBindingRegistry.SetBinding memory revocation = bindingOf(IBindingRegistry.TrustLevel.REVOKED);
        bytes memory signature = signDigest(OWNER_KEY, digest(revocation));
        souls.seal(2, buyer, buyer, 2);

        bindings.setBinding(revocation, signature);
        assertBinding(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, 1, true);
        assertEq(bindings.recordOf(1, 2).toEpoch, 2);

        // Any other level is for the epoch that was signed.
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        binding.toEpoch = 1;
        vm.expectRevert(wrongEpoch(2, 1, 2));
        vm.prank(owner);
        bindings.setBinding(binding, "");
    }

    function test_aHandOverDoesNotLetTheServiceRevokeForAnotherEpoch() public {
        setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.LIMITED));
        souls.seal(2, buyer, buyer, 2);
        IBindingRegistry.SetBinding memory revocation = serviceBindingOf(IBindingRegistry.TrustLevel.REVOKED);
        revocation.toEpoch = 1;
        vm.expectRevert(wrongEpoch(2, 1, 2));
        setAsService(revocation);
    }

    function test_walletsAndAccountsWithCodeBind() public {
        ERC1271Wallet wallet = new ERC1271Wallet(owner);
        souls.seal(1, address(wallet), address(wallet), 1);
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.VERIFIED);
        bytes memory forged = signDigest(STRANGER_KEY, digest(binding));
        vm.expectRevert(invalidSignature(address(wallet)));
        bindings.setBinding(binding, forged);
        bindings.setBinding(binding, signDigest(OWNER_KEY, digest(binding)));
        assertBinding(IBindingRegistry.TrustLevel.VERIFIED, IBindingRegistry.Authority.OWNER, 1, true);

        vm.etch(owner, address(new RefusingCode()).code);
        souls.seal(1, owner, owner, 1);
        binding = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        bindings.setBinding(binding, signDigest(OWNER_KEY, digest(binding)));
        assertBinding(IBindingRegistry.TrustLevel.LIMITED, IBindingRegistry.Authority.OWNER, 1, true);
    }

    function test_revokesTowardsASuspendedOrBurnedAgent() public {
        setAsOwner(IBindingRegistry.TrustLevel.TRUSTED);
        souls.suspend(2);
        setAsOwner(IBindingRegistry.TrustLevel.REVOKED);
        souls.burn(2);
        setAsOwner(IBindingRegistry.TrustLevel.REVOKED);
        assertBinding(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.OWNER, 1, false);
    }

    function test_aContextMayHave1024Bytes() public {
        assertContextOf(1024);
    }

    function testFuzz_aContextMayHaveFewerBytes(uint256 length) public {
        assertContextOf(bound(length, 0, 1023));
    }

    function assertContextOf(uint256 length) internal {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.TRUSTED);
        binding.context = string(new bytes(length));
        vm.prank(owner);
        bindings.setBinding(binding, "");
        assertEq(bindings.recordOf(1, 2).contextHash, keccak256(new bytes(length)));
    }
}

contract BindingRegistrySetServiceBindingTest is BindingRegistryBase {
    function test_takesTheRole() public {
        address[3] memory others = [owner, admin, stranger];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, others[i], BINDER_ROLE)
            );
            vm.prank(others[i]);
            bindings.setServiceBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.LIMITED, "", 0);
        }
    }

    function test_writesNothingForAMovedAgent() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        souls.suspend(1);
        vm.expectRevert(noOwner(1));
        setAsService(binding);
    }

    function test_refusesEveryInvalidBinding() public {
        for (uint256 i = 0; i < 6; ++i) {
            (IBindingRegistry.SetBinding memory binding, bytes memory refusal) = refusedBinding(i);
            vm.expectRevert(refusal);
            setAsService(binding);
        }
        IBindingRegistry.SetBinding memory early = serviceBindingOf(IBindingRegistry.TrustLevel.LIMITED);
        early.version = 7;
        vm.expectRevert(wrongServiceVersion(7, 0));
        setAsService(early);
    }

    function test_bindsWithServiceAuthority() public {
        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        vm.recordLogs();
        setAsService(binding);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(bindings),
            topicsOf(IBindingRegistry.BindingSet.selector, pair, toTopic(uint256(1)), toTopic(uint256(2))),
            abi.encode(
                IBindingRegistry.TrustLevel.NONE,
                IBindingRegistry.TrustLevel.LIMITED,
                IBindingRegistry.Authority.SERVICE,
                binder,
                uint16(1),
                uint16(1),
                uint32(0),
                uint32(1),
                keccak256("sub-contractor"),
                "sub-contractor"
            )
        );
        assertBinding(IBindingRegistry.TrustLevel.LIMITED, IBindingRegistry.Authority.SERVICE, 1, true);

        vm.expectRevert(wrongServiceVersion(0, 1));
        setAsService(binding);
        setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.REVOKED));
        assertEq(bindings.recordOf(1, 2).version, 0);
        assertEq(bindings.recordOf(1, 2).serviceVersion, 2);
        assertBinding(IBindingRegistry.TrustLevel.REVOKED, IBindingRegistry.Authority.SERVICE, 1, true);
    }

    function testFuzz_itNeverTouchesWhatTheOwnerSet(uint8 ownersLevel, uint8 servicesLevel, bool resealed) public {
        IBindingRegistry.TrustLevel kept = IBindingRegistry.TrustLevel(bound(ownersLevel, 1, 4));
        setAsOwner(kept);
        if (resealed) souls.seal(2, buyer, buyer, 2);

        IBindingRegistry.SetBinding memory binding = serviceBindingOf(
            IBindingRegistry.TrustLevel(bound(servicesLevel, 1, 4))
        );
        vm.expectRevert(abi.encodeWithSelector(IBindingRegistry.OwnerBindingStands.selector, pair));
        setAsService(binding);
        assertBinding(kept, IBindingRegistry.Authority.OWNER, 1, !resealed);
    }

    function test_anOwnersBindingOfAnEndedEpochIsReplaced() public {
        setAsOwner(IBindingRegistry.TrustLevel.TRUSTED);
        souls.seal(1, buyer, buyer, 2);
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, false);

        IBindingRegistry.SetBinding memory binding = bindingOf(IBindingRegistry.TrustLevel.LIMITED);
        binding.epoch = 1;
        vm.expectRevert(wrongEpoch(1, 1, 2));
        setAsService(binding);
        setAsService(serviceBindingOf(IBindingRegistry.TrustLevel.LIMITED));
        assertBinding(IBindingRegistry.TrustLevel.LIMITED, IBindingRegistry.Authority.SERVICE, 2, true);
    }
}

contract BindingRegistryReadsTest is BindingRegistryBase {
    function testFuzz_itIsLiveWhileBothAgentsAreAsTheyWere(bool from) public {
        (uint256 tokenId, address holder) = from ? (uint256(1), owner) : (uint256(2), stranger);
        setAsOwner(IBindingRegistry.TrustLevel.TRUSTED);
        souls.suspend(tokenId);
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, false);
        souls.seal(tokenId, holder, holder, 1);
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, true);
        souls.seal(tokenId, buyer, buyer, 2);
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, false);
        souls.burn(tokenId);
        assertBinding(IBindingRegistry.TrustLevel.TRUSTED, IBindingRegistry.Authority.OWNER, 1, false);
    }

    function testFuzz_noReadReverts(uint256 fromTokenId, uint256 toTokenId) public view {
        (IBindingRegistry.TrustLevel level, IBindingRegistry.Authority authority, uint16 epoch, bool live) = bindings
            .bindingOf(fromTokenId, toTokenId);
        assertEq(uint256(level), 0);
        assertEq(uint256(authority), 0);
        assertEq(epoch, 0);
        assertFalse(live);
        assertEq(bindings.recordOf(fromTokenId, toTokenId).version, 0);
        assertEq(bindings.bindingIdOf(fromTokenId, toTokenId), keccak256(abi.encode(fromTokenId, toTokenId)));
    }

    function test_levelsRise() public pure {
        assertTrue(
            IBindingRegistry.TrustLevel.TRUSTED > IBindingRegistry.TrustLevel.VERIFIED &&
                IBindingRegistry.TrustLevel.VERIFIED > IBindingRegistry.TrustLevel.LIMITED &&
                IBindingRegistry.TrustLevel.LIMITED > IBindingRegistry.TrustLevel.REVOKED
        );
    }

    function test_namesItsRegistryAndItsInterfaces() public view {
        assertEq(address(bindings.SOUL_REGISTRY()), address(souls));
        assertEq(bindings.BINDER_ROLE(), BINDER_ROLE);
        assertTrue(bindings.hasRole(bytes32(0), admin));
        assertTrue(bindings.supportsInterface(type(IBindingRegistry).interfaceId));
        assertTrue(bindings.supportsInterface(type(IOwnerAuthorization).interfaceId));
        assertTrue(bindings.supportsInterface(type(IAccessControl).interfaceId));
        assertFalse(bindings.supportsInterface(0xffffffff));
    }
}

/// @dev The same over the real soul registry: nothing above depends on the double.
contract BindingRegistryOverRealSoulsTest is SoulRegistryBase {
    function test_aBindingFollowsBothPassports() public {
        (uint256 from, ) = register("alice");
        (uint256 to, uint256 passportId) = register("berta");
        BindingRegistry bindings = BindingRegistry(
            deploy("BindingRegistry", abi.encode(ISoulRegistry(address(souls)), admin, registrar, 0))
        );
        vm.startPrank(owner);
        bindings.setBinding(
            IBindingRegistry.SetBinding(from, 1, to, 1, IBindingRegistry.TrustLevel.TRUSTED, "", 0, 0, 0),
            ""
        );
        (, , , bool live) = bindings.bindingOf(from, to);
        assertTrue(live);
        identity.transferFrom(owner, stranger, passportId);
        vm.stopPrank();
        (, , , live) = bindings.bindingOf(from, to);
        assertFalse(live);
    }
}
