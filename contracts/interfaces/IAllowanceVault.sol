// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC7710Manager} from "./IERC7710Manager.sol";
import {IOwnerAuthorization} from "./IOwnerAuthorization.sol";
import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Allowance vault
/// @notice Lets an agent's operator pay from the wallet of the agent's owner, up to limits that the
/// owner signed. It holds no money: a payment is pulled from the owner's wallet straight to the
/// recipient, and needs the owner's ERC-20 approval of this contract beside the allowance.
///
/// Amounts are base units of {STABLECOIN}, which has 6 decimals. Limits and the day's spending have
/// 56 bits: at most 72,057,594,037.927935 units. A day is a UTC day. An allowance belongs to one
/// soul and one epoch, and ends by itself at its `validUntil`. A reseal ends it too. While the soul
/// has no live owner (see {ISoulRegistry-authorityOf}: never sealed, burned, suspended, or its
/// passport moved) nothing is paid.
///
/// The operator pays with {spend} or {trySpend}, its own transactions. It also pays with a signed
/// {Payment}, which another account submits: this contract is an ERC-7710 delegation manager for
/// such payments (see {redeemDelegations}).
///
/// Guaranteed: no payment succeeds that exceeds `perTransaction`, or with which the day's payments
/// exceed `dailyLimit`, as both are in force at that payment. Setting limits, deactivating and
/// setting again leave what was spent on the day as it is, so that more than a lowered limit may be
/// spent already: then nothing is left, and nothing earlier becomes wrong.
///
/// @dev Warning: it is not guaranteed that the owner has the money or approved this contract (see
/// {fundingOf}), that {report}ed payments took place, or that the operator pays whom the owner
/// wants. A stablecoin may take a fee from the owner on top of what the recipient gets: only the
/// recipient's balance is checked.
/// @dev Warning: while an allowance is active, the operator's key alone can spend up to its limits,
/// every day until `validUntil`. Approve no more than the owner can afford to lose in that time.
/// @dev Warning: a passport that is sold and handed back in one transaction leaves no trace here:
/// the allowance goes on, unless the soul was marked (see {ISoulRegistry-suspend}) or the allowance
/// was set with `onlyWithAgentWallet`.
interface IAllowanceVault is IOwnerAuthorization, IERC7710Manager {
    /// @notice Why a payment is outside an allowance; the first that holds, in this order, but
    /// AGENT_WALLET_NOT_OPERATOR comes before the limits. NONE: it is inside.
    enum Reason {
        NONE,
        /// The soul is unknown, or its owner set no allowance in this epoch.
        ALLOWANCE_NOT_SET,
        /// The owner deactivated the allowance, it expired, or the soul has no live owner in this
        /// block. The last of these comes before ALLOWANCE_NOT_SET.
        ALLOWANCE_INACTIVE,
        EXCEEDS_PER_TRANSACTION_LIMIT,
        EXCEEDS_DAILY_LIMIT,
        /// The stablecoin refused the transfer (no money, no approval, a blocked account). From
        /// {trySpend} only.
        TRANSFER_FAILED,
        /// The allowance was set with `onlyWithAgentWallet`, and the passport's `agentWallet` is
        /// not the operator, or the identity registry does not answer.
        AGENT_WALLET_NOT_OPERATOR
    }

