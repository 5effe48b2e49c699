// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDoubleBase} from "./SoulsDouble.sol";
import {Vm} from "./utils/Vm.sol";
import {AgentKeys} from "../../contracts/AgentKeys.sol";
import {IAgentKeys} from "../../contracts/interfaces/IAgentKeys.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";

/// @dev A wallet that answers every ERC-1271 question with yes, as a wallet does for a message that
/// it approved on chain.
contract ApprovingWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0x1626ba7e;
    }
}

/// @dev Nonces and signatures, which every contract with owners' decisions inherits. {AgentKeys} is
/// the smallest of them.
contract OwnerAuthorizationTest is SoulsDoubleBase {
    AgentKeys internal agentKeys;

    function setUp() public override {
        super.setUp();
        agentKeys = AgentKeys(deploy("AgentKeys", abi.encode(soulRegistry)));
    }

    function cancelDigest(address signer, uint256 nonce, uint256 deadline) internal view returns (bytes32) {
        bytes32 typeHash = keccak256("Cancel(address signer,uint256 nonce,uint256 deadline)");
        return digestOf(address(agentKeys), "AgentKeys", "2", keccak256(abi.encode(typeHash, signer, nonce, deadline)));
    }

    function nonceAlreadyUsed(address signer, uint256 nonce) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, signer, nonce);
    }

    function invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, signer);
    }

    function cancelAs(address caller, uint256 nonce) internal {
        vm.prank(caller);
        agentKeys.cancel(nonce);
    }

    function keysWith(uint256 nonce) internal view returns (IAgentKeys.SetAgentKeys memory) {
        return IAgentKeys.SetAgentKeys(1, 1, 0, sha256("keys"), sha256("archive"), false, nonce, block.timestamp);
    }

    function test_aCallCancelsTheCallersNonce() public {
        assertFalse(agentKeys.isNonceUsed(owner, 7));

        vm.recordLogs();
        cancelAs(owner, 7);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(agentKeys),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(owner), bytes32(0)),
            abi.encode(uint256(7))
        );
        assertTrue(agentKeys.isNonceUsed(owner, 7));
        assertFalse(agentKeys.isNonceUsed(stranger, 7));
        vm.expectRevert(nonceAlreadyUsed(owner, 7));
        cancelAs(owner, 7);
    }

    /// @dev Nonces share a storage word by 256: neighbours in the word and in the bit are apart.
    function testFuzz_aNonceUsesUpNoOtherNonce(uint256 first, uint256 second) public {
        uint256[4] memory others = [first ^ 1, first ^ 255, first ^ 256, second == first ? first ^ 2 : second];
        cancelAs(owner, first);
        for (uint256 i = 0; i < others.length; ++i) assertFalse(agentKeys.isNonceUsed(owner, others[i]));

        cancelAs(owner, others[0]);
        cancelAs(owner, others[2]);
        assertTrue(agentKeys.isNonceUsed(owner, first));
        assertTrue(agentKeys.isNonceUsed(owner, others[0]));
        assertTrue(agentKeys.isNonceUsed(owner, others[2]));
        vm.expectRevert(nonceAlreadyUsed(owner, first));
        cancelAs(owner, first);
    }

    function test_anyAccountSubmitsASignedCancel() public {
        uint256 deadline = block.timestamp;
        bytes32 digest = cancelDigest(owner, 7, deadline);
        bytes memory signature = signDigest(OWNER_KEY, digest);

        vm.recordLogs();
        vm.prank(stranger);
        agentKeys.cancelFor(owner, 7, deadline, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(agentKeys),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(owner), digest),
            abi.encode(uint256(7))
        );
        vm.expectRevert(nonceAlreadyUsed(owner, 7));
        agentKeys.cancelFor(owner, 7, deadline, signature);
    }

    function test_refusesACancelForAnotherSignerNonceOrTime() public {
        uint256 deadline = block.timestamp;
        bytes memory signature = signDigest(OWNER_KEY, cancelDigest(owner, 7, deadline));
        bytes memory forOwner = signDigest(OWNER_KEY, cancelDigest(stranger, 7, deadline));

        vm.expectRevert(invalidSignature(stranger));
        agentKeys.cancelFor(stranger, 7, deadline, signature);
        vm.expectRevert(invalidSignature(owner));
        agentKeys.cancelFor(owner, 7, deadline, forOwner);
        vm.expectRevert(invalidSignature(owner));
        agentKeys.cancelFor(owner, 8, deadline, signature);
        vm.expectRevert(invalidSignature(owner));
        agentKeys.cancelFor(owner, 7, deadline + 1, signature);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, deadline));
        agentKeys.cancelFor(owner, 7, deadline, signature);
        assertFalse(agentKeys.isNonceUsed(owner, 7));
    }

    function test_refusesASignatureWhoseNonceWasCancelled() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(7);
        bytes32 typeHash = keccak256(
            "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
        );
        bytes32 digest = digestOf(address(agentKeys), "AgentKeys", "2", keccak256(abi.encode(typeHash, keys)));
        cancelAs(owner, 7);
        vm.expectRevert(nonceAlreadyUsed(owner, 7));
        agentKeys.setKeys(keys, signDigest(OWNER_KEY, digest));
    }

    /// @dev A signature that is there is checked, also in the owner's own call.
    function test_refusesTheOwnersCallWithAnInvalidSignature() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(7);
        vm.expectRevert(invalidSignature(owner));
        vm.prank(owner);
        agentKeys.setKeys(keys, hex"00");
    }

    function test_theOwnersCallUsesUpNoNonce() public {
        IAgentKeys.SetAgentKeys memory keys = keysWith(7);
        vm.prank(owner);
        agentKeys.setKeys(keys, "");
        assertFalse(agentKeys.isNonceUsed(owner, 7));
    }

    /// @dev A contract wallet may approve a message on chain: its signature is then empty.
    function test_aContractWalletMayAcceptAnEmptySignature() public {
        address wallet = address(new ApprovingWallet());
        souls.seal(1, wallet, wallet, 1);
        IAgentKeys.SetAgentKeys memory keys = keysWith(7);
        vm.prank(stranger);
        agentKeys.setKeys(keys, "");
        assertEq(agentKeys.keysOf(1), sha256("keys"));
        assertTrue(agentKeys.isNonceUsed(wallet, 7));
    }
}
