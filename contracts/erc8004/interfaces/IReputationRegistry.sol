// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title ERC-8004 reputation registry, as the deployed version 2.0.0 behaves
/// @notice Any account but the agent's owner and its operators may leave feedback on it: a signed
/// fixed-point value with two tags.
/// @dev Feedback costs only gas and addresses are free, so that clients, values and averages can
/// all be made up: no decision may rest on a summary over clients that were not chosen first.
/// Feedback on one agent is numbered from 1 for each client. Refusals are revert strings.
interface IReputationRegistry {
    /// @notice Feedback was left.
    /// @param agentId The agent.
    /// @param clientAddress The client that left it.
    /// @param feedbackIndex Number of this feedback among those of this client on this agent, from
    /// 1.
    /// @param value Signed value, to be divided by 10 to the power of `valueDecimals`.
    /// @param valueDecimals Decimals of the value, 0 to 18.
    /// @param indexedTag1 Hash of `tag1`, for filtering.
    /// @param tag1 First tag.
    /// @param tag2 Second tag.
    /// @param endpoint Which of the agent's endpoints it is about; only in the event, not stored.
    /// @param feedbackURI Where a longer text is; only in the event, and may be empty.
    /// @param feedbackHash keccak256 of what `feedbackURI` leads to, as the client says; it is not
    /// checked.
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );

    /// @notice A client took its feedback back.
    /// @param agentId The agent.
    /// @param clientAddress The client that left the feedback.
    /// @param feedbackIndex Number of the feedback among those of this client on this agent, from
    /// 1.
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);

    /// @notice An account, not necessarily the agent, answered a piece of feedback.
    /// @param agentId The agent.
    /// @param clientAddress The client that left the feedback.
    /// @param feedbackIndex Number of the feedback among those of this client on this agent, from
    /// 1.
    /// @param responder Who answered.
    /// @param responseURI Where the response is.
    /// @param responseHash keccak256 of what `responseURI` leads to; it is not checked.
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /// @notice Leaves feedback on an agent.
    /// @dev Reverts, in this order, with `too many decimals` (more than 18), `value too large`
    /// (beyond 1e38 either way), ERC721NonexistentToken of the identity registry, and
    /// `Self-feedback not allowed` for the agent's owner, its approved address and its owner's
    /// operators.
    /// @param agentId The agent.
    /// @param value Signed value, to be divided by 10 to the power of `valueDecimals`.
    /// @param valueDecimals Decimals of the value, 0 to 18.
    /// @param tag1 First tag; may be empty.
    /// @param tag2 Second tag; may be empty.
    /// @param endpoint Which of the agent's endpoints it is about; may be empty.
    /// @param feedbackURI Where a longer text is; may be empty.
    /// @param feedbackHash keccak256 of what `feedbackURI` leads to; it is not checked.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external;

    /// @notice Takes back one piece of the caller's own feedback; it stays readable, marked as
    /// revoked.
    /// @dev Reverts with `index must be > 0`, `index out of bounds` or `Already revoked`.
    /// @param agentId The agent.
    /// @param feedbackIndex Number of the caller's feedback on this agent, from 1.
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external;

    /// @notice Answers one piece of feedback. Any account may, any number of times, and revoked
    /// feedback too.
    /// @dev Reverts with `index must be > 0`, `Empty URI` or `index out of bounds`.
    /// @param agentId The agent.
    /// @param clientAddress The client that left the feedback.
    /// @param feedbackIndex Number of the feedback among those of this client on this agent, from
    /// 1.
    /// @param responseURI Where the response is; not empty.
    /// @param responseHash keccak256 of what `responseURI` leads to; it is not checked.
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external;

    /// @notice The identity registry whose agents are rated here.
    /// @return registry Its address.
    function getIdentityRegistry() external view returns (address registry);

    /// @notice How many pieces of feedback a client has left on an agent, which is also the last
    /// one's index.
    /// @param agentId The agent.
    /// @param clientAddress The client.
    /// @return lastIndex The last index; 0 for none.
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64 lastIndex);

    /// @notice One piece of feedback, revoked or not.
    /// @dev Reverts with `index must be > 0` or `index out of bounds`.
    /// @param agentId The agent.
    /// @param clientAddress The client that left the feedback.
    /// @param feedbackIndex Number of the feedback among those of this client on this agent, from
    /// 1.
    /// @return value Signed value, to be divided by 10 to the power of `valueDecimals`.
    /// @return valueDecimals Decimals of the value.
    /// @return tag1 First tag.
    /// @return tag2 Second tag.
    /// @return isRevoked Whether the client took it back.
    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    ) external view returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked);

    /// @notice Average of the feedback of the clients named, leaving out what was revoked.
    /// @dev A client named twice counts twice. The average is rounded toward zero. As in the
    /// official contract it is cut to 128 bits without a check: a huge value beside many with 18
    /// decimals wraps around. Reverts with `clientAddresses required` for an empty list.
    /// @param agentId The agent.
    /// @param clientAddresses The clients whose feedback counts; not empty.
    /// @param tag1 Only feedback with this first tag; empty for any. `tag2` likewise.
    /// @param tag2 Only feedback with this second tag; empty for any.
    /// @return count How many pieces of feedback were averaged.
    /// @return summaryValue Their average, with `summaryValueDecimals` decimals.
    /// @return summaryValueDecimals The number of decimals most of them had; of equally frequent
    /// ones the smallest.
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals);

    /// @notice All feedback that matches, client by client, in the order given; item i of each list
    /// belongs together.
    /// @dev Meant for reading off chain: its cost grows with all feedback of these clients.
    /// @param agentId The agent.
    /// @param clientAddresses Only these clients; empty for all, in the order of their first
    /// feedback.
    /// @param tag1 Only feedback with this first tag; empty for any. `tag2` likewise.
    /// @param tag2 Only feedback with this second tag; empty for any.
    /// @param includeRevoked Whether revoked feedback is included.
    /// @return clients The client of each.
    /// @return feedbackIndexes Its number among that client's, from 1.
    /// @return values Its signed value.
    /// @return valueDecimals Decimals of the value.
    /// @return tag1s Its first tag.
    /// @return tag2s Its second tag.
    /// @return revokedStatuses Whether it was revoked.
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
        );

    /// @notice Number of responses.
    /// @param agentId The agent.
    /// @param clientAddress Only to this client's feedback; zero for every client's, at any index.
    /// @param feedbackIndex Only to this piece of it; 0 for all of this client's.
    /// @param responders Only by these responders; empty for all responders. One named twice counts
    /// twice.
    /// @return count The number of responses.
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count);

    /// @notice Every client that ever left feedback on an agent, in the order of their first.
    /// @param agentId The agent.
    /// @return clients The clients, in the order of their first feedback.
    function getClients(uint256 agentId) external view returns (address[] memory clients);

    /// @notice The version of the official contract whose behaviour this is: `2.0.0`.
    /// @return version `2.0.0`.
    function getVersion() external pure returns (string memory version);
}
