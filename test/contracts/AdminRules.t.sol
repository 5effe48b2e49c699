// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {IAccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/IAccessControlDefaultAdminRules.sol";
import {IRegistrars} from "../../contracts/interfaces/IRegistrars.sol";
import {SoulRegistryBase} from "./SoulRegistryBase.sol";

/// @dev The rules are OpenZeppelin's. What is tested is that each contract with an admin has them,
/// with the delay it was given.
contract AdminRulesTest is SoulRegistryBase {
    uint256 private constant START = 1_800_000_000;
    bytes32 private constant ADMIN_ROLE = 0;

    address private successor = makeAddr("successor");

    struct Administered {
        AccessControlDefaultAdminRules target;
        bytes32 role;
    }

    Administered[] private all;

    function setUp() public override {
        super.setUp();
        all.push(Administered(registrars, keccak256("REGISTRAR_ROLE")));
        add("BindingRegistry", "BINDER_ROLE", abi.encode(souls, admin, registrar, ADMIN_DELAY));
        add("AlignmentRegistry", "ALIGNMENT_ROLE", abi.encode(souls, admin, registrar, ADMIN_DELAY));
        add("ChronicleAnchor", "ANCHOR_ROLE", abi.encode(admin, registrar, ADMIN_DELAY));
        add("HumanVerifierRegistry", "", abi.encode(admin, 2 days, ADMIN_DELAY));
    }

    function add(string memory name, string memory role, bytes memory arguments) private {
        bytes32 id = bytes(role).length == 0 ? ADMIN_ROLE : keccak256(bytes(role));
        all.push(Administered(AccessControlDefaultAdminRules(deploy(name, arguments)), id));
    }

    function delayError(uint256 schedule) private pure returns (bytes memory) {
        return
            abi.encodeWithSelector(
                IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminDelay.selector,
                schedule
            );
    }

    function test_HoldsTheAdminAndTheDelayItWasGiven() public view {
        for (uint256 i = 0; i < all.length; ++i) {
            assertEq(all[i].target.defaultAdmin(), admin);
            assertEq(uint256(all[i].target.defaultAdminDelay()), ADMIN_DELAY);
            assertTrue(all[i].role == ADMIN_ROLE || all[i].target.hasRole(all[i].role, registrar));
        }
    }

    function test_TheRegistrarsSupportTheirInterfaces() public view {
        assertTrue(registrars.supportsInterface(type(IRegistrars).interfaceId));
        assertTrue(registrars.supportsInterface(type(IAccessControlDefaultAdminRules).interfaceId));
        assertFalse(registrars.supportsInterface(0xffffffff));
    }

    function test_NamesAnotherAdminInTwoStepsAfterTheDelay() public {
        for (uint256 i = 0; i < all.length; ++i) {
            AccessControlDefaultAdminRules target = all[i].target;
            uint256 schedule = START + ADMIN_DELAY;
            vm.warp(START);
            vm.prank(admin);
            target.beginDefaultAdminTransfer(successor);
            vm.warp(schedule);
            vm.expectRevert(delayError(schedule));
            vm.prank(successor);
            target.acceptDefaultAdminTransfer();
            vm.warp(schedule + 1);
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector,
                    stranger
                )
            );
            vm.prank(stranger);
            target.acceptDefaultAdminTransfer();
            assertEq(target.defaultAdmin(), admin);
            vm.prank(successor);
            target.acceptDefaultAdminTransfer();
            assertEq(target.defaultAdmin(), successor);
            assertFalse(target.hasRole(ADMIN_ROLE, admin));
        }
    }

    function test_AdmitsNoSecondAdmin() public {
        for (uint256 i = 0; i < all.length; ++i) {
            vm.expectRevert(IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector);
            vm.prank(admin);
            all[i].target.grantRole(ADMIN_ROLE, successor);
        }
    }

    /// @dev Who stole the admin's key cannot shorten the time in which the owner of that key can
    /// stop a hand-over.
    function test_ShortensTheDelayOnlyAfterTheDifference() public {
        for (uint256 i = 0; i < all.length; ++i) {
            AccessControlDefaultAdminRules target = all[i].target;
            if (address(target) == address(registrars)) continue;
            vm.warp(START);
            vm.startPrank(admin);
            target.changeDefaultAdminDelay(0);
            assertEq(uint256(target.defaultAdminDelay()), ADMIN_DELAY);
            target.beginDefaultAdminTransfer(successor);
            (, uint48 schedule) = target.pendingDefaultAdmin();
            assertEq(uint256(schedule), START + ADMIN_DELAY);
            target.cancelDefaultAdminTransfer();
            vm.stopPrank();
            vm.warp(START + ADMIN_DELAY + 1);
            vm.expectRevert(
                abi.encodeWithSelector(
                    IAccessControlDefaultAdminRules.AccessControlInvalidDefaultAdmin.selector,
                    successor
                )
            );
            vm.prank(successor);
            target.acceptDefaultAdminTransfer();
        }
    }

    function test_FixesTheDelayOfTheRegistrars() public {
        bytes4 refusal = IAccessControlDefaultAdminRules.AccessControlEnforcedDefaultAdminRules.selector;
        vm.expectRevert(refusal);
        vm.prank(admin);
        registrars.changeDefaultAdminDelay(0);
        vm.expectRevert(refusal);
        vm.prank(admin);
        registrars.rollbackDefaultAdminDelay();
        assertEq(uint256(registrars.defaultAdminDelay()), ADMIN_DELAY);
    }

    function test_RevokesAStolenRoleAtOnceAlsoDuringAHandOver() public {
        for (uint256 i = 0; i < all.length; ++i) {
            if (all[i].role == ADMIN_ROLE) continue;
            AccessControlDefaultAdminRules target = all[i].target;
            vm.startPrank(admin);
            target.beginDefaultAdminTransfer(successor);
            vm.expectEmit(address(target));
            emit IAccessControl.RoleRevoked(all[i].role, registrar, admin);
            target.revokeRole(all[i].role, registrar);
            target.grantRole(all[i].role, successor);
            vm.stopPrank();
            assertFalse(target.hasRole(all[i].role, registrar));
            assertTrue(target.hasRole(all[i].role, successor));
        }
    }

    function test_OnlyTheAdminManagesRoles() public {
        for (uint256 i = 0; i < all.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(
                IAccessControl.AccessControlUnauthorizedAccount.selector,
                stranger,
                ADMIN_ROLE
            );
            vm.expectRevert(refusal);
            vm.prank(stranger);
            all[i].target.beginDefaultAdminTransfer(stranger);
            vm.expectRevert(refusal);
            vm.prank(stranger);
            all[i].target.changeDefaultAdminDelay(0);
            vm.expectRevert(refusal);
            vm.prank(stranger);
            all[i].target.grantRole(keccak256("ANY_ROLE"), stranger);
        }
    }
}
