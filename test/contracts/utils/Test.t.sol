// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./Test.sol";

/// @dev Outside calls into the base's internal functions, so that their reverts can be expected.
contract TestProbe is Test {
    function equal(uint256 left, uint256 right) external pure {
        assertEq(left, right, "count");
    }

    function boundTo(uint256 min, uint256 max) external pure returns (uint256) {
        return bound(uint256(0), min, max);
    }

    function boundTo(int256 min, int256 max) external pure returns (int256) {
        return bound(int256(0), min, max);
    }
}

contract TestTest is Test {
    TestProbe private probe = new TestProbe();

    function test_AssertEqRevertsWithBothValues() public {
        (bool success, bytes memory answer) = address(probe).call(abi.encodeCall(TestProbe.equal, (1, 2)));
        assertFalse(success);
        // The runner's error is CheatcodeError(string): four bytes of selector, then the text.
        bytes memory encoded = new bytes(answer.length - 4);
        for (uint256 i; i < encoded.length; ++i) encoded[i] = answer[i + 4];
        assertEq(abi.decode(encoded, (string)), "count: 1 != 2");
    }

    function test_BoundRefusesAnEmptyRange() public {
        vm.expectRevert("bound: empty range");
        probe.boundTo(uint256(2), 1);
        vm.expectRevert("bound: empty range");
        probe.boundTo(int256(1), -1);
    }

    function testFuzz_BoundStaysInside(uint256 value, uint256 min, uint256 max) public pure {
        if (min > max) (min, max) = (max, min);
        uint256 bounded = bound(value, min, max);
        assertGe(bounded, min);
        assertLe(bounded, max);
        if (value >= min && value <= max) assertEq(bounded, value);
        assertEq(bound(value, min, min), min);
    }

    function testFuzz_BoundStaysInsideWhenSigned(int256 value, int256 min, int256 max) public pure {
        if (min > max) (min, max) = (max, min);
        int256 bounded = bound(value, min, max);
        assertTrue(bounded >= min && bounded <= max);
        if (value >= min && value <= max) assertEq(bounded, value);
        assertEq(bound(value, min, min), min);
    }

    function test_MakeAddrGivesOneAccountForEachName() public {
        (address alice, uint256 key) = makeAddrAndKey("alice");
        assertEq(vm.addr(key), alice);
        assertEq(makeAddr("alice"), alice);
        assertNotEq(makeAddr("bob"), alice);
    }

    function test_RecordedLogsAreGivenOnce() public {
        vm.recordLogs();
        assembly {
            log1(0, 0, 7)
        }
        assertEq(vm.getRecordedLogs().length, 1);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_SnapshotRestoresTheState() public {
        uint256 before = vm.getBlockTimestamp();
        uint256 snapshot = vm.snapshotState();
        vm.warp(before + 1 days);
        vm.deal(address(1), 5 ether);
        assertEq(vm.getBlockTimestamp(), before + 1 days);
        assertEq(address(1).balance, 5 ether);
        assertTrue(vm.revertToState(snapshot));
        assertEq(vm.getBlockTimestamp(), before);
        assertEq(address(1).balance, 0);
    }

    function test_ChainCheatcodes() public {
        vm.roll(1234);
        assertEq(vm.getBlockNumber(), 1234);
        vm.chainId(8453);
        assertEq(block.chainid, 8453);
        vm.etch(address(77), hex"00");
        assertEq(address(77).code, hex"00");
        vm.store(address(77), bytes32(uint256(1)), bytes32(uint256(2)));
        assertEq(vm.load(address(77), bytes32(uint256(1))), bytes32(uint256(2)));
    }
}
