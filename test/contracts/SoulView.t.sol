// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {SoulView} from "../../contracts/SoulView.sol";
import {FieldProofs} from "../../contracts/libraries/FieldProofs.sol";
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

    /// @dev The root of a soul whose field `index` is `value`, as {proof} proves it.
    function rootOf(uint256 index, bytes memory value) internal pure returns (bytes32 node) {
        bytes32[] memory hashes = proof();
        bytes32 content = sha256(abi.encodePacked(FieldProofs.fieldName(index), bytes1(0), value));
        node = sha256(abi.encodePacked(bytes1(0), uint8(index), hashes[0], content));
        for (uint256 i = 1; i < 5; ++i) {
            node =
                index & 1 == 0
                    ? sha256(abi.encodePacked(bytes1(0x01), node, hashes[i]))
                    : sha256(abi.encodePacked(bytes1(0x01), hashes[i], node));
            index >>= 1;
        }
    }

    function registerWithRoot(string memory name, bool seal) internal {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        registration.soulMerkleRoot = rootOf(0, NAME);
        registration.seal = seal;
        submit(registration, publicationAt(0, 1), signed(registration));
    }

    function registerWithField(
        string memory name,
        uint256 index,
        bytes memory value,
        ISoulRegistry.AgentType agentType
    ) internal {
        ISoulRegistry.Registration memory registration = registrationOf(name);
        registration.soulMerkleRoot = rootOf(index, value);
        registration.agentType = agentType;
        submit(registration, publicationAt(0, 1), signed(registration));
    }

    function assertProven(uint256 tokenId, uint256 index, bytes memory value, bool expected) internal view {
        (bool proven, bool valid) = composed.verifyField(tokenId, index, value, proof());
        assertTrue(proven == expected, string(value));
        assertTrue(valid, "valid");
    }

    function assertNameProven(string memory name, bytes memory value, bool expected) internal {
        uint256 snapshot = vm.snapshotState();
        registerWithField(name, 0, value, ISoulRegistry.AgentType.OTHER);
        assertProven(souls.tokenOfName(name), 0, value, expected);
        vm.revertToState(snapshot);
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
    function test_aCopiedNameIsProvenForTheSoulThatHasIt() public {
        registerWithRoot("alice", true);
        registerWithRoot("mallory", true);
        assertVerifies(1, NAME, true, true);
        assertVerifies(2, NAME, false, true);
    }

    function test_anotherFieldOfACopiedRootIsProvenForBothSouls() public {
        registerWithField("alice", 3, '"To help."', ISoulRegistry.AgentType.OTHER);
        registerWithField("mallory", 3, '"To help."', ISoulRegistry.AgentType.OTHER);
        assertProven(1, 3, '"To help."', true);
        assertProven(2, 3, '"To help."', true);
    }

    /// @dev The writings that protocol/ accepts for a registered name, as far as they are ASCII.
    function test_aNameIsProvenInAnotherWriting() public {
        assertNameProven("ada-lovelace", '"ada-lovelace"', true);
        assertNameProven("ada-lovelace-2", '"Ada Lovelace 2"', true);
        assertNameProven("ada-lovelace-3", '" (ADA) -- Lovelace: 3!"', true);
        assertNameProven("a-b", '"a--b"', true);
        assertNameProven("zoe", '"ZOE"', true);
    }

    /// @dev A copy of the root, registered with a name that its owner chose for that, proves nothing.
    function test_aStringIsAWritingOfOneNameAtMost() public {
        assertNameProven("ren-e", unicode'"Renée"', false);
        assertNameProven("renee", unicode'"Renée"', false);
        assertNameProven("ada-nbot", '"Ada\\nBot"', false);
        assertNameProven("ada-bot", '"Ada\\nBot"', false);
        assertNameProven("a--b", '"a--b"', false);
        assertNameProven("abc--d", '"abc--d"', false);
        assertNameProven("abc-d", '"abc--d"', true);
        // A control character is no digit.
        assertNameProven("abc1", bytes.concat('"abc', hex"11", '"'), false);
    }

    function test_aNameThatTheSoulIsNotRegisteredWithIsNotProven() public {
        assertNameProven("ada-lovelace", '"adalovelace"', false);
        assertNameProven("adalovelace", '"Ada Lovelace"', false);
        assertNameProven("ada", '"Ada Lovelace"', false);
        assertNameProven("ada", '"Adam"', false);
        assertNameProven("ada-lovelace-2", '"Ada Lovelace"', false);
        assertNameProven("ada-lovelace-3", '"Ada Lovelace-"', false);
        assertNameProven("bob", '"bab"', false);
        assertNameProven("abc", '""', false);
        assertNameProven("abd", "", false);
        assertNameProven("c--d", '"c d"', false);
        assertNameProven("zoe", unicode'"Zoë"', false);
    }

    function test_aTypeIsProvenAsRegistered() public {
        string[5] memory words = ["assistant", "companion", "specialist", "creative", "other"];
        for (uint8 word = 0; word < 5; ++word) {
            bytes memory value = abi.encodePacked('"', words[word], '"');
            for (uint8 registered = 0; registered < 5; ++registered) {
                ISoulRegistry.AgentType agentType = ISoulRegistry.AgentType(registered);
                string memory name = string.concat("agent-", string(abi.encodePacked(97 + word, 97 + registered)));
                registerWithField(name, 1, value, agentType);
                assertProven(souls.tokenOfName(name), 1, value, word == registered);
            }
        }
        registerWithField("loud", 1, '"Other"', ISoulRegistry.AgentType.OTHER);
        assertProven(souls.tokenOfName("loud"), 1, '"Other"', false);
    }

    function testFuzz_neverReverts(uint256 index, bytes calldata value) public {
        registerWithRoot("alice", true);
        (bool proven, ) = composed.verifyField(1, index, value, proof());
        assertFalse(proven && keccak256(value) != keccak256(NAME));
        if (index > 11) return;
        registerWithField("ada-lovelace", index, value, ISoulRegistry.AgentType.OTHER);
        composed.verifyField(2, index, value, proof());
    }

    function test_anIdentityRegistryThatRevertsMakesTheSoulInvalid() public {
        registerWithRoot("alice", true);
        vm.etch(address(identity), hex"60006000fd");
        assertVerifies(1, NAME, true, false);
    }
}
