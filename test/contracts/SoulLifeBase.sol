// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {HumanProofs} from "../../contracts/libraries/HumanProofs.sol";

/// @dev Stands where the human verifier registry does: accepts any proof but one, and keeps what it
/// was asked.
contract HumanVerifiersDouble {
    error ProofRefused(address verifier);

    bytes32 public lastCall;
    uint256 public calls;
    mapping(address consumer => mapping(bytes32 action => address verifier)) public verifierOf;
    mapping(address verifier => bool approved) public isApproved;

    function setApproved(address verifier, bool approved) external {
        isApproved[verifier] = approved;
    }

    function consume(address verifier, bytes32 action, bytes32 signal, bytes calldata data) external returns (bytes32) {
        if (keccak256(data) == keccak256("refused")) revert ProofRefused(verifier);
        lastCall = keccak256(abi.encode(msg.sender, verifier, action, signal, data));
        ++calls;
        verifierOf[msg.sender][action] = verifier;
        return keccak256(data);
    }
}

/// @dev A soul's operations as data: staged, signed and submitted alike, so that a rule for all is
/// tested for all.
abstract contract SoulLifeBase is SoulRegistryBase {
    enum Operation {
        SEAL,
        REVISE,
        RESEAL,
        CHANGE_OPERATOR,
        BURN,
        RELEASE,
        SET_DID_ARCHIVE,
        SUSPEND
    }

    /// @dev What the operations' structs have in common.
    struct Terms {
        uint256 tokenId;
        uint16 epoch;
        uint32 version;
        uint256 nonce;
        uint256 deadline;
    }

    uint256 internal constant OPERATIONS = 8;
    uint256 internal constant BUYER_KEY = 0xB0B;
    bytes32 internal constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");
    address internal constant OPERATOR = address(0x0909);
    address internal constant NEW_OPERATOR = address(0x0A0A);
    bytes32 internal constant NEW_HASH = keccak256("new soul");
    bytes32 internal constant NEW_ROOT = keccak256("new root");
    bytes32 internal constant NEW_CONTENT = keccak256("new content");
    /// @dev Where the soul registry keeps its records; see SoulStorage.t.sol.
    uint256 internal constant RECORDS_SLOT = 3;
    bytes32 internal constant REVISION_ARCHIVE = keccak256("archive of the revision");

    address internal buyer = vm.addr(BUYER_KEY);
    uint256 internal noncesGiven;

    function setUp() public virtual override {
        super.setUp();
        vm.etch(humanVerifiers, address(new HumanVerifiersDouble()).code);
    }

    /* STATES */

    function provisional(string memory name) internal returns (uint256 tokenId) {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        registration.seal = false;
        (tokenId, ) = submit(registration, publicationAt(0, 1), signed(registration));
    }

    function sealedSoul(string memory name) internal returns (uint256 tokenId) {
        (tokenId, ) = register(name);
    }

    /// @dev Sealed with an attestation that the owner is a person.
    function humanSoul(string memory name) internal returns (uint256 tokenId) {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        ISoulRegistry.HumanProof memory proof = human("proof");
        (registration.humanVerifier, registration.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        (tokenId, ) = souls.register(registration, publicationAt(0, 1), proof, "", signature);
    }

    /// @dev The passport goes from its live owner to `to`.
    function move(uint256 passportId, address to) internal {
        address from = identity.ownerOf(passportId);
        vm.prank(from);
        identity.transferFrom(from, to, passportId);
    }

    function nextBlock() internal {
        vm.roll(vm.getBlockNumber() + 1);
    }

    function sellAndObserve(uint256 tokenId) internal {
        move(souls.soulOf(tokenId).passportId, buyer);
        souls.suspend(tokenId);
        nextBlock();
    }

    /// @dev `account` lets the passport writer write its passports.
    function approveWriter(address account) internal {
        vm.prank(account);
        identity.setApprovalForAll(address(writer), true);
    }

    /// @dev Soul 1 on passport 0, in the state in which `operation` can be done, by the account of
    /// {actorOf}.
    function stage(Operation operation) internal {
        if (operation == Operation.SEAL) provisional("alice");
        else sealedSoul("alice");
        if (endsSuspension(operation)) sellAndObserve(1);
    }

    function actorOf(Operation operation) internal view returns (address) {
        return endsSuspension(operation) ? buyer : owner;
    }

    function keyOf(Operation operation) internal pure returns (uint256) {
        return endsSuspension(operation) ? BUYER_KEY : OWNER_KEY;
    }

    /// @dev Done by the passport's owner to a suspended soul; all others are done by the sealer to
    /// one that is not.
    function endsSuspension(Operation operation) internal pure returns (bool) {
        return operation == Operation.RESEAL || operation == Operation.RELEASE;
    }

    /// @dev Whether the operation carries what the owner does not sign, so that only the registrar
    /// or the owner submits it.
    function needsRegistrar(Operation operation) internal pure returns (bool) {
        return operation == Operation.SEAL || operation == Operation.REVISE || operation == Operation.RESEAL;
    }

    /* WORDS */

    function termsOf(uint256 tokenId) internal returns (Terms memory) {
        return
            Terms(
                tokenId,
                souls.epochOf(tokenId),
                souls.versionOf(tokenId),
                ++noncesGiven,
                vm.getBlockTimestamp() + 15 minutes
            );
    }

    function sealOf(Terms memory terms) internal pure returns (ISoulRegistry.Seal memory) {
        return
            ISoulRegistry.Seal(
                terms.tokenId,
                terms.epoch,
                terms.version,
                NEW_HASH,
                NEW_ROOT,
                NEW_CONTENT,
                "",
                address(0),
                bytes32(0),
                terms.nonce,
                terms.deadline
            );
    }

    function revisionOf(Terms memory terms) internal view returns (ISoulRegistry.RecordEvolution memory) {
        return
            ISoulRegistry.RecordEvolution({
                tokenId: terms.tokenId,
                epoch: terms.epoch,
                version: terms.version,
                category: "soul",
                changeType: "soul_revision",
                previousSoulHash: souls.soulOf(terms.tokenId).soulHash,
                newSoulHash: NEW_HASH,
                newSoulMerkleRoot: NEW_ROOT,
                dataHash: keccak256("public record"),
                agentURI: "",
                nonce: terms.nonce,
                deadline: terms.deadline
            });
    }

    function operatorChangeOf(
        Terms memory terms,
        address operator
    ) internal view returns (ISoulRegistry.RecordEvolution memory) {
        return
            ISoulRegistry.RecordEvolution({
                tokenId: terms.tokenId,
                epoch: terms.epoch,
                version: terms.version,
                category: "embodiment",
                changeType: "operator_change",
                previousSoulHash: souls.soulOf(terms.tokenId).soulHash,
                newSoulHash: bytes32(0),
                newSoulMerkleRoot: bytes32(0),
                dataHash: keccak256(abi.encodePacked(operator)),
                agentURI: "",
                nonce: terms.nonce,
                deadline: terms.deadline
            });
    }

    /// @dev Over the last observation, of any owner.
    function resealOf(Terms memory terms, address newOwner) internal view returns (ISoulRegistry.Reseal memory) {
        return
            ISoulRegistry.Reseal({
                tokenId: terms.tokenId,
                epoch: terms.epoch,
                version: terms.version,
                newOwner: newOwner,
                operator: NEW_OPERATOR,
                observedBlock: observedBlockOf(terms.tokenId),
                soulHash: NEW_HASH,
                soulMerkleRoot: NEW_ROOT,
                contentHash: NEW_CONTENT,
                agentURI: "",
                humanVerifier: address(0),
                humanProofHash: bytes32(0),
                nonce: terms.nonce,
                deadline: terms.deadline
            });
    }

    function releaseOf(Terms memory terms, address newOwner) internal view returns (ISoulRegistry.Release memory) {
        return
            ISoulRegistry.Release({
                tokenId: terms.tokenId,
                epoch: terms.epoch,
                version: terms.version,
                newOwner: newOwner,
                observedBlock: observedBlockOf(terms.tokenId),
                nonce: terms.nonce,
                deadline: terms.deadline
            });
    }

    function observedBlockOf(uint256 tokenId) internal view returns (uint64 observedBlock) {
        (, observedBlock, ) = souls.suspensionOf(tokenId);
    }

    function burnOf(Terms memory terms) internal pure returns (ISoulRegistry.Burn memory) {
        return
            ISoulRegistry.Burn(
                terms.tokenId,
                terms.epoch,
                terms.version,
                keccak256("reason"),
                terms.nonce,
                terms.deadline
            );
    }

    function suspendOf(Terms memory terms) internal pure returns (ISoulRegistry.Suspend memory) {
        return ISoulRegistry.Suspend(terms.tokenId, terms.epoch, terms.version, terms.nonce, terms.deadline);
    }

    function didArchiveOf(Terms memory terms) internal view returns (ISoulRegistry.SetDidArchive memory) {
        return
            ISoulRegistry.SetDidArchive({
                tokenId: terms.tokenId,
                epoch: terms.epoch,
                version: terms.version,
                previousArchiveId: souls.didArchiveOf(terms.tokenId),
                archiveId: keccak256("archive"),
                nonce: terms.nonce,
                deadline: terms.deadline
            });
    }

    /// @dev The EIP-712 digest of `operation` on these terms, over the soul as it is now.
    function digestOf(Operation operation, Terms memory terms) internal view returns (bytes32) {
        if (operation == Operation.SEAL) return digestOf(hasher.hash(sealOf(terms)));
        if (operation == Operation.REVISE) return digestOf(hasher.hash(revisionOf(terms)));
        if (operation == Operation.RESEAL) return digestOf(hasher.hash(resealOf(terms, buyer)));
        if (operation == Operation.CHANGE_OPERATOR) {
            return digestOf(hasher.hash(operatorChangeOf(terms, NEW_OPERATOR)));
        }
        if (operation == Operation.BURN) return digestOf(hasher.hash(burnOf(terms)));
        if (operation == Operation.RELEASE) return digestOf(hasher.hash(releaseOf(terms, buyer)));
        if (operation == Operation.SUSPEND) return digestOf(hasher.hash(suspendOf(terms)));
        return digestOf(hasher.hash(didArchiveOf(terms)));
    }

    /// @dev Calldata of `operation` on these terms, over the soul as it is now, with this
    /// signature.
    function callOf(
        Operation operation,
        Terms memory terms,
        bytes memory signature
    ) internal view returns (bytes memory) {
        if (operation == Operation.SEAL) {
            return abi.encodeCall(souls.seal, (sealOf(terms), ARCHIVE, noProof(), signature));
        }
        if (operation == Operation.REVISE) {
            return abi.encodeCall(souls.revise, (revisionOf(terms), REVISION_ARCHIVE, signature));
        }
        if (operation == Operation.RESEAL) {
            return abi.encodeCall(souls.reseal, (resealOf(terms, buyer), ARCHIVE, noProof(), signature));
        }
        if (operation == Operation.CHANGE_OPERATOR) {
            return
                abi.encodeCall(souls.changeOperator, (operatorChangeOf(terms, NEW_OPERATOR), NEW_OPERATOR, signature));
        }
        if (operation == Operation.BURN) return abi.encodeCall(souls.burn, (burnOf(terms), signature));
        if (operation == Operation.RELEASE) {
            return abi.encodeCall(souls.release, (releaseOf(terms, buyer), signature));
        }
        if (operation == Operation.SUSPEND) {
            return abi.encodeCall(souls.suspendBySealer, (suspendOf(terms), signature));
        }
        return abi.encodeCall(souls.setDidArchive, (didArchiveOf(terms), signature));
    }

    /// @dev As {callOf}, signed by `key`.
    function signedCall(Operation operation, Terms memory terms, uint256 key) internal view returns (bytes memory) {
        return callOf(operation, terms, sign(key, digestOf(operation, terms)));
    }

    /* CALLS */

    function perform(address caller, bytes memory data) internal {
        vm.prank(caller);
        (bool success, bytes memory answer) = address(souls).call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    function assertRefused(address caller, bytes memory data, bytes memory expected) internal {
        vm.prank(caller);
        (bool success, bytes memory answer) = address(souls).call(data);
        assertFalse(success, "was accepted");
        assertEq(answer, expected);
    }

    /// @dev Signed by the actor and relayed by the registrar.
    function relay(Operation operation, uint256 tokenId) internal {
        perform(registrar, signedCall(operation, termsOf(tokenId), keyOf(operation)));
    }

    /// @dev Everything that a soul's operations can change, as one word.
    function stateOf(uint256 tokenId) internal view returns (bytes32) {
        ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
        return
            keccak256(
                abi.encode(
                    soul,
                    souls.didArchiveOf(tokenId),
                    souls.archiveOf(tokenId),
                    souls.isSuspended(tokenId),
                    souls.versionOf(tokenId),
                    souls.genesisSoulHashOf(tokenId),
                    souls.tokenOfPassport(soul.passportId),
                    identity.ownerOf(soul.passportId),
                    identity.tokenURI(soul.passportId),
                    identity.getMetadata(soul.passportId, "svcStatus"),
                    certificates.balanceOf(owner),
                    certificates.balanceOf(buyer)
                )
            );
    }

    function wrongVersion(uint32 version, uint32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.WrongVersion.selector, 1, version, current);
    }

    function unauthorized(address account) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ISoulRegistry.NotRegistrar.selector, account);
    }

    function human(string memory data) internal returns (ISoulRegistry.HumanProof memory) {
        return ISoulRegistry.HumanProof(makeAddr("adapter"), bytes(data));
    }

    /// @dev What the human verifier registry must have been asked for the agent `name` of `account`
    /// in its current epoch.
    function assertAttested(address account, string memory name, string memory data) internal {
        bytes32 expected = keccak256(
            abi.encode(
                address(souls),
                makeAddr("adapter"),
                HumanProofs.action(name, souls.epochOf(souls.tokenOfName(name))),
                HumanProofs.signal(account, name, address(souls)),
                bytes(data)
            )
        );
        assertEq(HumanVerifiersDouble(humanVerifiers).lastCall(), expected);
    }
}
