// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulView} from "../../../contracts/SoulView.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";

/// @dev See {GasScenarios}.
contract SoulViewGas is SoulLifeBase {
    bytes internal constant VALUE = '"alice"';

    SoulView internal composed;

    function setUp() public override {
        super.setUp();
        composed = SoulView(deploy("SoulView", abi.encode(souls)));
    }

    /// hardhat-config: isolate = true
    function test_readsPassports() public {
        sealedSoul("alice");
        sealedSoul("bob");
        composed.passportStates(owner, new uint256[](0));
        uint256[] memory two = new uint256[](2);
        two[1] = 1;
        composed.passportStates(owner, two);
    }

    /// hardhat-config: isolate = true
    function test_readsASoul() public {
        sealedSoul("alice");
        composed.soulState(0);
        composed.soulState(1);
    }

    /// hardhat-config: isolate = true
    function test_readsWhoAttestedAPerson() public {
        humanSoul("alice");
        composed.humanVerifiedBy(1);
    }

    /// hardhat-config: isolate = true
    function test_verifiesAField() public {
        bytes32[] memory proof = new bytes32[](5);
        for (uint256 i = 0; i < 5; ++i) proof[i] = keccak256(abi.encode(i));
        bytes32 content = sha256(abi.encodePacked("identity.name", bytes1(0), VALUE));
        bytes32 node = sha256(abi.encodePacked(bytes1(0), uint8(0), proof[0], content));
        for (uint256 i = 1; i < 5; ++i) node = sha256(abi.encodePacked(bytes1(uint8(1)), node, proof[i]));
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.soulMerkleRoot = node;
        submit(registration, publicationAt(0, 1), signed(registration));

        (bool proven, bool valid) = composed.verifyField(1, 0, VALUE, proof);
        assertTrue(proven);
        assertTrue(valid);
    }
}
