// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Stablecoin whose transfers return nothing, for tests
/// @notice What some large stablecoins do, against ERC-20: a transfer reverts or succeeds, and
/// returns no value.
contract SilentStablecoin {
    mapping(address account => uint256 balance) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 amount)) public allowance;

    /// @notice `account` has only `balance`.
    error NotEnough(address account, uint256 balance, uint256 amount);

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        if (balanceOf[from] < amount) revert NotEnough(from, balanceOf[from], amount);

        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }

    function decimals() external pure returns (uint8) {
        return 6;
    }
}
