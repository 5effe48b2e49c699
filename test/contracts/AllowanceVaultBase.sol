// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {AllowanceVault} from "../../contracts/AllowanceVault.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {IStablecoin} from "../../contracts/interfaces/IStablecoin.sol";
import {SilentStablecoin} from "../../contracts/mocks/SilentStablecoin.sol";
import {Stablecoin} from "../../contracts/mocks/Stablecoin.sol";

/// @dev Says who has authority, as a test wishes: for epochs and owners that take long to bring
/// about on the real registry.
contract AuthorityStub {
    address internal owner;
    address internal operator;
    uint16 public epoch;

    /// @dev Without an identity registry: it answers nothing.
    function IDENTITY_REGISTRY() external view virtual returns (address) {
        return address(0);
    }

    function passportOf(uint256) external pure returns (uint256) {
        return 0;
    }

    function set(address owner_, address operator_, uint16 epoch_) external {
        (owner, operator, epoch) = (owner_, operator_, epoch_);
    }

    function authorityOf(uint256) external view returns (address, address, uint16) {
        return (owner, operator, epoch);
    }

    function isValid(uint256) external view returns (bool) {
        return owner != address(0);
    }

    function epochOf(uint256) external view returns (uint16) {
        return epoch;
    }

    function liveEpochOf(uint256) external view returns (uint16) {
        return owner == address(0) ? 0 : epoch;
    }
}

/// @dev A registered agent whose owner has money and approved the vault, and the words to sign and
/// to pay.
abstract contract AllowanceVaultBase is SoulRegistryBase {
    uint56 internal constant PER_TRANSACTION = 10_000_000;
    uint56 internal constant DAILY_LIMIT = 25_000_000;
    /// Thirty days after the first block's time.
    uint32 internal constant VALID_UNTIL = 1_802_592_000;
    /// What a payment is for, as its recipient knows it.
    bytes32 internal constant REF = "invoice 17";
    uint256 internal constant FUNDS = 1_000_000_000;

    address internal operator = address(0x0909);
    address internal recipient = makeAddr("recipient");

    Stablecoin internal stablecoin;
    AllowanceVault internal vault;
    uint256 internal tokenId;
    uint256 internal passportId;
    uint256 private lastNonce;

    function setUp() public virtual override {
        super.setUp();
        stablecoin = Stablecoin(deploy("Stablecoin", ""));
        vault = newVault(address(souls), address(stablecoin));
        (tokenId, passportId) = register("alice");
        fund(owner, vault);
    }

    function newVault(address registry, address token) internal returns (AllowanceVault) {
        return AllowanceVault(deploy("AllowanceVault", abi.encode(registry, token)));
    }

    /// @dev Money for `account` in the vault's own stablecoin, and the approval to take it.
    function fund(address account, AllowanceVault target) internal {
        address token = address(target.STABLECOIN());
        Stablecoin(token).mint(account, FUNDS);
        vm.prank(account);
        // By an interface without return value: it fits the stablecoin that returns nothing, too.
        SilentStablecoin(token).approve(address(target), type(uint256).max);
    }

    function allowanceFor(uint16 epoch, uint16 version) internal returns (IAllowanceVault.SetAllowance memory) {
        return
            IAllowanceVault.SetAllowance({
                tokenId: tokenId,
                epoch: epoch,
                version: version,
                perTransaction: PER_TRANSACTION,
                dailyLimit: DAILY_LIMIT,
                validUntil: VALID_UNTIL,
                onlyWithAgentWallet: false,
                nonce: ++lastNonce,
                deadline: vm.getBlockTimestamp() + 15 minutes
            });
    }

    function deactivationFor(
        uint16 epoch,
        uint16 version
    ) internal returns (IAllowanceVault.DeactivateAllowance memory) {
        return
            IAllowanceVault.DeactivateAllowance({
                tokenId: tokenId,
                epoch: epoch,
                version: version,
                nonce: ++lastNonce,
                deadline: vm.getBlockTimestamp() + 15 minutes
            });
    }

    /// @dev EIP-712 by hand, so that the contract's own hashing is what is tested.
    function digestOf(bytes32 structHash, address verifyingContract) internal view returns (bytes32) {
        return digestFor("AllowanceVault", "2", verifyingContract, structHash);
    }

    function hashOf(IAllowanceVault.SetAllowance memory a) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "SetAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint56 perTransaction,uint56 dailyLimit,uint32 validUntil,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)"
                    ),
                    a.tokenId,
                    a.epoch,
                    a.version,
                    a.perTransaction,
                    a.dailyLimit,
                    a.validUntil,
                    a.onlyWithAgentWallet,
                    a.nonce,
                    a.deadline
                )
            );
    }

    function hashOf(IAllowanceVault.DeactivateAllowance memory d) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(
                        "DeactivateAllowance(uint256 tokenId,uint16 epoch,uint16 version,uint256 nonce,uint256 deadline)"
                    ),
                    d.tokenId,
                    d.epoch,
                    d.version,
                    d.nonce,
                    d.deadline
                )
            );
    }

    function signedBy(uint256 key, IAllowanceVault.SetAllowance memory allowance) internal view returns (bytes memory) {
        return sign(key, digestOf(hashOf(allowance), address(vault)));
    }

    function signedBy(
        uint256 key,
        IAllowanceVault.DeactivateAllowance memory deactivation
    ) internal view returns (bytes memory) {
        return sign(key, digestOf(hashOf(deactivation), address(vault)));
    }

    /// @dev An ERC-2612 signature. EIP-712 by hand, in the form of USDC's domain.
    function permitOf(
        uint256 key,
        address spender,
        uint256 value,
        uint256 deadline
    ) internal view returns (IAllowanceVault.Permit memory) {
        address signer = vm.addr(key);
        bytes32 separator = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Test Dollar"),
                keccak256("2"),
                block.chainid,
                address(stablecoin)
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                signer,
                spender,
                value,
                stablecoin.nonces(signer),
                deadline
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked(hex"1901", separator, structHash)));
        return IAllowanceVault.Permit(value, deadline, v, r, s);
    }

    /// @dev Sets limits over the current state, by the live owner's own call.
    function setLimits(uint56 perTransaction, uint56 dailyLimit) internal {
        IAllowanceVault.Allowance memory current = vault.allowanceOf(tokenId);
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(current.epoch, current.version);
        (allowance.perTransaction, allowance.dailyLimit) = (perTransaction, dailyLimit);
        (address live, , ) = vault.SOUL_REGISTRY().authorityOf(tokenId);
        vm.prank(live);
        vault.setAllowance(allowance, "");
    }

    function setLimits() internal {
        setLimits(PER_TRANSACTION, DAILY_LIMIT);
    }

    function deactivate() internal {
        IAllowanceVault.Allowance memory current = vault.allowanceOf(tokenId);
        IAllowanceVault.DeactivateAllowance memory deactivation = deactivationFor(current.epoch, current.version);
        (address live, , ) = vault.SOUL_REGISTRY().authorityOf(tokenId);
        vm.prank(live);
        vault.deactivate(deactivation, "");
    }

    function spend(uint256 amount) internal {
        vm.prank(operator);
        vault.spend(tokenId, recipient, amount, REF);
    }

    function trySpend(uint256 amount) internal returns (IAllowanceVault.Reason) {
        vm.prank(operator);
        return vault.trySpend(tokenId, recipient, amount, REF);
    }

    function movePassport(address from, address to) internal {
        vm.prank(from);
        identity.transferFrom(from, to, passportId);
    }

    function spentToday() internal view returns (uint256) {
        return vault.allowanceOf(tokenId).spentToday;
    }
}
