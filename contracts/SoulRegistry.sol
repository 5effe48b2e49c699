// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {OwnerAuthorization} from "./OwnerAuthorization.sol";
import {IHumanVerifierRegistry} from "./interfaces/IHumanVerifierRegistry.sol";
import {IOrganizationRegistry} from "./interfaces/IOrganizationRegistry.sol";
import {IPassportMint} from "./interfaces/IPassportMint.sol";
import {IPassportWriter} from "./interfaces/IPassportWriter.sol";
import {IRegistrars} from "./interfaces/IRegistrars.sol";
import {ISoulCertificate} from "./interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "./interfaces/ISoulRegistry.sol";
import {HumanProofs} from "./libraries/HumanProofs.sol";
import {Names} from "./libraries/Names.sol";
import {PassportReads} from "./libraries/PassportReads.sol";
import {SoulHashing} from "./libraries/SoulHashing.sol";

/// @title Soul registry
/// @notice See {ISoulRegistry}.
contract SoulRegistry is ISoulRegistry, OwnerAuthorization, ReentrancyGuardTransient, ERC165 {
    /* CONSTANTS */

    bytes32 private constant SOUL_REVISION = keccak256("soul_revision");
    bytes32 private constant OPERATOR_CHANGE = keccak256("operator_change");

    /// @dev How long an observation of the passport's owner can be used, in seconds. Afterwards it
    /// may be renewed.
    uint256 private constant OBSERVATION_LIFETIME = 1 days;

    /* IMMUTABLES */

    /// @inheritdoc ISoulRegistry
    address public immutable IDENTITY_REGISTRY;

    /// @inheritdoc ISoulRegistry
    IRegistrars public immutable REGISTRARS;

    /// @inheritdoc ISoulRegistry
    ISoulCertificate public immutable CERTIFICATE;

    /// @inheritdoc ISoulRegistry
    address public immutable HUMAN_VERIFIERS;

    /// @inheritdoc ISoulRegistry
    IOrganizationRegistry public immutable ORGANIZATION_REGISTRY;

    /// @inheritdoc ISoulRegistry
    IPassportWriter public immutable PASSPORT_WRITER;

    /// @inheritdoc ISoulRegistry
    IPassportMint public immutable PASSPORT_MINT;

    /* STORAGE */

    struct Record {
        address sealer;
        uint56 passportId;
        uint16 epoch;
        Status status;
        AgentType agentType;
        /// The mark of {suspend}: only {reseal} and {release} remove it.
        bool suspended;
        bytes32 soulHash;
        bytes32 soulMerkleRoot;
        bytes32 packedName;
        /// Zero when the sealer acts for the agent. This slot is written only when one of its
        /// values is needed.
        address operator;
        /// How many decisions the owners made since the registration. It never goes back, so that
        /// no signature revives.
        uint32 version;
        /// The epoch in which the sealer was attested to be a person; 0 for never.
        uint16 humanEpoch;
        /// Set at the end of a soul that was never sealed: it has no first soul hash.
        bool neverSealed;
        /// Of a provisional soul: the burned one that it is to succeed, once it is sealed. Of a
        /// burned one: its successor. 0 for none.
        uint40 relative;
    }

    struct Suspension {
        address observedOwner;
        uint48 observedBlock;
        uint48 observedAt;
    }

    mapping(uint256 tokenId => Record record) private _records;
    mapping(bytes32 packedName => uint256 tokenId) private _tokenOfName;
    /// Six 40-bit token ids a word, of passports with consecutive ids: most registrations write a
    /// word that is not zero.
    mapping(uint256 passportGroup => uint256 tokenIds) private _tokensOfPassports;
    mapping(uint256 tokenId => Suspension suspension) private _suspensions;
    /// Written at the first change of a sealed soul: until then it is the soul hash itself.
    mapping(uint256 tokenId => bytes32 soulHash) private _genesisSoulHashes;
    mapping(uint256 tokenId => mapping(uint16 epoch => bytes32 archiveId)) private _didArchives;
    /// What the passport writer writes as `svcArweaveId`. A mint on a new passport writes it there
    /// itself.
    mapping(uint256 tokenId => bytes32 archiveId) private _archives;
    uint256 private _lastTokenId;

    /* CONSTRUCTOR */

    /// @dev The certificate, the organization registry, the passport writer and the passport mint
    /// are deployed first, each for the predicted address of this contract.
    /// @param identityRegistry The chain's ERC-8004 identity registry.
    /// @param humanVerifiers The registry of approved human-verification adapters.
    /// @param registrars Says which accounts may submit what owners signed.
    /// @param certificate The certificates; must name this contract.
    /// @param organizationRegistry The organizations; must name this contract.
    /// @param passportWriter The contract that writes existing passports; must name this contract.
    /// @param passportMint The contract that registers new passports; must name this contract.
    constructor(
        address identityRegistry,
        address humanVerifiers,
        IRegistrars registrars,
        address certificate,
        address organizationRegistry,
        address passportWriter,
        address passportMint
    ) EIP712("SoulRegistry", "2") {
        _requireNamesThis(certificate);
        _requireNamesThis(organizationRegistry);
        _requireNamesThis(passportWriter);
        _requireNamesThis(passportMint);
        _requireWrites(passportWriter, identityRegistry);
        _requireWrites(passportMint, identityRegistry);
        IDENTITY_REGISTRY = identityRegistry;
        HUMAN_VERIFIERS = humanVerifiers;
        REGISTRARS = registrars;
        CERTIFICATE = ISoulCertificate(certificate);
        ORGANIZATION_REGISTRY = IOrganizationRegistry(organizationRegistry);
        PASSPORT_WRITER = IPassportWriter(passportWriter);
        PASSPORT_MINT = IPassportMint(passportMint);
    }

    /* REGISTRATION */

    modifier onlyRegistrar() {
        _requireRegistrar();
        _;
    }

    /// @inheritdoc ISoulRegistry
    function register(
        Registration calldata registration,
        Publication calldata publication,
        HumanProof calldata proof,
        bytes calldata adminConsent,
        bytes calldata signature
    ) external onlyRegistrar nonReentrant returns (uint256 tokenId, uint256 passportId) {
        bytes32 structHash = SoulHashing.hash(registration);
        address owner = registration.owner;
        bool sealing = registration.seal;
        _authorize(owner, structHash, registration.nonce, registration.deadline, signature);

        uint256 parent = registration.parentTokenId;
        if (parent != 0) _requireParent(parent, owner);
        tokenId =
            publication.reservation == 0 || registration.bindPassport
                ? ++_lastTokenId
                : _reservedTokenId(publication.expectedTokenId);
        bytes memory refusal = _beginRecord(
            tokenId,
            registration.name,
            owner,
            registration.operator,
            registration.agentType,
            registration.soulHash,
            registration.soulMerkleRoot
        );
        if (refusal.length != 0) LowLevelCall.bubbleRevert(refusal);
        CERTIFICATE.mint(owner, tokenId);

        bool agentURIHasIds;
        (passportId, agentURIHasIds) = registration.bindPassport
            ? (_ownedPassport(registration), false)
            : _newPassport(registration, publication, tokenId);
        _finishRecord(tokenId, passportId, sealing ? Status.SEALED : Status.PROVISIONAL);
        _announceRegistration(
            tokenId,
            passportId,
            owner,
            registration.name,
            registration.agentType,
            registration.operator,
            parent,
            !registration.bindPassport
        );
        if (!sealing && registration.humanProofHash != 0) revert UnexpectedHumanProof();
        address verifier = _attest(tokenId, registration.humanVerifier, registration.humanProofHash, proof);
        if (registration.bindPassport) {
            agentURIHasIds = _writePassport(tokenId, publication.archiveId, registration.agentURI);
        }
        if (sealing) {
            _announceSeal(
                tokenId,
                passportId,
                owner,
                1,
                registration.soulHash,
                registration.soulMerkleRoot,
                registration.contentHash,
                publication.archiveId,
                agentURIHasIds,
                verifier
            );
            _succeed(tokenId, parent);
        } else {
            if (_records[parent].status == Status.BURNED) _records[tokenId].relative = uint40(parent);
            emit SoulProvisioned(
                tokenId,
                registration.soulHash,
                registration.soulMerkleRoot,
                registration.contentHash,
                publication.archiveId
            );
        }
        if (registration.organizationId != 0) {
            ORGANIZATION_REGISTRY.joinAtRegistration(
                tokenId,
                registration.organizationId,
                owner,
                _hashTypedDataV4(structHash),
                adminConsent
            );
        }
    }

    /// @inheritdoc ISoulRegistry
    function registerBatch(
        RegistrationBatch calldata batch,
        BatchPublication[] calldata publications,
        BatchExpectation calldata expected,
        bytes calldata signature
    ) external onlyRegistrar nonReentrant returns (uint256 firstTokenId, uint256 firstPassportId, uint256 count) {
        uint256 length = batch.entries.length;
        if (length == 0 || length > 256 || length != publications.length) {
            revert InvalidBatch(length, publications.length);
        }
        _authorize(batch.owner, SoulHashing.hash(batch), batch.nonce, batch.deadline, signature);

        // First, because a stranger that registers in the same block makes it fail: what follows costs
        // nearly all gas of a block's transaction.
        if (expected.firstPassportId != 0 && _passportOwner(expected.firstPassportId) != address(0)) {
            revert UnexpectedPassportId(expected.firstPassportId);
        }
        firstTokenId = _lastTokenId + 1;
        if (expected.firstTokenId != 0 && expected.firstTokenId != firstTokenId) {
            revert UnexpectedTokenId(expected.firstTokenId, firstTokenId);
        }
        uint256 leftOut;
        for (uint256 i = 0; i < length; ++i) {
            if (_leavesOut(batch, i, expected, publications[i])) {
                leftOut |= 1 << i;
                continue;
            }
            BatchEntry calldata entry = batch.entries[i];
            bytes memory refusal = _beginRecord(
                firstTokenId + count,
                entry.name,
                batch.owner,
                entry.operator,
                entry.agentType,
                entry.soulHash,
                entry.soulMerkleRoot
            );
            if (refusal.length != 0) revert BatchEntryRefused(i, refusal);
            ++count;
        }
        if (count == 0) revert InvalidBatch(0, length);
        _lastTokenId += count;
        CERTIFICATE.mintBatch(batch.owner, firstTokenId, count);

        firstPassportId = PASSPORT_MINT.mintBatch(batch.owner, publications, leftOut);
        if (expected.firstPassportId != 0 && expected.firstPassportId != firstPassportId) {
            revert UnexpectedPassportId(firstPassportId);
        }
        bool agentURIsHaveIds = expected.firstTokenId != 0 && expected.firstPassportId != 0;
        uint256 position;
        for (uint256 i = 0; i < length; ++i) {
            if (leftOut & (1 << i) != 0) continue;
            _finishEntry(
                firstTokenId + position,
                firstPassportId + position,
                batch.owner,
                batch.entries[i],
                publications[i].archiveId,
                agentURIsHaveIds
            );
            ++position;
        }
        if (batch.organizationId != 0) {
            ORGANIZATION_REGISTRY.joinBatch(firstTokenId, count, batch.organizationId, batch.owner);
        }
    }

    /// @inheritdoc ISoulRegistry
    function reserve(uint256 count) external onlyRegistrar nonReentrant returns (uint256 firstTokenId) {
        firstTokenId = _lastTokenId + 1;
        _lastTokenId += count;
        PASSPORT_MINT.reserve(firstTokenId, count);
    }

    /* LIFE */

    /// @inheritdoc ISoulRegistry
    function seal(
        Seal calldata seal_,
        bytes32 archiveId,
        HumanProof calldata proof,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = seal_.tokenId;
        Record storage record = _liveRecord(tokenId, seal_.epoch);
        _requireStatus(tokenId, record, Status.PROVISIONAL);
        _authorizeOrRegistrar(record.sealer, SoulHashing.hash(seal_), seal_.nonce, seal_.deadline, signature);
        _decide(tokenId, record, seal_.version);

        _requireSoul(seal_.soulHash, seal_.soulMerkleRoot);
        record.status = Status.SEALED;
        record.soulHash = seal_.soulHash;
        record.soulMerkleRoot = seal_.soulMerkleRoot;
        address verifier = _attest(tokenId, seal_.humanVerifier, seal_.humanProofHash, proof);
        bool agentURIWritten = _writePassport(tokenId, archiveId, seal_.agentURI);
        _announceSeal(
            tokenId,
            record.passportId,
            record.sealer,
            seal_.epoch,
            seal_.soulHash,
            seal_.soulMerkleRoot,
            seal_.contentHash,
            archiveId,
            agentURIWritten,
            verifier
        );
        _succeed(tokenId, record.relative);
    }

    /// @inheritdoc ISoulRegistry
    function revise(
        RecordEvolution calldata evolution,
        bytes32 archiveId,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = evolution.tokenId;
        Record storage record = _sealedRecord(tokenId, evolution.epoch);
        _requireWellFormed(evolution, keccak256(bytes(evolution.changeType)) == SOUL_REVISION);
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
        bool agentURIWritten = _writePassport(tokenId, archiveId, evolution.agentURI);

        emit SoulRevised(
            tokenId,
            evolution.epoch,
            record.sealer,
            previous,
            evolution.newSoulHash,
            evolution.newSoulMerkleRoot,
            evolution.dataHash,
            archiveId,
            agentURIWritten
        );
    }

    /// @inheritdoc ISoulRegistry
    function reseal(
        Reseal calldata reseal_,
        bytes32 archiveId,
        HumanProof calldata proof,
        bytes calldata signature
    ) external nonReentrant {
        uint256 tokenId = reseal_.tokenId;
        address newOwner = reseal_.newOwner;
        Record storage record = _suspendedRecord(tokenId, reseal_.epoch, newOwner, reseal_.observedBlock);
        _requireSoul(reseal_.soulHash, reseal_.soulMerkleRoot);
        _authorizeOrRegistrar(newOwner, SoulHashing.hash(reseal_), reseal_.nonce, reseal_.deadline, signature);
        _decide(tokenId, record, reseal_.version);

        address previousSealer = record.sealer;
        bytes32 previousSoulHash = record.soulHash;
        uint16 epoch = reseal_.epoch + 1;
        if (previousSealer == newOwner) {
            // The sealer is still the person who was attested.
            if (record.humanEpoch == reseal_.epoch) record.humanEpoch = epoch;
        } else {
            record.sealer = newOwner;
            CERTIFICATE.move(tokenId, previousSealer, newOwner);
        }
        record.epoch = epoch;
        _setOperator(record, reseal_.operator);
        _replaceSoul(tokenId, record, reseal_.soulHash, reseal_.soulMerkleRoot);
        record.status = Status.SEALED;
        _endSuspension(tokenId, record);
        address verifier = _attest(tokenId, reseal_.humanVerifier, reseal_.humanProofHash, proof);
        bool agentURIWritten = _writePassport(tokenId, archiveId, reseal_.agentURI);

        emit SoulResealed(
            tokenId,
            previousSealer,
            newOwner,
            epoch,
            record.operator,
            previousSoulHash,
            reseal_.soulHash,
            reseal_.soulMerkleRoot,
            reseal_.contentHash,
            archiveId,
            agentURIWritten,
            verifier
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
                bytes(evolution.agentURI).length == 0 &&
                evolution.dataHash == keccak256(abi.encodePacked(operator));
        _requireWellFormed(evolution, wellFormed);
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

        _end(tokenId, record);

        emit SoulBurned(tokenId, record.passportId, owner, burn_.epoch, burn_.reasonHash);
    }

    /// @inheritdoc ISoulRegistry
    function release(Release calldata release_, bytes calldata signature) external nonReentrant {
        uint256 tokenId = release_.tokenId;
        address newOwner = release_.newOwner;
        Record storage record = _suspendedRecord(tokenId, release_.epoch, newOwner, release_.observedBlock);
        _authorizeOrCaller(newOwner, SoulHashing.hash(release_), release_.nonce, release_.deadline, signature);
        _decide(tokenId, record, release_.version);

        _endSuspension(tokenId, record);
        _end(tokenId, record);

        emit SoulReleased(tokenId, record.passportId, newOwner, record.sealer, release_.epoch);
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
    function suspend(uint256 tokenId) external nonReentrant {
        Record storage record = _records[tokenId];
        _requireLiving(tokenId, record);
        address observed = _passportOwner(record.passportId);
        if (observed == address(0) || (observed == record.sealer && !record.suspended)) revert NotSuspended(tokenId);
        Suspension storage suspension = _suspensions[tokenId];
        if (suspension.observedOwner == observed && _isRecent(suspension)) revert AlreadySuspended(tokenId, observed);

        _mark(tokenId, record, observed);
    }

    /// @inheritdoc ISoulRegistry
    function suspendBySealer(Suspend calldata suspend_, bytes calldata signature) external nonReentrant {
        uint256 tokenId = suspend_.tokenId;
        Record storage record = _sealedRecord(tokenId, suspend_.epoch);
        address owner = record.sealer;
        _authorizeOrCaller(owner, SoulHashing.hash(suspend_), suspend_.nonce, suspend_.deadline, signature);
        _decide(tokenId, record, suspend_.version);

        _mark(tokenId, record, owner);
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

        validity = passportOwner == record.sealer && !record.suspended ? Validity.VALID : Validity.SUSPENDED;
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
    function sealerOf(uint256 tokenId) external view returns (address) {
        Record storage record = _records[tokenId];
        return record.status == Status.BURNED ? address(0) : record.sealer;
    }

    /// @inheritdoc ISoulRegistry
    function liveEpochOf(uint256 tokenId) external view returns (uint16) {
        Record storage record = _records[tokenId];
        return _isValid(record) ? record.epoch : 0;
    }

    /// @inheritdoc ISoulRegistry
    function passportOf(uint256 tokenId) external view returns (uint256) {
        return _records[tokenId].passportId;
    }

    /// @inheritdoc ISoulRegistry
    function epochOf(uint256 tokenId) external view returns (uint16) {
        return _records[tokenId].epoch;
    }

    /// @inheritdoc ISoulRegistry
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId) {
        return uint40(_tokensOfPassports[passportId / 6] >> _shiftOf(passportId));
    }

    /// @inheritdoc ISoulRegistry
    function tokenOfName(string calldata name) external view returns (uint256 tokenId) {
        return _tokenOfName[_packed(name)];
    }

    /// @inheritdoc ISoulRegistry
    function nextTokenId() external view returns (uint256) {
        return _lastTokenId + 1;
    }

    /// @inheritdoc ISoulRegistry
    function successorOf(uint256 tokenId) external view returns (uint256) {
        Record storage record = _records[tokenId];
        return record.status == Status.BURNED ? record.relative : 0;
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
    function archiveOf(uint256 tokenId) external view returns (bytes32) {
        return _archives[tokenId];
    }

    /// @inheritdoc ISoulRegistry
    function versionOf(uint256 tokenId) external view returns (uint32) {
        return _records[tokenId].version;
    }

    /// @inheritdoc ISoulRegistry
    function isSuspended(uint256 tokenId) external view returns (bool) {
        return _records[tokenId].suspended;
    }

    /// @inheritdoc ISoulRegistry
    function suspensionOf(
        uint256 tokenId
    ) external view returns (address observedOwner, uint64 observedBlock, uint64 observedAt) {
        Suspension storage suspension = _suspensions[tokenId];
        return (suspension.observedOwner, suspension.observedBlock, suspension.observedAt);
    }

    /// @notice ERC-165: {ISoulRegistry} and ERC-165 itself.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(ISoulRegistry).interfaceId || super.supportsInterface(interfaceId);
    }

    /* INTERNAL: who */

    function _requireRegistrar() private view {
        if (!REGISTRARS.isRegistrar(msg.sender)) revert NotRegistrar(msg.sender);
    }

    /// @dev For operations with arguments that the owner does not sign, such as the archive id that
    /// the registrar passes.
    function _authorizeOrRegistrar(
        address owner,
        bytes32 structHash,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) private {
        if (msg.sender != owner) _requireRegistrar();
        _authorizeOrCaller(owner, structHash, nonce, deadline, signature);
    }

    /// @dev Counts a decision of the owner's, made over the decision before. Comes after the
    /// owner's authority, so that a repeated submission answers "this nonce was used".
    function _decide(uint256 tokenId, Record storage record, uint32 version) private {
        uint32 current = record.version;
        if (version != current) revert WrongVersion(tokenId, version, current);

        record.version = current + 1;

        emit OwnerDecided(tokenId, current + 1);
    }

    function _requireCurrent(uint256 tokenId, bytes32 expected, bytes32 current) private pure {
        if (expected != current) revert Outdated(tokenId, expected, current);
    }

    function _requireWellFormed(RecordEvolution calldata evolution, bool wellFormed) private pure {
        if (!wellFormed) revert InvalidEvolution(evolution.changeType);
    }

    function _requireSoul(bytes32 soulHash, bytes32 soulMerkleRoot) private pure {
        if (soulHash == bytes32(0) || soulMerkleRoot == bytes32(0)) revert EmptySoul();
    }

    function _sealedRecord(uint256 tokenId, uint16 epoch) private view returns (Record storage record) {
        record = _liveRecord(tokenId, epoch);
        _requireStatus(tokenId, record, Status.SEALED);
    }

    /// @dev The record of a soul that is not burned, in the signed epoch, without a mark, whose
    /// sealer owns the passport.
    function _liveRecord(uint256 tokenId, uint16 epoch) private view returns (Record storage record) {
        record = _records[tokenId];
        _requireLivingIn(tokenId, record, epoch);
        address passportOwner = _passportOwner(record.passportId);
        if (record.suspended || passportOwner != record.sealer) {
            revert SoulSuspended(tokenId, record.sealer, passportOwner);
        }
    }

    /// @dev The record of a marked soul in the signed epoch, whose passport `newOwner` owns now and
    /// owned when it was observed.
    function _suspendedRecord(
        uint256 tokenId,
        uint16 epoch,
        address newOwner,
        uint256 observedBlock
    ) private view returns (Record storage record) {
        record = _records[tokenId];
        _requireLivingIn(tokenId, record, epoch);
        uint256 passportId = record.passportId;
        address passportOwner = _passportOwner(passportId);
        if (passportOwner != newOwner) revert NotPassportOwner(passportId, newOwner, passportOwner);
        if (!record.suspended) revert NotSuspended(tokenId);
        Suspension storage suspension = _suspensions[tokenId];
        bool observed =
            suspension.observedOwner == newOwner &&
                suspension.observedBlock == observedBlock &&
                observedBlock < block.number &&
                _isRecent(suspension);
        if (!observed) revert NotObserved(tokenId, newOwner);
    }

    function _isRecent(Suspension storage suspension) private view returns (bool) {
        return block.timestamp <= suspension.observedAt + OBSERVATION_LIFETIME;
    }

    function _requireStatus(uint256 tokenId, Record storage record, Status status) private view {
        if (record.status != status) revert WrongStatus(tokenId, record.status);
    }

    function _requireLiving(uint256 tokenId, Record storage record) private view {
        Status status = record.status;
        if (status == Status.NONE || status == Status.BURNED) revert WrongStatus(tokenId, status);
    }

    function _requireLivingIn(uint256 tokenId, Record storage record, uint16 epoch) private view {
        _requireLiving(tokenId, record);
        if (record.epoch != epoch) revert WrongEpoch(tokenId, epoch, record.epoch);
    }

    /// @dev A living parent is its owner's in this block; the record of a burned one keeps its last
    /// owner.
    function _requireParent(uint256 parent, address owner) private view {
        Record storage record = _records[parent];
        bool owned =
            record.sealer == owner &&
                (record.status == Status.BURNED || (!record.suspended && _passportOwner(record.passportId) == owner));
        if (!owned) revert InvalidParent(parent, owner);
    }

    function _isValid(Record storage record) private view returns (bool) {
        return
            record.status == Status.SEALED && !record.suspended && _passportOwner(record.passportId) == record.sealer;
    }

    function _passportOwner(uint256 passportId) private view returns (address) {
        return PassportReads.ownerOf(IDENTITY_REGISTRY, passportId);
    }

    /// @dev For the constructor: a contract that names another soul registry would refuse every
    /// call of this one.
    function _requireNamesThis(address account) private view {
        bool named = account.code.length != 0 && ISoulCertificate(account).SOUL_REGISTRY() == address(this);
        if (!named) revert WrongRegistry(account);
    }

    /// @dev For the constructor: passports of another identity registry would be written.
    function _requireWrites(address account, address identityRegistry) private view {
        if (IPassportMint(account).IDENTITY_REGISTRY() != identityRegistry) revert WrongRegistry(account);
    }

    /* INTERNAL: minting and sealing */

    /// @dev Gives the name and writes everything but passport and seal, so that the certificate can
    /// be announced before the identity registry is called: until {_finishRecord}, the soul is
    /// provisional and on no passport that {tokenOfPassport} confirms. Returns the encoded error
    /// that refuses it, so that a batch can name the entry; empty for none.
    function _beginRecord(
        uint256 tokenId,
        string calldata name,
        address owner,
        address operator,
        AgentType agentType,
        bytes32 soulHash,
        bytes32 soulMerkleRoot
    ) private returns (bytes memory refusal) {
        bytes32 packedName = _packed(name);
        if (packedName == bytes32(0)) return abi.encodeWithSelector(InvalidName.selector, name);
        uint256 holder = _tokenOfName[packedName];
        if (holder != 0) return abi.encodeWithSelector(NameTaken.selector, name, holder);
        if (soulHash == bytes32(0) || soulMerkleRoot == bytes32(0)) {
            return abi.encodeWithSelector(EmptySoul.selector);
        }

        _tokenOfName[packedName] = tokenId;
        Record storage record = _records[tokenId];
        record.sealer = owner;
        record.epoch = 1;
        record.status = Status.PROVISIONAL;
        record.agentType = agentType;
        record.soulHash = soulHash;
        record.soulMerkleRoot = soulMerkleRoot;
        record.packedName = packedName;
        address other = _otherThan(owner, operator);
        if (other != address(0)) record.operator = other;
    }

    /// @dev Refuses a passport that carries a soul, also when a faulty identity registry hands it
    /// out as a new one.
    function _finishRecord(uint256 tokenId, uint256 passportId, Status status) private {
        if (passportId > type(uint56).max) revert PassportIdTooLarge(passportId);
        uint256 tokenIds = _tokensOfPassports[passportId / 6];
        uint256 boundTo = uint40(tokenIds >> _shiftOf(passportId));
        if (boundTo != 0) revert PassportAlreadyBound(passportId, boundTo);

        _tokensOfPassports[passportId / 6] = tokenIds | (tokenId << _shiftOf(passportId));
        Record storage record = _records[tokenId];
        record.passportId = uint56(passportId);
        record.status = status;
    }

    /// @dev Burned or released: the name stays given, the passport becomes free, the record keeps
    /// the last sealer.
    function _end(uint256 tokenId, Record storage record) private {
        if (record.status == Status.PROVISIONAL) record.neverSealed = true;
        record.relative = 0;
        record.status = Status.BURNED;
        uint256 passportId = record.passportId;
        _tokensOfPassports[passportId / 6] &= ~(uint256(type(uint40).max) << _shiftOf(passportId));
        CERTIFICATE.burn(tokenId, record.sealer);
    }

    function _mark(uint256 tokenId, Record storage record, address observed) private {
        record.suspended = true;
        _suspensions[tokenId] = Suspension(observed, uint48(block.number), uint48(block.timestamp));

        emit SoulVerificationSuspended(tokenId, record.passportId, observed, record.sealer);
    }

    function _endSuspension(uint256 tokenId, Record storage record) private {
        record.suspended = false;
        delete _suspensions[tokenId];
    }

    function _announceRegistration(
        uint256 tokenId,
        uint256 passportId,
        address owner,
        string calldata name,
        AgentType agentType,
        address operator,
        uint256 parent,
        bool newPassport
    ) private {
        emit SoulRegistered(
            tokenId,
            passportId,
            owner,
            name,
            agentType,
            _otherThan(owner, operator),
            parent,
            1,
            newPassport
        );
    }

    function _announceSeal(
        uint256 tokenId,
        uint256 passportId,
        address owner,
        uint16 epoch,
        bytes32 soulHash,
        bytes32 soulMerkleRoot,
        bytes32 contentHash,
        bytes32 archiveId,
        bool agentURIHasIds,
        address verifier
    ) private {
        emit SoulSealed(
            tokenId,
            passportId,
            owner,
            epoch,
            soulHash,
            soulMerkleRoot,
            contentHash,
            archiveId,
            agentURIHasIds,
            verifier
        );
    }

    function _finishEntry(
        uint256 tokenId,
        uint256 passportId,
        address owner,
        BatchEntry calldata entry,
        bytes32 archiveId,
        bool agentURIHasIds
    ) private {
        _finishRecord(tokenId, passportId, Status.SEALED);
        _announceRegistration(tokenId, passportId, owner, entry.name, entry.agentType, entry.operator, 0, true);
        _announceSeal(
            tokenId,
            passportId,
            owner,
            1,
            entry.soulHash,
            entry.soulMerkleRoot,
            entry.contentHash,
            archiveId,
            agentURIHasIds,
            address(0)
        );
        emit MetadataPending(tokenId, passportId);
    }

    /// @dev Whether this entry of a batch is left out: its name is taken, its signer allows that, and
    /// either no ids were predicted or the registrar foresaw it by giving no URI.
    function _leavesOut(
        RegistrationBatch calldata batch,
        uint256 index,
        BatchExpectation calldata expected,
        BatchPublication calldata publication
    ) private returns (bool) {
        bool expectsIds = expected.firstPassportId != 0;
        if (expectsIds ? bytes(publication.agentURI).length != 0 : !batch.leaveOutTakenNames) return false;

        string calldata name = batch.entries[index].name;
        uint256 holder = _tokenOfName[_packed(name)];
        if (holder == 0 && expectsIds) revert EntryWithoutURI(index);
        if (holder == 0 || !batch.leaveOutTakenNames) return false;

        emit BatchEntryLeftOut(index, name, holder);
        return true;
    }

    /// @dev A token id that was reserved and not used. That it was reserved together with its
    /// passport, {IPassportMint-mint} checks.
    function _reservedTokenId(uint256 tokenId) private view returns (uint256) {
        Status status = _records[tokenId].status;
        if (status != Status.NONE) revert WrongStatus(tokenId, status);
        return tokenId;
    }

    /// @dev Zero for a name of another form, which no soul can have.
    function _packed(string calldata name) private pure returns (bytes32) {
        return Names.isValid(name) ? bytes32(bytes(name)) : bytes32(0);
    }

    /// @dev The hash of a provisional soul was never sealed, and is forgotten.
    function _replaceSoul(uint256 tokenId, Record storage record, bytes32 soulHash, bytes32 soulMerkleRoot) private {
        if (record.status == Status.SEALED && _genesisSoulHashes[tokenId] == bytes32(0)) {
            _genesisSoulHashes[tokenId] = record.soulHash;
        }
        record.soulHash = soulHash;
        record.soulMerkleRoot = soulMerkleRoot;
    }

    function _setOperator(Record storage record, address operator) private {
        record.operator = _otherThan(record.sealer, operator);
    }

    /// @dev The operator as a record holds it: zero when the sealer acts for the agent.
    function _otherThan(address sealer, address operator) private pure returns (address) {
        return operator == sealer ? address(0) : operator;
    }

    function _genesisSoulHashOf(uint256 tokenId) private view returns (bytes32 soulHash) {
        soulHash = _genesisSoulHashes[tokenId];
        if (soulHash != bytes32(0)) return soulHash;

        Record storage record = _records[tokenId];
        if (record.status != Status.PROVISIONAL && !record.neverSealed) soulHash = record.soulHash;
    }

    /// @dev A burned parent has one successor, from this seal on.
    function _succeed(uint256 tokenId, uint256 parent) private {
        Record storage ended = _records[parent];
        if (parent == 0 || ended.status != Status.BURNED) return;
        if (ended.relative != 0) revert AlreadySucceeded(parent, ended.relative);

        ended.relative = uint40(tokenId);
        bytes32 soulHash = _records[tokenId].soulHash;
        emit SoulReincarnated(tokenId, parent, soulHash == ended.soulHash, soulHash == _genesisSoulHashOf(parent));
    }

    /// @dev Zero when the owner signed no proof; the registrar then cannot pass one. The proof is
    /// bound to owner, name, chain and this contract: see {HumanProofs}.
    function _attest(
        uint256 tokenId,
        address signedVerifier,
        bytes32 signedHash,
        HumanProof calldata proof
    ) private returns (address verifier) {
        verifier = proof.verifier;
        bool none = verifier == address(0) && proof.data.length == 0;
        bytes32 given = none ? bytes32(0) : keccak256(abi.encode(verifier, proof.data));
        if (given != signedHash || verifier != signedVerifier) revert HumanProofMismatch(signedHash, given);
        if (none) return address(0);

        Record storage record = _records[tokenId];
        string memory name = Names.unpack(record.packedName);
        record.humanEpoch = record.epoch;
        IHumanVerifierRegistry(HUMAN_VERIFIERS).consume(
            verifier,
            HumanProofs.action(name, record.epoch),
            HumanProofs.signal(record.sealer, name, address(this)),
            proof.data
        );
    }

    /* INTERNAL: passports */

    /// @dev Where a passport's token id begins in the word that it shares with five others.
    function _shiftOf(uint256 passportId) private pure returns (uint256) {
        return (passportId % 6) * 40;
    }

    function _newPassport(
        Registration calldata registration,
        Publication calldata publication,
        uint256 tokenId
    ) private returns (uint256 passportId, bool agentURIHasIds) {
        if (registration.passportId != 0) revert UnexpectedPassportId(registration.passportId);
        if (bytes(registration.agentURI).length != 0) revert UnexpectedAgentURI();

        return PASSPORT_MINT.mint(registration.owner, tokenId, registration.soulHash, registration.seal, publication);
    }

    function _ownedPassport(Registration calldata registration) private view returns (uint256 passportId) {
        passportId = registration.passportId;
        address passportOwner = _passportOwner(passportId);
        if (passportOwner != registration.owner) {
            revert NotPassportOwner(passportId, registration.owner, passportOwner);
        }
    }

    /// @dev Call it once the soul's state is final: the writer reads it. Returns whether the
    /// passport now points at `agentURI`.
    function _writePassport(
        uint256 tokenId,
        bytes32 archiveId,
        string calldata agentURI
    ) private returns (bool agentURIWritten) {
        _archives[tokenId] = archiveId;
        return PASSPORT_WRITER.write(tokenId, agentURI) && bytes(agentURI).length != 0;
    }
}
