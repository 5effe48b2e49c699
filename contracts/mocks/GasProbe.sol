// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Measures what a read costs another contract, for tests
contract GasProbe {
    /// @notice The call reverted.
    error ReadFailed(address target);

    /// @notice Gas that a static call of `target` with `data` takes from this contract. The first
    /// call of a transaction pays for every account and slot that it is the first to touch.
    function gasOf(address target, bytes memory data) external view returns (uint256 used) {
        uint256 before = gasleft();
        (bool success, ) = target.staticcall(data);
        used = before - gasleft();
        if (!success) revert ReadFailed(target);
    }
}
