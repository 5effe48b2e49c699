// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BindingRegistry} from "../../../contracts/BindingRegistry.sol";
import {IBindingRegistry} from "../../../contracts/interfaces/IBindingRegistry.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract BindingRegistryGas is SoulLifeBase, GasScenarios {
    string internal constant CONTEXT = "sub-contractor";

    address internal binder = makeAddr("binder");
    BindingRegistry internal bindings;

    function setUp() public override {
        super.setUp();
        bindings = BindingRegistry(deploy("BindingRegistry", abi.encode(souls, admin, binder, 2 days)));
        sealedSoul("alice");
        sealedSoul("bob");
    }

    function bind(IBindingRegistry.TrustLevel level, uint32 version) internal {
        IBindingRegistry.SetBinding memory binding = IBindingRegistry.SetBinding({
            fromTokenId: 1,
            epoch: 1,
            toTokenId: 2,
            toEpoch: 1,
            trustLevel: level,
            context: CONTEXT,
            version: version,
            nonce: ++noncesGiven,
            deadline: vm.getBlockTimestamp() + 15 minutes
        });
        bytes32 typeHash = keccak256(
            "SetBinding(uint256 fromTokenId,uint16 epoch,uint256 toTokenId,uint16 toEpoch,uint8 trustLevel,string context,uint32 version,uint256 nonce,uint256 deadline)"
        );
        bytes memory fields = abi.encode(typeHash, 1, 1, 2, 1, level, keccak256(bytes(CONTEXT)));
        bytes32 structHash = keccak256(
            bytes.concat(fields, abi.encode(binding.version, binding.nonce, binding.deadline))
        );
        bindings.setBinding(binding, sign(OWNER_KEY, digestFor("BindingRegistry", address(bindings), structHash)));
    }

    /// hardhat-config: isolate = true
    function test_binds() public {
        bind(IBindingRegistry.TrustLevel.TRUSTED, 0);
        bind(IBindingRegistry.TrustLevel.REVOKED, 1);
    }

    /// hardhat-config: isolate = true
    function test_bindsForTheService() public {
        vm.startPrank(binder);
        bindings.setServiceBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.LIMITED, CONTEXT, 0);
        bindings.setServiceBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.VERIFIED, CONTEXT, 1);
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        bind(IBindingRegistry.TrustLevel.TRUSTED, 0);
        bindings.bindingOf(1, 2);
        bindings.recordOf(1, 2);
        bindings.bindingIdOf(1, 2);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        bindings.BINDER_ROLE();
        bindings.SOUL_REGISTRY();
        callInterfaces(address(bindings));
    }

    /// hardhat-config: isolate = true
    function test_givesRoles() public {
        callRoles(address(bindings), keccak256("BINDER_ROLE"), admin);
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(bindings));
    }
}
