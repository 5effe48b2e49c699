// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title A soul's emblem
/// @notice The flower of a soul hash, as SVG markup. `protocol/avatar.ts` draws the same, byte for
/// byte: an agent's avatar and its certificate show one emblem, and no two soul hashes give the
/// same.
library SoulEmblemImage {
    using Strings for uint256;

    /// @notice The colours of one emblem, each as `#rrggbb`.
    struct Palette {
        string ground;
        string disc;
        string petal;
        string accent;
    }

    /// @dev Sixteen times ground, disc, petal and accent. Petals stand out from both ground and
    /// disc.
    bytes private constant PALETTES =
        hex"14213d1f3358fca311e5e5e5"
        hex"0b3d3a0f524da7f3d0fbbf24"
        hex"3b0d2e561443ff9ebbffd6a5"
        hex"1b14642a21858be9fdff9ff3"
        hex"3d13085a1f0effb703ffdcc2"
        hex"10331a184a26d9f99dfda4af"
        hex"2b2d423a3d59edf2f4ff8fa3"
        hex"0a2540103a637dd3fcfde68a"
        hex"faedcdfffaf09c4a1a386641"
        hex"e0f2fef8fcff1d4ed8c2410c"
        hex"fce7f3fff7fb9d174d6d28d9"
        hex"dcfce7f6fff9166534b45309"
        hex"ede9fefbfaff5b21b6be185d"
        hex"ffe8d6fff8f29a34120f766e"
        hex"fef3c7fffdf21e3a5fb91c1c"
        hex"e2e8f0fbfcfe1f29370e7490";

    bytes16 private constant DIGITS = "0123456789abcdef";

    /// @dev Degrees between two petals, of which there are 3, 4, 5, 6, 8, 9, 10 or 12.
    bytes8 private constant STEPS = hex"785a483c2d28241e";

    uint256 private constant RAYS = 64;

    /// @notice The palette that the hash chooses.
    function paletteOf(bytes32 soulHash) internal pure returns (Palette memory) {
        uint256 at = (uint8(soulHash[0]) & 15) * 12;
        return Palette(_colour(at), _colour(at + 3), _colour(at + 6), _colour(at + 9));
    }

    /// @notice The emblem around the origin, within a radius of 240. None of it comes from a text
    /// that an owner chose.
    function draw(bytes32 soulHash, Palette memory palette) internal pure returns (string memory) {
        uint256 count = uint8(soulHash[1]) & 7;
        uint256 step = uint8(STEPS[count]);
        return
            string.concat(
                string.concat(
                    '<g stroke="',
                    palette.petal,
                    '" stroke-opacity=".6" stroke-width="7" stroke-linecap="round">',
                    _rays(soulHash),
                    '</g><circle r="184" fill="',
                    palette.disc,
                    '"/><g fill="',
                    palette.petal,
                    '">'
                ),
                _around(_petal(uint8(soulHash[2]) & 7), step, string.concat(" scale(", _width(count), " 1)")),
                string.concat(
                    '</g><g fill="',
                    palette.accent,
                    '"><g transform="rotate(',
                    (step / 2).toString(),
                    step % 2 == 1 ? ".5" : "",
                    ')">'
                ),
                _around(_between(uint8(soulHash[3]) & 7), step, ""),
                "</g>",
                _core(uint8(soulHash[4]) & 3),
                "</g>"
            );
    }

    /// @dev One shape in every direction, with further attributes.
    function _around(
        string memory shape,
        uint256 step,
        string memory shaping
    ) private pure returns (string memory markup) {
        for (uint256 degrees; degrees < 360; degrees += step) {
            markup = string.concat(
                markup,
                '<path d="',
                shape,
                '" transform="rotate(',
                degrees.toString(),
                ")",
                shaping,
                '"/>'
            );
        }
    }

    /// @dev One ray for each hexadecimal digit, the longer the higher it is.
    function _rays(bytes32 soulHash) private pure returns (string memory markup) {
        uint256 hash = uint256(soulHash);
        for (uint256 i; i < RAYS; ++i) {
            uint256 digit = (hash >> (252 - 4 * i)) & 15;
            markup = string.concat(
                markup,
                '<path d="M0-202v-',
                (4 + 2 * digit).toString(),
                '" transform="rotate(',
                _eighths(45 * i),
                ')"/>'
            );
        }
    }

    /// @dev An eighth of a number, in decimals.
    function _eighths(uint256 value) private pure returns (string memory) {
        uint256 rest = value % 8;
        string memory whole = (value / 8).toString();
        if (rest == 0) return whole;
        uint256 thousandths = rest * 125;
        if (rest == 4) return string.concat(whole, ".5");
        if (rest % 2 == 0) return string.concat(whole, ".", (thousandths / 10).toString());
        return string.concat(whole, ".", thousandths.toString());
    }

    function _colour(uint256 at) private pure returns (string memory) {
        bytes memory palettes = PALETTES;
        bytes memory text = new bytes(7);
        text[0] = "#";
        for (uint256 i; i < 3; ++i) {
            uint8 value = uint8(palettes[at + i]);
            text[1 + 2 * i] = DIGITS[value >> 4];
            text[2 + 2 * i] = DIGITS[value & 15];
        }
        return string(text);
    }

    /// @dev The more petals there are, the narrower each is.
    function _width(uint256 count) private pure returns (string memory) {
        if (count == 0) return "1.4";
        if (count == 1) return "1.25";
        if (count == 2) return "1.1";
        if (count == 3) return "1";
        if (count == 4) return ".82";
        if (count == 5) return ".74";
        if (count == 6) return ".68";
        return ".58";
    }

    /// @dev A petal pointing up from the centre.
    function _petal(uint256 index) private pure returns (string memory) {
        if (index == 0) return "M0-44C46-84 46-132 0-172C-46-132-46-84 0-44Z";
        if (index == 1) return "M0-36L34-130A34 34 0 1 0-34-130Z";
        if (index == 2) return "M0-172L42-108L0-44L-42-108Z";
        if (index == 3) return "M0-168A42 42 0 1 1 0-84A42 42 0 1 1 0-168Z";
        if (index == 4) return "M-20-66V-148A20 20 0 0 1 20-148V-66A20 20 0 0 1-20-66Z";
        if (index == 5) return "M0-44C58-80 52-146 30-170L0-142L-30-170C-52-146-58-80 0-44Z";
        if (index == 6) return "M0-40C64-64 70-138 4-172C28-130 14-84 0-40Z";
        return "M0-48L20-98C52-104 52-168 0-168C-52-168-52-104-20-98Z";
    }

    /// @dev The shape between two petals.
    function _between(uint256 index) private pure returns (string memory) {
        if (index == 0) return "M0-168A14 14 0 1 1 0-140A14 14 0 1 1 0-168Z";
        if (index == 1) return "M0-174L16-154L0-134L-16-154Z";
        if (index == 2) return "M-7-120V-160A7 7 0 0 1 7-160V-120A7 7 0 0 1-7-120Z";
        if (index == 3) return "M-18-166H18L0-134Z";
        if (index == 4) return "M0-168L18-136H-18Z";
        if (index == 5) return "M0-172A9 9 0 1 1 0-154A9 9 0 1 1 0-172ZM0-142A6 6 0 1 1 0-130A6 6 0 1 1 0-142Z";
        if (index == 6) return "M0-174C18-158 18-138 0-122C-18-138-18-158 0-174Z";
        return "M-14-168H14V-140H-14Z";
    }

    /// @dev The heart of the flower.
    function _core(uint256 index) private pure returns (string memory) {
        if (index == 0) return '<circle r="30"/>';
        if (index == 1) return '<path d="M0-34L34 0L0 34L-34 0Z"/>';
        if (index == 2)
            return '<path d="M0-32A32 32 0 1 1 0 32A32 32 0 1 1 0-32ZM0-16A16 16 0 1 0 0 16A16 16 0 1 0 0-16Z"/>';
        return '<path d="M0-38C5-12 12-5 38 0C12 5 5 12 0 38C-5 12-12 5-38 0C-12-5-5-12 0-38Z"/>';
    }
}
