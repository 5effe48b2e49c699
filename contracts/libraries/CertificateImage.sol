// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {SoulEmblemImage} from "./SoulEmblemImage.sol";

/// @title A certificate's picture
/// @notice A standalone SVG of 512 by 512 units: the soul's emblem, its name, passport and epoch,
/// and where it stands. The emblem of a soul that cannot be relied on is faded. No scripts,
/// references or ids.
library CertificateImage {
    using Strings for uint256;

    /// @notice Where a soul stands in this block. NOT_LINKED: sealed, but its passport cannot be
    /// read.
    enum Standing {
        PROVISIONAL,
        VALID,
        SUSPENDED,
        NOT_LINKED
    }

    /// @notice What a certificate shows. `name` is inserted as it is: it must be a validated name
    /// (see {Names}).
    struct Face {
        string name;
        uint256 passportId;
        uint256 epoch;
        Standing standing;
        bytes32 soulHash;
    }

    /// @dev A character of a fixed-width font is 0.6 of its size wide; a name is to be at most 438
    /// units wide.
    uint256 private constant NAME_WIDTH = 730;
    uint256 private constant LARGEST_NAME = 46;

    /// @notice The picture as a data URI.
    function dataUri(Face memory face) internal pure returns (string memory) {
        return string.concat("data:image/svg+xml;base64,", Base64.encode(bytes(svg(face))));
    }

    /// @notice The picture as SVG.
    function svg(Face memory face) internal pure returns (string memory) {
        SoulEmblemImage.Palette memory palette = SoulEmblemImage.paletteOf(face.soulHash);
        return
            string.concat(
                '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" role="img"><title>',
                face.name,
                '</title><rect width="512" height="512" rx="72" fill="',
                palette.ground,
                '"/><rect x="12" y="12" width="488" height="488" rx="62" fill="none" stroke="',
                palette.petal,
                '" stroke-opacity=".4" stroke-width="3"/><g transform="translate(256 196) scale(.7)"',
                face.standing == Standing.VALID ? ">" : ' opacity=".35">',
                SoulEmblemImage.draw(face.soulHash, palette),
                _writing(face, palette),
                "</svg>"
            );
    }

    /// @notice The word for a standing.
    function wordOf(Standing standing) internal pure returns (string memory) {
        if (standing == Standing.PROVISIONAL) return "provisional";
        if (standing == Standing.VALID) return "valid";
        if (standing == Standing.SUSPENDED) return "suspended";
        return "not linked";
    }

    function _writing(Face memory face, SoulEmblemImage.Palette memory palette) private pure returns (string memory) {
        return
            string.concat(
                '</g><g fill="',
                palette.petal,
                '" font-family="ui-monospace,Menlo,Consolas,monospace" text-anchor="middle"><text x="256" y="412" font-weight="700" font-size="',
                _nameSize(face.name).toString(),
                '">',
                face.name,
                '</text><text x="256" y="442" font-size="17">passport ',
                face.passportId.toString(),
                unicode" · epoch ",
                face.epoch.toString(),
                "</text>",
                _badge(face.standing, palette)
            );
    }

    /// @dev Filled for a valid soul, a dashed outline for any other.
    function _badge(Standing standing, SoulEmblemImage.Palette memory palette) private pure returns (string memory) {
        bool valid = standing == Standing.VALID;
        return
            string.concat(
                '<rect x="181" y="454" width="150" height="28" rx="14"',
                valid
                    ? ""
                    : string.concat(
                        ' fill="none" stroke="',
                        palette.petal,
                        '" stroke-width="2" stroke-dasharray="6 4"'
                    ),
                '/><text x="256" y="473" font-size="16" font-weight="700"',
                valid ? string.concat(' fill="', palette.ground, '"') : "",
                ">",
                wordOf(standing),
                "</text></g>"
            );
    }

    function _nameSize(string memory name) private pure returns (uint256) {
        uint256 length = bytes(name).length;
        uint256 size = length == 0 ? LARGEST_NAME : NAME_WIDTH / length;
        return size < LARGEST_NAME ? size : LARGEST_NAME;
    }
}
