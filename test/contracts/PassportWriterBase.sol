// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PassportWriter} from "../../contracts/PassportWriter.sol";
import {IdentityRegistry} from "../../contracts/erc8004/IdentityRegistry.sol";
import {IPassportWriter} from "../../contracts/interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {Test} from "./utils/Test.sol";

/// @dev The soul registry as the passport writer sees it, in any state that a test sets, also in
/// states that the real one never reaches: the refusals of the writer must not rest on the registry
/// alone.
contract BoundSoulsDouble {
    mapping(uint256 tokenId => ISoulRegistry.Soul soul) private _souls;
    mapping(uint256 tokenId => bool marked) public isSuspended;
    mapping(uint256 tokenId => bytes32 archiveId) public archiveOf;
    mapping(uint256 passportId => uint256 tokenId) public tokenOfPassport;

    function bind(uint256 tokenId, uint256 passportId, address sealer, ISoulRegistry.Status status) external {
        ISoulRegistry.Soul storage soul = _souls[tokenId];
        soul.sealer = sealer;
        soul.passportId = uint56(passportId);
        soul.epoch = 1;
        soul.status = status;
        soul.soulHash = keccak256(abi.encode("soul", tokenId));
        soul.name = "alice";
        tokenOfPassport[passportId] = tokenId;
        archiveOf[tokenId] = keccak256(abi.encode("archive", tokenId));
    }

    function mark(uint256 tokenId, bool marked) external {
        isSuspended[tokenId] = marked;
    }

    function burn(uint256 tokenId) external {
        _souls[tokenId].status = ISoulRegistry.Status.BURNED;
        delete tokenOfPassport[_souls[tokenId].passportId];
    }

    function setEpoch(uint256 tokenId, uint16 epoch) external {
        _souls[tokenId].epoch = epoch;
    }

    function setTokenOfPassport(uint256 passportId, uint256 tokenId) external {
        tokenOfPassport[passportId] = tokenId;
    }

    function setArchive(uint256 tokenId, bytes32 archiveId) external {
        archiveOf[tokenId] = archiveId;
    }

    /// @dev What the soul registry does at the end of an operation.
    function write(IPassportWriter writer, uint256 tokenId, string calldata agentURI) external returns (bool) {
        return writer.write(tokenId, agentURI);
    }

    function soulOf(uint256 tokenId) external view returns (ISoulRegistry.Soul memory) {
        return _souls[tokenId];
    }
}

