// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {AuthorityStub} from "./AllowanceVaultBase.sol";
import {AllowanceVaultRedeemBase} from "./AllowanceVaultRedeemBase.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";
import {FeeStablecoin} from "../../contracts/mocks/FeeStablecoin.sol";
import {ReenteringStablecoin} from "../../contracts/mocks/ReenteringStablecoin.sol";
import {Stablecoin} from "../../contracts/mocks/Stablecoin.sol";

contract AllowanceVaultRedeemTest is AllowanceVaultRedeemBase {
    /* paying */

    function test_anyAccountSubmitsWhatTheOperatorSigned() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory data = callOf(payment);
        vm.expectEmit(address(vault));
        emit IOwnerAuthorization.NonceUsed(operator, payment.nonce, digestOf(payment));
        vm.expectEmit(address(stablecoin));
        emit IERC20.Transfer(owner, recipient, AMOUNT);
        vm.expectEmit(address(vault));
        emit IAllowanceVault.Spent(
            tokenId,
            recipient,
            digestOf(payment),
            owner,
            1,
            operator,
            AMOUNT,
            uint56(AMOUNT),
            REF
        );
        (bool success, bytes memory answer) = send(data);

        assertTrue(success);
        assertEq(answer.length, 0);
        assertEq(stablecoin.balanceOf(recipient), AMOUNT);
        assertEq(stablecoin.balanceOf(owner), FUNDS - AMOUNT);
        assertEq(stablecoin.balanceOf(address(vault)), 0);
        assertTrue(vault.isNonceUsed(operator, payment.nonce));
    }

    function test_theRecipientMaySubmitItsOwnPayment() public {
        bytes memory data = callOf(paymentOf(AMOUNT));
        vm.prank(recipient);
        (bool success, ) = address(vault).call(data);
        assertTrue(success);
        assertEq(stablecoin.balanceOf(recipient), AMOUNT);
    }

    function test_signedAndCalledPaymentsShareOneDay() public {
        spend(PER_TRANSACTION);
        redeem(paymentOf(PER_TRANSACTION));
        assertEq(spentToday(), 2 * PER_TRANSACTION);
        trySpend(4_000_000);

        uint256 left = DAILY_LIMIT - 2 * PER_TRANSACTION - 4_000_000;
        expectRefusal(
            callOf(paymentOf(left + 1)),
            notAllowed(left + 1, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, left)
        );
        redeem(paymentOf(left));
        assertEq(vault.allowanceOf(tokenId).remainingToday, 0);
    }

    function test_theLimitOfOnePaymentIsInclusive() public {
        uint256 above = uint256(PER_TRANSACTION) + 1;
        IAllowanceVault.Reason reason = IAllowanceVault.Reason.EXCEEDS_PER_TRANSACTION_LIMIT;
        expectRefusal(callOf(paymentOf(above)), notAllowed(above, reason, DAILY_LIMIT));
        above = (1 << 56) + 1;
        expectRefusal(callOf(paymentOf(above)), notAllowed(above, reason, DAILY_LIMIT));
        redeem(paymentOf(PER_TRANSACTION));
    }

    function test_aRefusedPaymentCanBeSubmittedAgain() public {
        spend(PER_TRANSACTION);
        spend(PER_TRANSACTION);
        IAllowanceVault.Payment memory payment = paymentOf(PER_TRANSACTION);
        payment.deadline = vm.getBlockTimestamp() + 2 days;
        uint256 left = DAILY_LIMIT - 2 * PER_TRANSACTION;
        expectRefusal(callOf(payment), notAllowed(PER_TRANSACTION, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, left));
        assertFalse(vault.isNonceUsed(operator, payment.nonce));
        vm.warp(vm.getBlockTimestamp() + 1 days);
        redeem(payment);
    }

    function test_refusesAnEmptyPaymentAndAnInvalidRecipient() public {
        expectRefusal(callOf(paymentOf(0)), abi.encodeWithSelector(IAllowanceVault.EmptyPayment.selector));
        address[2] memory invalid = [address(0), address(vault)];
        for (uint256 i; i < invalid.length; ++i) {
            IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
            payment.recipient = invalid[i];
            expectRefusal(
                callOf(payment),
                abi.encodeWithSelector(IAllowanceVault.InvalidRecipient.selector, invalid[i])
            );
        }
    }

    /* the execution */

    function test_refusesEveryExecutionButTheSignedTransfer() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory context = contextOf(payment, OPERATOR_KEY);
        bytes memory right = executionOf(payment);
        address token = address(stablecoin);
        bytes memory transfer = abi.encodeCall(IERC20.transfer, (recipient, AMOUNT));
        bytes[11] memory wrong = [
            executionOf(stranger, AMOUNT),
            executionOf(recipient, AMOUNT + 1),
            executionOf(recipient, AMOUNT - 1),
            abi.encodePacked(address(new Stablecoin()), uint256(0), transfer),
            abi.encodePacked(token, uint256(1), transfer),
            abi.encodePacked(token, uint256(0), abi.encodeCall(IERC20.approve, (recipient, AMOUNT))),
            abi.encodePacked(token, uint256(0), abi.encodeCall(IERC20.transferFrom, (owner, recipient, AMOUNT))),
            // The recipient's word with a bit above the address.
            abi.encodePacked(token, uint256(0), IERC20.transfer.selector, uint96(1), recipient, AMOUNT),
            bytes.concat(right, hex"00"),
            abi.encodePacked(token, uint256(0), IERC20.transfer.selector, uint256(uint160(recipient))),
            ""
        ];
        bytes memory refusal = abi.encodeWithSelector(IAllowanceVault.UnexpectedExecution.selector, right);
        for (uint256 i; i < wrong.length; ++i) {
            expectRefusal(callOf(context, SINGLE_CALL, wrong[i]), refusal);
        }
        assertFalse(vault.isNonceUsed(operator, payment.nonce));
        redeem(payment);
    }

    function testFuzz_refusesAnExecutionWithOneOtherByte(uint256 index, uint8 difference) public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory right = executionOf(payment);
        bytes memory wrong = bytes.concat(right);
        index = bound(index, 0, wrong.length - 1);
        wrong[index] = bytes1(uint8(wrong[index]) ^ uint8(bound(difference, 1, 255)));
        expectRefusal(
            callOf(contextOf(payment, OPERATOR_KEY), SINGLE_CALL, wrong),
            abi.encodeWithSelector(IAllowanceVault.UnexpectedExecution.selector, right)
        );
    }

    function test_refusesEveryModeButTheSingleCallThatReverts() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes32[6] memory modes = [
            bytes32(hex"01"), // batch
            bytes32(hex"0001"), // try
            bytes32(hex"fe"), // staticcall
            bytes32(hex"ff"), // delegatecall
            bytes32(hex"00000000000000000001"), // a mode selector
            bytes32(uint256(1)) // a mode payload
        ];
        for (uint256 i; i < modes.length; ++i) {
            expectRefusal(
                callOf(contextOf(payment, OPERATOR_KEY), modes[i], executionOf(payment)),
                abi.encodeWithSelector(IAllowanceVault.UnsupportedMode.selector, modes[i])
            );
        }
    }

    function test_refusesListsOfUnequalLengthAndEmptyOnes() public {
        uint256[3][6] memory lengths = [
            [uint256(0), 0, 0],
            [uint256(2), 2, 1],
            [uint256(2), 1, 1],
            [uint256(1), 2, 1],
            [uint256(1), 1, 2],
            [uint256(1), 0, 1]
        ];
        for (uint256 i; i < lengths.length; ++i) {
            (uint256 a, uint256 b, uint256 c) = (lengths[i][0], lengths[i][1], lengths[i][2]);
            (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = (
                new bytes[](a),
                new bytes32[](b),
                new bytes[](c)
            );
            for (uint256 k; k < 2; ++k) {
                IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
                if (k < a) contexts[k] = contextOf(payment, OPERATOR_KEY);
                if (k < c) executions[k] = executionOf(payment);
            }
            expectRefusal(
                abi.encodeCall(IAllowanceVault.redeemDelegations, (contexts, modes, executions)),
                abi.encodeWithSelector(IAllowanceVault.UnequalRedemptions.selector, a, b, c)
            );
        }
    }

    /* several at once */

    function test_severalPaymentsAreMadeInOneCallEachWithItsEvent() public {
        IAllowanceVault.Payment[] memory payments = new IAllowanceVault.Payment[](3);
        for (uint256 i; i < 3; ++i) payments[i] = paymentOf(AMOUNT + i);
        payments[1].recipient = stranger;
        bytes memory data = callOf(payments);
        uint56 spent;
        for (uint256 i; i < 3; ++i) {
            spent += uint56(payments[i].amount);
            vm.expectEmit(address(vault));
            emit IAllowanceVault.Spent(
                tokenId,
                payments[i].recipient,
                digestOf(payments[i]),
                owner,
                1,
                operator,
                payments[i].amount,
                spent,
                REF
            );
        }
        (bool success, ) = send(data);
        assertTrue(success);
        assertEq(stablecoin.balanceOf(recipient), 2 * AMOUNT + 2);
        assertEq(stablecoin.balanceOf(stranger), AMOUNT + 1);
        assertEq(spentToday(), 3 * AMOUNT + 3);
    }

    function test_onePaymentThatCannotBeMadeStopsAll() public {
        IAllowanceVault.Payment[] memory payments = new IAllowanceVault.Payment[](3);
        for (uint256 i; i < 3; ++i) payments[i] = paymentOf(PER_TRANSACTION);
        uint256 left = DAILY_LIMIT - 2 * PER_TRANSACTION;
        expectRefusal(callOf(payments), notAllowed(PER_TRANSACTION, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, left));
        assertFalse(vault.isNonceUsed(operator, payments[0].nonce));

        payments[2] = payments[0];
        expectRefusal(
            callOf(payments),
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, operator, payments[0].nonce)
        );
        redeem(payments[0]);
        redeem(payments[1]);
    }

    /// @dev The day's sum is the sum of what was paid, in one call or in several, and never above
    /// the limit.
    function testFuzz_paymentsAtOnceAddUpAsPaymentsOneByOne(uint24[4] memory amounts, uint56 day) public {
        day = uint56(bound(day, 1, 4 * uint256(type(uint24).max)));
        setLimits(type(uint24).max, day);
        IAllowanceVault.Payment[] memory payments = new IAllowanceVault.Payment[](4);
        uint256 sum;
        for (uint256 i; i < 4; ++i) {
            payments[i] = paymentOf(bound(amounts[i], 1, type(uint24).max));
            sum += payments[i].amount;
        }
        (bool success, ) = send(callOf(payments));
        assertEq(success, sum <= day);
        assertEq(spentToday(), success ? sum : 0);
        assertEq(stablecoin.balanceOf(recipient), success ? sum : 0);
    }

    /* who submits, for whom, over what */

    function test_anotherAccountThanTheNamedRedeemerIsRefused() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        payment.redeemer = makeAddr("facilitator");
        bytes memory data = callOf(payment);
        expectRefusal(data, abi.encodeWithSelector(IAllowanceVault.NotRedeemer.selector, stranger, payment.redeemer));
        vm.prank(payment.redeemer);
        (bool success, ) = address(vault).call(data);
        assertTrue(success);
        assertEq(stablecoin.balanceOf(recipient), AMOUNT);
    }

    /// @dev A wallet that the former operator's key controls accepts the key's signatures: before
    /// a payment named its signer, each was paid once for the key and once for the wallet.
    function test_aSignatureIsPaidOnceAfterTheOperatorBecameAWalletOfItsKey() public {
        IAllowanceVault.Payment[] memory payments = new IAllowanceVault.Payment[](5);
        for (uint256 i; i < 5; ++i) {
            payments[i] = paymentOf(2_000_000);
            redeem(payments[i]);
        }
        ERC1271Wallet wallet = new ERC1271Wallet(operator);
        changeOperator(address(wallet));
        for (uint256 i; i < 5; ++i) {
            expectRefusal(callOf(payments[i]), wrongOperator(operator, address(wallet)));
        }
        assertEq(stablecoin.balanceOf(recipient), 10_000_000);
    }

    function test_aPaymentThatWasSignedBeforeADecisionIsDeadAfterIt() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory data = callOf(payment);
        deactivate();
        expectRefusal(data, wrongVersion(1, 2));
        setLimits();
        expectRefusal(data, wrongVersion(1, 3));
        IAllowanceVault.Payment memory ahead = paymentOf(AMOUNT);
        ahead.allowanceVersion = 4;
        expectRefusal(callOf(ahead), wrongVersion(4, 3));
        redeem(paymentOf(AMOUNT));
    }

    function wrongOperator(address operator_, address current) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.WrongOperator.selector, tokenId, operator_, current);
    }

    function wrongVersion(uint16 version, uint16 current) internal view returns (bytes memory) {
        return abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, tokenId, version, current);
    }

    /* the signature */

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory signature = sign(OPERATOR_KEY, digestOf(payment));
        field = bound(field, 0, 6);
        if (field == 5) payment.termsHash = bytes32(bound(noise, 1, 1 << 128));
        if (field == 6) payment.redeemer = stranger;
        if (field == 0) payment.recipient = address(uint160(bound(noise, 1, type(uint160).max)));
        if (field == 1) payment.amount = bound(noise, AMOUNT + 1, type(uint256).max);
        if (field == 2) payment.paymentRef = bytes32(bound(noise, 1, 1 << 128));
        if (field == 3) payment.nonce = bound(noise, payment.nonce + 1, type(uint256).max);
        if (field == 4) payment.deadline = bound(noise, payment.deadline + 1, type(uint256).max);
        expectRefusal(
            callOf(contextOf(payment, signature), SINGLE_CALL, executionOf(payment)),
            invalidSignature(operator)
        );
    }

    function test_refusesAPaymentOfAnotherSoul() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory signature = sign(OPERATOR_KEY, digestOf(payment));
        payment.tokenId = 1; // Of the same owner, with another operator.
        expectRefusal(
            callOf(contextOf(payment, signature), SINGLE_CALL, executionOf(payment)),
            abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, 1, 1, 0)
        );
        payment.allowanceVersion = 0;
        expectRefusal(
            callOf(contextOf(payment, signature), SINGLE_CALL, executionOf(payment)),
            abi.encodeWithSelector(IAllowanceVault.WrongOperator.selector, 1, operator, address(0x0909))
        );
        payment.operator = address(0x0909);
        expectRefusal(
            callOf(contextOf(payment, signature), SINGLE_CALL, executionOf(payment)),
            invalidSignature(address(0x0909))
        );
        payment.tokenId = 99;
        expectRefusal(callOf(payment), abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, 99));
    }

    function test_refusesASignerOtherThanTheOperator() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes[5] memory signatures = [
            sign(OWNER_KEY, digestOf(payment)),
            sign(STRANGER_KEY, digestOf(payment)),
            sign(OPERATOR_KEY, digestOf(hashOf(payment), address(souls))),
            bytes(""),
            new bytes(65)
        ];
        for (uint256 i; i < signatures.length; ++i) {
            expectRefusal(
                callOf(contextOf(payment, signatures[i]), SINGLE_CALL, executionOf(payment)),
                invalidSignature(operator)
            );
        }
        bytes memory data = callOf(payment);
        vm.chainId(8453);
        expectRefusal(data, invalidSignature(operator));
    }

    function test_refusesAContextThatHoldsNoPayment() public {
        bytes memory execution = executionOf(recipient, AMOUNT);
        for (uint256 length; length < 352; length += 351) {
            expectRefusal(
                callOf(new bytes(length), SINGLE_CALL, execution),
                abi.encodeWithSelector(IAllowanceVault.InvalidPermissionContext.selector, length, 352)
            );
        }
    }

    /// @dev The words of epoch, version, operator, recipient and redeemer have unused bits. Each
    /// payment is signed as it is sent, so that the signature is not what refuses it.
    function testFuzz_refusesAValueOutOfItsTypesRange(uint256 field, uint256 bit) public {
        uint256[5] memory words = [uint256(1), 2, 3, 4, 8];
        field = bound(field, 0, 4);
        bit = bound(bit, field < 2 ? 16 : 160, 255);
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        payment.redeemer = stranger;
        bytes memory encoded = abi.encode(payment);
        uint256 offset = 0x20 * (words[field] + 1);
        assembly ("memory-safe") {
            let word := add(encoded, offset)
            mstore(word, or(mload(word), shl(bit, 1)))
        }
        bytes memory signature = sign(
            OPERATOR_KEY,
            digestOf(keccak256(bytes.concat(PAYMENT_TYPEHASH, encoded)), address(vault))
        );
        (bool success, ) = send(callOf(bytes.concat(encoded, signature), SINGLE_CALL, executionOf(payment)));
        assertFalse(success, "was paid");
        assertFalse(vault.isNonceUsed(operator, payment.nonce));
        redeem(payment);
    }

    function test_paysOnce() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        redeem(payment);
        bytes memory used = abi.encodeWithSelector(
            IOwnerAuthorization.NonceAlreadyUsed.selector,
            operator,
            payment.nonce
        );
        expectRefusal(callOf(payment), used);
        // Another payment under the same nonce is as dead.
        payment.amount = 1;
        expectRefusal(callOf(payment), used);
    }

    function test_theDeadlineIsInclusive() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        vm.warp(payment.deadline + 1);
        expectRefusal(
            callOf(payment),
            abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, payment.deadline)
        );
        vm.warp(payment.deadline);
        redeem(payment);
    }

    /* kinds of operator */

    function test_withoutAnOperatorTheOwnerSigns() public {
        tokenId = 0;
        ISoulRegistry.Registration memory registration = registrationOf("carol");
        registration.operator = address(0);
        (tokenId, passportId) = submit(registration, publicationAt(2, 3), signed(registration));
        setLimits();
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        expectRefusal(callOf(payment), wrongOperator(operator, owner));
        payment.operator = owner;
        expectRefusal(callOf(payment), invalidSignature(owner));
        (bool success, ) = send(callOf(contextOf(payment, OWNER_KEY), SINGLE_CALL, executionOf(payment)));
        assertTrue(success);
        assertEq(stablecoin.balanceOf(recipient), AMOUNT);
    }

    function test_aContractWalletSignsByERC1271() public {
        ERC1271Wallet wallet = new ERC1271Wallet(operator);
        ISoulRegistry.Registration memory registration = registrationOf("carol");
        registration.operator = address(wallet);
        (tokenId, passportId) = submit(registration, publicationAt(2, 3), signed(registration));
        setLimits();
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        payment.operator = address(wallet);
        expectRefusal(
            callOf(contextOf(payment, STRANGER_KEY), SINGLE_CALL, executionOf(payment)),
            invalidSignature(address(wallet))
        );
        redeem(payment);
        assertTrue(vault.isNonceUsed(address(wallet), payment.nonce));
        assertEq(stablecoin.balanceOf(recipient), AMOUNT);
    }

    /* authority that ended */

    function test_anExpiredAllowancePaysNothing() public {
        vm.warp(uint256(VALID_UNTIL) + 1);
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        expectRefusal(callOf(payment), notAllowed(AMOUNT, IAllowanceVault.Reason.ALLOWANCE_INACTIVE, 0));
        vm.warp(VALID_UNTIL);
        redeem(payment);
    }

    function test_aPaymentOfAnotherEpochOrOperatorIsDead() public {
        AuthorityStub registry = new AuthorityStub();
        registry.set(owner, operator, 1);
        vault = newVault(address(registry), address(stablecoin));
        fund(owner, vault);
        setLimits();
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory data = callOf(payment);

        // The same owner and operator, after a reseal.
        registry.set(owner, operator, 2);
        setLimits();
        expectRefusal(data, abi.encodeWithSelector(IAllowanceVault.WrongEpoch.selector, tokenId, 1, 2));
        payment.epoch = 2;
        expectRefusal(
            callOf(contextOf(payment, sign(OPERATOR_KEY, bytes32("old"))), SINGLE_CALL, executionOf(payment)),
            invalidSignature(operator)
        );

        registry.set(owner, stranger, 1);
        // The record is of epoch 2: in epoch 1 there is no decision.
        expectRefusal(data, wrongVersion(1, 0));
        payment.epoch = 1;
        payment.allowanceVersion = 0;
        expectRefusal(callOf(payment), wrongOperator(operator, stranger));
        registry.set(address(0), address(0), 1);
        expectRefusal(data, abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, tokenId));
    }

    /* between simulation and settlement */

    /// @dev Runs the redemption and undoes it, as a facilitator's eth_call does.
    function simulate(bytes memory data) internal {
        uint256 snapshot = vm.snapshotState();
        (bool success, ) = send(data);
        assertTrue(success, "the simulation was refused");
        vm.revertToState(snapshot);
    }

    function test_whatEndsBetweenSimulationAndSettlementIsNotPaid() public {
        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes memory data = callOf(payment);
        simulate(data);
        uint256 fresh = vm.snapshotState();

        vm.prank(operator);
        vault.cancel(payment.nonce);
        expectRefusal(
            data,
            abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, operator, payment.nonce)
        );
        vm.revertToState(fresh);

        fresh = vm.snapshotState();
        deactivate();
        expectRefusal(data, wrongVersion(1, 2));
        vm.revertToState(fresh);

        fresh = vm.snapshotState();
        changeOperator(stranger);
        expectRefusal(data, wrongOperator(operator, stranger));
        vm.revertToState(fresh);

        fresh = vm.snapshotState();
        movePassport(owner, stranger);
        expectRefusal(data, abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, tokenId));
        vm.revertToState(fresh);

        fresh = vm.snapshotState();
        vm.prank(operator);
        vault.report(tokenId, recipient, DAILY_LIMIT, "");
        expectRefusal(data, notAllowed(AMOUNT, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, 0));
        vm.revertToState(fresh);

        fresh = vm.snapshotState();
        vm.prank(owner);
        stablecoin.approve(address(vault), 0);
        expectRefusal(
            data,
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(vault), 0, AMOUNT)
        );
        vm.revertToState(fresh);

        redeem(payment);
    }

    function changeOperator(address next) internal {
        ISoulRegistry.RecordEvolution memory change = ISoulRegistry.RecordEvolution({
            tokenId: tokenId,
            epoch: 1,
            version: souls.versionOf(tokenId),
            category: "embodiment",
            changeType: "operator_change",
            previousSoulHash: souls.soulOf(tokenId).soulHash,
            newSoulHash: bytes32(0),
            newSoulMerkleRoot: bytes32(0),
            dataHash: keccak256(abi.encodePacked(next)),
            agentURI: "",
            nonce: 0,
            deadline: 0
        });
        vm.prank(owner);
        souls.changeOperator(change, next, "");
    }

    /* tokens */

    function test_nothingIsReenteredDuringARedemption() public {
        ReenteringStablecoin reentering = new ReenteringStablecoin();
        vault = newVault(address(souls), address(reentering));
        fund(owner, vault);
        setLimits();
        bytes memory refusal = abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);

        IAllowanceVault.Payment memory payment = paymentOf(AMOUNT);
        bytes[2] memory calls = [callOf(payment), callOf(paymentOf(1))];
        for (uint256 i; i < calls.length; ++i) {
            payment = i == 0 ? payment : paymentOf(AMOUNT);
            reentering.arm(address(vault), calls[i]);
            redeem(payment);
            assertFalse(reentering.lastSucceeded());
            assertEq(reentering.lastAnswer(), refusal);
        }
        assertEq(reentering.balanceOf(recipient), 2 * AMOUNT);
        assertEq(spentToday(), 2 * AMOUNT);
    }

    function test_aStablecoinThatTakesAFeeIsRefused() public {
        vault = newVault(address(souls), address(new FeeStablecoin()));
        fund(owner, vault);
        setLimits();
        expectRefusal(
            callOf(paymentOf(AMOUNT)),
            abi.encodeWithSelector(IAllowanceVault.UnexpectedBalance.selector, recipient, AMOUNT, AMOUNT - 1)
        );
    }
}
