// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {AllowanceVaultBase, AuthorityStub} from "./AllowanceVaultBase.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IERC7710Manager} from "../../contracts/interfaces/IERC7710Manager.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";
import {FeeStablecoin} from "../../contracts/mocks/FeeStablecoin.sol";
import {ReenteringStablecoin} from "../../contracts/mocks/ReenteringStablecoin.sol";
import {RefusingStablecoin} from "../../contracts/mocks/RefusingStablecoin.sol";
import {SilentStablecoin} from "../../contracts/mocks/SilentStablecoin.sol";
import {Periods} from "../../contracts/libraries/Periods.sol";

/// @dev A token of the usual 18 decimals.
contract EighteenDecimals {
    function decimals() external pure returns (uint8) {
        return 18;
    }
}

/// @dev A token that moves nothing, answers true, and answers no balance.
contract MuteStablecoin {
    function transferFrom(address, address, uint256) external pure returns (bool) {
        return true;
    }
}

/// @dev Code that an EIP-7702 account might carry: it refuses every ERC-1271 signature.
contract RefusingDelegate {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

contract AllowanceVaultOwnerTest is AllowanceVaultBase {
    /* deployment */

    function test_refusesATokenThatIsNoStablecoin() public {
        address eighteen = address(new EighteenDecimals());
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.UnsupportedStablecoin.selector, eighteen));
        newVault(address(souls), eighteen);

        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.UnsupportedStablecoin.selector, stranger));
        newVault(address(souls), stranger);
    }

    function test_namesItsRegistryItsStablecoinAndItsInterface() public view {
        assertEq(address(vault.SOUL_REGISTRY()), address(souls));
        assertEq(address(vault.STABLECOIN()), address(stablecoin));
        assertTrue(vault.supportsInterface(type(IAllowanceVault).interfaceId));
        assertTrue(vault.supportsInterface(type(IERC7710Manager).interfaceId));
        assertTrue(vault.supportsInterface(type(IERC165).interfaceId));
        assertFalse(vault.supportsInterface(0xffffffff));
    }

    /* setting */

    function test_anyAccountSubmitsWhatTheOwnerSigned() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        bytes32 digest = digestOf(hashOf(allowance), address(vault));

        vm.expectEmit(address(vault));
        emit IOwnerAuthorization.NonceUsed(owner, allowance.nonce, digest);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceSet(tokenId, 1, owner, 1, PER_TRANSACTION, DAILY_LIMIT, VALID_UNTIL, false);
        vm.prank(stranger);
        vault.setAllowance(allowance, signature);

        IAllowanceVault.Allowance memory set = vault.allowanceOf(tokenId);
        assertEq(set.epoch, 1);
        assertEq(set.version, 1);
        assertEq(set.perTransaction, PER_TRANSACTION);
        assertEq(set.dailyLimit, DAILY_LIMIT);
        assertEq(set.validUntil, VALID_UNTIL);
        assertTrue(set.active);
        assertEq(uint8(set.reason), uint8(IAllowanceVault.Reason.NONE));
        assertEq(set.spentToday, 0);
        assertEq(set.remainingToday, DAILY_LIMIT);
        assertEq(set.periodStart, (vm.getBlockTimestamp() / 86_400) * 86_400);
        assertEq(set.periodEnd, set.periodStart + 86_400);
        assertTrue(vault.isNonceUsed(owner, allowance.nonce));
    }

    function test_theOwnersOwnCallNeedsNoSignature() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        allowance.deadline = 0;

        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceSet(tokenId, 1, owner, 1, PER_TRANSACTION, DAILY_LIMIT, VALID_UNTIL, false);
        vm.prank(owner);
        vault.setAllowance(allowance, "");
        assertFalse(vault.isNonceUsed(owner, allowance.nonce));
    }

    function test_anotherAccountsCallNeedsASignature() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        address[5] memory others = [operator, registrar, admin, stranger, address(this)];
        for (uint256 i; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, others[i], owner));
            vm.prank(others[i]);
            vault.setAllowance(allowance, "");
        }
        setLimits();
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, operator, owner));
        vm.prank(operator);
        vault.deactivate(deactivation, "");
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);

        field = bound(field, 0, 5);
        if (field == 5) allowance.onlyWithAgentWallet = true;
        if (field == 0) allowance.perTransaction = uint56(bound(noise, PER_TRANSACTION + 1, type(uint56).max));
        if (field == 1) allowance.dailyLimit = uint56(bound(noise, DAILY_LIMIT + 1, type(uint56).max));
        if (field == 2) allowance.nonce = bound(noise, allowance.nonce + 1, type(uint256).max);
        if (field == 3) allowance.deadline = bound(noise, allowance.deadline + 1, type(uint256).max);
        if (field == 4) allowance.validUntil = uint32(bound(noise, VALID_UNTIL + 1, type(uint32).max));

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        vault.setAllowance(allowance, signature);
    }

    function test_aSignatureForAnotherSoulIsRefused() public {
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        bytes memory registrationSignature = signed(registration);
        vm.prank(registrar);
        (uint256 other, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", registrationSignature);

        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        allowance.tokenId = other;
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        vault.setAllowance(allowance, signature);
    }

    function test_aSignatureOfAnotherKeyContractOrChainIsRefused() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes[3] memory forgeries = [
            signedBy(STRANGER_KEY, allowance),
            sign(OWNER_KEY, digestOf(hashOf(allowance), address(souls))),
            bytes(hex"00")
        ];
        for (uint256 i; i < forgeries.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
            vault.setAllowance(allowance, forgeries[i]);
        }
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.chainId(8453);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        vault.setAllowance(allowance, signature);
    }

    function test_aSignedAllowanceDeactivatesNothing() public {
        setLimits();
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        bytes memory signature = signedBy(STRANGER_KEY, deactivation);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        vault.deactivate(deactivation, signature);
    }

    function test_theDeadlineIsInclusive() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.warp(allowance.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, allowance.deadline));
        vault.setAllowance(allowance, signature);

        vm.warp(allowance.deadline);
        vault.setAllowance(allowance, signature);

        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        signature = signedBy(OWNER_KEY, deactivation);
        vm.warp(deactivation.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, deactivation.deadline));
        vault.deactivate(deactivation, signature);
        vm.warp(deactivation.deadline);
        vault.deactivate(deactivation, signature);
    }

    function test_aCancelledNonceIsDead() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.prank(owner);
        vault.cancel(allowance.nonce);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, allowance.nonce));
        vault.setAllowance(allowance, signature);
    }

    function test_aWithheldSignatureIsDeadAfterALaterDecision() public {
        IAllowanceVault.SetAllowance memory generous = allowanceFor(1, 0);
        generous.dailyLimit = type(uint56).max;
        bytes memory withheld = signedBy(OWNER_KEY, generous);
        setLimits();

        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, 0, 1));
        vault.setAllowance(generous, withheld);
    }

    function test_reorderedSignaturesDoNotUndoADeactivation() public {
        setLimits();
        IAllowanceVault.SetAllowance memory raise = allowanceFor(1, 1);
        IAllowanceVault.DeactivateAllowance memory end = deactivationFor(1, 1);
        bytes memory raiseSignature = signedBy(OWNER_KEY, raise);
        bytes memory endSignature = signedBy(OWNER_KEY, end);

        vault.deactivate(end, endSignature);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, 1, 2));
        vault.setAllowance(raise, raiseSignature);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, 1, 2));
        vault.deactivate(end, endSignature);
        assertFalse(vault.allowanceOf(tokenId).active);
    }

    function test_refusesADecisionSignedOverALaterVersion() public {
        setLimits();
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 2);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, 2, 1));
        vault.setAllowance(allowance, signature);

        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 2);
        signature = signedBy(OWNER_KEY, deactivation);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, 2, 1));
        vault.deactivate(deactivation, signature);
    }

    function test_anotherEpochIsRefused() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(2, 0);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, tokenId, 2, 1));
        vault.setAllowance(allowance, signature);

        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(0, 0);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, tokenId, 0, 1));
        vm.prank(owner);
        vault.deactivate(deactivation, "");
    }

    function test_refusesDecisionsForASoulWhosePassportMoved() public {
        setLimits();
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 1);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        movePassport(owner, stranger);

        address[2] memory both = [owner, stranger];
        for (uint256 i; i < both.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, tokenId));
            vm.prank(both[i]);
            vault.setAllowance(allowance, "");
            vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, tokenId));
            vm.prank(both[i]);
            vault.deactivate(deactivation, "");
        }
    }

    function test_refusesDecisionsForAnUnknownSoul() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(0, 0);
        allowance.tokenId = 99;
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, 99));
        vault.setAllowance(allowance, "");
    }

    /* the end */

    function test_refusesAnEndThatHasPassed() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        uint32[3] memory passed = [uint32(0), 1, uint32(vm.getBlockTimestamp()) - 1];
        for (uint256 i; i < passed.length; ++i) {
            allowance.validUntil = passed[i];
            bytes memory signature = signedBy(OWNER_KEY, allowance);
            vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.ValidUntilPassed.selector, passed[i]));
            vault.setAllowance(allowance, signature);
        }
        assertEq(vault.allowanceOf(tokenId).version, 0);

        allowance.validUntil = uint32(vm.getBlockTimestamp());
        vault.setAllowance(allowance, signedBy(OWNER_KEY, allowance));
        assertEq(uint8(vault.allowanceOf(tokenId).reason), uint8(IAllowanceVault.Reason.NONE));
    }

    function test_anExpiredAllowanceIsDeactivatedOrSetAgain() public {
        setLimits();
        vm.warp(uint256(VALID_UNTIL) + 1);
        assertTrue(vault.allowanceOf(tokenId).active);
        deactivate();
        IAllowanceVault.Allowance memory ended = vault.allowanceOf(tokenId);
        assertFalse(ended.active);
        assertEq(ended.version, 2);

        IAllowanceVault.SetAllowance memory again = allowanceFor(1, 2);
        again.validUntil = VALID_UNTIL + 2;
        vault.setAllowance(again, signedBy(OWNER_KEY, again));
        spend(1);
        assertEq(spentToday(), 1);
    }

    /* storage */

    /// @dev One slot of the mapping at slot 3, from its lowest bit on: perTransaction 56,
    /// dailyLimit 56, spent 56, day 16, epoch 16, version 16, validUntil 32, onlyWithAgentWallet 8.
    function slotOf(uint256 id) internal pure returns (bytes32) {
        return keccak256(abi.encode(id, uint256(3)));
    }

    function testFuzz_anAllowanceIsOneStorageSlot(
        uint56 perTransaction,
        uint56 dailyLimit,
        uint256 spent,
        uint256 day,
        uint32 life,
        bool onlyWithAgentWallet
    ) public {
        vm.warp(bound(day, 20_833, 49_000) * 1 days);
        uint256 validUntil = bound(life, vm.getBlockTimestamp(), type(uint32).max);
        spent = bound(spent, 0, FUNDS);
        if (spent > dailyLimit) spent = dailyLimit;
        if (spent > perTransaction) spent = perTransaction;
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        (allowance.perTransaction, allowance.dailyLimit) = (perTransaction, dailyLimit);
        allowance.validUntil = type(uint32).max;
        vm.prank(owner);
        vault.setAllowance(allowance, "");
        if (spent != 0) spend(spent);

        (allowance.validUntil, allowance.onlyWithAgentWallet) = (uint32(validUntil), onlyWithAgentWallet);
        allowance.version = 1;
        vm.prank(owner);
        vault.setAllowance(allowance, "");

        uint256 expected =
            uint256(perTransaction) |
                (uint256(dailyLimit) << 56) |
                (spent << 112) |
                (spent == 0 ? 0 : (vm.getBlockTimestamp() / 1 days) << 168) |
                (uint256(1) << 184) |
                (uint256(2) << 200) |
                (validUntil << 216) |
                (uint256(onlyWithAgentWallet ? 1 : 0) << 248);
        assertEq(uint256(vm.load(address(vault), slotOf(tokenId))), expected);
        assertEq(uint256(vm.load(address(vault), bytes32(uint256(slotOf(tokenId)) + 1))), 0);
        IAllowanceVault.Allowance memory read = vault.allowanceOf(tokenId);
        assertEq(read.perTransaction, perTransaction);
        assertEq(read.dailyLimit, dailyLimit);
        assertEq(read.spentToday, spent);
        assertEq(read.version, 2);
        assertEq(read.validUntil, validUntil);
        assertEq(read.onlyWithAgentWallet, onlyWithAgentWallet);
    }

    /// @dev The state after so many decisions is written into storage by hand.
    function test_theLastDecisionOfAnEpochCanOnlyBeADeactivation() public {
        setLimits();
        uint256 others = uint256(vm.load(address(vault), slotOf(tokenId))) & ~(uint256(type(uint16).max) << 200);
        vm.store(address(vault), slotOf(tokenId), bytes32(others | (uint256(65_533) << 200)));
        setLimits();
        assertEq(vault.allowanceOf(tokenId).version, 65_534);

        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 65_534);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.TooManyDecisions.selector, tokenId));
        vm.prank(owner);
        vault.setAllowance(allowance, "");
        deactivate();
        IAllowanceVault.Allowance memory last = vault.allowanceOf(tokenId);
        assertEq(last.version, 65_535);
        assertFalse(last.active);

        allowance = allowanceFor(1, 65_535);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.TooManyDecisions.selector, tokenId));
        vm.prank(owner);
        vault.setAllowance(allowance, "");
    }

    function test_aLimitOfMoreThan56BitsIsRefused() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory data = abi.encodeCall(IAllowanceVault.setAllowance, (allowance, ""));
        // The fourth and the fifth word after the selector are the limits, the sixth the end.
        for (uint256 word = 3; word < 6; ++word) {
            bytes memory changed = bytes.concat(data);
            uint256 tooLarge = word == 5 ? uint256(1) << 32 : uint256(1) << 56;
            assembly ("memory-safe") {
                mstore(add(add(changed, 0x24), mul(word, 0x20)), tooLarge)
            }
            vm.prank(owner);
            (bool success, ) = address(vault).call(changed);
            assertFalse(success);
        }
        vm.prank(owner);
        (bool untouched, ) = address(vault).call(data);
        assertTrue(untouched);
    }

    /* kinds of owner */

    function test_aContractWalletSignsByERC1271() public {
        ERC1271Wallet wallet = new ERC1271Wallet(owner);
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        registration.owner = address(wallet);
        bytes memory registrationSignature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", registrationSignature);

        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        bytes memory forged = signedBy(STRANGER_KEY, allowance);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, address(wallet)));
        vault.setAllowance(allowance, forged);

        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vault.setAllowance(allowance, signature);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceDeactivated(tokenId, 1, address(wallet), 2);
        vm.prank(owner);
        wallet.execute(address(vault), abi.encodeCall(IAllowanceVault.deactivate, (deactivation, "")));
    }

    function test_anAccountWithCodeStillSignsWithItsKey() public {
        vm.etch(owner, address(new RefusingDelegate()).code);
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        vault.setAllowance(allowance, signedBy(OWNER_KEY, allowance));
        assertTrue(vault.allowanceOf(tokenId).active);
    }

    /* deactivating */

    function test_deactivationIsSignedAndEndsPayments() public {
        setLimits();
        spend(1_000_000);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        bytes memory signature = signedBy(OWNER_KEY, deactivation);

        vm.expectEmit(address(vault));
        emit IOwnerAuthorization.NonceUsed(owner, deactivation.nonce, digestOf(hashOf(deactivation), address(vault)));
        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceDeactivated(tokenId, 1, owner, 2);
        vm.prank(stranger);
        vault.deactivate(deactivation, signature);

        IAllowanceVault.Allowance memory ended = vault.allowanceOf(tokenId);
        assertFalse(ended.active);
        assertEq(ended.validUntil, 0);
        assertEq(ended.version, 2);
        assertEq(ended.perTransaction, PER_TRANSACTION);
        assertEq(ended.dailyLimit, DAILY_LIMIT);
        assertEq(uint8(ended.reason), uint8(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        assertEq(ended.spentToday, 1_000_000);
        assertEq(ended.remainingToday, 0);
    }

    function test_onlyAnActiveAllowanceIsDeactivated() public {
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 0);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.AllowanceNotActive.selector, tokenId));
        vm.prank(owner);
        vault.deactivate(deactivation, "");

        setLimits();
        deactivate();
        deactivation = deactivationFor(1, 2);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.AllowanceNotActive.selector, tokenId));
        vm.prank(owner);
        vault.deactivate(deactivation, "");
    }

    function test_deactivatingAndSettingAgainKeepsTheDay() public {
        setLimits();
        spend(PER_TRANSACTION);
        deactivate();
        setLimits();
        IAllowanceVault.Allowance memory again = vault.allowanceOf(tokenId);
        assertEq(again.version, 3);
        assertEq(again.spentToday, PER_TRANSACTION);
        assertEq(again.remainingToday, DAILY_LIMIT - PER_TRANSACTION);
    }

    function test_aLoweredLimitLeavesNothingAndARaisedOneTheDifference() public {
        setLimits();
        spend(PER_TRANSACTION);
        setLimits(PER_TRANSACTION, PER_TRANSACTION - 1);
        assertEq(vault.allowanceOf(tokenId).remainingToday, 0);
        // A day that is used up is no reason against the allowance itself.
        assertEq(uint8(vault.allowanceOf(tokenId).reason), uint8(IAllowanceVault.Reason.NONE));
        assertEq(spentToday(), PER_TRANSACTION);
        assertEq(uint8(trySpend(1)), uint8(IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT));

        setLimits(PER_TRANSACTION, PER_TRANSACTION + 1);
        assertEq(uint8(trySpend(2)), uint8(IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT));
        spend(1);
    }
}

