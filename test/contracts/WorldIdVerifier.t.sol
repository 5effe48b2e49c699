// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {HumanVerifierRegistryBase} from "./HumanVerifierRegistry.t.sol";
import {IHumanVerifier} from "../../contracts/interfaces/IHumanVerifier.sol";
import {IHumanVerifierRegistry} from "../../contracts/interfaces/IHumanVerifierRegistry.sol";
import {HumanProofs} from "../../contracts/libraries/HumanProofs.sol";
import {MockWorldIdRouter} from "../../contracts/mocks/MockWorldIdRouter.sol";
import {SignatureVerifier} from "../../contracts/mocks/SignatureVerifier.sol";
import {IWorldIdRouter} from "../../contracts/verifiers/IWorldIdRouter.sol";
import {WorldIdHashes} from "../../contracts/verifiers/WorldIdHashes.sol";
import {WorldIdVerifier} from "../../contracts/verifiers/WorldIdVerifier.sol";

/// @dev A router whose orb group was disabled.
contract RouterWithoutOrb {
    function routeFor(uint256) external pure returns (address) {
        return address(0);
    }
}

contract WorldIdVerifierTest is HumanVerifierRegistryBase {
    uint256 internal constant FIELD_ORDER =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;
    string internal constant APP_ID = "app_0123456789abcdef0123456789abcdef";
    uint256 internal constant ROOT = 77;
    uint256 internal constant NULLIFIER_HASH = 99;

    MockWorldIdRouter internal router;
    WorldIdVerifier internal worldId;

    function setUp() public override {
        super.setUp();
        router = new MockWorldIdRouter();
        worldId = WorldIdVerifier(deploy("WorldIdVerifier", abi.encode(router, APP_ID)));
        signal = HumanProofs.signal(stranger, "alice", souls);
    }

    function numbers() internal pure returns (uint256[8] memory) {
        return [uint256(1), 2, 3, 4, 5, 6, 7, 8];
    }

    function worldIdProof() internal pure returns (bytes memory) {
        return abi.encode(ROOT, NULLIFIER_HASH, numbers());
    }

    /// @dev World ID's wallet made a proof: the router accepts it, for inputs computed here without
    /// the adapter's help.
    function acceptInGroup(uint256 groupId) internal {
        uint256 appIdHash = uint256(keccak256(bytes(APP_ID))) >> 8;
        uint256 external_ = uint256(keccak256(abi.encodePacked(appIdHash, bytes(hexText(action))))) >> 8;
        uint256 signalHash = uint256(keccak256(abi.encodePacked(signal))) >> 8;
        router.accept(ROOT, groupId, signalHash, NULLIFIER_HASH, external_, numbers());
    }

    function hexText(bytes32 word) internal pure returns (string memory) {
        bytes memory digits = "0123456789abcdef";
        bytes memory text = new bytes(66);
        text[0] = "0";
        text[1] = "x";
        for (uint256 i = 0; i < 32; ++i) {
            text[2 + 2 * i] = digits[uint8(word[i]) >> 4];
            text[3 + 2 * i] = digits[uint8(word[i]) & 15];
        }
        return string(text);
    }

    /* constructor */

    function test_refusesAnEmptyApplicationId() public {
        vm.expectRevert(abi.encodeWithSelector(WorldIdVerifier.EmptyAppId.selector));
        deploy("WorldIdVerifier", abi.encode(router, ""));
    }

    function test_refusesARouterWithoutAnOrbGroup() public {
        IWorldIdRouter other = IWorldIdRouter(address(new RouterWithoutOrb()));
        vm.expectRevert(abi.encodeWithSelector(WorldIdVerifier.NoOrbGroup.selector, address(other)));
        deploy("WorldIdVerifier", abi.encode(other, APP_ID));
    }

    function test_refusesAnAddressThatIsNoRouter() public {
        vm.expectRevert();
        deploy("WorldIdVerifier", abi.encode(IWorldIdRouter(stranger), APP_ID));
        vm.expectRevert();
        deploy("WorldIdVerifier", abi.encode(IWorldIdRouter(address(verifier)), APP_ID));
    }

    function test_knowsItsRouterAndApplication() public view {
        assertEq(address(worldId.ROUTER()), address(router));
        assertEq(worldId.APP_ID_HASH(), uint256(keccak256(bytes(APP_ID))) >> 8);
        assertEq(worldId.GROUP_ID(), 1);
    }

    /* verify */

    function test_acceptsWhatTheRouterAccepts() public {
        acceptInGroup(1);
        assertEq(worldId.verify(action, signal, worldIdProof()), bytes32(NULLIFIER_HASH));
    }

    function test_refusesAnyGroupButTheOrbs() public {
        acceptInGroup(0);
        vm.expectRevert(abi.encodeWithSelector(MockWorldIdRouter.InvalidProof.selector));
        worldId.verify(action, signal, worldIdProof());
    }

    function testFuzz_passesEveryInputOn(uint256 field, uint256 noise) public {
        acceptInGroup(1);
        WorldIdVerifier asked = worldId;
        uint256[8] memory changed = numbers();
        uint256 root = ROOT;
        uint256 nullifierHash = NULLIFIER_HASH;

        field = bound(field, 0, 12);
        noise = bound(noise, 100, FIELD_ORDER - 1);
        if (field < 8) changed[field] = noise;
        if (field == 8) root = noise;
        if (field == 9) nullifierHash = noise;
        if (field == 10) signal = bytes32(noise);
        if (field == 11) action = bytes32(noise);
        if (field == 12) asked = WorldIdVerifier(deploy("WorldIdVerifier", abi.encode(router, "app_another")));

        vm.expectRevert(abi.encodeWithSelector(MockWorldIdRouter.InvalidProof.selector));
        asked.verify(action, signal, abi.encode(root, nullifierHash, changed));
    }

    function testFuzz_refusesANullifierSpelledTwice(uint256 nullifierHash) public {
        nullifierHash = bound(nullifierHash, FIELD_ORDER, type(uint256).max);
        vm.expectRevert(abi.encodeWithSelector(WorldIdVerifier.NullifierOutOfField.selector, nullifierHash));
        worldId.verify(action, signal, abi.encode(ROOT, nullifierHash, numbers()));
    }

    function test_acceptsTheHighestNullifier() public {
        uint256 highest = FIELD_ORDER - 1;
        router.accept(ROOT, 1, worldId.signalHash(signal), highest, worldId.externalNullifier(action), numbers());
        assertEq(worldId.verify(action, signal, abi.encode(ROOT, highest, numbers())), bytes32(highest));
    }

    function testFuzz_refusesDataOfAnotherLength(uint256 length) public {
        length = bound(length, 0, 1000);
        vm.assume(length != 320);
        vm.expectRevert(abi.encodeWithSelector(WorldIdVerifier.MalformedProof.selector, length));
        worldId.verify(action, signal, new bytes(length));
    }

    /* hashes */

    /// @dev The values of an application that is live on Base, published with its deployment.
    function test_theExternalNullifierIsWorldIds() public pure {
        uint256 appIdHash = WorldIdHashes.toField("app_51925df0f1fa5388389b749e6a0f576c");
        assertEq(
            WorldIdHashes.externalNullifier(appIdHash, "claim-token-dropping-air"),
            328856683023252186786757582795161293175094147904016535319765956645134055853
        );
    }

    function testFuzz_theActionIsGivenAsText(bytes32 anyAction) public view {
        assertEq(worldId.actionText(anyAction), hexText(anyAction));
        assertEq(
            worldId.externalNullifier(anyAction),
            WorldIdHashes.externalNullifier(worldId.APP_ID_HASH(), hexText(anyAction))
        );
    }

    /// @dev A person's nullifier is its own for each external nullifier, so the person can answer again.
    function test_anotherEpochIsAnotherExternalNullifier() public view {
        uint256 first = worldId.externalNullifier(HumanProofs.action("alice", 1));
        assertNotEq(bytes32(first), bytes32(worldId.externalNullifier(HumanProofs.action("alice", 2))));
    }

    function test_supportsItsInterfaces() public view {
        assertTrue(worldId.supportsInterface(type(IHumanVerifier).interfaceId));
        assertTrue(worldId.supportsInterface(type(IERC165).interfaceId));
        assertFalse(worldId.supportsInterface(0xffffffff));
    }

    /* behind the registry */

    function test_theRegistryUsesIt() public {
        approve(address(worldId));
        acceptInGroup(1);

        vm.prank(souls);
        assertEq(registry.consume(address(worldId), action, signal, worldIdProof()), bytes32(NULLIFIER_HASH));
        assertTrue(registry.isNullifierUsed(souls, address(worldId), bytes32(NULLIFIER_HASH)));
    }

    function test_theRegistryHandsOnTheRoutersRefusal() public {
        approve(address(worldId));
        vm.expectRevert(
            abi.encodeWithSelector(
                IHumanVerifierRegistry.VerificationFailed.selector,
                address(worldId),
                abi.encodeWithSelector(MockWorldIdRouter.InvalidProof.selector)
            )
        );
        vm.prank(souls);
        registry.consume(address(worldId), action, signal, worldIdProof());
    }

    function test_adaptersAreReplaceable() public {
        approve(address(worldId));
        approve(address(verifier));
        acceptInGroup(1);
        vm.prank(souls);
        registry.consume(address(worldId), action, signal, worldIdProof());

        vm.prank(admin);
        registry.remove(address(worldId));
        bytes memory data = proof();
        vm.prank(souls);
        assertEq(registry.consume(address(verifier), action, signal, data), NULLIFIER);
        assertEq(registry.approvedVerifiers().length, 1);
        assertEq(registry.approvedVerifiers()[0], address(verifier));
    }
}

