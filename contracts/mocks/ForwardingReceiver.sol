// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title ERC-721 receiver that passes every token on from inside its callback, for tests
/// @notice Shows what a registrant can do between the mint and the rest of its registration.
contract ForwardingReceiver is IERC721Receiver {
    address public immutable RECIPIENT;

    constructor(address recipient) {
        RECIPIENT = recipient;
    }

    /// @inheritdoc IERC721Receiver
    function onERC721Received(address, address, uint256 tokenId, bytes calldata) external returns (bytes4) {
        IERC721(msg.sender).transferFrom(address(this), RECIPIENT, tokenId);
        return IERC721Receiver.onERC721Received.selector;
    }
}
