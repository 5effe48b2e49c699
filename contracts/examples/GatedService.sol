// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IAllowanceVault} from "../interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title Example: a service for agents that are valid and may pay
/// @notice Takes an order from an agent's operator while the agent's soul is valid and its
/// allowance covers the price. The protocol does not deploy this contract.
/// @dev {ISoulRegistry-authorityOf} is the one read that a gate needs: it answers in one call
/// whether the soul is valid in this block, which account acts for it, and in which epoch.
/// {IAllowanceVault-canSpend} is for services that are paid.
/// @dev Warning: an accepted order is not paid yet. See {order}.
contract GatedService {
    /// @notice Says who acts for an agent.
    ISoulRegistry public immutable SOUL_REGISTRY;

    /// @notice The vault from which agents pay.
    IAllowanceVault public immutable ALLOWANCE_VAULT;

    /// @notice What an order costs, in base units of the vault's stablecoin.
    uint256 public immutable PRICE;

    /// @notice An agent ordered; its operator pays through the vault on delivery.
    /// @param tokenId The agent.
    /// @param operator The account that ordered for it.
    /// @param price In base units of the vault's stablecoin.
    event OrderTaken(uint256 indexed tokenId, address indexed operator, uint256 price);

    /// @notice The soul is not sealed, is burned or suspended, or its passport has left the sealer.
    /// @param tokenId The soul that was asked about.
    error SoulNotValid(uint256 tokenId);

    /// @notice The caller does not act for this agent.
    /// @param tokenId The agent.
    /// @param caller The account that called.
    /// @param operator The account that acts for the agent.
    error NotOperator(uint256 tokenId, address caller, address operator);

    /// @notice The agent's allowance does not cover the price.
    /// @param tokenId The agent.
    /// @param price In base units of the vault's stablecoin.
    /// @param reason Why the vault would refuse the payment.
    error CannotSpend(uint256 tokenId, uint256 price, IAllowanceVault.Reason reason);

    /// @notice Deploys the service for one registry, vault and price.
    /// @param soulRegistry The soul registry.
    /// @param allowanceVault The vault from which agents pay.
    /// @param price What an order costs, in base units of the vault's stablecoin.
    constructor(ISoulRegistry soulRegistry, IAllowanceVault allowanceVault, uint256 price) {
        SOUL_REGISTRY = soulRegistry;
        ALLOWANCE_VAULT = allowanceVault;
        PRICE = price;
    }

    /// @notice Orders for the agent `tokenId`. Authority: its operator.
    /// @dev Warning: it is not guaranteed that the payment follows. Other payments before delivery
    /// use up the same allowance, the owner can end it, and the owner's wallet must hold the money.
    /// Deliver after settlement.
    /// @param tokenId The agent that the caller acts for.
    function order(uint256 tokenId) external {
        // Read at each use, and store nothing: a passport that was sold a block ago must not order
        // any more.
        (address owner, address operator, ) = SOUL_REGISTRY.authorityOf(tokenId);
        if (owner == address(0)) revert SoulNotValid(tokenId);

        // A token id is public: only the operator acts for the agent.
        if (msg.sender != operator) revert NotOperator(tokenId, msg.sender, operator);

        (bool allowed, IAllowanceVault.Reason reason, ) = ALLOWANCE_VAULT.canSpend(tokenId, PRICE);
        if (!allowed) revert CannotSpend(tokenId, PRICE, reason);

        emit OrderTaken(tokenId, operator, PRICE);
    }
}
