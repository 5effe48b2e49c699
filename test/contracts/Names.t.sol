// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {FieldProofsHarness} from "../../contracts/mocks/FieldProofsHarness.sol";
import {Names} from "../../contracts/libraries/Names.sol";

contract NamesTest {
    error Unexpected(string name);

    bytes private constant LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-";

    FieldProofsHarness private immutable LIBRARY = new FieldProofsHarness();

    function test_acceptsNames() external view {
        string[8] memory names = ["abc", "a-1", "agent", "agent-x1", "agent-1-2", "0x1", "requests", "agents-1"];
        for (uint256 i; i < names.length; ++i) require(LIBRARY.isValidName(names[i]), Unexpected(names[i]));
    }

    function test_refusesWhatWouldReadAsSomethingElse() external view {
        string[8] memory names = ["123", "agent-0", "agent-007", "request", "calculate", "-ab", "ab-", "agent-"];
        for (uint256 i; i < names.length; ++i) require(!LIBRARY.isValidName(names[i]), Unexpected(names[i]));
    }

    /// @dev Labels of DNS with hyphens there are reserved for encodings (RFC 5890, section 2.3.1).
    function test_refusesHyphensAsThirdAndFourthCharacter() external view {
        string[4] memory names = ["xn--a", "xn--80ak6aa92e", "ab--cd", "00--00"];
        for (uint256 i; i < names.length; ++i) require(!LIBRARY.isValidName(names[i]), Unexpected(names[i]));
        string[4] memory others = ["a--b", "abc--d", "xn-a", "xn-a--b"];
        for (uint256 i; i < others.length; ++i) require(LIBRARY.isValidName(others[i]), Unexpected(others[i]));
    }

    function test_acceptsLettersDigitsAndInnerHyphensAtEveryPlaceAndNoOtherByte() external view {
        bytes memory name = "abcdefghijklmnopqrstuvwxyzabcdef";
        for (uint256 i; i < name.length; ++i) {
            bytes1 before = name[i];
            for (uint256 code; code < 256; ++code) {
                bytes1 character = bytes1(uint8(code));
                name[i] = character;
                bool expected =
                    (character >= "a" && character <= "z") ||
                        (character >= "0" && character <= "9") ||
                        (character == "-" && i != 0 && i != 31);
                require(LIBRARY.isValidName(string(name)) == expected, Unexpected(string(name)));
            }
            name[i] = before;
        }
    }

    function test_refusesAZeroByteAtEveryPlace() external view {
        for (uint256 length = 3; length <= 32; ++length) {
            for (uint256 i; i < length; ++i) {
                bytes memory name = bytes.concat(new bytes(length));
                for (uint256 j; j < length; ++j) if (j != i) name[j] = "a";
                require(!LIBRARY.isValidName(string(name)), Unexpected(string(name)));
            }
        }
    }

    function testFuzz_boundsTheLength(uint256 length) external view {
        length %= 100;
        bytes memory name = new bytes(length);
        for (uint256 i; i < length; ++i) name[i] = "a";
        require(LIBRARY.isValidName(string(name)) == (length >= 3 && length <= 32), Unexpected(string(name)));
    }

    function testFuzz_neverRevertsOnAnyText(string calldata text) external view {
        LIBRARY.isValidName(text);
    }

    function testFuzz_unpacksWhatItPacks(uint256 seed, uint256 length) external view {
        length %= 33;
        bytes memory name = new bytes(length);
        for (uint256 i; i < length; ++i) {
            name[i] = LETTERS[seed % LETTERS.length];
            seed /= LETTERS.length;
        }
        bytes32 word = LIBRARY.packName(string(name));
        require(word == bytes32(name), Unexpected(string(name)));
        require(keccak256(bytes(LIBRARY.unpackName(word))) == keccak256(name), Unexpected(string(name)));
    }

    function testFuzz_doesNotCutLongNames(uint256 length) external view {
        length = 33 + (length % 100);
        try LIBRARY.packName(string(new bytes(length))) returns (bytes32) {
            revert Unexpected("packed");
        } catch (bytes memory reason) {
            bytes memory expected = abi.encodeWithSelector(Names.NameTooLong.selector, length);
            require(keccak256(reason) == keccak256(expected), Unexpected("reason"));
        }
    }
}
