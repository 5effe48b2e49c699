// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ERC-8004 reputation registry, as the deployed version 2.0.0 behaves
/// @notice Anyone but an agent's own people may leave feedback on it: a signed fixed-point value with two tags.
/// @dev Feedback costs only gas and addresses are free, so that clients, values and averages can all be made up: no
/// decision may rest on a summary over clients that were not chosen first. Feedback on one agent is numbered from 1 for
/// each client. Refusals are revert strings.
interface IReputationRegistry {
    /// @notice Feedback was left.
    /// @param feedbackIndex Number of this feedback among those of this client on this agent, from 1.
    /// @param value Signed value, to be divided by 10 to the power of `valueDecimals`.
    /// @param indexedTag1 Hash of `tag1`, for filtering.
    /// @param endpoint Which of the agent's endpoints it is about; only in the event, not stored.
    /// @param feedbackURI Where a longer text is; only in the event, and may be empty.
    /// @param feedbackHash keccak256 of what `feedbackURI` leads to, as the client says; nobody checks it.
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
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);

    /// @notice Someone, not necessarily the agent, answered a piece of feedback.
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /// @notice Leaves feedback on an agent.
    /// @dev Reverts, in this order, with `too many decimals` (more than 18), `value too large` (beyond 1e38 either way),
    /// ERC721NonexistentToken of the identity registry, and `Self-feedback not allowed` for the agent's owner, its
    /// approved address and its owner's operators.
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

    /// @notice Takes back one piece of the caller's own feedback; it stays readable, marked as revoked.
    /// @dev Reverts with `index must be > 0`, `index out of bounds` or `Already revoked`.
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external;

    /// @notice Answers one piece of feedback; anyone may, any number of times, and revoked feedback too.
    /// @dev Reverts with `index must be > 0`, `Empty URI` or `index out of bounds`.
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external;

    /// @notice The identity registry whose agents are rated here.
    function getIdentityRegistry() external view returns (address);

    /// @notice How many pieces of feedback a client has left on an agent, which is also the last one's index.
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64);

    /// @notice One piece of feedback, revoked or not.
    /// @dev Reverts with `index must be > 0` or `index out of bounds`.
    function readFeedback(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex
    ) external view returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked);

    /// @notice Average of the feedback of the clients named, leaving out what was revoked.
    /// @dev A client named twice counts twice. The average is rounded toward zero. As in the official contract it is cut
    /// to 128 bits without a check: a huge value beside many with 18 decimals wraps around.
    /// Reverts with `clientAddresses required` for an empty list.
    /// @param tag1 Only feedback with this first tag; empty for any. `tag2` likewise.
    /// @return count How many pieces of feedback were averaged.
    /// @return summaryValue Their average, with `summaryValueDecimals` decimals.
    /// @return summaryValueDecimals The number of decimals most of them had; of equally frequent ones the smallest.
    function getSummary(
        uint256 agentId,
        address[] calldata clientAddresses,
        string calldata tag1,
        string calldata tag2
    ) external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals);

    /// @notice All feedback that matches, client by client, in the order given; item i of each list belongs together.
    /// @dev Meant for reading off chain: its cost grows with all feedback of these clients.
    /// @param clientAddresses Only these clients; empty for all, in the order of their first feedback.
    /// @param tag1 Only feedback with this first tag; empty for any. `tag2` likewise.
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
    /// @param clientAddress Only to this client's feedback; zero for every client's, whatever the index.
    /// @param feedbackIndex Only to this piece of it; 0 for all of this client's.
    /// @param responders Only by these responders; empty for anyone's. One named twice counts twice.
    function getResponseCount(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        address[] calldata responders
    ) external view returns (uint64 count);

    /// @notice Every client that ever left feedback on an agent, in the order of their first.
    function getClients(uint256 agentId) external view returns (address[] memory);

    /// @notice The version of the official contract whose behaviour this is: `2.0.0`.
    function getVersion() external pure returns (string memory);
}
