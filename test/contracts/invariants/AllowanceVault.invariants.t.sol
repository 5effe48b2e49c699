// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {AuthorityStub} from "../AllowanceVaultBase.sol";
import {AllowanceVault} from "../../../contracts/AllowanceVault.sol";
import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../../contracts/mocks/ERC1271Wallet.sol";
import {IStablecoin} from "../../../contracts/interfaces/IStablecoin.sol";
import {Stablecoin} from "../../../contracts/mocks/Stablecoin.sol";

/// @dev One soul's allowance over any sequence of decisions, payments, sales and days, beside a
/// plain account of what should be true. No action of it reverts. Amounts are small, so that limits
/// are met often.
contract AllowanceVaultHandler is Test {
    uint256 internal constant TOKEN_ID = 1;
    uint256 internal constant FUNDS = 1 << 40;
    bytes32 internal constant REF = "ref";
    bytes32 internal constant PAYMENT_TYPEHASH = keccak256(
        "Payment(uint256 tokenId,uint16 epoch,uint16 allowanceVersion,address operator,address recipient,uint256 amount,"
        "bytes32 paymentRef,bytes32 termsHash,address redeemer,uint256 nonce,uint256 deadline)"
    );
    address internal constant RECIPIENT = address(0xCAFE);

    AuthorityStub public immutable REGISTRY;
    Stablecoin public immutable STABLECOIN;
    AllowanceVault public immutable VAULT;

    struct Signed {
        bytes context;
        uint256 amount;
        address operator;
        uint16 epoch;
        uint16 version;
        bool redeemed;
    }

    /* what should be true */

    address public owner;
    uint16 public epoch = 1;
    bool public suspended;
    bool public isSet;
    bool public active;
    uint16 public version;
    uint256 public perTransaction;
    uint256 public dailyLimit;
    uint256 public validUntil;
    uint256 public paidInAll;
    mapping(uint16 epoch => mapping(uint256 day => uint256 amount)) private _counted;

    /// What was paid against a rule, if anything was; how often each thing happened, to see that it
    /// does.
    string public broken;
    uint256 public payments;
    uint256 public redemptions;
    uint256 public refusals;
    uint256 private _lastNonce;
    /// Every payment that was signed, paid or not.
    Signed[] private _signed;
    /// Whether the operator is a wallet that accepts the signatures of the epoch's key.
    bool private _usesWallet;
    mapping(uint16 epoch => address wallet) private _wallets;

    constructor() {
        REGISTRY = new AuthorityStub();
        STABLECOIN = new Stablecoin();
        VAULT = AllowanceVault(
            deploy("AllowanceVault", abi.encode(ISoulRegistry(address(REGISTRY)), IStablecoin(address(STABLECOIN))))
        );
        _begin();
    }

    /* ACTIONS */

    function setAllowance(uint56 each, uint56 day, uint256 life) external {
        if (suspended) return;
        (perTransaction, dailyLimit) = (bound(each, 0, 60), bound(day, 0, 150));
        validUntil = vm.getBlockTimestamp() + bound(life, 0, 5 days);
        vm.prank(owner);
        VAULT.setAllowance(
            IAllowanceVault.SetAllowance(
                TOKEN_ID,
                epoch,
                version,
                uint56(perTransaction),
                uint56(dailyLimit),
                uint32(validUntil),
                false,
                0,
                0
            ),
            ""
        );
        (isSet, active) = (true, true);
        ++version;
    }

    function deactivate() external {
        if (suspended || !active) return;
        vm.prank(owner);
        VAULT.deactivate(IAllowanceVault.DeactivateAllowance(TOKEN_ID, epoch, version, 0, 0), "");
        (active, validUntil) = (false, 0);
        ++version;
    }

    function spend(uint256 amount) external {
        amount = bound(amount, 1, 80);
        (bool allowed, , ) = VAULT.canSpend(TOKEN_ID, amount);
        vm.prank(_operator());
        try VAULT.spend(TOKEN_ID, RECIPIENT, amount, REF) {
            _paid(amount);
            if (!allowed) broken = "canSpend said no, spend paid";
        } catch {
            ++refusals;
            if (allowed) broken = "canSpend said yes, spend did not pay";
        }
    }

    function trySpend(uint256 amount) external {
        amount = bound(amount, 1, 80);
        (, IAllowanceVault.Reason said, ) = VAULT.canSpend(TOKEN_ID, amount);
        vm.prank(_operator());
        IAllowanceVault.Reason reason = VAULT.trySpend(TOKEN_ID, RECIPIENT, amount, REF);
        if (reason != said) broken = "canSpend and trySpend disagree";
        if (reason == IAllowanceVault.Reason.NONE) _paid(amount);
        else ++refusals;
    }

    /// @dev Without approval the stablecoin refuses: nothing may change.
    function trySpendUnfunded(uint256 amount) external {
        amount = bound(amount, 1, 80);
        vm.prank(owner);
        STABLECOIN.approve(address(VAULT), 0);
        vm.prank(_operator());
        if (VAULT.trySpend(TOKEN_ID, RECIPIENT, amount, REF) == IAllowanceVault.Reason.NONE)
            broken = "paid without approval";
        vm.prank(owner);
        STABLECOIN.approve(address(VAULT), type(uint256).max);
    }

    /// @dev The operator signs, a stranger submits at once.
    function redeem(uint256 amount) external {
        amount = bound(amount, 1, 80);
        (bool allowed, , ) = VAULT.canSpend(TOKEN_ID, amount);
        if (_submit(_sign(amount), 1)) {
            if (!allowed) broken = "canSpend said no, a redemption paid";
        } else if (allowed) {
            broken = "canSpend said yes, a redemption did not pay";
        }
    }

    /// @dev The operator signs several, a stranger submits them in one call.
    function redeemTogether(uint256 amount, uint256 count) external {
        (amount, count) = (bound(amount, 1, 40), bound(count, 2, 4));
        (, , uint256 left) = VAULT.canSpend(TOKEN_ID, amount);
        uint256 first = _sign(amount);
        for (uint256 i = 1; i < count; ++i) _sign(amount);
        bool allowed = amount <= perTransaction && amount * count <= left;
        if (_submit(first, count) != allowed) broken = "several payments were not all or none";
    }

    /// @dev A payment that was signed earlier: paid already, refused then, or of an epoch, operator
    /// or decision that is gone.
    function redeemAgain(uint256 index) external {
        if (_signed.length == 0) return;
        _submit(bound(index, 0, _signed.length - 1), 1);
    }

    /// @dev The owner moves the operator from its key to a wallet of that key, or back.
    function moveOperator() external {
        if (suspended) return;
        _usesWallet = !_usesWallet;
        REGISTRY.set(owner, _operator(), epoch);
    }

    function report(uint256 amount) external {
        if (suspended) return;
        amount = bound(amount, 1, 30);
        vm.prank(_operator());
        VAULT.report(TOKEN_ID, RECIPIENT, amount, "");
        _counted[epoch][_day()] += amount;
    }

    function stranger(uint256 amount, address caller) external {
        if (suspended || caller == _operator()) return;
        vm.prank(caller);
        try VAULT.spend(TOKEN_ID, RECIPIENT, bound(amount, 1, 80), REF) {
            broken = "a stranger paid";
        } catch {}
    }

    function passTime(uint256 seconds_) external {
        vm.warp(vm.getBlockTimestamp() + bound(seconds_, 1, 1 days));
    }

    function suspend() external {
        suspended = true;
        REGISTRY.set(address(0), address(0), epoch);
    }

    function passportReturns() external {
        suspended = false;
        REGISTRY.set(owner, _operator(), epoch);
    }

    function reseal() external {
        ++epoch;
        (suspended, isSet, active, version) = (false, false, false, 0);
        (perTransaction, dailyLimit, validUntil) = (0, 0, 0);
        _begin();
    }

    /* WHAT IS EXPECTED */

    function countedToday() external view returns (uint256) {
        return _counted[epoch][_day()];
    }

    function recipientHas() external view returns (uint256) {
        return STABLECOIN.balanceOf(RECIPIENT);
    }

    function vaultHas() external view returns (uint256) {
        return STABLECOIN.balanceOf(address(VAULT));
    }

    function allowance() external view returns (IAllowanceVault.Allowance memory) {
        return VAULT.allowanceOf(TOKEN_ID);
    }

    /* INTERNAL */

    function _begin() private {
        owner = address(uint160(0xA0000 + epoch));
        STABLECOIN.mint(owner, FUNDS);
        vm.prank(owner);
        STABLECOIN.approve(address(VAULT), type(uint256).max);
        _wallets[epoch] = address(new ERC1271Wallet(vm.addr(_operatorKey())));
        REGISTRY.set(owner, _operator(), epoch);
    }

    function _operatorKey() private view returns (uint256) {
        return 0xB0000 + epoch;
    }

    function _operator() private view returns (address) {
        return _usesWallet ? _wallets[epoch] : vm.addr(_operatorKey());
    }

    function _sign(uint256 amount) private returns (uint256 index) {
        IAllowanceVault.Payment memory payment = IAllowanceVault.Payment(
            TOKEN_ID,
            epoch,
            version,
            _operator(),
            RECIPIENT,
            amount,
            REF,
            bytes32(0),
            address(0),
            ++_lastNonce,
            vm.getBlockTimestamp() + 3 days
        );
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("AllowanceVault"),
                keccak256("2"),
                block.chainid,
                address(VAULT)
            )
        );
        bytes32 structHash = keccak256(abi.encode(PAYMENT_TYPEHASH, payment));
        bytes memory signature = signDigest(
            _operatorKey(),
            keccak256(abi.encodePacked(hex"1901", separator, structHash))
        );
        bytes memory context = bytes.concat(abi.encode(payment), signature);
        index = _signed.length;
        _signed.push(Signed(context, amount, payment.operator, epoch, version, false));
    }

    /// @dev Submits `count` payments from `first` on, in one call.
    function _submit(uint256 first, uint256 count) private returns (bool success) {
        (bytes[] memory contexts, bytes[] memory executions) = (new bytes[](count), new bytes[](count));
        uint256 sum;
        for (uint256 i; i < count; ++i) {
            Signed storage signed = _signed[first + i];
            sum += signed.amount;
            contexts[i] = signed.context;
            executions[i] = abi.encodePacked(
                address(STABLECOIN),
                uint256(0),
                abi.encodeCall(STABLECOIN.transfer, (RECIPIENT, signed.amount))
            );
        }
        bytes memory data = abi.encodeCall(VAULT.redeemDelegations, (contexts, new bytes32[](count), executions));
        uint256 before = STABLECOIN.balanceOf(RECIPIENT);
        vm.prank(address(0x57A));
        (success, ) = address(VAULT).call(data);
        if (STABLECOIN.balanceOf(RECIPIENT) != before + (success ? sum : 0)) broken = "another amount was paid";
        if (!success) {
            ++refusals;
            return false;
        }
        for (uint256 i; i < count; ++i) {
            Signed storage signed = _signed[first + i];
            if (signed.redeemed) broken = "a payment was redeemed twice";
            if (signed.operator != _operator()) broken = "paid for another operator";
            if (signed.epoch != epoch || signed.version != version) broken = "paid after a later decision";
            signed.redeemed = true;
            ++redemptions;
            _paid(signed.amount);
        }
    }

    function _day() private view returns (uint256) {
        return vm.getBlockTimestamp() / 1 days;
    }

    function _paid(uint256 amount) private {
        ++payments;
        paidInAll += amount;
        _counted[epoch][_day()] += amount;
        if (suspended) broken = "paid while the soul had no live owner";
        if (!isSet) broken = "paid without an allowance of this epoch";
        if (!active) broken = "paid after deactivation";
        if (vm.getBlockTimestamp() > validUntil) broken = "paid after the allowance expired";
        if (amount > perTransaction) broken = "paid above the limit of one payment";
        if (_counted[epoch][_day()] > dailyLimit) broken = "paid above the limit of the day";
    }
}

