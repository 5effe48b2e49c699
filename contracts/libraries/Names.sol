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

    /// @dev The lowest bit of each byte of a word.
    uint256 private constant LOWEST = type(uint256).max / 0xff;

    /// @notice The name does not fit 32 bytes; it has `length`.
    error NameTooLong(uint256 length);

    /// @notice Whether `name` may be given to an agent. Never reverts. Whether it is still free is
    /// not decided here.
    function isValid(string calldata name) internal pure returns (bool) {
        bytes calldata text = bytes(name);
        uint256 length = text.length;
        if (length < MIN_LENGTH || length > MAX_LENGTH) return false;
        bytes32 word = bytes32(text);
        if (word[0] == "-" || word[length - 1] == "-" || bytes2(word << 16) == "--") return false;

        uint256 all = (LOWEST << 7) & ~(type(uint256).max >> (8 * length));
        uint256 digits = _between(word, "0", "9");
        uint256 allowed = digits | _between(word, "a", "z") | _between(word, "-", "-");
        if (allowed & all != all) return false;
        // Past the prefix of a passport's name, digits alone are refused just as in the whole name.
        uint256 pastPrefix = bytes6(word) == "agent-" ? (all << 48) >> 48 : all;
        if (digits & pastPrefix == pastPrefix) return false;

        // No valid name holds a zero byte, so equal padded words are equal names.
        return word != "request" && word != "calculate";
    }

    /// @dev Sets the highest bit of each byte that is an ASCII character from `low` to `high`. No lower
    /// bit means anything. All bytes are compared at once: seven bits and what is added to them fit a
    /// byte, so that no sum reaches the next one.
    function _between(bytes32 word, bytes1 low, bytes1 high) private pure returns (uint256) {
        unchecked {
            uint256 sevenBits = uint256(word) & (LOWEST * 0x7f);
            uint256 fromLow = sevenBits + LOWEST * (0x80 - uint8(low));
            uint256 aboveHigh = sevenBits + LOWEST * (0x7f - uint8(high));
            return fromLow & ~aboveHigh & ~uint256(word);
        }
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
