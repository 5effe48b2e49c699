// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {IValidationRegistry} from "./interfaces/IValidationRegistry.sol";

/// @title ERC-8004 validation registry for local chains and tests
/// @notice Behaves like the official contract, which has no confirmed address yet. Never deploy
/// this one to a public network.
/// @dev Not upgradeable: the constructor takes what the official one is initialised with.
contract ValidationRegistry is IValidationRegistry {
    /* TYPES */

    struct Validation {
        address validator;
        uint8 response;
        bool hasResponse;
        uint256 agentId;
        bytes32 responseHash;
        string tag;
        uint256 lastUpdate;
    }

    /* CONSTANTS AND IMMUTABLES */

    uint8 private constant MAX_RESPONSE = 100;

    IIdentityRegistry private immutable IDENTITY_REGISTRY;

    /* STORAGE */

    mapping(bytes32 requestHash => Validation) private _validations;
    mapping(uint256 agentId => bytes32[] requestHashes) private _agentValidations;
    mapping(address validator => bytes32[] requestHashes) private _validatorRequests;

    /// @param identityRegistry Whose agents are validated; reverts with `bad identity` if zero.
    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        IDENTITY_REGISTRY = IIdentityRegistry(identityRegistry);
    }

    /* AGENT OWNERS AND OPERATORS */

    /// @inheritdoc IValidationRegistry
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external {
        require(validatorAddress != address(0), "bad validator");
        Validation storage validation = _validations[requestHash];
        require(validation.validator == address(0), "exists");
        require(IDENTITY_REGISTRY.isAuthorizedOrOwner(msg.sender, agentId), "Not authorized");

        validation.validator = validatorAddress;
        validation.agentId = agentId;
        validation.lastUpdate = block.timestamp;
        _agentValidations[agentId].push(requestHash);
        _validatorRequests[validatorAddress].push(requestHash);

        emit ValidationRequest(validatorAddress, agentId, requestURI, requestHash);
    }

    /* VALIDATORS */

    /// @inheritdoc IValidationRegistry
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external {
        Validation storage validation = _existing(requestHash);
        require(msg.sender == validation.validator, "not validator");
        require(response <= MAX_RESPONSE, "resp>100");

        validation.response = response;
        validation.hasResponse = true;
        validation.responseHash = responseHash;
        validation.tag = tag;
        validation.lastUpdate = block.timestamp;

        emit ValidationResponse(msg.sender, validation.agentId, requestHash, response, responseURI, responseHash, tag);
    }

    /* READS */

    /// @inheritdoc IValidationRegistry
    function getIdentityRegistry() external view returns (address) {
        return address(IDENTITY_REGISTRY);
    }

    /// @inheritdoc IValidationRegistry
    function getValidationStatus(
        bytes32 requestHash
    )
        external
        view
        returns (
            address validatorAddress,
            uint256 agentId,
            uint8 response,
            bytes32 responseHash,
            string memory tag,
            uint256 lastUpdate
        )
    {
        Validation storage validation = _existing(requestHash);
        return (
            validation.validator,
            validation.agentId,
            validation.response,
            validation.responseHash,
            validation.tag,
            validation.lastUpdate
        );
    }

    /// @inheritdoc IValidationRegistry
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 averageResponse) {
        bytes32[] storage requestHashes = _agentValidations[agentId];
        uint256 sum;
        for (uint256 i; i < requestHashes.length; ++i) {
            Validation storage validation = _validations[requestHashes[i]];
            if (!validation.hasResponse) continue;
            if (validatorAddresses.length > 0 && !_contains(validatorAddresses, validation.validator)) continue;
            if (bytes(tag).length > 0 && keccak256(bytes(tag)) != keccak256(bytes(validation.tag))) continue;
            sum += validation.response;
            ++count;
        }
        if (count > 0) averageResponse = uint8(sum / count);
    }

    /// @inheritdoc IValidationRegistry
    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory) {
        return _agentValidations[agentId];
    }

    /// @inheritdoc IValidationRegistry
    function getValidatorRequests(address validatorAddress) external view returns (bytes32[] memory) {
        return _validatorRequests[validatorAddress];
    }

    /// @inheritdoc IValidationRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /* INTERNAL */

    function _existing(bytes32 requestHash) private view returns (Validation storage validation) {
        validation = _validations[requestHash];
        require(validation.validator != address(0), "unknown");
    }

    function _contains(address[] calldata list, address item) private pure returns (bool) {
        for (uint256 i; i < list.length; ++i) {
            if (list[i] == item) return true;
        }
        return false;
    }
}
