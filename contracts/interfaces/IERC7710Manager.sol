// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title ERC-7710 delegation manager
/// @notice Executes on behalf of an account what that account permitted. The interface is
/// ERC-7710's: wallets and x402 facilitators call it without knowing how an implementation encodes
/// its permissions.
interface IERC7710Manager {
    /// @notice Executes each of `executionCallDatas` on behalf of the account that its permission
    /// context speaks for. All of them are executed, or none.
    /// @dev The three arrays are one list of tuples and have equal lengths. Simulate a call before
    /// sending it.
    /// @param permissionContexts The proof of authority, in the implementation's own encoding.
    /// @param modes ERC-7579 execution modes.
    /// @param executionCallDatas ERC-7579 executions, encoded as their mode says.
    function redeemDelegations(
        bytes[] calldata permissionContexts,
        bytes32[] calldata modes,
        bytes[] calldata executionCallDatas
    ) external;
}
