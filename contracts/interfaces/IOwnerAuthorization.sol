// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Owner authorisation by EIP-712 signature
/// @notice How a contract of this protocol recognises an owner's decision, whichever account
/// submits the transaction. A signature is accepted from an externally owned account (also one with
/// EIP-7702 code) by ECDSA, and otherwise from a contract by ERC-1271. Nonces are chosen by the
/// signer, used in any order and never twice.
interface IOwnerAuthorization {
    /// @notice `nonce` of `signer` was consumed, by the operation whose EIP-712 digest is `digest`,
    /// or by {cancel} (then `digest` is zero). A relayer that crashed finds here whether its
    /// operation was already done.
    /// @param signer Whose nonce it is.
    /// @param nonce The nonce.
    /// @param digest The operation's EIP-712 digest; zero for {cancel}.
    event NonceUsed(address indexed signer, uint256 nonce, bytes32 indexed digest);

    /// @notice The signature is not `signer`'s over exactly this operation on this chain and
    /// contract.
    /// @param signer Who should have signed.
    error InvalidSignature(address signer);

    /// @notice `nonce` of `signer` was used or cancelled before.
    /// @param signer Whose nonce it is.
    /// @param nonce The nonce.
    error NonceAlreadyUsed(address signer, uint256 nonce);

    /// @notice The block's time is later than `deadline` (Unix seconds, inclusive).
    /// @param deadline The deadline that was signed.
    error DeadlineExpired(uint256 deadline);

    /// @notice `owner` did not call, the signature is empty, and `owner` has no code that ERC-1271
    /// could ask.
    /// @param caller Who called.
    /// @param owner Who should have called or signed.
    error NotOwner(address caller, address owner);

    /// @notice Makes the caller's `nonce` unusable, so that a signature over it that was not
    /// submitted yet is refused.
    /// @dev Reverts with NonceAlreadyUsed.
    /// @dev Warning: until this transaction is in a block, the signature can still be submitted.
    /// @param nonce One of the caller's nonces that is unused.
    function cancel(uint256 nonce) external;

    /// @notice As {cancel}, for `signer` and submitted by any account: `signature` is `signer`'s
    /// over `Cancel(address signer,uint256 nonce,uint256 deadline)`, whose own nonce is the one it
    /// makes unusable.
    /// @dev Reverts with DeadlineExpired, InvalidSignature or NonceAlreadyUsed.
    /// @dev Warning: as of {cancel}.
    /// @param signer Whose nonce it is.
    /// @param nonce The nonce that the signer gives up.
    /// @param deadline Last second of the signature (Unix seconds, inclusive).
    /// @param signature The signer's signature.
    function cancelFor(address signer, uint256 nonce, uint256 deadline, bytes calldata signature) external;

    /// @notice Whether `nonce` of `signer` was used or cancelled.
    /// @param signer Whose nonce it is.
    /// @param nonce The nonce.
    /// @return used Whether it was used or cancelled.
    function isNonceUsed(address signer, uint256 nonce) external view returns (bool used);
}
