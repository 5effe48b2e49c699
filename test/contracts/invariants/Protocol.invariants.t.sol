// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {SoulCertificate} from "../../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../../contracts/SoulRegistry.sol";
import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {ISoulView} from "../../../contracts/interfaces/ISoulView.sol";
import {OrganizationRegistry} from "../../../contracts/OrganizationRegistry.sol";
import {OrganizationRule, OrganizationsHandler} from "./OrganizationsHandler.sol";
import {ProtocolHandler, Rule} from "./ProtocolHandler.sol";
import {RecordRule, RecordsHandler} from "./RecordsHandler.sol";

/// @dev The fuzzer calls only contracts of test files.
contract Handler is RecordsHandler {}

/// @dev The list is in test/contracts/invariants/README.md. One campaign checks all of it: each
/// `invariant_` function would cost a campaign of its own. Of what adds up over a whole sequence, one
/// part in turn is checked after each call.
contract ProtocolInvariants is Test {
    RecordsHandler internal handler;
    SoulRegistry internal souls;
    IdentityRegistry internal identity;
    SoulCertificate internal certificates;
    OrganizationRegistry internal organizations;

    function setUp() public {
        handler = new Handler();
        (souls, identity, certificates) = handler.protocol();
        organizations = handler.ORGANIZATIONS();
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
        withoutAnAnswerThereIsNoOwner();
        onlyARegistrarSubmitsARegistration();
        aNonceWorksOnce();
        aReservedIdIsUsedOnceWithItsPassport();
        onlyItsOwnerMovesAPassport();
        theWriterWritesOnlyWhereItsOwnerApproves();
        ofAnEndedSoulTheWriterOnlyClearsForTheLastSealer();
        stablecoinsMoveOnlyAsSpentSays();
        idsAreGivenInOrder();
        passportsAreWhereTheyShouldBe();
        namesAreGivenOnce();
        nothingIsJoinedWithoutBothSides();
        onlyTheOwnerOrTheAdminEndsAMembership();
        noLiveMemberIsPruned();
        anAdminChangesOnlyByBoth();
        whatBothAgreedOnIsDone();
        everyBindingHasALiveOwnerBehindIt();
        anOwnerCanAlwaysRevoke();
        rootsAreAnchoredInOrder();
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
            scoresAnswerOnlyForTheirEpoch(tokenId, ghost.epoch);
            noOwnerIsAPersonWithoutAProof(tokenId);
            membershipsAreTheLastAgreedAndLogged(tokenId);
            membershipsAnswerOnlyForLiveEpochs(tokenId, ghost);
            allowancesAreTheOwnersLastDecisions(tokenId, handler.calls() % handler.VAULTS());
        }
        readsAnswerAsTheIdentityRegistryDoes();
        bindingsAnswerOnlyForLiveEpochs();
        certificatesAddUp();
        organizationsAreAsAgreedAndLogged();
    }

    /// @dev The sequences are worth their time: of the calls that succeed, a tenth at least moves
    /// money, a tenth moves ownership, signed payments are among them, and every action succeeds.
    function test_aTenthOfAllCallsMovesMoneyAndATenthOwnership() public {
        uint256[4] memory sums;
        string[36] memory actions = handler.actions();
        uint256[36] memory successes;
        for (uint256 run = 0; run < 24; ++run) {
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

    function withoutAnAnswerThereIsNoOwner() internal view {
        holds(Rule.ACTED_WITHOUT_ANSWER, "an account acted although the identity registry named no owner");
    }

    function onlyARegistrarSubmitsARegistration() internal view {
        holds(Rule.ACTED_WITHOUT_ROLE, "an account without the registrar's role submitted");
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

    function nothingIsJoinedWithoutBothSides() internal view {
        holds(OrganizationRule.JOINED_WITHOUT_BOTH, "an agent joined without its owner or the admin");
    }

    function onlyTheOwnerOrTheAdminEndsAMembership() internal view {
        holds(OrganizationRule.ENDED_WITHOUT_RIGHT, "another than owner and admin ended a membership");
    }

    function noLiveMemberIsPruned() internal view {
        holds(OrganizationRule.LIVE_MEMBER_PRUNED, "a live membership was pruned");
    }

    function anAdminChangesOnlyByBoth() internal view {
        holds(OrganizationRule.ADMIN_WITHOUT_BOTH, "an admin came without the former one or its own word");
    }

    function whatBothAgreedOnIsDone() internal view {
        holds(OrganizationRule.REFUSED_THOUGH_AGREED, "an organization refused what both sides agreed on");
    }

    function everyBindingHasALiveOwnerBehindIt() internal view {
        holds(RecordRule.BOUND_WITHOUT_RIGHT, "a binding was written without right");
    }

    function anOwnerCanAlwaysRevoke() internal view {
        holds(RecordRule.RIGHT_BINDING_REFUSED, "a binding or a revocation was refused to the one that may write it");
    }

    function rootsAreAnchoredInOrder() internal view {
        holds(RecordRule.ANCHORED_OUT_OF_ORDER, "a root was anchored out of order, or refused in order");
        assertEq(handler.ANCHORS().batchCount(), handler.rootCount(), "anchored batches");
        for (uint256 id = 1; id <= handler.rootCount(); ++id) {
            assertEq(handler.ANCHORS().rootOf(id), handler.roots(id - 1), "a batch's root");
        }
        assertEq(handler.ANCHORS().rootOf(0), bytes32(0), "a root of no batch");
        assertEq(handler.ANCHORS().rootOf(handler.rootCount() + 1), bytes32(0), "a root of no batch yet");
    }

    /* WHAT IS */

    function stablecoinsMoveOnlyAsSpentSays() internal view {
        uint256 v = handler.calls() % handler.VAULTS();
        for (uint256 i = 0; i < handler.PEOPLE(); ++i) balanceIsKept(v, handler.people(i));
        balanceIsKept(v, handler.RECIPIENT());
        balanceIsKept(v, address(handler.vaults(v)));
    }

    function idsAreGivenInOrder() internal view {
        assertEq(souls.nextTokenId(), handler.lastTokenId() + 1, "next token id");
    }

    function passportsAreWhereTheyShouldBe() internal view {
        for (uint256 id = 0; id < handler.passportCount(); ++id) {
            assertEq(souls.tokenOfPassport(id), handler.carried(id), "what a passport carries");
            // Upgraded, the identity registry says what it likes; what it keeps is seen when it is back.
            if (handler.upgraded()) continue;
            assertEq(
                identity.ownerOf(id),
                handler.ownerNow(id),
                "a passport's owner: the mint holds what is reserved and unused"
            );
        }
    }

    function namesAreGivenOnce() internal view {
        holds(Rule.NAME_TWICE, "a name was given twice");
        string memory name = handler.nameOf(handler.calls() % handler.NAMES());
        assertEq(souls.tokenOfName(name), handler.given(keccak256(bytes(name))), "a name's soul");
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
    }

    function theCertificatesHolderIsTheSealer(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        bool ended = ghost.status == ISoulRegistry.Status.BURNED;
        address expected = ended ? address(0) : ghost.sealer;
        assertEq(handler.loggedHolder(tokenId), expected, "a certificate's holder by its log");
        (bool exists, bytes memory answer) = address(certificates).staticcall(
            abi.encodeCall(certificates.ownerOf, (tokenId))
        );
        assertEq(exists ? abi.decode(answer, (address)) : address(0), expected, "a certificate's holder");
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
        bool hasWallet = handler.agentWalletNow(ghost.passportId) == handler.operatorOf(tokenId);
        bool answers =
            handler.isLive(tokenId) && ghost.keysEpoch == ghost.epoch && (!ghost.keysNeedWallet || hasWallet);
        assertEq(handler.KEYS().keysOf(tokenId), answers ? ghost.keysHash : bytes32(0), "a soul's keys");
    }

    function scoresAnswerOnlyForTheirEpoch(uint256 tokenId, uint16 epoch) internal view {
        (uint8 score, uint16 scoreEpoch) = handler.scores(tokenId);
        (uint8 seen, ) = handler.ALIGNMENTS().alignmentOf(tokenId);
        assertEq(seen, scoreEpoch == epoch ? score : 0, "a soul's score");
    }

    function noOwnerIsAPersonWithoutAProof(uint256 tokenId) internal view {
        assertFalse(souls.humanVerified(tokenId), "verified without a proof");
    }

    function membershipsAreTheLastAgreedAndLogged(uint256 tokenId) internal view {
        OrganizationsHandler.Membership memory expected = handler.membershipOf(tokenId);
        OrganizationsHandler.Membership memory reported = handler.reportedMembershipOf(tokenId);
        (uint256 organizationId, uint16 epoch, uint32 version) = organizations.membershipOf(tokenId);
        assertEq(organizationId, expected.organizationId, "a membership's organization");
        assertEq(epoch, expected.epoch, "a membership's epoch");
        assertEq(version, expected.version, "a membership's version");
        assertEq(reported.organizationId, organizationId, "a membership's organization by the log");
        assertEq(reported.epoch, epoch, "a membership's epoch by the log");
        assertEq(reported.version, version, "a membership's version by the log");
    }

    function membershipsAnswerOnlyForLiveEpochs(uint256 tokenId, ProtocolHandler.Ghost memory ghost) internal view {
        OrganizationsHandler.Membership memory recorded = handler.membershipOf(tokenId);
        bool live = recorded.organizationId != 0 && handler.isLive(tokenId) && recorded.epoch == ghost.epoch;
        assertEq(organizations.organizationOf(tokenId), live ? recorded.organizationId : 0, "an agent's organization");
        assertEq(organizations.isMember(tokenId, recorded.organizationId), live, "whether an agent is a member");
        uint256 other = handler.calls() % (handler.organizationCount() + 2);
        bool isOther = live && other == recorded.organizationId;
        assertEq(organizations.isMember(tokenId, other), isOther, "whether an agent is a member elsewhere");
    }

    /// @dev Of one soul after each call: it asks for more than any other line.
    function readsAnswerAsTheIdentityRegistryDoes() internal view {
        uint256 tokenId = handler.tokens(handler.calls() % handler.tokenCount());
        ProtocolHandler.Ghost memory ghost = handler.ghostOf(tokenId);
        address owner = handler.ownerNow(ghost.passportId);
        (, , ISoulView.PassportState memory state) = handler.VIEW().soulState(tokenId);
        assertEq(state.owner, owner, "a passport's owner as the registry says it");
        assertEq(uint8(state.validity), uint8(validityOf(tokenId, ghost, owner)), "a soul's validity");
        assertEq(state.soul.sealer, ghost.sealer, "a soul's sealer");
        uint256[] memory one = new uint256[](1);
        one[0] = ghost.passportId;
        state = handler.VIEW().passportStates(owner, one).passports[0];
        assertEq(state.owner, owner, "a passport's owner");
        assertEq(state.tokenId, owner == address(0) ? 0 : handler.carried(ghost.passportId), "a passport's soul");
        (bool allowed, , ) = handler.vaults(0).canSpend(tokenId, 1);
        if (!handler.isLive(tokenId)) assertFalse(allowed, "an agent without a live owner may spend");
    }

    function validityOf(
        uint256 tokenId,
        ProtocolHandler.Ghost memory ghost,
        address owner
    ) private view returns (ISoulRegistry.Validity) {
        if (ghost.status != ISoulRegistry.Status.SEALED || owner == address(0))
            return ISoulRegistry.Validity.NOT_LINKED;
        return handler.isLive(tokenId) ? ISoulRegistry.Validity.VALID : ISoulRegistry.Validity.SUSPENDED;
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

    /// @dev What an owner set stands in its epoch: the registry's record is the one expected, whole.
    function bindingsAnswerOnlyForLiveEpochs() internal view {
        for (uint256 i = 0; i < handler.bondCount(); ++i) {
            RecordsHandler.Bond memory bond = handler.bondAt(i);
            bool expected =
                handler.isLive(bond.from) &&
                    handler.isLive(bond.to) &&
                    handler.ghostOf(bond.from).epoch == bond.record.epoch &&
                    handler.ghostOf(bond.to).epoch == bond.record.toEpoch;
            (, , , bool live) = handler.BINDINGS().bindingOf(bond.from, bond.to);
            assertEq(live, expected, "whether a binding is live");
            bytes32 recorded = keccak256(abi.encode(handler.BINDINGS().recordOf(bond.from, bond.to)));
            assertEq(recorded, keccak256(abi.encode(bond.record)), "a binding's record");
        }
    }

    function certificatesAddUp() internal view {
        holds(Rule.CERTIFICATE_MOVED, "a certificate's log names another holder");
        for (uint256 i = 0; i < handler.PEOPLE(); ++i) {
            address person = handler.people(i);
            assertEq(certificates.balanceOf(person), handler.loggedBalance(person), "a holder's certificates");
        }
    }

    function organizationsAreAsAgreedAndLogged() internal view {
        assertEq(organizations.organizationCount(), handler.organizationCount(), "organizations");
        for (uint256 id = 1; id <= handler.organizationCount(); ++id) {
            organizationIs(id, handler.agreedOn(id), "as agreed");
            organizationIs(id, handler.reportedOf(id), "by the log");
        }
    }

    function organizationIs(
        uint256 id,
        OrganizationsHandler.Organization memory expected,
        string memory source
    ) private view {
        assertEq(organizations.adminOf(id), expected.admin, string.concat("an admin ", source));
        assertEq(organizations.pendingAdminOf(id), expected.pendingAdmin, string.concat("a pending admin ", source));
        assertEq(organizations.versionOf(id), expected.version, string.concat("an organization's version ", source));
        assertEq(organizations.memberCountOf(id), expected.memberCount, string.concat("members ", source));
    }

    function balanceIsKept(uint256 v, address account) private view {
        assertEq(handler.stablecoins(v).balanceOf(account), handler.balance(v, account), "a stablecoin balance");
    }

    function holds(Rule rule, string memory reason) private view {
        assertEq(handler.broken(rule), 0, reason);
    }

    function holds(RecordRule rule, string memory reason) private view {
        assertEq(handler.brokenRecords(rule), 0, reason);
    }

    function holds(OrganizationRule rule, string memory reason) private view {
        assertEq(handler.brokenHere(rule), 0, reason);
    }
}
