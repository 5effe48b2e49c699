// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Owner authorisation by EIP-712 signature
/// @notice How a contract of this protocol recognises an owner's decision, whoever submits the transaction.
/// A signature is accepted from an externally owned account (also one with EIP-7702 code) by ECDSA, and otherwise from a
/// contract by ERC-1271. Nonces are chosen by the signer, used in any order and never twice.
interface IOwnerAuthorization {
    /// @notice `nonce` of `signer` was consumed, by the operation whose EIP-712 digest is `digest`, or by {cancel}
    /// (then `digest` is zero). A relayer that crashed finds here whether its operation was already done.
    event NonceUsed(address indexed signer, uint256 nonce, bytes32 indexed digest);

    /// @notice The signature is not `signer`'s over exactly this operation on this chain and contract.
    error InvalidSignature(address signer);

    /// @notice `nonce` of `signer` was used or cancelled before.
    error NonceAlreadyUsed(address signer, uint256 nonce);

    /// @notice The block's time is later than `deadline` (Unix seconds, inclusive).
    error DeadlineExpired(uint256 deadline);

    /// @notice Neither did `owner` call, nor is there a signature to check.
    error NotOwner(address caller, address owner);

    /// @notice Makes the caller's `nonce` unusable, so that a signature given away but not yet submitted is dead.
    function cancel(uint256 nonce) external;

    /// @notice As {cancel}, for `signer` and submitted by anybody: `signature` is `signer`'s over
    /// `Cancel(address signer,uint256 nonce,uint256 deadline)`, whose own nonce is the one it makes unusable.
    function cancelFor(address signer, uint256 nonce, uint256 deadline, bytes calldata signature) external;

    /// @notice Whether `nonce` of `signer` was used or cancelled.
    function isNonceUsed(address signer, uint256 nonce) external view returns (bool);
}
