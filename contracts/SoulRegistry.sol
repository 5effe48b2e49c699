// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {SoulCertificate} from "./SoulCertificate.sol";
import {IIdentityRegistry} from "./erc8004/interfaces/IIdentityRegistry.sol";
import {ISoulCertificate} from "./interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {FieldProofs} from "./libraries/FieldProofs.sol";
import {Names} from "./libraries/Names.sol";

/// @title Soul registry
/// @notice See {ISoulRegistry}.
contract SoulRegistry is ISoulRegistry, OwnerAuthorization, AccessControl, ReentrancyGuardTransient, IERC721Receiver {
    /* CONSTANTS */

    /// @notice May submit registrations that their owners signed, and nothing else.
    bytes32 public constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");

    bytes32 private constant REGISTRATION_TYPEHASH = keccak256(
        "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,"
        "bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,uint256 parentTokenId,"
        "uint256 organizationId,bool seal,uint256 nonce,uint256 deadline)"
    );

    /* IMMUTABLES */

    /// @inheritdoc ISoulRegistry
    address public immutable IDENTITY_REGISTRY;

    /// @inheritdoc ISoulRegistry
    ISoulCertificate public immutable CERTIFICATE;

    /* STORAGE */

    struct Record {
        address sealer;
        uint64 passportId;
        uint16 epoch;
        Status status;
        AgentType agentType;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 packedName;
        /// Written only when it is not the sealer.
        address operator;
    }

    mapping(uint256 tokenId => Record record) private _records;
    mapping(bytes32 packedName => uint256 tokenId) private _tokenOfName;
    mapping(uint256 passportId => uint256 tokenId) private _tokenOfPassport;
    uint256 private _lastTokenId;

    /* CONSTRUCTOR */

    /// @param identityRegistry The chain's ERC-8004 identity registry.
    /// @param admin Grants and revokes roles; holds no other power.
    /// @param registrar The first holder of REGISTRAR_ROLE.
    constructor(address identityRegistry, address admin, address registrar) EIP712("SoulRegistry", "1") {
        IDENTITY_REGISTRY = identityRegistry;
        CERTIFICATE = new SoulCertificate(this);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(REGISTRAR_ROLE, registrar);
    }

    /* REGISTRATION */

    /// @inheritdoc ISoulRegistry
    function register(
        Registration calldata registration,
        Publication calldata publication,
        bytes calldata signature
    ) external onlyRole(REGISTRAR_ROLE) nonReentrant returns (uint256 tokenId, uint256 passportId) {
        _authorize(
            registration.owner,
            _registrationStructHash(registration),
            registration.nonce,
            registration.deadline,
            signature
        );
        _checkRegistration(registration);

        tokenId = ++_lastTokenId;
        bytes32 packedName = _giveName(registration.name, tokenId);
        bool agentURIHasIds;
        (passportId, agentURIHasIds) = _createPassport(registration, publication, tokenId);
        _tokenOfPassport[passportId] = tokenId;

        Record storage record = _records[tokenId];
        record.sealer = registration.owner;
        record.passportId = SafeCast.toUint64(passportId);
        record.epoch = 1;
        record.status = Status.SEALED;
        record.agentType = registration.agentType;
        record.soulHash = registration.soulHash;
        record.soulMerkleRoot = registration.soulMerkleRoot;
        record.packedName = packedName;
        if (registration.operator != registration.owner && registration.operator != address(0)) {
            record.operator = registration.operator;
        }
        CERTIFICATE.mint(registration.owner, tokenId);

        emit SoulRegistered(
            tokenId,
            passportId,
            registration.owner,
            registration.name,
            registration.agentType,
            record.operator,
            registration.parentTokenId,
            1,
            true
        );
        emit SoulSealed(
            tokenId,
            passportId,
            registration.owner,
            1,
            registration.soulHash,
            registration.soulMerkleRoot,
            registration.contentHash,
            publication.archiveId,
            agentURIHasIds
        );
    }

    /// @dev Accepts only the passport that {_createPassport} is minting: a token sent by anybody else would be stuck here.
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

    /* READS */

    /// @inheritdoc ISoulRegistry
    function isValid(uint256 tokenId) external view returns (bool) {
        Record storage record = _records[tokenId];
        return record.status == Status.SEALED && _passportOwner(record.passportId) == record.sealer;
    }

    /// @inheritdoc ISoulRegistry
    function validityOf(uint256 tokenId) external view returns (Validity validity, address passportOwner) {
        Record storage record = _records[tokenId];
        if (record.status == Status.NONE) return (Validity.NOT_LINKED, address(0));

        passportOwner = _passportOwner(record.passportId);
        if (record.status != Status.SEALED || passportOwner == address(0)) return (Validity.NOT_LINKED, passportOwner);

        validity = passportOwner == record.sealer ? Validity.VALID : Validity.SUSPENDED;
    }

    /// @inheritdoc ISoulRegistry
    function soulOf(uint256 tokenId) external view returns (Soul memory) {
        Record storage record = _records[tokenId];
        return
            Soul({
                sealer: record.sealer,
                passportId: record.passportId,
                epoch: record.epoch,
                status: record.status,
                agentType: record.agentType,
                soulHash: record.soulHash,
                soulMerkleRoot: record.soulMerkleRoot,
                operator: record.operator,
                name: Names.unpack(record.packedName)
            });
    }

    /// @inheritdoc ISoulRegistry
    function epochOf(uint256 tokenId) external view returns (uint16) {
        return _records[tokenId].epoch;
    }

    /// @inheritdoc ISoulRegistry
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId) {
        return _tokenOfPassport[passportId];
    }

    /// @inheritdoc ISoulRegistry
    function tokenOfName(string calldata name) external view returns (uint256 tokenId) {
        return Names.isValid(name) ? _tokenOfName[Names.pack(name)] : 0;
    }

    /// @inheritdoc ISoulRegistry
    function nextTokenId() external view returns (uint256) {
        return _lastTokenId + 1;
    }

    /// @inheritdoc ISoulRegistry
    function registrationDigest(Registration calldata registration) external view returns (bytes32) {
        return _hashTypedDataV4(_registrationStructHash(registration));
    }

    /// @inheritdoc ISoulRegistry
    function verifyField(
        uint256 tokenId,
        uint256 index,
        bytes calldata value,
        bytes32[] calldata proof
    ) external view returns (bool) {
        return FieldProofs.verify(_records[tokenId].soulMerkleRoot, index, value, proof);
    }

    /* INTERNAL */

    function _checkRegistration(Registration calldata registration) private view {
        if (registration.bindPassport || registration.passportId != 0 || !registration.seal) {
            revert UnsupportedRegistration(registration.bindPassport, registration.passportId, registration.seal);
        }
        if (registration.soulHash == bytes32(0) || registration.soulMerkleRoot == bytes32(0)) revert EmptySoul();
        if (registration.parentTokenId != 0 && _records[registration.parentTokenId].sealer != registration.owner) {
            revert InvalidParent(registration.parentTokenId, registration.owner);
        }
        // Organizations do not exist on this registry.
        if (registration.organizationId != 0) revert InvalidOrganization(registration.organizationId);
    }

    function _giveName(string calldata name, uint256 tokenId) private returns (bytes32 packedName) {
        if (!Names.isValid(name)) revert InvalidName(name);

        packedName = Names.pack(name);
        uint256 holder = _tokenOfName[packedName];
        if (holder != 0) revert NameTaken(name, holder);

        _tokenOfName[packedName] = tokenId;
    }

    /// @dev The metadata is written while this contract still holds the passport: afterwards it has no right to.
    /// The hand-over is not a safe transfer, so that an owner's code cannot run in the middle of a registration.
    function _createPassport(
        Registration calldata registration,
        Publication calldata publication,
        uint256 tokenId
    ) private returns (uint256 passportId, bool agentURIHasIds) {
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);

        IIdentityRegistry.MetadataEntry[] memory metadata = new IIdentityRegistry.MetadataEntry[](4);
        metadata[0] = IIdentityRegistry.MetadataEntry("svcSoulHash", abi.encode(registration.soulHash));
        metadata[1] = IIdentityRegistry.MetadataEntry("svcTokenId", abi.encode(tokenId));
        metadata[2] = IIdentityRegistry.MetadataEntry("svcArweaveId", bytes(publication.archiveId));
        metadata[3] = IIdentityRegistry.MetadataEntry("svcStatus", "SEALED");

        passportId = identity.register(publication.agentURI, metadata);
        if (passportId > type(uint64).max) revert PassportIdTooLarge(passportId);

        agentURIHasIds = passportId == publication.expectedPassportId && tokenId == publication.expectedTokenId;
        if (!agentURIHasIds) identity.setAgentURI(passportId, publication.agentURIWithoutIds);
        identity.transferFrom(address(this), registration.owner, passportId);
    }

    /// @dev Zero when the registry, a contract that others can upgrade, does not answer with an address.
    function _passportOwner(uint256 passportId) private view returns (address owner) {
        bytes memory ownerOf = abi.encodeCall(IIdentityRegistry(IDENTITY_REGISTRY).ownerOf, (passportId));
        address registry = IDENTITY_REGISTRY;
        assembly ("memory-safe") {
            // Only one word of the answer is ever copied, whatever its length.
            let answered := staticcall(gas(), registry, add(ownerOf, 0x20), mload(ownerOf), 0x00, 0x20)
            if and(answered, gt(returndatasize(), 0x1f)) {
                owner := mload(0x00)
            }
            if shr(160, owner) {
                owner := 0
            }
        }
    }

    function _registrationStructHash(Registration calldata registration) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    REGISTRATION_TYPEHASH,
                    keccak256(bytes(registration.name)),
                    registration.agentType,
                    registration.owner,
                    registration.operator,
                    registration.soulHash,
                    registration.soulMerkleRoot,
                    registration.contentHash,
                    registration.bindPassport,
                    registration.passportId,
                    registration.parentTokenId,
                    registration.organizationId,
                    registration.seal,
                    registration.nonce,
                    registration.deadline
                )
            );
    }
}
