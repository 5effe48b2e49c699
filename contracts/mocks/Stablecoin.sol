// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title Stablecoin that anybody may mint, for local chains and tests
/// @notice Has 6 decimals, as the stablecoins do that agents are paid in. Its units are worth nothing.
contract Stablecoin is ERC20 {
    constructor() ERC20("Test Dollar", "TUSD") {}

    /// @notice Makes `amount` base units out of nothing for `account`.
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    /// @notice One unit is 1,000,000 base units.
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
