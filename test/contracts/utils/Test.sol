// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {VM_ADDRESS, Vm} from "./Vm.sol";

/// @title Base of every Solidity test
/// @dev Assertions revert with both values, so that a failed one names what it saw; the left one is
/// what was seen, the right one what was expected. `reason` is put before them.
abstract contract Test {
    Vm internal constant vm = Vm(VM_ADDRESS);

    /* INPUTS */

    /// @dev `value` itself if it is from `min` to `max` (both inclusive), else one that is, derived
    /// from it: unlike `vm.assume`, no fuzz run is lost.
    function bound(uint256 value, uint256 min, uint256 max) internal pure returns (uint256) {
        require(min <= max, "bound: empty range");
        if (value >= min && value <= max) return value;

        uint256 size = max - min + 1; // Not 0: the whole range would have held the value.
        return min + (value % size);
    }

    /// @dev As `bound` for unsigned values.
    function bound(int256 value, int256 min, int256 max) internal pure returns (int256) {
        require(min <= max, "bound: empty range");

        // Moved up by 2^255 the order stays the same and nothing is negative.
        uint256 offset = 1 << 255;
        unchecked {
            return int256(bound(uint256(value) + offset, uint256(min) + offset, uint256(max) + offset) - offset);
        }
    }

    /// @dev An address of its own for a name, without code, and labelled with it in traces.
    function makeAddr(string memory name) internal returns (address account) {
        (account, ) = makeAddrAndKey(name);
    }

    /// @dev As `makeAddr`, with the key that signs for it.
    function makeAddrAndKey(string memory name) internal returns (address account, uint256 privateKey) {
        privateKey = uint256(keccak256(bytes(name)));
        account = vm.addr(privateKey);
        vm.label(account, name);
    }

    /// @dev A 65-byte ECDSA signature (r, s, v) of the digest as it is.
    function signDigest(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    /* DEPLOYING */

    /// @dev Deploys a contract from its own build. `new` would compile it once more into every test
    /// that inherits the line, which for the large contracts takes minutes.
    function deploy(string memory contractName, bytes memory arguments) internal returns (address deployed) {
        bytes memory creationCode = abi.encodePacked(vm.getCode(contractName), arguments);
        assembly ("memory-safe") {
            deployed := create(0, add(creationCode, 0x20), mload(creationCode))
            if iszero(deployed) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }

    /* LOGS */

    /// @dev One whole log: who emitted it, every topic (the first is the event's `selector`) and
    /// the data.
    function assertLog(Vm.Log memory log, address emitter, bytes32[] memory topics, bytes memory data) internal pure {
        assertEq(log.emitter, emitter, "emitter");
        assertEq(log.topics, topics, "topics");
        assertEq(log.data, data, "data");
    }

    function topicsOf(bytes32 selector) internal pure returns (bytes32[] memory topics) {
        topics = new bytes32[](1);
        topics[0] = selector;
    }

    function topicsOf(bytes32 selector, bytes32 topic1) internal pure returns (bytes32[] memory topics) {
        topics = new bytes32[](2);
        (topics[0], topics[1]) = (selector, topic1);
    }

    function topicsOf(
        bytes32 selector,
        bytes32 topic1,
        bytes32 topic2
    ) internal pure returns (bytes32[] memory topics) {
        topics = new bytes32[](3);
        (topics[0], topics[1], topics[2]) = (selector, topic1, topic2);
    }

    function topicsOf(
        bytes32 selector,
        bytes32 topic1,
        bytes32 topic2,
        bytes32 topic3
    ) internal pure returns (bytes32[] memory topics) {
        topics = new bytes32[](4);
        (topics[0], topics[1], topics[2], topics[3]) = (selector, topic1, topic2, topic3);
    }

    function toTopic(address account) internal pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function toTopic(uint256 number) internal pure returns (bytes32) {
        return bytes32(number);
    }

    /// @dev The topic of an indexed string: its hash.
    function toTopic(string memory text) internal pure returns (bytes32) {
        return keccak256(bytes(text));
    }

    /* ASSERTIONS */

    function assertTrue(bool condition) internal pure {
        vm.assertEq(condition, true, "");
    }

    function assertTrue(bool condition, string memory reason) internal pure {
        vm.assertEq(condition, true, reason);
    }

    function assertFalse(bool condition) internal pure {
        vm.assertEq(condition, false, "");
    }

    function assertFalse(bool condition, string memory reason) internal pure {
        vm.assertEq(condition, false, reason);
    }

    function assertEq(bool left, bool right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bool left, bool right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(int256 left, int256 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(int256 left, int256 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(address left, address right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(address left, address right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes32 left, bytes32 right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes32 left, bytes32 right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(string memory left, string memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(string memory left, string memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes memory left, bytes memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes memory left, bytes memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bool[] memory left, bool[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bool[] memory left, bool[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(uint256[] memory left, uint256[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(uint256[] memory left, uint256[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(int256[] memory left, int256[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(int256[] memory left, int256[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(address[] memory left, address[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(address[] memory left, address[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(bytes32[] memory left, bytes32[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(bytes32[] memory left, bytes32[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertEq(string[] memory left, string[] memory right) internal pure {
        vm.assertEq(left, right, "");
    }

    function assertEq(string[] memory left, string[] memory right, string memory reason) internal pure {
        vm.assertEq(left, right, reason);
    }

    function assertNotEq(uint256 left, uint256 right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertNotEq(left, right, reason);
    }

    function assertNotEq(address left, address right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(address left, address right, string memory reason) internal pure {
        vm.assertNotEq(left, right, reason);
    }

    function assertNotEq(bytes32 left, bytes32 right) internal pure {
        vm.assertNotEq(left, right, "");
    }

    function assertNotEq(bytes32 left, bytes32 right, string memory reason) internal pure {
        vm.assertNotEq(left, right, reason);
    }

    function assertLt(uint256 left, uint256 right) internal pure {
        vm.assertLt(left, right, "");
    }

    function assertLt(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertLt(left, right, reason);
    }

    function assertLe(uint256 left, uint256 right) internal pure {
        vm.assertLe(left, right, "");
    }

    function assertLe(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertLe(left, right, reason);
    }

    function assertGt(uint256 left, uint256 right) internal pure {
        vm.assertGt(left, right, "");
    }

    function assertGt(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertGt(left, right, reason);
    }

    function assertGe(uint256 left, uint256 right) internal pure {
        vm.assertGe(left, right, "");
    }

    function assertGe(uint256 left, uint256 right, string memory reason) internal pure {
        vm.assertGe(left, right, reason);
    }
}
