// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Test} from "./utils/Test.sol";
import {HumanVerifierRegistry} from "../../contracts/HumanVerifierRegistry.sol";
import {IHumanVerifier} from "../../contracts/interfaces/IHumanVerifier.sol";
import {IHumanVerifierRegistry} from "../../contracts/interfaces/IHumanVerifierRegistry.sol";
import {HumanProofs} from "../../contracts/libraries/HumanProofs.sol";
import {NonReceiver} from "../../contracts/mocks/NonReceiver.sol";
import {SignatureVerifier} from "../../contracts/mocks/SignatureVerifier.sol";

/// @dev Supports ERC-165, but is no adapter.
contract OtherInterface is IERC165 {
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId;
    }
}

/// @dev An adapter that got past the admin and answers as it is configured.
contract OddVerifier is IERC165 {
    enum Answer {
        NOTHING,
        TWO_WORDS,
        WRITE,
        REVERT_ONE_WORD
    }

    Answer private immutable _ANSWER;
    uint256 private _written;

    constructor(Answer answer) {
        _ANSWER = answer;
    }

    function verify(bytes32, bytes32, bytes calldata) external returns (bytes32) {
        if (_ANSWER == Answer.WRITE) _written = 1;
        if (_ANSWER == Answer.TWO_WORDS) {
            assembly ("memory-safe") {
                mstore(0, 1)
                mstore(0x20, 2)
                return(0, 0x40)
            }
        }
        if (_ANSWER == Answer.REVERT_ONE_WORD) {
            assembly ("memory-safe") {
                mstore(0, 1)
                revert(0, 0x20)
            }
        }
        assembly ("memory-safe") {
            return(0, 0)
        }
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IERC165).interfaceId || interfaceId == type(IHumanVerifier).interfaceId;
    }
}

abstract contract HumanVerifierRegistryBase is Test {
    uint48 internal constant DELAY = 2 days;
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant ATTESTER_KEY = 0xA77E57;
    bytes32 internal constant NULLIFIER = keccak256("person");

    address internal admin = makeAddr("admin");
    address internal stranger = makeAddr("stranger");
    address internal souls = makeAddr("souls");
    bytes32 internal action = HumanProofs.action("alice", 1);
    bytes32 internal signal = keccak256("signal");

    HumanVerifierRegistry internal registry;
    SignatureVerifier internal verifier;

    function setUp() public virtual {
        vm.warp(START);
        registry = HumanVerifierRegistry(deploy("HumanVerifierRegistry", abi.encode(admin, DELAY, 0)));
        verifier = new SignatureVerifier(vm.addr(ATTESTER_KEY));
    }

    function propose(address adapter) internal {
        vm.prank(admin);
        registry.propose(adapter);
    }

    function approve(address adapter) internal {
        propose(adapter);
        vm.warp(vm.getBlockTimestamp() + DELAY);
        registry.activate(adapter);
    }

    /// @dev The attester's proof for this adapter.
    function proofOf(
        SignatureVerifier adapter,
        bytes32 action_,
        bytes32 signal_,
        bytes32 nullifier
    ) internal view returns (bytes memory) {
        bytes32 statement = adapter.statement(action_, signal_, nullifier);
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", statement));
        return abi.encode(nullifier, signDigest(ATTESTER_KEY, digest));
    }

    function proof() internal view returns (bytes memory) {
        return proofOf(verifier, action, signal, NULLIFIER);
    }

    function assertStatus(address adapter, IHumanVerifierRegistry.VerifierStatus expected, uint48 due) internal view {
        (IHumanVerifierRegistry.VerifierStatus status, uint48 activatableAt) = registry.statusOf(adapter);
        assertEq(uint256(status), uint256(expected), "status");
        assertEq(activatableAt, due, "activatableAt");
        assertEq(registry.isApproved(adapter), expected == IHumanVerifierRegistry.VerifierStatus.APPROVED, "approved");
    }

    function expectUnauthorized(address caller) internal {
        vm.expectRevert(
            abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, caller, bytes32(0))
        );
    }

    function expectWrongStatus(address adapter, IHumanVerifierRegistry.VerifierStatus status) internal {
        vm.expectRevert(abi.encodeWithSelector(IHumanVerifierRegistry.WrongVerifierStatus.selector, adapter, status));
    }
}

