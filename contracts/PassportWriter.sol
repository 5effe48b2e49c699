// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IIdentityRegistry} from "./erc8004/interfaces/IIdentityRegistry.sol";
import {IOwnerAuthorization} from "./interfaces/IOwnerAuthorization.sol";
import {IPassportWriter} from "./interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {PassportReads} from "./libraries/PassportReads.sol";
import {SoulHashing} from "./libraries/SoulHashing.sol";

/// @title Passport writer
/// @notice See {IPassportWriter}.
/// @dev Owners approve this contract on every passport they hold, so its code must be unable to
/// move or approve one. It makes three kinds of calls: reads of the soul registry, reads of the
/// identity registry, and `setMetadata` and `setAgentURI` of the identity registry. A test searches
/// the bytecode for anything else.
contract PassportWriter is IPassportWriter, OwnerAuthorization, ERC165, ReentrancyGuardTransient {
    /* IMMUTABLES */

    /// @inheritdoc IPassportWriter
    address public immutable SOUL_REGISTRY;

    /// @inheritdoc IPassportWriter
    address public immutable IDENTITY_REGISTRY;

    /* STORAGE */

    /// @inheritdoc IPassportWriter
    mapping(uint256 tokenId => uint32 version) public versionOf;

    /* CONSTRUCTOR */

    /// @param soulRegistry The predicted address of the soul registry, which is deployed after this
    /// contract and refuses a writer that names another address.
    /// @param identityRegistry The chain's ERC-8004 identity registry.
    constructor(address soulRegistry, address identityRegistry) EIP712("PassportWriter", "1") {
        SOUL_REGISTRY = soulRegistry;
        IDENTITY_REGISTRY = identityRegistry;
    }

    /* THE SOUL REGISTRY */

    /// @inheritdoc IPassportWriter
    function write(uint256 tokenId, string calldata agentURI) external nonReentrant returns (bool written) {
        if (msg.sender != SOUL_REGISTRY) revert OnlySoulRegistry(msg.sender);
        ISoulRegistry.Soul memory soul = _souls().soulOf(tokenId);
        uint256 passportId = _boundPassport(tokenId, soul);
        if (!_isApproved(passportId)) {
            emit MetadataPending(tokenId, passportId);
            return false;
        }

        _writeState(tokenId, passportId, soul);
        if (bytes(agentURI).length != 0) _identity().setAgentURI(passportId, agentURI);
        return true;
    }

    /* ANY ACCOUNT */

    /// @inheritdoc IPassportWriter
    function sync(uint256[] calldata tokenIds) external nonReentrant {
        for (uint256 i = 0; i < tokenIds.length; ++i) {
            uint256 tokenId = tokenIds[i];
            ISoulRegistry.Soul memory soul = _souls().soulOf(tokenId);
            uint256 passportId = _boundPassport(tokenId, soul);
            _requireApproved(passportId);
            if (soul.status == ISoulRegistry.Status.BURNED) _clearState(tokenId, passportId, soul.sealer);
            else _writeState(tokenId, passportId, soul);
        }
    }

    /* THE OWNER: its signature, submitted by any account; or a direct call of the owner with an empty signature */

    /// @inheritdoc IPassportWriter
    function setAgentURI(SetAgentURI calldata change, bytes calldata signature) external nonReentrant {
        uint256 tokenId = change.tokenId;
        (address owner, uint256 passportId) = _liveOwner(tokenId, change.epoch);
        _requireApproved(passportId);
        _authorizeOrCaller(owner, SoulHashing.hash(change), change.nonce, change.deadline, signature);
        uint32 version = _decide(tokenId, change.version);
        _requireCurrent(tokenId, change.previousURIHash, keccak256(bytes(_identity().tokenURI(passportId))));

        emit AgentURIWritten(tokenId, passportId, change.epoch, version, change.agentURI);
        _identity().setAgentURI(passportId, change.agentURI);
    }

    /// @inheritdoc IPassportWriter
    function setMetadata(SetMetadata calldata change, bytes calldata signature) external nonReentrant {
        uint256 tokenId = change.tokenId;
        (address owner, uint256 passportId) = _liveOwner(tokenId, change.epoch);
        bytes calldata key = bytes(change.key);
        if (key.length >= 3 && bytes3(key[:3]) == "svc") revert ReservedMetadataKey(change.key);
        _requireApproved(passportId);
        _authorizeOrCaller(owner, SoulHashing.hash(change), change.nonce, change.deadline, signature);
        uint32 version = _decide(tokenId, change.version);
        _requireCurrent(tokenId, change.previousValueHash, keccak256(_identity().getMetadata(passportId, change.key)));

        emit MetadataWritten(tokenId, passportId, change.epoch, version, change.key, change.value);
        _identity().setMetadata(passportId, change.key, change.value);
    }

    /* READS */

    /// @notice ERC-165: {IPassportWriter}, {IOwnerAuthorization} and ERC-165 itself.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(IPassportWriter).interfaceId ||
            interfaceId == type(IOwnerAuthorization).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL */

    /// @dev The passport that carries the soul, or that carried a burned one and now carries none.
    /// It reverts in the middle of a registration, when the record does not name the passport yet,
    /// and for a passport id that the identity registry gave out twice.
    function _boundPassport(uint256 tokenId, ISoulRegistry.Soul memory soul) private view returns (uint256 passportId) {
        if (soul.status == ISoulRegistry.Status.NONE) revert WrongStatus(tokenId, soul.status);

        passportId = soul.passportId;
        uint256 expected = soul.status == ISoulRegistry.Status.BURNED ? 0 : tokenId;
        if (_souls().tokenOfPassport(passportId) != expected) revert NotBound(tokenId, passportId);
    }

    /// @dev The owner of a soul that is not burned, in the signed epoch: the sealer, who owns the
    /// passport in this block.
    function _liveOwner(uint256 tokenId, uint16 epoch) private view returns (address owner, uint256 passportId) {
        ISoulRegistry.Soul memory soul = _souls().soulOf(tokenId);
        passportId = _boundPassport(tokenId, soul);
        if (soul.status == ISoulRegistry.Status.BURNED) revert WrongStatus(tokenId, soul.status);
        if (soul.epoch != epoch) revert WrongEpoch(tokenId, epoch, soul.epoch);

        owner = soul.sealer;
        address passportOwner = _passportOwner(passportId);
        if (passportOwner != owner || _souls().isSuspended(tokenId)) {
            revert SoulSuspended(tokenId, owner, passportOwner);
        }
    }

    function _writeState(uint256 tokenId, uint256 passportId, ISoulRegistry.Soul memory soul) private {
        bytes memory status = _statusText(tokenId, passportId, soul);
        bytes32 archiveId = _souls().archiveOf(tokenId);

        emit MetadataSynced(tokenId, passportId, soul.soulHash, string(status), archiveId);
        _setMetadata(passportId, "svcSoulHash", abi.encode(soul.soulHash));
        _setMetadata(passportId, "svcTokenId", abi.encode(tokenId));
        if (archiveId != bytes32(0)) {
            _setMetadata(passportId, "svcArweaveId", bytes(Base64.encodeURL(abi.encode(archiveId))));
        }
        _setMetadata(passportId, "svcStatus", status);
    }

    /// @dev Only for the last sealer: another owner of the passport may have approved this contract
    /// for souls of its own.
    function _clearState(uint256 tokenId, uint256 passportId, address sealer) private {
        address passportOwner = _passportOwner(passportId);
        if (passportOwner != sealer) revert NotLastSealer(tokenId, sealer, passportOwner);
        bytes memory named = _identity().getMetadata(passportId, "svcTokenId");
        if (keccak256(named) != keccak256(abi.encode(tokenId))) revert NothingToClear(tokenId, passportId);

        emit MetadataCleared(tokenId, passportId);
        _setMetadata(passportId, "svcSoulHash", "");
        _setMetadata(passportId, "svcTokenId", "");
        _setMetadata(passportId, "svcArweaveId", "");
        _setMetadata(passportId, "svcStatus", "");
    }

    /// @dev The one place that writes metadata: the compiled code then holds the call once.
    function _setMetadata(uint256 passportId, string memory key, bytes memory value) private {
        _identity().setMetadata(passportId, key, value);
    }

    function _statusText(
        uint256 tokenId,
        uint256 passportId,
        ISoulRegistry.Soul memory soul
    ) private view returns (bytes memory) {
        if (_souls().isSuspended(tokenId) || _passportOwner(passportId) != soul.sealer) return "SUSPENDED";
        return soul.status == ISoulRegistry.Status.SEALED ? bytes("SEALED") : bytes("PENDING");
    }

    /// @dev Counts an owner's write. Comes after the owner's authority, so that a repeated
    /// submission answers "this nonce was used".
    function _decide(uint256 tokenId, uint32 version) private returns (uint32 next) {
        uint32 current = versionOf[tokenId];
        if (version != current) revert WrongVersion(tokenId, version, current);

        next = current + 1;
        versionOf[tokenId] = next;
    }

    /// @dev A passport's owner can also write URI and metadata without this contract. No version
    /// counts those writes, so the signed previous value is compared too.
    function _requireCurrent(uint256 tokenId, bytes32 expected, bytes32 current) private pure {
        if (expected != current) revert Outdated(tokenId, expected, current);
    }

    function _souls() private view returns (ISoulRegistry) {
        return ISoulRegistry(SOUL_REGISTRY);
    }

    function _identity() private view returns (IIdentityRegistry) {
        return IIdentityRegistry(IDENTITY_REGISTRY);
    }

    function _passportOwner(uint256 passportId) private view returns (address) {
        return PassportReads.ownerOf(IDENTITY_REGISTRY, passportId);
    }

    function _isApproved(uint256 passportId) private view returns (bool) {
        return _identity().isAuthorizedOrOwner(address(this), passportId);
    }

    function _requireApproved(uint256 passportId) private view {
        if (!_isApproved(passportId)) revert NotApproved(passportId);
    }
}
