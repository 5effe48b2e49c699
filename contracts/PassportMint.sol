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

    /* STORAGE */

    struct Reservation {
        uint248 firstPassportId;
        uint8 count;
    }

    mapping(uint256 firstTokenId => Reservation reservation) private _reservations;

    /// @inheritdoc IPassportMint
    uint256 public unusedReservations;

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
        bool tokenAsExpected = tokenId == publication.expectedTokenId;
        if (publication.reservation == 0) {
            passportId = identity.register(publication.agentURI, metadata);
            agentURIHasIds = tokenAsExpected && passportId == publication.expectedPassportId;
            if (!agentURIHasIds) identity.setAgentURI(passportId, publication.agentURIWithoutIds);
        } else {
            passportId = _reservedPassport(publication.reservation, tokenId);
            --unusedReservations;
            agentURIHasIds = tokenAsExpected && passportId == publication.expectedPassportId;
            identity.setAgentURI(passportId, agentURIHasIds ? publication.agentURI : publication.agentURIWithoutIds);
            for (uint256 i = 0; i < metadata.length; ++i) {
                identity.setMetadata(passportId, metadata[i].metadataKey, metadata[i].metadataValue);
            }
        }
        identity.transferFrom(address(this), owner, passportId);
    }

    /// @inheritdoc IPassportMint
    function mintBatch(
        address owner,
        ISoulRegistry.BatchPublication[] calldata publications,
        uint256 leftOut
    ) external onlySoulRegistry nonReentrant returns (uint256 firstPassportId) {
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        uint256 count;
        for (uint256 i = 0; i < publications.length; ++i) {
            if (leftOut & (1 << i) != 0) continue;
            uint256 passportId = identity.register(publications[i].agentURI);
            if (count == 0) firstPassportId = passportId;
            _requireConsecutive(passportId, firstPassportId + count++);
        }
        for (uint256 i = 0; i < count; ++i) identity.transferFrom(address(this), owner, firstPassportId + i);
    }

    /// @inheritdoc IPassportMint
    function reserve(uint256 firstTokenId, uint256 count) external onlySoulRegistry nonReentrant {
        if (count == 0 || count > type(uint8).max) revert InvalidReservation(count);

        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        uint256 firstPassportId = identity.register();
        for (uint256 i = 1; i < count; ++i) _requireConsecutive(identity.register(), firstPassportId + i);
        _reservations[firstTokenId] = Reservation(uint248(firstPassportId), uint8(count));
        unusedReservations += count;

        emit PassportsReserved(firstTokenId, firstPassportId, count);
    }

    /* READS */

    /// @inheritdoc IPassportMint
    function reservationOf(uint256 firstTokenId) external view returns (uint256 firstPassportId, uint256 count) {
        Reservation storage reservation = _reservations[firstTokenId];
        return (reservation.firstPassportId, reservation.count);
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

    /* INTERNAL */

    /// @dev Whether it was used before, the soul registry knows by its token id. The identity registry
    /// too: this contract then no longer holds the passport.
    function _reservedPassport(uint256 reservationId, uint256 tokenId) private view returns (uint256) {
        Reservation storage reservation = _reservations[reservationId];
        if (tokenId < reservationId || tokenId - reservationId >= reservation.count) {
            revert NotReserved(reservationId, tokenId);
        }
        return reservation.firstPassportId + (tokenId - reservationId);
    }

    function _requireConsecutive(uint256 passportId, uint256 expected) private pure {
        if (passportId != expected) revert NotConsecutive(passportId, expected);
    }
}
