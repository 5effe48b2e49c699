// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";
import {IReputationRegistry} from "./interfaces/IReputationRegistry.sol";

/// @title ERC-8004 reputation registry for local chains and tests
/// @notice Behaves like the official registry, which the stack uses wherever one is deployed. Never
/// deploy this one to a public network.
/// @dev Not upgradeable: the constructor takes what the official one is initialised with.
contract ReputationRegistry is IReputationRegistry {
    /* TYPES */

    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        string tag1;
        string tag2;
    }

    /// @dev Where a piece of feedback is stored. Lists of storage pointers cannot be built in
    /// memory, lists of this can.
    struct Position {
        address client;
        uint64 index;
    }

    /// @dev The tags to match; an empty tag matches any.
    struct Filter {
        string tag1;
        string tag2;
        bool includeRevoked;
    }

    /* CONSTANTS AND IMMUTABLES */

    int128 private constant MAX_ABSOLUTE_VALUE = 1e38;
    uint8 private constant MAX_DECIMALS = 18;

    IIdentityRegistry private immutable IDENTITY_REGISTRY;

    /* STORAGE */

    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) private _feedback;
    mapping(uint256 agentId => mapping(address client => uint64 index)) private _lastIndex;
    mapping(uint256 agentId => address[] clients) private _clients;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => address[] responders)))
        private _responders;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => mapping(address responder => uint64))))
        private _responseCount;

    /// @param identityRegistry Whose agents are rated; reverts with `bad identity` if zero.
    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        IDENTITY_REGISTRY = IIdentityRegistry(identityRegistry);
    }

    /* CLIENTS */

    /// @inheritdoc IReputationRegistry
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MAX_DECIMALS, "too many decimals");
        require(value >= -MAX_ABSOLUTE_VALUE && value <= MAX_ABSOLUTE_VALUE, "value too large");
        require(!IDENTITY_REGISTRY.isAuthorizedOrOwner(msg.sender, agentId), "Self-feedback not allowed");

        uint64 index = ++_lastIndex[agentId][msg.sender];
        if (index == 1) _clients[agentId].push(msg.sender);
        _feedback[agentId][msg.sender][index] = Feedback({
            value: value,
            valueDecimals: valueDecimals,
            isRevoked: false,
            tag1: tag1,
            tag2: tag2
        });

        emit NewFeedback(
            agentId,
            msg.sender,
            index,
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    /// @inheritdoc IReputationRegistry
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        Feedback storage feedback = _existing(agentId, msg.sender, feedbackIndex);
        require(!feedback.isRevoked, "Already revoked");

        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /* ANY ACCOUNT */

    /// @inheritdoc IReputationRegistry
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        // The index is checked again below; first here because the official contract refuses in
        // this order.
        require(feedbackIndex > 0, "index must be > 0");
        require(bytes(responseURI).length > 0, "Empty URI");
        _existing(agentId, clientAddress, feedbackIndex);

        uint64 count = ++_responseCount[agentId][clientAddress][feedbackIndex][msg.sender];
        if (count == 1) _responders[agentId][clientAddress][feedbackIndex].push(msg.sender);

        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    /* READS */

    /// @inheritdoc IReputationRegistry
    function getIdentityRegistry() external view returns (address) {
        return address(IDENTITY_REGISTRY);
    }

    /// @inheritdoc IReputationRegistry
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _lastIndex[agentId][clientAddress];
    }

    /// @inheritdoc IReputationRegistry
    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    )
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage feedback = _existing(agentId, clientAddress, feedbackIndex);
        return (feedback.value, feedback.valueDecimals, feedback.tag1, feedback.tag2, feedback.isRevoked);
    }

    /// @inheritdoc IReputationRegistry
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals) {
        require(clientAddresses.length > 0, "clientAddresses required");

        Position[] memory found = _find(agentId, clientAddresses, Filter(tag1, tag2, false));
        if (found.length == 0) return (0, 0, 0);

        int256 sum;
        uint64[MAX_DECIMALS + 1] memory frequency;
        for (uint256 i; i < found.length; ++i) {
            Feedback storage feedback = _feedback[agentId][found[i].client][found[i].index];
            sum += feedback.value * _toMaxDecimals(feedback.valueDecimals);
            ++frequency[feedback.valueDecimals];
        }
        for (uint8 decimals = 1; decimals <= MAX_DECIMALS; ++decimals) {
            if (frequency[decimals] > frequency[summaryValueDecimals]) summaryValueDecimals = decimals;
        }

        count = uint64(found.length);
        int256 average = sum / int256(found.length);
        summaryValue = int128(average / _toMaxDecimals(summaryValueDecimals));
    }

    /// @inheritdoc IReputationRegistry
    function readAllFeedback(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2,
        bool includeRevoked
    )
        external
        view
        returns (
            address[] memory clients,
            uint64[] memory feedbackIndexes,
            int128[] memory values,
            uint8[] memory valueDecimals,
            string[] memory tag1s,
            string[] memory tag2s,
            bool[] memory revokedStatuses
        )
    {
        address[] memory wanted = clientAddresses;
        if (wanted.length == 0) wanted = _clients[agentId];
        Position[] memory found = _find(agentId, wanted, Filter(tag1, tag2, includeRevoked));

        clients = new address[](found.length);
        feedbackIndexes = new uint64[](found.length);
        values = new int128[](found.length);
        valueDecimals = new uint8[](found.length);
        tag1s = new string[](found.length);
        tag2s = new string[](found.length);
        revokedStatuses = new bool[](found.length);
        for (uint256 i; i < found.length; ++i) {
            Feedback storage feedback = _feedback[agentId][found[i].client][found[i].index];
            clients[i] = found[i].client;
            feedbackIndexes[i] = found[i].index;
            values[i] = feedback.value;
            valueDecimals[i] = feedback.valueDecimals;
            tag1s[i] = feedback.tag1;
            tag2s[i] = feedback.tag2;
            revokedStatuses[i] = feedback.isRevoked;
        }
    }

    /// @inheritdoc IReputationRegistry
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count) {
        if (clientAddress == address(0)) {
            address[] memory clients = _clients[agentId];
            for (uint256 i; i < clients.length; ++i) {
                count += _countForClient(agentId, clients[i], responders);
            }
        } else if (feedbackIndex == 0) {
            count = _countForClient(agentId, clientAddress, responders);
        } else {
            count = _countForFeedback(agentId, clientAddress, feedbackIndex, responders);
        }
    }

    /// @inheritdoc IReputationRegistry
    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    /// @inheritdoc IReputationRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /* INTERNAL */

    function _existing(uint256 agentId, address client, uint64 index) private view returns (Feedback storage) {
        require(index > 0, "index must be > 0");
        require(index <= _lastIndex[agentId][client], "index out of bounds");
        return _feedback[agentId][client][index];
    }

    /// @dev Sized for everything these clients have left, then shortened to what matches: one pass
    /// over the storage.
    function _find(
        uint256 agentId,
        address[] memory clients,
        Filter memory filter
    ) private view returns (Position[] memory found) {
        uint256 capacity;
        for (uint256 i; i < clients.length; ++i) capacity += _lastIndex[agentId][clients[i]];

        found = new Position[](capacity);
        uint256 length;
        for (uint256 i; i < clients.length; ++i) {
            uint64 lastIndex = _lastIndex[agentId][clients[i]];
            for (uint64 index = 1; index <= lastIndex; ++index) {
                if (_matches(_feedback[agentId][clients[i]][index], filter)) {
                    found[length++] = Position(clients[i], index);
                }
            }
        }
        assembly ("memory-safe") {
            mstore(found, length)
        }
    }

    function _matches(Feedback storage feedback, Filter memory filter) private view returns (bool) {
        if (feedback.isRevoked && !filter.includeRevoked) return false;
        return _tagMatches(filter.tag1, feedback.tag1) && _tagMatches(filter.tag2, feedback.tag2);
    }

    function _tagMatches(string memory wanted, string memory tag) private pure returns (bool) {
        return bytes(wanted).length == 0 || keccak256(bytes(wanted)) == keccak256(bytes(tag));
    }

    function _countForClient(
        uint256 agentId,
        address client,
        address[] calldata responders
    ) private view returns (uint64 count) {
        uint64 lastIndex = _lastIndex[agentId][client];
        for (uint64 index = 1; index <= lastIndex; ++index) {
            count += _countForFeedback(agentId, client, index, responders);
        }
    }

    function _countForFeedback(
        uint256 agentId,
        address client,
        uint64 index,
        address[] calldata responders
    ) private view returns (uint64 count) {
        address[] memory wanted = responders;
        if (wanted.length == 0) wanted = _responders[agentId][client][index];
        for (uint256 i; i < wanted.length; ++i) {
            count += _responseCount[agentId][client][index][wanted[i]];
        }
    }

    /// @dev Factor that lifts a value with this many decimals to the most decimals a value may
    /// have.
    function _toMaxDecimals(uint8 decimals) private pure returns (int256) {
        return int256(10 ** uint256(MAX_DECIMALS - decimals));
    }
}
