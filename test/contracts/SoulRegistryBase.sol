// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./utils/Test.sol";
import {IdentityRegistry} from "../../contracts/erc8004/IdentityRegistry.sol";
import {PassportMint} from "../../contracts/PassportMint.sol";
import {PassportWriter} from "../../contracts/PassportWriter.sol";
import {Registrars} from "../../contracts/Registrars.sol";
import {SoulCertificate} from "../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../contracts/SoulRegistry.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {SoulHasher} from "../../contracts/mocks/SoulHasher.sol";

/// @dev What an identity registry might be upgraded to: every registration gives passport 0.
contract RepeatingRegistry {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(uint256(0));
    }
}

/// @dev A deployed protocol, an owner with a key, a registrar, and the words to register.
abstract contract SoulRegistryBase is Test {
    uint256 internal constant OWNER_KEY = 0xA11CE;
    uint256 internal constant STRANGER_KEY = 0xBAD;

    address internal owner = vm.addr(OWNER_KEY);
    address internal stranger = vm.addr(STRANGER_KEY);
    address internal admin = makeAddr("admin");
    address internal registrar = makeAddr("registrar");

    SoulHasher internal hasher = SoulHasher(deploy("SoulHasher", ""));
    address internal humanVerifiers = makeAddr("human verifiers");
    uint48 internal constant ADMIN_DELAY = 1 days;
    bytes32 internal constant ARCHIVE = keccak256("archive of the soul");
    IdentityRegistry internal identity;
    Registrars internal registrars;
    SoulRegistry internal souls;
    SoulCertificate internal certificates;
    PassportWriter internal writer;
    PassportMint internal mint;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        identity = deployIdentity();
        registrars = Registrars(deploy("Registrars", abi.encode(admin, registrar, ADMIN_DELAY)));
        souls = deploySouls();
        certificates = SoulCertificate(address(souls.CERTIFICATE()));
        writer = PassportWriter(address(souls.PASSPORT_WRITER()));
        mint = PassportMint(address(souls.PASSPORT_MINT()));
    }

    function deployIdentity() internal virtual returns (IdentityRegistry) {
        return IdentityRegistry(deploy("IdentityRegistry", ""));
    }

    /// @dev The soul registry over {identity}, and before it the four contracts that must name its
    /// address.
    function deploySouls() internal returns (SoulRegistry) {
        return deploySouls(partsFor(vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 4)));
    }

    /// @dev The contracts that must name the soul registry, in the order of its constructor's
    /// parameters.
    function partsFor(address souls_) internal returns (address[4] memory parts) {
        parts[0] = deploy("SoulCertificate", abi.encode(souls_));
        parts[1] = deploy("OrganizationRegistry", abi.encode(souls_));
        parts[2] = deploy("PassportWriter", abi.encode(souls_, identity));
        parts[3] = deploy("PassportMint", abi.encode(souls_, identity));
    }

    function deploySouls(address[4] memory parts) internal returns (SoulRegistry) {
        bytes memory arguments = abi.encode(
            identity,
            humanVerifiers,
            registrars,
            parts[0],
            parts[1],
            parts[2],
            parts[3]
        );
        return SoulRegistry(deploy("SoulRegistry", arguments));
    }

    function registrationOf(string memory name) internal view returns (ISoulRegistry.Registration memory) {
        return
            ISoulRegistry.Registration({
                name: name,
                agentType: ISoulRegistry.AgentType.SPECIALIST,
                owner: owner,
                operator: address(0x0909),
                soulHash: keccak256(bytes(name)),
                soulMerkleRoot: keccak256(bytes.concat("root", bytes(name))),
                contentHash: keccak256(bytes.concat("content", bytes(name))),
                bindPassport: false,
                passportId: 0,
                agentURI: "",
                parentTokenId: 0,
                organizationId: 0,
                seal: true,
                humanVerifier: address(0),
                humanProofHash: bytes32(0),
                nonce: uint256(keccak256(bytes(name))),
                deadline: block.timestamp + 15 minutes
            });
    }

    /// @dev What a registrar passes for the very next registration.
    function publicationAt(
        uint256 passportId,
        uint256 tokenId
    ) internal pure returns (ISoulRegistry.Publication memory) {
        return
            ISoulRegistry.Publication({
                archiveId: ARCHIVE,
                agentURI: "ar://with-ids",
                agentURIWithoutIds: "ar://without-ids",
                expectedPassportId: passportId,
                expectedTokenId: tokenId,
                reservation: 0
            });
    }

    function sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev EIP-712 digest of a struct hash for a contract of the protocol: its name is its domain's.
    function digestFor(string memory domain, address verifier, bytes32 structHash) internal view returns (bytes32) {
        return digestFor(domain, domainVersionOf(domain), verifier, structHash);
    }

    function digestFor(
        string memory domain,
        string memory version,
        address verifier,
        bytes32 structHash
    ) internal view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(domain)),
                keccak256(bytes(version)),
                block.chainid,
                verifier
            )
        );
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    /// @dev Version 2 where a struct has changed since the first edition.
    function domainVersionOf(string memory domain) internal pure returns (string memory) {
        return keccak256(bytes(domain)) == keccak256("SoulRegistry") ? "2" : "1";
    }

    function digestOf(bytes32 structHash) internal view returns (bytes32) {
        return digestFor("SoulRegistry", address(souls), structHash);
    }

    function digestOf(ISoulRegistry.Registration memory registration) internal view returns (bytes32) {
        return digestOf(hasher.hash(registration));
    }

    function signed(ISoulRegistry.Registration memory registration) internal view returns (bytes memory) {
        return sign(OWNER_KEY, digestOf(registration));
    }

    function noProof() internal pure returns (ISoulRegistry.HumanProof memory) {
        return ISoulRegistry.HumanProof(address(0), "");
    }

    /// @dev What an owner signs of a proof.
    function proofHashOf(ISoulRegistry.HumanProof memory proof) internal pure returns (bytes32) {
        return keccak256(abi.encode(proof.verifier, proof.data));
    }

    /// @dev Submits what an owner signed, as the registrar does.
    function submit(
        ISoulRegistry.Registration memory registration,
        ISoulRegistry.Publication memory publication,
        bytes memory signature
    ) internal returns (uint256 tokenId, uint256 passportId) {
        vm.prank(registrar);
        return souls.register(registration, publication, noProof(), "", signature);
    }

    /// @dev Registers `name` for `owner` as the registrar would.
    function register(string memory name) internal returns (uint256 tokenId, uint256 passportId) {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        return submit(registration, publicationAt(0, 1), signed(registration));
    }
}
