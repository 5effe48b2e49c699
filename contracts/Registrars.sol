// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IRegistrars} from "./interfaces/IRegistrars.sol";

/// @title Registrars
/// @notice See {IRegistrars}.
contract Registrars is IRegistrars, AccessControlDefaultAdminRules {
    /// @notice May submit what owners signed to register, seal, revise and reseal, and set ids aside
    /// for registrations. Nothing else.
    bytes32 public constant REGISTRAR_ROLE = keccak256("REGISTRAR_ROLE");

    /// @param admin Grants and revokes the role; holds no other power.
    /// @param registrar The first holder of REGISTRAR_ROLE.
    /// @param adminDelay Seconds between naming another admin and its acceptance; cannot be changed
    /// later. Granting and revoking the registrar's role never waits.
    constructor(address admin, address registrar, uint48 adminDelay) AccessControlDefaultAdminRules(adminDelay, admin) {
        _grantRole(REGISTRAR_ROLE, registrar);
    }

    /// @inheritdoc IRegistrars
    function isRegistrar(address account) external view returns (bool) {
        return hasRole(REGISTRAR_ROLE, account);
    }

    /// @notice ERC-165: {IRegistrars} and access control.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IRegistrars).interfaceId || super.supportsInterface(interfaceId);
    }

    /// @dev The delay is fixed at deployment.
    function _changeDefaultAdminDelay(uint48) internal pure override {
        revert AccessControlEnforcedDefaultAdminRules();
    }

    /// @dev See {_changeDefaultAdminDelay}: there is no change to take back.
    function _rollbackDefaultAdminDelay() internal pure override {
        revert AccessControlEnforcedDefaultAdminRules();
    }
}
