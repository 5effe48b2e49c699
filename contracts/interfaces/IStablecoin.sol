// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// @title What this protocol expects of a stablecoin
/// @notice An ERC-20 token with 6 decimals whose transfers move exactly the amount asked for.
/// Whether they return true or nothing does not matter.
interface IStablecoin is IERC20Metadata {}
