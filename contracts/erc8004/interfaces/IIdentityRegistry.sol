// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";

/// @title ERC-8004 identity registry, as the deployed version 2.0.0 behaves
/// @notice One ERC-721 token per agent; its token URI is the agent's registration file, and it
/// carries free metadata.
/// @dev Ids start at 0, so that 0 is a real agent and never means "none". Tokens are not enumerable
/// and cannot be burned. Refusals of this registry are revert strings, those of the token itself
/// OpenZeppelin's ERC-721 errors. "Authorised" below means the owner, the address approved for that
/// agent, or an operator approved for all of the owner's agents. The official registry is an
/// upgradeable contract of a third party: what holds here holds there only until it changes.
interface IIdentityRegistry is IERC4906, IERC721Metadata {
    /// @notice One metadata value to write while registering.
    /// @param metadataKey Any string but `agentWallet`.
    /// @param metadataValue Opaque bytes; their meaning is agreed between writer and reader.
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    /// @notice An agent was registered.
    /// @dev A registrant that is a contract is called back before this event and may have passed
    /// the token on by then: `owner` is who registered, and only Transfer events say who holds it.
    /// @param agentId The new agent.
    /// @param agentURI URI of its registration file; may be empty.
    /// @param owner Who registered it.
    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);

    /// @notice A metadata value was written; an empty value for `agentWallet` means that the wallet
    /// was cleared.
    /// @dev `indexedMetadataKey` is the key's hash, for filtering. A transfer emits the clearing
    /// before its Transfer. A registrant that passes the token on in its receiver callback makes
    /// the clearing come before the registration's own MetadataSet for `agentWallet`: an indexer
    /// that follows logs alone then holds a wallet that is not stored.
    /// @param agentId The agent.
    /// @param indexedMetadataKey The key's hash.
    /// @param metadataKey The key.
    /// @param metadataValue The value.
    event MetadataSet(
        uint256 indexed agentId,
        string indexed indexedMetadataKey,
        string metadataKey,
        bytes metadataValue
    );

    /// @notice The agent's URI was replaced after its registration.
    /// @param agentId The agent.
    /// @param newURI The new URI.
    /// @param updatedBy Who replaced it.
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @notice Registers an agent without a URI for the caller, and sets the caller as its wallet.
    /// @dev Emits Transfer, Registered and MetadataSet(`agentWallet`), in this order. A caller with
    /// code must be an ERC-721 receiver, else it reverts with ERC721InvalidReceiver.
    /// @return agentId The new agent, counted from 0.
    function register() external returns (uint256 agentId);

    /// @notice Registers an agent with the URI of its registration file, which may be empty.
    /// @dev As `register()`, with MetadataUpdate after Transfer.
    /// @param agentURI URI of the registration file; may be empty.
    /// @return agentId The new agent, counted from 0.
    function register(string calldata agentURI) external returns (uint256 agentId);

    /// @notice Registers an agent with a URI and metadata.
    /// @dev As `register(string)`, followed by one MetadataSet for each entry in the order given;
    /// of two entries with one key the later stays. Reverts with `reserved key` if an entry's key
    /// is `agentWallet`.
    /// @param agentURI URI of the registration file; may be empty.
    /// @param metadata What to write, in this order.
    /// @return agentId The new agent, counted from 0.
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId);

    /// @notice Replaces the agent's URI.
    /// @dev Emits MetadataUpdate, then URIUpdated. Reverts with ERC721NonexistentToken for an
    /// unknown agent and with `Not authorized` for any other caller.
    /// @param agentId The agent.
    /// @param newURI The new URI; may be empty.
    function setAgentURI(uint256 agentId, string calldata newURI) external;

    /// @notice Writes one metadata value; an empty value clears it.
    /// @dev Reverts with ERC721NonexistentToken for an unknown agent, `Not authorized` for any
    /// other caller, and `reserved key` for `agentWallet`.
    /// @param agentId The agent.
    /// @param metadataKey Any string but `agentWallet`.
    /// @param metadataValue The value; empty clears it.
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /// @notice Sets the wallet that receives the agent's payments; the new wallet has signed its
    /// consent.
    /// @dev The signature is over the EIP-712 struct `AgentWalletSet(uint256 agentId,address
    /// newWallet,address owner,uint256 deadline)` in the domain `ERC8004IdentityRegistry`, version
    /// `1`, of this contract. It is tried as an ECDSA signature first, so that an account with
    /// EIP-7702 code still signs as itself, then by ERC-1271. There is no nonce: until its deadline
    /// the same signature can be used again while the owner stays the same. Reverts, in this order,
    /// with ERC721NonexistentToken, `Not authorized`, `bad wallet` (zero address), `expired` (the
    /// deadline has passed), `deadline too far` (more than 5 minutes ahead) and `invalid wallet
    /// sig`.
    /// @param agentId The agent.
    /// @param newWallet The wallet.
    /// @param deadline Last second at which the signature counts, in unix seconds.
    /// @param signature The new wallet's signature.
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external;

    /// @notice Clears the agent's wallet; clearing an empty one is not an error.
    /// @dev Reverts with ERC721NonexistentToken for an unknown agent and with `Not authorized` for
    /// any other caller.
    /// @param agentId The agent.
    function unsetAgentWallet(uint256 agentId) external;

    /// @notice The metadata value under a key; empty if it was never written or the agent is
    /// unknown.
    /// @dev The value under `agentWallet` is the wallet's 20 bytes, or empty.
    /// @param agentId The agent.
    /// @param metadataKey The key.
    /// @return metadataValue The value; empty when it was never written or the agent is unknown.
    function getMetadata(
        uint256 agentId,
        string calldata metadataKey
    ) external view returns (bytes memory metadataValue);

    /// @notice The agent's wallet; zero if it was cleared, by hand or by a transfer, or if the
    /// agent is unknown.
    /// @param agentId The agent.
    /// @return wallet The wallet; zero when there is none.
    function getAgentWallet(uint256 agentId) external view returns (address wallet);

    /// @notice Whether `spender` owns the agent or is authorised for it.
    /// @dev Reverts with ERC721NonexistentToken for an unknown agent.
    /// @param spender The account asked about.
    /// @param agentId The agent.
    /// @return authorized Whether `spender` may act for the agent.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool authorized);

    /// @notice The version of the official contract whose behaviour this is: `2.0.0`.
    /// @return version `2.0.0`.
    function getVersion() external pure returns (string memory version);
}
