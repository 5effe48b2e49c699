// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulLifeBase} from "./SoulLifeBase.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev The storage table of docs/contracts-guide.md, slot by slot. The number of a mapping is its
/// position in the contract.
contract SoulStorageTest is SoulLifeBase {
    uint256 internal constant TOKEN_OF_NAME_SLOT = 4;
    uint256 internal constant TOKENS_OF_PASSPORTS_SLOT = 5;
    uint256 internal constant SUSPENSIONS_SLOT = 6;
    uint256 internal constant GENESIS_SLOT = 7;
    uint256 internal constant DID_ARCHIVES_SLOT = 8;
    uint256 internal constant ARCHIVES_SLOT = 9;
    uint256 internal constant LAST_TOKEN_ID_SLOT = 10;

    function word(bytes32 slot) internal view returns (uint256) {
        return uint256(vm.load(address(souls), slot));
    }

    function entry(uint256 key, uint256 mapping_) internal pure returns (bytes32) {
        return keccak256(abi.encode(key, mapping_));
    }

    function recordWord(uint256 tokenId, uint256 index) internal view returns (uint256) {
        return word(bytes32(uint256(entry(tokenId, RECORDS_SLOT)) + index));
    }

    /// @dev The first word of a record, from the lowest bit on.
    function firstWord(
        address sealer,
        uint256 passportId,
        uint256 epoch,
        ISoulRegistry.Status status,
        ISoulRegistry.AgentType agentType,
        bool suspended
    ) internal pure returns (uint256) {
        return
            uint256(uint160(sealer)) |
            (passportId << 160) |
            (epoch << 216) |
            (uint256(status) << 232) |
            (uint256(agentType) << 240) |
            (suspended ? 1 << 248 : 0);
    }

    /// @dev The last word of a record, from the lowest bit on.
    function lastWord(
        address operator,
        uint256 version,
        uint256 humanEpoch,
        bool neverSealed,
        uint256 successorOf
    ) internal pure returns (uint256) {
        return
            uint256(uint160(operator)) |
            (version << 160) |
            (humanEpoch << 192) |
            (neverSealed ? 1 << 208 : 0) |
            (successorOf << 216);
    }

    function test_aSealedRecordHasFiveWords() public {
        sealedSoul("first-agent");
        humanSoul("alice");
        ISoulRegistry.Registration memory signed_ = registrationOf("alice");
        assertEq(
            recordWord(2, 0),
            firstWord(owner, 1, 1, ISoulRegistry.Status.SEALED, ISoulRegistry.AgentType.SPECIALIST, false)
        );
        assertEq(recordWord(2, 1), uint256(signed_.soulHash));
        assertEq(recordWord(2, 2), uint256(signed_.soulMerkleRoot));
        assertEq(recordWord(2, 3), uint256(bytes32("alice")));
        assertEq(recordWord(2, 4), lastWord(OPERATOR, 0, 1, false, 0));
        assertEq(recordWord(2, 5), 0);

        assertEq(word(keccak256(abi.encode(bytes32("alice"), TOKEN_OF_NAME_SLOT))), 2);
        assertEq(word(entry(0, TOKENS_OF_PASSPORTS_SLOT)), 1 | (2 << 40));
        assertEq(word(bytes32(LAST_TOKEN_ID_SLOT)), 2);
        // Written only when they are needed.
        assertEq(word(entry(2, SUSPENSIONS_SLOT)), 0);
        assertEq(word(entry(2, GENESIS_SLOT)), 0);
        assertEq(word(entry(2, ARCHIVES_SLOT)), 0);
    }

    function test_aSuspensionSetsABitAndAWord() public {
        sealedSoul("alice");
        sellAndObserve(1);
        assertEq(
            recordWord(1, 0),
            firstWord(owner, 0, 1, ISoulRegistry.Status.SEALED, ISoulRegistry.AgentType.SPECIALIST, true)
        );
        assertEq(
            word(entry(1, SUSPENSIONS_SLOT)),
            uint256(uint160(buyer)) | ((vm.getBlockNumber() - 1) << 160) | (vm.getBlockTimestamp() << 208)
        );
    }

    function test_aResealChangesEpochAndSealerAndClearsTheSuspension() public {
        humanSoul("alice");
        bytes32 first = souls.soulOf(1).soulHash;
        perform(owner, callOf(Operation.SET_DID_ARCHIVE, termsOf(1), ""));
        sellAndObserve(1);
        relay(Operation.RESEAL, 1);
        assertEq(
            recordWord(1, 0),
            firstWord(buyer, 0, 2, ISoulRegistry.Status.SEALED, ISoulRegistry.AgentType.SPECIALIST, false)
        );
        assertEq(recordWord(1, 4), lastWord(NEW_OPERATOR, 2, 1, false, 0));
        assertEq(word(entry(1, SUSPENSIONS_SLOT)), 0);
        assertEq(word(entry(1, GENESIS_SLOT)), uint256(first));
        assertEq(word(entry(1, ARCHIVES_SLOT)), uint256(ARCHIVE));
        bytes32 epochs = entry(1, DID_ARCHIVES_SLOT);
        assertEq(word(keccak256(abi.encode(uint256(1), epochs))), uint256(keccak256("archive")));
        assertEq(word(keccak256(abi.encode(uint256(2), epochs))), 0);
    }

    function test_theEndKeepsTheSealerAndFreesThePassport() public {
        provisional("alice");
        relay(Operation.BURN, 1);
        assertEq(
            recordWord(1, 0),
            firstWord(owner, 0, 1, ISoulRegistry.Status.BURNED, ISoulRegistry.AgentType.SPECIALIST, false)
        );
        assertEq(recordWord(1, 4), lastWord(OPERATOR, 1, 0, true, 0));
        assertEq(word(entry(0, TOKENS_OF_PASSPORTS_SLOT)), 0);

        ISoulRegistry.Registration memory child = registrationOf("child");
        (child.parentTokenId, child.seal) = (1, false);
        submit(child, publicationAt(1, 2), signed(child));
        assertEq(recordWord(2, 4), lastWord(OPERATOR, 0, 0, false, 1));
    }

    function test_aPassportIdTakes56Bits() public {
        // A registry that answers the owner for every id.
        vm.etch(address(identity), abi.encodePacked(hex"73", owner, hex"60005260206000f3"));
        uint256 largest = type(uint56).max;
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        (registration.bindPassport, registration.passportId, registration.seal) = (true, largest, false);
        // A writer that writes nothing: the registry above would answer it with an address for
        // everything.
        vm.etch(address(writer), hex"600060005260206000f3");
        submit(registration, publicationAt(0, 1), signed(registration));
        assertEq(
            recordWord(1, 0),
            firstWord(owner, largest, 1, ISoulRegistry.Status.PROVISIONAL, ISoulRegistry.AgentType.SPECIALIST, false)
        );
        assertEq(souls.tokenOfPassport(largest), 1);
    }
}
