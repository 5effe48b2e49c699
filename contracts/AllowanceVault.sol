// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IAllowanceVault} from "./interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {IStablecoin} from "./interfaces/IStablecoin.sol";
import {Periods} from "./libraries/Periods.sol";

/// @title Allowance vault
/// @notice See {IAllowanceVault}.
/// @dev Has no roles and no administrator: nobody but owner and operator changes anything here.
contract AllowanceVault is IAllowanceVault, OwnerAuthorization, ReentrancyGuardTransient, ERC165 {
    using SafeERC20 for IERC20;

    /* CONSTANTS */

    bytes32 private constant SET_ALLOWANCE_TYPEHASH = keccak256(
        "SetAllowance(uint256 tokenId,uint16 epoch,uint24 version,uint64 perTransaction,uint64 dailyLimit,"
        "uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DEACTIVATE_ALLOWANCE_TYPEHASH = keccak256(
        "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint24 version,uint256 nonce,uint256 deadline)"
    );

    uint8 private constant DECIMALS = 6;

    /* IMMUTABLES */

    /// @inheritdoc IAllowanceVault
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @inheritdoc IAllowanceVault
    IERC20 public immutable STABLECOIN;

    /* STORAGE */

    /// @dev One slot. Everything in it belongs to `epoch` and means nothing in another one.
    struct Record {
        uint64 perTransaction;
        uint64 dailyLimit;
        /// On `day`, and nothing on any other.
        uint64 spent;
        uint16 day;
        uint16 epoch;
        uint24 version;
        bool active;
    }

    mapping(uint256 tokenId => Record record) private _records;

    /* CONSTRUCTOR */

    /// @param soulRegistry Says who owner and operator are.
    /// @param stablecoin What is paid with, for ever. It must have 6 decimals.
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
        address owner = _preconditions(allowance.tokenId, allowance.epoch, allowance.version);
        bytes32 structHash = keccak256(abi.encode(SET_ALLOWANCE_TYPEHASH, allowance));
        _authorizeOrCaller(owner, structHash, allowance.nonce, allowance.deadline, signature);

        Record storage record = _recordIn(allowance.tokenId, allowance.epoch);
        uint24 version = ++record.version;
        record.perTransaction = allowance.perTransaction;
        record.dailyLimit = allowance.dailyLimit;
        record.active = true;

        emit AllowanceSet(
            allowance.tokenId,
            allowance.epoch,
            owner,
            version,
            allowance.perTransaction,
            allowance.dailyLimit
        );
    }

    /// @inheritdoc IAllowanceVault
    function deactivate(DeactivateAllowance calldata deactivation, bytes calldata signature) external nonReentrant {
        address owner = _preconditions(deactivation.tokenId, deactivation.epoch, deactivation.version);
        Record storage record = _records[deactivation.tokenId];
        if (record.epoch != deactivation.epoch || !record.active) revert AllowanceNotActive(deactivation.tokenId);
        bytes32 structHash = keccak256(abi.encode(DEACTIVATE_ALLOWANCE_TYPEHASH, deactivation));
        _authorizeOrCaller(owner, structHash, deactivation.nonce, deactivation.deadline, signature);

        uint24 version = ++record.version;
        record.active = false;

        emit AllowanceDeactivated(deactivation.tokenId, deactivation.epoch, owner, version);
    }

    /* OPERATOR */

    /// @inheritdoc IAllowanceVault
    function spend(uint256 tokenId, address recipient, uint256 amount) external nonReentrant {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        _checkPayment(recipient, amount);
        Record storage record = _records[tokenId];
        (Reason reason, uint64 spent, uint64 remaining) = _assess(record, owner != address(0), epoch, amount);
        if (reason != Reason.NONE) revert SpendNotAllowed(tokenId, amount, reason, remaining);

        // Within the daily limit, so it fits.
        spent += uint64(amount);
        _write(record, spent);
        uint256 balance = _balanceOf(recipient);
        STABLECOIN.safeTransferFrom(owner, recipient, amount);
        _expectBalance(recipient, recipient == owner ? balance : balance + amount);

        emit Spent(tokenId, owner, recipient, epoch, msg.sender, amount, spent);
    }

    /// @inheritdoc IAllowanceVault
    function trySpend(
        uint256 tokenId,
        address recipient,
        uint256 amount
    ) external nonReentrant returns (Reason reason) {
        (address owner, uint16 epoch) = _authorityOfCaller(tokenId);
        _checkPayment(recipient, amount);
        Record storage record = _records[tokenId];
        uint64 spent;
        (reason, spent, ) = _assess(record, owner != address(0), epoch, amount);
        if (owner == address(0)) return reason;

        if (reason == Reason.NONE) {
            _write(record, spent + uint64(amount));
            uint256 balance = _balanceOf(recipient);
            if (STABLECOIN.trySafeTransferFrom(owner, recipient, amount)) {
                _expectBalance(recipient, recipient == owner ? balance : balance + amount);

                emit Spent(tokenId, owner, recipient, epoch, msg.sender, amount, spent + uint64(amount));
                return Reason.NONE;
            }
            // A token that answers false might have moved the money all the same.
            _expectBalance(recipient, balance);
            _write(record, spent);
            reason = Reason.TRANSFER_FAILED;
        }
        emit SpendRefused(tokenId, owner, recipient, epoch, msg.sender, amount, reason, spent);
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
        uint64 spent;
        (reason, spent, ) = _assess(record, true, epoch, amount);
        spent = uint64(Math.min(Math.saturatingAdd(spent, amount), type(uint64).max));
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

    /* READS */

    /// @inheritdoc IAllowanceVault
    /// @dev Asks the registry two narrow questions: {ISoulRegistry-authorityOf} would also read the operator, which costs more
    /// than the second call.
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
        bytes memory question = abi.encodeCall(IERC20.allowance, (owner, address(this)));
        (bool answered, bytes32 answer, ) = LowLevelCall.staticcallReturn64Bytes(address(STABLECOIN), question);
        if (answered && LowLevelCall.returnDataSize() >= 32) approved = uint256(answer);
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
            allowance.active = record.active;
        }
    }

    /// @inheritdoc ERC165
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IAllowanceVault).interfaceId || super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

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

    /// @dev Reverts unless the caller is the live operator. While nobody has authority, `owner` is zero and nobody is refused.
    function _authorityOfCaller(uint256 tokenId) private view returns (address owner, uint16 epoch) {
        address operator;
        (owner, operator, epoch) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner != address(0) && msg.sender != operator) revert NotOperator(tokenId, msg.sender, operator);
    }

    function _checkPayment(address recipient, uint256 amount) private view {
        if (amount == 0) revert EmptyPayment();
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
    }

    /// @dev The token's record, for writing: what it held of an earlier epoch is gone.
    function _recordIn(uint256 tokenId, uint16 epoch) private returns (Record storage record) {
        record = _records[tokenId];
        if (record.epoch != epoch) {
            delete _records[tokenId];
            record.epoch = epoch;
        }
    }

    /// @dev Only for a record of the current epoch.
    function _write(Record storage record, uint64 spentToday) private {
        record.spent = spentToday;
        record.day = Periods.dayOf(block.timestamp);
    }

    /// @dev What forbids a payment of `amount` (of 0: what forbids every payment), what was spent today in `epoch`, and what
    /// is left. More than the limit may be spent, when it was lowered or payments were reported.
    function _assess(
        Record storage record,
        bool hasOwner,
        uint16 epoch,
        uint256 amount
    ) private view returns (Reason reason, uint64 spent, uint64 remaining) {
        bool known = record.epoch == epoch;
        if (known && record.day == Periods.dayOf(block.timestamp)) spent = record.spent;
        if (!hasOwner) return (epoch == 0 ? Reason.ALLOWANCE_NOT_SET : Reason.ALLOWANCE_INACTIVE, spent, 0);
        if (!known || record.version == 0) return (Reason.ALLOWANCE_NOT_SET, spent, 0);
        if (!record.active) return (Reason.ALLOWANCE_INACTIVE, spent, 0);

        uint64 limit = record.dailyLimit;
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

    /// @dev Zero when the stablecoin does not answer: then no later balance is the expected one, as no payment is of nothing.
    function _balanceOf(address account) private view returns (uint256) {
        return _ask(address(STABLECOIN), IERC20.balanceOf.selector, uint160(account));
    }

    /// @dev One word asked of `target` by one word; zero when it reverts or answers less. Written by hand, because the calls
    /// that solc generates cost hundreds of gas more where this contract's reads are to be cheap, and revert on no answer.
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
