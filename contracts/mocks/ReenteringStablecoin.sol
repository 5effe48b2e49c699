// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Stablecoin} from "./Stablecoin.sol";

/// @title Stablecoin that calls back in the middle of a transfer, for tests
/// @notice Make it an agent's operator: it then has every right that a re-entering caller can have.
contract ReenteringStablecoin is Stablecoin {
    /// @notice What the last call back answered or reverted with.
    bytes public lastAnswer;

    /// @notice Whether the last call back succeeded.
    bool public lastSucceeded;

    address private _target;
    bytes private _data;

    /// @notice Every later transfer calls `target` with `data` before it moves anything.
    function arm(address target, bytes calldata data) external {
        _target = target;
        _data = data;
    }

    /// @notice Calls `target` as this contract and hands back its answer or its revert data.
    function execute(address target, bytes calldata data) external returns (bytes memory) {
        return Address.functionCall(target, data);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        // solhint-disable-next-line avoid-low-level-calls
        if (_target != address(0)) (lastSucceeded, lastAnswer) = _target.call(_data);
        return super.transferFrom(from, to, amount);
    }
}