/// @dev A passport writer over the local identity registry. Passport 0 belongs to a stranger and
/// carries no soul; passport 1 is the owner's and carries soul 7, sealed; passport 2 is the owner's
/// too and carries soul 8.
abstract contract PassportWriterBase is Test {
    uint256 internal constant OWNER_KEY = 0xA11CE;
    uint256 internal constant BUYER_KEY = 0xB0B;
    uint256 internal constant STRANGER_KEY = 0xBAD;
    uint256 internal constant SOUL = 7;
    uint256 internal constant PASSPORT = 1;
    string internal constant URI = "ar://first";

    address internal owner = vm.addr(OWNER_KEY);
    address internal buyer = vm.addr(BUYER_KEY);
    address internal stranger = vm.addr(STRANGER_KEY);
    uint256 internal noncesGiven;

    IdentityRegistry internal identity;
    BoundSoulsDouble internal souls;
    PassportWriter internal writer;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        identity = IdentityRegistry(deploy("IdentityRegistry", ""));
        souls = new BoundSoulsDouble();
        writer = PassportWriter(deploy("PassportWriter", abi.encode(souls, identity)));
        vm.prank(stranger);
        identity.register();
        vm.startPrank(owner);
        identity.register(URI);
        identity.register(URI);
        vm.stopPrank();
        souls.bind(SOUL, PASSPORT, owner, ISoulRegistry.Status.SEALED);
        souls.bind(8, 2, owner, ISoulRegistry.Status.SEALED);
    }

    /* STATES */

    function approve(address account) internal {
        vm.prank(account);
        identity.setApprovalForAll(address(writer), true);
    }

    function move(uint256 passportId, address to) internal {
        address from = identity.ownerOf(passportId);
        vm.prank(from);
        identity.transferFrom(from, to, passportId);
    }

    /* WORDS */

    function agentURIOf(string memory agentURI) internal returns (IPassportWriter.SetAgentURI memory) {
        return
            IPassportWriter.SetAgentURI({
                tokenId: SOUL,
                epoch: 1,
                version: writer.versionOf(SOUL),
                previousURIHash: keccak256(bytes(identity.tokenURI(PASSPORT))),
                agentURI: agentURI,
                nonce: ++noncesGiven,
                deadline: vm.getBlockTimestamp() + 15 minutes
            });
    }

    function metadataOf(string memory key, bytes memory value) internal returns (IPassportWriter.SetMetadata memory) {
        return
            IPassportWriter.SetMetadata({
                tokenId: SOUL,
                epoch: 1,
                version: writer.versionOf(SOUL),
                key: key,
                previousValueHash: keccak256(identity.getMetadata(PASSPORT, key)),
                value: value,
                nonce: ++noncesGiven,
                deadline: vm.getBlockTimestamp() + 15 minutes
            });
    }

    /// @dev EIP-712 written out once more, independent of the contracts under test.
    function digestFor(string memory domain, bytes32 structHash) internal view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(domain)),
                keccak256("1"),
                block.chainid,
                writer
            )
        );
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    function hashOf(IPassportWriter.SetAgentURI memory change) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "SetAgentURI(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousURIHash,string agentURI,uint256 nonce,uint256 deadline)"
                    ),
                    change.tokenId,
                    change.epoch,
                    change.version,
                    change.previousURIHash,
                    keccak256(bytes(change.agentURI)),
                    change.nonce,
                    change.deadline
                )
            );
    }

    function hashOf(IPassportWriter.SetMetadata memory change) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "SetMetadata(uint256 tokenId,uint16 epoch,uint32 version,string key,bytes32 previousValueHash,bytes value,uint256 nonce,uint256 deadline)"
                    ),
                    change.tokenId,
                    change.epoch,
                    change.version,
                    keccak256(bytes(change.key)),
                    change.previousValueHash,
                    keccak256(change.value),
                    change.nonce,
                    change.deadline
                )
            );
    }

    function digestOf(IPassportWriter.SetAgentURI memory change) internal view returns (bytes32) {
        return digestFor("PassportWriter", hashOf(change));
    }

    function digestOf(IPassportWriter.SetMetadata memory change) internal view returns (bytes32) {
        return digestFor("PassportWriter", hashOf(change));
    }

    function signed(uint256 key, IPassportWriter.SetAgentURI memory change) internal view returns (bytes memory) {
        return signDigest(key, digestOf(change));
    }

    function signed(uint256 key, IPassportWriter.SetMetadata memory change) internal view returns (bytes memory) {
        return signDigest(key, digestOf(change));
    }

    /* WHAT IS WRITTEN */

    function statusText(uint256 passportId) internal view returns (string memory) {
        return string(identity.getMetadata(passportId, "svcStatus"));
    }

    /// @dev Everything that the writer can change of a passport, as one word.
    function stateOf(uint256 passportId) internal view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    identity.tokenURI(passportId),
                    identity.getMetadata(passportId, "svcSoulHash"),
                    identity.getMetadata(passportId, "svcTokenId"),
                    identity.getMetadata(passportId, "svcArweaveId"),
                    identity.getMetadata(passportId, "svcStatus"),
                    identity.getMetadata(passportId, "colour")
                )
            );
    }

    function one(uint256 tokenId) internal pure returns (uint256[] memory tokenIds) {
        tokenIds = new uint256[](1);
        tokenIds[0] = tokenId;
    }
}
