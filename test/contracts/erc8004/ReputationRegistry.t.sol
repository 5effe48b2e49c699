// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {IReputationRegistry} from "../../../contracts/erc8004/interfaces/IReputationRegistry.sol";
import {ReputationRegistry} from "../../../contracts/erc8004/ReputationRegistry.sol";
import {Test} from "../utils/Test.sol";
import {Vm} from "../utils/Vm.sol";

contract ReputationRegistryTest is Test {
    struct Rows {
        address[] clients;
        uint64[] indexes;
        int128[] values;
        uint8[] decimals;
        string[] tag1s;
        string[] tag2s;
        bool[] revoked;
    }

    int128 private constant MAX_VALUE = 1e38;

    IdentityRegistry private identity;
    ReputationRegistry private reputation;
    address private owner;
    address private approved;
    address private operator;
    address private alice;
    address private bob;
    address private responder;

    /// @dev Agent 0 is the owner's; `approved` may act on it alone, `operator` on all of the
    /// owner's agents.
    function setUp() public {
        identity = IdentityRegistry(deploy("IdentityRegistry", ""));
        reputation = ReputationRegistry(deploy("ReputationRegistry", abi.encode(address(identity))));
        owner = makeAddr("owner");
        approved = makeAddr("approved");
        operator = makeAddr("operator");
        alice = makeAddr("alice");
        bob = makeAddr("bob");
        responder = makeAddr("responder");
        vm.startPrank(owner);
        identity.register();
        identity.approve(approved, 0);
        identity.setApprovalForAll(operator, true);
        vm.stopPrank();
    }

    function test_SignaturesAreTheOfficialOnes() public pure {
        assertEq(
            IReputationRegistry.NewFeedback.selector,
            keccak256("NewFeedback(uint256,address,uint64,int128,uint8,string,string,string,string,string,bytes32)")
        );
        assertEq(IReputationRegistry.FeedbackRevoked.selector, keccak256("FeedbackRevoked(uint256,address,uint64)"));
        assertEq(
            IReputationRegistry.ResponseAppended.selector,
            keccak256("ResponseAppended(uint256,address,uint64,address,string,bytes32)")
        );
        string[11] memory functions = [
            "giveFeedback(uint256,int128,uint8,string,string,string,string,bytes32)",
            "revokeFeedback(uint256,uint64)",
            "appendResponse(uint256,address,uint64,string,bytes32)",
            "getIdentityRegistry()",
            "getLastIndex(uint256,address)",
            "readFeedback(uint256,address,uint64)",
            "getSummary(uint256,address[],string,string)",
            "readAllFeedback(uint256,address[],string,string,bool)",
            "getResponseCount(uint256,address,uint64,address[])",
            "getClients(uint256)",
            "getVersion()"
        ];
        bytes4 expected;
        for (uint256 i; i < functions.length; ++i) expected ^= bytes4(keccak256(bytes(functions[i])));
        assertEq(type(IReputationRegistry).interfaceId, expected);
    }

    function test_ConstructorKeepsTheIdentityRegistryAndRefusesZero() public {
        assertEq(reputation.getIdentityRegistry(), address(identity));
        assertEq(reputation.getVersion(), "2.0.0");
        vm.expectRevert("bad identity");
        deploy("ReputationRegistry", abi.encode(address(0)));
    }

    /* GIVING */

    function test_GiveFeedbackLogsEveryField() public {
        vm.recordLogs();
        vm.prank(alice);
        reputation.giveFeedback(0, -1234, 2, "quality", "fast", "https://a.example", "ar://text", bytes32(uint256(7)));
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(reputation),
            topicsOf(
                IReputationRegistry.NewFeedback.selector,
                toTopic(uint256(0)),
                toTopic(alice),
                toTopic(string("quality"))
            ),
            abi.encode(
                uint64(1),
                int128(-1234),
                uint8(2),
                "quality",
                "fast",
                "https://a.example",
                "ar://text",
                bytes32(uint256(7))
            )
        );
    }

    function test_FeedbackIsNumberedFromOneForEachClientAndAgent() public {
        vm.prank(owner);
        identity.register();
        assertEq(reputation.getLastIndex(0, alice), 0);
        _give(alice, 0, 1, 0, "", "");
        _give(alice, 0, 2, 0, "", "");
        _give(bob, 0, 3, 0, "", "");
        _give(alice, 1, 4, 0, "", "");

        assertEq(reputation.getLastIndex(0, alice), 2);
        assertEq(reputation.getLastIndex(0, bob), 1);
        assertEq(reputation.getLastIndex(1, alice), 1);
        assertEq(reputation.getLastIndex(1, bob), 0);
        _assertFeedback(0, alice, 2, 2, 0, "", "", false);
        _assertFeedback(1, alice, 1, 4, 0, "", "", false);

        address[] memory clients = reputation.getClients(0);
        assertEq(clients, _list(alice, bob));
        assertEq(reputation.getClients(1), _list(alice));
        assertEq(reputation.getClients(2).length, 0);
    }

    function testFuzz_FeedbackRoundTrip(
        uint256 value,
        uint256 decimals,
        string calldata tag1,
        string calldata tag2
    ) public {
        int128 given = int128(bound(int256(value), -MAX_VALUE, MAX_VALUE));
        uint8 places = uint8(bound(decimals, 0, 18));
        _give(alice, 0, given, places, tag1, tag2);

        _assertFeedback(0, alice, 1, given, places, tag1, tag2, false);
        (uint64 count, int128 average, uint8 averagePlaces) = reputation.getSummary(0, _list(alice), tag1, tag2);
        assertEq(count, 1);
        assertEq(average, given);
        assertEq(averagePlaces, places);
    }

    function test_BoundsOfValueAndDecimals() public {
        _give(alice, 0, MAX_VALUE, 18, "", "");
        _give(alice, 0, -MAX_VALUE, 18, "", "");
        vm.startPrank(alice);
        vm.expectRevert("value too large");
        reputation.giveFeedback(0, MAX_VALUE + 1, 0, "", "", "", "", 0);
        vm.expectRevert("value too large");
        reputation.giveFeedback(0, -MAX_VALUE - 1, 0, "", "", "", "", 0);
        vm.expectRevert("value too large");
        reputation.giveFeedback(0, type(int128).min, 0, "", "", "", "", 0);
        vm.expectRevert("too many decimals");
        reputation.giveFeedback(0, type(int128).max, 19, "", "", "", "", 0);

        assertEq(reputation.getLastIndex(0, alice), 2);
    }

    function test_OwnerAndOperatorsCannotRateTheirAgent() public {
        address[3] memory own = [owner, approved, operator];
        for (uint256 i; i < own.length; ++i) {
            vm.prank(own[i]);
            vm.expectRevert("Self-feedback not allowed");
            reputation.giveFeedback(0, 100, 0, "", "", "", "", 0);
        }
        assertEq(reputation.getClients(0).length, 0);
    }

    function test_PowersOverOneAgentDoNotForbidRatingAnother() public {
        vm.prank(owner);
        identity.register();
        _give(approved, 1, 5, 0, "", "");

        vm.prank(operator);
        vm.expectRevert("Self-feedback not allowed");
        reputation.giveFeedback(1, 5, 0, "", "", "", "", 0);
    }

    function test_UnknownAgentCannotBeRated() public {
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, uint256(1)),
            address(identity)
        );
        reputation.giveFeedback(1, 1, 0, "", "", "", "", 0);
    }

    /* REVOKING */

    function test_RevokeMarksAndLogs() public {
        _give(alice, 0, 80, 0, "a", "b");
        _give(alice, 0, 90, 0, "a", "b");
        vm.recordLogs();
        vm.prank(alice);
        reputation.revokeFeedback(0, 2);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(reputation),
            topicsOf(
                IReputationRegistry.FeedbackRevoked.selector,
                toTopic(uint256(0)),
                toTopic(alice),
                toTopic(uint256(2))
            ),
            ""
        );
        _assertFeedback(0, alice, 1, 80, 0, "a", "b", false);
        _assertFeedback(0, alice, 2, 90, 0, "a", "b", true);
        assertEq(reputation.getLastIndex(0, alice), 2);
    }

    function test_RevokeRefusals() public {
        _give(alice, 0, 80, 0, "", "");
        vm.startPrank(alice);
        vm.expectRevert("index must be > 0");
        reputation.revokeFeedback(0, 0);
        vm.expectRevert("index out of bounds");
        reputation.revokeFeedback(0, 2);
        vm.expectRevert("index out of bounds");
        reputation.revokeFeedback(1, 1);
        reputation.revokeFeedback(0, 1);
        vm.expectRevert("Already revoked");
        reputation.revokeFeedback(0, 1);
        vm.stopPrank();

        // Another client's index 1 is not alice's.
        vm.prank(bob);
        vm.expectRevert("index out of bounds");
        reputation.revokeFeedback(0, 1);
    }

    /* RESPONDING */

    function test_AnyAccountRespondsAndTheResponseLogsEveryField() public {
        _give(alice, 0, 80, 0, "", "");
        vm.recordLogs();
        vm.prank(responder);
        reputation.appendResponse(0, alice, 1, "ar://answer", bytes32(uint256(9)));
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(reputation),
            topicsOf(
                IReputationRegistry.ResponseAppended.selector,
                toTopic(uint256(0)),
                toTopic(alice),
                toTopic(responder)
            ),
            abi.encode(uint64(1), "ar://answer", bytes32(uint256(9)))
        );
    }

    function test_ResponseRefusals() public {
        _give(alice, 0, 80, 0, "", "");
        vm.startPrank(responder);
        vm.expectRevert("index must be > 0");
        reputation.appendResponse(0, alice, 0, "", 0);
        vm.expectRevert("Empty URI");
        reputation.appendResponse(0, alice, 2, "", 0);
        vm.expectRevert("index out of bounds");
        reputation.appendResponse(0, alice, 2, "ar://answer", 0);
        vm.expectRevert("index out of bounds");
        reputation.appendResponse(0, bob, 1, "ar://answer", 0);
    }

    function test_ResponsesAreCountedByClientFeedbackAndResponder() public {
        _give(alice, 0, 1, 0, "", "");
        _give(alice, 0, 2, 0, "", "");
        _give(bob, 0, 3, 0, "", "");
        vm.prank(alice);
        reputation.revokeFeedback(0, 2);
        _respond(responder, alice, 1);
        _respond(responder, alice, 1);
        _respond(owner, alice, 1);
        _respond(owner, alice, 2);
        _respond(responder, bob, 1);

        address[] memory anyResponder = new address[](0);
        assertEq(reputation.getResponseCount(0, address(0), 0, anyResponder), 5);
        assertEq(reputation.getResponseCount(0, address(0), 2, anyResponder), 5, "index without client");
        assertEq(reputation.getResponseCount(0, alice, 0, anyResponder), 4);
        assertEq(reputation.getResponseCount(0, alice, 1, anyResponder), 3);
        assertEq(reputation.getResponseCount(0, alice, 2, anyResponder), 1);
        assertEq(reputation.getResponseCount(0, alice, 3, anyResponder), 0);
        assertEq(reputation.getResponseCount(0, alice, 0, _list(responder)), 2);
        assertEq(reputation.getResponseCount(0, address(0), 0, _list(responder)), 3);
        assertEq(reputation.getResponseCount(0, alice, 1, _list(responder, owner)), 3);
        assertEq(reputation.getResponseCount(0, alice, 1, _list(responder, responder)), 4, "named twice");
        assertEq(reputation.getResponseCount(0, alice, 1, _list(bob)), 0);
        assertEq(reputation.getResponseCount(1, address(0), 0, anyResponder), 0);
    }

    /* READING */

    function test_ReadFeedbackRefusals() public {
        _give(alice, 0, 80, 0, "", "");
        vm.expectRevert("index must be > 0");
        reputation.readFeedback(0, alice, 0);
        vm.expectRevert("index out of bounds");
        reputation.readFeedback(0, alice, 2);
        vm.expectRevert("index out of bounds");
        reputation.readFeedback(0, bob, 1);
        vm.expectRevert("index out of bounds");
        reputation.readFeedback(1, alice, 1);
    }

    function test_SummaryNeedsClients() public {
        vm.expectRevert("clientAddresses required");
        reputation.getSummary(0, new address[](0), "", "");
    }

    function test_SummaryAveragesWhatMatches() public {
        _give(alice, 0, 80, 0, "quality", "fast");
        _give(alice, 0, 91, 0, "quality", "slow");
        _give(bob, 0, 10, 0, "uptime", "fast");
        _give(bob, 0, 1000, 0, "quality", "fast");
        vm.prank(bob);
        reputation.revokeFeedback(0, 2);

        _assertSummary(_list(alice), "", "", 2, 85, 0);
        _assertSummary(_list(alice, bob), "", "", 3, 60, 0);
        _assertSummary(_list(alice, bob), "quality", "", 2, 85, 0);
        _assertSummary(_list(alice, bob), "", "fast", 2, 45, 0);
        _assertSummary(_list(alice, bob), "quality", "fast", 1, 80, 0);
        _assertSummary(_list(alice, bob), "nothing", "", 0, 0, 0);
        _assertSummary(_list(bob, bob), "", "", 2, 10, 0);
        _assertSummary(_list(owner), "", "", 0, 0, 0);
    }

    function test_SummaryHasTheDecimalsMostOfThemHave() public {
        _give(alice, 0, 9977, 2, "", "");
        _assertSummary(_list(alice), "", "", 1, 9977, 2);
        // One each: the smaller number of decimals, here 0, cuts (99.77 + 1) / 2.
        _give(alice, 0, 1, 0, "", "");
        _assertSummary(_list(alice), "", "", 2, 50, 0);
        _give(bob, 0, 50, 2, "", "");
        // (99.77 + 1 + 0.50) / 3 = 33.756...
        _assertSummary(_list(alice, bob), "", "", 3, 3375, 2);
    }

    function test_SummaryRoundsTowardZeroBelowIt() public {
        _give(alice, 0, -3, 0, "", "");
        _give(alice, 0, -4, 0, "", "");
        _assertSummary(_list(alice), "", "", 2, -3, 0);
    }

    function test_SummaryWrapsAroundAsTheOfficialOneDoes() public {
        _give(alice, 0, MAX_VALUE, 0, "", "");
        _give(alice, 0, 0, 18, "", "");
        _give(alice, 0, 0, 18, "", "");
        int256 average = (int256(MAX_VALUE) * 1e18) / 3;
        assertGt(uint256(average), uint256(uint128(type(int128).max)));
        _assertSummary(_list(alice), "", "", 3, int128(average), 18);
    }

    function test_ReadAllFeedbackOfEveryClient() public {
        _giveToRead();
        _assertAll(new address[](0), "", "", true, _list(bob, alice, alice), [uint64(1), 1, 2], 3);
        _assertAll(new address[](0), "", "", false, _list(bob, alice), [uint64(1), 1, 0], 2);
    }

    function test_ReadAllFeedbackOfSome() public {
        _giveToRead();
        _assertAll(_list(alice), "", "", true, _list(alice, alice), [uint64(1), 2, 0], 2);
        _assertAll(_list(alice, bob), "quality", "", true, _list(alice, bob), [uint64(1), 1, 0], 2);
        _assertAll(_list(alice, bob), "", "slow", true, _list(alice), [uint64(2), 0, 0], 1);
        _assertAll(_list(alice, bob), "", "slow", false, new address[](0), [uint64(0), 0, 0], 0);
        _assertAll(_list(owner), "", "", true, new address[](0), [uint64(0), 0, 0], 0);
    }

    /* HELPERS */

    function _give(
        address client,
        uint256 agentId,
        int128 value,
        uint8 decimals,
        string memory tag1,
        string memory tag2
    ) private {
        vm.prank(client);
        reputation.giveFeedback(agentId, value, decimals, tag1, tag2, "", "", 0);
    }

    /// @dev Bob first, so that the order of clients is not the one of their names; alice's second
    /// is revoked.
    function _giveToRead() private {
        _give(bob, 0, 10, 1, "quality", "fast");
        _give(alice, 0, -20, 2, "quality", "fast");
        _give(alice, 0, 30, 3, "uptime", "slow");
        vm.prank(alice);
        reputation.revokeFeedback(0, 2);
    }

    function _respond(address from, address client, uint64 index) private {
        vm.prank(from);
        reputation.appendResponse(0, client, index, "ar://answer", 0);
    }

    function _assertFeedback(
        uint256 agentId,
        address client,
        uint64 index,
        int128 value,
        uint8 decimals,
        string memory tag1,
        string memory tag2,
        bool isRevoked
    ) private view {
        (int128 seen, uint8 places, string memory seenTag1, string memory seenTag2, bool revoked) = reputation
            .readFeedback(agentId, client, index);
        assertEq(seen, value, "value");
        assertEq(places, decimals, "decimals");
        assertEq(seenTag1, tag1, "tag1");
        assertEq(seenTag2, tag2, "tag2");
        assertEq(revoked, isRevoked, "revoked");
    }

    function _assertSummary(
        address[] memory clients,
        string memory tag1,
        string memory tag2,
        uint64 count,
        int128 value,
        uint8 decimals
    ) private view {
        (uint64 seenCount, int128 seenValue, uint8 seenDecimals) = reputation.getSummary(0, clients, tag1, tag2);
        assertEq(seenCount, count, "count");
        assertEq(seenValue, value, "value");
        assertEq(seenDecimals, decimals, "decimals");
    }

    /// @dev Compares each row with `readFeedback` of the expected client and index; only the first
    /// `length` count.
    function _assertAll(
        address[] memory wanted,
        string memory tag1,
        string memory tag2,
        bool includeRevoked,
        address[] memory clients,
        uint64[3] memory indexes,
        uint256 length
    ) private view {
        Rows memory seen = _readAll(wanted, tag1, tag2, includeRevoked);
        assertEq(seen.clients, clients, "clients");
        assertEq(seen.indexes.length, length, "indexes");
        assertEq(seen.values.length, length, "values");
        assertEq(seen.decimals.length, length, "decimals");
        assertEq(seen.tag1s.length, length, "tag1s");
        assertEq(seen.tag2s.length, length, "tag2s");
        assertEq(seen.revoked.length, length, "revoked");
        for (uint256 i; i < length; ++i) {
            assertEq(seen.indexes[i], indexes[i], "index");
            _assertRow(seen, clients[i], i);
        }
    }

    function _assertRow(Rows memory seen, address client, uint256 i) private view {
        _assertFeedback(
            0,
            client,
            seen.indexes[i],
            seen.values[i],
            seen.decimals[i],
            seen.tag1s[i],
            seen.tag2s[i],
            seen.revoked[i]
        );
    }

    /// @dev Seven arrays at once are more than the stack holds; a struct of them is encoded alike,
    /// behind its offset.
    function _readAll(
        address[] memory wanted,
        string memory tag1,
        string memory tag2,
        bool includeRevoked
    ) private view returns (Rows memory) {
        (bool success, bytes memory rows) = address(reputation).staticcall(
            abi.encodeCall(reputation.readAllFeedback, (0, wanted, tag1, tag2, includeRevoked))
        );
        assertEq(success, true, "readAllFeedback");
        return abi.decode(bytes.concat(bytes32(uint256(0x20)), rows), (Rows));
    }

    function _list(address first) private pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = first;
    }

    function _list(address first, address second) private pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (first, second);
    }

    function _list(address first, address second, address third) private pure returns (address[] memory list) {
        list = new address[](3);
        (list[0], list[1], list[2]) = (first, second, third);
    }
}
