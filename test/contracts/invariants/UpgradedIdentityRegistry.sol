// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IIdentityRegistry} from "../../../contracts/erc8004/interfaces/IIdentityRegistry.sol";

/// @dev What a third party upgrades the identity registry to: it answers every question after an
/// account in one way, and refuses everything else.
contract UpgradedIdentityRegistry {
    enum Answer {
        REVERT,
        NOTHING,
        SHORT,
        NO_ADDRESS,
        TAKE_ALL_GAS,
        ONE_OWNER
    }

    Answer private immutable _ANSWER;
    address private immutable _OWNER;

    constructor(Answer answer, address owner) {
        _ANSWER = answer;
        _OWNER = owner;
    }

    /// @dev It approves no account: metadata then waits.
    function isAuthorizedOrOwner(address, uint256) external view returns (bool) {
        require(_ANSWER == Answer.ONE_OWNER, "Upgraded");
        return false;
    }

    fallback() external {
        bool isQuestion = msg.sig == IERC721.ownerOf.selector || msg.sig == IIdentityRegistry.getAgentWallet.selector;
        require(isQuestion && _ANSWER != Answer.REVERT, "Upgraded");
        if (_ANSWER == Answer.TAKE_ALL_GAS) {
            assembly {
                invalid()
            }
        }
        uint256 word = _ANSWER == Answer.ONE_OWNER ? uint160(_OWNER) : type(uint256).max;
        uint256 length =
            _ANSWER == Answer.NOTHING
                ? 0
                : _ANSWER == Answer.SHORT
                    ? 31
                    : 32;
        assembly {
            mstore(0x00, word)
            return(0x00, length)
        }
    }
}
