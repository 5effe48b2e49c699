// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPassportWriter} from "../interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";
import {SoulHashing} from "../libraries/SoulHashing.sol";

/// @notice The struct hashes of what owners sign, for tests. `test/contracts/soul-hashing.test.ts`
/// compares them with viem's.
contract SoulHasher {
    function hash(ISoulRegistry.Registration calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.RegistrationBatch calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.Seal calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.RecordEvolution calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.Reseal calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.Release calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.Burn calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.Suspend calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(ISoulRegistry.SetDidArchive calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(IPassportWriter.SetAgentURI calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }

    function hash(IPassportWriter.SetMetadata calldata s) external pure returns (bytes32) {
        return SoulHashing.hash(s);
    }
}
