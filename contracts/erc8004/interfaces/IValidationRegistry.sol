// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title ERC-8004 validation registry, as version 2.0.0 of the official contract behaves
/// @notice An agent's owner asks a validator, by address, to check some work; the validator answers
/// with 0 to 100.
/// @dev The owner picks the validator, and any account can be one: an answer is worth what the
/// validator is. Refusals are revert strings.
interface IValidationRegistry {
    /// @notice A validation was asked for.
    /// @param validatorAddress The validator.
    /// @param agentId The agent.
    /// @param requestURI Where the request is described.
    /// @param requestHash Names the request from here on; meant as keccak256 of what `requestURI`
    /// leads to, unchecked.
    event ValidationRequest(
        address indexed validatorAddress,
        uint256 indexed agentId,
        string requestURI,
        bytes32 indexed requestHash
    );

    /// @notice The validator answered; a later answer to the same request replaces the earlier one.
    /// @param validatorAddress The validator.
    /// @param agentId The agent.
    /// @param requestHash The hash that names the request.
    /// @param response From 0 (failed) to 100 (passed).
    /// @param responseURI Where the evidence is; only in the event, and may be empty.
    /// @param responseHash keccak256 of what `responseURI` leads to, as the validator says;
    /// unchecked.
    /// @param tag The validator's tag; may be empty.
    event ValidationResponse(
        address indexed validatorAddress,
        uint256 indexed agentId,
        bytes32 indexed requestHash,
        uint8 response,
        string responseURI,
        bytes32 responseHash,
        string tag
    );

    /// @notice Asks a validator to check the agent's work.
    /// @dev A hash can be used once over all agents, so that an account that sees one pending can
    /// use it up with an agent of its own: put a random value into what is hashed and ask again
    /// with another. Reverts, in this order, with `bad validator` (zero address), `exists`,
    /// ERC721NonexistentToken of the identity registry, and `Not authorized` unless the caller is
    /// the agent's owner, approved address or operator.
    /// @param validatorAddress The validator that is asked; not zero.
    /// @param agentId The agent.
    /// @param requestURI Where the request is described.
    /// @param requestHash Names the request; not used before.
    function validationRequest(
        address validatorAddress,
        uint256 agentId,
        string calldata requestURI,
        bytes32 requestHash
    ) external;

    /// @notice Answers a request, or replaces the answer given before; only the validator it names.
    /// @dev Reverts, in this order, with `unknown`, `not validator` and `resp>100`.
    /// @param requestHash The hash that names the request.
    /// @param response From 0 (failed) to 100 (passed).
    /// @param responseURI Where the evidence is; may be empty.
    /// @param responseHash keccak256 of what `responseURI` leads to; it is not checked.
    /// @param tag Tag; may be empty.
    function validationResponse(
        bytes32 requestHash,
        uint8 response,
        string calldata responseURI,
        bytes32 responseHash,
        string calldata tag
    ) external;

    /// @notice The identity registry whose agents are validated here.
    /// @return registry Its address.
    function getIdentityRegistry() external view returns (address registry);

    /// @notice State of one request; `lastUpdate` is when it was asked or last answered, in unix
    /// seconds.
    /// @dev Unanswered and answered with 0 look alike but for `tag`, `responseHash` and the time:
    /// only the event tells. Reverts with `unknown`.
    /// @param requestHash The hash that names the request.
    /// @return validatorAddress The validator.
    /// @return agentId The agent.
    /// @return response The last answer, 0 to 100; 0 when there is none.
    /// @return responseHash The hash given with the last answer.
    /// @return tag The tag given with the last answer.
    /// @return lastUpdate When it was asked or last answered, in Unix seconds.
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
        );

    /// @notice Average of the answers on an agent, rounded down; unanswered requests are left out.
    /// @param agentId The agent.
    /// @param validatorAddresses Only these validators; empty for all.
    /// @param tag Only answers with this tag; empty for any.
    /// @return count How many answers were averaged.
    /// @return averageResponse Their average, 0 to 100.
    function getSummary(
        uint256 agentId,
        address[] calldata validatorAddresses,
        string calldata tag
    ) external view returns (uint64 count, uint8 averageResponse);

    /// @notice Hashes of all requests on an agent, oldest first.
    /// @param agentId The agent.
    /// @return requestHashes The hashes.
    function getAgentValidations(uint256 agentId) external view returns (bytes32[] memory requestHashes);

    /// @notice Hashes of all requests to a validator, oldest first.
    /// @param validatorAddress The validator.
    /// @return requestHashes The hashes.
    function getValidatorRequests(address validatorAddress) external view returns (bytes32[] memory requestHashes);

    /// @notice The version of the official contract whose behaviour this is: `2.0.0`.
    /// @return version `2.0.0`.
    function getVersion() external pure returns (string memory version);
}
