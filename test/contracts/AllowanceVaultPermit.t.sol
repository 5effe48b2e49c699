// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AllowanceVaultBase} from "./AllowanceVaultBase.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {SilentStablecoin} from "../../contracts/mocks/SilentStablecoin.sol";
import {Stablecoin} from "../../contracts/mocks/Stablecoin.sol";

/// @dev A token that accepts every permit and approves nothing.
contract DeafStablecoin {
    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external {}

    function allowance(address, address) external pure returns (uint256) {
        return 0;
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }
}

/// @dev An owner with money and no approval signs limit and approval; a stranger submits both.
contract AllowanceVaultPermitTest is AllowanceVaultBase {
    uint256 internal constant APPROVED = 60_000_000;

    function setUp() public override {
        super.setUp();
        approve(0);
    }

    function approve(uint256 amount) internal {
        vm.prank(owner);
        stablecoin.approve(address(vault), amount);
    }

    function permitOf(uint256 value) internal view returns (IAllowanceVault.Permit memory) {
        return permitOf(OWNER_KEY, address(vault), value, vm.getBlockTimestamp());
    }

    /// @dev A stranger submits the owner's limits with `permit`.
    function submit(IAllowanceVault.Permit memory permit) internal {
        (IAllowanceVault.SetAllowance memory allowance, bytes memory signature) = limits();
        vm.prank(stranger);
        vault.setAllowanceWithPermit(allowance, signature, permit);
    }

    function limits() internal returns (IAllowanceVault.SetAllowance memory allowance, bytes memory signature) {
        allowance = allowanceFor(1, 0);
        signature = signedBy(OWNER_KEY, allowance);
    }

    function approval() internal view returns (uint256) {
        return stablecoin.allowance(owner, address(vault));
    }

    /// @dev The limits are set all the same, and an event says what is missing.
    function expectApprovalMissing(IAllowanceVault.Permit memory permit, uint256 approved) internal {
        (IAllowanceVault.SetAllowance memory allowance, bytes memory signature) = limits();
        vm.expectEmit(address(vault));
        emit IAllowanceVault.ApprovalMissing(owner, approved, permit.value);
        vm.prank(stranger);
        vault.setAllowanceWithPermit(allowance, signature, permit);
        IAllowanceVault.Allowance memory set = vault.allowanceOf(tokenId);
        assertEq(set.version, allowance.version + 1);
        assertEq(set.dailyLimit, allowance.dailyLimit);
        assertTrue(vault.isNonceUsed(owner, allowance.nonce));
        assertEq(approval(), approved);
    }

    /* what it does */

    function test_setsTheLimitsAndApprovesByTwoSignaturesOfTheOwner() public {
        (IAllowanceVault.SetAllowance memory allowance, bytes memory signature) = limits();
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        bytes32 digest = digestOf(hashOf(allowance), address(vault));

        vm.expectEmit(address(vault));
        emit IOwnerAuthorization.NonceUsed(owner, allowance.nonce, digest);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceSet(tokenId, 1, owner, 1, PER_TRANSACTION, DAILY_LIMIT, VALID_UNTIL, false);
        vm.expectEmit(address(stablecoin));
        emit IERC20.Approval(owner, address(vault), APPROVED);
        vm.prank(stranger);
        vault.setAllowanceWithPermit(allowance, signature, permit);

        assertEq(approval(), APPROVED);
        assertEq(stablecoin.nonces(owner), 1);
        spend(PER_TRANSACTION);
        assertEq(stablecoin.balanceOf(recipient), PER_TRANSACTION);
    }

    function test_theOwnersOwnCallNeedsOnlyThePermit() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        vm.prank(owner);
        vault.setAllowanceWithPermit(allowance, "", permit);
        assertEq(approval(), APPROVED);
        assertTrue(vault.allowanceOf(tokenId).active);
    }

    /* a permit that is not needed */

    function test_aPermitThatWasSubmittedBeforeIsNoFailure() public {
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        vm.prank(stranger);
        stablecoin.permit(owner, address(vault), permit.value, permit.deadline, permit.v, permit.r, permit.s);

        submit(permit);
        assertEq(approval(), APPROVED);
        assertTrue(vault.allowanceOf(tokenId).active);
    }

    function test_anInvalidPermitIsIgnoredWhenTheApprovalSuffices() public {
        approve(APPROVED);
        IAllowanceVault.Permit memory permit = permitOf(STRANGER_KEY, address(vault), APPROVED, 0);
        submit(permit);
        assertEq(approval(), APPROVED);
        assertTrue(vault.allowanceOf(tokenId).active);
    }

    function test_anApprovalIsNeverLowered() public {
        approve(APPROVED);
        submit(permitOf(APPROVED - 1));
        assertEq(approval(), APPROVED);
        assertEq(stablecoin.nonces(owner), 0);
    }

    function test_aSufficientApprovalLeavesThePermitUnused() public {
        approve(APPROVED);
        submit(permitOf(APPROVED));
        assertEq(approval(), APPROVED);
        assertEq(stablecoin.nonces(owner), 0);
    }

    function test_anApprovalIsRaised() public {
        approve(APPROVED - 1);
        submit(permitOf(APPROVED));
        assertEq(approval(), APPROVED);
    }

    /* a permit that fails */

    function test_aPermitOfAnotherSignerApprovesNothing() public {
        approve(5);
        expectApprovalMissing(permitOf(STRANGER_KEY, address(vault), APPROVED, vm.getBlockTimestamp()), 5);
        assertEq(stablecoin.allowance(stranger, address(vault)), 0);
        assertEq(stablecoin.nonces(stranger), 0);
    }

    function test_aPermitForAnotherSpenderApprovesNothing() public {
        expectApprovalMissing(permitOf(OWNER_KEY, stranger, APPROVED, vm.getBlockTimestamp()), 0);
        assertEq(stablecoin.allowance(owner, stranger), 0);
    }

    function test_anExpiredPermitApprovesNothing() public {
        expectApprovalMissing(permitOf(OWNER_KEY, address(vault), APPROVED, vm.getBlockTimestamp() - 1), 0);
    }

    function test_aPermitWithAnotherValueThanTheSignedOneApprovesNothing() public {
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        permit.value = APPROVED + 1;
        expectApprovalMissing(permit, 0);
    }

    function test_aPermitThatWasUsedAndSpentFromApprovesNoMore() public {
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        stablecoin.permit(owner, address(vault), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        approve(APPROVED - 1);
        expectApprovalMissing(permit, APPROVED - 1);
    }

    /// @dev The owner lowers the limits and renews the approval. Its operator submits the permit
    /// first, and spends from it, so that the approval is less than the owner wanted.
    function test_anOperatorCannotStopALoweringOfLimitsBySpendingFromThePermit() public {
        setLimits();
        IAllowanceVault.SetAllowance memory lower = allowanceFor(1, 1);
        (lower.perTransaction, lower.dailyLimit) = (1, 1);
        bytes memory signature = signedBy(OWNER_KEY, lower);
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);

        stablecoin.permit(owner, address(vault), permit.value, permit.deadline, permit.v, permit.r, permit.s);
        spend(1);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.ApprovalMissing(owner, APPROVED - 1, APPROVED);
        vm.prank(stranger);
        vault.setAllowanceWithPermit(lower, signature, permit);

        assertEq(vault.allowanceOf(tokenId).dailyLimit, 1);
        assertEq(uint8(trySpend(1)), uint8(IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT));
    }

    /* limits that fail */

    function test_limitsThatTheOwnerDidNotSignLeaveThePermitUnused() public {
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 0);
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        bytes memory forged = signedBy(STRANGER_KEY, allowance);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner));
        vault.setAllowanceWithPermit(allowance, forged, permit);

        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, operator, owner));
        vm.prank(operator);
        vault.setAllowanceWithPermit(allowance, "", permit);

        allowance.validUntil = 1;
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.ValidUntilPassed.selector, 1));
        vm.prank(owner);
        vault.setAllowanceWithPermit(allowance, "", permit);
        assertEq(approval(), 0);
        assertEq(stablecoin.nonces(owner), 0);
    }

    function test_nothingIsSetOrApprovedForASoulWhosePassportMoved() public {
        (IAllowanceVault.SetAllowance memory allowance, bytes memory signature) = limits();
        IAllowanceVault.Permit memory permit = permitOf(APPROVED);
        movePassport(owner, stranger);
        vm.expectRevert(abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, tokenId));
        vault.setAllowanceWithPermit(allowance, signature, permit);
        assertEq(approval(), 0);
    }

    /* tokens without permit */

    function useStablecoin(address token) internal {
        vault = newVault(address(souls), token);
        stablecoin = Stablecoin(token);
    }

    function test_aTokenWithoutPermitNeedsAnApprovalByItsOwner() public {
        SilentStablecoin silent = new SilentStablecoin();
        useStablecoin(address(silent));
        IAllowanceVault.Permit memory permit = IAllowanceVault.Permit(APPROVED, 0, 27, "r", "s");
        expectApprovalMissing(permit, 0);

        vm.prank(owner);
        silent.approve(address(vault), APPROVED);
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(1, 1);
        bytes memory signature = signedBy(OWNER_KEY, allowance);
        vm.prank(stranger);
        vault.setAllowanceWithPermit(allowance, signature, permit);
        assertTrue(vault.allowanceOf(tokenId).active);
    }

    function test_aTokenThatAcceptsAPermitAndApprovesNothingIsNotBelieved() public {
        useStablecoin(address(new DeafStablecoin()));
        expectApprovalMissing(IAllowanceVault.Permit(APPROVED, 0, 27, "r", "s"), 0);
    }
}
