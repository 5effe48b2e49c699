// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title Stablecoin that any account may mint, for local chains and tests
/// @notice Has 6 decimals, ERC-2612 and ERC-3009, as the stablecoins do that agents are paid in.
/// Its EIP-712 domain has the form of USDC's: the token's name, version 2, chain and address. Its
/// units are worth nothing.
/// @dev OpenZeppelin's ERC20Permit cannot be used: it fixes the domain's version at 1.
contract Stablecoin is ERC3009, IERC20Permit, Nonces {
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );

    /// @notice The permit's deadline (Unix seconds, inclusive) has passed.
    error PermitExpired(uint256 deadline);

    /// @notice The signature is not `owner`'s over exactly this permit and its next nonce.
    error InvalidPermit(address signer, address owner);

    constructor() ERC20("Test Dollar", "TUSD") EIP712("Test Dollar", "2") {}

    /// @notice Makes `amount` base units out of nothing for `account`.
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    /// @inheritdoc IERC20Permit
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (block.timestamp > deadline) revert PermitExpired(deadline);

        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
        address signer = ECDSA.recover(_hashTypedDataV4(structHash), v, r, s);
        if (signer != owner) revert InvalidPermit(signer, owner);

        _approve(owner, spender, value);
    }

    /// @notice The version of the EIP-712 domain, as USDC answers it.
    function version() external pure returns (string memory) {
        return "2";
    }

    /// @inheritdoc IERC20Permit
    function nonces(address owner) public view override(IERC20Permit, Nonces) returns (uint256) {
        return super.nonces(owner);
    }

    /// @inheritdoc IERC20Permit
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @notice One unit is 1,000,000 base units.
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
