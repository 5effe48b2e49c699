// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

/// @title Registrars
/// @notice Which accounts may submit what owners signed to the soul registry. Being a registrar is
/// not enough to decide about a soul: that needs the owner's signature too. Alone, a registrar can only
/// set ids aside.
interface IRegistrars {
    /// @notice Whether `account` may submit.
    /// @param account Who submits.
    /// @return registrar Whether it holds the role.
    function isRegistrar(address account) external view returns (bool registrar);
}
