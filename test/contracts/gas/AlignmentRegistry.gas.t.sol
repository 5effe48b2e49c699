// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AlignmentRegistry} from "../../../contracts/AlignmentRegistry.sol";
import {IAlignmentRegistry} from "../../../contracts/interfaces/IAlignmentRegistry.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract AlignmentRegistryGas is SoulLifeBase, GasScenarios {
    address internal recorder = makeAddr("recorder");
    AlignmentRegistry internal alignments;

    function setUp() public override {
        super.setUp();
        vm.roll(1000);
        alignments = AlignmentRegistry(deploy("AlignmentRegistry", abi.encode(souls, admin, recorder, 2 days)));
        sealedSoul("alice");
        sealedSoul("bob");
    }

    function record(uint256 count, uint64 blockNumber) internal {
        IAlignmentRegistry.AlignmentRecord[] memory records = new IAlignmentRegistry.AlignmentRecord[](count);
        for (uint256 i = 0; i < count; ++i) {
            records[i] = IAlignmentRegistry.AlignmentRecord(i + 1, 1, 83, keccak256("archive"), blockNumber);
        }
        vm.prank(recorder);
        alignments.recordAlignment(records);
    }

    /// @dev Two agents' first scores, then one agent's next.
    /// hardhat-config: isolate = true
    function test_records() public {
        record(2, 900);
        record(1, 901);
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        record(1, 900);
        alignments.alignmentOf(1);
        alignments.alignmentBlockOf(1);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        alignments.ALIGNMENT_ROLE();
        alignments.SOUL_REGISTRY();
        callInterfaces(address(alignments));
    }

    /// hardhat-config: isolate = true
    function test_givesRoles() public {
        callRoles(address(alignments), keccak256("ALIGNMENT_ROLE"), admin);
    }
}
