// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDoubleBase} from "../SoulsDouble.sol";
import {Vm} from "../utils/Vm.sol";
import {ChronicleAnchor} from "../../../contracts/ChronicleAnchor.sol";
import {ChronicleGate} from "../../../contracts/examples/ChronicleGate.sol";

contract ChronicleGateTest is SoulsDoubleBase {
    address internal constant ANCHORER = address(0xA2C4);
    bytes32 internal constant CONTENT = keccak256("content");
    uint256 internal constant TIME = 1_770_000_000;

    ChronicleAnchor internal anchors;
    ChronicleGate internal gate;
    bytes32 internal sibling = keccak256("another agent's chronicle");

    function setUp() public override {
        super.setUp();
        anchors = ChronicleAnchor(deploy("ChronicleAnchor", abi.encode(address(this), ANCHORER, 0)));
        gate = ChronicleGate(
            deploy("ChronicleGate", abi.encode(anchors, soulRegistry, "certification", "safety_audit"))
        );
        bytes32 leaf = leafOf("safety_audit");
        bytes32 root =
            leaf < sibling ? keccak256(abi.encodePacked(leaf, sibling)) : keccak256(abi.encodePacked(sibling, leaf));
        vm.prank(ANCHORER);
        anchors.anchor(1, root, bytes32(0), 2, keccak256("archive"));
    }

    function leafOf(string memory changeType) internal view returns (bytes32) {
        return anchors.chronicleLeaf(1, 7, keccak256("certification"), keccak256(bytes(changeType)), CONTENT, TIME);
    }

    function shown() internal view returns (ChronicleGate.Chronicle memory chronicle) {
        chronicle = ChronicleGate.Chronicle(1, 7, CONTENT, TIME, 1, new bytes32[](1));
        chronicle.proof[0] = sibling;
    }

    function test_admitsAnAgentWithTheRecord() public {
        vm.recordLogs();
        gate.admit(shown());
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(gate),
            topicsOf(ChronicleGate.Admitted.selector, toTopic(uint256(1)), toTopic(uint256(1))),
            abi.encode(uint256(7))
        );
        assertTrue(gate.isAdmitted(1));
    }

    function test_refusesASoulThatIsNotValid() public {
        souls.suspend(1);
        vm.expectRevert(abi.encodeWithSelector(ChronicleGate.SoulNotValid.selector, uint256(1)));
        gate.admit(shown());
    }

    /// @dev A buyer did not live the record, and the seller may come back only as a new epoch.
    function test_endsAnAdmissionWithASaleAndAnotherEpoch() public {
        gate.admit(shown());
        souls.suspend(1);
        assertFalse(gate.isAdmitted(1));
        souls.seal(1, buyer, buyer, 2);
        assertFalse(gate.isAdmitted(1));
        souls.seal(1, owner, owner, 1);
        assertTrue(gate.isAdmitted(1));
        assertFalse(gate.isAdmitted(2));

        gate.admit(shown());
        souls.burn(1);
        assertFalse(gate.isAdmitted(1));
    }

    function test_refusesWhatTheBatchDoesNotHold() public {
        ChronicleGate.Chronicle memory later = shown();
        later.timestamp = TIME + 1;
        bytes32 leaf = anchors.chronicleLeaf(
            1,
            7,
            keccak256("certification"),
            keccak256("safety_audit"),
            CONTENT,
            TIME + 1
        );
        vm.expectRevert(abi.encodeWithSelector(ChronicleGate.NotOnRecord.selector, uint256(1), uint256(1), leaf));
        gate.admit(later);

        ChronicleGate.Chronicle memory elsewhere = shown();
        elsewhere.batchId = 2;
        vm.expectRevert(
            abi.encodeWithSelector(ChronicleGate.NotOnRecord.selector, uint256(1), uint256(2), leafOf("safety_audit"))
        );
        gate.admit(elsewhere);
        assertFalse(gate.isAdmitted(1));
    }

    /// @dev A record of another kind is no pass, however well it is proven.
    function test_refusesARecordOfAnotherKind() public {
        bytes32 other = leafOf("model_upgrade");
        bytes32 root = anchors.rootOf(1);
        vm.prank(ANCHORER);
        anchors.anchor(2, other, root, 1, keccak256("archive"));
        ChronicleGate.Chronicle memory chronicle = shown();
        chronicle.batchId = 2;
        chronicle.proof = new bytes32[](0);
        vm.expectRevert(
            abi.encodeWithSelector(ChronicleGate.NotOnRecord.selector, uint256(1), uint256(2), leafOf("safety_audit"))
        );
        gate.admit(chronicle);
    }
}
