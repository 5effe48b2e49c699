// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Given names
/// @notice A name has 3 to 32 characters: lower-case ASCII letters, digits and hyphens, no hyphen
/// first or last, nor as third and fourth: there DNS marks encoded names (`xn--`). Refused are names
/// that would read as something else: digits only (a token id), `agent-<digits>` (a passport without
/// a soul), and the routes `request` and `calculate`.
library Names {
    uint256 internal constant MIN_LENGTH = 3;
    uint256 internal constant MAX_LENGTH = 32;

    /// @dev Bit c is set when the ASCII character c is in the set.
    uint256 private constant DIGITS = ((1 << 10) - 1) << 48;
    uint256 private constant LETTERS = ((1 << 26) - 1) << 97;
    uint256 private constant HYPHEN = 1 << 45;

    /// @notice The name does not fit 32 bytes; it has `length`.
    error NameTooLong(uint256 length);

    /// @notice Whether `name` may be given to an agent. Never reverts. Whether it is still free is
    /// not decided here.
    function isValid(string calldata name) internal pure returns (bool) {
        bytes calldata text = bytes(name);
        uint256 length = text.length;
        if (length < MIN_LENGTH || length > MAX_LENGTH) return false;
        bytes32 word = bytes32(text);
        bytes1 last = word[length - 1];
        if (word[0] == "-" || last == "-" || last == 0 || bytes2(word << 16) == "--") return false;

        uint256 all = _charactersOf(word);
        if (all & ~(DIGITS | LETTERS | HYPHEN) != 0) return false;
        // Past the prefix of a passport's name, digits alone are refused just as in the whole name.
        uint256 pastPrefix = bytes6(word) == "agent-" ? _charactersOf(word << 48) : all;
        if (pastPrefix & ~DIGITS == 0) return false;

        // No valid name holds a zero byte, so equal padded words are equal names.
        return word != "request" && word != "calculate";
    }

    /// @dev The set of the bytes before the zero bytes at the end.
    function _charactersOf(bytes32 word) private pure returns (uint256 set) {
        for (uint256 rest = uint256(word); rest != 0; rest <<= 8) set |= 1 << (rest >> 248);
    }

    /// @notice The name as one word, padded with zero bytes at the end. Distinct valid names give
    /// distinct words.
    /// @dev Reverts with NameTooLong above 32 bytes, where a cut would make two names one. A
    /// function that must not revert asks {isValid} first.
    function pack(string calldata name) internal pure returns (bytes32) {
        uint256 length = bytes(name).length;
        if (length > MAX_LENGTH) revert NameTooLong(length);
        return bytes32(bytes(name));
    }

    /// @notice The name in a word made by {pack}: everything before the first zero byte.
    function unpack(bytes32 word) internal pure returns (string memory) {
        bytes memory text = abi.encodePacked(word);
        uint256 length;
        while (length < MAX_LENGTH && word[length] != 0) ++length;
        assembly ("memory-safe") {
            mstore(text, length)
        }
        return string(text);
    }
}
