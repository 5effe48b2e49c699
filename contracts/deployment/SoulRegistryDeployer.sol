// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Deployer of the soul registry
/// @notice The certificate, the organization registry, the passport writer and the passport mint
/// are deployed before the soul registry and name it for ever, so its address must be known first. The address of a
/// contract's first creation follows from the creator's own address alone: other transactions of
/// the deploying account do not change it. This contract creates once and holds no role.
/// @dev The creation code comes as calldata, because a contract that held it would be above the
/// size limit. The soul registry's constructor checks that the others name it, so that a wrong
/// order or a wrong address creates nothing.
contract SoulRegistryDeployer {
    /// @notice The arguments of the soul registry's constructor, in its order.
    struct Arguments {
        address identityRegistry;
        address humanVerifiers;
        address registrars;
        address certificate;
        address organizationRegistry;
        address passportWriter;
        address passportMint;
    }

    /// @notice The caller did not deploy this contract.
    error OnlyDeployer(address caller);

    /// @notice The soul registry was created before.
    error AlreadyDeployed(address soulRegistry);

    /// @notice The creation code left no contract at the predicted address.
    error NotCreated(address soulRegistry);

    /// @notice Where the soul registry is, or will be.
    address public immutable SOUL_REGISTRY;

    address private immutable _DEPLOYER;

    constructor() {
        _DEPLOYER = msg.sender;
        // RLP of this address and of the nonce 1, which is a contract's nonce before its first
        // creation.
        SOUL_REGISTRY = address(uint160(uint256(keccak256(abi.encodePacked(hex"d694", address(this), hex"01")))));
    }

    /// @notice Creates the soul registry. Authority: the account that deployed this contract, once.
    /// @param creationCode The soul registry's creation code without arguments.
    /// @param arguments The arguments of its constructor.
    function deploy(bytes calldata creationCode, Arguments calldata arguments) external {
        if (msg.sender != _DEPLOYER) revert OnlyDeployer(msg.sender);
        if (SOUL_REGISTRY.code.length != 0) revert AlreadyDeployed(SOUL_REGISTRY);

        bytes memory code = bytes.concat(creationCode, abi.encode(arguments));
        assembly ("memory-safe") {
            if iszero(create(0, add(code, 0x20), mload(code))) {
                returndatacopy(0x00, 0x00, returndatasize())
                revert(0x00, returndatasize())
            }
        }
        // Code that ends without a contract would leave the address empty for ever.
        if (SOUL_REGISTRY.code.length == 0) revert NotCreated(SOUL_REGISTRY);
    }
}
