// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "./utils/Test.sol";
import {Vm} from "./utils/Vm.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev The soul registry as the other contracts see it, in any state that a test sets directly,
/// such as the one after a reseal or a burn.
contract SoulsDouble {
    struct State {
        address owner;
        address operator;
        uint16 epoch;
        ISoulRegistry.Status status;
    }

    mapping(uint256 tokenId => State state) private _states;
    /// @dev The double is its own identity registry.
    mapping(uint256 passportId => address wallet) private _agentWallets;
    bool private _refusesReads;

    function seal(uint256 tokenId, address owner, address operator, uint16 epoch) external {
        _states[tokenId] = State(owner, operator, epoch, ISoulRegistry.Status.SEALED);
    }

    /// @dev The passport moves away.
    function suspend(uint256 tokenId) external {
        _states[tokenId].owner = address(0);
        _states[tokenId].operator = address(0);
    }

    function burn(uint256 tokenId) external {
        _states[tokenId].owner = address(0);
        _states[tokenId].operator = address(0);
        _states[tokenId].status = ISoulRegistry.Status.BURNED;
    }

    function setAgentWallet(uint256 tokenId, address wallet) external {
        _agentWallets[passportOf(tokenId)] = wallet;
    }

    function refuseReads() external {
        _refusesReads = true;
    }

    function getAgentWallet(uint256 passportId) external view returns (address) {
        require(!_refusesReads, "refused");
        return _agentWallets[passportId];
    }

    function IDENTITY_REGISTRY() external view returns (address) {
        return address(this);
    }

    function passportOf(uint256 tokenId) public pure returns (uint256) {
        return tokenId + 100;
    }

    function authorityOf(uint256 tokenId) external view returns (address owner, address operator, uint16 epoch) {
        State storage state = _states[tokenId];
        return (state.owner, state.operator, state.epoch);
    }

    function isValid(uint256 tokenId) external view returns (bool) {
        return _states[tokenId].owner != address(0);
    }

    function epochOf(uint256 tokenId) external view returns (uint16) {
        return _states[tokenId].epoch;
    }

    function liveEpochOf(uint256 tokenId) external view returns (uint16) {
        return _states[tokenId].owner == address(0) ? 0 : _states[tokenId].epoch;
    }

    function soulOf(uint256 tokenId) external view returns (ISoulRegistry.Soul memory soul) {
        soul.epoch = _states[tokenId].epoch;
        soul.status = _states[tokenId].status;
    }
}

/// @dev Code that an EIP-7702 account might carry: it refuses every ERC-1271 signature.
contract RefusingCode {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

/// @dev Souls in any state, people with keys, and EIP-712 written out once more, independent of the
/// contracts under test.
abstract contract SoulsDoubleBase is Test {
    uint256 internal constant OWNER_KEY = 0xA11CE;
    uint256 internal constant ADMIN_KEY = 0xAD417;
    uint256 internal constant STRANGER_KEY = 0xBAD;
    uint256 internal constant BUYER_KEY = 0xB0B;

    address internal owner = vm.addr(OWNER_KEY);
    address internal orgAdmin = vm.addr(ADMIN_KEY);
    address internal stranger = vm.addr(STRANGER_KEY);
    address internal buyer = vm.addr(BUYER_KEY);

    SoulsDouble internal souls;
    ISoulRegistry internal soulRegistry;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        souls = new SoulsDouble();
        soulRegistry = ISoulRegistry(address(souls));
        souls.seal(1, owner, address(0x0909), 1);
        souls.seal(2, stranger, stranger, 1);
    }

    function digestOf(address verifier, string memory name, bytes32 structHash) internal view returns (bytes32) {
        return digestOf(verifier, name, "1", structHash);
    }

    function digestOf(
        address verifier,
        string memory name,
        string memory version,
        bytes32 structHash
    ) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                block.chainid,
                verifier
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    /// @dev The only log of this event among those recorded.
    function logOf(Vm.Log[] memory logs, bytes32 selector) internal pure returns (Vm.Log memory found) {
        uint256 count;
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].topics[0] == selector) {
                found = logs[i];
                ++count;
            }
        }
        require(count == 1, "not exactly one log of this event");
    }
}
