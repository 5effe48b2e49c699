// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {AuthorityStub} from "./AllowanceVaultBase.sol";
import {AllowanceVaultRedeemBase} from "./AllowanceVaultRedeemBase.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev A buyer that takes a passport and hands it back in one transaction.
contract RoundTrip {
    function run(IERC721 passports, address owner, uint256 passportId) external {
        passports.transferFrom(owner, address(this), passportId);
        passports.transferFrom(address(this), owner, passportId);
    }
}

/// @dev Says who has authority, and where passports are.
contract AuthorityOverRegistry is AuthorityStub {
    address private immutable REGISTRY;

    constructor(address registry) {
        REGISTRY = registry;
    }

    function IDENTITY_REGISTRY() external view override returns (address) {
        return REGISTRY;
    }
}

/// @dev Answers every `getAgentWallet` as a test wishes.
contract WalletRegistry {
    enum Answer {
        WORD,
        REVERT,
        SHORT,
        LONG,
        BURN
    }

    Answer private _answer;
    uint256 private _word;

    function set(Answer answer, uint256 word) external {
        (_answer, _word) = (answer, word);
    }

    function getAgentWallet(uint256) external view returns (bytes memory) {
        Answer answer = _answer;
        uint256 word = _word;
        if (answer == Answer.REVERT) revert("no");
        if (answer == Answer.BURN) while (gasleft() != 0) word += 1;
        uint256 size =
            answer == Answer.SHORT
                ? 31
                : answer == Answer.LONG
                    ? 4_096
                    : 32;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, word)
            return(start, size)
        }
    }
}

