// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title Soulbound certificate (ERC-721 with ERC-5192)
/// @notice One certificate per soul, with the soul's token id. Its owner is the soul's sealer:
/// {ownerOf} asks the soul registry. Only the soul registry announces that one is minted, moved or
/// burned.
/// @dev Warning: the owner of a certificate is the sealer, also of a suspended soul, whose passport
/// may have another owner. For authority read {ISoulRegistry-authorityOf}.
interface ISoulCertificate is IERC721 {
    /// @notice ERC-5192: emitted at each mint; a certificate is locked for its whole life.
    /// @param tokenId The certificate.
    event Locked(uint256 tokenId);

    /// @notice A transfer was tried: a certificate never moves at its holder's will.
    /// @param tokenId The certificate.
    error Soulbound(uint256 tokenId);

    /// @notice An approval was tried: no account can be allowed to move what does not move.
    error ApprovalDisabled();

    /// @notice The caller is not the soul registry.
    /// @param caller Who called.
    error OnlySoulRegistry(address caller);

    /// @notice The soul registry that certificates are derived from; set once, at deployment.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (address registry);

    /// @notice Announces certificate `tokenId` of `holder`. Only the soul registry, once it names
    /// `holder` as the sealer. No receiver callback is made, so that a contract wallet without
    /// ERC-721 support can hold one.
    /// @param holder The sealer.
    /// @param tokenId The soul.
    function mint(address holder, uint256 tokenId) external;

    /// @notice As {mint}, for `count` souls with consecutive ids.
    /// @param holder The sealer of each.
    /// @param firstTokenId The first soul.
    /// @param count How many souls.
    function mintBatch(address holder, uint256 firstTokenId, uint256 count) external;

    /// @notice Announces that certificate `tokenId` was burned and minted to `to`, so that no
    /// certificate is ever seen moving. Only the soul registry, at a reseal by a new owner.
    /// @param tokenId The soul.
    /// @param from The previous sealer.
    /// @param to The new sealer.
    function move(uint256 tokenId, address from, address to) external;

    /// @notice Announces that certificate `tokenId` was burned for ever. Only the soul registry, at
    /// a soul's end.
    /// @param tokenId The soul.
    /// @param holder The last sealer.
    function burn(uint256 tokenId, address holder) external;

    /// @notice ERC-5192: true for every existing certificate.
    /// @dev Reverts with ERC721NonexistentToken for an id that was never minted or was burned.
    /// @param tokenId The soul.
    /// @return isLocked Always true.
    function locked(uint256 tokenId) external view returns (bool isLocked);
}
