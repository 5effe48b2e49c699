// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IOwnerAuthorization} from "./interfaces/IOwnerAuthorization.sol";

/// @title Owner authorisation by EIP-712 signature
/// @dev The one place where a signature becomes authority. Inherit it, hash the operation's struct,
/// call {_authorize}.
abstract contract OwnerAuthorization is IOwnerAuthorization, EIP712 {
    bytes32 private constant CANCEL_TYPEHASH = keccak256("Cancel(address signer,uint256 nonce,uint256 deadline)");

    /// @dev A nonce is bit `nonce % 256` of word `nonce / 256`.
    mapping(address signer => mapping(uint256 word => uint256 bits)) private _usedNonces;

    /// @inheritdoc IOwnerAuthorization
    function cancel(uint256 nonce) external {
        _useNonce(msg.sender, nonce);

        emit NonceUsed(msg.sender, nonce, bytes32(0));
    }

    /// @inheritdoc IOwnerAuthorization
    function cancelFor(address signer, uint256 nonce, uint256 deadline, bytes calldata signature) external {
        _authorize(signer, keccak256(abi.encode(CANCEL_TYPEHASH, signer, nonce, deadline)), nonce, deadline, signature);
    }

    /// @inheritdoc IOwnerAuthorization
    function isNonceUsed(address signer, uint256 nonce) external view returns (bool) {
        return _usedNonces[signer][nonce >> 8] & (1 << (nonce & 0xff)) != 0;
    }

    /// @dev Reverts unless `signature` is `signer`'s over `structHash` on this contract, in time,
    /// with an unused nonce; consumes the nonce. Returns the EIP-712 digest.
    function _authorize(
        address signer,
        bytes32 structHash,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) internal returns (bytes32 digest) {
        if (block.timestamp > deadline) revert DeadlineExpired(deadline);

        digest = _hashTypedDataV4(structHash);
        if (!_isSignatureOf(signer, digest, signature)) revert InvalidSignature(signer);

        _useNonce(signer, nonce);

        emit NonceUsed(signer, nonce, digest);
    }

    /// @dev As {_authorize}, or a direct call of `owner` with an empty signature: its nonce and
    /// deadline then mean nothing.
    function _authorizeOrCaller(
        address owner,
        bytes32 structHash,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) internal {
        if (signature.length == 0 && msg.sender == owner) return;
        if (signature.length == 0 && owner.code.length == 0) revert NotOwner(msg.sender, owner);

        _authorize(owner, structHash, nonce, deadline, signature);
    }

    function _useNonce(address signer, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 bits = _usedNonces[signer][nonce >> 8];
        if (bits & bit != 0) revert NonceAlreadyUsed(signer, nonce);

        _usedNonces[signer][nonce >> 8] = bits | bit;
    }

    /// @dev ECDSA first: an account with EIP-7702 code still signs with its own key, although it
    /// has code.
    function _isSignatureOf(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError problem, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && recovered == signer) return true;

        return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNow(signer, digest, signature);
    }
}
