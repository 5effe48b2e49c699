// SPDX-License-Identifier: MIT
pragma solidity >=0.8.20;

import {ISoulRegistry} from "../interfaces/ISoulRegistry.sol";

/// @title A soul registry for tests of contracts that gate by souls
/// @notice Answers the reads of {ISoulRegistry} that gates use, from states that a test sets. Cast its address:
/// `ISoulRegistry(address(mock))`. It has no access control: never deploy it outside of tests.
contract MockSoulRegistry {
    struct State {
        ISoulRegistry.Soul soul;
        bool suspended;
        bool humanVerified;
    }

    mapping(uint256 tokenId => State state) private _states;
    mapping(bytes32 nameHash => uint256 tokenId) private _tokensByName;
    mapping(uint256 passportId => uint256 tokenId) private _tokensByPassport;

    /// @notice Makes a soul sealed and valid. Sealing it again begins the next epoch, as after a sale.
    /// @param tokenId The soul.
    /// @param owner The account that owns it.
    /// @param operator The account that acts for it; zero: the owner itself.
    function seal(uint256 tokenId, address owner, address operator) external {
        State storage state = _states[tokenId];
        state.soul.sealer = owner;
        state.soul.operator = operator == owner ? address(0) : operator;
        state.soul.epoch += 1;
        state.soul.status = ISoulRegistry.Status.SEALED;
        state.suspended = false;
        state.humanVerified = false;
    }

    /// @notice Makes a soul suspended, as after its passport was transferred.
    /// @param tokenId The soul.
    function suspend(uint256 tokenId) external {
        _states[tokenId].suspended = true;
    }

    /// @notice Ends a soul.
    /// @param tokenId The soul.
    function burn(uint256 tokenId) external {
        _states[tokenId].soul.status = ISoulRegistry.Status.BURNED;
    }

    /// @notice Gives a soul a name.
    /// @param tokenId The soul.
    /// @param name The name.
    function setName(uint256 tokenId, string calldata name) external {
        _states[tokenId].soul.name = name;
        _tokensByName[keccak256(bytes(name))] = tokenId;
    }

    /// @notice Binds a soul to a passport.
    /// @param tokenId The soul.
    /// @param passportId The passport.
    function setPassport(uint256 tokenId, uint56 passportId) external {
        _states[tokenId].soul.passportId = passportId;
        _tokensByPassport[passportId] = tokenId;
    }

    /// @notice Sets what a soul is and says.
    /// @param tokenId The soul.
    /// @param agentType The agent's type.
    /// @param soulHash Hash of the content.
    /// @param soulMerkleRoot Merkle root of its fields.
    function setContent(
        uint256 tokenId,
        ISoulRegistry.AgentType agentType,
        bytes32 soulHash,
        bytes32 soulMerkleRoot
    ) external {
        ISoulRegistry.Soul storage soul = _states[tokenId].soul;
        soul.agentType = agentType;
        soul.soulHash = soulHash;
        soul.soulMerkleRoot = soulMerkleRoot;
    }

    /// @notice Sets whether a person vouches for a soul.
    /// @param tokenId The soul.
    /// @param verified Whether one does.
    function setHumanVerified(uint256 tokenId, bool verified) external {
        _states[tokenId].humanVerified = verified;
    }

    /// @notice As {ISoulRegistry-authorityOf}: no accounts while the soul is not valid.
    /// @param tokenId The soul.
    /// @return owner The owner.
    /// @return operator The account that acts for it.
    /// @return epoch The epoch.
    function authorityOf(uint256 tokenId) external view returns (address owner, address operator, uint16 epoch) {
        ISoulRegistry.Soul storage soul = _states[tokenId].soul;
        epoch = soul.epoch;
        if (!isValid(tokenId)) return (address(0), address(0), epoch);
        owner = soul.sealer;
        operator = soul.operator == address(0) ? owner : soul.operator;
    }

    /// @notice As {ISoulRegistry-soulOf}.
    /// @param tokenId The soul.
    /// @return soul The record; all zero for a soul that no test set.
    function soulOf(uint256 tokenId) external view returns (ISoulRegistry.Soul memory soul) {
        return _states[tokenId].soul;
    }

    /// @notice As {ISoulRegistry-sealerOf}.
    /// @param tokenId The soul.
    /// @return sealer The owner, also of a suspended soul; zero for a burned one.
    function sealerOf(uint256 tokenId) external view returns (address sealer) {
        ISoulRegistry.Soul storage soul = _states[tokenId].soul;
        return soul.status == ISoulRegistry.Status.BURNED ? address(0) : soul.sealer;
    }

    /// @notice As {ISoulRegistry-tokenOfPassport}.
    /// @param passportId The passport.
    /// @return tokenId The soul; 0 without one.
    function tokenOfPassport(uint256 passportId) external view returns (uint256 tokenId) {
        return _tokensByPassport[passportId];
    }

    /// @notice As {ISoulRegistry-isValid}.
    /// @param tokenId The soul.
    /// @return valid Whether it is sealed and not suspended.
    function isValid(uint256 tokenId) public view returns (bool valid) {
        State storage state = _states[tokenId];
        return state.soul.status == ISoulRegistry.Status.SEALED && !state.suspended;
    }

    /// @notice As {ISoulRegistry-validityOf}.
    /// @param tokenId The soul.
    /// @return validity Its state.
    /// @return passportOwner The owner, also of a suspended soul.
    function validityOf(
        uint256 tokenId
    ) external view returns (ISoulRegistry.Validity validity, address passportOwner) {
        State storage state = _states[tokenId];
        if (state.soul.status != ISoulRegistry.Status.SEALED) return (ISoulRegistry.Validity.NOT_LINKED, address(0));
        return (state.suspended ? ISoulRegistry.Validity.SUSPENDED : ISoulRegistry.Validity.VALID, state.soul.sealer);
    }

    /// @notice As {ISoulRegistry-epochOf}.
    /// @param tokenId The soul.
    /// @return epoch The epoch.
    function epochOf(uint256 tokenId) external view returns (uint16 epoch) {
        return _states[tokenId].soul.epoch;
    }

    /// @notice As {ISoulRegistry-liveEpochOf}.
    /// @param tokenId The soul.
    /// @return epoch The epoch; 0 while the soul is not valid.
    function liveEpochOf(uint256 tokenId) external view returns (uint16 epoch) {
        return isValid(tokenId) ? _states[tokenId].soul.epoch : 0;
    }

    /// @notice As {ISoulRegistry-isSuspended}.
    /// @param tokenId The soul.
    /// @return suspended Whether it is.
    function isSuspended(uint256 tokenId) external view returns (bool suspended) {
        return _states[tokenId].suspended;
    }

    /// @notice As {ISoulRegistry-humanVerified}: false while the soul is not valid.
    /// @param tokenId The soul.
    /// @return verified Whether a person vouches for it.
    function humanVerified(uint256 tokenId) external view returns (bool verified) {
        return isValid(tokenId) && _states[tokenId].humanVerified;
    }

    /// @notice As {ISoulRegistry-tokenOfName}.
    /// @param name The name.
    /// @return tokenId The soul; 0 without one.
    function tokenOfName(string calldata name) external view returns (uint256 tokenId) {
        return _tokensByName[keccak256(bytes(name))];
    }
}
