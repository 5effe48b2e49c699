// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {SoulView} from "../../contracts/SoulView.sol";
import {SoulLifeBase} from "./SoulLifeBase.sol";

contract SoulViewVerifyFieldTest is SoulLifeBase {
    bytes internal constant NAME = '"alice"';

    SoulView internal composed;

    function setUp() public override {
        super.setUp();
        composed = SoulView(deploy("SoulView", abi.encode(souls)));
    }

    function proof() internal pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](5);
        for (uint256 i = 0; i < 5; ++i) hashes[i] = keccak256(abi.encode(i));
    }

    /// @dev The root of a soul whose field `identity.name` is `NAME`, as {proof} proves it.
    function root() internal pure returns (bytes32 node) {
        bytes32[] memory hashes = proof();
        bytes32 content = sha256(abi.encodePacked("identity.name", bytes1(0), NAME));
        node = sha256(abi.encodePacked(bytes1(0), uint8(0), hashes[0], content));
        for (uint256 i = 1; i < 5; ++i) node = sha256(abi.encodePacked(bytes1(uint8(1)), node, hashes[i]));
    }

    function registerWithRoot(string memory name, bool seal) internal {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        registration.soulMerkleRoot = root();
        registration.seal = seal;
        submit(registration, publicationAt(0, 1), signed(registration));
    }

    function assertVerifies(uint256 tokenId, bytes memory value, bool proven, bool valid) internal view {
        (bool provenNow, bool validNow) = composed.verifyField(tokenId, 0, value, proof());
        assertTrue(provenNow == proven, "proven");
        assertTrue(validNow == valid, "valid");
    }

    function test_provesAFieldOfAValidSoul() public {
        registerWithRoot("alice", true);
        assertVerifies(1, NAME, true, true);
    }

    function test_anotherValueIsNotProven() public {
        registerWithRoot("alice", true);
        assertVerifies(1, '"bob"', false, true);
    }

    function test_aProofOfAnotherFormIsNotProven() public {
        registerWithRoot("alice", true);
        (bool proven, bool valid) = composed.verifyField(1, 12, NAME, proof());
        assertFalse(proven);
        assertTrue(valid);
        (proven, valid) = composed.verifyField(1, 0, NAME, new bytes32[](4));
        assertFalse(proven);
        assertTrue(valid);
    }

    function test_aFieldOfAProvisionalSoulIsProvenAndNotValid() public {
        registerWithRoot("alice", false);
        assertVerifies(1, NAME, true, false);
    }

    function test_aFieldOfASoldSoulIsProvenAndNotValid() public {
        registerWithRoot("alice", true);
        move(0, buyer);
        assertVerifies(1, NAME, true, false);
        move(0, owner);
        assertVerifies(1, NAME, true, true);
    }

    function test_aFieldOfASuspendedSoulIsProvenAndNotValid() public {
        registerWithRoot("alice", true);
        sellAndObserve(1);
        move(0, owner);
        assertVerifies(1, NAME, true, false);
    }

    function test_aFieldOfABurnedSoulIsNotValid() public {
        registerWithRoot("alice", true);
        relay(Operation.BURN, 1);
        assertVerifies(1, NAME, true, false);
    }

    function test_aReplacedContentIsNotProven() public {
        registerWithRoot("alice", true);
        relay(Operation.REVISE, 1);
        assertVerifies(1, NAME, false, true);
    }

    function test_anUnknownSoulHasNoField() public view {
        assertVerifies(9, NAME, false, false);
    }

    /// @dev A root is public: another soul can carry it. Only the registered name tells the two apart.
    function test_aCopiedRootIsProvenForBothSouls() public {
        registerWithRoot("alice", true);
        registerWithRoot("mallory", true);
        assertVerifies(1, NAME, true, true);
        assertVerifies(2, NAME, true, true);
        assertEq(souls.soulOf(1).name, "alice");
        assertEq(souls.soulOf(2).name, "mallory");
    }

    function test_anIdentityRegistryThatRevertsMakesTheSoulInvalid() public {
        registerWithRoot("alice", true);
        vm.etch(address(identity), hex"60006000fd");
        assertVerifies(1, NAME, true, false);
    }
}
