// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {RefusingCode, SoulsDoubleBase} from "./SoulsDouble.sol";
import {Vm} from "./utils/Vm.sol";
import {AgentKeys} from "../../contracts/AgentKeys.sol";
import {IAgentKeys} from "../../contracts/interfaces/IAgentKeys.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";

contract AgentKeysTest is SoulsDoubleBase {
    bytes32 internal constant KEYS = sha256("keys");
    bytes32 internal constant ARCHIVE = sha256("archive");

    AgentKeys internal agentKeys;

    function setUp() public override {
        super.setUp();
        agentKeys = AgentKeys(deploy("AgentKeys", abi.encode(soulRegistry)));
    }

    /// @dev Of agent 1, over the present state.
    function keysWith(bytes32 keysHash) internal view returns (IAgentKeys.SetAgentKeys memory) {
        uint32 version = agentKeys.versionOf(1);
        return
            IAgentKeys.SetAgentKeys({
                tokenId: 1,
                epoch: souls.epochOf(1),
                version: version,
                keysHash: keysHash,
                archiveId: keysHash == 0 ? bytes32(0) : ARCHIVE,
                onlyWithAgentWallet: false,
                nonce: uint256(keccak256(abi.encode(version))),
                deadline: block.timestamp + 15 minutes
            });
    }

    function digest(IAgentKeys.SetAgentKeys memory keys) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
        );
        return digestOf(address(agentKeys), "AgentKeys", "2", keccak256(abi.encode(typeHash, keys)));
    }

    function setAsOwner(bytes32 keysHash) internal {
        setAsOwner(keysHash, false);
    }

    function setAsOwner(bytes32 keysHash, bool onlyWithAgentWallet) internal {
        IAgentKeys.SetAgentKeys memory keys = keysWith(keysHash);
        keys.onlyWithAgentWallet = onlyWithAgentWallet;
        vm.prank(owner);
        agentKeys.setKeys(keys, "");
    }

    function noOwner(uint256 tokenId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgentKeys.NoOwner.selector, tokenId);
    }

    function wrongVersion(uint32 version, uint32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgentKeys.WrongVersion.selector, uint256(1), version, current);
    }

    function wrongEpoch(uint16 epoch, uint16 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IAgentKeys.WrongEpoch.selector, uint256(1), epoch, current);
    }

    function invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, signer);
    }

    function test_aMovedOrUnknownAgentHasNoOwner() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes memory signature = signDigest(OWNER_KEY, digest(keys));
        souls.suspend(1);
        vm.expectRevert(noOwner(1));
        agentKeys.setKeys(keys, signature);

        keys.tokenId = 99;
        vm.expectRevert(noOwner(99));
        vm.prank(owner);
        agentKeys.setKeys(keys, "");
    }

    function test_onlyTheOwnerSetsKeys() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        // Not another agent's owner, nor the operator.
        address[2] memory others = [stranger, address(0x0909)];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, others[i], owner));
            vm.prank(others[i]);
            agentKeys.setKeys(keys, "");
        }
        bytes memory forged = signDigest(STRANGER_KEY, digest(keys));
        vm.expectRevert(invalidSignature(owner));
        agentKeys.setKeys(keys, forged);
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        souls.seal(3, owner, owner, 1);
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes memory signature = signDigest(OWNER_KEY, digest(keys));

        field = bound(field, 0, 7);
        if (field == 0) keys.tokenId = 3;
        if (field == 1) keys.epoch = uint16(bound(noise, 2, 65535));
        if (field == 2) keys.version = uint32(bound(noise, 1, type(uint32).max));
        if (field == 3) keys.keysHash ^= bytes32(bound(noise, 1, type(uint256).max));
        if (field == 4) keys.archiveId ^= bytes32(bound(noise, 1, type(uint256).max));
        if (field == 5) keys.nonce ^= bound(noise, 1, type(uint256).max);
        if (field == 6) keys.deadline += bound(noise, 1, 365 days);
        if (field == 7) keys.onlyWithAgentWallet = true;

        vm.expectRevert(invalidSignature(owner));
        agentKeys.setKeys(keys, signature);
    }

    function test_aSignatureIsForOneChainAndForItsTime() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes memory signature = signDigest(OWNER_KEY, digest(keys));
        vm.warp(keys.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, keys.deadline));
        agentKeys.setKeys(keys, signature);
        vm.warp(keys.deadline);
        vm.chainId(8453);
        vm.expectRevert(invalidSignature(owner));
        agentKeys.setKeys(keys, signature);
        vm.chainId(31337);
        agentKeys.setKeys(keys, signature);
    }

    function test_setsKeysBySignature() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes32 signedDigest = digest(keys);
        bytes memory signature = signDigest(OWNER_KEY, signedDigest);

        vm.recordLogs();
        vm.prank(stranger);
        agentKeys.setKeys(keys, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertLog(
            logs[0],
            address(agentKeys),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(owner), signedDigest),
            abi.encode(keys.nonce)
        );
        assertLog(
            logs[1],
            address(agentKeys),
            topicsOf(IAgentKeys.AgentKeysSet.selector, toTopic(uint256(1)), toTopic(uint256(1)), toTopic(owner)),
            abi.encode(uint32(1), KEYS, ARCHIVE, false)
        );
        assertEq(agentKeys.keysOf(1), KEYS);
        assertEq(agentKeys.versionOf(1), 1);

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, keys.nonce));
        agentKeys.setKeys(keys, signature);
    }

    function test_replacesAndWithdrawsKeys() public {
        setAsOwner(KEYS);
        setAsOwner(sha256("other keys"));
        assertEq(agentKeys.keysOf(1), sha256("other keys"));

        IAgentKeys.SetAgentKeys memory withdrawal = keysWith(0);
        vm.recordLogs();
        vm.prank(owner);
        agentKeys.setKeys(withdrawal, "");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(agentKeys),
            topicsOf(IAgentKeys.AgentKeysSet.selector, toTopic(uint256(1)), toTopic(uint256(1)), toTopic(owner)),
            abi.encode(uint32(3), bytes32(0), bytes32(0), false)
        );
        assertEq(agentKeys.keysOf(1), bytes32(0));
        assertEq(agentKeys.versionOf(1), 3);
    }

    function test_keysNeedAnArchiveAndNoKeysHaveNone() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        keys.archiveId = 0;
        vm.expectRevert(abi.encodeWithSelector(IAgentKeys.ArchiveMismatch.selector, KEYS, bytes32(0)));
        vm.prank(owner);
        agentKeys.setKeys(keys, "");

        keys.keysHash = 0;
        keys.archiveId = ARCHIVE;
        vm.expectRevert(abi.encodeWithSelector(IAgentKeys.ArchiveMismatch.selector, bytes32(0), ARCHIVE));
        vm.prank(owner);
        agentKeys.setKeys(keys, "");
        assertEq(agentKeys.versionOf(1), 0);
    }

    function test_withheldAndReorderedSignaturesAreDead() public {
        IAgentKeys.SetAgentKeys memory withheld = keysWith(KEYS);
        bytes memory first = signDigest(OWNER_KEY, digest(withheld));
        setAsOwner(sha256("other keys"));
        setAsOwner(0);
        vm.expectRevert(wrongVersion(0, 2));
        agentKeys.setKeys(withheld, first);

        IAgentKeys.SetAgentKeys memory later = keysWith(KEYS);
        later.version = 3;
        bytes memory second = signDigest(OWNER_KEY, digest(later));
        vm.expectRevert(wrongVersion(3, 2));
        agentKeys.setKeys(later, second);
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    function test_keysDieWithTheSaleAndAreNotRevivedByTheNextOwner() public {
        setAsOwner(KEYS);
        IAgentKeys.SetAgentKeys memory withheld = keysWith(sha256("other keys"));
        bytes memory signature = signDigest(OWNER_KEY, digest(withheld));
        souls.suspend(1);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        souls.seal(1, buyer, buyer, 2);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        assertEq(agentKeys.versionOf(1), 1);
        vm.expectRevert(invalidSignature(buyer));
        agentKeys.setKeys(withheld, signature);
        vm.expectRevert(wrongEpoch(1, 2));
        vm.prank(buyer);
        agentKeys.setKeys(withheld, "");
        withheld.epoch = 3;
        vm.expectRevert(wrongEpoch(3, 2));
        vm.prank(buyer);
        agentKeys.setKeys(withheld, "");

        IAgentKeys.SetAgentKeys memory own = keysWith(sha256("the buyer's keys"));
        vm.prank(buyer);
        agentKeys.setKeys(own, "");
        assertEq(agentKeys.keysOf(1), sha256("the buyer's keys"));
        souls.burn(1);
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    function test_walletsAndAccountsWithCodeSetKeys() public {
        ERC1271Wallet wallet = new ERC1271Wallet(owner);
        souls.seal(1, address(wallet), address(wallet), 1);
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes memory forged = signDigest(STRANGER_KEY, digest(keys));
        vm.expectRevert(invalidSignature(address(wallet)));
        agentKeys.setKeys(keys, forged);
        agentKeys.setKeys(keys, signDigest(OWNER_KEY, digest(keys)));
        assertEq(agentKeys.keysOf(1), KEYS);

        vm.etch(owner, address(new RefusingCode()).code);
        souls.seal(1, owner, owner, 1);
        keys = keysWith(sha256("other keys"));
        agentKeys.setKeys(keys, signDigest(OWNER_KEY, digest(keys)));
        assertEq(agentKeys.keysOf(1), sha256("other keys"));
    }

    function test_keysThatNeedItAreValidWhileTheAgentWalletIsTheOperator() public {
        setAsOwner(KEYS, true);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        address[3] memory others = [owner, stranger, address(0)];
        for (uint256 i = 0; i < others.length; ++i) {
            souls.setAgentWallet(1, others[i]);
            assertEq(agentKeys.keysOf(1), bytes32(0));
        }
        souls.setAgentWallet(1, address(0x0909));
        assertEq(agentKeys.keysOf(1), KEYS);

        // Another operator; then the owner as its own operator.
        souls.seal(1, owner, stranger, 1);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        // Every address but zero is an account.
        souls.seal(1, owner, address(1), 1);
        souls.setAgentWallet(1, address(1));
        assertEq(agentKeys.keysOf(1), KEYS);
        souls.seal(1, owner, owner, 1);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        souls.setAgentWallet(1, owner);
        assertEq(agentKeys.keysOf(1), KEYS);
        souls.suspend(1);
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    /// @dev With no operator and no wallet, zero equals zero.
    function test_keysThatNeedItAreNotThoseOfASuspendedSoulWithoutAWallet() public {
        souls.setAgentWallet(1, address(0x0909));
        setAsOwner(KEYS, true);
        souls.suspend(1);
        souls.setAgentWallet(1, address(0));
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    function test_eachChangeSaysAnewWhetherKeysNeedTheWallet() public {
        setAsOwner(KEYS, true);
        assertEq(agentKeys.keysOf(1), bytes32(0));
        IAgentKeys.SetAgentKeys memory keys = keysWith(KEYS);
        bytes memory signature = signDigest(OWNER_KEY, digest(keys));
        agentKeys.setKeys(keys, signature);
        assertEq(agentKeys.keysOf(1), KEYS);

        keys = keysWith(KEYS);
        keys.onlyWithAgentWallet = true;
        signature = signDigest(OWNER_KEY, digest(keys));
        vm.expectEmit(address(agentKeys));
        emit IAgentKeys.AgentKeysSet(1, 1, owner, 3, KEYS, ARCHIVE, true);
        agentKeys.setKeys(keys, signature);
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    function test_anIdentityRegistryThatDoesNotAnswerIsNoWallet() public {
        souls.setAgentWallet(1, address(0x0909));
        setAsOwner(KEYS, true);
        assertEq(agentKeys.keysOf(1), KEYS);
        souls.refuseReads();
        assertEq(agentKeys.keysOf(1), bytes32(0));
    }

    function testFuzz_noReadReverts(uint256 tokenId) public view {
        assertEq(agentKeys.keysOf(tokenId), bytes32(0));
        assertEq(agentKeys.versionOf(tokenId), 0);
    }

    function test_namesItsRegistryAndItsInterfaces() public view {
        assertEq(address(agentKeys.SOUL_REGISTRY()), address(souls));
    }
}

/// @dev A buyer that takes a passport and hands it back in one transaction.
contract RoundTripOfAPassport {
    function run(IERC721 passports, address owner, uint256 passportId) external {
        passports.transferFrom(owner, address(this), passportId);
        passports.transferFrom(address(this), owner, passportId);
    }
}

/// @dev The same over the real soul registry: nothing above depends on the double.
contract AgentKeysOverRealSoulsTest is SoulRegistryBase {
    /// @dev By the owner, with its own consent as the wallet.
    function setOwnerAsAgentWallet(uint256 passportId) internal {
        uint256 deadline = vm.getBlockTimestamp() + 1 minutes;
        bytes32 typeHash = keccak256(
            "AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"
        );
        bytes32 structHash = keccak256(abi.encode(typeHash, passportId, owner, owner, deadline));
        bytes32 digest = digestFor("ERC8004IdentityRegistry", "1", address(identity), structHash);
        bytes memory signature = sign(OWNER_KEY, digest);
        vm.prank(owner);
        identity.setAgentWallet(passportId, owner, deadline, signature);
    }

    function test_aSaleAndReturnInOneTransactionEndsKeysThatNeedTheWallet() public {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.operator = owner;
        (uint256 tokenId, uint256 passportId) = submit(registration, publicationAt(0, 1), signed(registration));
        AgentKeys agentKeys = AgentKeys(deploy("AgentKeys", abi.encode(ISoulRegistry(address(souls)))));
        setOwnerAsAgentWallet(passportId);
        vm.startPrank(owner);
        agentKeys.setKeys(IAgentKeys.SetAgentKeys(tokenId, 1, 0, sha256("keys"), sha256("archive"), true, 0, 0), "");
        vm.stopPrank();
        assertEq(agentKeys.keysOf(tokenId), sha256("keys"));

        RoundTripOfAPassport roundTrip = new RoundTripOfAPassport();
        vm.prank(owner);
        identity.approve(address(roundTrip), passportId);
        roundTrip.run(identity, owner, passportId);
        assertTrue(souls.isValid(tokenId));
        assertEq(agentKeys.keysOf(tokenId), bytes32(0));
    }

    function test_keysFollowThePassport() public {
        (uint256 tokenId, uint256 passportId) = register("alice");
        AgentKeys agentKeys = AgentKeys(deploy("AgentKeys", abi.encode(ISoulRegistry(address(souls)))));
        vm.startPrank(owner);
        agentKeys.setKeys(IAgentKeys.SetAgentKeys(tokenId, 1, 0, sha256("keys"), sha256("archive"), false, 0, 0), "");
        assertEq(agentKeys.keysOf(tokenId), sha256("keys"));
        identity.transferFrom(owner, stranger, passportId);
        vm.stopPrank();
        assertEq(agentKeys.keysOf(tokenId), bytes32(0));
    }
}
