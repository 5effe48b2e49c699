// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Allowance vault
/// @notice Lets an agent's operator pay from the wallet of the agent's owner, up to limits that the owner signed. It holds no
/// money: a payment is pulled from the owner's wallet straight to the recipient, and needs the owner's ERC-20 approval of this
/// contract beside the allowance.
///
/// Amounts are base units of {STABLECOIN}, which has 6 decimals. A day is a UTC day. An allowance belongs to one soul and one
/// epoch: a reseal ends it, and while nobody has an owner's authority over the soul (see {ISoulRegistry-authorityOf}: never
/// sealed, burned, or its passport moved) nothing is paid.
///
/// Guaranteed: no payment succeeds that exceeds `perTransaction`, or with which the day's payments exceed `dailyLimit`, as both
/// are in force at that payment. Setting limits, deactivating and setting again leave what was spent on the day as it is, so
/// that more than a lowered limit may be spent already: then nothing is left, and nothing earlier becomes wrong.
///
/// Not guaranteed: that the owner has the money or approved this contract (see {fundingOf}), that {report}ed payments took
/// place, that the operator pays whom the owner would have wished, and that a stablecoin takes no fee from the owner on top of
/// what the recipient gets: only the recipient's balance is checked.
interface IAllowanceVault is IOwnerAuthorization {
    /// @notice Why a payment is outside an allowance; the first that holds, in this order. NONE: it is inside.
    enum Reason {
        NONE,
        /// The soul is unknown, or its owner set no allowance in this epoch.
        ALLOWANCE_NOT_SET,
        /// The owner deactivated the allowance, or nobody has an owner's authority over the soul in this block. The latter comes
        /// before ALLOWANCE_NOT_SET.
        ALLOWANCE_INACTIVE,
        EXCEEDS_PER_TRANSACTION_LIMIT,
        EXCEEDS_DAILY_LIMIT,
        /// The stablecoin refused the transfer (no money, no approval, a blocked account). From {trySpend} only.
        TRANSFER_FAILED
    }

    /// @notice What an owner signs to set or replace the limits (EIP-712 type `SetAllowance`, fields in this order).
    struct SetAllowance {
        uint256 tokenId;
        /// The soul's current epoch.
        uint16 epoch;
        /// The allowance's current version (see {allowanceOf}): a withheld signature is dead once anything was decided after it.
        uint24 version;
        /// Most that one payment may be, inclusive. Zero permits none.
        uint64 perTransaction;
        /// Most that the payments of one UTC day may sum up to, inclusive. Zero permits none.
        uint64 dailyLimit;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to end payments until limits are set again (EIP-712 type `DeactivateAllowance`).
    struct DeactivateAllowance {
        uint256 tokenId;
        uint16 epoch;
        uint24 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice An allowance in the soul's current epoch, read at one block.
    struct Allowance {
        uint16 epoch;
        /// Counts the owner's decisions on this allowance in this epoch; 0 when there was none.
        uint24 version;
        uint64 perTransaction;
        uint64 dailyLimit;
        /// What the owner last decided. A payment needs more: see `reason`.
        bool active;
        /// What stands in the way of every payment, whatever its amount: NONE, ALLOWANCE_NOT_SET or ALLOWANCE_INACTIVE.
        Reason reason;
        /// Payments of this day in this epoch, reported ones included; stays at the largest value when that is exceeded.
        uint64 spentToday;
        /// What `dailyLimit` leaves; 0 when no payment is possible.
        uint64 remainingToday;
        /// Unix seconds of the day's begin, inclusive.
        uint256 periodStart;
        /// Unix seconds of the day's end, exclusive.
        uint256 periodEnd;
    }

    /// @notice `owner` set the limits of a soul's allowance, which is active from now on.
    event AllowanceSet(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed owner,
        uint24 version,
        uint64 perTransaction,
        uint64 dailyLimit
    );

    /// @notice `owner` ended payments from a soul's allowance. The limits are kept only to be shown.
    event AllowanceDeactivated(uint256 indexed tokenId, uint16 indexed epoch, address indexed owner, uint24 version);

    /// @notice `operator` paid `amount` from `owner` to `recipient` within the limits. `spentToday` includes it.
    event Spent(
        uint256 indexed tokenId,
        address indexed owner,
        address indexed recipient,
        uint16 epoch,
        address operator,
        uint256 amount,
        uint64 spentToday
    );

    /// @notice A payment that `operator` tried was refused, and nothing moved. `spentToday` is what it was before.
    event SpendRefused(
        uint256 indexed tokenId,
        address indexed owner,
        address indexed recipient,
        uint16 epoch,
        address operator,
        uint256 amount,
        Reason reason,
        uint64 spentToday
    );

    /// @notice `operator` said that it paid `amount` to `recipient` elsewhere. `spentToday` includes it. `withinLimits` is true
    /// exactly when `reason` is NONE: then a payment through this contract would have been inside the allowance.
    event SpendReported(
        uint256 indexed tokenId,
        address indexed recipient,
        bytes32 indexed paymentRef,
        address owner,
        uint16 epoch,
        address operator,
        uint256 amount,
        uint64 spentToday,
        bool withinLimits,
        Reason reason
    );

