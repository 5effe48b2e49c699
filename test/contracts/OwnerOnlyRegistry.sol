// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev What an identity registry might be upgraded to: it says who owns, and refuses everything
/// else, politely or by taking all gas. Its answers are in its code, so that it can be etched over
/// another registry.
contract OwnerOnlyRegistry {
    enum Refusal {
        REVERT,
        TAKE_ALL_GAS
    }

    address private immutable _OWNER;
    Refusal private immutable _REFUSAL;

    constructor(address owner, Refusal refusal) {
        _OWNER = owner;
        _REFUSAL = refusal;
    }

    function ownerOf(uint256) external view returns (address) {
        return _OWNER;
    }

    fallback() external {
        if (_REFUSAL == Refusal.TAKE_ALL_GAS) {
            assembly {
                invalid()
            }
        }
        revert("Upgraded");
    }
}
