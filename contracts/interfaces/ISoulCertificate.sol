// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Soulbound certificate (ERC-721 with ERC-5192)
/// @notice One certificate per soul, with the soul's token id. Only the soul registry mints, moves or burns one.
interface ISoulCertificate is IERC721 {
    /// @notice ERC-5192: emitted at each mint; a certificate is locked for its whole life.
    event Locked(uint256 tokenId);

    /// @notice A transfer was tried: a certificate never moves at its holder's will.
    error Soulbound(uint256 tokenId);

    /// @notice An approval was tried: nobody can be allowed to move what does not move.
    error ApprovalDisabled();

    /// @notice The caller is not the soul registry.
    error OnlySoulRegistry(address caller);

    /// @notice The soul registry that alone may mint; set once, at deployment.
    function SOUL_REGISTRY() external view returns (address);

    /// @notice Mints certificate `tokenId` to `holder`. Only the soul registry; no receiver callback is made, so that a
    /// contract wallet without ERC-721 support can hold one.
    function mint(address holder, uint256 tokenId) external;

    /// @notice Burns certificate `tokenId` and mints it to `newHolder`, so that no certificate is ever seen moving. Only the
    /// soul registry, at a reseal.
    function move(uint256 tokenId, address newHolder) external;

    /// @notice Burns certificate `tokenId` for ever. Only the soul registry, at a soul's end.
    function burn(uint256 tokenId) external;

    /// @notice ERC-5192: true for every existing certificate.
    /// @dev Reverts with ERC721NonexistentToken for an id that was never minted or was burned.
    function locked(uint256 tokenId) external view returns (bool);
}
