// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Spending periods
/// @notice A period is one UTC day: it begins at midnight (inclusive) and ends at the next midnight
/// (exclusive). Times are Unix seconds. Unix time has no leap seconds, so that every day has 86,400
/// of them.
library Periods {
    uint256 internal constant LENGTH = 1 days;

    /// @notice Number of the day that `time` falls in, counted from 1970-01-01.
    /// @dev Sixteen bits count 179 years. After that the number begins again, and still differs
    /// between two days that are not exactly 65,536 days apart.
    function dayOf(uint256 time) internal pure returns (uint16) {
        return uint16(time / LENGTH);
    }

    /// @notice First second of the day that `time` falls in.
    function startOf(uint256 time) internal pure returns (uint256) {
        return time - (time % LENGTH);
    }

    /// @notice First second of the day after the one that `time` falls in.
    function endOf(uint256 time) internal pure returns (uint256) {
        return startOf(time) + LENGTH;
    }
}
