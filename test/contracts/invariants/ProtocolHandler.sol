// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC1967Utils} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Utils.sol";
import {SoulRegistryBase} from "../SoulRegistryBase.sol";
import {Vm} from "../utils/Vm.sol";
import {AgentKeys} from "../../../contracts/AgentKeys.sol";
import {AllowanceVault} from "../../../contracts/AllowanceVault.sol";
import {SoulCertificate} from "../../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../../contracts/SoulRegistry.sol";
import {SoulView} from "../../../contracts/SoulView.sol";
import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {IIdentityRegistry} from "../../../contracts/erc8004/interfaces/IIdentityRegistry.sol";
import {IAgentKeys} from "../../../contracts/interfaces/IAgentKeys.sol";
import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";
import {IOwnerAuthorization} from "../../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulCertificate} from "../../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {ReenteringStablecoin} from "../../../contracts/mocks/ReenteringStablecoin.sol";
import {Stablecoin} from "../../../contracts/mocks/Stablecoin.sol";
import {People} from "./People.sol";
import {UpgradedIdentityRegistry} from "./UpgradedIdentityRegistry.sol";
import * as Types from "./SignedTypes.sol";

/// @dev A buyer that takes a passport and returns it in one transaction.
contract RoundTrip {
    function take(IdentityRegistry identity, address owner, uint256 passportId) external {
        identity.transferFrom(owner, address(this), passportId);
        identity.transferFrom(address(this), owner, passportId);
    }
}

/// @dev What no call may ever do. Each is counted where a call did it.
enum Rule {
    PAID_TWICE,
    PAID_BEYOND_LIMITS,
    PAID_AFTER_DEACTIVATION,
    PAID_FOR_ANOTHER_VERSION,
    PAID_WITHOUT_LIVE_OWNER,
    PAID_FOR_ANOTHER_OPERATOR,
    PAID_TO_ANOTHER_REDEEMER,
    PAID_UNSIGNED,
    PAID_WITHOUT_AGENT_WALLET,
    ACTED_AFTER_A_MARK,
    ACTED_WITHOUT_AUTHORITY,
    ACTED_WITHOUT_ANSWER,
    ACTED_WITHOUT_ROLE,
    NONCE_TWICE,
    NAME_TWICE,
    TWO_SUCCESSORS,
    RESERVED_ID_MISUSED,
    PASSPORT_MOVED,
    PASSPORT_BOUND_TWICE,
    CERTIFICATE_MOVED,
    METADATA_WITHOUT_APPROVAL,
    ENDED_METADATA
}