    /// @notice Deployment: there is no token with 6 decimals at this address.
    error UnsupportedStablecoin(address token);

    /// @notice Nobody has an owner's authority over the soul in this block.
    error NoOwner(uint256 tokenId);

    /// @notice The signed epoch is not the soul's current one.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The allowance was changed after this was signed, or the signature is ahead of it.
    error WrongVersion(uint256 tokenId, uint24 version, uint24 current);

    /// @notice There is no active allowance to deactivate in this epoch.
    error AllowanceNotActive(uint256 tokenId);

    /// @notice The caller is not the soul's operator; `operator` is zero when nobody may act for the soul.
    error NotOperator(uint256 tokenId, address caller, address operator);

    /// @notice A payment of nothing.
    error EmptyPayment();

    /// @notice Nobody can be paid there: the zero address, or this contract, which could not give the money back.
    error InvalidRecipient(address recipient);

    /// @notice The payment is outside the allowance. `remainingToday` is as in {canSpend}.
    error SpendNotAllowed(uint256 tokenId, uint256 amount, Reason reason, uint256 remainingToday);

    /// @notice The transfer moved another amount than was asked for, such as a token that takes a fee does.
    /// @param expected What `recipient` should have after the transfer.
    /// @param actual What it has.
    error UnexpectedBalance(address recipient, uint256 expected, uint256 actual);

    /// @notice The registry that says who owner and operator are.
    function SOUL_REGISTRY() external view returns (ISoulRegistry);

    /// @notice The one token that is paid with.
    function STABLECOIN() external view returns (IERC20);

    /// @notice Sets or replaces the limits of the current epoch and activates the allowance. Does not touch what was spent today.
    /// Authority: the soul's live owner, by signature (submitted by anybody) or, with an empty `signature`, by its own call.
    /// @dev Reverts with NoOwner, WrongEpoch, WrongVersion, or an error of {IOwnerAuthorization}.
    function setAllowance(SetAllowance calldata allowance, bytes calldata signature) external;

    /// @notice Ends payments until limits are set again. Does not touch what was spent today.
    /// Authority: as {setAllowance}. Withdrawing the ERC-20 approval stops payments too, and needs no contract of ours.
    /// @dev Reverts with NoOwner, WrongEpoch, WrongVersion, AllowanceNotActive, or an error of {IOwnerAuthorization}.
    function deactivate(DeactivateAllowance calldata deactivation, bytes calldata signature) external;

    /// @notice Pays `amount` from the owner's wallet to `recipient`, or reverts.
    /// Authority: the soul's live operator. The recipient may be the owner itself: then nothing moves, and it counts.
    /// @dev Reverts with NotOperator, EmptyPayment, InvalidRecipient, SpendNotAllowed, UnexpectedBalance, the stablecoin's own
    /// error, or OpenZeppelin's `SafeERC20FailedOperation` when the stablecoin only answers false.
    function spend(uint256 tokenId, address recipient, uint256 amount) external;

    /// @notice As {spend}, but a payment that the limits or the stablecoin refuse ends in {SpendRefused} and a returned reason
    /// instead of a revert, and changes nothing else.
    /// @dev It still reverts with NotOperator, EmptyPayment and InvalidRecipient, which are faults of the caller, and with
    /// UnexpectedBalance, since a transfer of a wrong amount must not stand. While nobody has an owner's authority nobody is the
    /// operator either: everybody gets the reason, and no event is written, or strangers could fill a soul's history.
    /// A caller that gives too little gas for the transfer may see TRANSFER_FAILED for it.
    /// @return reason NONE when it was paid.
    function trySpend(uint256 tokenId, address recipient, uint256 amount) external returns (Reason reason);

    /// @notice Counts a payment that was made elsewhere, and may be outside the limits, toward the day. Moves no money.
    /// Authority: the soul's live operator. Its word is not checked, but can only lower what is left today.
    /// @dev Reverts with NotOperator or EmptyPayment. Nothing stops an operator from reporting one payment twice.
    /// @param recipient Who was paid; zero when that is no account of this chain.
    /// @param paymentRef Where the payment can be found, such as a transaction's hash; means nothing to this contract.
    /// @return reason NONE when it was within the limits, else what it violated.
    function report(
        uint256 tokenId,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) external returns (Reason reason);

    /// @notice Whether the operator may pay `amount` in this block as far as the allowance decides; for the money itself see
    /// {fundingOf}. Never reverts. An amount of 0 asks whether anything may be paid at all, but is no payment.
    /// @return allowed Whether `reason` is NONE.
    /// @return reason Why not.
    /// @return remainingToday What the daily limit leaves, before `amount`; 0 when the allowance is not set or inactive.
    function canSpend(
        uint256 tokenId,
        uint256 amount
    ) external view returns (bool allowed, Reason reason, uint256 remainingToday);

    /// @notice The live owner's balance, and how much of it this contract is approved to move. Never reverts; both are 0 when
    /// nobody has an owner's authority or the stablecoin does not answer.
    function fundingOf(uint256 tokenId) external view returns (uint256 balance, uint256 approved);

    /// @notice The allowance of the soul's current epoch; limits, version and spending are zero when nothing happened in it.
    /// Never reverts.
    function allowanceOf(uint256 tokenId) external view returns (Allowance memory);
}
