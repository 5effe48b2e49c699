// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Contract wallet of one key, for tests
/// @notice Signs by ERC-1271 with its owner's ECDSA signature, receives ERC-721 tokens, and does
/// what its owner tells it.
contract ERC1271Wallet is IERC1271, ERC721Holder {
    /// @notice The account whose key signs for this wallet.
    address public immutable OWNER;

    /// @notice An account other than the owner tried to use the wallet.
    error OnlyOwner(address caller);

    constructor(address owner) {
        OWNER = owner;
    }

    /// @notice Calls `target` as this wallet and hands back its answer or its revert data.
    function execute(address target, bytes calldata data) external payable returns (bytes memory) {
        if (msg.sender != OWNER) revert OnlyOwner(msg.sender);

        (bool success, bytes memory answer) = target.call{value: msg.value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
        return answer;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && recovered == OWNER;
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
