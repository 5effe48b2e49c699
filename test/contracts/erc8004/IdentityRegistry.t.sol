// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {IIdentityRegistry} from "../../../contracts/erc8004/interfaces/IIdentityRegistry.sol";
import {ERC1271Wallet} from "../../../contracts/mocks/ERC1271Wallet.sol";
import {ForwardingReceiver} from "../../../contracts/mocks/ForwardingReceiver.sol";
import {NonReceiver} from "../../../contracts/mocks/NonReceiver.sol";
import {Test} from "../utils/Test.sol";
import {Vm} from "../utils/Vm.sol";

contract IdentityRegistryTest is Test {
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );
    bytes32 private constant AGENT_WALLET_SET_TYPEHASH = keccak256(
        "AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"
    );
    uint256 private constant NOW = 1_800_000_000;
    string private constant URI = "ar://registration-file";

    IdentityRegistry private registry;
    address private alice;
    address private bob;
    address private approved;
    address private operator;
    address private stranger;
    address private wallet;
    uint256 private walletKey;

    function setUp() public {
        vm.warp(NOW);
        registry = IdentityRegistry(deploy("IdentityRegistry", ""));
        alice = makeAddr("alice");
        bob = makeAddr("bob");
        approved = makeAddr("approved");
        operator = makeAddr("operator");
        stranger = makeAddr("stranger");
        (wallet, walletKey) = makeAddrAndKey("wallet");
    }

    /* INTERFACE */

    function test_SignaturesAreTheOfficialOnes() public view {
        assertEq(IIdentityRegistry.Registered.selector, keccak256("Registered(uint256,string,address)"));
        assertEq(IIdentityRegistry.URIUpdated.selector, keccak256("URIUpdated(uint256,string,address)"));
        assertEq(IIdentityRegistry.MetadataSet.selector, keccak256("MetadataSet(uint256,string,string,bytes)"));
        // The functions ERC-8004 adds to ERC-721; inherited ones do not count toward an interface
        // id.
        string[11] memory functions = [
            "register()",
            "register(string)",
            "register(string,(string,bytes)[])",
            "setAgentURI(uint256,string)",
            "setMetadata(uint256,string,bytes)",
            "getMetadata(uint256,string)",
            "setAgentWallet(uint256,address,uint256,bytes)",
            "unsetAgentWallet(uint256)",
            "getAgentWallet(uint256)",
            "isAuthorizedOrOwner(address,uint256)",
            "getVersion()"
        ];
        bytes4 expected;
        for (uint256 i; i < functions.length; ++i) expected ^= bytes4(keccak256(bytes(functions[i])));
        assertEq(type(IIdentityRegistry).interfaceId, expected);
        assertEq(registry.getVersion(), "2.0.0");
    }

    /* REGISTRATION */

    function test_TokenIsNamed() public view {
        assertEq(registry.name(), "AgentIdentity");
        assertEq(registry.symbol(), "AGENT");
    }

    function test_IdsStartAtZeroAndCountUp() public {
        vm.startPrank(alice);
        assertEq(registry.register(), 0);
        assertEq(registry.register(URI), 1);
        assertEq(registry.register("", new IIdentityRegistry.MetadataEntry[](0)), 2);
        vm.stopPrank();

        assertEq(registry.ownerOf(0), alice);
        assertEq(registry.balanceOf(alice), 3);
        assertEq(registry.tokenURI(0), "");
        assertEq(registry.tokenURI(1), URI);
        assertEq(registry.tokenURI(2), "");
    }

    function test_RegistrationSetsTheRegistrantAsWallet() public {
        _registerAs(alice);

        assertEq(registry.getAgentWallet(0), alice);
        assertEq(registry.getMetadata(0, "agentWallet"), abi.encodePacked(alice));
    }

    function test_RegistrationWithoutUriLogsInOrder() public {
        vm.recordLogs();
        vm.prank(alice);
        registry.register();
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 3);
        _assertTransfer(logs[0], address(0), alice, 0);
        _assertRegistered(logs[1], 0, "", alice);
        _assertMetadataSet(logs[2], 0, "agentWallet", abi.encodePacked(alice));
    }

    function test_RegistrationWithUriLogsInOrder() public {
        vm.recordLogs();
        vm.prank(alice);
        registry.register(URI);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 4);
        _assertTransfer(logs[0], address(0), alice, 0);
        _assertMetadataUpdate(logs[1], 0);
        _assertRegistered(logs[2], 0, URI, alice);
        _assertMetadataSet(logs[3], 0, "agentWallet", abi.encodePacked(alice));
    }

    function test_RegistrationWithMetadataLogsInOrder() public {
        IIdentityRegistry.MetadataEntry[] memory entries = new IIdentityRegistry.MetadataEntry[](3);
        entries[0] = IIdentityRegistry.MetadataEntry("first", hex"01");
        entries[1] = IIdentityRegistry.MetadataEntry("second", "");
        entries[2] = IIdentityRegistry.MetadataEntry("first", hex"0203");

        _registerAs(alice);
        vm.recordLogs();
        vm.prank(bob);
        registry.register(URI, entries);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 7);
        _assertTransfer(logs[0], address(0), bob, 1);
        _assertMetadataUpdate(logs[1], 1);
        _assertRegistered(logs[2], 1, URI, bob);
        _assertMetadataSet(logs[3], 1, "agentWallet", abi.encodePacked(bob));
        _assertMetadataSet(logs[4], 1, "first", hex"01");
        _assertMetadataSet(logs[5], 1, "second", "");
        _assertMetadataSet(logs[6], 1, "first", hex"0203");
        assertEq(registry.getMetadata(1, "first"), hex"0203");
        assertEq(registry.getMetadata(1, "second"), "");
        assertEq(registry.getMetadata(0, "first"), "");
    }

    function test_RegistrationRefusesTheReservedKey() public {
        IIdentityRegistry.MetadataEntry[] memory entries = new IIdentityRegistry.MetadataEntry[](2);
        entries[0] = IIdentityRegistry.MetadataEntry("free", hex"01");
        entries[1] = IIdentityRegistry.MetadataEntry("agentWallet", abi.encodePacked(bob));

        vm.prank(alice);
        vm.expectRevert("reserved key");
        registry.register(URI, entries);

        assertEq(registry.balanceOf(alice), 0);
        assertEq(registry.getMetadata(0, "free"), "");
    }

    function test_ContractWithoutReceiverCannotRegister() public {
        address refused = address(new NonReceiver());
        bytes memory expected = abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, refused);
        vm.startPrank(refused);
        vm.expectRevert(expected);
        registry.register();
        vm.expectRevert(expected);
        registry.register(URI);
        vm.expectRevert(expected);
        registry.register(URI, new IIdentityRegistry.MetadataEntry[](0));
    }

    function test_ContractThatReceivesCanRegister() public {
        ERC1271Wallet account = new ERC1271Wallet(alice);
        vm.prank(alice);
        bytes memory answer = account.execute(address(registry), abi.encodeWithSignature("register()"));

        assertEq(abi.decode(answer, (uint256)), 0);
        assertEq(registry.ownerOf(0), address(account));
        assertEq(registry.getAgentWallet(0), address(account));
    }

    function test_RegistrantThatPassesTheTokenOnInItsCallbackLogsAWalletThatIsCleared() public {
        address forwarder = address(new ForwardingReceiver(bob));
        vm.recordLogs();
        vm.prank(forwarder);
        registry.register(URI);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 6);
        _assertTransfer(logs[0], address(0), forwarder, 0);
        _assertMetadataSet(logs[1], 0, "agentWallet", "");
        _assertTransfer(logs[2], forwarder, bob, 0);
        _assertMetadataUpdate(logs[3], 0);
        _assertRegistered(logs[4], 0, URI, forwarder);
        _assertMetadataSet(logs[5], 0, "agentWallet", abi.encodePacked(forwarder));
        assertEq(registry.ownerOf(0), bob);
        assertEq(registry.getAgentWallet(0), address(0));
    }

    /* URI */

    function test_OwnerApprovedAndOperatorSetTheUri() public {
        _registerWithDelegates();
        address[3] memory writers = [alice, approved, operator];
        string[3] memory uris = ["ar://1", "", "ar://3"];
        for (uint256 i; i < writers.length; ++i) {
            vm.recordLogs();
            vm.prank(writers[i]);
            registry.setAgentURI(0, uris[i]);
            Vm.Log[] memory logs = vm.getRecordedLogs();

            assertEq(logs.length, 2);
            _assertMetadataUpdate(logs[0], 0);
            assertLog(
                logs[1],
                address(registry),
                topicsOf(IIdentityRegistry.URIUpdated.selector, toTopic(uint256(0)), toTopic(writers[i])),
                abi.encode(uris[i])
            );
            assertEq(registry.tokenURI(0), uris[i]);
        }
    }

    function test_SetUriRefusesStrangersAndUnknownAgents() public {
        _registerWithDelegates();
        vm.startPrank(stranger);
        vm.expectRevert("Not authorized");
        registry.setAgentURI(0, URI);
        vm.expectRevert(_nonexistent(1));
        registry.setAgentURI(1, URI);
    }

    function test_TokenUriOfAnUnknownAgentReverts() public {
        vm.expectRevert(_nonexistent(0));
        registry.tokenURI(0);
    }

    /* METADATA */

    function test_OwnerApprovedAndOperatorSetMetadata() public {
        _registerWithDelegates();
        address[3] memory writers = [alice, approved, operator];
        bytes[3] memory values = [bytes(hex"01"), "", hex"ff00ff"];
        for (uint256 i; i < writers.length; ++i) {
            vm.recordLogs();
            vm.prank(writers[i]);
            registry.setMetadata(0, "key", values[i]);
            Vm.Log[] memory logs = vm.getRecordedLogs();

            assertEq(logs.length, 1);
            _assertMetadataSet(logs[0], 0, "key", values[i]);
            assertEq(registry.getMetadata(0, "key"), values[i]);
        }
    }

    function test_SetMetadataRefusesStrangersUnknownAgentsAndTheReservedKey() public {
        _registerWithDelegates();
        vm.startPrank(stranger);
        vm.expectRevert("Not authorized");
        registry.setMetadata(0, "key", hex"01");
        vm.expectRevert("Not authorized");
        registry.setMetadata(0, "agentWallet", hex"01");
        vm.expectRevert(_nonexistent(1));
        registry.setMetadata(1, "key", hex"01");
        vm.stopPrank();
        vm.prank(alice);
        vm.expectRevert("reserved key");
        registry.setMetadata(0, "agentWallet", abi.encodePacked(bob));

        assertEq(registry.getAgentWallet(0), alice);
    }

    function test_MetadataOfAnUnknownAgentIsEmpty() public view {
        assertEq(registry.getMetadata(7, "key"), "");
    }

    function testFuzz_MetadataRoundTrip(string calldata key, bytes calldata value, bytes calldata next) public {
        vm.assume(keccak256(bytes(key)) != keccak256("agentWallet"));
        uint256 agentId = _registerAs(alice);

        vm.startPrank(alice);
        vm.expectEmit(true, true, true, true, address(registry));
        emit IIdentityRegistry.MetadataSet(agentId, key, key, value);
        registry.setMetadata(agentId, key, value);
        assertEq(registry.getMetadata(agentId, key), value);

        // A shorter or longer value leaves nothing of the one before.
        registry.setMetadata(agentId, key, next);
        assertEq(registry.getMetadata(agentId, key), next);
        assertEq(registry.getAgentWallet(agentId), alice);
        assertEq(registry.getMetadata(agentId + 1, key), "");
    }

    /* WALLET */

    function test_OwnerApprovedAndOperatorSetTheWallet() public {
        _registerWithDelegates();
        address[3] memory writers = [alice, approved, operator];
        for (uint256 i; i < writers.length; ++i) {
            (address next, uint256 key) = makeAddrAndKey(["w1", "w2", "w3"][i]);
            bytes memory signature = signDigest(key, _walletDigest(0, next, alice, NOW + 5 minutes));
            vm.recordLogs();
            vm.prank(writers[i]);
            registry.setAgentWallet(0, next, NOW + 5 minutes, signature);
            Vm.Log[] memory logs = vm.getRecordedLogs();

            assertEq(logs.length, 1);
            _assertMetadataSet(logs[0], 0, "agentWallet", abi.encodePacked(next));
            assertEq(registry.getAgentWallet(0), next);
            assertEq(registry.getMetadata(0, "agentWallet"), abi.encodePacked(next));
        }
    }

    function test_SetWalletAcceptsTheDeadlinesOwnSecond() public {
        _registerAs(alice);
        _setWallet(wallet, NOW, walletKey);

        assertEq(registry.getAgentWallet(0), wallet);
    }

    function test_SetWalletAcceptsAContractWallet() public {
        _registerAs(alice);
        address account = address(new ERC1271Wallet(wallet));
        _setWallet(account, NOW + 60, walletKey);

        assertEq(registry.getAgentWallet(0), account);
    }

    function test_SetWalletAcceptsTheKeyOfAnAccountWithCode() public {
        _registerAs(alice);
        // The EIP-7702 designator of a delegate that knows no ERC-1271.
        vm.etch(wallet, abi.encodePacked(hex"ef0100", address(new NonReceiver())));
        assertGt(wallet.code.length, 0);
        _setWallet(wallet, NOW + 60, walletKey);

        assertEq(registry.getAgentWallet(0), wallet);
    }

    function test_SetWalletRefusesCallersWithoutAuthority() public {
        _registerWithDelegates();
        bytes memory signature = signDigest(walletKey, _walletDigest(0, wallet, alice, NOW + 60));
        vm.prank(stranger);
        vm.expectRevert("Not authorized");
        registry.setAgentWallet(0, wallet, NOW + 60, signature);
        vm.prank(wallet);
        vm.expectRevert("Not authorized");
        registry.setAgentWallet(0, wallet, NOW + 60, signature);
        vm.prank(alice);
        vm.expectRevert(_nonexistent(1));
        registry.setAgentWallet(1, wallet, NOW + 60, signature);
    }

    function test_SetWalletRefusesBadArguments() public {
        _registerAs(alice);
        bytes memory signature = signDigest(walletKey, _walletDigest(0, wallet, alice, NOW - 1));
        vm.startPrank(alice);
        vm.expectRevert("bad wallet");
        registry.setAgentWallet(0, address(0), NOW - 1, signature);
        vm.expectRevert("expired");
        registry.setAgentWallet(0, wallet, NOW - 1, signature);
        signature = signDigest(walletKey, _walletDigest(0, wallet, alice, NOW + 5 minutes + 1));
        vm.expectRevert("deadline too far");
        registry.setAgentWallet(0, wallet, NOW + 5 minutes + 1, signature);
        vm.expectRevert("deadline too far");
        registry.setAgentWallet(0, wallet, type(uint256).max, signature);

        assertEq(registry.getAgentWallet(0), alice);
    }

    function test_SetWalletRefusesEverySignatureButTheWalletsOverExactlyThis() public {
        _registerAs(alice);
        _registerAs(alice);
        (, uint256 aliceKey) = makeAddrAndKey("alice");
        uint256 deadline = NOW + 60;
        bytes[6] memory signatures = [
            bytes(""),
            signDigest(aliceKey, _walletDigest(0, wallet, alice, deadline)),
            signDigest(walletKey, _walletDigest(1, wallet, alice, deadline)),
            signDigest(walletKey, _walletDigest(0, alice, alice, deadline)),
            signDigest(walletKey, _walletDigest(0, wallet, bob, deadline)),
            signDigest(walletKey, _walletDigest(0, wallet, alice, deadline + 1))
        ];
        vm.startPrank(alice);
        for (uint256 i; i < signatures.length; ++i) {
            vm.expectRevert("invalid wallet sig");
            registry.setAgentWallet(0, wallet, deadline, signatures[i]);
        }

        // The same terms signed for another registry and for another chain.
        bytes memory foreign = signDigest(walletKey, _digestFor(address(this), 0, wallet, alice, deadline));
        vm.expectRevert("invalid wallet sig");
        registry.setAgentWallet(0, wallet, deadline, foreign);
        bytes memory valid = signDigest(walletKey, _walletDigest(0, wallet, alice, deadline));
        vm.chainId(8453);
        vm.expectRevert("invalid wallet sig");
        registry.setAgentWallet(0, wallet, deadline, valid);
    }

    function test_SetWalletRefusesContractsThatDoNotAnswerErc1271() public {
        _registerAs(alice);
        bytes memory signature = signDigest(walletKey, _walletDigest(0, wallet, alice, NOW + 60));
        address silent = address(new NonReceiver());
        address otherOwner = address(new ERC1271Wallet(bob));
        vm.startPrank(alice);
        vm.expectRevert("invalid wallet sig");
        registry.setAgentWallet(0, silent, NOW + 60, signature);
        vm.expectRevert("invalid wallet sig");
        registry.setAgentWallet(0, otherOwner, NOW + 60, signature);
    }

    function test_OwnerApprovedAndOperatorUnsetTheWallet() public {
        _registerWithDelegates();
        address[3] memory writers = [alice, approved, operator];
        for (uint256 i; i < writers.length; ++i) {
            _setWallet(wallet, NOW + 60, walletKey);
            vm.recordLogs();
            vm.prank(writers[i]);
            registry.unsetAgentWallet(0);
            Vm.Log[] memory logs = vm.getRecordedLogs();

            assertEq(logs.length, 1);
            _assertMetadataSet(logs[0], 0, "agentWallet", "");
            assertEq(registry.getAgentWallet(0), address(0));
            assertEq(registry.getMetadata(0, "agentWallet"), "");
        }
    }

    function test_UnsetWalletRefusesStrangersAndUnknownAgents() public {
        _registerWithDelegates();
        vm.startPrank(stranger);
        vm.expectRevert("Not authorized");
        registry.unsetAgentWallet(0);
        vm.expectRevert(_nonexistent(1));
        registry.unsetAgentWallet(1);
    }

    function test_WalletOfAnUnknownAgentIsZero() public view {
        assertEq(registry.getAgentWallet(0), address(0));
    }

    /* TRANSFER */

    function test_TransferClearsTheWalletBeforeItsTransferLog() public {
        _registerAs(alice);
        vm.recordLogs();
        vm.prank(alice);
        registry.transferFrom(alice, bob, 0);
        _assertClearedThenMoved(vm.getRecordedLogs(), alice, bob);

        assertEq(registry.ownerOf(0), bob);
    }

    function test_SafeTransferToAContractClearsTheWallet() public {
        _registerAs(alice);
        address account = address(new ERC1271Wallet(bob));
        vm.recordLogs();
        vm.prank(alice);
        registry.safeTransferFrom(alice, account, 0);
        _assertClearedThenMoved(vm.getRecordedLogs(), alice, account);
    }

    function test_TransferToItsOwnerClearsTheWalletToo() public {
        _registerAs(alice);
        vm.recordLogs();
        vm.prank(alice);
        registry.transferFrom(alice, alice, 0);
        _assertClearedThenMoved(vm.getRecordedLogs(), alice, alice);

        assertEq(registry.ownerOf(0), alice);
    }

    function test_TransferKeepsUriAndFreeMetadata() public {
        vm.startPrank(alice);
        registry.register(URI);
        registry.setMetadata(0, "key", hex"01");
        registry.transferFrom(alice, bob, 0);
        vm.stopPrank();

        assertEq(registry.tokenURI(0), URI);
        assertEq(registry.getMetadata(0, "key"), hex"01");
        vm.prank(alice);
        vm.expectRevert("Not authorized");
        registry.setMetadata(0, "key", hex"02");
        vm.prank(bob);
        registry.setMetadata(0, "key", hex"03");
        assertEq(registry.getMetadata(0, "key"), hex"03");
    }

    function test_TransferRefusesStrangersAndKeepsTheWallet() public {
        _registerAs(alice);
        vm.prank(stranger);
        vm.expectRevert(
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, stranger, uint256(0))
        );
        registry.transferFrom(alice, stranger, 0);

        assertEq(registry.getAgentWallet(0), alice);
    }

    function test_ConsentGivenUnderTheOldOwnerIsRefusedUnderTheNewOne() public {
        _registerAs(alice);
        bytes memory signature = signDigest(walletKey, _walletDigest(0, wallet, alice, NOW + 60));
        vm.prank(alice);
        registry.transferFrom(alice, bob, 0);
        vm.prank(bob);
        vm.expectRevert("invalid wallet sig");
        registry.setAgentWallet(0, wallet, NOW + 60, signature);
    }

    /* READS */

    function test_IsAuthorizedOrOwner() public {
        _registerWithDelegates();
        assertTrue(registry.isAuthorizedOrOwner(alice, 0));
        assertTrue(registry.isAuthorizedOrOwner(approved, 0));
        assertTrue(registry.isAuthorizedOrOwner(operator, 0));
        assertFalse(registry.isAuthorizedOrOwner(stranger, 0));
        assertFalse(registry.isAuthorizedOrOwner(address(0), 0));

        _registerAs(alice);
        assertFalse(registry.isAuthorizedOrOwner(approved, 1), "approved for the other agent");
        assertTrue(registry.isAuthorizedOrOwner(operator, 1));

        vm.expectRevert(_nonexistent(2));
        registry.isAuthorizedOrOwner(alice, 2);
    }

    function test_SupportsItsInterfacesAndNoEnumeration() public view {
        assertTrue(registry.supportsInterface(0x01ffc9a7), "ERC-165");
        assertTrue(registry.supportsInterface(0x80ac58cd), "ERC-721");
        assertTrue(registry.supportsInterface(0x5b5e139f), "ERC-721 Metadata");
        assertTrue(registry.supportsInterface(0x49064906), "ERC-4906");
        assertFalse(registry.supportsInterface(0x780e9d63), "ERC-721 Enumerable");
        assertFalse(registry.supportsInterface(0xffffffff));
    }

    function test_HasNoEnumerationAndNoBurn() public {
        _registerAs(alice);
        vm.startPrank(alice);
        bytes[4] memory calls = [
            abi.encodeWithSignature("totalSupply()"),
            abi.encodeWithSignature("tokenByIndex(uint256)", 0),
            abi.encodeWithSignature("tokenOfOwnerByIndex(address,uint256)", alice, 0),
            abi.encodeWithSignature("burn(uint256)", 0)
        ];
        for (uint256 i; i < calls.length; ++i) {
            (bool success, bytes memory answer) = address(registry).call(calls[i]);
            assertFalse(success);
            assertEq(answer, "");
        }
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(0)));
        registry.transferFrom(alice, address(0), 0);
    }

    function test_DomainIsTheOfficialOne() public view {
        (bytes1 fields, string memory name, string memory version, uint256 chainId, address verifier, , ) = registry
            .eip712Domain();
        assertEq(uint256(uint8(fields)), 0x0f);
        assertEq(name, "ERC8004IdentityRegistry");
        assertEq(version, "1");
        assertEq(chainId, block.chainid);
        assertEq(verifier, address(registry));
    }

    /* HELPERS */

    function _registerAs(address owner) private returns (uint256) {
        vm.prank(owner);
        return registry.register();
    }

    /// @dev Agent 0 is alice's; `approved` may act on it alone, `operator` on all of hers.
    function _registerWithDelegates() private {
        vm.startPrank(alice);
        registry.register();
        registry.approve(approved, 0);
        registry.setApprovalForAll(operator, true);
        vm.stopPrank();
    }

    function _setWallet(address newWallet, uint256 deadline, uint256 key) private {
        bytes memory signature = signDigest(key, _walletDigest(0, newWallet, alice, deadline));
        vm.prank(alice);
        registry.setAgentWallet(0, newWallet, deadline, signature);
    }

    function _walletDigest(
        uint256 agentId,
        address newWallet,
        address owner,
        uint256 deadline
    ) private view returns (bytes32) {
        return _digestFor(address(registry), agentId, newWallet, owner, deadline);
    }

    function _digestFor(
        address verifier,
        uint256 agentId,
        address newWallet,
        address owner,
        uint256 deadline
    ) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("ERC8004IdentityRegistry"), keccak256("1"), block.chainid, verifier)
        );
        bytes32 terms = keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owner, deadline));
        return keccak256(abi.encodePacked(hex"1901", domain, terms));
    }

    function _nonexistent(uint256 agentId) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, agentId);
    }

    function _assertClearedThenMoved(Vm.Log[] memory logs, address from, address to) private view {
        assertEq(logs.length, 2);
        _assertMetadataSet(logs[0], 0, "agentWallet", "");
        _assertTransfer(logs[1], from, to, 0);
        assertEq(registry.getAgentWallet(0), address(0));
        assertEq(registry.getMetadata(0, "agentWallet"), "");
    }

    function _assertTransfer(Vm.Log memory log, address from, address to, uint256 agentId) private view {
        assertLog(
            log,
            address(registry),
            topicsOf(IERC721.Transfer.selector, toTopic(from), toTopic(to), toTopic(agentId)),
            ""
        );
    }

    function _assertMetadataUpdate(Vm.Log memory log, uint256 agentId) private view {
        assertLog(log, address(registry), topicsOf(IERC4906.MetadataUpdate.selector), abi.encode(agentId));
    }

    function _assertRegistered(Vm.Log memory log, uint256 agentId, string memory uri, address owner) private view {
        assertLog(
            log,
            address(registry),
            topicsOf(IIdentityRegistry.Registered.selector, toTopic(agentId), toTopic(owner)),
            abi.encode(uri)
        );
    }

    function _assertMetadataSet(
        Vm.Log memory log,
        uint256 agentId,
        string memory key,
        bytes memory value
    ) private view {
        assertLog(
            log,
            address(registry),
            topicsOf(IIdentityRegistry.MetadataSet.selector, toTopic(agentId), toTopic(key)),
            abi.encode(key, value)
        );
    }
}