/// @dev Drives all contracts together with people who do what they may and what they may not, and
/// keeps beside them an account of its own of what should be true. It refuses nothing itself: what
/// the contracts let through is compared with that account. One call is one block.
abstract contract ProtocolHandler is People {
    /// What an owner decides beyond {SoulLifeBase-Operation}.
    uint256 internal constant SET_ALLOWANCE = OPERATIONS;
    uint256 internal constant DEACTIVATE = OPERATIONS + 1;
    uint256 internal constant SET_KEYS = OPERATIONS + 2;

    uint256 public constant VAULTS = 3;
    uint256 public constant FUNDS = 1 << 40;
    uint256 public constant NAMES = 28;
    uint256 internal constant MOST_TOKENS = 40;
    address public constant RECIPIENT = address(0xCAFE);

    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");
    /// The most gas that a transaction may take.
    uint256 internal constant TRANSACTION_GAS = 1 << 24;

    /// What a soul should be.
    struct Ghost {
        string name;
        address sealer;
        address operator;
        uint256 passportId;
        ISoulRegistry.Status status;
        uint16 epoch;
        uint32 version;
        bool marked;
        address observed;
        /// The last epoch with a mark: nothing granted in it, or before, may act again.
        uint16 deadEpoch;
        /// Of a provisional soul: the burned one that it is to succeed.
        uint256 parent;
        uint256 successor;
        bytes32 stateAtEnd;
        bytes32 keysHash;
        uint16 keysEpoch;
        uint32 keysVersion;
        bool keysNeedWallet;
    }

    struct Limits {
        uint16 epoch;
        uint16 version;
        uint256 perTransaction;
        uint256 dailyLimit;
        uint256 validUntil;
        bool onlyWithAgentWallet;
        uint256 spent;
        uint256 day;
    }

    struct Reserved {
        uint256 reservation;
        uint256 passportId;
        bool used;
    }

    struct Signed {
        uint256 vault;
        IAllowanceVault.Payment payment;
        bytes signature;
        bool paid;
    }

    /// An owner's decision, as it is submitted: at once, later or again.
    struct Decision {
        uint256 kind;
        uint256 tokenId;
        uint256 vault;
        uint16 epoch;
        uint32 version;
        address signer;
        bool direct;
        address caller;
        address target;
        address operator;
        Limits limits;
        bytes32 keysHash;
        uint256 nonce;
        bytes data;
    }

    AgentKeys public immutable KEYS;
    SoulView public immutable VIEW;
    RoundTrip internal immutable BUYER;
    AllowanceVault[3] public vaults;
    Stablecoin[3] public stablecoins;

    /* what should be true */

    mapping(Rule rule => uint256) public broken;
    uint256[] public tokens;
    mapping(uint256 tokenId => Ghost) internal ghosts;
    uint256 public lastTokenId;
    uint256 public passportCount;
    /// Of the official registry, also while others upgraded it.
    mapping(uint256 passportId => address) public passportOwner;
    mapping(uint256 passportId => uint256 tokenId) public carried;
    mapping(uint256 passportId => address) internal agentWallet;
    mapping(uint256 passportId => uint256 tokenId) internal named;
    mapping(uint256 passportId => bool) public held;
    mapping(address owner => bool) public approvesWriter;
    mapping(bytes32 name => uint256 tokenId) public given;
    /// Whether others upgraded the identity registry, and whom it then says to own every passport.
    bool public upgraded;
    address internal answered;
    address private official;
    uint256[] internal reservedIds;
    mapping(uint256 tokenId => Reserved) internal reserved;
    mapping(uint256 vault => mapping(uint256 tokenId => Limits)) internal limits;
    mapping(uint256 vault => mapping(address account => uint256)) public balance;
    mapping(address verifier => mapping(address signer => mapping(uint256 nonce => bool))) internal consumed;
    mapping(uint256 tokenId => address) public loggedHolder;
    mapping(address holder => uint256) public loggedBalance;
    Signed[] internal signedPayments;
    mapping(bytes32 digest => uint256 indexPlusOne) internal indexOfDigest;
    Decision[] internal late;

    /* how often */

    uint256 public calls;
    uint256 public succeeded;
    uint256 public movedMoney;
    uint256 public movedOwnership;
    uint256 public redeemed;
    mapping(string action => uint256) public successes;

    uint256 private entropy;
    uint256 private syncing;
    bool private syncedAsNamed;
    bool private selling;
    /// An account that is made a registrar, and unmade.
    address private second = makeAddr("second registrar");
    bool private isSecondRegistrar;
    address private submitter;

    constructor() {
        humanVerifiers = deploy("HumanVerifierRegistry", abi.encode(admin, ADMIN_DELAY, ADMIN_DELAY));
        SoulRegistryBase.setUp();
        KEYS = AgentKeys(deploy("AgentKeys", abi.encode(souls)));
        VIEW = SoulView(deploy("SoulView", abi.encode(souls)));
        BUYER = new RoundTrip();
        gather();
        listenTo(address(souls), "SoulRegistry", "2");
        listenTo(address(KEYS), "AgentKeys", "2");
        listenTo(address(identity), "ERC8004IdentityRegistry", "1");
        stablecoins[0] = Stablecoin(deploy("Stablecoin", ""));
        stablecoins[1] = Stablecoin(deploy("ReenteringStablecoin", ""));
        stablecoins[2] = Stablecoin(deploy("FeeStablecoin", ""));
        for (uint256 v = 0; v < VAULTS; ++v) {
            vaults[v] = AllowanceVault(deploy("AllowanceVault", abi.encode(souls, stablecoins[v])));
            listenTo(address(vaults[v]), "AllowanceVault", "2");
            for (uint256 i = 0; i < PEOPLE; ++i) {
                stablecoins[v].mint(people[i], FUNDS);
                balance[v][people[i]] = FUNDS;
                vm.prank(people[i]);
                stablecoins[v].approve(address(vaults[v]), type(uint256).max);
            }
        }
        for (uint256 i = 0; i < 6; ++i) {
            setApproval();
            register();
            setAllowance();
        }
        (succeeded, movedMoney, movedOwnership, redeemed) = (0, 0, 0, 0);
    }

    /// @dev Behind a proxy, as the official one.
    function deployIdentity() internal override returns (IdentityRegistry) {
        official = deploy("IdentityRegistry", "");
        return IdentityRegistry(deploy("IdentityRegistryProxy", abi.encode(official)));
    }

    /// @dev The fuzzer calls every public function: this one acts too.
    function setUp() public override {
        act(entropy);
    }

    /* ACTIONS */

    /// @dev One action of random people on random agents: 132 sides of a die.
    function act(uint256 seed) public {
        entropy = seed;
        ++calls;
        nextBlock();
        vm.warp(vm.getBlockTimestamp() + 12);
        if (upgraded && draw(3) == 0) comeBack();
        uint256 side = draw(132);
        if (side < 7) register();
        else if (side < 9) registerBatch();
        else if (side < 11) reserve();
        else if (side < 30) spend();
        else if (side < 32) signPayment();
        else if (side < 50) redeem();
        else if (side < 56) sell();
        else if (side < 60) roundTrip();
        else if (side < 65) suspend();
        else if (side < 73) decide(uint256(Operation.RESEAL));
        else if (side < 84) setAllowance();
        else if (side < 85) decide(DEACTIVATE);
        else if (side < 87) decide(uint256(Operation.SUSPEND));
        else if (side < 89) decide(uint256(Operation.BURN));
        else if (side < 90) decide(uint256(Operation.RELEASE));
        else if (side < 93) decide(uint256(Operation.SEAL));
        else if (side < 95) decide(uint256(draw(3) == 0 ? Operation.SET_DID_ARCHIVE : Operation.REVISE));
        else if (side < 98) decide(uint256(Operation.CHANGE_OPERATOR));
        else if (side < 100) decide(SET_KEYS);
        else if (side < 102) submitLate();
        else if (side < 105) sync();
        else if (side < 106) setApproval();
        else if (side < 107) setAgentWallet();
        else if (side < 108) draw(2) == 0 ? report() : vm.warp(vm.getBlockTimestamp() + 1 hours + draw(1 days));
        else if (side < 109) draw(2) == 0 ? cancel() : setRegistrar();
        else if (side < 111) upgrade();
        else if (side < 119) keepRecords();
        else organize();
    }

    /// @dev What people do with organizations.
    function organize() internal virtual;

    /// @dev What owners and the service record beside the souls.
    function keepRecords() internal virtual;

    /// @dev Others upgrade the identity registry: until it comes back, it answers in its own way.
    function upgrade() internal {
        UpgradedIdentityRegistry.Answer answer = UpgradedIdentityRegistry.Answer(draw(6));
        bool names = answer == UpgradedIdentityRegistry.Answer.ONE_OWNER;
        (upgraded, answered) = (true, names ? people[draw(PEOPLE)] : address(0));
        implement(address(new UpgradedIdentityRegistry(answer, answered)));
        ++successes["upgrade"];
    }

    function comeBack() internal {
        upgraded = false;
        implement(official);
    }

    function implement(address implementation) private {
        vm.store(address(identity), ERC1967Utils.IMPLEMENTATION_SLOT, bytes32(uint256(uint160(implementation))));
    }

    function register() internal {
        if (lastTokenId >= MOST_TOKENS) return;
        ISoulRegistry.Registration memory r = registrationOf(nameOf(draw(NAMES)));
        ISoulRegistry.Publication memory publication = publicationAt(passportCount, lastTokenId + 1);
        r.owner = people[draw(PEOPLE)];
        r.nonce = nonceOf();
        r.operator = anyOperator();
        r.seal = draw(4) != 0;
        if (tokens.length > 0 && draw(3) == 0) {
            r.parentTokenId = anyToken(ISoulRegistry.Status.BURNED);
            if (draw(8) != 0) r.owner = ghosts[r.parentTokenId].sealer;
        }
        if (passportCount > 0 && draw(5) == 0) {
            r.bindPassport = true;
            r.passportId = anyPassport();
            if (r.parentTokenId == 0 && isPerson(ownerNow(r.passportId))) r.owner = ownerNow(r.passportId);
        } else if (reservedIds.length > 0 && draw(3) == 0) {
            publication.expectedTokenId = reservedIds[draw(reservedIds.length)];
            publication.reservation =
                draw(8) == 0 ? 1 + draw(lastTokenId) : reserved[publication.expectedTokenId].reservation;
        }
        r.organizationId = organizationFor(r.owner);
        register(r, publication, draw(10) == 0 ? people[draw(PEOPLE)] : r.owner);
    }

    /// @dev An organization that a new soul is to join; mostly none.
    function organizationFor(address owner) internal virtual returns (uint256 organizationId);

    /// @dev What its admin gives along for a registration.
    function consentTo(
        uint256 organizationId,
        address owner,
        bytes32 registrationDigest
    ) internal virtual returns (bytes memory);

    /// @dev A registration into an organization, or into none, was refused.
    function refusedIn(uint256 organizationId, address owner, bytes memory answer) internal virtual;

    /// @dev A soul began in an organization, alone or in a batch.
    function begunIn(uint256 organizationId, uint256 tokenId, address owner, bool inBatch) internal virtual;

    function register(
        ISoulRegistry.Registration memory r,
        ISoulRegistry.Publication memory publication,
        address signer
    ) private {
        (bool success, bytes memory answer) = run(
            "register",
            anyRegistrar(),
            address(souls),
            registrationCall(r, publication, signer)
        );
        if (!success) return refusedIn(r.organizationId, r.owner, answer);
        requireRole();

        (uint256 tokenId, uint256 passportId) = abi.decode(answer, (uint256, uint256));
        if (!signsFor(signer, r.owner)) ++broken[Rule.ACTED_WITHOUT_AUTHORITY];
        requireConsumed(address(souls), r.owner, r.nonce);
        if (publication.reservation != 0 && !r.bindPassport) {
            Reserved storage id = reserved[publication.expectedTokenId];
            bool proper = tokenId == publication.expectedTokenId && id.reservation != 0 && !id.used;
            if (!proper || id.passportId != passportId) ++broken[Rule.RESERVED_ID_MISUSED];
            id.used = true;
            held[passportId] = false;
        } else if (tokenId != ++lastTokenId) {
            ++broken[Rule.RESERVED_ID_MISUSED];
        }
        if (r.bindPassport) {
            if (ownerNow(passportId) != r.owner) ++broken[Rule.ACTED_WITHOUT_AUTHORITY];
        } else {
            if (upgraded) ++broken[Rule.ACTED_WITHOUT_ANSWER];
            if (publication.reservation == 0 && passportId != passportCount++) ++broken[Rule.PASSPORT_BOUND_TWICE];
            passportOwner[passportId] = r.owner;
        }
        begin(tokenId, passportId, r.owner, r.operator, r.name);
        descend(tokenId, r.parentTokenId, r.owner);
        if (r.seal) sealGhost(tokenId);
        if (r.organizationId != 0) begunIn(r.organizationId, tokenId, r.owner, false);
    }

    function registrationCall(
        ISoulRegistry.Registration memory r,
        ISoulRegistry.Publication memory publication,
        address signer
    ) private returns (bytes memory) {
        bytes32 structHash = hasher.hash(r);
        bytes memory consent = consentTo(r.organizationId, r.owner, digestAt(address(souls), structHash));
        bytes memory signature = signatureOf(signer, address(souls), Types.REGISTRATION, structHash);
        return abi.encodeCall(souls.register, (r, publication, noProof(), consent, signature));
    }

    function descend(uint256 tokenId, uint256 parentTokenId, address owner) private {
        Ghost storage parent = ghosts[parentTokenId];
        if (parentTokenId == 0) return;
        bool ended = parent.status == ISoulRegistry.Status.BURNED;
        if (parent.sealer != owner || (!ended && (parent.marked || isSold(parentTokenId)))) {
            ++broken[Rule.ACTED_WITHOUT_AUTHORITY];
        }
        if (ended) ghosts[tokenId].parent = parentTokenId;
    }

    function registerBatch() internal {
        if (lastTokenId >= MOST_TOKENS) return;
        ISoulRegistry.RegistrationBatch memory batch;
        batch.owner = people[draw(PEOPLE)];
        batch.nonce = nonceOf();
        batch.deadline = type(uint256).max;
        batch.leaveOutTakenNames = draw(3) != 0;
        batch.organizationId = organizationFor(batch.owner);
        batch.entries = new ISoulRegistry.BatchEntry[](1 + draw(3));
        for (uint256 i = 0; i < batch.entries.length; ++i) {
            batch.entries[i] = ISoulRegistry.BatchEntry(
                nameOf(draw(NAMES)),
                ISoulRegistry.AgentType.OTHER,
                anyOperator(),
                NEW_HASH,
                NEW_ROOT,
                NEW_CONTENT
            );
        }
        ISoulRegistry.BatchExpectation memory any;
        bytes memory data = abi.encodeCall(
            souls.registerBatch,
            (
                batch,
                new ISoulRegistry.BatchPublication[](batch.entries.length),
                any,
                signatureOf(batch.owner, address(souls), Types.REGISTRATION_BATCH, hasher.hash(batch))
            )
        );
        (bool success, bytes memory answer) = run("registerBatch", anyRegistrar(), address(souls), data);
        if (!success) return refusedIn(batch.organizationId, batch.owner, answer);
        requireRole();
        requireConsumed(address(souls), batch.owner, batch.nonce);
        for (uint256 i = 0; i < batch.entries.length; ++i) {
            ISoulRegistry.BatchEntry memory entry = batch.entries[i];
            if (batch.leaveOutTakenNames && given[keccak256(bytes(entry.name))] != 0) continue;
            passportOwner[passportCount] = batch.owner;
            begin(++lastTokenId, passportCount++, batch.owner, entry.operator, entry.name);
            sealGhost(lastTokenId);
            if (batch.organizationId != 0) begunIn(batch.organizationId, lastTokenId, batch.owner, true);
        }
    }

    function reserve() internal {
        uint256 count = 1 + draw(3);
        if (lastTokenId + count > MOST_TOKENS) return;
        (bool success, ) = run("reserve", anyRegistrar(), address(souls), abi.encodeCall(souls.reserve, (count)));
        if (!success) return;
        requireRole();
        uint256 first = lastTokenId + 1;
        for (uint256 i = 0; i < count; ++i) {
            reservedIds.push(++lastTokenId);
            held[passportCount] = true;
            reserved[lastTokenId] = Reserved(first, passportCount++, false);
        }
    }

    /// @dev The passport goes to another person, by its owner or by an account without that right.
    function sell() internal {
        uint256 passportId =
            draw(3) == 0
                ? ghosts[anyToken(ISoulRegistry.Status.BURNED)].passportId
                : draw(8) == 0
                    ? draw(passportCount)
                    : ghosts[anyLive()].passportId;
        address owner = passportOwner[passportId];
        address to = people[draw(PEOPLE)];
        // Every fourth sale is of a passport that was sold: it often goes back to the sealer.
        uint256 tokenId = carried[passportId];
        if (tokenId != 0 && ghosts[tokenId].sealer != owner && draw(2) == 0) to = ghosts[tokenId].sealer;
        if (owner == address(0)) owner = people[0];
        selling = true;
        bytes memory data = abi.encodeCall(identity.transferFrom, (owner, to, passportId));
        address caller = draw(10) == 0 ? people[draw(PEOPLE)] : owner;
        (bool success, ) = run("sell", caller, address(identity), data);
        selling = false;
        if (!success) return;
        if (caller != passportOwner[passportId]) ++broken[Rule.PASSPORT_MOVED];
        passportOwner[passportId] = to;
        agentWallet[passportId] = address(0);
    }

    /// @dev A contract buys and gives back within one transaction; often the sealer marked its soul
    /// before.
    function roundTrip() internal {
        uint256 tokenId = anyLive();
        uint256 passportId = ghosts[tokenId].passportId;
        address owner = passportOwner[passportId];
        if (upgraded || owner == address(0)) return;
        if (draw(2) == 0) decide(uint256(Operation.SUSPEND), tokenId);
        vm.prank(owner);
        identity.approve(address(BUYER), passportId);
        selling = true;
        bytes memory data = abi.encodeCall(BUYER.take, (identity, owner, passportId));
        (bool success, ) = run("roundTrip", stranger, address(BUYER), data);
        selling = false;
        if (success) agentWallet[passportId] = address(0);
    }

    function suspend() internal {
        uint256 tokenId = anyToken();
        for (uint256 i = 0; i < 6 && !isSold(tokenId); ++i) tokenId = anyToken();
        (bool success, ) = run("suspend", stranger, address(souls), abi.encodeCall(souls.suspend, (tokenId)));
        if (!success) return;
        Ghost storage ghost = ghosts[tokenId];
        if (!ghost.marked && !isSold(tokenId)) ++broken[Rule.ACTED_WITHOUT_AUTHORITY];
        if (ownerNow(ghost.passportId) == address(0)) ++broken[Rule.ACTED_WITHOUT_ANSWER];
        (ghost.marked, ghost.deadEpoch, ghost.observed) = (true, ghost.epoch, ownerNow(ghost.passportId));
    }

    function setAllowance() internal {
        decide(SET_ALLOWANCE);
    }

    function decide(uint256 kind) internal {
        uint256 tokenId = anyLive();
        if (kind == uint256(Operation.SEAL)) tokenId = anyToken(ISoulRegistry.Status.PROVISIONAL);
        if (kind == uint256(Operation.RESEAL) || kind == uint256(Operation.RELEASE)) {
            tokenId = anyToken();
            for (uint256 i = 0; i < 10 && !ghosts[tokenId].marked; ++i) tokenId = anyToken();
        }
        decide(kind, tokenId);
    }

    /// @dev Signs, and submits now or later: mostly the passport's owner.
    function decide(uint256 kind, uint256 tokenId) internal {
        Decision memory d;
        Ghost storage ghost = ghosts[tokenId];
        (d.kind, d.tokenId, d.epoch, d.version) = (kind, tokenId, ghost.epoch, ghost.version);
        d.signer = draw(8) == 0 ? people[draw(PEOPLE)] : ownerNow(ghost.passportId);
        if (!isPerson(d.signer)) d.signer = ghost.sealer;
        d.direct = draw(3) == 0;
        d.operator = anyOperator();
        d.vault = anyVault();
        d.caller = d.direct ? d.signer : anyRegistrar();
        d.nonce = nonceOf();
        write(d, d.nonce);
        if (draw(8) == 0) late.push(d);
        else submit(d);
    }

    /// @dev What was signed earlier, refused, done or never submitted.
    function submitLate() internal {
        if (late.length == 0) return;
        Decision memory d = late[draw(late.length)];
        submit(d);
    }

    function spend() internal {
        uint256 v = anyVault();
        uint256 tokenId = anyFunded(v);
        address operator = draw(8) == 0 ? people[draw(PEOPLE)] : operatorOf(tokenId);
        uint256 amount = draw(6) == 0 ? draw(200) : 1 + draw(25);
        bytes memory data =
            draw(3) == 0
                ? abi.encodeCall(vaults[v].trySpend, (tokenId, anyRecipient(), amount, bytes32(0)))
                : abi.encodeCall(vaults[v].spend, (tokenId, anyRecipient(), amount, bytes32(0)));
        armWith(v, data);
        run("spend", operator, address(vaults[v]), data);
    }

    function report() internal {
        uint256 v = anyVault();
        uint256 tokenId = anyFunded(v);
        bytes memory data = abi.encodeCall(vaults[v].report, (tokenId, RECIPIENT, 1 + draw(20), bytes32(0)));
        run("report", operatorOf(tokenId), address(vaults[v]), data);
    }

    function signPayment() internal {
        uint256 v = anyVault();
        uint256 tokenId = anyFunded(v);
        address operator = operatorOf(tokenId);
        if (draw(8) == 0 || !isPerson(operator)) operator = people[draw(PEOPLE)];
        IAllowanceVault.Payment memory payment = IAllowanceVault.Payment({
            tokenId: tokenId,
            epoch: ghosts[tokenId].epoch,
            allowanceVersion: limitsOf(v, tokenId).version,
            operator: operator,
            recipient: anyRecipient(),
            amount: draw(8) == 0 ? draw(200) : 1 + draw(25),
            paymentRef: bytes32(0),
            termsHash: bytes32(0),
            redeemer: draw(3) == 0 ? people[draw(PEOPLE)] : address(0),
            nonce: nonceOf(),
            deadline: vm.getBlockTimestamp() + 3 days
        });
        bytes32 structHash = keccak256(abi.encode(keccak256(bytes(Types.PAYMENT)), payment));
        bytes32 digest = digestAt(address(vaults[v]), structHash);
        if (indexOfDigest[digest] != 0) return;
        bytes memory signature = signatureOf(operator, address(vaults[v]), Types.PAYMENT, structHash);
        signedPayments.push(Signed(v, payment, signature, false));
        indexOfDigest[digest] = signedPayments.length;
    }

    /// @dev One or several payments in one call: new, old and paid ones.
    function redeem() internal {
        signPayment();
        uint256 length = signedPayments.length;
        if (length == 0) return;
        uint256 count = 1 + (draw(3) == 0 ? draw(3) : 0);
        bytes[] memory contexts = new bytes[](count);
        bytes[] memory executions = new bytes[](count);
        uint256 v;
        address caller = stranger;
        for (uint256 i = 0; i < count; ++i) {
            Signed memory payment = signedPayments[
                draw(3) == 0 ? draw(length) : length - 1 - draw(length < 4 ? length : 4)
            ];
            if (i == 0) v = payment.vault;
            if (payment.payment.redeemer != address(0) && draw(5) != 0) caller = payment.payment.redeemer;
            // As if another account of the same key had signed.
            if (draw(12) == 0) payment.payment.operator = people[draw(PEOPLE)];
            contexts[i] = bytes.concat(abi.encode(payment.payment), payment.signature);
            executions[i] = abi.encodePacked(
                stablecoins[v],
                uint256(0),
                abi.encodeCall(IERC20.transfer, (payment.payment.recipient, payment.payment.amount))
            );
        }
        bytes memory data = abi.encodeCall(vaults[v].redeemDelegations, (contexts, new bytes32[](count), executions));
        armWith(v, data);
        (bool success, ) = run("redeem", caller, address(vaults[v]), data);
        if (success) redeemed += count;
    }

    function sync() internal {
        uint256[] memory one = new uint256[](1);
        one[0] = draw(2) == 0 ? anyToken(ISoulRegistry.Status.BURNED) : anyToken();
        syncing = one[0];
        syncedAsNamed = named[ghosts[syncing].passportId] == syncing;
        run("sync", stranger, address(writer), abi.encodeCall(writer.sync, (one)));
        syncing = 0;
    }

    function setApproval() internal {
        address owner = people[draw(PEOPLE)];
        bool approves = draw(4) != 0;
        bytes memory data = abi.encodeCall(identity.setApprovalForAll, (address(writer), approves));
        (bool success, ) = run("setApproval", owner, address(identity), data);
        if (success) approvesWriter[owner] = approves;
    }

    function setAgentWallet() internal {
        uint256 tokenId = anyLive();
        uint256 passportId = ghosts[tokenId].passportId;
        address wallet = operatorOf(tokenId);
        if (!isPerson(wallet)) return;
        address owner = passportOwner[passportId];
        uint256 deadline = vm.getBlockTimestamp();
        bytes32 structHash = keccak256(
            abi.encode(keccak256(bytes(Types.AGENT_WALLET_SET)), passportId, wallet, owner, deadline)
        );
        bytes memory signature = signatureOf(wallet, address(identity), Types.AGENT_WALLET_SET, structHash);
        bytes memory data = abi.encodeCall(identity.setAgentWallet, (passportId, wallet, deadline, signature));
        (bool success, ) = run("setAgentWallet", owner, address(identity), data);
        if (success) agentWallet[passportId] = wallet;
    }

    /// @dev The owner of a nonce takes it back before it is used.
    function cancel() internal {
        address person = people[draw(PEOPLE)];
        run("cancel", person, address(souls), abi.encodeCall(souls.cancel, (nonceOf())));
    }

    /// @dev The admin makes a second account a registrar, or takes that back; sometimes another one
    /// tries to.
    function setRegistrar() internal {
        address caller = draw(4) == 0 ? second : admin;
        bytes memory data =
            isSecondRegistrar
                ? abi.encodeCall(registrars.revokeRole, (REGISTRAR_ROLE, second))
                : abi.encodeCall(registrars.grantRole, (REGISTRAR_ROLE, second));
        (bool success, ) = run("setRegistrar", caller, address(registrars), data);
        if (!success) return;
        if (caller != admin) ++broken[Rule.ACTED_WITHOUT_ROLE];
        isSecondRegistrar = !isSecondRegistrar;
    }

    /* WHAT IS EXPECTED */

    function protocol() external view returns (SoulRegistry, IdentityRegistry, SoulCertificate) {
        return (souls, identity, certificates);
    }

    function actions() external pure returns (string[36] memory) {
        return
            [
                "register",
                "registerBatch",
                "reserve",
                "sell",
                "roundTrip",
                "suspend",
                "seal",
                "revise",
                "reseal",
                "changeOperator",
                "burn",
                "release",
                "setDidArchive",
                "suspendBySealer",
                "setAllowance",
                "deactivate",
                "setKeys",
                "spend",
                "redeem",
                "sync",
                "setAgentWallet",
                "setBinding",
                "setServiceBinding",
                "anchor",
                "cancel",
                "setRegistrar",
                "upgrade",
                "nested signature",
                "nested payment",
                "createOrganization",
                "join",
                "joinAtRegistration",
                "leave",
                "prune",
                "changeAdmin",
                "acceptAdmin"
            ];
    }

    function tokenCount() external view returns (uint256) {
        return tokens.length;
    }

    function ghostOf(uint256 tokenId) external view returns (Ghost memory) {
        return ghosts[tokenId];
    }

    function isLive(uint256 tokenId) public view returns (bool) {
        Ghost storage ghost = ghosts[tokenId];
        return ghost.status == ISoulRegistry.Status.SEALED && !ghost.marked && !isSold(tokenId);
    }

    function isSold(uint256 tokenId) public view returns (bool) {
        Ghost storage ghost = ghosts[tokenId];
        return ghost.status != ISoulRegistry.Status.BURNED && ownerNow(ghost.passportId) != ghost.sealer;
    }

    /// @dev As the identity registry answers now; zero when it does not answer with an address. One
    /// that names one owner of all lets that owner bind a passport that the mint holds.
    function ownerNow(uint256 passportId) public view returns (address) {
        if (upgraded) return answered;
        return held[passportId] ? address(mint) : passportOwner[passportId];
    }

    function agentWalletNow(uint256 passportId) public view returns (address) {
        return upgraded ? answered : agentWallet[passportId];
    }

    function operatorOf(uint256 tokenId) public view returns (address) {
        Ghost storage ghost = ghosts[tokenId];
        return ghost.operator == address(0) ? ghost.sealer : ghost.operator;
    }

    /// @dev The allowance of the soul's epoch; that of an earlier one means nothing.
    function limitsOf(uint256 v, uint256 tokenId) public view returns (Limits memory current) {
        uint16 epoch = ghosts[tokenId].epoch;
        current = limits[v][tokenId];
        if (current.epoch != epoch) {
            delete current;
            current.epoch = epoch;
        }
        if (current.day != vm.getBlockTimestamp() / 1 days) {
            (current.spent, current.day) = (0, vm.getBlockTimestamp() / 1 days);
        }
    }

    function finalStateOf(uint256 tokenId) public view returns (bytes32) {
        return keccak256(abi.encode(souls.soulOf(tokenId), souls.genesisSoulHashOf(tokenId), souls.versionOf(tokenId)));
    }

    function nameOf(uint256 index) public pure returns (string memory) {
        return
            string.concat(
                "name-",
                string(abi.encodePacked(bytes1(uint8(97 + (index % 26))), "-", bytes1(uint8(97 + index / 26))))
            );
    }

    /* INTERNAL: decisions */

    /// @dev Fills in target and calldata, signed unless the owner calls itself.
    function write(Decision memory d, uint256 nonce) private {
        if (d.kind >= SET_ALLOWANCE) return writeElsewhere(d, nonce);
        d.target = address(souls);
        Terms memory terms = Terms(d.tokenId, d.epoch, d.version, nonce, type(uint256).max);
        if (d.kind == uint256(Operation.SEAL)) {
            ISoulRegistry.Seal memory words = sealOf(terms);
            d.data = abi.encodeCall(
                souls.seal,
                (words, ARCHIVE, noProof(), signedBy(d, Types.SEAL, hasher.hash(words)))
            );
        } else if (d.kind == uint256(Operation.REVISE)) {
            ISoulRegistry.RecordEvolution memory words = revisionOf(terms);
            d.data = abi.encodeCall(
                souls.revise,
                (words, REVISION_ARCHIVE, signedBy(d, Types.RECORD_EVOLUTION, hasher.hash(words)))
            );
        } else if (d.kind == uint256(Operation.RESEAL)) {
            ISoulRegistry.Reseal memory words = resealOf(terms, d.signer);
            words.operator = d.operator;
            d.data = abi.encodeCall(
                souls.reseal,
                (words, ARCHIVE, noProof(), signedBy(d, Types.RESEAL, hasher.hash(words)))
            );
        } else if (d.kind == uint256(Operation.CHANGE_OPERATOR)) {
            ISoulRegistry.RecordEvolution memory words = operatorChangeOf(terms, d.operator);
            d.data = abi.encodeCall(
                souls.changeOperator,
                (words, d.operator, signedBy(d, Types.RECORD_EVOLUTION, hasher.hash(words)))
            );
        } else if (d.kind == uint256(Operation.BURN)) {
            ISoulRegistry.Burn memory words = burnOf(terms);
            d.data = abi.encodeCall(souls.burn, (words, signedBy(d, Types.BURN, hasher.hash(words))));
        } else if (d.kind == uint256(Operation.RELEASE)) {
            ISoulRegistry.Release memory words = releaseOf(terms, d.signer);
            d.data = abi.encodeCall(souls.release, (words, signedBy(d, Types.RELEASE, hasher.hash(words))));
        } else if (d.kind == uint256(Operation.SUSPEND)) {
            ISoulRegistry.Suspend memory words = suspendOf(terms);
            d.data = abi.encodeCall(souls.suspendBySealer, (words, signedBy(d, Types.SUSPEND, hasher.hash(words))));
        } else {
            ISoulRegistry.SetDidArchive memory words = didArchiveOf(terms);
            d.data = abi.encodeCall(
                souls.setDidArchive,
                (words, signedBy(d, Types.SET_DID_ARCHIVE, hasher.hash(words)))
            );
        }
    }

    function writeElsewhere(Decision memory d, uint256 nonce) private {
        AllowanceVault vault = vaults[d.vault];
        uint16 version = limitsOf(d.vault, d.tokenId).version;
        d.target = address(vault);
        d.version = version;
        if (d.kind == SET_ALLOWANCE) {
            IAllowanceVault.SetAllowance memory words = IAllowanceVault.SetAllowance({
                tokenId: d.tokenId,
                epoch: d.epoch,
                version: version,
                perTransaction: uint56(20 + draw(40)),
                dailyLimit: uint56(draw(5) == 0 ? draw(60) : 150 + draw(300)),
                validUntil: uint32(vm.getBlockTimestamp() + draw(5 days)),
                onlyWithAgentWallet: draw(10) == 0,
                nonce: nonce,
                deadline: type(uint256).max
            });
            d.limits.perTransaction = words.perTransaction;
            d.limits.dailyLimit = words.dailyLimit;
            d.limits.validUntil = words.validUntil;
            d.limits.onlyWithAgentWallet = words.onlyWithAgentWallet;
            bytes32 structHash = keccak256(abi.encode(keccak256(bytes(Types.SET_ALLOWANCE)), words));
            d.data = abi.encodeCall(vault.setAllowance, (words, signedBy(d, Types.SET_ALLOWANCE, structHash)));
        } else if (d.kind == DEACTIVATE) {
            IAllowanceVault.DeactivateAllowance memory words = IAllowanceVault.DeactivateAllowance(
                d.tokenId,
                d.epoch,
                version,
                nonce,
                type(uint256).max
            );
            bytes32 structHash = keccak256(abi.encode(keccak256(bytes(Types.DEACTIVATE_ALLOWANCE)), words));
            d.data = abi.encodeCall(vault.deactivate, (words, signedBy(d, Types.DEACTIVATE_ALLOWANCE, structHash)));
        } else {
            d.target = address(KEYS);
            d.version = ghosts[d.tokenId].keysVersion;
            d.limits.onlyWithAgentWallet = draw(4) == 0;
            d.keysHash = draw(4) == 0 ? bytes32(0) : bytes32(1 + draw(1000));
            IAgentKeys.SetAgentKeys memory words = IAgentKeys.SetAgentKeys(
                d.tokenId,
                d.epoch,
                d.version,
                d.keysHash,
                d.keysHash,
                d.limits.onlyWithAgentWallet,
                nonce,
                type(uint256).max
            );
            bytes32 structHash = keccak256(abi.encode(keccak256(bytes(Types.SET_AGENT_KEYS)), words));
            d.data = abi.encodeCall(KEYS.setKeys, (words, signedBy(d, Types.SET_AGENT_KEYS, structHash)));
        }
    }

    function signedBy(
        Decision memory d,
        string memory contents,
        bytes32 structHash
    ) private view returns (bytes memory) {
        return d.direct ? bytes("") : signatureOf(d.signer, d.target, contents, structHash);
    }

    /// @dev Submits; what is let through must be the live owner's decision over the present state.
    function submit(Decision memory d) private {
        (bool success, ) = run(actionOf(d.kind), d.caller, d.target, d.data);
        if (!success) return;
        if (!d.direct && draw(2) == 0) late.push(d);
        if (!d.direct && d.signer == address(nested)) ++successes["nested signature"];

        bool needsRole = d.kind < OPERATIONS && needsRegistrar(Operation(d.kind));
        if (needsRole && d.caller == second && !isSecondRegistrar) ++broken[Rule.ACTED_WITHOUT_ROLE];
        Ghost storage ghost = ghosts[d.tokenId];
        address owner = ownerNow(ghost.passportId);
        if (owner == address(0)) ++broken[Rule.ACTED_WITHOUT_ANSWER];
        if (!d.direct) requireConsumed(d.target, owner, d.nonce);
        bool ends = d.kind == uint256(Operation.RESEAL) || d.kind == uint256(Operation.RELEASE);
        bool isOwner = d.direct || ends ? d.signer == owner : signsFor(d.signer, owner);
        bool current = d.epoch == ghost.epoch && d.version == versionFor(d);
        bool fitting = ends ? ghost.marked && ghost.observed == owner : !ghost.marked && ghost.sealer == owner;
        if (!isOwner || !current || !fitting || ghost.status != statusFor(d.kind, ghost.status)) {
            ++broken[Rule.ACTED_WITHOUT_AUTHORITY];
        }
        if (!ends && d.epoch <= ghost.deadEpoch) ++broken[Rule.ACTED_AFTER_A_MARK];
        carryOut(d, ghost, owner);
    }

    function versionFor(Decision memory d) private view returns (uint32) {
        if (d.kind < SET_ALLOWANCE) return ghosts[d.tokenId].version;
        return d.kind == SET_KEYS ? ghosts[d.tokenId].keysVersion : limitsOf(d.vault, d.tokenId).version;
    }

    /// @dev The status in which the decision can be made: any living one for some.
    function statusFor(uint256 kind, ISoulRegistry.Status status) private pure returns (ISoulRegistry.Status) {
        if (kind == uint256(Operation.SEAL)) return ISoulRegistry.Status.PROVISIONAL;
        bool anyLiving =
            kind == uint256(Operation.RESEAL) ||
                kind == uint256(Operation.RELEASE) ||
                kind == uint256(Operation.BURN) ||
                kind == uint256(Operation.SUSPEND);
        bool provisional = status == ISoulRegistry.Status.PROVISIONAL;
        return anyLiving && provisional ? ISoulRegistry.Status.PROVISIONAL : ISoulRegistry.Status.SEALED;
    }

    function carryOut(Decision memory d, Ghost storage ghost, address owner) private {
        if (d.kind == SET_KEYS) {
            (ghost.keysHash, ghost.keysEpoch) = (d.keysHash, ghost.epoch);
            ghost.keysNeedWallet = d.limits.onlyWithAgentWallet;
            ++ghost.keysVersion;
            return;
        }
        if (d.kind >= SET_ALLOWANCE) {
            Limits memory next = limitsOf(d.vault, d.tokenId);
            (d.limits.epoch, d.limits.version) = (next.epoch, next.version + 1);
            (d.limits.spent, d.limits.day) = (next.spent, next.day);
            if (d.kind == DEACTIVATE) {
                d.limits.perTransaction = next.perTransaction;
                d.limits.dailyLimit = next.dailyLimit;
                d.limits.onlyWithAgentWallet = next.onlyWithAgentWallet;
            }
            limits[d.vault][d.tokenId] = d.limits;
            return;
        }
        ++ghost.version;
        if (d.kind == uint256(Operation.SEAL)) {
            sealGhost(d.tokenId);
        } else if (d.kind == uint256(Operation.RESEAL)) {
            (ghost.sealer, ghost.operator, ghost.marked) = (owner, d.operator, false);
            ghost.status = ISoulRegistry.Status.SEALED;
            ++ghost.epoch;
        } else if (d.kind == uint256(Operation.CHANGE_OPERATOR)) {
            ghost.operator = d.operator;
        } else if (d.kind == uint256(Operation.SUSPEND)) {
            (ghost.marked, ghost.deadEpoch, ghost.observed) = (true, ghost.epoch, owner);
        } else if (d.kind == uint256(Operation.BURN) || d.kind == uint256(Operation.RELEASE)) {
            (ghost.status, ghost.marked) = (ISoulRegistry.Status.BURNED, false);
            carried[ghost.passportId] = 0;
            ghost.stateAtEnd = finalStateOf(d.tokenId);
        }
    }

    function begin(uint256 tokenId, uint256 passportId, address owner, address operator, string memory name) private {
        if (given[keccak256(bytes(name))] != 0) ++broken[Rule.NAME_TWICE];
        given[keccak256(bytes(name))] = tokenId;
        if (carried[passportId] != 0) ++broken[Rule.PASSPORT_BOUND_TWICE];
        carried[passportId] = tokenId;
        tokens.push(tokenId);
        Ghost storage ghost = ghosts[tokenId];
        (ghost.name, ghost.sealer, ghost.operator) = (name, owner, operator);
        (ghost.passportId, ghost.epoch, ghost.status) = (passportId, 1, ISoulRegistry.Status.PROVISIONAL);
    }

    function sealGhost(uint256 tokenId) private {
        Ghost storage ghost = ghosts[tokenId];
        ghost.status = ISoulRegistry.Status.SEALED;
        if (ghost.parent == 0) return;
        Ghost storage parent = ghosts[ghost.parent];
        if (parent.successor != 0) ++broken[Rule.TWO_SUCCESSORS];
        else parent.successor = tokenId;
    }

    /* INTERNAL: calls and their logs */

    function run(
        string memory action,
        address caller,
        address target,
        bytes memory data
    ) internal returns (bool success, bytes memory answer) {
        vm.recordLogs();
        vm.prank(caller);
        (success, answer) = target.call{gas: TRANSACTION_GAS}(data);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        if (!success) return (success, answer);
        ++succeeded;
        ++successes[action];
        bool money;
        bool ownership;
        for (uint256 i = 0; i < logs.length; ++i) {
            Vm.Log memory log = logs[i];
            if (log.topics[0] == IOwnerAuthorization.NonceUsed.selector) followNonce(log);
            else if (log.emitter == address(certificates) && log.topics[0] == TRANSFER)
                followCertificate(log, logs[i + 1]);
            else if (log.topics[0] == IIdentityRegistry.MetadataSet.selector) followMetadata(log);
            else if (log.emitter == address(identity) && log.topics[0] == TRANSFER) {
                ownership = followPassport(log) || ownership;
            } else if (log.topics[0] == IAllowanceVault.Spent.selector) {
                followPayment(log, caller);
                money = true;
            } else if (log.topics[0] == IAllowanceVault.SpendReported.selector) {
                followReport(log);
            } else {
                followElsewhere(log);
            }
        }
        if (money) ++movedMoney;
        if (ownership) ++movedOwnership;
    }

    /// @dev A log of the contracts that only a derived handler knows.
    function followElsewhere(Vm.Log memory log) internal virtual;

    function requireConsumed(address verifier, address signer, uint256 nonce) private {
        if (!consumed[verifier][signer][nonce]) ++broken[Rule.NONCE_TWICE];
    }

    function followNonce(Vm.Log memory log) private {
        address signer = address(uint160(uint256(log.topics[1])));
        uint256 nonce = abi.decode(log.data, (uint256));
        if (consumed[log.emitter][signer][nonce]) ++broken[Rule.NONCE_TWICE];
        consumed[log.emitter][signer][nonce] = true;
    }

    /// @param next The log that follows: after a mint, and only then, that the certificate is locked.
    function followCertificate(Vm.Log memory log, Vm.Log memory next) private {
        (address from, address to) = (
            address(uint160(uint256(log.topics[1]))),
            address(uint160(uint256(log.topics[2])))
        );
        uint256 tokenId = uint256(log.topics[3]);
        bool isMint = from == address(0);
        if (loggedHolder[tokenId] != from || isMint != isLocked(next)) ++broken[Rule.CERTIFICATE_MOVED];
        if (from != address(0)) --loggedBalance[from];
        if (to != address(0)) ++loggedBalance[to];
        loggedHolder[tokenId] = to;
    }

    function isLocked(Vm.Log memory log) private view returns (bool) {
        return log.emitter == address(certificates) && log.topics[0] == ISoulCertificate.Locked.selector;
    }

    /// @return sold Whether it went from one person to another.
    function followPassport(Vm.Log memory log) private returns (bool sold) {
        address from = address(uint160(uint256(log.topics[1])));
        sold = from != address(0) && from != address(mint);
        if (sold && !selling) ++broken[Rule.PASSPORT_MOVED];
    }

    function followMetadata(Vm.Log memory log) private {
        uint256 passportId = uint256(log.topics[1]);
        (string memory key, bytes memory value) = abi.decode(log.data, (string, bytes));
        if (bytes3(bytes(key)) != "svc") return;
        address owner = passportOwner[passportId];
        if (owner != address(0) && !approvesWriter[owner]) ++broken[Rule.METADATA_WITHOUT_APPROVAL];
        Ghost storage ended = ghosts[syncing];
        if (ended.status == ISoulRegistry.Status.BURNED) {
            bool proper = value.length == 0 && owner == ended.sealer && syncedAsNamed;
            if (!proper) ++broken[Rule.ENDED_METADATA];
        }
        if (keccak256(bytes(key)) == keccak256("svcTokenId")) {
            named[passportId] = value.length == 0 ? 0 : abi.decode(value, (uint256));
        }
    }

    function followReport(Vm.Log memory log) private {
        uint256 v = vaultOf(log.emitter);
        uint256 tokenId = uint256(log.topics[1]);
        (, , , uint256 amount, , , ) = abi.decode(log.data, (address, uint16, address, uint256, uint56, bool, uint8));
        Limits memory current = limitsOf(v, tokenId);
        current.spent += amount;
        limits[v][tokenId] = current;
    }

    /// @dev Judges a payment by what was true before the call that made it.
    function followPayment(Vm.Log memory log, address caller) private {
        uint256 v = vaultOf(log.emitter);
        uint256 tokenId = uint256(log.topics[1]);
        address recipient = address(uint160(uint256(log.topics[2])));
        (address owner, uint16 epoch, address operator, uint256 amount, , ) = abi.decode(
            log.data,
            (address, uint16, address, uint256, uint56, bytes32)
        );
        Ghost storage ghost = ghosts[tokenId];
        if (!isLive(tokenId) || owner != ghost.sealer || epoch != ghost.epoch) ++broken[Rule.PAID_WITHOUT_LIVE_OWNER];
        if (ownerNow(ghost.passportId) == address(0)) ++broken[Rule.ACTED_WITHOUT_ANSWER];
        if (ghost.epoch <= ghost.deadEpoch) ++broken[Rule.ACTED_AFTER_A_MARK];
        if (operator != operatorOf(tokenId)) ++broken[Rule.PAID_FOR_ANOTHER_OPERATOR];
        balance[v][owner] -= amount;
        balance[v][recipient] += amount;

        Limits memory current = limitsOf(v, tokenId);
        current.spent += amount;
        limits[v][tokenId] = current;
        if (current.validUntil == 0) ++broken[Rule.PAID_AFTER_DEACTIVATION];
        if (current.validUntil < vm.getBlockTimestamp()) ++broken[Rule.PAID_BEYOND_LIMITS];
        if (amount > current.perTransaction || current.spent > current.dailyLimit) ++broken[Rule.PAID_BEYOND_LIMITS];
        if (current.onlyWithAgentWallet && agentWalletNow(ghost.passportId) != operator) {
            ++broken[Rule.PAID_WITHOUT_AGENT_WALLET];
        }
        if (log.topics[3] == bytes32(0)) {
            // The reentering token may call back as an operator.
            if (caller != operator && operator != address(stablecoins[1])) ++broken[Rule.PAID_UNSIGNED];
        } else {
            followSigned(log.topics[3], v, recipient, amount, current.version, caller);
        }
    }

    function followSigned(
        bytes32 digest,
        uint256 v,
        address recipient,
        uint256 amount,
        uint16 version,
        address caller
    ) private {
        uint256 index = indexOfDigest[digest];
        if (index == 0) {
            ++broken[Rule.PAID_UNSIGNED];
            return;
        }
        Signed storage signed = signedPayments[index - 1];
        IAllowanceVault.Payment storage payment = signed.payment;
        if (signed.paid) ++broken[Rule.PAID_TWICE];
        if (payment.operator == address(nested)) ++successes["nested payment"];
        signed.paid = true;
        if (signed.vault != v || payment.recipient != recipient || payment.amount != amount) {
            ++broken[Rule.PAID_UNSIGNED];
        }
        if (payment.allowanceVersion != version) ++broken[Rule.PAID_FOR_ANOTHER_VERSION];
        if (payment.redeemer != address(0) && payment.redeemer != caller) ++broken[Rule.PAID_TO_ANOTHER_REDEEMER];
    }

    /// @dev The reentering stablecoin calls back with the same call, or as an operator of another
    /// vault.
    function armWith(uint256 v, bytes memory data) private {
        if (v != 1) return;
        ReenteringStablecoin(address(stablecoins[1])).arm(address(vaults[draw(3) == 0 ? 0 : 1]), data);
    }

    /* INTERNAL: choices */

    function draw(uint256 sides) internal returns (uint256) {
        entropy = uint256(keccak256(abi.encode(entropy)));
        return entropy % sides;
    }

    /// @dev Mostly a new one, each in a word of its own; sometimes one that may be used.
    function nonceOf() internal returns (uint256) {
        return draw(12) == 0 ? draw(noncesGiven + 1) * 300 : ++noncesGiven * 300;
    }

    /// @dev Mostly the one that is always a registrar.
    function anyRegistrar() private returns (address) {
        submitter = draw(6) == 0 ? second : registrar;
        return submitter;
    }

    /// @dev Of the account that submitted last.
    function requireRole() private {
        if (submitter == second && !isSecondRegistrar) ++broken[Rule.ACTED_WITHOUT_ROLE];
    }

    function anyVault() private returns (uint256) {
        uint256 side = draw(10);
        return
            side < 7
                ? 0
                : side < 9
                    ? 1
                    : 2;
    }

    function anyRecipient() private returns (address) {
        return draw(3) == 0 ? people[draw(PEOPLE)] : RECIPIENT;
    }

    /// @dev Mostly a person, else the reentering stablecoin; often another account of one key.
    function anyOperator() internal returns (address) {
        if (draw(8) == 0) return address(stablecoins[1]);
        if (draw(5) == 0) return address(nested);
        return draw(8) == 0 ? address(0) : people[draw(PEOPLE)];
    }

    /// @dev Mostly one without a soul.
    function anyPassport() private returns (uint256 passportId) {
        passportId = draw(passportCount);
        for (uint256 i = 0; i < 6 && carried[passportId] != 0; ++i) passportId = draw(passportCount);
    }

    function anyToken() internal returns (uint256) {
        return tokens.length == 0 ? 0 : tokens[draw(tokens.length)];
    }

    function anyToken(ISoulRegistry.Status status) private returns (uint256 tokenId) {
        tokenId = anyToken();
        for (uint256 i = 0; i < 12 && ghosts[tokenId].status != status; ++i) tokenId = anyToken();
    }

    function anyLive() internal returns (uint256 tokenId) {
        tokenId = anyToken();
        if (draw(8) == 0) return tokenId;
        for (uint256 i = 0; i < 12 && !isLive(tokenId); ++i) tokenId = anyToken();
    }

    /// @dev Mostly one that may pay now.
    function anyFunded(uint256 v) private returns (uint256 tokenId) {
        tokenId = anyToken();
        if (draw(8) == 0) return tokenId;
        for (uint256 i = 0; i < 30 && !(isLive(tokenId) && canPay(v, tokenId)); ++i) tokenId = anyToken();
    }

    function canPay(uint256 v, uint256 tokenId) private view returns (bool) {
        Limits memory current = limitsOf(v, tokenId);
        return current.validUntil >= vm.getBlockTimestamp() && current.spent < current.dailyLimit;
    }

    function vaultOf(address emitter) private view returns (uint256 v) {
        while (address(vaults[v]) != emitter) ++v;
    }

    function actionOf(uint256 kind) private pure returns (string memory) {
        if (kind == SET_ALLOWANCE) return "setAllowance";
        if (kind == DEACTIVATE) return "deactivate";
        if (kind == SET_KEYS) return "setKeys";
        if (kind == uint256(Operation.SEAL)) return "seal";
        if (kind == uint256(Operation.REVISE)) return "revise";
        if (kind == uint256(Operation.RESEAL)) return "reseal";
        if (kind == uint256(Operation.CHANGE_OPERATOR)) return "changeOperator";
        if (kind == uint256(Operation.BURN)) return "burn";
        if (kind == uint256(Operation.RELEASE)) return "release";
        if (kind == uint256(Operation.SUSPEND)) return "suspendBySealer";
        return "setDidArchive";
    }
}
