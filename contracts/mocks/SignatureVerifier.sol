// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IHumanVerifier} from "../interfaces/IHumanVerifier.sol";

/// @title Human verification by an attester's signature, for tests
/// @notice An adapter of another kind than World ID's: one key says who is a person. `data` of
/// {verify} is `abi.encode(bytes32 nullifier, bytes signature)`, signed by EIP-191 over
/// {statement}.
contract SignatureVerifier is IHumanVerifier, IERC165 {
    /// @notice The account whose signature makes a person.
    address public immutable ATTESTER;

    /// @notice The signature is not the attester's over this statement.
    error NotAttested(bytes32 action, bytes32 signal, bytes32 nullifier);

    constructor(address attester) {
        ATTESTER = attester;
    }

    /// @inheritdoc IHumanVerifier
    function verify(bytes32 action, bytes32 signal, bytes calldata data) external view returns (bytes32) {
        (bytes32 nullifier, bytes memory signature) = abi.decode(data, (bytes32, bytes));
        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(statement(action, signal, nullifier));
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecover(digest, signature);
        if (failure != ECDSA.RecoverError.NoError || signer != ATTESTER) {
            revert NotAttested(action, signal, nullifier);
        }
        return nullifier;
    }

    /// @notice What the attester signs: the person behind `nullifier` answers for `action` with
    /// `signal`, to this adapter.
    function statement(bytes32 action, bytes32 signal, bytes32 nullifier) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), action, signal, nullifier));
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IHumanVerifier).interfaceId || interfaceId == type(IERC165).interfaceId;
    }
}
