// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IAllowanceVault} from "./interfaces/IAllowanceVault.sol";
import {IERC7710Manager} from "./interfaces/IERC7710Manager.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {IStablecoin} from "./interfaces/IStablecoin.sol";
import {PassportReads} from "./libraries/PassportReads.sol";
import {Periods} from "./libraries/Periods.sol";

/// @title Allowance vault
/// @notice See {IAllowanceVault}.
/// @dev Has no roles and no administrator: only what owner and operator decide or sign changes
/// anything here.
contract AllowanceVault is IAllowanceVault, OwnerAuthorization, ReentrancyGuardTransient, ERC165 {
    using SafeERC20 for IERC20;

    /* CONSTANTS */

    bytes32 private constant SET_ALLOWANCE_TYPEHASH = keccak256(
        "SetAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint56 perTransaction,uint56 dailyLimit,"
        "uint32 validUntil,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DEACTIVATE_ALLOWANCE_TYPEHASH = keccak256(
        "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant PAYMENT_TYPEHASH = keccak256(
        "Payment(uint256 tokenId,uint16 epoch,uint16 allowanceVersion,address operator,address recipient,"
        "uint256 amount,bytes32 paymentRef,bytes32 termsHash,address redeemer,uint256 nonce,uint256 deadline)"
    );

    /// @dev Bytes of an ABI-encoded Payment: eleven words.
    uint256 private constant PAYMENT_SIZE = 11 * 32;

    /// @dev Bytes of a packed execution of `transfer`: target, value, selector and two words.
    uint256 private constant TRANSFER_SIZE = 20 + 32 + 4 + 2 * 32;

    /// @dev ERC-7579: a single call that reverts on failure.
    bytes32 private constant SINGLE_CALL = bytes32(0);

    uint8 private constant DECIMALS = 6;

    /// @dev Limits are set at most up to this version, so that an owner can always deactivate them.
    uint16 private constant LAST_SET_VERSION = type(uint16).max - 1;

    /* IMMUTABLES */

    /// @inheritdoc IAllowanceVault
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @inheritdoc IAllowanceVault
    IERC20 public immutable STABLECOIN;

    /// @dev The passports of {SOUL_REGISTRY}.
    address private immutable IDENTITY_REGISTRY;

    /* STORAGE */

    /// @dev One slot, used up to the last bit. Everything in it belongs to `epoch` and means
    /// nothing in another one.
    struct Record {
        uint56 perTransaction;
        uint56 dailyLimit;
        /// Spent on `day`; zero on any other day.
        uint56 spent;
        uint16 day;
        uint16 epoch;
        uint16 version;
        /// Zero when the owner deactivated the allowance or set none. An allowance is active up to
        /// this second.
        uint32 validUntil;
        bool onlyWithAgentWallet;
    }

    mapping(uint256 tokenId => Record record) private _records;

    /* CONSTRUCTOR */

    /// @param soulRegistry Says who owner and operator are.
    /// @param stablecoin The only token that is paid with; it cannot be changed later. It must have
    /// 6 decimals.
    constructor(ISoulRegistry soulRegistry, IStablecoin stablecoin) EIP712("AllowanceVault", "2") {
        if (address(stablecoin).code.length == 0 || stablecoin.decimals() != DECIMALS) {
            revert UnsupportedStablecoin(address(stablecoin));
        }
        SOUL_REGISTRY = soulRegistry;
        STABLECOIN = stablecoin;
        IDENTITY_REGISTRY = soulRegistry.IDENTITY_REGISTRY();
    }

    /* OWNER */

    /// @inheritdoc IAllowanceVault
    function setAllowance(SetAllowance calldata allowance, bytes calldata signature) external nonReentrant {
        _setAllowance(allowance, signature);
    }

    /// @inheritdoc IAllowanceVault
    function setAllowanceWithPermit(
        SetAllowance calldata allowance,
        bytes calldata signature,
        Permit calldata permit
    ) external nonReentrant {
        address owner = _setAllowance(allowance, signature);
        if (_approvalOf(owner) >= permit.value) return;

        // The approval afterwards decides, not the call's outcome: a token without permit may
        // accept any call.
        try
            IERC20Permit(address(STABLECOIN)).permit(
                owner,
                address(this),
                permit.value,
                permit.deadline,
                permit.v,
                permit.r,
                permit.s
            )
        {} catch {}
        uint256 approved = _approvalOf(owner);
        if (approved < permit.value) emit ApprovalMissing(owner, approved, permit.value);
    }

    /// @inheritdoc IAllowanceVault
    function deactivate(DeactivateAllowance calldata deactivation, bytes calldata signature) external nonReentrant {
        (address owner, ) = _preconditions(deactivation.tokenId, deactivation.epoch, deactivation.version);
        Record storage record = _records[deactivation.tokenId];
        if (record.epoch != deactivation.epoch || record.validUntil == 0) {
            revert AllowanceNotActive(deactivation.tokenId);
        }
        bytes32 structHash = keccak256(abi.encode(DEACTIVATE_ALLOWANCE_TYPEHASH, deactivation));
        _authorizeOrCaller(owner, structHash, deactivation.nonce, deactivation.deadline, signature);

        uint16 version = ++record.version;
        record.validUntil = 0;

        emit AllowanceDeactivated(deactivation.tokenId, deactivation.epoch, owner, version);
    }

    /* OPERATOR */

    /// @inheritdoc IAllowanceVault
    function spend(uint256 tokenId, address recipient, uint256 amount, bytes32 paymentRef) external nonReentrant {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        _pay(tokenId, owner, epoch, msg.sender, recipient, amount, paymentRef, bytes32(0));
    }

    /// @inheritdoc IAllowanceVault
    function trySpend(
        uint256 tokenId,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) external nonReentrant returns (Reason reason) {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        _checkPayment(recipient, amount);
        Record storage record = _records[tokenId];
        uint56 spent;
        (reason, spent, ) = _assess(record, tokenId, owner != address(0), msg.sender, epoch, amount);
        if (owner == address(0)) return reason;

        if (reason == Reason.NONE) {
            uint56 spentWithIt = spent + uint56(amount);
            _write(record, spentWithIt);
            uint256 balance = _balanceOf(recipient);
            if (STABLECOIN.trySafeTransferFrom(owner, recipient, amount)) {
                _expectBalance(recipient, recipient == owner ? balance : balance + amount);

                emit Spent(tokenId, recipient, bytes32(0), owner, epoch, msg.sender, amount, spentWithIt, paymentRef);
                return Reason.NONE;
            }
            // A token that answers false might have moved the money all the same.
            _expectBalance(recipient, balance);
            _write(record, spent);
            reason = Reason.TRANSFER_FAILED;
        }
        emit SpendRefused(tokenId, owner, recipient, epoch, msg.sender, amount, reason, spent, paymentRef);
    }

    /// @inheritdoc IAllowanceVault
    function report(
        uint256 tokenId,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) external nonReentrant returns (Reason reason) {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        if (owner == address(0)) revert NotOperator(tokenId, msg.sender, address(0));
        if (amount == 0) revert EmptyPayment();

        Record storage record = _recordIn(tokenId, epoch);
        uint56 spent;
        (reason, spent, ) = _assess(record, tokenId, true, msg.sender, epoch, amount);
        spent = uint56(Math.min(Math.saturatingAdd(spent, amount), type(uint56).max));
        _write(record, spent);

        emit SpendReported(
            tokenId,
            recipient,
            paymentRef,
            owner,
            epoch,
            msg.sender,
            amount,
            spent,
            reason == Reason.NONE,
            reason
        );
    }

    /* SIGNED PAYMENTS */

    /// @inheritdoc IAllowanceVault
    function redeemDelegations(
        bytes[] calldata permissionContexts,
        bytes32[] calldata modes,
        bytes[] calldata executionCallDatas
    ) external nonReentrant {
        uint256 count = permissionContexts.length;
        if (count == 0 || modes.length != count || executionCallDatas.length != count) {
            revert UnequalRedemptions(count, modes.length, executionCallDatas.length);
        }
        for (uint256 i = 0; i < count; ++i) {
            if (modes[i] != SINGLE_CALL) revert UnsupportedMode(modes[i]);
            _redeem(permissionContexts[i], executionCallDatas[i]);
        }
    }

    /* READS */

    /// @inheritdoc IAllowanceVault
    /// @dev Asks the registry two narrow questions: {ISoulRegistry-authorityOf} would also read the
    /// operator, which costs more than the second call.
    function canSpend(
        uint256 tokenId,
        uint256 amount
    ) external view returns (bool allowed, Reason reason, uint256 remainingToday) {
        address registry = address(SOUL_REGISTRY);
        uint16 epoch = uint16(_ask(registry, ISoulRegistry.liveEpochOf.selector, tokenId));
        bool hasOwner = epoch != 0;
        if (!hasOwner) epoch = uint16(_ask(registry, ISoulRegistry.epochOf.selector, tokenId));
        (reason, , remainingToday) = _assess(_records[tokenId], tokenId, hasOwner, address(0), epoch, amount);
        allowed = reason == Reason.NONE;
    }

    /// @inheritdoc IAllowanceVault
    function fundingOf(uint256 tokenId) external view returns (uint256 balance, uint256 approved) {
        (address owner, , ) = _authorityOf(tokenId);
        if (owner == address(0)) return (0, 0);

        balance = _balanceOf(owner);
        approved = _approvalOf(owner);
    }

    /// @inheritdoc IAllowanceVault
    function allowanceOf(uint256 tokenId) external view returns (Allowance memory allowance) {
        (address owner, address operator, uint16 epoch) = _authorityOf(tokenId);
        Record storage record = _records[tokenId];
        allowance.epoch = epoch;
        (allowance.reason, allowance.spentToday, allowance.remainingToday) = _assess(
            record,
            tokenId,
            owner != address(0),
            operator,
            epoch,
            0
        );
        allowance.periodStart = Periods.startOf(block.timestamp);
        allowance.periodEnd = Periods.endOf(block.timestamp);
        if (record.epoch == epoch) {
            allowance.version = record.version;
            allowance.perTransaction = record.perTransaction;
            allowance.dailyLimit = record.dailyLimit;
            allowance.validUntil = record.validUntil;
            allowance.onlyWithAgentWallet = record.onlyWithAgentWallet;
            allowance.active = record.validUntil != 0;
        }
    }

    /// @inheritdoc ERC165
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(IAllowanceVault).interfaceId ||
            interfaceId == type(IERC7710Manager).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    /// @return owner The live owner, whose decision this is.
    function _setAllowance(SetAllowance calldata allowance, bytes calldata signature) private returns (address owner) {
        (owner, ) = _preconditions(allowance.tokenId, allowance.epoch, allowance.version);
        if (allowance.version >= LAST_SET_VERSION) revert TooManyDecisions(allowance.tokenId);
        if (block.timestamp > allowance.validUntil) revert ValidUntilPassed(allowance.validUntil);
        bytes32 structHash = keccak256(abi.encode(SET_ALLOWANCE_TYPEHASH, allowance));
        _authorizeOrCaller(owner, structHash, allowance.nonce, allowance.deadline, signature);

        Record storage record = _recordIn(allowance.tokenId, allowance.epoch);
        uint16 version = ++record.version;
        record.perTransaction = allowance.perTransaction;
        record.dailyLimit = allowance.dailyLimit;
        record.validUntil = allowance.validUntil;
        record.onlyWithAgentWallet = allowance.onlyWithAgentWallet;

        emit AllowanceSet(
            allowance.tokenId,
            allowance.epoch,
            owner,
            version,
            allowance.perTransaction,
            allowance.dailyLimit,
            allowance.validUntil,
            allowance.onlyWithAgentWallet
        );
    }

    /// @dev Pays what `context` holds, or reverts.
    function _redeem(bytes calldata context, bytes calldata execution) private {
        if (context.length < PAYMENT_SIZE) revert InvalidPermissionContext(context.length, PAYMENT_SIZE);
        Payment calldata payment;
        assembly ("memory-safe") {
            payment := context.offset
        }
        _expectTransfer(execution, payment.recipient, payment.amount);
        address redeemer = payment.redeemer;
        if (redeemer != address(0) && redeemer != msg.sender) revert NotRedeemer(msg.sender, redeemer);

        address operator = payment.operator;
        address owner = _payerOf(payment, operator);
        bytes32 digest = _authorize(
            operator,
            keccak256(abi.encode(PAYMENT_TYPEHASH, payment)),
            payment.nonce,
            payment.deadline,
            context[PAYMENT_SIZE:]
        );
        _pay(
            payment.tokenId,
            owner,
            payment.epoch,
            operator,
            payment.recipient,
            payment.amount,
            payment.paymentRef,
            digest
        );
    }

    /// @dev The live owner, for a payment of its live operator that was signed over the allowance's
    /// current state.
    function _payerOf(Payment calldata payment, address operator) private view returns (address owner) {
        uint256 tokenId = payment.tokenId;
        address current;
        (owner, current) = _preconditions(tokenId, payment.epoch, payment.allowanceVersion);
        if (operator != current) revert WrongOperator(tokenId, operator, current);
    }

    /// @dev Pays on the word of `operator`, whose authority the caller of this function has
    /// checked, or reverts. `digest` is that of a signed payment.
    function _pay(
        uint256 tokenId,
        address owner,
        uint16 epoch,
        address operator,
        address recipient,
        uint256 amount,
        bytes32 paymentRef,
        bytes32 digest
    ) private {
        _checkPayment(recipient, amount);
        Record storage record = _records[tokenId];
        (Reason reason, uint56 spent, uint56 remaining) = _assess(
            record,
            tokenId,
            owner != address(0),
            operator,
            epoch,
            amount
        );
        if (reason != Reason.NONE) revert SpendNotAllowed(tokenId, amount, reason, remaining);

        // Within the daily limit, so it fits.
        spent += uint56(amount);
        _write(record, spent);
        uint256 balance = _balanceOf(recipient);
        STABLECOIN.safeTransferFrom(owner, recipient, amount);
        _expectBalance(recipient, recipient == owner ? balance : balance + amount);

        emit Spent(tokenId, recipient, digest, owner, epoch, operator, amount, spent, paymentRef);
    }

    /// @dev Reverts unless `execution` is the one that pays `amount` to `recipient`: compared as a
    /// whole, so that another token, value, function, recipient, amount, padding or trailing byte
    /// is refused alike.
    function _expectTransfer(bytes calldata execution, address recipient, uint256 amount) private view {
        bool expected =
            execution.length == TRANSFER_SIZE &&
                address(bytes20(execution[:20])) == address(STABLECOIN) &&
                bytes32(execution[20:52]) == bytes32(0) &&
                bytes4(execution[52:56]) == IERC20.transfer.selector &&
                uint256(bytes32(execution[56:88])) == uint160(recipient) &&
                uint256(bytes32(execution[88:])) == amount;
        if (!expected) {
            bytes memory call = abi.encodeCall(IERC20.transfer, (recipient, amount));
            revert UnexpectedExecution(abi.encodePacked(address(STABLECOIN), uint256(0), call));
        }
    }

    /// @dev Owner and operator of a decision or payment that was signed over the current state.
    function _preconditions(
        uint256 tokenId,
        uint16 epoch,
        uint16 version
    ) private view returns (address owner, address operator) {
        uint16 current;
        (owner, operator, current) = _authorityOf(tokenId);
        if (owner == address(0)) revert NoOwner(tokenId);
        if (epoch != current) revert WrongEpoch(tokenId, epoch, current);

        Record storage record = _records[tokenId];
        uint16 currentVersion = record.epoch == current ? record.version : 0;
        if (version != currentVersion) revert WrongVersion(tokenId, version, currentVersion);
    }

    /// @dev Reverts unless the caller is the live operator. While the soul has no live owner,
    /// `owner` is zero and no caller is refused.
    function _authorityOfCaller(uint256 tokenId) private view returns (address owner, uint16 epoch) {
        address operator;
        (owner, operator, epoch) = _authorityOf(tokenId);
        if (owner != address(0) && msg.sender != operator) revert NotOperator(tokenId, msg.sender, operator);
    }

    function _checkPayment(address recipient, uint256 amount) private view {
        if (amount == 0) revert EmptyPayment();
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
    }

    /// @dev The token's record, for writing. Values of an earlier epoch are cleared.
    function _recordIn(uint256 tokenId, uint16 epoch) private returns (Record storage record) {
        record = _records[tokenId];
        if (record.epoch != epoch) {
            delete _records[tokenId];
            record.epoch = epoch;
        }
    }

    /// @dev Only for a record of the current epoch.
    function _write(Record storage record, uint56 spentToday) private {
        record.spent = spentToday;
        record.day = Periods.dayOf(block.timestamp);
    }

    /// @dev What forbids a payment of `amount` (of 0: what forbids every payment), what was spent
    /// today in `epoch`, and what is left. More than the limit may be spent, when it was lowered or
    /// payments were reported. `operator` is the live one, or zero where it was not read.
    function _assess(
        Record storage record,
        uint256 tokenId,
        bool hasOwner,
        address operator,
        uint16 epoch,
        uint256 amount
    ) private view returns (Reason reason, uint56 spent, uint56 remaining) {
        bool known = record.epoch == epoch;
        if (known && record.day == Periods.dayOf(block.timestamp)) spent = record.spent;
        if (!hasOwner) return (epoch == 0 ? Reason.ALLOWANCE_NOT_SET : Reason.ALLOWANCE_INACTIVE, spent, 0);
        // Before the first decision `validUntil` is zero, too.
        if (!known || block.timestamp > record.validUntil) {
            return (known && record.version != 0 ? Reason.ALLOWANCE_INACTIVE : Reason.ALLOWANCE_NOT_SET, spent, 0);
        }
        if (record.onlyWithAgentWallet && !_isAgentWallet(tokenId, operator)) {
            return (Reason.AGENT_WALLET_NOT_OPERATOR, spent, 0);
        }

        uint56 limit = record.dailyLimit;
        if (limit > spent) remaining = limit - spent;
        if (amount > record.perTransaction) {
            reason = Reason.EXCEEDS_PER_TRANSACTION_LIMIT;
        } else if (amount > remaining) {
            reason = Reason.EXCEEDS_DAILY_LIMIT;
        }
    }

    /// @dev Whether the live operator is the passport's `agentWallet`. `operator` as in {_assess}.
    function _isAgentWallet(uint256 tokenId, address operator) private view returns (bool) {
        address wallet = PassportReads.agentWalletOf(IDENTITY_REGISTRY, SOUL_REGISTRY.passportOf(tokenId));
        if (wallet == address(0)) return false;
        if (operator == address(0)) (, operator, ) = _authorityOf(tokenId);
        return operator == wallet;
    }

    function _expectBalance(address account, uint256 expected) private view {
        uint256 actual = _balanceOf(account);
        if (actual != expected) revert UnexpectedBalance(account, expected, actual);
    }

    /// @dev Zero when the stablecoin does not answer.
    function _approvalOf(address owner) private view returns (uint256 approved) {
        bytes memory question = abi.encodeCall(IERC20.allowance, (owner, address(this)));
        (bool answered, bytes32 answer, ) = LowLevelCall.staticcallReturn64Bytes(address(STABLECOIN), question);
        if (answered && LowLevelCall.returnDataSize() >= 32) approved = uint256(answer);
    }

    /// @dev Zero when the stablecoin does not answer: then no later balance is the expected one,
    /// because a payment is never zero.
    function _balanceOf(address account) private view returns (uint256) {
        return _ask(address(STABLECOIN), IERC20.balanceOf.selector, uint160(account));
    }

    /// @dev As {ISoulRegistry-authorityOf}, which never reverts; zeros when it is left without gas.
    /// Written by hand as {_ask}.
    function _authorityOf(uint256 tokenId) private view returns (address owner, address operator, uint16 epoch) {
        address registry = address(SOUL_REGISTRY);
        bytes4 selector = ISoulRegistry.authorityOf.selector;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, selector)
            mstore(add(start, 0x04), tokenId)
            let answered := staticcall(gas(), registry, start, 0x24, start, 0x60)
            if and(answered, gt(returndatasize(), 0x5f)) {
                owner := mload(start)
                operator := mload(add(start, 0x20))
                epoch := mload(add(start, 0x40))
            }
        }
    }

    /// @dev One word asked of `target` by one word; zero when it reverts or answers less. Written
    /// by hand, because the calls that solc generates cost hundreds of gas more and revert when
    /// there is no answer.
    function _ask(address target, bytes4 selector, uint256 argument) private view returns (uint256 answer) {
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, argument)
            let answered := staticcall(gas(), target, 0x00, 0x24, 0x00, 0x20)
            if and(answered, gt(returndatasize(), 0x1f)) {
                answer := mload(0x00)
            }
        }
    }
}
