// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IHumanVerifier} from "../interfaces/IHumanVerifier.sol";
import {IWorldIdRouter} from "./IWorldIdRouter.sol";
import {WorldIdHashes} from "./WorldIdHashes.sol";

/// @title Human verification by World ID 3.0
/// @notice Accepts proofs of the orb, the highest assurance, and of nothing else. `data` of
/// {verify} is `abi.encode(uint256 root, uint256 nullifierHash, uint256[8] proof)`: 320 bytes.
///
/// What the widget must be given: the application id of this adapter, {actionText} of the action as
/// its `action`, and the signal as 0x-prefixed hex (which World ID's libraries hash as the 32 bytes
/// it stands for).
///
/// Not guaranteed: anything beyond the word of World ID's router, which is upgradeable by its owner
/// and also decides how long a root, and with it a proof, is accepted.
contract WorldIdVerifier is IHumanVerifier, IERC165 {
    /* CONSTANTS */

    /// @notice The group whose credential was checked by an orb.
    uint256 public constant GROUP_ID = 1;

    /// @dev Order of the field that World ID's proofs live in (BN254's scalar field).
    uint256 private constant FIELD_ORDER =
        21888242871839275222246405745257275088548364400416034343698204186575808495617;

    /// @dev Root, nullifier hash and the proof's eight numbers.
    uint256 private constant DATA_LENGTH = 10 * 32;

    /* IMMUTABLES */

    /// @notice World ID's router on this chain.
    IWorldIdRouter public immutable ROUTER;

    /// @notice Hash of the application id, as a field element.
    uint256 public immutable APP_ID_HASH;

    /* ERRORS */

    /// @notice The proof does not have the length of {verify}'s encoding.
    error MalformedProof(uint256 length);

    /// @notice The nullifier is not below the field's order: the proof system takes it for another
    /// one.
    error NullifierOutOfField(uint256 nullifierHash);

    /// @notice The application id is empty, so that every application's proofs would fit.
    error EmptyAppId();

    /// @notice The router serves no orb group.
    error NoOrbGroup(address router);

    /* CONSTRUCTOR */

    /// @param router World ID's router on this chain.
    /// @param appId The application id that World ID assigned, such as `app_0123…`.
    constructor(IWorldIdRouter router, string memory appId) {
        if (bytes(appId).length == 0) revert EmptyAppId();
        // `verifyProof` answers nothing, so a wrong contract with a silent fallback would accept
        // every proof; it would hardly name a route as well.
        if (router.routeFor(GROUP_ID) == address(0)) revert NoOrbGroup(address(router));

        ROUTER = router;
        APP_ID_HASH = WorldIdHashes.toField(bytes(appId));
    }

    /* VERIFICATION */

    /// @inheritdoc IHumanVerifier
    function verify(bytes32 action, bytes32 signal, bytes calldata data) external view returns (bytes32 nullifier) {
        if (data.length != DATA_LENGTH) revert MalformedProof(data.length);
        (uint256 root, uint256 nullifierHash, uint256[8] memory proof) = abi.decode(
            data,
            (uint256, uint256, uint256[8])
        );
        if (nullifierHash >= FIELD_ORDER) revert NullifierOutOfField(nullifierHash);

        ROUTER.verifyProof(root, GROUP_ID, signalHash(signal), nullifierHash, externalNullifier(action), proof);

        return bytes32(nullifierHash);
    }

    /// @notice The text that the person's wallet is given as the action: the action in lower-case
    /// hex with its prefix, 66 characters. Text, because that is the only form every version of
    /// World ID's libraries takes.
    function actionText(bytes32 action) public pure returns (string memory) {
        return Strings.toHexString(uint256(action), 32);
    }

    /// @notice What the proof must be made for, as World ID computes it from application id and
    /// action text.
    function externalNullifier(bytes32 action) public view returns (uint256) {
        return WorldIdHashes.externalNullifier(APP_ID_HASH, actionText(action));
    }

    /// @notice The signal as the proof must contain it.
    function signalHash(bytes32 signal) public pure returns (uint256) {
        return WorldIdHashes.toField(abi.encodePacked(signal));
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IHumanVerifier).interfaceId || interfaceId == type(IERC165).interfaceId;
    }
}
