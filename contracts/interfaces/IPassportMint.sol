// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "./ISoulRegistry.sol";

/// @title Passport mint
/// @notice Registers the new passports of souls on the identity registry and hands them to their
/// owners. Only the soul registry calls it: for what an owner signed, and to set passports aside.
/// @dev It is approved on no passport. It can write and move a passport only while it holds it.
interface IPassportMint {
    /// @notice Passports were set aside for the souls `firstTokenId` and following.
    /// @param firstTokenId The first token id; it names the reservation.
    /// @param firstPassportId The first passport; the others follow, one for each token id.
    /// @param count How many.
    event PassportsReserved(uint256 indexed firstTokenId, uint256 indexed firstPassportId, uint256 count);

    /// @notice Only the soul registry may call this.
    /// @param caller Who called.
    error OnlySoulRegistry(address caller);

    /// @notice A token was sent here that this contract is not registering in this very call.
    /// @param token The ERC-721 contract.
    /// @param tokenId The token's id.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice The reservation does not hold this token id.
    /// @param reservation The first token id of the reservation that was named.
    /// @param tokenId The token id.
    error NotReserved(uint256 reservation, uint256 tokenId);

    /// @notice A reservation of no passport, or of more than 255.
    /// @param count The number that was given.
    error InvalidReservation(uint256 count);

    /// @notice The identity registry did not give out consecutive ids within one call.
    /// @param passportId The id that it gave.
    /// @param expected The id that should follow.
    error NotConsecutive(uint256 passportId, uint256 expected);

    /// @notice The soul registry that this contract mints for.
    /// @return registry Its address.
    function SOUL_REGISTRY() external view returns (address registry);

    /// @notice The ERC-8004 identity registry. A third party's upgradeable contract.
    /// @return registry Its address.
    function IDENTITY_REGISTRY() external view returns (address registry);

    /// @notice The passports that were set aside under a first token id. One that was handed over
    /// stays counted.
    /// @param firstTokenId The first token id of the reservation.
    /// @return firstPassportId The first passport.
    /// @return count How many; 0 for no such reservation.
    function reservationOf(uint256 firstTokenId) external view returns (uint256 firstPassportId, uint256 count);

    /// @notice How many token ids are set aside that no registration has used yet. So many fewer
    /// souls exist than token ids were given.
    /// @return count The number.
    function unusedReservations() external view returns (uint256 count);

    /// @notice Registers a passport, or takes the one that was set aside for the soul, writes its
    /// `svc*` metadata and hands it to `owner`. Authority: the soul registry.
    /// @dev Not a safe transfer, so that an owner's code cannot run in the middle of a
    /// registration. Reverts with OnlySoulRegistry or NotReserved.
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
    /// written from zero once, and not for each. Reverts with OnlySoulRegistry or NotConsecutive.
    /// @param owner Who gets the passports.
    /// @param publications Where the registrar stored what each passport points at.
    /// @param leftOut Bit i is set where publication i gets no passport.
    /// @return firstPassportId The first passport; the others follow. All are owned by `owner` when
    /// the call returns.
    function mintBatch(
        address owner,
        ISoulRegistry.BatchPublication[] calldata publications,
        uint256 leftOut
    ) external returns (uint256 firstPassportId);

    /// @notice Registers passports that wait here, one for each token id. Authority: the soul
    /// registry.
    /// @dev Reverts with OnlySoulRegistry, InvalidReservation or NotConsecutive.
    /// @param firstTokenId The first token id.
    /// @param count How many, from 1 to 255.
    function reserve(uint256 firstTokenId, uint256 count) external;
}
