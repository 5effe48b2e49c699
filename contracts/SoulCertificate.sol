// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ISoulCertificate} from "./interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {CertificateImage} from "./libraries/CertificateImage.sol";

/// @title Soulbound certificate
/// @notice See {ISoulCertificate}.
contract SoulCertificate is ERC721, ISoulCertificate {
    using Strings for uint256;

    /// @dev ERC-5192's interface id.
    bytes4 private constant ERC5192_INTERFACE_ID = 0xb45a3c0e;

    ISoulRegistry private immutable _SOUL_REGISTRY;

    constructor(ISoulRegistry soulRegistry) ERC721("Soul Certificate", "SOUL") {
        _SOUL_REGISTRY = soulRegistry;
    }

    /// @inheritdoc ISoulCertificate
    function SOUL_REGISTRY() external view returns (address) {
        return address(_SOUL_REGISTRY);
    }

    modifier onlySoulRegistry() {
        if (msg.sender != address(_SOUL_REGISTRY)) revert OnlySoulRegistry(msg.sender);
        _;
    }

    /// @inheritdoc ISoulCertificate
    function mint(address holder, uint256 tokenId) external onlySoulRegistry {
        _mint(holder, tokenId);

        emit Locked(tokenId);
    }

    /// @inheritdoc ISoulCertificate
    function move(uint256 tokenId, address newHolder) external onlySoulRegistry {
        _burn(tokenId);
        _mint(newHolder, tokenId);

        emit Locked(tokenId);
    }

    /// @inheritdoc ISoulCertificate
    function burn(uint256 tokenId) external onlySoulRegistry {
        _burn(tokenId);
    }

    /// @inheritdoc ISoulCertificate
    function locked(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return true;
    }

    /// @notice ERC-721 metadata as a data URI, its picture included, made from the soul's record and its passport's owner in this
    /// block alone.
    /// @dev Reverts with ERC721NonexistentToken for an id that was never minted or was burned.
    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        _requireOwned(tokenId);
        ISoulRegistry.Soul memory soul = _SOUL_REGISTRY.soulOf(tokenId);
        CertificateImage.Face memory face = CertificateImage.Face({
            name: soul.name,
            passportId: soul.passportId,
            epoch: soul.epoch,
            standing: _standingOf(tokenId, soul.status),
            soulHash: soul.soulHash
        });
        // Every inserted text is a validated name, a number, hex or a word of ours: nothing needs escaping.
        bytes memory json = abi.encodePacked(
            '{"name":"',
            soul.name,
            '","description":"Soulbound certificate of an agent\'s sealed soul.","image":"',
            CertificateImage.dataUri(face),
            '","attributes":[{"trait_type":"passport","value":"',
            face.passportId.toString(),
            '"},{"trait_type":"epoch","value":',
            face.epoch.toString(),
            '},{"trait_type":"status","value":"',
            CertificateImage.wordOf(face.standing),
            '"},{"trait_type":"soulHash","value":"',
            uint256(soul.soulHash).toHexString(32),
            '"}]}'
        );
        return string.concat("data:application/json;base64,", Base64.encode(json));
    }

    /// @notice Always reverts.
    function approve(address, uint256) public pure override(ERC721, IERC721) {
        revert ApprovalDisabled();
    }

    /// @notice Always reverts.
    function setApprovalForAll(address, bool) public pure override(ERC721, IERC721) {
        revert ApprovalDisabled();
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC721, IERC165) returns (bool) {
        return interfaceId == ERC5192_INTERFACE_ID || super.supportsInterface(interfaceId);
    }

    /// @dev Every mint, burn and transfer passes here: mint and burn are allowed, moving is not.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address from) {
        from = super._update(to, tokenId, auth);
        if (from != address(0) && to != address(0)) revert Soulbound(tokenId);
    }

    function _standingOf(
        uint256 tokenId,
        ISoulRegistry.Status status
    ) private view returns (CertificateImage.Standing) {
        if (status == ISoulRegistry.Status.PROVISIONAL) return CertificateImage.Standing.PROVISIONAL;
        (ISoulRegistry.Validity validity, ) = _SOUL_REGISTRY.validityOf(tokenId);
        if (validity == ISoulRegistry.Validity.VALID) return CertificateImage.Standing.VALID;
        if (validity == ISoulRegistry.Validity.SUSPENDED) return CertificateImage.Standing.SUSPENDED;
        return CertificateImage.Standing.NOT_LINKED;
    }
}
