// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Contract that cannot receive ERC-721 tokens safely, for tests
/// @notice Has code and no receiver callback: a safe mint or safe transfer to it reverts.
contract NonReceiver {
    /// @notice Gives this contract code of its own.
    function isReceiver() external pure returns (bool) {
        return false;
    }
}
