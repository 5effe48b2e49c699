// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../utils/Test.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {SoulCertificate} from "../../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../../contracts/SoulRegistry.sol";
import {IdentityRegistry} from "../../../contracts/erc8004/IdentityRegistry.sol";
import {ISoulCertificate} from "../../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {Vm} from "../utils/Vm.sol";

/// @dev Three people and the registrar, doing what they may and what they may not. It refuses
/// nothing itself: what the contracts let through is compared with what they should have, and
/// counted.
contract SoulHandler is SoulLifeBase {
    uint256 internal constant PEOPLE = 3;
    uint256 internal constant NAMES = 5;
    uint256 internal constant NONCES = 24;

    /* What must stay 0. */
    uint256 public strayCertificates;
    uint256 public unauthorizedOperations;
    uint256 public noncesUsedTwice;
    uint256 public namesGivenTwice;
    uint256 public epochsGoneBack;
    uint256 public strayLogs;

    /* What is remembered. */
    uint256[] internal burned;
    mapping(uint256 tokenId => bytes32 state) internal stateAtBurn;
    mapping(uint256 tokenId => uint32) internal decisions;
    mapping(bytes32 name => uint256 tokenId) internal given;
    mapping(address account => mapping(uint256 nonce => bool)) internal consumed;
    bytes[] internal submitted;
    /// What the certificates' Transfer log adds up to.
    mapping(uint256 tokenId => address holder) public loggedHolder;
    mapping(address holder => uint256 count) public loggedBalance;
    uint256 internal existing;
    mapping(uint256 tokenId => bool) public marked;
    /// The last epoch in which a suspension was recorded: nothing granted in it, or before, may act
    /// again.
    mapping(uint256 tokenId => uint16 epoch) public deadEpoch;

    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    constructor() {
        super.setUp();
    }

    /// @dev The fuzzer may call every public function: this one does nothing.
    function setUp() public override {}

    function protocol() external view returns (SoulRegistry, SoulCertificate, IdentityRegistry) {
        return (souls, certificates, identity);
    }

    function burnedCount() external view returns (uint256) {
        return burned.length;
    }

    function burnedAt(uint256 index) external view returns (uint256 tokenId, bytes32 state) {
        tokenId = burned[index];
        state = stateAtBurn[tokenId];
    }

    function finalStateOf(uint256 tokenId) public view returns (bytes32) {
        return keccak256(abi.encode(souls.soulOf(tokenId), souls.genesisSoulHashOf(tokenId), souls.isValid(tokenId)));
    }

    function nameOf(uint256 index) public pure returns (string memory) {
        return string.concat("name-", string(abi.encodePacked(bytes1(uint8(97 + (index % NAMES))))));
    }

    function decisionsOf(uint256 tokenId) external view returns (uint32) {
        return decisions[tokenId];
    }

    function tokenOfGivenName(uint256 index) external view returns (uint256) {
        return given[keccak256(bytes(nameOf(index)))];
    }

    /* ACTIONS */

    function register(uint256 person, uint256 name, uint256 nonce, bool seal, uint256 bindTo) external {
        ISoulRegistry.Registration memory registration = registrationOf(nameOf(name));
        registration.owner = personOf(person);
        registration.nonce = nonce % NONCES;
        registration.deadline = type(uint256).max;
        registration.seal = seal;
        if (bindTo % 3 == 0 && souls.nextTokenId() > 1) {
            registration.bindPassport = true;
            registration.passportId = souls.soulOf(tokenOf(bindTo)).passportId;
        }
        uint256 tokenId = souls.nextTokenId();
        bytes memory signature = sign(keyOfPerson(person), digestOf(registration));
        bytes memory data = abi.encodeCall(
            souls.register,
            (registration, publicationAt(0, 1), noProof(), "", signature)
        );
        if (!attempt(data, registration.owner, registration.nonce, tokenId)) return;

        bytes32 key = keccak256(bytes(registration.name));
        if (given[key] != 0) ++namesGivenTwice;
        else given[key] = tokenId;
    }

    function registerPair(uint256 person, uint256 name, uint256 nonce) external {
        ISoulRegistry.RegistrationBatch memory batch;
        batch.owner = personOf(person);
        batch.nonce = nonce % NONCES;
        batch.deadline = type(uint256).max;
        batch.entries = new ISoulRegistry.BatchEntry[](2);
        for (uint256 i = 0; i < 2; ++i) {
            batch.entries[i] = ISoulRegistry.BatchEntry(
                nameOf((name % NAMES) + i),
                ISoulRegistry.AgentType.OTHER,
                address(0),
                NEW_HASH,
                NEW_ROOT,
                NEW_CONTENT
            );
        }
        uint256 tokenId = souls.nextTokenId();
        bytes memory signature = sign(keyOfPerson(person), digestOf(hasher.hash(batch)));
        bytes memory data = abi.encodeCall(
            souls.registerBatch,
            (batch, new ISoulRegistry.BatchPublication[](2), ISoulRegistry.BatchExpectation(0, 0), signature)
        );
        if (!attempt(data, batch.owner, batch.nonce, tokenId)) return;
        for (uint256 i = 0; i < 2; ++i) {
            bytes32 key = keccak256(bytes(batch.entries[i].name));
            if (given[key] != 0) ++namesGivenTwice;
            else given[key] = tokenId + i;
        }
    }

    function passTime(uint256 duration) external {
        vm.warp(vm.getBlockTimestamp() + bound(duration, 1 hours, 2 days));
        nextBlock();
    }

    function transferPassport(uint256 token, uint256 to) external {
        if (souls.nextTokenId() == 1) return;
        uint256 passportId = souls.soulOf(tokenOf(token)).passportId;
        existing = souls.nextTokenId();
        bytes32 before = certificatesExcept(0);
        move(passportId, personOf(to));
        if (certificatesExcept(0) != before) ++strayCertificates;
    }

    function suspend(uint256 token) external {
        if (souls.nextTokenId() == 1) return;
        existing = souls.nextTokenId();
        bytes32 before = certificatesExcept(0);
        vm.prank(stranger);
        (bool success, ) = address(souls).call(abi.encodeCall(souls.suspend, (tokenOf(token))));
        if (success) {
            marked[tokenOf(token)] = true;
            deadEpoch[tokenOf(token)] = souls.epochOf(tokenOf(token));
            nextBlock();
        }
        if (certificatesExcept(0) != before) ++strayCertificates;
    }

    /// @dev Mostly the passport's live owner signs for one of the operations, sometimes another
    /// account does.
    function operate(uint256 operation, uint256 token, uint256 person, uint256 nonce) external {
        if (souls.nextTokenId() == 1) return;
        uint256 tokenId = tokenOf(token);
        Operation chosen = Operation(operation % (uint256(Operation.SET_DID_ARCHIVE) + 1));
        if (person % 4 != 0) person = indexOf(identity.ownerOf(souls.soulOf(tokenId).passportId));
        buyer = personOf(person);
        Terms memory terms = Terms(
            tokenId,
            souls.epochOf(tokenId),
            souls.versionOf(tokenId),
            nonce % NONCES,
            type(uint256).max
        );
        bool isLiveOwner = identity.ownerOf(souls.soulOf(tokenId).passportId) == buyer;
        bool isSealer = souls.soulOf(tokenId).sealer == buyer;
        bool ends = endsSuspension(chosen);
        bool allowed = isLiveOwner && marked[tokenId] == ends && (isSealer || ends);
        bool movesCertificate =
            chosen == Operation.BURN || chosen == Operation.RELEASE || (chosen == Operation.RESEAL && !isSealer);
        bytes memory data = signedCall(chosen, terms, keyOfPerson(person));

        if (!attempt(data, buyer, terms.nonce, movesCertificate ? tokenId : 0)) return;
        ++decisions[tokenId];
        if (!allowed) ++unauthorizedOperations;
        if (ends) marked[tokenId] = false;
        if (chosen == Operation.BURN || chosen == Operation.RELEASE) {
            burned.push(tokenId);
            stateAtBurn[tokenId] = finalStateOf(tokenId);
        }
    }

    function cancel(uint256 person, uint256 nonce) external {
        address account = personOf(person);
        vm.prank(account);
        (bool success, ) = address(souls).call(abi.encodeCall(souls.cancel, (nonce % NONCES)));
        if (success) consume(account, nonce % NONCES);
    }

    /// @dev A holder of the registrar's role submits again what was done before.
    function replay(uint256 which) external {
        if (submitted.length == 0) return;
        existing = souls.nextTokenId();
        bytes32 before = certificatesExcept(0);
        vm.prank(registrar);
        (bool success, ) = address(souls).call(submitted[which % submitted.length]);
        if (success) ++noncesUsedTwice;
        if (certificatesExcept(0) != before) ++strayCertificates;
    }

    /* INTERNAL */

    function personOf(uint256 person) internal pure returns (address) {
        return vm.addr(keyOfPerson(person));
    }

    function indexOf(address account) internal pure returns (uint256 person) {
        while (personOf(person) != account) ++person;
    }

    function keyOfPerson(uint256 person) internal pure returns (uint256) {
        return 0xC0FFEE + (person % PEOPLE);
    }

    function tokenOf(uint256 seed) internal view returns (uint256) {
        return 1 + (seed % (souls.nextTokenId() - 1));
    }

    /// @dev Submits as the registrar; `mayMove` is the one certificate that this operation may
    /// mint, move or burn.
    function attempt(
        bytes memory data,
        address signer,
        uint256 nonce,
        uint256 mayMove
    ) internal returns (bool success) {
        existing = souls.nextTokenId();
        bytes32 certificatesBefore = certificatesExcept(mayMove);
        uint256 epochsBefore = sumOfEpochs();
        vm.recordLogs();
        vm.prank(registrar);
        (success, ) = address(souls).call(data);
        if (success) follow(vm.getRecordedLogs());
        if (certificatesExcept(mayMove) != certificatesBefore) ++strayCertificates;
        if (sumOfEpochs() < epochsBefore) ++epochsGoneBack;
        if (!success) return false;

        consume(signer, nonce);
        submitted.push(data);
    }

    /// @dev Adds up the certificates' log; a mint that does not say that it is locked, or a
    /// transfer from another than the holder, is a stray one.
    function follow(Vm.Log[] memory logs) internal {
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(certificates) || logs[i].topics[0] != TRANSFER) continue;
            address from = address(uint160(uint256(logs[i].topics[1])));
            address to = address(uint160(uint256(logs[i].topics[2])));
            uint256 tokenId = uint256(logs[i].topics[3]);
            bool locked = logs[i + 1].topics[0] == ISoulCertificate.Locked.selector;
            bool isMint = from == address(0);
            if (loggedHolder[tokenId] != from || isMint == (to == address(0)) || isMint != locked) ++strayLogs;
            if (isMint) ++loggedBalance[to];
            else --loggedBalance[from];
            loggedHolder[tokenId] = to;
        }
    }

    function consume(address account, uint256 nonce) internal {
        if (consumed[account][nonce]) ++noncesUsedTwice;
        consumed[account][nonce] = true;
    }

    function sumOfEpochs() internal view returns (uint256 sum) {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) sum += souls.epochOf(tokenId);
    }

    /// @dev Who holds each certificate that there was before; one is left out.
    function certificatesExcept(uint256 exception) internal view returns (bytes32 all) {
        for (uint256 tokenId = 1; tokenId <= NAMES; ++tokenId) {
            if (tokenId != exception && tokenId < existing) all = keccak256(abi.encode(all, holderOf(tokenId)));
        }
    }

    function people() external pure returns (address[] memory all) {
        all = new address[](PEOPLE);
        for (uint256 i = 0; i < PEOPLE; ++i) all[i] = personOf(i);
    }

    function holderOf(uint256 tokenId) public view returns (address) {
        try certificates.ownerOf(tokenId) returns (address holder) {
            return holder;
        } catch {
            return address(0);
        }
    }
}