contract AllowanceVaultSpendTest is AllowanceVaultBase {
    function setUp() public override {
        super.setUp();
        setLimits();
    }

    function expectNotAllowed(uint256 amount, IAllowanceVault.Reason reason, uint256 remaining) internal {
        vm.expectRevert(
            abi.encodeWithSelector(IAllowanceVault.SpendNotAllowed.selector, tokenId, amount, reason, remaining)
        );
        spend(amount);
    }

    /// @dev That both payments are refused for `reason`, the tried one with an event, and that
    /// nothing changes.
    function expectRefused(uint256 amount, IAllowanceVault.Reason reason, uint256 remaining) internal {
        uint56 before = uint56(spentToday());
        uint256 paid = stablecoin.balanceOf(recipient);
        expectNotAllowed(amount, reason, remaining);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendRefused(
            tokenId,
            owner,
            recipient,
            vault.allowanceOf(tokenId).epoch,
            operator,
            amount,
            reason,
            before,
            REF
        );
        assertEq(uint8(trySpend(amount)), uint8(reason));
        (bool allowed, IAllowanceVault.Reason said, uint256 left) = vault.canSpend(tokenId, amount);
        assertFalse(allowed);
        assertEq(uint8(said), uint8(reason));
        assertEq(left, remaining);
        assertEq(spentToday(), before);
        assertEq(stablecoin.balanceOf(recipient), paid);
    }

    /* paying */

    function test_paysFromTheOwnersWalletAndKeepsNothing() public {
        spend(1);
        vm.expectEmit(address(stablecoin));
        emit IERC20.Transfer(owner, recipient, 2_000_000);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.Spent(tokenId, recipient, 0, owner, 1, operator, 2_000_000, 2_000_001, REF);
        spend(2_000_000);

        assertEq(stablecoin.balanceOf(recipient), 2_000_001);
        assertEq(stablecoin.balanceOf(owner), FUNDS - 2_000_001);
        assertEq(stablecoin.balanceOf(address(vault)), 0);
        assertEq(vault.allowanceOf(tokenId).remainingToday, DAILY_LIMIT - 2_000_001);
    }

    function test_tryingPaysJustTheSame() public {
        vm.expectEmit(address(stablecoin));
        emit IERC20.Transfer(owner, recipient, 2_000_000);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.Spent(tokenId, recipient, 0, owner, 1, operator, 2_000_000, 2_000_000, REF);
        assertEq(uint8(trySpend(2_000_000)), uint8(IAllowanceVault.Reason.NONE));
        assertEq(stablecoin.balanceOf(recipient), 2_000_000);
        assertEq(spentToday(), 2_000_000);
    }

    function test_theOwnerMayBePaidWithItsOwnMoney() public {
        vm.prank(operator);
        vault.spend(tokenId, owner, 3, REF);
        vm.prank(operator);
        vault.trySpend(tokenId, owner, 4, REF);
        assertEq(stablecoin.balanceOf(owner), FUNDS);
        assertEq(spentToday(), 7);
    }

    function test_withoutAnOperatorTheOwnerPays() public {
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        registration.operator = address(0);
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", signature);
        setLimits();

        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NotOperator.selector, tokenId, operator, owner));
        spend(1);
        vm.prank(owner);
        vault.spend(tokenId, recipient, 1, REF);
        assertEq(stablecoin.balanceOf(recipient), 1);
    }

    /* callers */

    function test_onlyTheOperatorPaysOrReports() public {
        address[5] memory others = [owner, registrar, admin, stranger, address(vault)];
        for (uint256 i; i < others.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(
                IAllowanceVault.NotOperator.selector,
                tokenId,
                others[i],
                operator
            );
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            vault.spend(tokenId, recipient, 1, REF);
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            vault.trySpend(tokenId, recipient, 1, REF);
            vm.expectRevert(refusal);
            vm.prank(others[i]);
            vault.report(tokenId, recipient, 1, "");
        }
        assertEq(spentToday(), 0);
    }

    function test_refusesAnEmptyPaymentAndAnInvalidRecipient() public {
        vm.startPrank(operator);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.EmptyPayment.selector));
        vault.spend(tokenId, recipient, 0, REF);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.EmptyPayment.selector));
        vault.trySpend(tokenId, recipient, 0, REF);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.EmptyPayment.selector));
        vault.report(tokenId, recipient, 0, "");

        address[2] memory nobodies = [address(0), address(vault)];
        for (uint256 i; i < nobodies.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(IAllowanceVault.InvalidRecipient.selector, nobodies[i]);
            vm.expectRevert(refusal);
            vault.spend(tokenId, nobodies[i], 1, REF);
            vm.expectRevert(refusal);
            vault.trySpend(tokenId, nobodies[i], 1, REF);
        }
        vm.stopPrank();
    }

    /* limits */

    function test_bothLimitsAreInclusive() public {
        expectRefused(PER_TRANSACTION + 1, IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT, DAILY_LIMIT);
        expectRefused(type(uint256).max, IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT, DAILY_LIMIT);
        spend(PER_TRANSACTION);
        spend(PER_TRANSACTION);
        expectRefused(5_000_001, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 5_000_000);
        spend(5_000_000);
        expectRefused(1, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 0);
    }

    function test_anAmountThatIsSmallOnlyInItsLow56BitsIsRefused() public {
        expectRefused((1 << 56) + 1, IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT, DAILY_LIMIT);
    }

    function test_zeroLimitsPermitNothing() public {
        setLimits(0, DAILY_LIMIT);
        expectRefused(1, IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT, DAILY_LIMIT);
        setLimits(PER_TRANSACTION, 0);
        expectRefused(1, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 0);
    }

    function test_theDayEndsAtMidnightUtc() public {
        uint256 midnight = vault.allowanceOf(tokenId).periodEnd;
        assertEq(midnight % 86_400, 0);
        vm.warp(midnight - 1);
        spend(PER_TRANSACTION);
        assertEq(spentToday(), PER_TRANSACTION);

        vm.warp(midnight);
        IAllowanceVault.Allowance memory next = vault.allowanceOf(tokenId);
        assertEq(next.spentToday, 0);
        assertEq(next.remainingToday, DAILY_LIMIT);
        assertEq(next.periodStart, midnight);
        assertEq(next.periodEnd, midnight + 1 days);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.Spent(tokenId, recipient, 0, owner, 1, operator, 5, 5, REF);
        spend(5);
    }

    function testFuzz_noPaymentsOfADayExceedItsLimit(uint56[8] memory amounts, uint56 each, uint56 day) public {
        setLimits(each, day);
        stablecoin.mint(owner, 1 << 80);
        uint256 sum;
        for (uint256 i; i < amounts.length; ++i) {
            (bool allowed, IAllowanceVault.Reason reason, uint256 left) = vault.canSpend(tokenId, amounts[i]);
            assertEq(left, day - sum);
            assertEq(allowed, amounts[i] <= each && amounts[i] <= left);
            if (amounts[i] == 0) continue;

            assertEq(uint8(trySpend(amounts[i])), uint8(reason));
            if (allowed) sum += amounts[i];
            assertEq(stablecoin.balanceOf(recipient), sum);
            assertEq(spentToday(), sum);
        }
    }

    /* whose authority ended */

    function test_withoutAnAllowanceNothingIsPaid() public {
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", signature);
        expectRefused(1, IAllowanceVault.Reason.ALLOWANCE_NOT_SET, 0);
    }

    function test_afterDeactivationNothingIsPaid() public {
        deactivate();
        expectRefused(1, IAllowanceVault.Reason.ALLOWANCE_INACTIVE, 0);
    }

    function test_anExpiredAllowancePaysNothing() public {
        vm.warp(VALID_UNTIL);
        spend(1);
        vm.warp(uint256(VALID_UNTIL) + 1);
        expectRefused(2, IAllowanceVault.Reason.ALLOWANCE_INACTIVE, 0);
        IAllowanceVault.Allowance memory expired = vault.allowanceOf(tokenId);
        assertEq(uint8(expired.reason), uint8(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        assertEq(expired.remainingToday, 0);
        assertEq(expired.validUntil, VALID_UNTIL);
        vm.prank(operator);
        assertEq(uint8(vault.report(tokenId, recipient, 1, "")), uint8(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
    }

    /// @dev That both payments are refused for `reason` when the soul has no live owner, without an
    /// event.
    function expectDead(IAllowanceVault.Reason reason) internal {
        expectNotAllowed(1, reason, 0);
        vm.recordLogs();
        assertEq(uint8(trySpend(1)), uint8(reason));
        vm.prank(stranger);
        assertEq(uint8(vault.trySpend(tokenId, recipient, 1, REF)), uint8(reason));
        assertEq(vm.getRecordedLogs().length, 0);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NotOperator.selector, tokenId, operator, address(0)));
        vm.prank(operator);
        vault.report(tokenId, recipient, 1, "");
        (bool allowed, IAllowanceVault.Reason said, uint256 left) = vault.canSpend(tokenId, 1);
        assertFalse(allowed);
        assertEq(uint8(said), uint8(reason));
        assertEq(left, 0);
        (uint256 balance, uint256 approved) = vault.fundingOf(tokenId);
        assertEq(balance, 0);
        assertEq(approved, 0);
        assertEq(uint8(vault.allowanceOf(tokenId).reason), uint8(reason));
        assertEq(vault.allowanceOf(tokenId).remainingToday, 0);
        assertEq(stablecoin.balanceOf(recipient), 0);
    }

    function test_whileThePassportIsAwayNothingIsPaid() public {
        movePassport(owner, stranger);
        expectDead(IAllowanceVault.Reason.ALLOWANCE_INACTIVE);
        movePassport(stranger, owner);
        spend(1);
    }

    function test_anUnknownSoulPaysNothing() public {
        tokenId = 99;
        expectDead(IAllowanceVault.Reason.ALLOWANCE_NOT_SET);
    }

    function test_aPassportThatCannotBeReadPaysNothing() public {
        vm.etch(address(identity), hex"fe");
        expectDead(IAllowanceVault.Reason.ALLOWANCE_INACTIVE);
    }

    function test_neverAfterABurnOrInAnotherEpoch() public {
        AuthorityStub registry = new AuthorityStub();
        registry.set(owner, operator, 1);
        vault = newVault(address(registry), address(stablecoin));
        vm.prank(owner);
        stablecoin.approve(address(vault), type(uint256).max);
        setLimits();
        vm.prank(operator);
        vault.report(tokenId, recipient, 7, "");
        IAllowanceVault.SetAllowance memory withheld = allowanceFor(1, 1);
        bytes memory signature = signedBy(OWNER_KEY, withheld);

        registry.set(address(0), address(0), 1); // burned, or suspended before a reseal
        expectDead(IAllowanceVault.Reason.ALLOWANCE_INACTIVE);

        // Even when the same owner and operator are back, as a reseal by the previous owner makes
        // it.
        registry.set(owner, operator, 2);
        expectRefused(1, IAllowanceVault.Reason.ALLOWANCE_NOT_SET, 0);
        IAllowanceVault.Allowance memory fresh = vault.allowanceOf(tokenId);
        assertEq(fresh.epoch, 2);
        assertEq(fresh.version, 0);
        assertEq(fresh.perTransaction, 0);
        assertEq(fresh.dailyLimit, 0);
        assertEq(fresh.validUntil, 0);
        assertFalse(fresh.active);
        assertEq(fresh.spentToday, 0);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, tokenId, 1, 2));
        vault.setAllowance(withheld, signature);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(2, 0);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.AllowanceNotActive.selector, tokenId));
        vm.prank(owner);
        vault.deactivate(deactivation, "");

        // A new owner starts from nothing: its own version, its own day.
        registry.set(stranger, address(0x0808), 3);
        vm.expectRevert(
            abi.encodeWithSelector(IAllowanceVault.NotOperator.selector, tokenId, operator, address(0x0808))
        );
        spend(1);
        setLimits(5, 9);
        assertEq(vault.allowanceOf(tokenId).version, 1);
        assertEq(vault.allowanceOf(tokenId).remainingToday, 9);
        fund(stranger, vault);
        vm.prank(address(0x0808));
        vault.spend(tokenId, recipient, 5, REF);
        assertEq(stablecoin.balanceOf(owner), FUNDS);
        assertEq(stablecoin.balanceOf(stranger), FUNDS - 5);
    }

    /* reports */

    function test_aReportedPaymentCountsTowardTheDay() public {
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendReported(
            tokenId,
            recipient,
            "ref",
            owner,
            1,
            operator,
            4_000_000,
            4_000_000,
            true,
            IAllowanceVault.Reason.NONE
        );
        vm.prank(operator);
        assertEq(uint8(vault.report(tokenId, recipient, 4_000_000, "ref")), uint8(IAllowanceVault.Reason.NONE));
        assertEq(vault.allowanceOf(tokenId).remainingToday, DAILY_LIMIT - 4_000_000);
        assertEq(stablecoin.balanceOf(recipient), 0);
    }

    function test_aReportAboveTheLimitsCountsAndReturnsTheReason() public {
        vm.startPrank(operator);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendReported(
            tokenId,
            address(0),
            "ref",
            owner,
            1,
            operator,
            DAILY_LIMIT,
            DAILY_LIMIT,
            false,
            IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT
        );
        vault.report(tokenId, address(0), DAILY_LIMIT, "ref");
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendReported(
            tokenId,
            recipient,
            "ref",
            owner,
            1,
            operator,
            1,
            DAILY_LIMIT + 1,
            false,
            IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT
        );
        vault.report(tokenId, recipient, 1, "ref");
        vm.stopPrank();
        expectRefused(1, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 0);
    }

    function test_reportsStopAtTheLargestNumber() public {
        setLimits(type(uint56).max, type(uint56).max);
        vm.startPrank(operator);
        vault.report(tokenId, recipient, 1, "");
        vault.report(tokenId, recipient, 1 << 56, "");
        assertEq(spentToday(), type(uint56).max);
        vault.report(tokenId, recipient, type(uint256).max, "");
        vm.stopPrank();
        assertEq(spentToday(), type(uint56).max);
        expectRefused(1, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 0);
    }

    function test_aReportBeforeTheFirstAllowanceCountsToo() public {
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", signature);

        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendReported(
            tokenId,
            recipient,
            "",
            owner,
            1,
            operator,
            7,
            7,
            false,
            IAllowanceVault.Reason.ALLOWANCE_NOT_SET
        );
        vm.prank(operator);
        vault.report(tokenId, recipient, 7, "");
        assertEq(vault.allowanceOf(tokenId).version, 0);
        expectRefused(1, IAllowanceVault.Reason.ALLOWANCE_NOT_SET, 0);
        setLimits();
        assertEq(vault.allowanceOf(tokenId).remainingToday, DAILY_LIMIT - 7);

        deactivate();
        vm.prank(operator);
        assertEq(uint8(vault.report(tokenId, recipient, 1, "")), uint8(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
        assertEq(spentToday(), 8);
    }

    /* money */

    function test_fundingIsTheOwnersBalanceAndApproval() public {
        vm.prank(owner);
        stablecoin.approve(address(vault), 5);
        (uint256 balance, uint256 approved) = vault.fundingOf(tokenId);
        assertEq(balance, FUNDS);
        assertEq(approved, 5);
    }

    function test_fundingIsNothingWhenTheStablecoinDoesNotAnswer() public {
        bytes[3] memory codes = [bytes(hex"fe"), hex"00", hex"60015ff3"]; // invalid, stop, one byte
        for (uint256 i; i < codes.length; ++i) {
            vm.etch(address(stablecoin), codes[i]);
            (uint256 balance, uint256 approved) = vault.fundingOf(tokenId);
            assertEq(balance, 0);
            assertEq(approved, 0);
        }
    }

    function test_fundingIsNothingWithoutAnOwnerAlsoWhenTheZeroAddressHasMoney() public {
        vm.etch(address(stablecoin), hex"600760005260206000f3"); // 7 for every question
        (uint256 balance, uint256 approved) = vault.fundingOf(tokenId);
        assertEq(balance, 7);
        assertEq(approved, 7);
        (balance, approved) = vault.fundingOf(99);
        assertEq(balance, 0);
        assertEq(approved, 0);
    }

    function test_withoutMoneyOrApprovalSpendRevertsAndTrySpendReturnsTheReason() public {
        vm.prank(owner);
        stablecoin.approve(address(vault), 5);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 5, 6));
        spend(6);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendRefused(
            tokenId,
            owner,
            recipient,
            1,
            operator,
            6,
            IAllowanceVault.Reason.TRANSFER_FAILED,
            0,
            REF
        );
        assertEq(uint8(trySpend(6)), uint8(IAllowanceVault.Reason.TRANSFER_FAILED));
        assertEq(spentToday(), 0);
        spend(5);
        assertEq(uint8(trySpend(1)), uint8(IAllowanceVault.Reason.TRANSFER_FAILED));
        assertEq(spentToday(), 5);
    }
}

