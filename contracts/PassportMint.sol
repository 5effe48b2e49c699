// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IIdentityRegistry} from "./erc8004/interfaces/IIdentityRegistry.sol";
import {IPassportMint} from "./interfaces/IPassportMint.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";

/// @title Passport mint
/// @notice See {IPassportMint}.
contract PassportMint is IPassportMint, ReentrancyGuardTransient, IERC721Receiver {
    /* IMMUTABLES */

    /// @inheritdoc IPassportMint
    address public immutable SOUL_REGISTRY;

    /// @inheritdoc IPassportMint
    address public immutable IDENTITY_REGISTRY;

    /* CONSTRUCTOR */

    /// @param soulRegistry The predicted address of the soul registry, which is deployed after this
    /// contract and refuses a mint that names another address.
    /// @param identityRegistry The chain's ERC-8004 identity registry.
    constructor(address soulRegistry, address identityRegistry) {
        SOUL_REGISTRY = soulRegistry;
        IDENTITY_REGISTRY = identityRegistry;
    }

    /* THE SOUL REGISTRY */

    modifier onlySoulRegistry() {
        if (msg.sender != SOUL_REGISTRY) revert OnlySoulRegistry(msg.sender);
        _;
    }

    /// @inheritdoc IPassportMint
    /// @dev The metadata is written while this contract still holds the passport. Afterwards it has
    /// no right to write.
    function mint(
        address owner,
        uint256 tokenId,
        bytes32 soulHash,
        bool sealing,
        ISoulRegistry.Publication calldata publication
    ) external onlySoulRegistry nonReentrant returns (uint256 passportId, bool agentURIHasIds) {
        IIdentityRegistry.MetadataEntry[] memory metadata = new IIdentityRegistry.MetadataEntry[](4);
        metadata[0] = IIdentityRegistry.MetadataEntry("svcSoulHash", abi.encode(soulHash));
        metadata[1] = IIdentityRegistry.MetadataEntry("svcTokenId", abi.encode(tokenId));
        metadata[2] = IIdentityRegistry.MetadataEntry(
            "svcArweaveId",
            bytes(Base64.encodeURL(abi.encode(publication.archiveId)))
        );
        metadata[3] = IIdentityRegistry.MetadataEntry("svcStatus", sealing ? bytes("SEALED") : bytes("PENDING"));

        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        passportId = identity.register(publication.agentURI, metadata);
        agentURIHasIds = passportId == publication.expectedPassportId && tokenId == publication.expectedTokenId;
        if (!agentURIHasIds) identity.setAgentURI(passportId, publication.agentURIWithoutIds);
        identity.transferFrom(address(this), owner, passportId);
    }

    /// @inheritdoc IPassportMint
    function mintBatch(
        address owner,
        ISoulRegistry.BatchPublication[] calldata publications
    ) external onlySoulRegistry nonReentrant returns (uint256[] memory passportIds) {
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        passportIds = new uint256[](publications.length);
        for (uint256 i = 0; i < passportIds.length; ++i) passportIds[i] = identity.register(publications[i].agentURI);
        for (uint256 i = 0; i < passportIds.length; ++i) {
            identity.transferFrom(address(this), owner, passportIds[i]);
        }
    }

    /// @dev Accepts only the passport that this contract is registering: any other token would be
    /// stuck here.
    function onERC721Received(
        address operator,
        address from,
        uint256 tokenId,
        bytes calldata
    ) external view returns (bytes4) {
        bool minting =
            msg.sender == IDENTITY_REGISTRY &&
                operator == address(this) &&
                from == address(0) &&
                _reentrancyGuardEntered();
        if (!minting) revert UnexpectedToken(msg.sender, tokenId);

        return IERC721Receiver.onERC721Received.selector;
    }
}