/// @dev An allowance that is valid only while the passport's `agentWallet` is the operator.
contract AllowanceVaultAgentWalletTest is AllowanceVaultRedeemBase {
    IAllowanceVault.Reason internal constant REFUSED = IAllowanceVault.Reason.AGENT_WALLET_NOT_OPERATOR;

    function setOption(bool on) internal {
        IAllowanceVault.Allowance memory current = vault.allowanceOf(tokenId);
        IAllowanceVault.SetAllowance memory allowance = allowanceFor(current.epoch, current.version);
        allowance.onlyWithAgentWallet = on;
        vm.expectEmit(address(vault));
        emit IAllowanceVault.AllowanceSet(
            tokenId,
            current.epoch,
            owner,
            current.version + 1,
            PER_TRANSACTION,
            DAILY_LIMIT,
            VALID_UNTIL,
            on
        );
        vm.prank(owner);
        vault.setAllowance(allowance, "");
    }

    /// @dev By `sender`, with the consent of the wallet whose key this is.
    function setWallet(address sender, uint256 key) internal {
        uint256 deadline = vm.getBlockTimestamp() + 1 minutes;
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"),
                passportId,
                vm.addr(key),
                owner,
                deadline
            )
        );
        bytes32 digest = digestFor("ERC8004IdentityRegistry", "1", address(identity), structHash);
        bytes memory signature = sign(key, digest);
        vm.prank(sender);
        identity.setAgentWallet(passportId, vm.addr(key), deadline, signature);
    }

    function sellAndReturnInOneTransaction() internal {
        RoundTrip buyer = new RoundTrip();
        vm.prank(owner);
        identity.approve(address(buyer), passportId);
        buyer.run(identity, owner, passportId);
        assertTrue(souls.isValid(tokenId));
    }

    function assertRefused() internal {
        bytes memory refusal = notAllowed(AMOUNT, REFUSED, 0);
        expectRefusal(callOf(paymentOf(AMOUNT)), refusal);
        vm.expectRevert(refusal);
        spend(AMOUNT);
        uint256 spent = spentToday();
        assertEq(uint8(trySpend(AMOUNT)), uint8(REFUSED));
        assertEq(spentToday(), spent);
        (bool allowed, IAllowanceVault.Reason reason, uint256 left) = vault.canSpend(tokenId, AMOUNT);
        assertFalse(allowed);
        assertEq(uint8(reason), uint8(REFUSED));
        assertEq(left, 0);
        IAllowanceVault.Allowance memory allowance = vault.allowanceOf(tokenId);
        assertTrue(allowance.active);
        assertEq(uint8(allowance.reason), uint8(REFUSED));
        assertEq(allowance.remainingToday, 0);
    }

    function assertPays() internal {
        (bool allowed, IAllowanceVault.Reason reason, ) = vault.canSpend(tokenId, AMOUNT);
        assertTrue(allowed);
        assertEq(uint8(reason), uint8(IAllowanceVault.Reason.NONE));
        redeem(paymentOf(AMOUNT));
        spend(AMOUNT);
        assertEq(uint8(trySpend(AMOUNT)), uint8(IAllowanceVault.Reason.NONE));
    }

    /* a sale and return in one transaction */

    /// @dev Documented: no contract sees that the passport was elsewhere.
    function test_withoutTheOptionTheAllowanceOutlivesASaleAndReturn() public {
        setWallet(owner, OPERATOR_KEY);
        sellAndReturnInOneTransaction();
        assertPays();
    }

    function test_withTheOptionASaleAndReturnEndsPayments() public {
        setWallet(owner, OPERATOR_KEY);
        setOption(true);
        assertPays();
        sellAndReturnInOneTransaction();
        assertRefused();

        setWallet(owner, OPERATOR_KEY);
        assertPays();
    }

    /// @dev Documented: an account that may move all passports of an owner may set a wallet, too.
    function test_anERC721OperatorOfTheOwnerCanSetTheWalletAgain() public {
        setWallet(owner, OPERATOR_KEY);
        setOption(true);
        vm.prank(owner);
        identity.setApprovalForAll(stranger, true);
        sellAndReturnInOneTransaction();
        setWallet(stranger, OPERATOR_KEY);
        assertPays();
    }

    /* which wallet */

    function test_withoutAWalletOrWithAnotherOneNothingIsPaid() public {
        setOption(true);
        assertRefused();
        setWallet(owner, STRANGER_KEY);
        assertRefused();
        setWallet(owner, OPERATOR_KEY);
        assertPays();
        vm.prank(owner);
        identity.unsetAgentWallet(passportId);
        assertRefused();
        setOption(false);
        assertPays();
    }

    function test_withoutAnOperatorTheOwnerMustBeTheWallet() public {
        ISoulRegistry.Registration memory registration = registrationOf("carol");
        registration.operator = address(0);
        (tokenId, passportId) = submit(registration, publicationAt(2, 3), signed(registration));
        operator = owner;
        setOption(true);
        vm.prank(owner);
        assertEq(uint8(vault.trySpend(tokenId, recipient, AMOUNT, REF)), uint8(REFUSED));
        setWallet(owner, OWNER_KEY);
        spend(AMOUNT);
        assertEq(spentToday(), AMOUNT);
    }

    function test_theOptionComesBeforeTheLimitsAndAfterTheEnd() public {
        setOption(true);
        assertEq(uint8(trySpend(uint256(DAILY_LIMIT) + 1)), uint8(REFUSED));
        vm.prank(operator);
        assertEq(uint8(vault.report(tokenId, recipient, 1, "")), uint8(REFUSED));
        assertEq(spentToday(), 1);
        vm.warp(uint256(VALID_UNTIL) + 1);
        assertEq(uint8(trySpend(1)), uint8(IAllowanceVault.Reason.ALLOWANCE_INACTIVE));
    }

    /* an identity registry that others upgraded */

    function test_aRegistryThatDoesNotAnswerRefusesPaymentsAndRevertsNoRead() public {
        WalletRegistry wallets = new WalletRegistry();
        AuthorityOverRegistry registry = new AuthorityOverRegistry(address(wallets));
        registry.set(owner, operator, 1);
        vault = newVault(address(registry), address(stablecoin));
        fund(owner, vault);
        setOption(true);
        uint256 word = uint160(operator);

        wallets.set(WalletRegistry.Answer.WORD, word);
        assertPays();
        wallets.set(WalletRegistry.Answer.LONG, word);
        assertPays();
        wallets.set(WalletRegistry.Answer.WORD, word | (1 << 160));
        assertRefused();
        wallets.set(WalletRegistry.Answer.WORD, 0);
        assertRefused();
        wallets.set(WalletRegistry.Answer.SHORT, word);
        assertRefused();
        wallets.set(WalletRegistry.Answer.REVERT, word);
        assertRefused();
        wallets.set(WalletRegistry.Answer.BURN, word);
        assertRefused();
    }

    /// @dev Zero is neither a wallet nor an operator: a registry that names no operator pays nothing.
    function test_zeroIsNeverTheWallet() public {
        WalletRegistry wallets = new WalletRegistry();
        AuthorityOverRegistry registry = new AuthorityOverRegistry(address(wallets));
        registry.set(owner, operator, 1);
        vault = newVault(address(registry), address(stablecoin));
        setOption(true);
        registry.set(owner, address(0), 1);
        (bool allowed, IAllowanceVault.Reason reason, ) = vault.canSpend(tokenId, 1);
        assertFalse(allowed);
        assertEq(uint8(reason), uint8(REFUSED));
    }
}
