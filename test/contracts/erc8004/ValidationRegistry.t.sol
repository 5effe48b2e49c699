// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {IValidationRegistry} from "../../../contracts/erc8004/interfaces/IValidationRegistry.sol";
import {ValidationRegistry} from "../../../contracts/erc8004/ValidationRegistry.sol";
import {Test} from "../utils/Test.sol";
import {Vm} from "../utils/Vm.sol";

contract ValidationRegistryTest is Test {
    uint256 private constant NOW = 1_800_000_000;
    bytes32 private constant FIRST = keccak256("first request");
    bytes32 private constant SECOND = keccak256("second request");
    bytes32 private constant THIRD = keccak256("third request");

    IdentityRegistry private identity;
    ValidationRegistry private validation;
    address private owner;
    address private approved;
    address private operator;
    address private stranger;
    address private validator;
    address private otherValidator;

    /// @dev Agents 0 and 1 are the owner's; `approved` may act on 0 alone, `operator` on both.
    function setUp() public {
        vm.warp(NOW);
        identity = IdentityRegistry(deploy("IdentityRegistry", ""));
        validation = ValidationRegistry(deploy("ValidationRegistry", abi.encode(address(identity))));
        owner = makeAddr("owner");
        approved = makeAddr("approved");
        operator = makeAddr("operator");
        stranger = makeAddr("stranger");
        validator = makeAddr("validator");
        otherValidator = makeAddr("otherValidator");
        vm.startPrank(owner);
        identity.register();
        identity.register();
        identity.approve(approved, 0);
        identity.setApprovalForAll(operator, true);
        vm.stopPrank();
    }

    function test_SignaturesAreTheOfficialOnes() public pure {
        assertEq(
            IValidationRegistry.ValidationRequest.selector,
            keccak256("ValidationRequest(address,uint256,string,bytes32)")
        );
        assertEq(
            IValidationRegistry.ValidationResponse.selector,
            keccak256("ValidationResponse(address,uint256,bytes32,uint8,string,bytes32,string)")
        );
        string[8] memory functions = [
            "validationRequest(address,uint256,string,bytes32)",
            "validationResponse(bytes32,uint8,string,bytes32,string)",
            "getIdentityRegistry()",
            "getValidationStatus(bytes32)",
            "getSummary(uint256,address[],string)",
            "getAgentValidations(uint256)",
            "getValidatorRequests(address)",
            "getVersion()"
        ];
        bytes4 expected;
        for (uint256 i; i < functions.length; ++i) expected ^= bytes4(keccak256(bytes(functions[i])));
        assertEq(type(IValidationRegistry).interfaceId, expected);
    }

    function test_ConstructorKeepsTheIdentityRegistryAndRefusesZero() public {
        assertEq(validation.getIdentityRegistry(), address(identity));
        assertEq(validation.getVersion(), "2.0.0");
        vm.expectRevert("bad identity");
        deploy("ValidationRegistry", abi.encode(address(0)));
    }

    /* REQUESTS */

    function test_OwnerApprovedAndOperatorRequest() public {
        address[3] memory requesters = [owner, approved, operator];
        bytes32[3] memory hashes = [FIRST, SECOND, THIRD];
        for (uint256 i; i < requesters.length; ++i) {
            vm.recordLogs();
            vm.prank(requesters[i]);
            validation.validationRequest(validator, 0, "ar://request", hashes[i]);
            Vm.Log[] memory logs = vm.getRecordedLogs();

            assertEq(logs.length, 1);
            assertLog(
                logs[0],
                address(validation),
                topicsOf(
                    IValidationRegistry.ValidationRequest.selector,
                    toTopic(validator),
                    toTopic(uint256(0)),
                    hashes[i]
                ),
                abi.encode("ar://request")
            );
            _assertStatus(hashes[i], validator, 0, 0, 0, "", NOW);
        }
    }

    function test_RequestRefusals() public {
        vm.startPrank(stranger);
        vm.expectRevert("Not authorized");
        validation.validationRequest(validator, 0, "", FIRST);
        vm.expectRevert(
            abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, uint256(2)),
            address(identity)
        );
        validation.validationRequest(validator, 2, "", FIRST);
        vm.stopPrank();

        // The validator is no more entitled than any stranger, nor is who may act on another agent.
        vm.prank(validator);
        vm.expectRevert("Not authorized");
        validation.validationRequest(validator, 0, "", FIRST);
        vm.prank(approved);
        vm.expectRevert("Not authorized");
        validation.validationRequest(validator, 1, "", FIRST);

        vm.startPrank(owner);
        vm.expectRevert("bad validator");
        validation.validationRequest(address(0), 0, "", FIRST);
        validation.validationRequest(validator, 0, "", FIRST);
        vm.expectRevert("exists");
        validation.validationRequest(otherValidator, 1, "", FIRST);

        assertEq(validation.getAgentValidations(1).length, 0);
        assertEq(validation.getValidatorRequests(otherValidator).length, 0);
    }

    function test_RequestsAreListedByAgentAndByValidator() public {
        _request(validator, 0, FIRST);
        _request(otherValidator, 0, SECOND);
        _request(validator, 1, THIRD);

        assertEq(validation.getAgentValidations(0), _hashes(FIRST, SECOND));
        assertEq(validation.getAgentValidations(1), _hashes(THIRD));
        assertEq(validation.getAgentValidations(2).length, 0);
        assertEq(validation.getValidatorRequests(validator), _hashes(FIRST, THIRD));
        assertEq(validation.getValidatorRequests(otherValidator), _hashes(SECOND));
        assertEq(validation.getValidatorRequests(stranger).length, 0);
    }

    /* RESPONSES */

    function test_ResponseIsStoredAndLogsEveryField() public {
        _request(validator, 1, FIRST);
        vm.warp(NOW + 60);
        vm.recordLogs();
        vm.prank(validator);
        validation.validationResponse(FIRST, 100, "ar://evidence", bytes32(uint256(5)), "hard");
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(validation),
            topicsOf(IValidationRegistry.ValidationResponse.selector, toTopic(validator), toTopic(uint256(1)), FIRST),
            abi.encode(uint8(100), "ar://evidence", bytes32(uint256(5)), "hard")
        );
        _assertStatus(FIRST, validator, 1, 100, bytes32(uint256(5)), "hard", NOW + 60);
    }

    function test_LaterResponseReplacesTheEarlierAlsoByALowerOne() public {
        _request(validator, 0, FIRST);
        _respond(validator, FIRST, 90, "soft");
        vm.warp(NOW + 1);
        _respond(validator, FIRST, 10, "hard");

        _assertStatus(FIRST, validator, 0, 10, 0, "hard", NOW + 1);
        _assertSummary(0, new address[](0), "", 1, 10);
    }

    function test_OnlyTheNamedValidatorResponds() public {
        _request(validator, 0, FIRST);
        address[4] memory others = [owner, operator, otherValidator, stranger];
        for (uint256 i; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert("not validator");
            validation.validationResponse(FIRST, 101, "", 0, "");
        }
        _assertStatus(FIRST, validator, 0, 0, 0, "", NOW);
    }

    function test_ResponseRefusesUnknownRequestsAndMoreThanAHundred() public {
        _request(validator, 0, FIRST);
        vm.startPrank(validator);
        vm.expectRevert("unknown");
        validation.validationResponse(SECOND, 101, "", 0, "");
        vm.expectRevert("resp>100");
        validation.validationResponse(FIRST, 101, "", 0, "");
        vm.expectRevert("resp>100");
        validation.validationResponse(FIRST, type(uint8).max, "", 0, "");
    }

    function testFuzz_ResponseRoundTrip(uint256 response, bytes32 responseHash, string calldata tag) public {
        uint8 given = uint8(bound(response, 0, 100));
        _request(validator, 0, FIRST);
        vm.prank(validator);
        validation.validationResponse(FIRST, given, "", responseHash, tag);

        _assertStatus(FIRST, validator, 0, given, responseHash, tag, NOW);
        _assertSummary(0, new address[](0), tag, 1, given);
    }

    /* READS */

    function test_StatusOfAnUnknownRequestReverts() public {
        vm.expectRevert("unknown");
        validation.getValidationStatus(FIRST);
    }

    function test_SummaryAveragesAnswersThatMatch() public {
        _request(validator, 0, FIRST);
        _request(otherValidator, 0, SECOND);
        _request(validator, 0, THIRD);
        _assertSummary(0, new address[](0), "", 0, 0);

        _respond(validator, FIRST, 0, "hard");
        _assertSummary(0, new address[](0), "", 1, 0);
        _respond(otherValidator, SECOND, 75, "soft");
        _assertSummary(0, new address[](0), "", 2, 37);
        _respond(validator, THIRD, 50, "soft");

        _assertSummary(0, new address[](0), "", 3, 41);
        _assertSummary(0, _validators(validator), "", 2, 25);
        _assertSummary(0, _validators(otherValidator), "", 1, 75);
        _assertSummary(0, _validators(stranger), "", 0, 0);
        _assertSummary(0, _validators(stranger, validator), "", 2, 25);
        _assertSummary(0, new address[](0), "soft", 2, 62);
        _assertSummary(0, _validators(validator), "soft", 1, 50);
        _assertSummary(0, new address[](0), "none", 0, 0);
        _assertSummary(1, new address[](0), "", 0, 0);
    }

    /* HELPERS */

    function _request(address to, uint256 agentId, bytes32 requestHash) private {
        vm.prank(owner);
        validation.validationRequest(to, agentId, "", requestHash);
    }

    function _respond(address from, bytes32 requestHash, uint8 response, string memory tag) private {
        vm.prank(from);
        validation.validationResponse(requestHash, response, "", 0, tag);
    }

    function _assertStatus(
        bytes32 requestHash,
        address expectedValidator,
        uint256 agentId,
        uint8 response,
        bytes32 responseHash,
        string memory tag,
        uint256 lastUpdate
    ) private view {
        (
            address seenValidator,
            uint256 seenAgentId,
            uint8 seenResponse,
            bytes32 seenHash,
            string memory seenTag,
            uint256 seenUpdate
        ) = validation.getValidationStatus(requestHash);
        assertEq(seenValidator, expectedValidator, "validator");
        assertEq(seenAgentId, agentId, "agent");
        assertEq(seenResponse, response, "response");
        assertEq(seenHash, responseHash, "response hash");
        assertEq(seenTag, tag, "tag");
        assertEq(seenUpdate, lastUpdate, "last update");
    }

    function _assertSummary(
        uint256 agentId,
        address[] memory validators,
        string memory tag,
        uint64 count,
        uint8 average
    ) private view {
        (uint64 seenCount, uint8 seenAverage) = validation.getSummary(agentId, validators, tag);
        assertEq(seenCount, count, "count");
        assertEq(seenAverage, average, "average");
    }

    function _validators(address first) private pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = first;
    }

    function _validators(address first, address second) private pure returns (address[] memory list) {
        list = new address[](2);
        (list[0], list[1]) = (first, second);
    }

    function _hashes(bytes32 first) private pure returns (bytes32[] memory list) {
        list = new bytes32[](1);
        list[0] = first;
    }

    function _hashes(bytes32 first, bytes32 second) private pure returns (bytes32[] memory list) {
        list = new bytes32[](2);
        (list[0], list[1]) = (first, second);
    }
}
