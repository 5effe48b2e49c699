// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AllowanceVaultBase} from "./AllowanceVaultBase.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev An agent whose operator has a key and no money. A stranger, as an x402 facilitator, submits
/// what it signed.
abstract contract AllowanceVaultRedeemBase is AllowanceVaultBase {
    uint256 internal constant OPERATOR_KEY = 0x0DE8;
    uint256 internal constant AMOUNT = 1_500_000;
    bytes32 internal constant SINGLE_CALL = bytes32(0);
    bytes32 internal constant PAYMENT_TYPEHASH = keccak256(
        "Payment(uint256 tokenId,uint16 epoch,uint16 allowanceVersion,address operator,address recipient,"
        "uint256 amount,bytes32 paymentRef,bytes32 termsHash,address redeemer,uint256 nonce,uint256 deadline)"
    );

    uint256 private lastPaymentNonce = 1 << 64;

    function setUp() public virtual override {
        super.setUp();
        operator = vm.addr(OPERATOR_KEY);
        useOperator(operator);
    }

    /// @dev From here on the tests are about another soul of the same owner, with an allowance.
    function useOperator(address operator_) internal {
        ISoulRegistry.Registration memory registration = registrationOf("bob");
        registration.operator = operator_;
        (tokenId, passportId) = submit(registration, publicationAt(1, 2), signed(registration));
        setLimits();
    }

    function paymentOf(uint256 amount) internal returns (IAllowanceVault.Payment memory) {
        return
            IAllowanceVault.Payment({
                tokenId: tokenId,
                epoch: 1,
                allowanceVersion: vault.allowanceOf(tokenId).version,
                operator: operator,
                recipient: recipient,
                amount: amount,
                paymentRef: REF,
                termsHash: bytes32(0),
                redeemer: address(0),
                nonce: ++lastPaymentNonce,
                deadline: vm.getBlockTimestamp() + 1 minutes
            });
    }

    function digestOf(IAllowanceVault.Payment memory p) internal view returns (bytes32) {
        return digestOf(hashOf(p), address(vault));
    }

    function hashOf(IAllowanceVault.Payment memory p) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    PAYMENT_TYPEHASH,
                    p.tokenId,
                    p.epoch,
                    p.allowanceVersion,
                    p.operator,
                    p.recipient,
                    p.amount,
                    p.paymentRef,
                    p.termsHash,
                    p.redeemer,
                    p.nonce,
                    p.deadline
                )
            );
    }

    function contextOf(IAllowanceVault.Payment memory p, bytes memory signature) internal pure returns (bytes memory) {
        return bytes.concat(abi.encode(p), signature);
    }

    function contextOf(IAllowanceVault.Payment memory p, uint256 key) internal view returns (bytes memory) {
        return contextOf(p, sign(key, digestOf(p)));
    }

    /// @dev What a facilitator sends, from the terms of the invoice alone.
    function executionOf(address recipient_, uint256 amount) internal view returns (bytes memory) {
        return
            abi.encodePacked(
                vault.STABLECOIN(),
                uint256(0),
                abi.encodeWithSignature("transfer(address,uint256)", recipient_, amount)
            );
    }

    function executionOf(IAllowanceVault.Payment memory p) internal view returns (bytes memory) {
        return executionOf(p.recipient, p.amount);
    }

    function callOf(bytes memory context, bytes32 mode, bytes memory execution) internal pure returns (bytes memory) {
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = (
            new bytes[](1),
            new bytes32[](1),
            new bytes[](1)
        );
        (contexts[0], modes[0], executions[0]) = (context, mode, execution);
        return abi.encodeCall(IAllowanceVault.redeemDelegations, (contexts, modes, executions));
    }

    function callOf(IAllowanceVault.Payment memory p) internal view returns (bytes memory) {
        return callOf(contextOf(p, OPERATOR_KEY), SINGLE_CALL, executionOf(p));
    }

    /// @dev All of them in one call.
    function callOf(IAllowanceVault.Payment[] memory payments) internal view returns (bytes memory) {
        uint256 count = payments.length;
        (bytes[] memory contexts, bytes[] memory executions) = (new bytes[](count), new bytes[](count));
        for (uint256 i; i < count; ++i) {
            (contexts[i], executions[i]) = (contextOf(payments[i], OPERATOR_KEY), executionOf(payments[i]));
        }
        return abi.encodeCall(IAllowanceVault.redeemDelegations, (contexts, new bytes32[](count), executions));
    }

    function send(bytes memory data) internal returns (bool success, bytes memory answer) {
        vm.prank(stranger);
        (success, answer) = address(vault).call(data);
    }

    function redeem(IAllowanceVault.Payment memory p) internal {
        (bool success, ) = send(callOf(p));
        assertTrue(success, "was refused");
    }

    /// @dev That `data` is refused with `expected`, and that nothing was paid or counted.
    function expectRefusal(bytes memory data, bytes memory expected) internal {
        uint256 spent = spentToday();
        uint256 paid = IERC20(vault.STABLECOIN()).balanceOf(recipient);
        (bool success, bytes memory answer) = send(data);
        assertFalse(success, "was paid");
        assertEq(answer, expected);
        assertEq(spentToday(), spent);
        assertEq(IERC20(vault.STABLECOIN()).balanceOf(recipient), paid);
    }

    function invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, signer);
    }

    function notAllowed(
        uint256 amount,
        IAllowanceVault.Reason reason,
        uint256 remaining
    ) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.SpendNotAllowed.selector, tokenId, amount, reason, remaining);
    }
}
