// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title What an integrator needs of the allowance vault
interface ISpendingLimit {
    /// @notice Whether the agent may pay `amount` in this block as far as its allowance decides; `reason` is 0 exactly then.
    function canSpend(
        uint256 tokenId,
        uint256 amount
    ) external view returns (bool allowed, uint8 reason, uint256 remainingToday);
}

/// @title Example: a service for agents that are who they say, and may pay
/// @notice Takes orders from agents whose soul is valid in this very block and whose allowance covers the price. It shows the
/// two reads, {ISoulRegistry-isValid} and {ISpendingLimit-canSpend}, and is nothing that the protocol deploys.
contract GatedService {
    ISoulRegistry public immutable SOUL_REGISTRY;
    ISpendingLimit public immutable ALLOWANCE_VAULT;

    /// @notice What an order costs, in base units of the vault's stablecoin.
    uint256 public immutable PRICE;

    /// @notice An agent ordered; its operator pays through the vault on delivery.
    event OrderTaken(uint256 indexed tokenId, address indexed operator, uint256 price);

    /// @notice The soul is not sealed, is burned, or its passport has left the sealer.
    error SoulNotValid(uint256 tokenId);

    /// @notice The caller does not act for this agent.
    error NotOperator(uint256 tokenId, address caller, address operator);

    /// @notice The agent's allowance does not cover the price; `reason` is the vault's.
    error CannotSpend(uint256 tokenId, uint256 price, uint8 reason);

    constructor(ISoulRegistry soulRegistry, ISpendingLimit allowanceVault, uint256 price) {
        SOUL_REGISTRY = soulRegistry;
        ALLOWANCE_VAULT = allowanceVault;
        PRICE = price;
    }

    /// @notice Orders for the agent `tokenId`. Authority: its operator.
    function order(uint256 tokenId) external {
        // Ask at each use and store nothing: a passport sold a block ago must not order any more.
        if (!SOUL_REGISTRY.isValid(tokenId)) revert SoulNotValid(tokenId);

        // A token id is public. What makes the caller the agent is being its operator.
        (, address operator, ) = SOUL_REGISTRY.authorityOf(tokenId);
        if (msg.sender != operator) revert NotOperator(tokenId, msg.sender, operator);

        // No promise: whatever is spent elsewhere before delivery counts too, and the wallet must hold the money.
        (bool allowed, uint8 reason, ) = ALLOWANCE_VAULT.canSpend(tokenId, PRICE);
        if (!allowed) revert CannotSpend(tokenId, PRICE, reason);

        emit OrderTaken(tokenId, operator, PRICE);
    }
}
