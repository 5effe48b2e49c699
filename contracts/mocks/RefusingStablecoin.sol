// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Stablecoin} from "./Stablecoin.sol";

/// @title Stablecoin whose transfers answer false, for tests
/// @notice It never reverts: a caller that does not look at the answer believes that it paid.
contract RefusingStablecoin is Stablecoin {
    /// @notice Whether the money moves although the answer is false.
    bool public moves;

    function setMoves(bool moves_) external {
        moves = moves_;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (moves) super.transferFrom(from, to, amount);
        return false;
    }
}
