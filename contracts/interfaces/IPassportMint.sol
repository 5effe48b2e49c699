// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Passport mint
/// @notice Registers the new passports of souls on the identity registry and hands them to their
/// owners. Only the soul registry calls it, for what an owner signed.
/// @dev It is approved on no passport. It can write and move a passport only while it holds it.
interface IPassportMint {
    /// @notice Only the soul registry may call this.
    /// @param caller Who called.
    error OnlySoulRegistry(address caller);

    /// @notice A token was sent here that this contract is not registering in this very call.
    /// @param token The ERC-721 contract.
    /// @param tokenId The token's id.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice The soul registry that this contract mints for.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (address registry);

    /// @notice The ERC-8004 identity registry. A third party's upgradeable contract.
    /// @return registry Its address.
    function IDENTITY_REGISTRY() external view returns (address registry);

    /// @notice Registers a passport with the soul's `svc*` metadata and hands it to `owner`.
    /// Authority: the soul registry.
    /// @dev Not a safe transfer, so that an owner's code cannot run in the middle of a
    /// registration.
    /// @param owner Who gets the passport.
    /// @param tokenId The soul.
    /// @param soulHash The soul's hash.
    /// @param sealing Whether the soul is sealed with its registration.
    /// @param publication Where the registrar stored what the passport points at.
    /// @return passportId Id of the passport, owned by `owner` when the call returns.
    /// @return agentURIHasIds Whether the passport points at the file which names its ids.
    function mint(
        address owner,
        uint256 tokenId,
        bytes32 soulHash,
        bool sealing,
        ISoulRegistry.Publication calldata publication
    ) external returns (uint256 passportId, bool agentURIHasIds);

    /// @notice Registers a passport without metadata for each publication, in their order, and
    /// hands all to `owner`. Authority: the soul registry.
    /// @dev All are registered before the first is handed over: this contract's balance then is
    /// written from zero once, and not for each.
    /// @param owner Who gets the passports.
    /// @param publications Where the registrar stored what each passport points at.
    /// @return passportIds Ids of the passports, owned by `owner` when the call returns.
    function mintBatch(
        address owner,
        ISoulRegistry.BatchPublication[] calldata publications
    ) external returns (uint256[] memory passportIds);
}
