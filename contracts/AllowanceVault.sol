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
import {Periods} from "./libraries/Periods.sol";

/// @title Allowance vault
/// @notice See {IAllowanceVault}.
/// @dev Has no roles and no administrator: only what owner and operator decide or sign changes
/// anything here.
contract AllowanceVault is IAllowanceVault, OwnerAuthorization, ReentrancyGuardTransient, ERC165 {
    using SafeERC20 for IERC20;

    /* CONSTANTS */

    bytes32 private constant SET_ALLOWANCE_TYPEHASH = keccak256(
        "SetAllowance(uint256 tokenId,uint16 epoch,uint24 version,uint56 perTransaction,uint56 dailyLimit,"
        "uint32 validUntil,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DEACTIVATE_ALLOWANCE_TYPEHASH = keccak256(
        "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint24 version,uint256 nonce,uint256 deadline)"
    );

    bytes32 private constant PAYMENT_TYPEHASH = keccak256(
        "Payment(uint256 tokenId,uint16 epoch,address recipient,uint256 amount,bytes32 paymentRef,uint256 nonce,"
        "uint256 deadline)"
    );

    /// @dev Bytes of an ABI-encoded Payment: seven words.
    uint256 private constant PAYMENT_SIZE = 7 * 32;

    /// @dev ERC-7579: a single call that reverts on failure.
    bytes32 private constant SINGLE_CALL = bytes32(0);

    uint8 private constant DECIMALS = 6;

    /* IMMUTABLES */

    /// @inheritdoc IAllowanceVault
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @inheritdoc IAllowanceVault
    IERC20 public immutable STABLECOIN;

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
        uint24 version;
        /// Zero when the owner deactivated the allowance or set none. An allowance is active up to
        /// this second.
        uint32 validUntil;
    }

    mapping(uint256 tokenId => Record record) private _records;

    /* CONSTRUCTOR */

    /// @param soulRegistry Says who owner and operator are.
    /// @param stablecoin The only token that is paid with; it cannot be changed later. It must have
    /// 6 decimals.
    constructor(ISoulRegistry soulRegistry, IStablecoin stablecoin) EIP712("AllowanceVault", "1") {
        if (address(stablecoin).code.length == 0 || stablecoin.decimals() != DECIMALS) {
            revert UnsupportedStablecoin(address(stablecoin));
        }
        SOUL_REGISTRY = soulRegistry;
        STABLECOIN = stablecoin;
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
        if (approved < permit.value) revert PermitFailed(owner, approved, permit.value);
    }

    /// @inheritdoc IAllowanceVault
    function deactivate(DeactivateAllowance calldata deactivation, bytes calldata signature) external nonReentrant {
        address owner = _preconditions(deactivation.tokenId, deactivation.epoch, deactivation.version);
        Record storage record = _records[deactivation.tokenId];
        if (record.epoch != deactivation.epoch || record.validUntil == 0) {
            revert AllowanceNotActive(deactivation.tokenId);
        }
        bytes32 structHash = keccak256(abi.encode(DEACTIVATE_ALLOWANCE_TYPEHASH, deactivation));
        _authorizeOrCaller(owner, structHash, deactivation.nonce, deactivation.deadline, signature);

        uint24 version = ++record.version;
        record.validUntil = 0;

        emit AllowanceDeactivated(deactivation.tokenId, deactivation.epoch, owner, version);
    }

    /* OPERATOR */

    /// @inheritdoc IAllowanceVault
    function spend(uint256 tokenId, address recipient, uint256 amount, bytes32 paymentRef) external nonReentrant {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        _pay(tokenId, owner, epoch, msg.sender, recipient, amount, paymentRef);
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
        (reason, spent, ) = _assess(record, owner != address(0), epoch, amount);
        if (owner == address(0)) return reason;

        if (reason == Reason.NONE) {
            uint56 spentWithIt = spent + uint56(amount);
            _write(record, spentWithIt);
            uint256 balance = _balanceOf(recipient);
            if (STABLECOIN.trySafeTransferFrom(owner, recipient, amount)) {
                _expectBalance(recipient, recipient == owner ? balance : balance + amount);

                emit Spent(tokenId, owner, recipient, epoch, msg.sender, amount, spentWithIt, paymentRef);
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
        (reason, spent, ) = _assess(record, true, epoch, amount);
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
        if (permissionContexts.length != 1 || modes.length != 1 || executionCallDatas.length != 1) {
            revert NotOneRedemption(permissionContexts.length, modes.length, executionCallDatas.length);
        }
        if (modes[0] != SINGLE_CALL) revert UnsupportedMode(modes[0]);

        bytes calldata context = permissionContexts[0];
        if (context.length < PAYMENT_SIZE) revert InvalidPermissionContext(context.length, PAYMENT_SIZE);
        Payment memory payment = abi.decode(context[:PAYMENT_SIZE], (Payment));
        _expectTransfer(executionCallDatas[0], payment.recipient, payment.amount);

        (address owner, address operator, uint16 epoch) = SOUL_REGISTRY.authorityOf(payment.tokenId);
        if (owner == address(0)) revert NoOwner(payment.tokenId);
        if (payment.epoch != epoch) revert WrongEpoch(payment.tokenId, payment.epoch, epoch);

        bytes32 structHash = keccak256(abi.encode(PAYMENT_TYPEHASH, payment));
        _authorize(operator, structHash, payment.nonce, payment.deadline, context[PAYMENT_SIZE:]);
        _pay(payment.tokenId, owner, epoch, operator, payment.recipient, payment.amount, payment.paymentRef);
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
        (reason, , remainingToday) = _assess(_records[tokenId], hasOwner, epoch, amount);
        allowed = reason == Reason.NONE;
    }

    /// @inheritdoc IAllowanceVault
    function fundingOf(uint256 tokenId) external view returns (uint256 balance, uint256 approved) {
        (address owner, , ) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner == address(0)) return (0, 0);

        balance = _balanceOf(owner);
        approved = _approvalOf(owner);
    }

    /// @inheritdoc IAllowanceVault
    function allowanceOf(uint256 tokenId) external view returns (Allowance memory allowance) {
        (address owner, , uint16 epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        Record storage record = _records[tokenId];
        allowance.epoch = epoch;
        (allowance.reason, allowance.spentToday, allowance.remainingToday) = _assess(
            record,
            owner != address(0),
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
        owner = _preconditions(allowance.tokenId, allowance.epoch, allowance.version);
        if (block.timestamp > allowance.validUntil) revert ValidUntilPassed(allowance.validUntil);
        bytes32 structHash = keccak256(abi.encode(SET_ALLOWANCE_TYPEHASH, allowance));
        _authorizeOrCaller(owner, structHash, allowance.nonce, allowance.deadline, signature);

        Record storage record = _recordIn(allowance.tokenId, allowance.epoch);
        uint24 version = ++record.version;
        record.perTransaction = allowance.perTransaction;
        record.dailyLimit = allowance.dailyLimit;
        record.validUntil = allowance.validUntil;

        emit AllowanceSet(
            allowance.tokenId,
            allowance.epoch,
            owner,
            version,
            allowance.perTransaction,
            allowance.dailyLimit,
            allowance.validUntil
        );
    }

    /// @dev Pays on the word of `operator`, whose authority the caller of this function has
    /// checked, or reverts.
    function _pay(
        uint256 tokenId,
        address owner,
        uint16 epoch,
        address operator,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) private {
        _checkPayment(recipient, amount);
        Record storage record = _records[tokenId];
        (Reason reason, uint56 spent, uint56 remaining) = _assess(record, owner != address(0), epoch, amount);
        if (reason != Reason.NONE) revert SpendNotAllowed(tokenId, amount, reason, remaining);

        // Within the daily limit, so it fits.
        spent += uint56(amount);
        _write(record, spent);
        uint256 balance = _balanceOf(recipient);
        STABLECOIN.safeTransferFrom(owner, recipient, amount);
        _expectBalance(recipient, recipient == owner ? balance : balance + amount);

        emit Spent(tokenId, owner, recipient, epoch, operator, amount, spent, paymentRef);
    }

    /// @dev Reverts unless `execution` is the one that pays `amount` to `recipient`: compared as a
    /// whole, so that another token, value, function, recipient, amount, padding or trailing byte
    /// is refused alike.
    function _expectTransfer(bytes calldata execution, address recipient, uint256 amount) private view {
        bytes memory expected = abi.encodePacked(
            address(STABLECOIN),
            uint256(0),
            abi.encodeCall(IERC20.transfer, (recipient, amount))
        );
        if (keccak256(execution) != keccak256(expected)) revert UnexpectedExecution(expected);
    }

    /// @dev The live owner, whose decision was made over the current state.
    function _preconditions(uint256 tokenId, uint16 epoch, uint24 version) private view returns (address owner) {
        uint16 current;
        (owner, , current) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner == address(0)) revert NoOwner(tokenId);
        if (epoch != current) revert WrongEpoch(tokenId, epoch, current);

        Record storage record = _records[tokenId];
        uint24 currentVersion = record.epoch == current ? record.version : 0;
        if (version != currentVersion) revert WrongVersion(tokenId, version, currentVersion);
    }

    /// @dev Reverts unless the caller is the live operator. While the soul has no live owner,
    /// `owner` is zero and no caller is refused.
    function _authorityOfCaller(uint256 tokenId) private view returns (address owner, uint16 epoch) {
        address operator;
        (owner, operator, epoch) = SOUL_REGISTRY.authorityOf(tokenId);
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
    /// payments were reported.
    function _assess(
        Record storage record,
        bool hasOwner,
        uint16 epoch,
        uint256 amount
    ) private view returns (Reason reason, uint56 spent, uint56 remaining) {
        bool known = record.epoch == epoch;
        if (known && record.day == Periods.dayOf(block.timestamp)) spent = record.spent;
        if (!hasOwner) return (epoch == 0 ? Reason.ALLOWANCE_NOT_SET : Reason.ALLOWANCE_INACTIVE, spent, 0);
        if (!known || record.version == 0) return (Reason.ALLOWANCE_NOT_SET, spent, 0);
        if (block.timestamp > record.validUntil) return (Reason.ALLOWANCE_INACTIVE, spent, 0);

        uint56 limit = record.dailyLimit;
        if (limit > spent) remaining = limit - spent;
        if (amount > record.perTransaction) {
            reason = Reason.EXCEEDS_PER_TRANSACTION_LIMIT;
        } else if (amount > remaining) {
            reason = Reason.EXCEEDS_DAILY_LIMIT;
        }
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
