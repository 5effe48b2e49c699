// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {ISoulCertificate} from "./interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {CertificateImage} from "./libraries/CertificateImage.sol";

/// @title Soulbound certificate
/// @notice See {ISoulCertificate}.
/// @dev An ERC-721 of its own: the owners are the soul registry's sealers, so that only the
/// balances are stored here. The registry writes a sealer before it calls, so the log always agrees
/// with {ownerOf}.
contract SoulCertificate is ISoulCertificate, IERC721Metadata, IERC721Errors, ERC165 {
    using Strings for uint256;

    /* CONSTANTS */

    /// @dev ERC-5192's interface id.
    bytes4 private constant ERC5192_INTERFACE_ID = 0xb45a3c0e;

    /// @inheritdoc IERC721Metadata
    // solhint-disable-next-line const-name-snakecase
    string public constant name = "Soul Certificate";

    /// @inheritdoc IERC721Metadata
    // solhint-disable-next-line const-name-snakecase
    string public constant symbol = "SOUL";

    /* IMMUTABLES */

    ISoulRegistry private immutable _SOUL_REGISTRY;

    /* STORAGE */

    mapping(address holder => uint256 balance) private _balances;

    /* CONSTRUCTOR */

    /// @param soulRegistry The soul registry. It is deployed after this contract, so this is its
    /// predicted address.
    constructor(ISoulRegistry soulRegistry) {
        _SOUL_REGISTRY = soulRegistry;
    }

    /* SOUL REGISTRY */

    modifier onlySoulRegistry() {
        if (msg.sender != address(_SOUL_REGISTRY)) revert OnlySoulRegistry(msg.sender);
        _;
    }

    /// @inheritdoc ISoulCertificate
    function mint(address holder, uint256 tokenId) external onlySoulRegistry {
        ++_balances[holder];

        _emitMint(holder, tokenId);
    }

    /// @inheritdoc ISoulCertificate
    function mintBatch(address holder, uint256 firstTokenId, uint256 count) external onlySoulRegistry {
        _balances[holder] += count;

        for (uint256 i = 0; i < count; ++i) _emitMint(holder, firstTokenId + i);
    }

    /// @inheritdoc ISoulCertificate
    function move(uint256 tokenId, address from, address to) external onlySoulRegistry {
        --_balances[from];
        ++_balances[to];

        emit Transfer(from, address(0), tokenId);
        _emitMint(to, tokenId);
    }

    /// @inheritdoc ISoulCertificate
    function burn(uint256 tokenId, address holder) external onlySoulRegistry {
        --_balances[holder];

        emit Transfer(holder, address(0), tokenId);
    }

    /* TRANSFERS AND APPROVALS: none */

    /// @notice Always reverts.
    function approve(address, uint256) external pure {
        revert ApprovalDisabled();
    }

    /// @notice Always reverts.
    function setApprovalForAll(address, bool) external pure {
        revert ApprovalDisabled();
    }

    /// @notice Always reverts.
    function transferFrom(address, address to, uint256 tokenId) external view {
        _refuseTransfer(to, tokenId);
    }

    /// @notice Always reverts.
    function safeTransferFrom(address, address to, uint256 tokenId) external view {
        _refuseTransfer(to, tokenId);
    }

    /// @notice Always reverts.
    function safeTransferFrom(address, address to, uint256 tokenId, bytes calldata) external view {
        _refuseTransfer(to, tokenId);
    }

    /* READS */

    /// @inheritdoc ISoulCertificate
    function SOUL_REGISTRY() external view returns (address) {
        return address(_SOUL_REGISTRY);
    }

    /// @inheritdoc IERC721
    function balanceOf(address holder) external view returns (uint256) {
        if (holder == address(0)) revert ERC721InvalidOwner(address(0));
        return _balances[holder];
    }

    /// @inheritdoc IERC721
    function ownerOf(uint256 tokenId) public view returns (address holder) {
        holder = _SOUL_REGISTRY.sealerOf(tokenId);
        if (holder == address(0)) revert ERC721NonexistentToken(tokenId);
    }

    /// @inheritdoc IERC721
    function getApproved(uint256 tokenId) external view returns (address) {
        ownerOf(tokenId);
        return address(0);
    }

    /// @inheritdoc IERC721
    function isApprovedForAll(address, address) external pure returns (bool) {
        return false;
    }

    /// @inheritdoc ISoulCertificate
    function locked(uint256 tokenId) external view returns (bool) {
        ownerOf(tokenId);
        return true;
    }

    /// @notice ERC-721 metadata as a data URI, its picture included, made from the soul's record
    /// and its passport's owner in this block alone.
    /// @dev Reverts with ERC721NonexistentToken for an id that was never minted or was burned.
    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        ISoulRegistry.Soul memory soul = _SOUL_REGISTRY.soulOf(tokenId);
        CertificateImage.Face memory face = CertificateImage.Face({
            name: soul.name,
            passportId: soul.passportId,
            epoch: soul.epoch,
            standing: _standingOf(tokenId, soul.status),
            soulHash: soul.soulHash
        });
        // Every inserted text is a validated name, a number, hex or a constant, so nothing needs
        // escaping.
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

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) public view override(ERC165, IERC165) returns (bool) {
        return
            interfaceId == type(IERC721).interfaceId ||
            interfaceId == type(IERC721Metadata).interfaceId ||
            interfaceId == ERC5192_INTERFACE_ID ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    function _emitMint(address holder, uint256 tokenId) private {
        emit Transfer(address(0), holder, tokenId);
        emit Locked(tokenId);
    }

    /// @dev The error that any ERC-721 would give, and {Soulbound} where it would transfer.
    function _refuseTransfer(address to, uint256 tokenId) private view {
        if (to == address(0)) revert ERC721InvalidReceiver(address(0));
        if (ownerOf(tokenId) != msg.sender) revert ERC721InsufficientApproval(msg.sender, tokenId);
        revert Soulbound(tokenId);
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