contract AllowanceVaultTokenTest is AllowanceVaultBase {
    function useStablecoin(address token) internal {
        vault = newVault(address(souls), token);
        fund(owner, vault);
        setLimits();
    }

    function test_aStablecoinThatReturnsNothingPays() public {
        SilentStablecoin silent = new SilentStablecoin();
        useStablecoin(address(silent));
        spend(3);
        assertEq(uint8(trySpend(4)), uint8(IAllowanceVault.Reason.NONE));
        assertEq(silent.balanceOf(recipient), 7);
        assertEq(silent.balanceOf(owner), FUNDS - 7);
        assertEq(spentToday(), 7);
    }

    function test_aStablecoinThatReturnsNothingStillRefuses() public {
        SilentStablecoin silent = new SilentStablecoin();
        useStablecoin(address(silent));
        setLimits(type(uint56).max, type(uint56).max);
        vm.expectRevert(abi.encodeWithSelector(SilentStablecoin.NotEnough.selector, owner, FUNDS, FUNDS + 1));
        spend(FUNDS + 1);
        assertEq(uint8(trySpend(FUNDS + 1)), uint8(IAllowanceVault.Reason.TRANSFER_FAILED));
        assertEq(spentToday(), 0);
    }

    function test_aStablecoinThatAnswersFalseIsNotBelieved() public {
        RefusingStablecoin refusing = new RefusingStablecoin();
        useStablecoin(address(refusing));
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(refusing)));
        spend(3);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.SpendRefused(
            tokenId,
            owner,
            recipient,
            1,
            operator,
            3,
            IAllowanceVault.Reason.TRANSFER_FAILED,
            0,
            REF
        );
        assertEq(uint8(trySpend(3)), uint8(IAllowanceVault.Reason.TRANSFER_FAILED));
        assertEq(spentToday(), 0);
    }

    function test_aStablecoinThatMovesMoneyAndAnswersFalseIsUndone() public {
        RefusingStablecoin refusing = new RefusingStablecoin();
        useStablecoin(address(refusing));
        refusing.setMoves(true);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.UnexpectedBalance.selector, recipient, 0, 3));
        trySpend(3);
        assertEq(refusing.balanceOf(recipient), 0);
    }

    function test_aStablecoinThatTakesAFeeIsRefused() public {
        FeeStablecoin fee = new FeeStablecoin();
        useStablecoin(address(fee));
        bytes memory refusal = abi.encodeWithSelector(IAllowanceVault.UnexpectedBalance.selector, recipient, 3, 2);
        vm.expectRevert(refusal);
        spend(3);
        vm.expectRevert(refusal);
        trySpend(3);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.UnexpectedBalance.selector, owner, FUNDS, FUNDS - 1));
        vm.prank(operator);
        vault.spend(tokenId, owner, 3, REF);
        assertEq(fee.balanceOf(owner), FUNDS);
        assertEq(spentToday(), 0);
    }

    function test_aStablecoinThatDoesNotTellBalancesIsRefused() public {
        RefusingStablecoin refusing = new RefusingStablecoin();
        useStablecoin(address(refusing));
        vm.etch(address(refusing), address(new MuteStablecoin()).code);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.UnexpectedBalance.selector, recipient, 3, 0));
        spend(3);
    }

    function test_nothingOfTheVaultIsReenteredDuringAPayment() public {
        ReenteringStablecoin reentering = new ReenteringStablecoin();
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        registration.operator = address(reentering);
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(1, 2), noProof(), "", signature);
        useStablecoin(address(reentering));

        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 1);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(1, 1);
        (bytes[] memory context, bytes32[] memory mode, bytes[] memory execution) = (
            new bytes[](1),
            new bytes32[](1),
            new bytes[](1)
        );
        IAllowanceVault.Permit memory permit;
        bytes[7] memory calls = [
            abi.encodeCall(IAllowanceVault.spend, (tokenId, recipient, 1, REF)),
            abi.encodeCall(IAllowanceVault.trySpend, (tokenId, recipient, 1, REF)),
            abi.encodeCall(IAllowanceVault.report, (tokenId, recipient, 1, "")),
            abi.encodeCall(IAllowanceVault.setAllowance, (allowance, signedBy(OWNER_KEY, allowance))),
            abi.encodeCall(IAllowanceVault.deactivate, (deactivation, signedBy(OWNER_KEY, deactivation))),
            abi.encodeCall(IAllowanceVault.redeemDelegations, (context, mode, execution)),
            abi.encodeCall(IAllowanceVault.setAllowanceWithPermit, (allowance, signedBy(OWNER_KEY, allowance), permit))
        ];
        bytes memory refusal = abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
        for (uint256 i; i < calls.length; ++i) {
            reentering.arm(address(vault), calls[i]);
            bytes memory payment =
                i % 2 == 0
                    ? abi.encodeCall(IAllowanceVault.spend, (tokenId, recipient, 3, REF))
                    : abi.encodeCall(IAllowanceVault.trySpend, (tokenId, recipient, 3, REF));
            reentering.execute(address(vault), payment);
            assertFalse(reentering.lastSucceeded());
            assertEq(reentering.lastAnswer(), refusal);
            assertEq(spentToday(), 3 * (i + 1));
        }
        assertEq(reentering.balanceOf(recipient), 21);
        assertEq(vault.allowanceOf(tokenId).version, 1);
    }

    function test_aReadDuringAPaymentAlreadyCountsIt() public {
        ReenteringStablecoin reentering = new ReenteringStablecoin();
        useStablecoin(address(reentering));
        reentering.arm(address(vault), abi.encodeCall(IAllowanceVault.canSpend, (tokenId, 1)));
        spend(5);
        assertTrue(reentering.lastSucceeded());
        assertEq(reentering.lastAnswer(), abi.encode(true, IAllowanceVault.Reason.NONE, DAILY_LIMIT - 5));

        trySpend(5);
        assertTrue(reentering.lastSucceeded());
        assertEq(reentering.lastAnswer(), abi.encode(true, IAllowanceVault.Reason.NONE, DAILY_LIMIT - 10));
    }

    function testFuzz_aTimeIsInItsOwnPeriod(uint64 time) public pure {
        assertLe(Periods.startOf(time), time);
        assertGt(Periods.endOf(time), time);
        assertEq(Periods.endOf(time) - Periods.startOf(time), 86_400);
        assertEq(Periods.startOf(time) % 86_400, 0);
        assertEq(Periods.dayOf(time), uint16(Periods.startOf(time) / 86_400));
    }
}
