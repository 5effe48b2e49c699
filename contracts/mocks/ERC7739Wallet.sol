// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ERC7739Utils} from "@openzeppelin/contracts/utils/cryptography/draft-ERC7739Utils.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";

/// @title Contract wallet of one key whose signatures are ERC-7739's, for tests
/// @notice Each signature names the wallet, so that no other account of the key can use it.
contract ERC7739Wallet is ERC7739, SignerECDSA {
    constructor(address signer) EIP712("Wallet", "1") SignerECDSA(signer) {}

    /// @notice What the key signs for `contents` of an application's domain.
    function typedDataDigest(
        bytes32 separator,
        bytes32 contents,
        string calldata description
    ) external view returns (bytes32) {
        bytes memory domain = abi.encode(keccak256("Wallet"), keccak256("1"), block.chainid, address(this), bytes32(0));
        return
            MessageHashUtils.toTypedDataHash(
                separator,
                ERC7739Utils.typedDataSignStructHash(description, contents, domain)
            );
    }

    /// @notice What the key signs for a digest of which the wallet does not know the contents.
    function personalDigest(bytes32 digest) external view returns (bytes32) {
        return _hashTypedDataV4(ERC7739Utils.personalSignStructHash(digest));
    }
}
