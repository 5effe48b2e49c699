// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IAllowanceVault} from "../interfaces/IAllowanceVault.sol";

/// @title An allowance vault for tests of contracts that are paid by agents
/// @notice Answers {IAllowanceVault-canSpend} from what a test sets. Cast its address:
/// `IAllowanceVault(address(mock))`. It moves no money: never deploy it outside of tests.
contract MockAllowanceVault {
    struct Limit {
        bool isSet;
        uint256 remainingToday;
    }

    mapping(uint256 tokenId => Limit limit) private _limits;

    /// @notice Sets what an agent may still spend today.
    /// @param tokenId The agent.
    /// @param remainingToday In base units of the stablecoin.
    function allow(uint256 tokenId, uint256 remainingToday) external {
        _limits[tokenId] = Limit(true, remainingToday);
    }

    /// @notice As {IAllowanceVault-canSpend}.
    /// @param tokenId The agent.
    /// @param amount In base units of the stablecoin.
    /// @return allowed Whether the allowance covers it.
    /// @return reason Why not.
    /// @return remainingToday What the daily limit leaves.
    function canSpend(
        uint256 tokenId,
        uint256 amount
    ) external view returns (bool allowed, IAllowanceVault.Reason reason, uint256 remainingToday) {
        Limit storage limit = _limits[tokenId];
        if (!limit.isSet) return (false, IAllowanceVault.Reason.ALLOWANCE_NOT_SET, 0);
        if (amount > limit.remainingToday) {
            return (false, IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, limit.remainingToday);
        }
        return (true, IAllowanceVault.Reason.NONE, limit.remainingToday);
    }
}