contract SignatureVerifierTest is HumanVerifierRegistryBase {
    function test_acceptsTheAttestersStatement() public view {
        assertEq(verifier.verify(action, signal, proof()), NULLIFIER);
        assertTrue(verifier.supportsInterface(type(IHumanVerifier).interfaceId));
    }

    function expectRefusal(bytes32 nullifier) internal {
        vm.expectRevert(abi.encodeWithSelector(SignatureVerifier.NotAttested.selector, action, signal, nullifier));
    }

    function test_refusesAnyOtherStatement() public {
        bytes memory otherAction = proofOf(verifier, keccak256("other"), signal, NULLIFIER);
        bytes memory otherSignal = proofOf(verifier, action, keccak256("other"), NULLIFIER);
        bytes memory otherAdapter = proofOf(new SignatureVerifier(verifier.ATTESTER()), action, signal, NULLIFIER);
        (, bytes memory signature) = abi.decode(proof(), (bytes32, bytes));
        bytes memory data = proof();

        expectRefusal(NULLIFIER);
        verifier.verify(action, signal, otherAction);
        expectRefusal(NULLIFIER);
        verifier.verify(action, signal, otherSignal);
        expectRefusal(NULLIFIER);
        verifier.verify(action, signal, otherAdapter);
        expectRefusal(keccak256("other"));
        verifier.verify(action, signal, abi.encode(keccak256("other"), signature));
        expectRefusal(NULLIFIER);
        verifier.verify(action, signal, abi.encode(NULLIFIER, bytes("")));
        vm.chainId(8453);
        expectRefusal(NULLIFIER);
        verifier.verify(action, signal, data);
    }

    function test_refusesAnotherKeysStatement() public {
        SignatureVerifier other = new SignatureVerifier(stranger);
        bytes memory data = proofOf(other, action, signal, NULLIFIER);
        expectRefusal(NULLIFIER);
        other.verify(action, signal, data);
    }
}
