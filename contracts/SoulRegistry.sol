// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {OrganizationRegistry} from "./OrganizationRegistry.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {SoulCertificate} from "./SoulCertificate.sol";
import {IIdentityRegistry} from "./erc8004/interfaces/IIdentityRegistry.sol";
import {IHumanVerifierRegistry} from "./interfaces/IHumanVerifierRegistry.sol";
import {IOrganizationRegistry} from "./interfaces/IOrganizationRegistry.sol";
import {ISoulCertificate} from "./interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {HumanProofs} from "./libraries/HumanProofs.sol";
import {Names} from "./libraries/Names.sol";
import {PassportReads} from "./libraries/PassportReads.sol";
import {SoulHashing} from "./libraries/SoulHashing.sol";

/// @title Soul registry
/// @notice See {ISoulRegistry}.
contract SoulRegistry is ISoulRegistry, OwnerAuthorization, AccessControl, ReentrancyGuardTransient, IERC721Receiver {
    /* CONSTANTS */

    /// @notice May submit what owners signed to register, seal, revise and reseal, and nothing else.
    bytes32 public constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");

    bytes32 private constant SOUL_REVISION = keccak256("soul_revision");
    bytes32 private constant OPERATOR_CHANGE = keccak256("operator_change");

    /// @dev What the identity registry may take to write advisory metadata: enough for a new word behind a proxy.
    uint256 private constant ADVISORY_GAS = 200_000;

    /* IMMUTABLES */

    /// @inheritdoc ISoulRegistry
    address public immutable IDENTITY_REGISTRY;

    /// @inheritdoc ISoulRegistry
    ISoulCertificate public immutable CERTIFICATE;

    /// @inheritdoc ISoulRegistry
    address public immutable HUMAN_VERIFIERS;

    /// @inheritdoc ISoulRegistry
    IOrganizationRegistry public immutable ORGANIZATION_REGISTRY;

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
        /// Zero when the sealer acts for the agent. This slot is written only when one of its values is needed.
        address operator;
        /// How many decisions the owners made since the registration. It never goes back, so that no signature revives.
        uint32 version;
        /// The epoch in which the sealer was attested to be a person; 0 for never.
        uint16 humanEpoch;
        /// Set at the end of a soul that never was sealed: its hash is nobody's first one.
        bool neverSealed;
        /// Of a provisional soul: the burned one that it is to succeed, once it is sealed; 0 for none.
        uint40 successorOf;
    }

    struct Suspension {
        address observedOwner;
        uint64 observedBlock;
    }

    mapping(uint256 tokenId => Record record) private _records;
    mapping(bytes32 packedName => uint256 tokenId) private _tokenOfName;
    /// Six 40-bit token ids a word, of passports with consecutive ids: most registrations write a word that is not zero.
    mapping(uint256 passportGroup => uint256 tokenIds) private _tokensOfPassports;
    mapping(uint256 tokenId => Suspension suspension) private _suspensions;
    /// Written at the first change of a sealed soul: until then it is the soul hash itself.
    mapping(uint256 tokenId => bytes32 soulHash) private _genesisSoulHashes;
    mapping(uint256 tokenId => mapping(uint16 epoch => bytes32 archiveId)) private _didArchives;
    uint256 private _lastTokenId;

    /* CONSTRUCTOR */

    /// @param identityRegistry The chain's ERC-8004 identity registry.
    /// @param humanVerifiers The registry of approved human-verification adapters.
    /// @param admin Grants and revokes roles; holds no other power.
    /// @param registrar The first holder of REGISTRAR_ROLE.
    constructor(
        address identityRegistry,
        address humanVerifiers,
        address admin,
        address registrar
    ) EIP712("SoulRegistry", "1") {
        IDENTITY_REGISTRY = identityRegistry;
        HUMAN_VERIFIERS = humanVerifiers;
        CERTIFICATE = new SoulCertificate(this);
        ORGANIZATION_REGISTRY = new OrganizationRegistry(this);
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
        _grantRole(REGISTRAR_ROLE, registrar);
    }

    /* REGISTRATION */

    /// @inheritdoc ISoulRegistry
    function register(
        Registration calldata registration,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata adminConsent,
        bytes calldata signature
    ) external onlyRole(REGISTRAR_ROLE) nonReentrant returns (uint256 tokenId, uint256 passportId) {
        bytes32 structHash = SoulHashing.hash(registration);
        _authorize(registration.owner, structHash, registration.nonce, registration.deadline, signature);

        uint256 parent = registration.parentTokenId;
        if (parent != 0) _requireParent(parent, registration.owner);
        tokenId = ++_lastTokenId;
        bytes32 packedName = _giveName(registration.name, tokenId);

        bool agentURIHasIds;
        (passportId, agentURIHasIds) = registration.bindPassport
            ? (_bindablePassport(registration), false)
            : _createPassport(registration, publication, tokenId);

        _mint(
            tokenId,
            passportId,
            Minting(
                registration.owner,
                registration.operator,
                registration.agentType,
                registration.soulHash,
                registration.soulMerkleRoot,
                packedName,
                registration.seal ? Status.SEALED : Status.PROVISIONAL
            )
        );
        emit SoulRegistered(
            tokenId,
            passportId,
            registration.owner,
            registration.name,
            registration.agentType,
            _records[tokenId].operator,
            parent,
            1,
            !registration.bindPassport
        );
        if (registration.bindPassport) {
            agentURIHasIds = _writePassport(
                passportId,
                tokenId,
                registration.soulHash,
                registration.seal ? bytes("SEALED") : bytes("PENDING"),
                publication
            );
        }
        if (registration.seal) {
            _announceSeal(
                tokenId,
                registration.soulHash,
                registration.soulMerkleRoot,
                registration.contentHash,
                publication.archiveId,
                agentURIHasIds,
                _attest(registration.owner, registration.name, tokenId, proof)
            );
            _emitReincarnation(tokenId, parent);
        } else if (_records[parent].status == Status.BURNED) {
            _records[tokenId].successorOf = uint40(parent);
        }
        if (registration.organizationId != 0) {
            ORGANIZATION_REGISTRY.joinAtRegistration(
                tokenId,
                registration.organizationId,
                registration.owner,
                _hashTypedDataV4(structHash),
                adminConsent
            );
        }
    }

    /// @inheritdoc ISoulRegistry
    function registerBatch(
        RegistrationBatch calldata batch,
        BatchPublication[] calldata publications,
        bytes calldata signature
    ) external onlyRole(REGISTRAR_ROLE) nonReentrant returns (uint256 firstTokenId) {
        uint256 count = batch.entries.length;
        if (count == 0 || count != publications.length) revert InvalidBatch(count, publications.length);
        _authorize(batch.owner, SoulHashing.hash(batch), batch.nonce, batch.deadline, signature);

        firstTokenId = _lastTokenId + 1;
        _lastTokenId += count;
        uint256[] memory passportIds = _createPassports(firstTokenId, batch.entries, publications);
        for (uint256 i = 0; i < count; ++i) {
            _registerEntry(firstTokenId + i, passportIds[i], batch.owner, batch.entries[i], publications[i].archiveId);
        }
        if (batch.organizationId != 0) {
            ORGANIZATION_REGISTRY.joinBatch(firstTokenId, count, batch.organizationId, batch.owner);
        }
    }

    /// @dev Accepts only the passport that this contract is minting: a token sent by anybody else would be stuck here.
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

    /* LIFE */

    /// @inheritdoc ISoulRegistry
    function seal(
        Seal calldata seal_,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = seal_.tokenId;
        Record storage record = _liveRecord(tokenId, seal_.epoch);
        _requireStatus(tokenId, record, Status.PROVISIONAL);
        address owner = record.sealer;
        _authorizeOrRegistrar(owner, SoulHashing.hash(seal_), seal_.nonce, seal_.deadline, signature);
        _decide(tokenId, record, seal_.version);

        _requireSoul(seal_.soulHash, seal_.soulMerkleRoot);
        record.status = Status.SEALED;
        record.soulHash = seal_.soulHash;
        record.soulMerkleRoot = seal_.soulMerkleRoot;
        bool hasIds = _writePassport(record.passportId, tokenId, seal_.soulHash, "SEALED", publication);
        _announceSeal(
            tokenId,
            seal_.soulHash,
            seal_.soulMerkleRoot,
            seal_.contentHash,
            publication.archiveId,
            hasIds,
            _attest(owner, Names.unpack(record.packedName), tokenId, proof)
        );
        _emitReincarnation(tokenId, record.successorOf);
    }

    /// @inheritdoc ISoulRegistry
    function revise(
        RecordEvolution calldata evolution,
        string calldata archiveId,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = evolution.tokenId;
        Record storage record = _sealedRecord(tokenId, evolution.epoch);
        if (keccak256(bytes(evolution.changeType)) != SOUL_REVISION) revert InvalidEvolution(evolution.changeType);
        _requireSoul(evolution.newSoulHash, evolution.newSoulMerkleRoot);
        _authorizeOrRegistrar(
            record.sealer,
            SoulHashing.hash(evolution),
            evolution.nonce,
            evolution.deadline,
            signature
        );
        _decide(tokenId, record, evolution.version);
        bytes32 previous = record.soulHash;
        _requireCurrent(tokenId, evolution.previousSoulHash, previous);

        _replaceSoul(tokenId, record, evolution.newSoulHash, evolution.newSoulMerkleRoot);
        _syncMetadata(tokenId, record.passportId, evolution.newSoulHash, "SEALED");

        emit SoulRevised(
            tokenId,
            evolution.epoch,
            record.sealer,
            previous,
            evolution.newSoulHash,
            evolution.newSoulMerkleRoot,
            evolution.dataHash,
            archiveId
        );
    }

    /// @inheritdoc ISoulRegistry
    function reseal(
        Reseal calldata reseal_,
        Publication calldata publication,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = reseal_.tokenId;
        Record storage record = _records[tokenId];
        _requireLivingIn(tokenId, record, reseal_.epoch);
        _requireObserved(tokenId, record, reseal_.newOwner);
        _requireSoul(reseal_.soulHash, reseal_.soulMerkleRoot);
        _authorizeOrRegistrar(reseal_.newOwner, SoulHashing.hash(reseal_), reseal_.nonce, reseal_.deadline, signature);
        _decide(tokenId, record, reseal_.version);

        address previousSealer = record.sealer;
        bytes32 previousSoulHash = record.soulHash;
        record.sealer = reseal_.newOwner;
        record.epoch += 1;
        _setOperator(record, reseal_.operator);
        _replaceSoul(tokenId, record, reseal_.soulHash, reseal_.soulMerkleRoot);
        record.status = Status.SEALED;
        delete _suspensions[tokenId];
        CERTIFICATE.move(tokenId, reseal_.newOwner);
        _writePassport(record.passportId, tokenId, reseal_.soulHash, "SEALED", publication);

        emit SoulResealed(
            tokenId,
            previousSealer,
            reseal_.newOwner,
            record.epoch,
            record.operator,
            previousSoulHash,
            reseal_.soulHash,
            reseal_.soulMerkleRoot,
            reseal_.contentHash,
            publication.archiveId
        );
    }

    /// @inheritdoc ISoulRegistry
    function changeOperator(
        RecordEvolution calldata evolution,
        address operator,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = evolution.tokenId;
        Record storage record = _sealedRecord(tokenId, evolution.epoch);
        bool wellFormed =
            keccak256(bytes(evolution.changeType)) == OPERATOR_CHANGE &&
                evolution.newSoulHash == bytes32(0) &&
                evolution.newSoulMerkleRoot == bytes32(0) &&
                evolution.dataHash == keccak256(abi.encodePacked(operator));
        if (!wellFormed) revert InvalidEvolution(evolution.changeType);
        _authorizeOrCaller(record.sealer, SoulHashing.hash(evolution), evolution.nonce, evolution.deadline, signature);
        _decide(tokenId, record, evolution.version);
        _requireCurrent(tokenId, evolution.previousSoulHash, record.soulHash);

        address previous = record.operator;
        _setOperator(record, operator);

        emit OperatorChanged(tokenId, evolution.epoch, record.operator, previous, record.version);
    }

    /// @inheritdoc ISoulRegistry
    function burn(Burn calldata burn_, bytes calldata signature) external nonReentrant {
        uint256 tokenId = burn_.tokenId;
        Record storage record = _liveRecord(tokenId, burn_.epoch);
        address owner = record.sealer;
        _authorizeOrCaller(owner, SoulHashing.hash(burn_), burn_.nonce, burn_.deadline, signature);
        _decide(tokenId, record, burn_.version);

        uint256 passportId = record.passportId;
        if (record.status == Status.PROVISIONAL) record.neverSealed = true;
        record.status = Status.BURNED;
        _setTokenOfPassport(passportId, 0);
        CERTIFICATE.burn(tokenId);

        emit SoulBurned(tokenId, passportId, owner, burn_.epoch, burn_.reasonHash);
        _tryWriteStatus(passportId, "");
    }

    /// @inheritdoc ISoulRegistry
    function setDidArchive(SetDidArchive calldata change, bytes calldata signature) external {
        uint256 tokenId = change.tokenId;
        Record storage record = _sealedRecord(tokenId, change.epoch);
        _authorizeOrCaller(record.sealer, SoulHashing.hash(change), change.nonce, change.deadline, signature);
        _decide(tokenId, record, change.version);
        bytes32 previous = _didArchives[tokenId][change.epoch];
        _requireCurrent(tokenId, change.previousArchiveId, previous);

        _didArchives[tokenId][change.epoch] = change.archiveId;

        emit DidArchiveSet(tokenId, change.epoch, change.archiveId, previous);
    }

    /// @inheritdoc ISoulRegistry
    function setAgentURI(SetAgentURI calldata change, bytes calldata signature) external nonReentrant {
        uint256 tokenId = change.tokenId;
        Record storage record = _liveRecord(tokenId, change.epoch);
        uint256 passportId = record.passportId;
        _requireApproved(passportId);
        _authorizeOrCaller(record.sealer, SoulHashing.hash(change), change.nonce, change.deadline, signature);
        _decide(tokenId, record, change.version);
        bytes32 current = keccak256(bytes(IIdentityRegistry(IDENTITY_REGISTRY).tokenURI(passportId)));
        _requireCurrent(tokenId, change.previousURIHash, current);

        IIdentityRegistry(IDENTITY_REGISTRY).setAgentURI(passportId, change.agentURI);
    }

    /// @inheritdoc ISoulRegistry
    function setMetadata(SetMetadata calldata change, bytes calldata signature) external nonReentrant {
        uint256 tokenId = change.tokenId;
        Record storage record = _liveRecord(tokenId, change.epoch);
        uint256 passportId = record.passportId;
        bytes calldata key = bytes(change.key);
        if (key.length >= 3 && bytes3(key[:3]) == "svc") revert ReservedMetadataKey(change.key);
        _requireApproved(passportId);
        _authorizeOrCaller(record.sealer, SoulHashing.hash(change), change.nonce, change.deadline, signature);
        _decide(tokenId, record, change.version);
        bytes32 current = keccak256(IIdentityRegistry(IDENTITY_REGISTRY).getMetadata(passportId, change.key));
        _requireCurrent(tokenId, change.previousValueHash, current);

        IIdentityRegistry(IDENTITY_REGISTRY).setMetadata(passportId, change.key, change.value);
    }

    /// @inheritdoc ISoulRegistry
    function suspend(uint256 tokenId) external nonReentrant {
        Record storage record = _records[tokenId];
        _requireLiving(tokenId, record);
        address observed = _passportOwner(record.passportId);
        address sealer = record.sealer;
        if (observed == sealer || observed == address(0)) revert NotSuspended(tokenId);
        if (_suspensions[tokenId].observedOwner == observed) revert AlreadySuspended(tokenId, observed);

        _suspensions[tokenId] = Suspension(observed, uint64(block.number));

        emit SoulVerificationSuspended(tokenId, record.passportId, observed, sealer);
        _tryWriteStatus(record.passportId, "SUSPENDED");
    }

    /// @inheritdoc ISoulRegistry
    function syncMetadata(uint256 tokenId) external nonReentrant {
        Record storage record = _records[tokenId];
        uint256 passportId = record.passportId;
        _requireLiving(tokenId, record);
        _requireApproved(passportId);

        bytes memory status =
            _passportOwner(passportId) != record.sealer
                ? bytes("SUSPENDED")
                : record.status == Status.SEALED
                    ? bytes("SEALED")
                    : bytes("PENDING");
        _syncMetadata(tokenId, passportId, record.soulHash, status);
    }

    /* READS */

    /// @inheritdoc ISoulRegistry
    function authorityOf(uint256 tokenId) external view returns (address owner, address operator, uint16 epoch) {
        Record storage record = _records[tokenId];
        epoch = record.epoch;
        if (!_isValid(record)) return (address(0), address(0), epoch);

        owner = record.sealer;
        operator = record.operator == address(0) ? owner : record.operator;
    }

    /// @inheritdoc ISoulRegistry
    function isValid(uint256 tokenId) external view returns (bool) {
        return _isValid(_records[tokenId]);
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
    function liveEpochOf(uint256 tokenId) external view returns (uint16) {
        Record storage record = _records[tokenId];
        return _isValid(record) ? record.epoch : 0;
    }

    /// @inheritdoc ISoulRegistry
    function epochOf(uint256 tokenId) external view returns (uint16) {
        return _records[tokenId].epoch;
    }

    /// @inheritdoc ISoulRegistry
    function tokenOfPassport(uint256 passportId) public view returns (uint256 tokenId) {
        return uint40(_tokensOfPassports[passportId / 6] >> ((passportId % 6) * 40));
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
    function humanVerified(uint256 tokenId) external view returns (bool) {
        Record storage record = _records[tokenId];
        return record.humanEpoch != 0 && record.humanEpoch == record.epoch && _isValid(record);
    }

    /// @inheritdoc ISoulRegistry
    function genesisSoulHashOf(uint256 tokenId) external view returns (bytes32) {
        return _genesisSoulHashOf(tokenId);
    }

    /// @inheritdoc ISoulRegistry
    function didArchiveOf(uint256 tokenId) external view returns (bytes32) {
        return _didArchives[tokenId][_records[tokenId].epoch];
    }

    /// @inheritdoc ISoulRegistry
    function versionOf(uint256 tokenId) external view returns (uint32) {
        return _records[tokenId].version;
    }

    /// @inheritdoc ISoulRegistry
    function suspensionOf(uint256 tokenId) external view returns (address observedOwner, uint64 observedBlock) {
        Suspension storage suspension = _suspensions[tokenId];
        return (suspension.observedOwner, suspension.observedBlock);
    }

    /// @notice ERC-165: {ISoulRegistry}, the ERC-721 receiver and access control.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return
            interfaceId == type(ISoulRegistry).interfaceId ||
            interfaceId == type(IERC721Receiver).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    /* INTERNAL: who */

    /// @dev For operations that carry what no owner signed, such as where the registrar archived something.
    function _authorizeOrRegistrar(
        address owner,
        bytes32 structHash,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) private {
        if (msg.sender != owner) _checkRole(REGISTRAR_ROLE);
        _authorizeOrCaller(owner, structHash, nonce, deadline, signature);
    }

    /// @dev Counts a decision of the owner's, made over the decision before. Comes after the owner's authority, so that a repeated
    /// submission answers "this nonce was used".
    function _decide(uint256 tokenId, Record storage record, uint32 version) private {
        uint32 current = record.version;
        if (version != current) revert WrongVersion(tokenId, version, current);

        record.version = current + 1;

        emit OwnerDecided(tokenId, current + 1);
    }

    /// @dev What is to be replaced must be what the owner saw: a passport's URI and metadata change without a decision made here.
    function _requireCurrent(uint256 tokenId, bytes32 expected, bytes32 current) private pure {
        if (expected != current) revert Outdated(tokenId, expected, current);
    }

    function _requireSoul(bytes32 soulHash, bytes32 soulMerkleRoot) private pure {
        if (soulHash == bytes32(0) || soulMerkleRoot == bytes32(0)) revert EmptySoul();
    }

    function _sealedRecord(uint256 tokenId, uint16 epoch) private view returns (Record storage record) {
        record = _liveRecord(tokenId, epoch);
        _requireStatus(tokenId, record, Status.SEALED);
    }

    /// @dev The record of a soul that is not burned, in the signed epoch, whose sealer owns the passport in this block.
    function _liveRecord(uint256 tokenId, uint16 epoch) private view returns (Record storage record) {
        record = _records[tokenId];
        _requireLivingIn(tokenId, record, epoch);
        address passportOwner = _passportOwner(record.passportId);
        if (passportOwner != record.sealer) revert SoulSuspended(tokenId, record.sealer, passportOwner);
    }

    function _requireStatus(uint256 tokenId, Record storage record, Status status) private view {
        if (record.status != status) revert WrongStatus(tokenId, record.status);
    }

    function _requireLiving(uint256 tokenId, Record storage record) private view {
        if (record.status == Status.NONE || record.status == Status.BURNED) revert WrongStatus(tokenId, record.status);
    }

    function _requireLivingIn(uint256 tokenId, Record storage record, uint16 epoch) private view {
        _requireLiving(tokenId, record);
        if (record.epoch != epoch) revert WrongEpoch(tokenId, epoch, record.epoch);
    }

    function _requireObserved(uint256 tokenId, Record storage record, address newOwner) private view {
        address passportOwner = _passportOwner(record.passportId);
        if (passportOwner != newOwner) revert NotPassportOwner(record.passportId, newOwner, passportOwner);
        if (newOwner == record.sealer) revert NotSuspended(tokenId);
        Suspension storage suspension = _suspensions[tokenId];
        if (suspension.observedOwner != newOwner || suspension.observedBlock >= block.number) {
            revert NotObserved(tokenId, newOwner);
        }
    }

    /// @dev A living parent is its owner's in this block; of a burned one, whose passport is free, the record keeps the owner.
    function _requireParent(uint256 parent, address owner) private view {
        Record storage record = _records[parent];
        bool owned =
            record.sealer == owner && (record.status == Status.BURNED || _passportOwner(record.passportId) == owner);
        if (!owned) revert InvalidParent(parent, owner);
    }

    function _isValid(Record storage record) private view returns (bool) {
        return record.status == Status.SEALED && _passportOwner(record.passportId) == record.sealer;
    }

    function _passportOwner(uint256 passportId) private view returns (address) {
        return PassportReads.ownerOf(IDENTITY_REGISTRY, passportId);
    }

    function _isApproved(uint256 passportId) private view returns (bool) {
        return IIdentityRegistry(IDENTITY_REGISTRY).isAuthorizedOrOwner(address(this), passportId);
    }

    function _requireApproved(uint256 passportId) private view {
        if (!_isApproved(passportId)) revert NotApproved(passportId);
    }

    /// @dev Metadata is advisory: a registry that refuses it, or burns what gas it gets, must keep no suspension from being
    /// recorded, and no soul from being burned. Where this contract is not approved, the registry refuses.
    function _tryWriteStatus(uint256 passportId, bytes memory status) private {
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        try identity.setMetadata{gas: ADVISORY_GAS}(passportId, "svcStatus", status) {} catch {}
    }

    /* INTERNAL: minting and sealing */

    /// @dev What a new record holds, wherever it comes from.
    struct Minting {
        address owner;
        address operator;
        AgentType agentType;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 packedName;
        Status status;
    }

    function _mint(uint256 tokenId, uint256 passportId, Minting memory minting) private {
        // Not {_requireSoul}: its call would be paid for by each agent of a batch.
        if (minting.soulHash == bytes32(0) || minting.soulMerkleRoot == bytes32(0)) revert EmptySoul();
        if (passportId > type(uint64).max) revert PassportIdTooLarge(passportId);

        _setTokenOfPassport(passportId, tokenId);
        Record storage record = _records[tokenId];
        record.sealer = minting.owner;
        record.passportId = uint64(passportId);
        record.epoch = 1;
        record.status = minting.status;
        record.agentType = minting.agentType;
        record.soulHash = minting.soulHash;
        record.soulMerkleRoot = minting.soulMerkleRoot;
        record.packedName = minting.packedName;
        if (minting.operator != minting.owner && minting.operator != address(0)) record.operator = minting.operator;
        CERTIFICATE.mint(minting.owner, tokenId);
    }

    function _announceSeal(
        uint256 tokenId,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        string calldata archiveId,
        bool agentURIHasIds,
        address verifier
    ) private {
        Record storage record = _records[tokenId];

        emit SoulSealed(
            tokenId,
            record.passportId,
            record.sealer,
            record.epoch,
            soulHash,
            soulMerkleRoot,
            contentHash,
            archiveId,
            agentURIHasIds,
            verifier
        );
    }

    /// @dev Gives every name and registers every passport before the first is handed over: this contract's balance then is
    /// written from zero once, and not for each.
    function _createPassports(
        uint256 firstTokenId,
        BatchEntry[] calldata entries,
        BatchPublication[] calldata publications
    ) private returns (uint256[] memory passportIds) {
        passportIds = new uint256[](entries.length);
        for (uint256 i = 0; i < entries.length; ++i) {
            bytes memory refusal = _refusalOf(entries[i]);
            if (refusal.length != 0) revert BatchEntryRefused(i, refusal);

            _tokenOfName[Names.pack(entries[i].name)] = firstTokenId + i;
            passportIds[i] = IIdentityRegistry(IDENTITY_REGISTRY).register(publications[i].agentURI);
        }
    }

    function _registerEntry(
        uint256 tokenId,
        uint256 passportId,
        address owner,
        BatchEntry calldata entry,
        string calldata archiveId
    ) private {
        IIdentityRegistry(IDENTITY_REGISTRY).transferFrom(address(this), owner, passportId);
        _mint(
            tokenId,
            passportId,
            Minting(
                owner,
                entry.operator,
                entry.agentType,
                entry.soulHash,
                entry.soulMerkleRoot,
                Names.pack(entry.name),
                Status.SEALED
            )
        );
        emit SoulRegistered(
            tokenId,
            passportId,
            owner,
            entry.name,
            entry.agentType,
            _records[tokenId].operator,
            0,
            1,
            true
        );
        _announceSeal(tokenId, entry.soulHash, entry.soulMerkleRoot, entry.contentHash, archiveId, false, address(0));
        emit MetadataPending(tokenId, passportId);
    }

    /// @dev The error that a batch's entry deserves, encoded; empty for none.
    function _refusalOf(BatchEntry calldata entry) private view returns (bytes memory) {
        if (!Names.isValid(entry.name)) return abi.encodeWithSelector(InvalidName.selector, entry.name);
        uint256 holder = _tokenOfName[Names.pack(entry.name)];
        if (holder != 0) return abi.encodeWithSelector(NameTaken.selector, entry.name, holder);
        if (entry.soulHash == bytes32(0) || entry.soulMerkleRoot == bytes32(0)) {
            return abi.encodeWithSelector(EmptySoul.selector);
        }
        return "";
    }

    function _giveName(string calldata name, uint256 tokenId) private returns (bytes32 packedName) {
        if (!Names.isValid(name)) revert InvalidName(name);

        packedName = Names.pack(name);
        uint256 holder = _tokenOfName[packedName];
        if (holder != 0) revert NameTaken(name, holder);

        _tokenOfName[packedName] = tokenId;
    }

    /// @dev What a provisional soul held was never sealed, and is forgotten.
    function _replaceSoul(uint256 tokenId, Record storage record, bytes32 soulHash, bytes32 soulMerkleRoot) private {
        if (record.status == Status.SEALED && _genesisSoulHashes[tokenId] == bytes32(0)) {
            _genesisSoulHashes[tokenId] = record.soulHash;
        }
        record.soulHash = soulHash;
        record.soulMerkleRoot = soulMerkleRoot;
    }

    function _setOperator(Record storage record, address operator) private {
        record.operator = operator == record.sealer ? address(0) : operator;
    }

    function _genesisSoulHashOf(uint256 tokenId) private view returns (bytes32 soulHash) {
        soulHash = _genesisSoulHashes[tokenId];
        if (soulHash != bytes32(0)) return soulHash;

        Record storage record = _records[tokenId];
        if (record.status != Status.PROVISIONAL && !record.neverSealed) soulHash = record.soulHash;
    }

    function _emitReincarnation(uint256 tokenId, uint256 parent) private {
        if (parent == 0 || _records[parent].status != Status.BURNED) return;

        bytes32 soulHash = _records[tokenId].soulHash;
        emit SoulReincarnated(
            tokenId,
            parent,
            soulHash == _records[parent].soulHash,
            soulHash == _genesisSoulHashOf(parent)
        );
    }

    /// @dev Zero when no proof was given. The proof is bound to owner, name, chain and this contract: see {HumanProofs}.
    function _attest(
        address owner,
        string memory name,
        uint256 tokenId,
        HumanProof calldata proof
    ) private returns (address) {
        if (proof.verifier == address(0)) return address(0);

        IHumanVerifierRegistry(HUMAN_VERIFIERS).consume(
            proof.verifier,
            HumanProofs.action(name),
            HumanProofs.signal(owner, name, address(this)),
            proof.data
        );
        Record storage record = _records[tokenId];
        record.humanEpoch = record.epoch;
        return proof.verifier;
    }

    /* INTERNAL: passports */

    function _setTokenOfPassport(uint256 passportId, uint256 tokenId) private {
        uint256 shift = (passportId % 6) * 40;
        uint256 others = _tokensOfPassports[passportId / 6] & ~(uint256(type(uint40).max) << shift);
        _tokensOfPassports[passportId / 6] = others | (tokenId << shift);
    }

    /// @dev The metadata is written while this contract still holds the passport: afterwards it has no right to.
    /// The hand-over is not a safe transfer, so that an owner's code cannot run in the middle of a registration.
    function _createPassport(
        Registration calldata registration,
        Publication calldata publication,
        uint256 tokenId
    ) private returns (uint256 passportId, bool agentURIHasIds) {
        if (registration.passportId != 0) revert UnexpectedPassportId(registration.passportId);
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);

        IIdentityRegistry.MetadataEntry[] memory metadata = new IIdentityRegistry.MetadataEntry[](4);
        metadata[0] = IIdentityRegistry.MetadataEntry("svcSoulHash", abi.encode(registration.soulHash));
        metadata[1] = IIdentityRegistry.MetadataEntry("svcTokenId", abi.encode(tokenId));
        metadata[2] = IIdentityRegistry.MetadataEntry("svcArweaveId", bytes(publication.archiveId));
        metadata[3] = IIdentityRegistry.MetadataEntry(
            "svcStatus",
            registration.seal ? bytes("SEALED") : bytes("PENDING")
        );

        passportId = identity.register(publication.agentURI, metadata);
        agentURIHasIds = passportId == publication.expectedPassportId && tokenId == publication.expectedTokenId;
        if (!agentURIHasIds) identity.setAgentURI(passportId, publication.agentURIWithoutIds);
        identity.transferFrom(address(this), registration.owner, passportId);
    }

    function _bindablePassport(Registration calldata registration) private view returns (uint256 passportId) {
        passportId = registration.passportId;
        address passportOwner = _passportOwner(passportId);
        if (passportOwner != registration.owner) {
            revert NotPassportOwner(passportId, registration.owner, passportOwner);
        }
        uint256 tokenId = tokenOfPassport(passportId);
        if (tokenId != 0) revert PassportAlreadyBound(passportId, tokenId);
    }

    /// @dev Writes metadata and, when it names the right ids, the URI to a passport that this contract does not hold. Says
    /// whether the passport now points at the file with ids; emits MetadataPending where it is not approved.
    function _writePassport(
        uint256 passportId,
        uint256 tokenId,
        bytes32 soulHash,
        bytes memory status,
        Publication calldata publication
    ) private returns (bool agentURIHasIds) {
        if (!_syncMetadata(tokenId, passportId, soulHash, status)) return false;

        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        identity.setMetadata(passportId, "svcArweaveId", bytes(publication.archiveId));
        agentURIHasIds = passportId == publication.expectedPassportId && tokenId == publication.expectedTokenId;
        if (agentURIHasIds) identity.setAgentURI(passportId, publication.agentURI);
    }

    function _syncMetadata(
        uint256 tokenId,
        uint256 passportId,
        bytes32 soulHash,
        bytes memory status
    ) private returns (bool written) {
        if (!_isApproved(passportId)) {
            emit MetadataPending(tokenId, passportId);
            return false;
        }
        IIdentityRegistry identity = IIdentityRegistry(IDENTITY_REGISTRY);
        identity.setMetadata(passportId, "svcSoulHash", abi.encode(soulHash));
        identity.setMetadata(passportId, "svcTokenId", abi.encode(tokenId));
        identity.setMetadata(passportId, "svcStatus", status);
        return true;
    }
}
