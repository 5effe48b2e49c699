// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {SoulCertificate} from "../../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../../contracts/SoulRegistry.sol";
import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {ProtocolHandler, Rule} from "./ProtocolHandler.sol";

/// @dev The fuzzer calls only contracts of test files.
contract Handler is ProtocolHandler {}

/// @dev The list is in test/contracts/invariants/README.md. One campaign checks all of it: each
/// `invariant_` function would cost a campaign of its own.
contract ProtocolInvariants is Test {
    ProtocolHandler internal handler;
    SoulRegistry internal souls;
    IdentityRegistry internal identity;
    SoulCertificate internal certificates;
    address internal mint;

    function setUp() public {
        handler = new Handler();
        (souls, identity, certificates, mint) = handler.protocol();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_theProtocol() public view {
        aSignedPaymentIsPaidAtMostOnce();
        noPaymentExceedsTheLimitsInForce();
        noPaymentFollowsADeactivation();
        noPaymentFollowsALaterDecision();
        everyPaymentHasALiveOwner();
        everyPaymentIsOfTheLiveOperator();
        onlyTheRedeemerSettles();
        onlyWhatTheOperatorSaidIsPaid();
        noPaymentIgnoresTheAgentWallet();
        whatWasGrantedBeforeAMarkStaysDead();
        onlyTheLiveOwnerDecides();
        aNonceWorksOnce();
        aReservedIdIsUsedOnceWithItsPassport();
        onlyItsOwnerMovesAPassport();
        theWriterWritesOnlyWhereItsOwnerApproves();
        ofAnEndedSoulTheWriterOnlyClearsForTheLastSealer();
        stablecoinsMoveOnlyAsSpentSays();
        idsAreGivenInOrder();
        passportsAreWhereTheyShouldBe();
        namesAreGivenOnce();
        for (uint256 i = 0; i < handler.tokenCount(); ++i) {
            uint256 tokenId = handler.tokens(i);
            ProtocolHandler.Ghost memory ghost = handler.ghostOf(tokenId);
            authorityIsTheLiveOwners(tokenId, ghost);
            aMarkStandsUntilAResealOrRelease(tokenId, ghost);
            epochsAndVersionsCountDecisions(tokenId, ghost);
            aPassportCarriesAtMostOneSoul(tokenId, ghost);
            theCertificatesHolderIsTheSealer(tokenId, ghost);
            aBurnedSoulIsFinalWithAtMostOneSuccessor(tokenId, ghost);
            keysAnswerOnlyForALiveEpoch(tokenId, ghost);
            scoresAnswerOnlyForTheirEpoch(tokenId, ghost);
            noOwnerIsAPersonWithoutAProof(tokenId);
            for (uint256 v = 0; v < handler.VAULTS(); ++v) allowancesAreTheOwnersLastDecisions(tokenId, v);
        }
        bindingsAnswerOnlyForLiveEpochs();
        certificatesAddUp();
    }

    /// @dev The sequences are worth their time: of the calls that succeed, a tenth at least moves
    /// money, a tenth moves ownership, signed payments are among them, and every action succeeds.
    function test_aTenthOfAllCallsMovesMoneyAndATenthOwnership() public {
        uint256[4] memory sums;
        string[22] memory actions = handler.actions();
        uint256[22] memory successes;
        for (uint256 run = 0; run < 15; ++run) {
            ProtocolHandler other = new Handler();
            for (uint256 i = 0; i < 80; ++i) other.act(uint256(keccak256(abi.encode(run, i))));
            sums[0] += other.succeeded();
            sums[1] += other.movedMoney();
            sums[2] += other.movedOwnership();
            sums[3] += other.redeemed();
            for (uint256 i = 0; i < actions.length; ++i) successes[i] += other.successes(actions[i]);
        }
        assertGe(sums[1] * 10, sums[0], "calls that moved money");
        assertGe(sums[2] * 10, sums[0], "calls that moved ownership");
        assertGe(sums[3] * 40, sums[0], "signed payments");
        for (uint256 i = 0; i < actions.length; ++i) assertGt(successes[i], 0, actions[i]);
    }

    /* WHAT A CALL DID */

    function aSignedPaymentIsPaidAtMostOnce() internal view {
        holds(Rule.PAID_TWICE, "a signed payment was paid twice");
    }

    function noPaymentExceedsTheLimitsInForce() internal view {
        holds(Rule.PAID_BEYOND_LIMITS, "a payment exceeded the limits in force");
    }

    function noPaymentFollowsADeactivation() internal view {
        holds(Rule.PAID_AFTER_DEACTIVATION, "a payment followed a deactivation");
    }

    function noPaymentFollowsALaterDecision() internal view {
        holds(Rule.PAID_FOR_ANOTHER_VERSION, "a payment followed a later decision");
    }

    function everyPaymentHasALiveOwner() internal view {
        holds(Rule.PAID_WITHOUT_LIVE_OWNER, "a payment had no live owner");
    }

    function everyPaymentIsOfTheLiveOperator() internal view {
        holds(Rule.PAID_FOR_ANOTHER_OPERATOR, "a payment was of another operator");
    }

    function onlyTheRedeemerSettles() internal view {
        holds(Rule.PAID_TO_ANOTHER_REDEEMER, "another account than the redeemer settled");
    }

    function onlyWhatTheOperatorSaidIsPaid() internal view {
        holds(Rule.PAID_UNSIGNED, "the operator did not say this payment");
    }

    function noPaymentIgnoresTheAgentWallet() internal view {
        holds(Rule.PAID_WITHOUT_AGENT_WALLET, "a payment ignored the agent wallet");
    }

    function whatWasGrantedBeforeAMarkStaysDead() internal view {
        holds(Rule.ACTED_AFTER_A_MARK, "a grant from before a mark acted");
    }

    function onlyTheLiveOwnerDecides() internal view {
        holds(Rule.ACTED_WITHOUT_AUTHORITY, "another than the live owner decided");
    }

    function aNonceWorksOnce() internal view {
        holds(Rule.NONCE_TWICE, "a nonce worked twice");
    }

    function aReservedIdIsUsedOnceWithItsPassport() internal view {
        holds(Rule.RESERVED_ID_MISUSED, "a reserved id was misused");
    }

    function onlyItsOwnerMovesAPassport() internal view {
        holds(Rule.PASSPORT_MOVED, "a passport moved without its owner");
    }

    function theWriterWritesOnlyWhereItsOwnerApproves() internal view {
        holds(Rule.METADATA_WITHOUT_APPROVAL, "metadata was written without approval");
    }

    function ofAnEndedSoulTheWriterOnlyClearsForTheLastSealer() internal view {
        holds(Rule.ENDED_METADATA, "metadata of an ended soul was written, or cleared for another");
    }

    /* WHAT IS */

    function stablecoinsMoveOnlyAsSpentSays() internal view {
        for (uint256 v = 0; v < handler.VAULTS(); ++v) {
            for (uint256 i = 0; i < handler.PEOPLE(); ++i) balanceIsKept(v, handler.people(i));
            balanceIsKept(v, handler.RECIPIENT());
            balanceIsKept(v, address(handler.vaults(v)));
        }
    }

    function idsAreGivenInOrder() internal view {
        assertEq(souls.nextTokenId(), handler.lastTokenId() + 1, "next token id");
    }

    function passportsAreWhereTheyShouldBe() internal view {
        for (uint256 id = 0; id < handler.passportCount(); ++id) {
            address expected = handler.held(id) ? mint : handler.passportOwner(id);
            assertEq(identity.ownerOf(id), expected, "a passport's owner: the mint holds what is reserved and unused");
            assertEq(souls.tokenOfPassport(id), handler.carried(id), "what a passport carries");
        }
    }

    function namesAreGivenOnce() internal view {
        holds(Rule.NAME_TWICE, "a name was given twice");
    }

    function authorityIsTheLiveOwners(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        (address owner, address operator, uint16 epoch) = souls.authorityOf(tokenId);
        bool live = handler.isLive(tokenId);
        assertEq(souls.isValid(tokenId), live, "whether a soul is valid");
        assertEq(owner, live ? ghost.sealer : address(0), "the owner with authority");
        assertEq(operator, live ? handler.operatorOf(tokenId) : address(0), "the operator with authority");
        assertEq(epoch, ghost.epoch, "the epoch of the authority");
    }

    function aMarkStandsUntilAResealOrRelease(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        assertEq(souls.isSuspended(tokenId), ghost.marked, "whether a mark stands");
        uint16 live = souls.liveEpochOf(tokenId);
        if (live != 0) assertGt(live, ghost.deadEpoch, "an epoch with a mark lives");
    }

    function epochsAndVersionsCountDecisions(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        assertEq(souls.epochOf(tokenId), ghost.epoch, "a soul's epoch");
        assertEq(souls.versionOf(tokenId), ghost.version, "a soul's version");
        assertEq(handler.KEYS().versionOf(tokenId), ghost.keysVersion, "a key set's version");
    }

    function aPassportCarriesAtMostOneSoul(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        holds(Rule.PASSPORT_BOUND_TWICE, "a passport was bound twice");
        assertEq(souls.passportOf(tokenId), ghost.passportId, "a soul's passport");
        assertEq(souls.tokenOfName(ghost.name), tokenId, "a name's soul");
    }

    function theCertificatesHolderIsTheSealer(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        bool ended = ghost.status == ISoulRegistry.Status.BURNED;
        address expected = ended ? address(0) : ghost.sealer;
        assertEq(handler.loggedHolder(tokenId), expected, "a certificate's holder by its log");
        if (!ended) assertEq(certificates.ownerOf(tokenId), expected, "a certificate's holder");
    }

    function aBurnedSoulIsFinalWithAtMostOneSuccessor(
        uint256 tokenId,
        ProtocolHandler.Ghost memory ghost
    ) internal view {
        holds(Rule.TWO_SUCCESSORS, "a burned soul got a second successor");
        assertEq(souls.successorOf(tokenId), ghost.successor, "a soul's successor");
        if (ghost.status != ISoulRegistry.Status.BURNED) return;
        assertEq(handler.finalStateOf(tokenId), ghost.stateAtEnd, "a burned soul changed");
    }

    function keysAnswerOnlyForALiveEpoch(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        bool hasWallet = handler.agentWallet(ghost.passportId) == handler.operatorOf(tokenId);
        bool answers =
            handler.isLive(tokenId) && ghost.keysEpoch == ghost.epoch && (!ghost.keysNeedWallet || hasWallet);
        assertEq(handler.KEYS().keysOf(tokenId), answers ? ghost.keysHash : bytes32(0), "a soul's keys");
    }

    function scoresAnswerOnlyForTheirEpoch(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        (uint8 score, ) = handler.ALIGNMENTS().alignmentOf(tokenId);
        assertEq(score, ghost.scoreEpoch == ghost.epoch ? ghost.score : 0, "a soul's score");
    }

    function noOwnerIsAPersonWithoutAProof(uint256 tokenId) internal view {
        assertFalse(souls.humanVerified(tokenId), "verified without a proof");
    }

    function allowancesAreTheOwnersLastDecisions(uint256 tokenId, uint256 v) internal view {
        IAllowanceVault.Allowance memory seen = handler.vaults(v).allowanceOf(tokenId);
        ProtocolHandler.Limits memory expected = handler.limitsOf(v, tokenId);
        assertEq(seen.version, expected.version, "an allowance's version");
        assertEq(seen.validUntil, expected.validUntil, "an allowance's last second");
        assertEq(seen.perTransaction, expected.perTransaction, "the limit of one payment");
        assertEq(seen.dailyLimit, expected.dailyLimit, "the limit of a day");
        assertEq(seen.onlyWithAgentWallet, expected.onlyWithAgentWallet, "whether the agent wallet must be set");
        assertEq(seen.spentToday, expected.spent, "what was spent today");
    }

    function bindingsAnswerOnlyForLiveEpochs() internal view {
        for (uint256 i = 0; i < handler.bondCount(); ++i) {
            (uint256 from, uint256 to, uint16 epoch, uint16 toEpoch, uint32 version) = handler.bonds(i);
            bool expected =
                handler.isLive(from) &&
                    handler.isLive(to) &&
                    handler.ghostOf(from).epoch == epoch &&
                    handler.ghostOf(to).epoch == toEpoch;
            (, , , bool live) = handler.BINDINGS().bindingOf(from, to);
            assertEq(live, expected, "whether a binding is live");
            assertEq(handler.BINDINGS().recordOf(from, to).version, version, "a binding's version");
        }
    }

    function certificatesAddUp() internal view {
        holds(Rule.CERTIFICATE_MOVED, "a certificate's log names another holder");
        for (uint256 i = 0; i < handler.PEOPLE(); ++i) {
            address person = handler.people(i);
            assertEq(certificates.balanceOf(person), handler.loggedBalance(person), "a holder's certificates");
        }
    }

    function balanceIsKept(uint256 v, address account) private view {
        assertEq(handler.stablecoins(v).balanceOf(account), handler.balance(v, account), "a stablecoin balance");
    }

    function holds(Rule rule, string memory reason) private view {
        assertEq(handler.broken(rule), 0, reason);
    }
}