contract SoulRegistryInvariants is Test {
    SoulHandler internal handler;
    SoulRegistry internal souls;
    SoulCertificate internal certificates;
    IdentityRegistry internal identity;

    function setUp() public {
        handler = new SoulHandler();
        (souls, certificates, identity) = handler.protocol();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_aCertificateMovesOnlyByMintResealAndBurn() public view {
        assertEq(handler.strayCertificates(), 0);
    }

    function invariant_nothingIsDoneInAnOwnersNameButByTheLiveOwner() public view {
        assertEq(handler.unauthorizedOperations(), 0);
    }

    function invariant_aNonceWorksOnce() public view {
        assertEq(handler.noncesUsedTwice(), 0);
    }

    function invariant_aBurnedSoulIsFinal() public view {
        for (uint256 i = 0; i < handler.burnedCount(); ++i) {
            (uint256 tokenId, bytes32 state) = handler.burnedAt(i);
            assertEq(handler.finalStateOf(tokenId), state);
            assertEq(uint256(souls.soulOf(tokenId).status), uint256(ISoulRegistry.Status.BURNED));
            assertEq(handler.holderOf(tokenId), address(0));
        }
    }

    function invariant_aValidSoulsSealerOwnsItsPassport() public view {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
            bool expected =
                soul.status == ISoulRegistry.Status.SEALED &&
                    identity.ownerOf(soul.passportId) == soul.sealer &&
                    !handler.marked(tokenId);
            assertEq(souls.isValid(tokenId), expected);
            (address authority, , ) = souls.authorityOf(tokenId);
            assertEq(authority, expected ? soul.sealer : address(0));
        }
    }

    function invariant_aNameIsNeverGivenTwice() public view {
        assertEq(handler.namesGivenTwice(), 0);
        for (uint256 i = 0; i < 5; ++i) assertEq(souls.tokenOfName(handler.nameOf(i)), handler.tokenOfGivenName(i));
    }

    function invariant_aPassportCarriesAtMostTheOneSoulThatNamesIt() public view {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
            uint256 carried = souls.tokenOfPassport(soul.passportId);
            if (soul.status == ISoulRegistry.Status.BURNED) assertTrue(carried != tokenId);
            else assertEq(carried, tokenId);
        }
    }

    function invariant_theCertificatesHolderIsTheSealer() public view {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
            if (soul.status != ISoulRegistry.Status.BURNED) assertEq(handler.holderOf(tokenId), soul.sealer);
        }
    }

    function invariant_theCertificatesLogAddsUpToOwnersAndBalances() public view {
        assertEq(handler.strayLogs(), 0);
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            assertEq(handler.holderOf(tokenId), handler.loggedHolder(tokenId));
        }
        address[] memory people = handler.people();
        for (uint256 i = 0; i < people.length; ++i) {
            assertEq(certificates.balanceOf(people[i]), handler.loggedBalance(people[i]));
        }
    }

    function invariant_aMarkStandsUntilAResealOrReleaseAndGrantsOfItsEpochStayDead() public view {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            assertEq(souls.isSuspended(tokenId), handler.marked(tokenId));
            uint16 live = souls.liveEpochOf(tokenId);
            if (live != 0) assertGt(live, handler.deadEpoch(tokenId));
        }
    }

    function invariant_anEpochNeverGoesBack() public view {
        assertEq(handler.epochsGoneBack(), 0);
    }

    function invariant_aVersionGrowsByOneWithEachDecisionAndNeverElse() public view {
        for (uint256 tokenId = 1; tokenId < souls.nextTokenId(); ++tokenId) {
            assertEq(souls.versionOf(tokenId), handler.decisionsOf(tokenId));
        }
    }
}
