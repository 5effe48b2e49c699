// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistry} from "../../contracts/SoulRegistry.sol";
import {SoulRegistryDeployer} from "../../contracts/deployment/SoulRegistryDeployer.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {Test} from "./utils/Test.sol";

contract SoulRegistryDeployerTest is Test {
    address private stranger = makeAddr("stranger");
    address private identity = makeAddr("identity registry");
    address private humanVerifiers = makeAddr("human verifiers");
    address private registrars = makeAddr("registrars");

    SoulRegistryDeployer private deployer;
    bytes private creationCode;

    function setUp() public {
        vm.warp(1_800_000_000);
        deployer = SoulRegistryDeployer(deploy("SoulRegistryDeployer", ""));
        creationCode = vm.getCode("SoulRegistry");
    }

    /// @dev The four contracts that name the soul registry at `predicted`.
    function argumentsFor(address predicted) private returns (SoulRegistryDeployer.Arguments memory) {
        return
            SoulRegistryDeployer.Arguments({
                identityRegistry: identity,
                humanVerifiers: humanVerifiers,
                registrars: registrars,
                certificate: deploy("SoulCertificate", abi.encode(predicted)),
                organizationRegistry: deploy("OrganizationRegistry", abi.encode(predicted)),
                passportWriter: deploy("PassportWriter", abi.encode(predicted, identity)),
                passportMint: deploy("PassportMint", abi.encode(predicted, identity))
            });
    }

    function test_CreatesTheSoulRegistryWhereItSaidWithEveryArgument() public {
        address predicted = deployer.SOUL_REGISTRY();
        assertEq(predicted.code.length, 0);
        SoulRegistryDeployer.Arguments memory arguments = argumentsFor(predicted);
        deployer.deploy(creationCode, arguments);

        SoulRegistry souls = SoulRegistry(predicted);
        assertEq(souls.IDENTITY_REGISTRY(), identity);
        assertEq(souls.HUMAN_VERIFIERS(), humanVerifiers);
        assertEq(address(souls.CERTIFICATE()), arguments.certificate);
        assertEq(address(souls.ORGANIZATION_REGISTRY()), arguments.organizationRegistry);
        assertEq(address(souls.PASSPORT_WRITER()), arguments.passportWriter);
        assertEq(address(souls.PASSPORT_MINT()), arguments.passportMint);
        assertEq(address(souls.REGISTRARS()), registrars);
    }

    function test_RefusesOtherCallersThanItsDeployer() public {
        SoulRegistryDeployer.Arguments memory arguments = argumentsFor(deployer.SOUL_REGISTRY());
        vm.expectRevert(abi.encodeWithSelector(SoulRegistryDeployer.OnlyDeployer.selector, stranger));
        vm.prank(stranger);
        deployer.deploy(creationCode, arguments);
    }

    function test_CreatesOnce() public {
        address predicted = deployer.SOUL_REGISTRY();
        SoulRegistryDeployer.Arguments memory arguments = argumentsFor(predicted);
        deployer.deploy(creationCode, arguments);
        vm.expectRevert(abi.encodeWithSelector(SoulRegistryDeployer.AlreadyDeployed.selector, predicted));
        deployer.deploy(creationCode, arguments);
    }

    /// @dev A wrong prediction leaves nothing behind: the constructor's own error comes through,
    /// and the right order works afterwards.
    function test_PassesTheConstructorsRefusalOnAndCanBeRepeated() public {
        SoulRegistryDeployer.Arguments memory wrong = argumentsFor(stranger);
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, wrong.certificate));
        deployer.deploy(creationCode, wrong);

        address predicted = deployer.SOUL_REGISTRY();
        SoulRegistryDeployer.Arguments memory right = argumentsFor(predicted);
        wrong.certificate = right.certificate;
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, wrong.organizationRegistry));
        deployer.deploy(creationCode, wrong);
        wrong.organizationRegistry = right.organizationRegistry;
        vm.expectRevert(abi.encodeWithSelector(ISoulRegistry.WrongRegistry.selector, wrong.passportWriter));
        deployer.deploy(creationCode, wrong);
        assertEq(predicted.code.length, 0);

        deployer.deploy(creationCode, right);
        assertGt(predicted.code.length, 0);
    }

    function test_RefusesCreationCodeThatLeavesNoContract() public {
        address predicted = deployer.SOUL_REGISTRY();
        SoulRegistryDeployer.Arguments memory arguments = argumentsFor(predicted);
        vm.expectRevert(abi.encodeWithSelector(SoulRegistryDeployer.NotCreated.selector, predicted));
        deployer.deploy(hex"00", arguments);

        deployer.deploy(creationCode, arguments);
        assertGt(predicted.code.length, 0);
    }
}
