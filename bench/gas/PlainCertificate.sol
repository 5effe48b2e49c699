// SPDX-License-Identifier: MIT
pragma solidity ^0.8.27;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @dev The cost of a certificate that is only OpenZeppelin's ERC-721. Any account may mint: a check would add cost.
contract PlainCertificate is ERC721 {
    constructor() ERC721("Plain Certificate", "PLAIN") {}

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }
}