contract HumanVerifierRegistryAdaptersTest is HumanVerifierRegistryBase {
    /* propose */

    function test_startsWithNoAdapterAndItsDelay() public view {
        assertEq(registry.DELAY(), DELAY);
        assertEq(registry.approvedVerifiers().length, 0);
        assertTrue(registry.hasRole(bytes32(0), admin));
        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN, 0);
    }

    function testFuzz_onlyTheAdminProposes(address caller) public {
        vm.assume(caller != admin);
        expectUnauthorized(caller);
        vm.prank(caller);
        registry.propose(address(verifier));
    }

    function test_refusesAnAddressThatIsNotAnAdapter() public {
        address[3] memory accounts = [stranger, address(new NonReceiver()), address(new OtherInterface())];
        for (uint256 i = 0; i < accounts.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(IHumanVerifierRegistry.NotAVerifier.selector, accounts[i]));
            propose(accounts[i]);
        }
    }

    function test_aProposalWaits() public {
        vm.expectEmit(address(registry));
        emit IHumanVerifierRegistry.VerifierProposed(address(verifier), uint48(START + DELAY));
        propose(address(verifier));

        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.PROPOSED, uint48(START + DELAY));
        assertEq(registry.approvedVerifiers().length, 0);
    }

    function test_aProposalsTimeCannotBeMoved() public {
        propose(address(verifier));
        vm.warp(START + 1);
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.PROPOSED);
        propose(address(verifier));
        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.PROPOSED, uint48(START + DELAY));
    }

    function test_anApprovedAdapterIsNotProposedAgain() public {
        approve(address(verifier));
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.APPROVED);
        propose(address(verifier));
    }

    /* activate */

    function testFuzz_refusesAnEarlyActivation(uint256 elapsed) public {
        elapsed = bound(elapsed, 0, DELAY - 1);
        propose(address(verifier));
        vm.warp(START + elapsed);

        vm.expectRevert(
            abi.encodeWithSelector(
                IHumanVerifierRegistry.DelayNotOver.selector,
                address(verifier),
                uint48(START + DELAY)
            )
        );
        vm.prank(admin);
        registry.activate(address(verifier));
    }

    function testFuzz_anyAccountActivatesOnceTheDelayIsOver(uint256 late, address caller) public {
        late = bound(late, 0, 3650 days);
        propose(address(verifier));
        vm.warp(START + DELAY + late);

        vm.expectEmit(address(registry));
        emit IHumanVerifierRegistry.VerifierActivated(address(verifier), caller);
        vm.prank(caller);
        registry.activate(address(verifier));

        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.APPROVED, 0);
        address[] memory approved = registry.approvedVerifiers();
        assertEq(approved.length, 1);
        assertEq(approved[0], address(verifier));
    }

    function test_onlyAProposedAdapterIsActivated() public {
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN);
        registry.activate(address(verifier));

        approve(address(verifier));
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.APPROVED);
        registry.activate(address(verifier));
    }

    function test_withoutADelayAProposalIsActivatedAtOnce() public {
        registry = HumanVerifierRegistry(deploy("HumanVerifierRegistry", abi.encode(admin, 0, 0)));
        propose(address(verifier));
        registry.activate(address(verifier));
        assertTrue(registry.isApproved(address(verifier)));
    }

    /* remove */

    function testFuzz_onlyTheAdminRemoves(address caller) public {
        vm.assume(caller != admin);
        approve(address(verifier));
        expectUnauthorized(caller);
        vm.prank(caller);
        registry.remove(address(verifier));
        assertTrue(registry.isApproved(address(verifier)));
    }

    function test_anUnknownAdapterIsNotRemoved() public {
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN);
        vm.prank(admin);
        registry.remove(address(verifier));
    }

    function test_aWithdrawnProposalIsDeadAndWaitsAnew() public {
        propose(address(verifier));
        vm.warp(START + DELAY);
        vm.expectEmit(address(registry));
        emit IHumanVerifierRegistry.VerifierRemoved(address(verifier), IHumanVerifierRegistry.VerifierStatus.PROPOSED);
        vm.prank(admin);
        registry.remove(address(verifier));

        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN, 0);
        expectWrongStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN);
        registry.activate(address(verifier));

        propose(address(verifier));
        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.PROPOSED, uint48(START + 2 * DELAY));
    }

    function test_removalActsAtOnce() public {
        approve(address(verifier));
        vm.expectEmit(address(registry));
        emit IHumanVerifierRegistry.VerifierRemoved(address(verifier), IHumanVerifierRegistry.VerifierStatus.APPROVED);
        vm.prank(admin);
        registry.remove(address(verifier));

        assertStatus(address(verifier), IHumanVerifierRegistry.VerifierStatus.UNKNOWN, 0);
        assertEq(registry.approvedVerifiers().length, 0);
        bytes memory data = proof();
        vm.expectRevert(abi.encodeWithSelector(IHumanVerifierRegistry.VerifierNotApproved.selector, address(verifier)));
        vm.prank(souls);
        registry.consume(address(verifier), action, signal, data);
    }

    function test_supportsItsInterfaces() public view {
        assertTrue(registry.supportsInterface(type(IHumanVerifierRegistry).interfaceId));
        assertTrue(registry.supportsInterface(type(IAccessControl).interfaceId));
        assertTrue(registry.supportsInterface(type(IERC165).interfaceId));
        assertFalse(registry.supportsInterface(0xffffffff));
    }
}

