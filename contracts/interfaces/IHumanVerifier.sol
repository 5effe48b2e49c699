// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Human verifier adapter
/// @notice Translates one proof-of-personhood system into one question: did a person, who has not
/// answered for this action before, prove to be one for exactly this signal. An adapter stores
/// nothing for this protocol: used nullifiers are kept by {IHumanVerifierRegistry}, which is also
/// the only place that says which adapters count.
interface IHumanVerifier {
    /// @notice Checks one proof. Reverts when it does not hold; the error is the adapter's own.
    /// @dev Called by STATICCALL, so that neither adapter nor system behind it can write or
    /// re-enter. Answers alike for every caller. The adapter must bind the proof to both `action`
    /// and `signal`, and must refuse a second spelling of a nullifier (such as one above a field's
    /// order) that the system behind it would take for the first.
    /// @param action What the person may answer for once.
    /// @param signal What the proof vouches for; a proof for one signal is worth nothing for
    /// another.
    /// @param data The proof, in the adapter's own encoding.
    /// @return nullifier The same whenever the same person answers for the same action, different
    /// for any other person or action, and silent about who the person is.
    function verify(bytes32 action, bytes32 signal, bytes calldata data) external view returns (bytes32 nullifier);
}
