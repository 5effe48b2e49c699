// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AgentKeys} from "../../../contracts/AgentKeys.sol";
import {IAgentKeys} from "../../../contracts/interfaces/IAgentKeys.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract AgentKeysGas is SoulLifeBase, GasScenarios {
    AgentKeys internal agentKeys;

    function setUp() public override {
        super.setUp();
        agentKeys = AgentKeys(deploy("AgentKeys", abi.encode(souls)));
        sealedSoul("alice");
    }

    function set(bytes32 keysHash, uint32 version) internal {
        IAgentKeys.SetAgentKeys memory keys = IAgentKeys.SetAgentKeys({
            tokenId: 1,
            epoch: 1,
            version: version,
            keysHash: keysHash,
            archiveId: keysHash == 0 ? bytes32(0) : keccak256("archive"),
            onlyWithAgentWallet: false,
            nonce: ++noncesGiven,
            deadline: vm.getBlockTimestamp() + 15 minutes
        });
        bytes32 typeHash = keccak256(
            "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
        );
        bytes32 structHash = keccak256(abi.encode(typeHash, keys));
        agentKeys.setKeys(keys, sign(OWNER_KEY, digestFor("AgentKeys", "2", address(agentKeys), structHash)));
    }

    /// @dev The first keys, the next ones, and their end.
    /// hardhat-config: isolate = true
    function test_setsKeys() public {
        set(keccak256("keys"), 0);
        set(keccak256("next keys"), 1);
        set(0, 2);
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        set(keccak256("keys"), 0);
        agentKeys.keysOf(1);
        agentKeys.versionOf(1);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        agentKeys.SOUL_REGISTRY();
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(agentKeys));
    }
}