    /// @notice What an owner signs to set or replace the limits (EIP-712 type `SetAllowance`,
    /// fields in this order).
    struct SetAllowance {
        uint256 tokenId;
        /// The soul's current epoch.
        uint16 epoch;
        /// The allowance's current version (see {allowanceOf}): a withheld signature is dead once
        /// anything was decided after it.
        uint16 version;
        /// Most that one payment may be, inclusive. Zero permits none.
        uint56 perTransaction;
        /// Most that the payments of one UTC day may sum up to, inclusive. Zero permits none.
        uint56 dailyLimit;
        /// The last second of the allowance (Unix seconds, inclusive). It may not have passed, so
        /// zero is refused. Every allowance ends: the largest value is in February 2106.
        uint32 validUntil;
        /// Whether payments need the passport's `agentWallet` (ERC-8004) to be the operator. Every
        /// transfer of the passport clears it, so that no sale leaves this allowance in force, even
        /// one that is undone in the same transaction. A new passport has no `agentWallet`: set it
        /// first. Warning: each ERC-721 operator of the passport's owner may set it again.
        bool onlyWithAgentWallet;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an owner signs to end payments until limits are set again (EIP-712 type
    /// `DeactivateAllowance`).
    struct DeactivateAllowance {
        uint256 tokenId;
        uint16 epoch;
        uint16 version;
        uint256 nonce;
        uint256 deadline;
    }

    /// @notice What an agent's operator signs to pay once, without a transaction of its own
    /// (EIP-712 type `Payment`, fields in this order). See {redeemDelegations}.
    struct Payment {
        uint256 tokenId;
        /// The soul's current epoch.
        uint16 epoch;
        /// The allowance's current version (see {allowanceOf}): a payment that was not submitted is
        /// dead once the owner decided again.
        uint16 allowanceVersion;
        /// Who signs. It must be the soul's live operator at the redemption: a key that also
        /// controls the next operator's wallet cannot make one signature count twice.
        address operator;
        address recipient;
        uint256 amount;
        /// What the payment is for, as the recipient knows it. It has no meaning to this contract.
        bytes32 paymentRef;
        /// Hash of the terms that the operator pays under; zero for none. It has no meaning to this
        /// contract.
        bytes32 termsHash;
        /// The only account that may submit the payment; zero for any. Naming a facilitator keeps
        /// strangers from settling ahead of it.
        address redeemer;
        /// One of the operator's unordered nonces (see {IOwnerAuthorization}). 256 consecutive
        /// ones, from a multiple of 256, share a storage word: all but the first of them cost
        /// 17,100 gas less.
        uint256 nonce;
        /// Unix seconds, inclusive.
        uint256 deadline;
    }

    /// @notice The owner's ERC-2612 signature over its approval of this contract.
    struct Permit {
        /// What the approval should be at least.
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @notice An allowance in the soul's current epoch, read at one block.
    struct Allowance {
        uint16 epoch;
        /// Counts the owner's decisions on this allowance in this epoch; 0 when there was none.
        uint16 version;
        uint56 perTransaction;
        uint56 dailyLimit;
        /// The allowance's last second, inclusive; 0 when the owner deactivated it or set none.
        uint32 validUntil;
        /// Whether payments need the passport's `agentWallet` to be the operator.
        bool onlyWithAgentWallet;
        /// What the owner last decided. A payment needs more: see `reason`.
        bool active;
        /// What stands in the way of every payment of any amount: NONE, ALLOWANCE_NOT_SET,
        /// ALLOWANCE_INACTIVE or AGENT_WALLET_NOT_OPERATOR.
        Reason reason;
        /// Payments of this day in this epoch, reported ones included; stays at the largest value
        /// when that is exceeded.
        uint56 spentToday;
        /// What `dailyLimit` leaves; 0 when no payment is possible.
        uint56 remainingToday;
        /// Unix seconds of the day's begin, inclusive.
        uint256 periodStart;
        /// Unix seconds of the day's end, exclusive.
        uint256 periodEnd;
    }

    /// @notice `owner` set the limits of a soul's allowance, which is active from now on until
    /// `validUntil` (inclusive).
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param owner The owner that decided.
    /// @param version What the next decision on this allowance is signed over.
    /// @param perTransaction Most that one payment may be, in base units.
    /// @param dailyLimit Most that the payments of one UTC day may sum up to, in base units.
    /// @param validUntil The last second of the allowance (Unix seconds, inclusive).
    /// @param onlyWithAgentWallet Whether payments need the passport's `agentWallet` to be the
    /// operator.
    event AllowanceSet(
        uint256 indexed tokenId,
        uint16 indexed epoch,
        address indexed owner,
        uint16 version,
        uint56 perTransaction,
        uint56 dailyLimit,
        uint32 validUntil,
        bool onlyWithAgentWallet
    );

    /// @notice {setAllowanceWithPermit} set the limits, but the stablecoin did not accept the
    /// permit: this contract may move less than the owner wanted.
    /// @param owner The soul's live owner, whose permit was expected.
    /// @param approved What this contract may move, in base units.
    /// @param wanted The permit's `value`.
    event ApprovalMissing(address indexed owner, uint256 approved, uint256 wanted);

    /// @notice `owner` ended payments from a soul's allowance. The limits are kept only to be
    /// shown.
    /// @param tokenId The soul.
    /// @param epoch The soul's epoch.
    /// @param owner The owner that decided.
    /// @param version What the next decision on this allowance is signed over.
    event AllowanceDeactivated(uint256 indexed tokenId, uint16 indexed epoch, address indexed owner, uint16 version);

    /// @notice `operator` paid `amount` from `owner` to `recipient` within the limits, by its own
    /// call or by a signed {Payment}. `spentToday` includes it. `paymentRef` is what the operator
    /// gave. A payee finds a signed payment by its `digest`, whichever account submitted it.
    /// @param tokenId The soul.
    /// @param recipient Who was paid.
    /// @param digest The signed payment's EIP-712 digest; zero for {spend} and {trySpend}.
    /// @param owner From whose wallet it was paid.
    /// @param epoch The soul's epoch.
    /// @param operator Who paid or signed for the agent.
    /// @param amount What was paid, in base units.
    /// @param spentToday What is spent on this UTC day, this payment included, in base units.
    /// @param paymentRef What the payment is for, as the operator gave it.
    event Spent(
        uint256 indexed tokenId,
        address indexed recipient,
        bytes32 indexed digest,
        address owner,
        uint16 epoch,
        address operator,
        uint256 amount,
        uint56 spentToday,
        bytes32 paymentRef
    );

    /// @notice A payment that `operator` tried was refused, and nothing moved. `spentToday` is what
    /// it was before.
    /// @param tokenId The soul.
    /// @param owner From whose wallet it would have been paid.
    /// @param recipient Who would have been paid.
    /// @param epoch The soul's epoch.
    /// @param operator Who tried.
    /// @param amount What would have been paid, in base units.
    /// @param reason Why it was refused.
    /// @param spentToday What was spent on this UTC day before, in base units.
    /// @param paymentRef What the payment is for, as the operator gave it.
    event SpendRefused(
        uint256 indexed tokenId,
        address indexed owner,
        address indexed recipient,
        uint16 epoch,
        address operator,
        uint256 amount,
        Reason reason,
        uint56 spentToday,
        bytes32 paymentRef
    );

    /// @notice `operator` said that it paid `amount` to `recipient` elsewhere. `spentToday`
    /// includes it. `withinLimits` is true exactly when `reason` is NONE: then a payment through
    /// this contract would have been inside the allowance.
    /// @param tokenId The soul.
    /// @param recipient Who was paid; zero when that is no account of this chain.
    /// @param paymentRef Where the payment can be found, as the operator gave it.
    /// @param owner The soul's live owner.
    /// @param epoch The soul's epoch.
    /// @param operator Who reported it.
    /// @param amount What was paid, in base units.
    /// @param spentToday What is spent on this UTC day, this payment included, in base units.
    /// @param withinLimits Whether the allowance would have permitted it.
    /// @param reason What it violated; NONE when it was within the limits.
    event SpendReported(
        uint256 indexed tokenId,
        address indexed recipient,
        bytes32 indexed paymentRef,
        address owner,
        uint16 epoch,
        address operator,
        uint256 amount,
        uint56 spentToday,
        bool withinLimits,
        Reason reason
    );

    /// @notice Deployment: there is no token with 6 decimals at this address.
    /// @param token The address that was given.
    error UnsupportedStablecoin(address token);

    /// @notice The soul has no live owner in this block: it is not sealed, burned, suspended, or
    /// its passport moved.
    /// @param tokenId The soul.
    error NoOwner(uint256 tokenId);

    /// @notice The signed epoch is not the soul's current one.
    /// @param tokenId The soul.
    /// @param epoch The epoch that was given.
    /// @param current The soul's current epoch.
    error WrongEpoch(uint256 tokenId, uint16 epoch, uint16 current);

    /// @notice The allowance was changed after this decision or payment was signed, or the signature
    /// is ahead of it.
    /// @param tokenId The soul.
    /// @param version The version that was given.
    /// @param current The current version.
    error WrongVersion(uint256 tokenId, uint16 version, uint16 current);

    /// @notice The owner decided 65,534 times in this epoch. The last decision can only be
    /// {deactivate}.
    /// @param tokenId The soul.
    error TooManyDecisions(uint256 tokenId);

    /// @notice There is no active allowance to deactivate in this epoch.
    /// @param tokenId The soul.
    error AllowanceNotActive(uint256 tokenId);

    /// @notice The allowance would have ended before it began. Choose a later `validUntil`.
    /// @param validUntil The end that was given (Unix seconds, inclusive).
    error ValidUntilPassed(uint32 validUntil);

    /// @notice The caller is not the soul's operator. `operator` is zero when no account may act
    /// for the soul.
    /// @param tokenId The soul.
    /// @param caller Who called.
    /// @param operator The soul's operator; zero when no account may act for the soul.
    error NotOperator(uint256 tokenId, address caller, address operator);

    /// @notice The account that signs a payment is not the soul's live operator.
    /// @param tokenId The soul.
    /// @param operator The payment's operator.
    /// @param current The soul's live operator.
    error WrongOperator(uint256 tokenId, address operator, address current);

    /// @notice The payment names another account that may submit it.
    /// @param caller Who called.
    /// @param redeemer The only account that may.
    error NotRedeemer(address caller, address redeemer);

    /// @notice A payment of nothing.
    error EmptyPayment();

    /// @notice The recipient is the zero address, or this contract, which could not give the money
    /// back.
    /// @param recipient The recipient that was given.
    error InvalidRecipient(address recipient);

    /// @notice The payment is outside the allowance. `remainingToday` is as in {canSpend}.
    /// @param tokenId The soul.
    /// @param amount What should have been paid, in base units.
    /// @param reason Why it was refused.
    /// @param remainingToday What the daily limit leaves, in base units; 0 as in {canSpend}.
    error SpendNotAllowed(uint256 tokenId, uint256 amount, Reason reason, uint256 remainingToday);

    /// @notice The transfer moved another amount than was asked for, such as a token that takes a
    /// fee does.
    /// @param recipient Who should have been paid.
    /// @param expected What `recipient` should have after the transfer.
    /// @param actual What it has.
    error UnexpectedBalance(address recipient, uint256 expected, uint256 actual);

    /// @notice The arrays are lists of the same redemptions: their lengths must be equal, and at
    /// least one.
    /// @param permissionContexts How many permission contexts were given.
    /// @param modes How many modes were given.
    /// @param executionCallDatas How many executions were given.
    error UnequalRedemptions(uint256 permissionContexts, uint256 modes, uint256 executionCallDatas);

    /// @notice Only a single call that reverts on failure is redeemed: mode zero. Not a batch, not
    /// a delegatecall, no try mode.
    /// @param mode The mode that was given.
    error UnsupportedMode(bytes32 mode);

    /// @notice The permission context is shorter than an encoded {Payment}.
    /// @param length The context's length in bytes.
    /// @param least How long it must be at least.
    error InvalidPermissionContext(uint256 length, uint256 least);

    /// @notice The execution is not exactly the transfer that the operator signed.
    /// @param expected The execution that this payment permits.
    error UnexpectedExecution(bytes expected);

    /// @notice The registry that says who owner and operator are.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (ISoulRegistry registry);

    /// @notice The one token that is paid with.
    /// @return token Its address.
    function STABLECOIN() external view returns (IERC20 token);

    /// @notice Sets or replaces the limits of the current epoch and activates the allowance. Does
    /// not touch what was spent today. Authority: the soul's live owner, by signature (submitted by
    /// any account) or, with an empty `signature`, by its own call.
    /// @dev Reverts with NoOwner, WrongEpoch, WrongVersion, TooManyDecisions, ValidUntilPassed, or
    /// an error of {IOwnerAuthorization}.
    /// @dev Warning: payments need the owner's ERC-20 approval of this contract too, and success
    /// does not mean that there is one (see {fundingOf}).
    /// @param allowance The limits, and the state that the owner decided over.
    /// @param signature The owner's, over `allowance`; empty when the owner calls.
    function setAllowance(SetAllowance calldata allowance, bytes calldata signature) external;

    /// @notice As {setAllowance}, and has the owner approve this contract with the same
    /// transaction, by ERC-2612. Owner and spender of the permit are the soul's live owner and this
    /// contract, so the owner's two signatures are all that is needed. An approval is never
    /// lowered: one of at least `permit.value` is left alone, and the permit stays unused.
    /// @dev Reverts as {setAllowance}. A permit that fails undoes nothing, or the operator could
    /// stop a lowering of limits by submitting the permit first and spending from it: the limits
    /// are set, and {ApprovalMissing} says that the approval is less than `permit.value`. ERC-2612
    /// has no signatures of contract wallets: they approve by a call of their own, and use
    /// {setAllowance}.
    /// @dev Warning: success does not mean that the approval suffices (see {fundingOf}).
    /// @param allowance The limits, and the state that the owner decided over.
    /// @param signature The owner's, over `allowance`; empty when the owner calls.
    /// @param permit The owner's ERC-2612 signature for this contract as the spender.
    function setAllowanceWithPermit(
        SetAllowance calldata allowance,
        bytes calldata signature,
        Permit calldata permit
    ) external;

    /// @notice Ends payments until limits are set again. Does not touch what was spent today.
    /// Authority: as {setAllowance}. Withdrawing the ERC-20 approval stops payments too, and needs
    /// no contract of this protocol.
    /// @dev Reverts with NoOwner, WrongEpoch, WrongVersion, AllowanceNotActive, or an error of
    /// {IOwnerAuthorization}.
    /// @param deactivation The allowance to end, and the state that the owner decided over.
    /// @param signature The owner's, over `deactivation`; empty when the owner calls.
    function deactivate(DeactivateAllowance calldata deactivation, bytes calldata signature) external;

    /// @notice Pays `amount` from the owner's wallet to `recipient`, or reverts. Authority: the
    /// soul's live operator. The recipient may be the owner itself: then nothing moves, and it
    /// counts.
    /// @dev Reverts with NotOperator, EmptyPayment, InvalidRecipient, SpendNotAllowed,
    /// UnexpectedBalance, the stablecoin's own error, or OpenZeppelin's `SafeERC20FailedOperation`
    /// when the stablecoin only answers false.
    /// @param tokenId The soul that pays.
    /// @param recipient Who is paid.
    /// @param amount What is paid, in base units.
    /// @param paymentRef What the payment is for, as the recipient knows it; zero for nothing. It
    /// has no meaning to this contract.
    function spend(uint256 tokenId, address recipient, uint256 amount, bytes32 paymentRef) external;

    /// @notice As {spend}, but a payment that the limits or the stablecoin refuse ends in
    /// {SpendRefused} and a returned reason instead of a revert, and changes nothing else.
    /// @dev It still reverts with NotOperator, EmptyPayment and InvalidRecipient, which are faults
    /// of the caller, and with UnexpectedBalance, since a transfer of a wrong amount must not
    /// stand. While the soul has no live owner it has no operator either: every caller gets the
    /// reason, and no event is written, or strangers could fill a soul's history. A caller that
    /// gives too little gas for the transfer may see TRANSFER_FAILED for it.
    /// @dev Warning: a call that succeeds need not have paid. Check `reason`.
    /// @param tokenId The soul that pays.
    /// @param recipient Who is paid.
    /// @param amount What is paid, in base units.
    /// @param paymentRef As in {spend}.
    /// @return reason NONE when it was paid.
    function trySpend(
        uint256 tokenId,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) external returns (Reason reason);

    /// @notice Counts a payment that was made elsewhere, and may be outside the limits, toward the
    /// day. Moves no money. Authority: the soul's live operator. Its word is not checked, but can
    /// only lower what is left today.
    /// @dev Reverts with NotOperator or EmptyPayment.
    /// @dev Warning: an operator can report one payment twice, or one that was never made. It can
    /// use up the day, and NONE is no proof of a payment.
    /// @param tokenId The soul that paid.
    /// @param recipient Who was paid; zero when that is no account of this chain.
    /// @param amount What was paid, in base units.
    /// @param paymentRef Where the payment can be found, such as a transaction's hash; means
    /// nothing to this contract.
    /// @return reason NONE when it was within the limits, else what it violated.
    function report(
        uint256 tokenId,
        address recipient,
        uint256 amount,
        bytes32 paymentRef
    ) external returns (Reason reason);

    /// @notice Pays what agents' operators signed, from the wallets of the agents' owners, under
    /// the limits of {spend} and with its events: all of the payments or none, in the given order.
    /// Any account may submit them, unless a payment names its `redeemer`, so an agent needs
    /// neither money nor gas. The delegator of ERC-7710 is the owner's wallet: it is the account
    /// whose stablecoin moves.
    /// @dev The arrays have equal lengths, at least 1; the elements with the same index are one
    /// payment. Its permission context is the ABI encoding of a {Payment} (352 bytes), followed by
    /// the operator's signature over it (ECDSA or ERC-1271). Its mode is zero: ERC-7579's single
    /// call that reverts. Its execution is ERC-7579's packed encoding of one call: the stablecoin,
    /// value zero, and exactly `transfer(payment.recipient, payment.amount)`. Reverts with
    /// UnequalRedemptions, and for the first payment that cannot be made with UnsupportedMode,
    /// InvalidPermissionContext, UnexpectedExecution, NotRedeemer, NoOwner, WrongEpoch,
    /// WrongVersion, WrongOperator, an error of {IOwnerAuthorization} (whose signer is the
    /// operator), or as {spend}. After a revert the nonces are unused.
    /// @dev Warning: a successful simulation is no promise. Until the payment is settled the owner
    /// can decide on the allowance, change the operator, sell the passport or withdraw its
    /// approval, the operator can cancel the nonce, and other payments can use up the day.
    /// @param permissionContexts The payments, each with its signature.
    /// @param modes Zeros.
    /// @param executionCallDatas The signed transfers.
    function redeemDelegations(
        bytes[] calldata permissionContexts,
        bytes32[] calldata modes,
        bytes[] calldata executionCallDatas
    ) external override;

    /// @notice Whether the operator may pay `amount` in this block as far as the allowance decides;
    /// for the money itself see {fundingOf}. Never reverts. An amount of 0 asks whether any payment
    /// is possible at all, but is no payment.
    /// @dev Warning: the answer is for this block and about the allowance alone. The money may be
    /// missing (see {fundingOf}), and other payments use up the same day.
    /// @param tokenId The soul that would pay.
    /// @param amount What it would pay, in base units.
    /// @return allowed Whether `reason` is NONE.
    /// @return reason Why not.
    /// @return remainingToday What the daily limit leaves, before `amount`; 0 when `reason` is
    /// ALLOWANCE_NOT_SET, ALLOWANCE_INACTIVE or AGENT_WALLET_NOT_OPERATOR.
    function canSpend(
        uint256 tokenId,
        uint256 amount
    ) external view returns (bool allowed, Reason reason, uint256 remainingToday);

    /// @notice The live owner's balance, and how much of it this contract is approved to move.
    /// Never reverts; both are 0 when the soul has no live owner or the stablecoin does not answer.
    /// @dev Warning: the owner can move the money or withdraw the approval at any time.
    /// @param tokenId The soul.
    /// @return balance What the owner has, in base units.
    /// @return approved What this contract may move of it, in base units.
    function fundingOf(uint256 tokenId) external view returns (uint256 balance, uint256 approved);

    /// @notice The allowance of the soul's current epoch; limits, version and spending are zero
    /// when nothing happened in it. Never reverts.
    /// @param tokenId The soul.
    /// @return allowance What the soul may spend, and what it spent today.
    function allowanceOf(uint256 tokenId) external view returns (Allowance memory allowance);
}
