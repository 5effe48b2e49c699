// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Human verifier registry
/// @notice Says which adapters may attest that an owner is a person, and that no proof counts
/// twice. The soul registry asks it inside a registration or a seal; the attestation itself is kept
/// there, for one epoch and one owner.
///
/// Action and signal are computed by the caller, with {HumanProofs}: the action is the hash of
/// application, agent name and epoch, so that one person may own many agents and yet prove once for
/// each, in each epoch; the signal is the hash of owner, name, chain and soul registry, so that a proof seen in a
/// transaction fits no other claim. This registry passes both on as they are.
///
/// What the admin can do wrong: approve an adapter that accepts any account as a person. That shows
/// on chain for {DELAY} seconds before it acts, as a {VerifierProposed}. Removing an adapter acts
/// at once; attestations made before stay, and {ISoulView-humanVerifiedBy} says whether the adapter of one
/// is still approved.
interface IHumanVerifierRegistry {
    /// @notice Where an adapter stands. UNKNOWN: never proposed, or removed.
    enum VerifierStatus {
        UNKNOWN,
        PROPOSED,
        APPROVED
    }

    /// @notice The admin proposed `verifier`; any account can activate it from `activatableAt` on
    /// (Unix seconds, inclusive).
    /// @param verifier The adapter.
    /// @param activatableAt From when it can be activated (Unix seconds, inclusive).
    event VerifierProposed(address indexed verifier, uint48 activatableAt);

    /// @notice `verifier` is approved from here on; any account may be the `caller`.
    /// @param verifier The adapter.
    /// @param caller Who activated it.
    event VerifierActivated(address indexed verifier, address indexed caller);

    /// @notice The admin removed `verifier`; `previous` says whether it was in use or only
    /// proposed.
    /// @param verifier The adapter.
    /// @param previous Its state before.
    event VerifierRemoved(address indexed verifier, VerifierStatus previous);

    /// @notice `consumer` used up one person's answer: `verifier` accepted a proof for `action` and
    /// `signal`.
    /// @param consumer Who consumed the proof.
    /// @param verifier The adapter.
    /// @param nullifier The person's nullifier for the action.
    /// @param action What the person answered for.
    /// @param signal What the proof vouched for.
    event HumanProofConsumed(
        address indexed consumer,
        address indexed verifier,
        bytes32 indexed nullifier,
        bytes32 action,
        bytes32 signal
    );

    /// @notice The address is not a contract that supports {IHumanVerifier} by ERC-165.
    /// @param account The address that was given.
    error NotAVerifier(address account);

    /// @notice The adapter is in another state than this operation needs.
    /// @param verifier The adapter.
    /// @param status The state that it is in.
    error WrongVerifierStatus(address verifier, VerifierStatus status);

    /// @notice The proposal cannot be activated before `activatableAt` (Unix seconds, inclusive).
    /// @param verifier The adapter.
    /// @param activatableAt From when it can be activated (Unix seconds, inclusive).
    error DelayNotOver(address verifier, uint48 activatableAt);

    /// @notice The adapter is not approved.
    /// @param verifier The adapter.
    error VerifierNotApproved(address verifier);

    /// @notice The adapter refused the proof, or did not answer with one nullifier; `reason` is
    /// what it returned.
    /// @param verifier The adapter.
    /// @param reason What the adapter returned.
    error VerificationFailed(address verifier, bytes reason);

    /// @notice `consumer` used this person's answer for this action before.
    /// @param consumer Who called.
    /// @param verifier The adapter.
    /// @param nullifier The person's nullifier for the action.
    error NullifierAlreadyUsed(address consumer, address verifier, bytes32 nullifier);

    /// @notice Seconds between a proposal and the moment from which it can be activated. Fixed at
    /// deployment.
    /// @return delay In seconds.
    function DELAY() external view returns (uint48 delay);

    /// @notice Proposes an adapter. Authority: DEFAULT_ADMIN_ROLE. A proposal does not expire;
    /// {remove} withdraws it.
    /// @dev Reverts with {WrongVerifierStatus} when it is proposed or approved already: a
    /// proposal's time cannot be moved.
    /// @dev Warning: an adapter behind a proxy can change between its proposal and its activation,
    /// and later. Propose only adapters that cannot change.
    /// @param verifier A contract that supports {IHumanVerifier} by ERC-165.
    function propose(address verifier) external;

    /// @notice Approves a proposed adapter once the delay is over. Authority: any account.
    /// @param verifier A proposed adapter.
    function activate(address verifier) external;

    /// @notice Withdraws a proposal or an approval, at once. Authority: DEFAULT_ADMIN_ROLE.
    /// Nullifiers stay used should the adapter be proposed again.
    /// @param verifier A proposed or approved adapter.
    function remove(address verifier) external;

    /// @notice Checks a proof with an approved adapter and uses up its nullifier. Authority: any
    /// account, for itself. Used nullifiers are kept per caller and adapter, so that no other
    /// caller can use up those of the soul registry. An account that sees a pending proof gains
    /// nothing by submitting it here.
    /// @dev Warning: it is not guaranteed that one person has one nullifier with two adapters. A
    /// caller that relies on "once per person" across adapters must keep its own record. The soul
    /// registry attests once per name and epoch with any adapter.
    /// @param verifier The adapter to ask.
    /// @param action What the person may answer for once; see {HumanProofs}.
    /// @param signal What the proof must vouch for; see {HumanProofs}.
    /// @param data The proof, in the adapter's encoding.
    /// @return nullifier The person's nullifier for this action, now used.
    function consume(
        address verifier,
        bytes32 action,
        bytes32 signal,
        bytes calldata data
    ) external returns (bytes32 nullifier);

    /// @notice Whether `verifier` may be used in {consume}. Never reverts.
    /// @dev Warning: the admin can remove an adapter at any time. Attestations made before stay.
    /// @param verifier The adapter.
    /// @return approved Whether it is approved.
    function isApproved(address verifier) external view returns (bool approved);

    /// @notice Where an adapter stands. Never reverts.
    /// @param verifier The adapter.
    /// @return status Its state.
    /// @return activatableAt Of a proposed one, when it can be activated (Unix seconds, inclusive);
    /// else 0.
    function statusOf(address verifier) external view returns (VerifierStatus status, uint48 activatableAt);

    /// @notice Every approved adapter, in no order. Meant for callers off chain: cost grows with
    /// their number.
    /// @return verifiers Their addresses.
    function approvedVerifiers() external view returns (address[] memory verifiers);

    /// @notice The adapter whose proof `consumer` consumed last for an action. Never reverts.
    /// @dev Warning: the adapter may have been removed since. Ask {isApproved} too.
    /// @param consumer The account that may have consumed a proof.
    /// @param action What the person answered for; see {HumanProofs}.
    /// @return verifier The adapter; zero when no proof was consumed.
    function verifierOf(address consumer, bytes32 action) external view returns (address verifier);

    /// @notice Whether `consumer` used `nullifier` with `verifier`. Never reverts.
    /// @param consumer The account that may have used it.
    /// @param verifier The adapter.
    /// @param nullifier The person's nullifier for the action.
    /// @return used Whether it was used.
    function isNullifierUsed(address consumer, address verifier, bytes32 nullifier) external view returns (bool used);
}
