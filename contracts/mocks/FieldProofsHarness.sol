// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FieldProofs} from "../libraries/FieldProofs.sol";
import {Names} from "../libraries/Names.sol";

/// @title The pure libraries, callable from tests
contract FieldProofsHarness {
    function verify(
        bytes32 root,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external pure returns (bool) {
        return FieldProofs.verify(root, index, value, proof);
    }

    function leafHash(uint256 index, bytes calldata value, bytes32 blinding) external pure returns (bytes32) {
        return FieldProofs.leafHash(index, value, blinding);
    }

    function fieldName(uint256 index) external pure returns (string memory) {
        return string(FieldProofs.fieldName(index));
    }

    function isValidName(string calldata name) external pure returns (bool) {
        return Names.isValid(name);
    }

    function packName(string calldata name) external pure returns (bytes32) {
        return Names.pack(name);
    }

    function unpackName(bytes32 word) external pure returns (string memory) {
        return Names.unpack(word);
    }
}