/// @dev The list is in test/contracts/invariants/AllowanceVault.md.
contract AllowanceVaultInvariants is Test {
    AllowanceVaultHandler internal handler;

    function setUp() public {
        vm.warp(1_800_000_000);
        handler = new AllowanceVaultHandler();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// hardhat-config: invariant.runs = 40
    /// hardhat-config: invariant.depth = 60
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_noPaymentBreaksARuleInForce() public view {
        assertEq(handler.broken(), "");
    }

    /// hardhat-config: invariant.runs = 40
    /// hardhat-config: invariant.depth = 60
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_whatIsSpentTodayIsWhatWasPaidAndReportedToday() public view {
        IAllowanceVault.Allowance memory allowance = handler.allowance();
        uint256 counted = handler.countedToday();
        assertEq(allowance.spentToday, counted);
        bool usable = !handler.suspended() && vm.getBlockTimestamp() <= handler.validUntil();
        uint256 limit = handler.dailyLimit();
        assertEq(allowance.remainingToday, usable && limit > counted ? limit - counted : 0);
    }

    /// hardhat-config: invariant.runs = 40
    /// hardhat-config: invariant.depth = 60
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_theAllowanceIsTheLiveOwnersLastDecisionOfThisEpoch() public view {
        IAllowanceVault.Allowance memory allowance = handler.allowance();
        assertEq(allowance.epoch, handler.epoch());
        assertEq(allowance.version, handler.version());
        assertEq(allowance.active, handler.active());
        assertEq(allowance.perTransaction, handler.perTransaction());
        assertEq(allowance.dailyLimit, handler.dailyLimit());
        assertEq(allowance.validUntil, handler.validUntil());
    }

    /// hardhat-config: invariant.runs = 40
    /// hardhat-config: invariant.depth = 60
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_theVaultHoldsNoMoneyAndRecipientsHaveWhatWasPaid() public view {
        assertEq(handler.vaultHas(), 0);
        assertEq(handler.recipientHas(), handler.paidInAll());
    }
}