contract HumanVerifierRegistryConsumeTest is HumanVerifierRegistryBase {
    function consume(address consumer, address adapter, bytes memory data) internal returns (bytes32) {
        vm.prank(consumer);
        return registry.consume(adapter, action, signal, data);
    }

    function test_refusesAdaptersThatAreNotApproved() public {
        bytes memory data = proof();
        bytes memory refusal = abi.encodeWithSelector(
            IHumanVerifierRegistry.VerifierNotApproved.selector,
            address(verifier)
        );

        vm.expectRevert(refusal);
        consume(souls, address(verifier), data);

        propose(address(verifier));
        vm.warp(START + DELAY);
        vm.expectRevert(refusal);
        consume(souls, address(verifier), data);
    }

    function test_usesUpTheNullifierOfAProofThatHolds() public {
        approve(address(verifier));
        bytes memory data = proof();
        assertFalse(registry.isNullifierUsed(souls, address(verifier), NULLIFIER));

        vm.expectEmit(address(registry));
        emit IHumanVerifierRegistry.HumanProofConsumed(souls, address(verifier), NULLIFIER, action, signal);
        assertEq(consume(souls, address(verifier), data), NULLIFIER);

        assertTrue(registry.isNullifierUsed(souls, address(verifier), NULLIFIER));
    }

    function test_remembersTheAdapterOfEachCallerAndAction() public {
        SignatureVerifier second = new SignatureVerifier(vm.addr(ATTESTER_KEY));
        approve(address(verifier));
        approve(address(second));
        assertEq(registry.verifierOf(souls, action), address(0));
        consume(souls, address(verifier), proof());
        assertEq(registry.verifierOf(souls, action), address(verifier));
        assertEq(registry.verifierOf(stranger, action), address(0));
        assertEq(registry.verifierOf(souls, HumanProofs.action("alice", 2)), address(0));

        consume(stranger, address(second), proofOf(second, action, signal, NULLIFIER));
        assertEq(registry.verifierOf(souls, action), address(verifier));
        consume(souls, address(second), proofOf(second, action, signal, NULLIFIER));
        assertEq(registry.verifierOf(souls, action), address(second));
        vm.prank(admin);
        registry.remove(address(second));
        assertEq(registry.verifierOf(souls, action), address(second));
    }

    function test_aPersonAnswersOncePerAction() public {
        approve(address(verifier));
        consume(souls, address(verifier), proof());

        // The same person for another owner: another signal, the same nullifier.
        bytes memory refusal = abi.encodeWithSelector(
            IHumanVerifierRegistry.NullifierAlreadyUsed.selector,
            souls,
            address(verifier),
            NULLIFIER
        );
        signal = keccak256("another owner");
        bytes memory data = proof();
        vm.expectRevert(refusal);
        consume(souls, address(verifier), data);
    }

    function test_aUsedNullifierStaysUsedAfterARemoval() public {
        approve(address(verifier));
        consume(souls, address(verifier), proof());
        vm.prank(admin);
        registry.remove(address(verifier));
        approve(address(verifier));

        bytes memory data = proof();
        vm.expectRevert(
            abi.encodeWithSelector(
                IHumanVerifierRegistry.NullifierAlreadyUsed.selector,
                souls,
                address(verifier),
                NULLIFIER
            )
        );
        consume(souls, address(verifier), data);
    }

    function testFuzz_anotherCallersCallUsesUpNoNullifier(address caller) public {
        vm.assume(caller != souls);
        approve(address(verifier));
        bytes memory data = proof();

        consume(caller, address(verifier), data);
        assertFalse(registry.isNullifierUsed(souls, address(verifier), NULLIFIER));
        assertEq(consume(souls, address(verifier), data), NULLIFIER);
    }

    function test_anotherAdaptersNullifierIsAnother() public {
        SignatureVerifier second = new SignatureVerifier(vm.addr(ATTESTER_KEY));
        approve(address(verifier));
        approve(address(second));

        consume(souls, address(verifier), proof());
        assertFalse(registry.isNullifierUsed(souls, address(second), NULLIFIER));
        consume(souls, address(second), proofOf(second, action, signal, NULLIFIER));
        assertTrue(registry.isNullifierUsed(souls, address(second), NULLIFIER));
    }

    function test_aRefusedProofNamesTheAdaptersError() public {
        approve(address(verifier));
        bytes memory data = proofOf(verifier, action, keccak256("other"), NULLIFIER);
        bytes memory reason = abi.encodeWithSelector(SignatureVerifier.NotAttested.selector, action, signal, NULLIFIER);

        vm.expectRevert(
            abi.encodeWithSelector(IHumanVerifierRegistry.VerificationFailed.selector, address(verifier), reason)
        );
        consume(souls, address(verifier), data);
        assertFalse(registry.isNullifierUsed(souls, address(verifier), NULLIFIER));
    }

    function test_answersOfAnotherFormAreRefusals() public {
        // The last one reverts with what an accepted proof would answer: one word.
        bytes[4] memory answers = [bytes(""), abi.encode(1, 2), bytes(""), abi.encode(1)];
        for (uint256 i = 0; i < answers.length; ++i) {
            address odd = address(new OddVerifier(OddVerifier.Answer(i)));
            approve(odd);
            vm.expectRevert(
                abi.encodeWithSelector(IHumanVerifierRegistry.VerificationFailed.selector, odd, answers[i])
            );
            consume(souls, odd, "");
        }
    }

    function test_anAdapterWithoutCodeIsARefusal() public {
        approve(address(verifier));
        bytes memory data = proof();
        vm.etch(address(verifier), "");

        vm.expectRevert(
            abi.encodeWithSelector(IHumanVerifierRegistry.VerificationFailed.selector, address(verifier), bytes(""))
        );
        consume(souls, address(verifier), data);
    }

    /* what a proof is made for */

    function testFuzz_aProofFitsOneClaim(address owner, uint8 field, address other) public {
        vm.assume(other != owner && other != souls);
        signal = HumanProofs.signal(owner, "alice", souls);
        approve(address(verifier));
        bytes memory data = proof();

        field = uint8(bound(field, 0, 4));
        if (field == 0) signal = HumanProofs.signal(other, "alice", souls);
        if (field == 1) signal = HumanProofs.signal(owner, "bob", souls);
        if (field == 2) signal = HumanProofs.signal(owner, "alice", other);
        if (field == 3) action = HumanProofs.action("bob", 1);
        if (field == 4) action = HumanProofs.action("alice", 2);
        bytes memory reason = abi.encodeWithSelector(SignatureVerifier.NotAttested.selector, action, signal, NULLIFIER);
        vm.expectRevert(
            abi.encodeWithSelector(IHumanVerifierRegistry.VerificationFailed.selector, address(verifier), reason)
        );
        consume(souls, address(verifier), data);
    }

    function test_hashesAreTheDocumentedOnes() public {
        vm.chainId(8453);
        assertEq(HumanProofs.action("alice", 7), keccak256(abi.encode("svc", "alice", uint256(7))));
        bytes32 onBase = HumanProofs.signal(admin, "alice", souls);
        assertEq(onBase, keccak256(abi.encode(admin, "alice", uint256(8453), souls)));
        vm.chainId(84532);
        assertNotEq(HumanProofs.signal(admin, "alice", souls), onBase);
    }
}
