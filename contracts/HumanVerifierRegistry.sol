// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AccessControlDefaultAdminRules} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {IHumanVerifier} from "./interfaces/IHumanVerifier.sol";
import {IHumanVerifierRegistry} from "./interfaces/IHumanVerifierRegistry.sol";

/// @title Human verifier registry
/// @notice See {IHumanVerifierRegistry}.
contract HumanVerifierRegistry is IHumanVerifierRegistry, AccessControlDefaultAdminRules {
    using EnumerableSet for EnumerableSet.AddressSet;

    /* IMMUTABLES */

    /// @inheritdoc IHumanVerifierRegistry
    uint48 public immutable DELAY;

    /* STORAGE */

    EnumerableSet.AddressSet private _approved;
    /// @dev When a proposal can be activated; 0 for an adapter that is not proposed.
    mapping(address verifier => uint48 activatableAt) private _proposals;
    mapping(address consumer => mapping(address verifier => mapping(bytes32 nullifier => bool used)))
        private _usedNullifiers;

    /// @inheritdoc IHumanVerifierRegistry
    mapping(address consumer => mapping(bytes32 action => address verifier)) public verifierOf;

    /* CONSTRUCTOR */

    /// @param admin Proposes and removes adapters; holds no other power.
    /// @param delay Seconds between a proposal and its activation; two days on a public chain.
    /// @param adminDelay Seconds that the naming of another admin waits in public. Removing an
    /// adapter never waits.
    constructor(address admin, uint48 delay, uint48 adminDelay) AccessControlDefaultAdminRules(adminDelay, admin) {
        DELAY = delay;
    }

    /* ADAPTERS */

    /// @inheritdoc IHumanVerifierRegistry
    function propose(address verifier) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (!ERC165Checker.supportsInterface(verifier, type(IHumanVerifier).interfaceId)) revert NotAVerifier(verifier);
        (VerifierStatus status, ) = statusOf(verifier);
        if (status != VerifierStatus.UNKNOWN) revert WrongVerifierStatus(verifier, status);

        uint48 activatableAt = SafeCast.toUint48(block.timestamp + DELAY);
        _proposals[verifier] = activatableAt;

        emit VerifierProposed(verifier, activatableAt);
    }

    /// @inheritdoc IHumanVerifierRegistry
    function activate(address verifier) external {
        (VerifierStatus status, uint48 activatableAt) = statusOf(verifier);
        if (status != VerifierStatus.PROPOSED) revert WrongVerifierStatus(verifier, status);
        if (block.timestamp < activatableAt) revert DelayNotOver(verifier, activatableAt);

        delete _proposals[verifier];
        _approved.add(verifier);

        emit VerifierActivated(verifier, msg.sender);
    }

    /// @inheritdoc IHumanVerifierRegistry
    function remove(address verifier) external onlyRole(DEFAULT_ADMIN_ROLE) {
        (VerifierStatus status, ) = statusOf(verifier);
        if (status == VerifierStatus.UNKNOWN) revert WrongVerifierStatus(verifier, status);

        delete _proposals[verifier];
        _approved.remove(verifier);

        emit VerifierRemoved(verifier, status);
    }

    /* PROOFS */

    /// @inheritdoc IHumanVerifierRegistry
    function consume(
        address verifier,
        bytes32 action,
        bytes32 signal,
        bytes calldata data
    ) external returns (bytes32 nullifier) {
        if (!isApproved(verifier)) revert VerifierNotApproved(verifier);

        nullifier = _verify(verifier, action, signal, data);
        if (_usedNullifiers[msg.sender][verifier][nullifier]) {
            revert NullifierAlreadyUsed(msg.sender, verifier, nullifier);
        }

        _usedNullifiers[msg.sender][verifier][nullifier] = true;
        verifierOf[msg.sender][action] = verifier;

        emit HumanProofConsumed(msg.sender, verifier, nullifier, action, signal);
    }

    /* READS */

    /// @inheritdoc IHumanVerifierRegistry
    function isApproved(address verifier) public view returns (bool) {
        return _approved.contains(verifier);
    }

    /// @inheritdoc IHumanVerifierRegistry
    function statusOf(address verifier) public view returns (VerifierStatus status, uint48 activatableAt) {
        if (isApproved(verifier)) return (VerifierStatus.APPROVED, 0);

        activatableAt = _proposals[verifier];
        status = activatableAt == 0 ? VerifierStatus.UNKNOWN : VerifierStatus.PROPOSED;
    }

    /// @inheritdoc IHumanVerifierRegistry
    function approvedVerifiers() external view returns (address[] memory) {
        return _approved.values();
    }

    /// @inheritdoc IHumanVerifierRegistry
    function isNullifierUsed(address consumer, address verifier, bytes32 nullifier) external view returns (bool) {
        return _usedNullifiers[consumer][verifier][nullifier];
    }

    /// @notice ERC-165: this interface, access control and ERC-165 itself.
    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IHumanVerifierRegistry).interfaceId || super.supportsInterface(interfaceId);
    }

    /// @dev A low-level call, so that an answer of another form (an adapter whose code is gone
    /// answers nothing) is a refusal with this contract's error and not a bare revert.
    function _verify(
        address verifier,
        bytes32 action,
        bytes32 signal,
        bytes calldata data
    ) private view returns (bytes32) {
        (bool success, bytes memory answer) = verifier.staticcall(
            abi.encodeCall(IHumanVerifier.verify, (action, signal, data))
        );
        if (!success || answer.length != 32) revert VerificationFailed(verifier, answer);

        return bytes32(answer);
    }
}
