// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPassportWriter} from "../interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title EIP-712 struct hashes of what owners sign for the soul registry and the passport writer
/// @dev `protocol/typed-data.ts` declares the same types. A string's word in calldata is its
/// offset, which each function replaces by the string's hash; the index counts from the type hash.
library SoulHashing {
    bytes32 private constant REGISTRATION_TYPEHASH = keccak256(
        "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,"
        "bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,string agentURI,"
        "uint256 parentTokenId,uint256 organizationId,bool seal,address humanVerifier,bytes32 humanProofHash,"
        "uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "RegistrationBatch(address owner,uint256 organizationId,bool leaveOutTakenNames,BatchEntry[] entries,uint256 nonce,uint256 deadline)"
        "BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,"
        "bytes32 contentHash)"
    );
    bytes32 private constant BATCH_ENTRY_TYPEHASH = keccak256(
        "BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,"
        "bytes32 contentHash)"
    );
    bytes32 private constant SEAL_TYPEHASH = keccak256(
        "Seal(uint256 tokenId,uint16 epoch,uint32 version,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,"
        "string agentURI,address humanVerifier,bytes32 humanProofHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant EVOLUTION_TYPEHASH = keccak256(
        "RecordEvolution(uint256 tokenId,uint16 epoch,uint32 version,string category,string changeType,"
        "bytes32 previousSoulHash,bytes32 newSoulHash,bytes32 newSoulMerkleRoot,bytes32 dataHash,string agentURI,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant RESEAL_TYPEHASH = keccak256(
        "Reseal(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,address operator,uint64 observedBlock,"
        "bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,string agentURI,address humanVerifier,"
        "bytes32 humanProofHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant RELEASE_TYPEHASH = keccak256(
        "Release(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,uint64 observedBlock,uint256 nonce,"
        "uint256 deadline)"
    );
    bytes32 private constant BURN_TYPEHASH = keccak256(
        "Burn(uint256 tokenId,uint16 epoch,uint32 version,bytes32 reasonHash,uint256 nonce,uint256 deadline)"
    );
    bytes32 private constant SUSPEND_TYPEHASH = keccak256(
        "Suspend(uint256 tokenId,uint16 epoch,uint32 version,uint256 nonce,uint256 deadline)"
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
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(REGISTRATION_TYPEHASH, offset, 17);
        _putHash(words, 1, bytes(s.name));
        _putHash(words, 10, bytes(s.agentURI));
        return _hash(words);
    }

    function hash(ISoulRegistry.RegistrationBatch calldata s) internal pure returns (bytes32) {
        bytes32[] memory entries = new bytes32[](s.entries.length);
        for (uint256 i = 0; i < entries.length; ++i) entries[i] = _hash(s.entries[i]);
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(BATCH_TYPEHASH, offset, 6);
        words[4] = _hash(entries);
        return _hash(words);
    }

    function hash(ISoulRegistry.Seal calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(SEAL_TYPEHASH, offset, 11);
        _putHash(words, 7, bytes(s.agentURI));
        return _hash(words);
    }

    function hash(ISoulRegistry.RecordEvolution calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(EVOLUTION_TYPEHASH, offset, 12);
        _putHash(words, 4, bytes(s.category));
        _putHash(words, 5, bytes(s.changeType));
        _putHash(words, 10, bytes(s.agentURI));
        return _hash(words);
    }

    function hash(ISoulRegistry.Reseal calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(RESEAL_TYPEHASH, offset, 14);
        _putHash(words, 10, bytes(s.agentURI));
        return _hash(words);
    }

    function hash(ISoulRegistry.Release calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        return _hash(_words(RELEASE_TYPEHASH, offset, 7));
    }

    function hash(ISoulRegistry.Burn calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        return _hash(_words(BURN_TYPEHASH, offset, 6));
    }

    function hash(ISoulRegistry.Suspend calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        return _hash(_words(SUSPEND_TYPEHASH, offset, 5));
    }

    function hash(ISoulRegistry.SetDidArchive calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        return _hash(_words(DID_ARCHIVE_TYPEHASH, offset, 7));
    }

    function hash(IPassportWriter.SetAgentURI calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(AGENT_URI_TYPEHASH, offset, 7);
        _putHash(words, 5, bytes(s.agentURI));
        return _hash(words);
    }

    function hash(IPassportWriter.SetMetadata calldata s) internal pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(METADATA_TYPEHASH, offset, 8);
        _putHash(words, 4, bytes(s.key));
        _putHash(words, 6, s.value);
        return _hash(words);
    }

    function _hash(ISoulRegistry.BatchEntry calldata s) private pure returns (bytes32) {
        uint256 offset;
        assembly {
            offset := s
        }
        bytes32[] memory words = _words(BATCH_ENTRY_TYPEHASH, offset, 6);
        _putHash(words, 1, bytes(s.name));
        return _hash(words);
    }

    /// @dev The type hash, then the struct's words as they are in calldata: a value is its own
    /// EIP-712 encoding. Written by hand because the compiler's encoding of each struct takes half
    /// a kilobyte. A word that is no value of its type is not refused here, but where the field is
    /// read; no wallet signs it.
    function _words(bytes32 typeHash, uint256 offset, uint256 count) private pure returns (bytes32[] memory words) {
        assembly ("memory-safe") {
            words := mload(0x40)
            mstore(words, add(count, 1))
            mstore(add(words, 0x20), typeHash)
            calldatacopy(add(words, 0x40), offset, shl(5, count))
            mstore(0x40, add(words, shl(5, add(count, 2))))
        }
    }

    /// @dev Puts the hash of `content` at `index`, which must be within `words`.
    function _putHash(bytes32[] memory words, uint256 index, bytes calldata content) private pure {
        assembly ("memory-safe") {
            let start := mload(0x40)
            calldatacopy(start, content.offset, content.length)
            mstore(add(add(words, 0x20), shl(5, index)), keccak256(start, content.length))
        }
    }

    function _hash(bytes32[] memory words) private pure returns (bytes32 digest) {
        assembly ("memory-safe") {
            digest := keccak256(add(words, 0x20), shl(5, mload(words)))
        }
    }
}
