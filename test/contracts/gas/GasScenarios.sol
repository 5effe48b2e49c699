// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {IOwnerAuthorization} from "../../../contracts/interfaces/IOwnerAuthorization.sol";
import {Test} from "../utils/Test.sol";

/// @dev Calls of what several contracts inherit. The files beside this one are not tests of
/// behaviour: docs/gas.json is measured from their calls, each a transaction of its own with its
/// base cost and cold storage. Inputs are fixed, so that the numbers are.
abstract contract GasScenarios is Test {
    uint256 internal constant CANCELLER_KEY = 0xCA9CE1;

    /// @dev Access control, with `role` given by `administrator` and taken away in both ways, and
    /// the admin's own role handed over.
    function callRoles(address target, bytes32 role, address administrator) internal {
        AccessControlDefaultAdminRules roles = AccessControlDefaultAdminRules(target);
        address first = address(0xF1F1);
        address second = address(0xF2F2);
        roles.DEFAULT_ADMIN_ROLE();
        roles.getRoleAdmin(role);
        roles.hasRole(role, first);
        vm.startPrank(administrator);
        roles.grantRole(role, first);
        roles.grantRole(role, second);
        roles.revokeRole(role, first);
        vm.stopPrank();
        vm.prank(second);
        roles.renounceRole(role, second);
        callAdminRules(roles, first, administrator);
    }

    function callAdminRules(AccessControlDefaultAdminRules roles, address successor, address administrator) private {
        roles.owner();
        roles.defaultAdmin();
        roles.pendingDefaultAdmin();
        roles.defaultAdminDelay();
        roles.pendingDefaultAdminDelay();
        roles.defaultAdminDelayIncreaseWait();
        vm.startPrank(administrator);
        if (canChangeDelay()) {
            roles.changeDefaultAdminDelay(5 days);
            roles.rollbackDefaultAdminDelay();
        }
        roles.beginDefaultAdminTransfer(successor);
        roles.cancelDefaultAdminTransfer();
        roles.beginDefaultAdminTransfer(successor);
        vm.stopPrank();
        vm.warp(vm.getBlockTimestamp() + 6 days);
        vm.prank(successor);
        roles.acceptDefaultAdminTransfer();
    }

    /// @dev Whether the contract under measurement lets its admin change the delay of a hand-over.
    function canChangeDelay() internal pure virtual returns (bool) {
        return true;
    }

    /// @dev Nonces, cancelled by a call and by a signature. The contract's name is its EIP-712
    /// domain's.
    function callAuthorization(address target) internal {
        IOwnerAuthorization authorization = IOwnerAuthorization(target);
        address canceller = vm.addr(CANCELLER_KEY);
        uint256 deadline = vm.getBlockTimestamp() + 15 minutes;
        (, string memory name, string memory version, , , , ) = IERC5267(target).eip712Domain();
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                target
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Cancel(address signer,uint256 nonce,uint256 deadline)"),
                canceller,
                uint256(300),
                deadline
            )
        );
        bytes memory signature = signDigest(
            CANCELLER_KEY,
            keccak256(abi.encodePacked(hex"1901", separator, structHash))
        );

        vm.prank(canceller);
        authorization.cancel(7);
        authorization.cancelFor(canceller, 300, deadline, signature);
        authorization.isNonceUsed(canceller, 7);
    }

    function callInterfaces(address target) internal view {
        IERC165(target).supportsInterface(type(IERC165).interfaceId);
        IERC165(target).supportsInterface(0xffffffff);
    }
}
