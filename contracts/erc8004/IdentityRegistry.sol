// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

/// @title ERC-8004 identity registry for local chains and tests
/// @notice Behaves like the official registry, which the stack uses wherever one is deployed. Never
/// deploy this one to a public network: no other service knows agents registered here.
/// @dev Not upgradeable, so it costs less gas than the official one behind its proxy.
contract IdentityRegistry is IIdentityRegistry, ERC721URIStorage, EIP712 {
    /* CONSTANTS */

    bytes32 private constant AGENT_WALLET_SET_TYPEHASH = keccak256(
        "AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"
    );
    string private constant AGENT_WALLET_KEY = "agentWallet";
    bytes32 private constant AGENT_WALLET_KEY_HASH = keccak256(bytes(AGENT_WALLET_KEY));
    uint256 private constant MAX_DEADLINE_DELAY = 5 minutes;

    /* STORAGE */

    uint256 private _nextAgentId;
    mapping(uint256 agentId => mapping(string metadataKey => bytes metadataValue)) private _metadata;

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    /* REGISTRATION */

    /// @inheritdoc IIdentityRegistry
    function register() external returns (uint256 agentId) {
        agentId = _mintAgent();
        _announce(agentId, "");
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _mintAgent();
        _setTokenURI(agentId, agentURI);
        _announce(agentId, agentURI);
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId) {
        agentId = _mintAgent();
        _setTokenURI(agentId, agentURI);
        _announce(agentId, agentURI);

        for (uint256 i; i < metadata.length; ++i) {
            _writeFreeMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
    }

    /* OWNER AND OPERATORS */

    /// @inheritdoc IIdentityRegistry
    function setAgentURI(uint256 agentId, string calldata newURI) external {
        _requireAuthorized(agentId);

        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @inheritdoc IIdentityRegistry
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external {
        _requireAuthorized(agentId);
        _writeFreeMetadata(agentId, metadataKey, metadataValue);
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
        address owner = _requireAuthorized(agentId);
        require(newWallet != address(0), "bad wallet");
        require(block.timestamp <= deadline, "expired");
        require(deadline <= block.timestamp + MAX_DEADLINE_DELAY, "deadline too far");

        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(AGENT_WALLET_SET_TYPEHASH, agentId, newWallet, owner, deadline))
        );
        require(_signed(newWallet, digest, signature), "invalid wallet sig");

        _writeAgentWallet(agentId, abi.encodePacked(newWallet));
    }

    /// @inheritdoc IIdentityRegistry
    function unsetAgentWallet(uint256 agentId) external {
        _requireAuthorized(agentId);
        _writeAgentWallet(agentId, "");
    }

    /* READS */

    /// @inheritdoc IIdentityRegistry
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    /// @inheritdoc IIdentityRegistry
    function getAgentWallet(uint256 agentId) external view returns (address) {
        // The stored value is empty or 20 bytes; the conversion pads an empty one to the zero
        // address.
        return address(bytes20(_metadata[agentId][AGENT_WALLET_KEY]));
    }

    /// @inheritdoc IIdentityRegistry
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(ownerOf(agentId), spender, agentId);
    }

    /// @inheritdoc IIdentityRegistry
    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    /* INTERNAL */

    /// @dev Every mint and transfer passes here. A wallet is the consent of one owner's time, so
    /// that every transfer clears it, one to the same owner too; the official registry logs that
    /// before the Transfer.
    function _update(address to, uint256 agentId, address auth) internal override(ERC721) returns (address) {
        if (_ownerOf(agentId) != address(0)) _writeAgentWallet(agentId, "");
        return super._update(to, agentId, auth);
    }

    /// @dev The wallet is stored before the mint calls a contract back, its event follows after:
    /// the callback already reads the wallet, and may clear it by a transfer.
    function _mintAgent() private returns (uint256 agentId) {
        agentId = _nextAgentId++;
        _metadata[agentId][AGENT_WALLET_KEY] = abi.encodePacked(msg.sender);
        _safeMint(msg.sender, agentId);
    }

    function _announce(uint256 agentId, string memory agentURI) private {
        emit Registered(agentId, agentURI, msg.sender);
        emit MetadataSet(agentId, AGENT_WALLET_KEY, AGENT_WALLET_KEY, abi.encodePacked(msg.sender));
    }

    function _writeFreeMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) private {
        require(keccak256(bytes(metadataKey)) != AGENT_WALLET_KEY_HASH, "reserved key");

        _metadata[agentId][metadataKey] = metadataValue;
        emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
    }

    function _writeAgentWallet(uint256 agentId, bytes memory wallet) private {
        _metadata[agentId][AGENT_WALLET_KEY] = wallet;
        emit MetadataSet(agentId, AGENT_WALLET_KEY, AGENT_WALLET_KEY, wallet);
    }

    function _requireAuthorized(uint256 agentId) private view returns (address owner) {
        owner = ownerOf(agentId);
        require(_isAuthorized(owner, msg.sender, agentId), "Not authorized");
    }

    /// @dev ECDSA comes first: an account with EIP-7702 code has code and still signs as itself.
    function _signed(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
