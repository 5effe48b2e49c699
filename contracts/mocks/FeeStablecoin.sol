// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Stablecoin} from "./Stablecoin.sol";

/// @title Stablecoin that keeps one base unit of every transfer, for tests
/// @notice The recipient gets less than was sent.
contract FeeStablecoin is Stablecoin {
    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (from != address(0) && to != address(0)) super._update(to, address(0), 1);
    }
}
