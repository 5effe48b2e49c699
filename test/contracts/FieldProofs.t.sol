// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FieldProofsHarness} from "../../contracts/mocks/FieldProofsHarness.sol";

/// @notice The tree is built here by the written rule, leaf by leaf, apart from the library that
/// checks its proofs. The vectors shared with TypeScript are checked in `field-proofs.test.ts`.
contract FieldProofsTest {
    error Unexpected(string what, uint256 position);

    FieldProofsHarness private immutable LIBRARY = new FieldProofsHarness();

    function test_fieldNamesEndWithTheTwelfth() external view {
        require(keccak256(bytes(LIBRARY.fieldName(0))) == keccak256("identity.name"), Unexpected("first", 0));
        require(
            keccak256(bytes(LIBRARY.fieldName(9))) == keccak256("capabilities.languages"),
            Unexpected("longest", 9)
        );
        require(keccak256(bytes(LIBRARY.fieldName(11))) == keccak256("soul.documents"), Unexpected("last", 11));
    }

    function testFuzz_verifiesTheProvedFieldAlone(
        bytes32[16] calldata others,
        uint256 index,
        bytes calldata value,
        bytes32 blinding
    ) external view {
        index %= 12;
        (bytes32 root, bytes32[] memory proof) = _prove(others, index, value, blinding);

        for (uint256 i; i < 16; ++i) {
            require(LIBRARY.verify(root, i, value, proof) == (i == index), Unexpected("index", i));
        }
        require(!LIBRARY.verify(root, index, bytes.concat(value, "x"), proof), Unexpected("longer value", index));
        require(!LIBRARY.verify(~root, index, value, proof), Unexpected("other root", index));
    }

    function testFuzz_refusesAnyChangedHash(
        bytes32[16] calldata others,
        uint256 index,
        bytes calldata value,
        uint256 position,
        bytes32 change
    ) external view {
        index %= 12;
        position %= 5;
        (bytes32 root, bytes32[] memory proof) = _prove(others, index, value, bytes32(uint256(1)));

        proof[position] ^= change == 0 ? bytes32(uint256(1)) : change;
        require(!LIBRARY.verify(root, index, value, proof), Unexpected("changed hash", position));
    }

    function testFuzz_refusesOtherLengths(
        bytes32[16] calldata others,
        uint256 index,
        bytes calldata value
    ) external view {
        index %= 12;
        (bytes32 root, bytes32[] memory proof) = _prove(others, index, value, 0);

        for (uint256 length; length < 8; ++length) {
            bytes32[] memory other = new bytes32[](length);
            for (uint256 i; i < length && i < 5; ++i) other[i] = proof[i];
            require(LIBRARY.verify(root, index, value, other) == (length == 5), Unexpected("length", length));
        }
    }

    function testFuzz_neverReverts(
        bytes32 root,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view {
        require(!LIBRARY.verify(root, index, value, proof), Unexpected("random proof", index));
        require(!LIBRARY.verify(root, index % 12, value, proof), Unexpected("random proof", index % 12));
    }

    /// @dev A tree of 16 leaves: `value` at `index`, `others` everywhere else.
    function _prove(
        bytes32[16] calldata others,
        uint256 index,
        bytes calldata value,
        bytes32 blinding
    ) private view returns (bytes32 root, bytes32[] memory proof) {
        bytes32[] memory level = new bytes32[](16);
        for (uint256 i; i < 16; ++i) level[i] = others[i];
        bytes32 content = sha256(bytes.concat(bytes(LIBRARY.fieldName(index)), hex"00", value));
        level[index] = sha256(bytes.concat(hex"00", bytes1(uint8(index)), blinding, content));

        proof = new bytes32[](5);
        proof[0] = blinding;
        for (uint256 height = 1; height < 5; ++height) {
            proof[height] = level[index ^ 1];
            index /= 2;
            bytes32[] memory above = new bytes32[](level.length / 2);
            for (uint256 i; i < above.length; ++i) {
                above[i] = sha256(bytes.concat(hex"01", level[2 * i], level[2 * i + 1]));
            }
            level = above;
        }
        root = level[0];
    }
}
