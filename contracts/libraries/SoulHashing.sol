// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title EIP-712 struct hashes of what owners sign for the soul registry
/// @dev `protocol/typed-data.ts` declares the same types.
library SoulHashing {
    bytes32 private constant REGISTRATION_TYPEHASH = keccak256(
        "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,"
        "bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,uint256 parentTokenId,"
        "uint256 organizationId,bool seal,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "RegistrationBatch(address owner,uint256 organizationId,BatchEntry[] entries,uint256 nonce,uint256 deadline)"
        "BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,"
        "bytes32 contentHash)"
    );
    bytes32 private constant BATCH_ENTRY_TYPEHASH = keccak256(
        "BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,"
        "bytes32 contentHash)"
    );
    bytes32 private constant SEAL_TYPEHASH = keccak256(
        "Seal(uint256 tokenId,uint16 epoch,uint32 version,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,"
        "uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant EVOLUTION_TYPEHASH = keccak256(
        "RecordEvolution(uint256 tokenId,uint16 epoch,uint32 version,string category,string changeType,"
        "bytes32 previousSoulHash,bytes32 newSoulHash,bytes32 newSoulMerkleRoot,bytes32 dataHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant RESEAL_TYPEHASH = keccak256(
        "Reseal(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,address operator,bytes32 soulHash,"
        "bytes32 soulMerkleRoot,bytes32 contentHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant BURN_TYPEHASH = keccak256(
        "Burn(uint256 tokenId,uint16 epoch,uint32 version,bytes32 reasonHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant DID_ARCHIVE_TYPEHASH = keccak256(
        "SetDidArchive(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousArchiveId,bytes32 archiveId,"
        "uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant AGENT_URI_TYPEHASH = keccak256(
        "SetAgentURI(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousURIHash,string agentURI,"
        "uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant METADATA_TYPEHASH = keccak256(
        "SetMetadata(uint256 tokenId,uint16 epoch,uint32 version,string key,bytes32 previousValueHash,bytes value,"
        "uint256 nonce,uint256 deadline)"
    );

    function hash(ISoulRegistry.Registration calldata s) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    REGISTRATION_TYPEHASH,
                    keccak256(bytes(s.name)),
                    s.agentType,
                    s.owner,
                    s.operator,
                    s.soulHash,
                    s.soulMerkleRoot,
                    s.contentHash,
                    s.bindPassport,
                    s.passportId,
                    s.parentTokenId,
                    s.organizationId,
                    s.seal,
                    s.nonce,
                    s.deadline
                )
            );
    }

    function hash(ISoulRegistry.RegistrationBatch calldata s) internal pure returns (bytes32) {
        bytes32[] memory entries = new bytes32[](s.entries.length);
        for (uint256 i = 0; i < entries.length; ++i) {
            ISoulRegistry.BatchEntry calldata entry = s.entries[i];
            entries[i] = keccak256(
                abi.encode(
                    BATCH_ENTRY_TYPEHASH,
                    keccak256(bytes(entry.name)),
                    entry.agentType,
                    entry.operator,
                    entry.soulHash,
                    entry.soulMerkleRoot,
                    entry.contentHash
                )
            );
        }
        return
            keccak256(
                abi.encode(
                    BATCH_TYPEHASH,
                    s.owner,
                    s.organizationId,
                    keccak256(abi.encodePacked(entries)),
                    s.nonce,
                    s.deadline
                )
            );
    }

    /// @dev A struct of value types only is encoded in place: its words follow the type hash.
    function hash(ISoulRegistry.Seal calldata s) internal pure returns (bytes32) {
        return keccak256(abi.encode(SEAL_TYPEHASH, s));
    }

    function hash(ISoulRegistry.RecordEvolution calldata s) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    EVOLUTION_TYPEHASH,
                    s.tokenId,
                    s.epoch,
                    s.version,
                    keccak256(bytes(s.category)),
                    keccak256(bytes(s.changeType)),
                    s.previousSoulHash,
                    s.newSoulHash,
                    s.newSoulMerkleRoot,
                    s.dataHash,
                    s.nonce,
                    s.deadline
                )
            );
    }

    function hash(ISoulRegistry.Reseal calldata s) internal pure returns (bytes32) {
        return keccak256(abi.encode(RESEAL_TYPEHASH, s));
    }

    function hash(ISoulRegistry.Burn calldata s) internal pure returns (bytes32) {
        return keccak256(abi.encode(BURN_TYPEHASH, s));
    }

    function hash(ISoulRegistry.SetDidArchive calldata s) internal pure returns (bytes32) {
        return keccak256(abi.encode(DID_ARCHIVE_TYPEHASH, s));
    }

    function hash(ISoulRegistry.SetAgentURI calldata s) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    AGENT_URI_TYPEHASH,
                    s.tokenId,
                    s.epoch,
                    s.version,
                    s.previousURIHash,
                    keccak256(bytes(s.agentURI)),
                    s.nonce,
                    s.deadline
                )
            );
    }

    function hash(ISoulRegistry.SetMetadata calldata s) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    METADATA_TYPEHASH,
                    s.tokenId,
                    s.epoch,
                    s.version,
                    keccak256(bytes(s.key)),
                    s.previousValueHash,
                    keccak256(s.value),
                    s.nonce,
                    s.deadline
                )
            );
    }
}
