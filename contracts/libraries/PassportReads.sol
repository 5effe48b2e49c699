// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IIdentityRegistry} from "../erc8004/interfaces/IIdentityRegistry.sol";

/// @title Reads of the identity registry that never revert
/// @dev The registry is a contract that others can upgrade: it may revert, answer too little, too
/// much or no address, and take all gas that it is given. None of that may make a read here revert:
/// each call gets a bounded amount of gas, and one word of the answer is copied, of any length.
/// Written by hand, because `try` reverts on an answer that cannot be decoded.
library PassportReads {
    /// @dev About ten times what the official registry takes, proxy and cold storage included.
    uint256 internal constant GAS_LIMIT = 100_000;

    /// @notice The passport's owner; zero when there is none, or the registry does not answer with
    /// an address.
    function ownerOf(address registry, uint256 passportId) internal view returns (address) {
        return _account(_ask(registry, IERC721.ownerOf.selector, passportId));
    }

    /// @notice The passport's `agentWallet` (ERC-8004), which every transfer clears; zero without
    /// one, or when the registry does not answer with an address.
    function agentWalletOf(address registry, uint256 passportId) internal view returns (address) {
        return _account(_ask(registry, IIdentityRegistry.getAgentWallet.selector, passportId));
    }

    /// @notice How many passports `holder` owns; zero when the registry does not answer.
    function balanceOf(address registry, address holder) internal view returns (uint256) {
        return _ask(registry, IERC721.balanceOf.selector, uint160(holder));
    }

    /// @dev Zero for a word that is no address.
    function _account(uint256 word) private pure returns (address) {
        return word >> 160 == 0 ? address(uint160(word)) : address(0);
    }

    /// @dev Zero when the registry reverts or answers less than a word.
    function _ask(address registry, bytes4 selector, uint256 argument) private view returns (uint256 answer) {
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, argument)
            let answered := staticcall(GAS_LIMIT, registry, 0x00, 0x24, 0x00, 0x20)
            if and(answered, gt(returndatasize(), 0x1f)) {
                answer := mload(0x00)
            }
        }
    }
}
