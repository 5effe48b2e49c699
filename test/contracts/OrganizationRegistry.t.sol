// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulRegistryBase} from "./SoulRegistryBase.sol";
import {RefusingCode, SoulsDoubleBase} from "./SoulsDouble.sol";
import {Vm} from "./utils/Vm.sol";
import {OrganizationRegistry} from "../../contracts/OrganizationRegistry.sol";
import {IOrganizationRegistry} from "../../contracts/interfaces/IOrganizationRegistry.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {ERC1271Wallet} from "../../contracts/mocks/ERC1271Wallet.sol";

abstract contract OrganizationRegistryBase is SoulsDoubleBase {
    /// @dev Where the contract keeps how many organizations there are, and the words of those
    /// joined at registration.
    bytes32 internal constant COUNT_SLOT = bytes32(uint256(6));
    uint256 internal constant WORDS_SLOT = 5;

    OrganizationRegistry internal organizations;

    function setUp() public virtual override {
        super.setUp();
        organizations = OrganizationRegistry(deploy("OrganizationRegistry", abi.encode(soulRegistry)));
        found(orgAdmin);
    }

    /// @dev The organization of `founder`, by a direct call.
    function found(address founder) internal returns (uint256 organizationId) {
        IOrganizationRegistry.CreateOrganization memory creation = creationOf("Acme", founder);
        vm.prank(founder);
        return organizations.create(creation, "");
    }

    function creationOf(
        string memory name,
        address founder
    ) internal view returns (IOrganizationRegistry.CreateOrganization memory) {
        return IOrganizationRegistry.CreateOrganization(name, founder, 77, block.timestamp + 15 minutes);
    }

    /// @dev As if so many had been founded.
    function countOrganizations(uint256 count) internal {
        vm.store(address(organizations), COUNT_SLOT, bytes32(count));
        assertEq(organizations.organizationCount(), count, "another slot holds the count");
    }

    function joinOf(uint256 tokenId, uint256 organizationId) internal view returns (IOrganizationRegistry.Join memory) {
        (, , uint32 version) = organizations.membershipOf(tokenId);
        return
            IOrganizationRegistry.Join(
                tokenId,
                souls.epochOf(tokenId),
                organizationId,
                version,
                uint256(keccak256(abi.encode("join", version))),
                block.timestamp + 15 minutes
            );
    }

    /// @dev The admin's side of `entry`, with a nonce and a deadline of its own.
    function admissionOf(
        IOrganizationRegistry.Join memory entry
    ) internal view returns (IOrganizationRegistry.Admission memory) {
        return
            IOrganizationRegistry.Admission(
                entry.tokenId,
                entry.epoch,
                entry.organizationId,
                entry.version,
                uint256(keccak256(abi.encode("admission", entry.version))),
                block.timestamp + 7 days
            );
    }

    /// @dev The consent to `entry` that the holder of `key` gives as the admin.
    function admit(
        uint256 key,
        IOrganizationRegistry.Join memory entry
    ) internal view returns (IOrganizationRegistry.Consent memory) {
        IOrganizationRegistry.Admission memory admission = admissionOf(entry);
        return IOrganizationRegistry.Consent(admission.nonce, admission.deadline, signDigest(key, digest(admission)));
    }

    /// @dev What a party gives that calls itself, or is not asked.
    function noConsent() internal pure returns (IOrganizationRegistry.Consent memory) {
        return IOrganizationRegistry.Consent(0, 0, "");
    }

    function leaveOf(uint256 tokenId) internal view returns (IOrganizationRegistry.Leave memory) {
        (uint256 organizationId, uint16 epoch, uint32 version) = organizations.membershipOf(tokenId);
        return
            IOrganizationRegistry.Leave(
                tokenId,
                epoch,
                organizationId,
                version,
                uint256(keccak256(abi.encode("leave", version))),
                block.timestamp + 15 minutes
            );
    }

    function namingOf(address newAdmin) internal view returns (IOrganizationRegistry.ChangeAdmin memory) {
        uint32 version = organizations.versionOf(1);
        return
            IOrganizationRegistry.ChangeAdmin(
                1,
                newAdmin,
                version,
                uint256(keccak256(abi.encode("name", version))),
                block.timestamp + 15 minutes
            );
    }

    /// @dev Over the version that is current once `newAdmin` has been named.
    function acceptanceOf(
        address newAdmin,
        uint32 version
    ) internal view returns (IOrganizationRegistry.AcceptAdmin memory) {
        return
            IOrganizationRegistry.AcceptAdmin(
                1,
                newAdmin,
                version,
                uint256(keccak256(abi.encode("accept", version))),
                block.timestamp + 7 days
            );
    }

    function accept(
        uint256 key,
        IOrganizationRegistry.AcceptAdmin memory acceptance
    ) internal view returns (IOrganizationRegistry.Consent memory) {
        return
            IOrganizationRegistry.Consent(acceptance.nonce, acceptance.deadline, signDigest(key, digest(acceptance)));
    }

    function digest(bytes32 structHash) internal view returns (bytes32) {
        return digestOf(address(organizations), "OrganizationRegistry", structHash);
    }

    function digest(IOrganizationRegistry.CreateOrganization memory creation) internal view returns (bytes32) {
        bytes32 typeHash = keccak256("CreateOrganization(string name,address admin,uint256 nonce,uint256 deadline)");
        return
            digest(
                keccak256(
                    abi.encode(
                        typeHash,
                        keccak256(bytes(creation.name)),
                        creation.admin,
                        creation.nonce,
                        creation.deadline
                    )
                )
            );
    }

    function digest(IOrganizationRegistry.Join memory entry) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Join(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, entry)));
    }

    function digest(IOrganizationRegistry.Admission memory admission) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Admission(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, admission)));
    }

    function digest(IOrganizationRegistry.AcceptAdmin memory acceptance) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "AcceptAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, acceptance)));
    }

    function digest(IOrganizationRegistry.Leave memory departure) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Leave(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, departure)));
    }

    function digest(IOrganizationRegistry.ChangeAdmin memory change) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, change)));
    }

    function admitDigest(
        bytes32 registrationDigest,
        uint256 organizationId,
        uint256 nonce,
        uint256 deadline
    ) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            "Admit(bytes32 registrationDigest,uint256 organizationId,uint256 nonce,uint256 deadline)"
        );
        return digest(keccak256(abi.encode(typeHash, registrationDigest, organizationId, nonce, deadline)));
    }

    /// @dev Both sign, a stranger submits.
    function join(uint256 tokenId, uint256 ownerKey) internal {
        IOrganizationRegistry.Join memory entry = joinOf(tokenId, 1);
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
        bytes memory ofOwner = signDigest(ownerKey, digest(entry));
        vm.prank(stranger);
        organizations.join(entry, ofOwner, ofAdmin);
    }

    function assertMembership(uint256 tokenId, uint256 organizationId, uint16 epoch, uint32 version) internal view {
        (uint256 seenOrganization, uint16 seenEpoch, uint32 seenVersion) = organizations.membershipOf(tokenId);
        assertEq(seenOrganization, organizationId, "organization");
        assertEq(seenEpoch, epoch, "epoch");
        assertEq(seenVersion, version, "version");
    }

    function notOwner(address caller, address expected) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.NotOwner.selector, caller, expected);
    }

    function invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, signer);
    }

    function nonceUsed(address signer, uint256 nonce) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, signer, nonce);
    }

    function unknownOrganization(uint256 organizationId) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrganizationRegistry.UnknownOrganization.selector, organizationId);
    }

    function wrongVersion(uint32 version, uint32 current) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IOrganizationRegistry.WrongVersion.selector, uint256(1), version, current);
    }

    function assertNonceUsed(Vm.Log memory log, address signer, bytes32 signed, uint256 nonce) internal view {
        assertLog(
            log,
            address(organizations),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(signer), signed),
            abi.encode(nonce)
        );
    }

    function assertJoined(
        Vm.Log memory log,
        uint256 tokenId,
        address agreedOwner,
        address agreedAdmin,
        uint16 epoch,
        uint32 version,
        uint64 memberCount
    ) internal view {
        assertLog(
            log,
            address(organizations),
            topicsOf(
                IOrganizationRegistry.MemberJoined.selector,
                toTopic(tokenId),
                toTopic(uint256(1)),
                toTopic(agreedOwner)
            ),
            abi.encode(agreedAdmin, epoch, version, memberCount)
        );
    }
}

contract OrganizationRegistryCreateTest is OrganizationRegistryBase {
    function test_onlyTheNamedAdminFounds() public {
        IOrganizationRegistry.CreateOrganization memory creation = creationOf("Acme", owner);
        bytes memory forged = signDigest(STRANGER_KEY, digest(creation));

        vm.expectRevert(notOwner(stranger, owner));
        vm.prank(stranger);
        organizations.create(creation, "");
        vm.expectRevert(invalidSignature(owner));
        organizations.create(creation, forged);
        creation.admin = address(0);
        vm.expectRevert(notOwner(stranger, address(0)));
        vm.prank(stranger);
        organizations.create(creation, "");
        vm.expectRevert(invalidSignature(address(0)));
        organizations.create(creation, new bytes(65));
        assertEq(organizations.organizationCount(), 1);
    }

    function testFuzz_aNameHas1To64Bytes(uint256 length) public {
        length = bound(length, 0, 80);
        IOrganizationRegistry.CreateOrganization memory creation = creationOf(string(new bytes(length)), owner);
        if (length == 0 || length > 64) {
            vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.InvalidOrganizationName.selector, length));
        }
        vm.prank(owner);
        organizations.create(creation, "");
    }

    function test_idsHave40Bits() public {
        uint256 last = type(uint40).max;
        countOrganizations(last - 1);
        assertEq(found(owner), last);
        assertEq(organizations.adminOf(last), owner);

        IOrganizationRegistry.CreateOrganization memory creation = creationOf("One too many", owner);
        vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.TooManyOrganizations.selector));
        vm.prank(owner);
        organizations.create(creation, "");
        assertEq(organizations.organizationCount(), last);
    }

    function test_foundsBySignature() public {
        IOrganizationRegistry.CreateOrganization memory creation = creationOf("Zweite", owner);
        bytes32 signedDigest = digest(creation);
        bytes memory signature = signDigest(OWNER_KEY, signedDigest);

        vm.recordLogs();
        vm.prank(stranger);
        assertEq(organizations.create(creation, signature), 2);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertLog(
            logs[0],
            address(organizations),
            topicsOf(IOwnerAuthorization.NonceUsed.selector, toTopic(owner), signedDigest),
            abi.encode(uint256(77))
        );
        assertLog(
            logs[1],
            address(organizations),
            topicsOf(IOrganizationRegistry.OrganizationCreated.selector, toTopic(uint256(2)), toTopic(owner)),
            abi.encode("Zweite")
        );
        assertEq(organizations.adminOf(2), owner);
        assertEq(organizations.memberCountOf(2), 0);
        assertEq(organizations.versionOf(2), 0);
        assertEq(organizations.organizationCount(), 2);

        vm.expectRevert(nonceUsed(owner, 77));
        organizations.create(creation, signature);
    }
}

contract OrganizationRegistryJoinTest is OrganizationRegistryBase {
    function test_refusesAnUnknownOrganization() public {
        for (uint256 id = 0; id < 3; id += 2) {
            IOrganizationRegistry.Join memory entry = joinOf(1, id);
            vm.expectRevert(unknownOrganization(id));
            vm.prank(owner);
            organizations.join(entry, "", noConsent());
        }
    }

    function test_anUnsealedMovedOrUnknownAgentHasNoOwner() public {
        souls.suspend(1);
        for (uint256 tokenId = 1; tokenId < 4; tokenId += 2) {
            IOrganizationRegistry.Join memory entry = joinOf(tokenId, 1);
            bytes memory ownerSignature = signDigest(OWNER_KEY, digest(entry));
            IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
            vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.NoOwner.selector, tokenId));
            organizations.join(entry, ownerSignature, ofAdmin);
        }
    }

    function test_takesBoth() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofStrangerAsAdmin = admit(STRANGER_KEY, entry);

        vm.expectRevert(notOwner(stranger, owner));
        vm.prank(stranger);
        organizations.join(entry, "", noConsent());
        vm.expectRevert(notOwner(owner, orgAdmin));
        vm.prank(owner);
        organizations.join(entry, "", noConsent());
        vm.expectRevert(notOwner(stranger, orgAdmin));
        vm.prank(stranger);
        organizations.join(entry, ofOwner, noConsent());
        vm.expectRevert(notOwner(orgAdmin, owner));
        vm.prank(orgAdmin);
        organizations.join(entry, "", noConsent());
        vm.expectRevert(invalidSignature(owner));
        organizations.join(entry, ofStranger, ofAdmin);
        vm.expectRevert(invalidSignature(orgAdmin));
        organizations.join(entry, ofOwner, ofStrangerAsAdmin);
        vm.expectRevert(invalidSignature(owner));
        organizations.join(entry, ofAdmin.signature, ofAdmin);
        assertMembership(1, 0, 0, 0);
        assertFalse(organizations.isNonceUsed(owner, entry.nonce));
    }

    function test_joinAndAdmissionAreNotInterchangeable() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Admission memory admission = admissionOf(entry);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        bytes memory ownerAdmits = signDigest(OWNER_KEY, digest(admission));
        IOrganizationRegistry.Consent memory adminJoins = IOrganizationRegistry.Consent(
            entry.nonce,
            entry.deadline,
            signDigest(ADMIN_KEY, digest(entry))
        );

        vm.expectRevert(invalidSignature(orgAdmin));
        organizations.join(entry, ofOwner, adminJoins);
        entry.nonce = admission.nonce;
        entry.deadline = admission.deadline;
        vm.expectRevert(invalidSignature(owner));
        organizations.join(entry, ownerAdmits, noConsent());
    }

    function testFuzz_anInvitationOrAnApplicationWaits(bool adminFirst, uint256 wait) public {
        wait = bound(wait, 15 minutes + 1, 7 days);
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Admission memory admission = admissionOf(entry);
        // The first of the two gives the other a week; the second signs for a quarter of an hour.
        uint256 second = block.timestamp + wait;
        entry.deadline = adminFirst ? second + 15 minutes : block.timestamp + 7 days;
        admission.deadline = adminFirst ? block.timestamp + 7 days : second + 15 minutes;
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = IOrganizationRegistry.Consent(
            admission.nonce,
            admission.deadline,
            signDigest(ADMIN_KEY, digest(admission))
        );

        vm.warp(second);
        organizations.join(entry, ofOwner, ofAdmin);
        assertTrue(organizations.isMember(1, 1));
    }

    function test_anInvitationOutlivesAPrune() public {
        join(1, OWNER_KEY);
        souls.seal(1, buyer, buyer, 2);
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Consent memory invitation = admit(ADMIN_KEY, entry);
        vm.prank(stranger);
        organizations.prune(1);
        assertMembership(1, 0, 0, 1);

        vm.prank(buyer);
        organizations.join(entry, "", invitation);
        assertMembership(1, 1, 2, 2);
        assertEq(organizations.memberCountOf(1), 1);
    }

    function testFuzz_anyOtherFieldThanTheSignedOneIsRefused(uint256 field, uint256 noise) public {
        found(orgAdmin);
        souls.seal(3, owner, owner, 1);
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);

        field = bound(field, 0, 5);
        if (field == 0) entry.tokenId = 3;
        if (field == 1) entry.epoch = uint16(bound(noise, 2, 65535));
        if (field == 2) entry.organizationId = 2;
        if (field == 3) entry.version = uint32(bound(noise, 1, type(uint32).max));
        if (field == 4) entry.nonce ^= bound(noise, 1, type(uint256).max);
        if (field == 5) entry.deadline += bound(noise, 1, 365 days);

        vm.expectRevert(invalidSignature(owner));
        organizations.join(entry, ofOwner, ofAdmin);
        if (field == 4) ofAdmin.nonce ^= bound(noise, 1, type(uint256).max);
        if (field == 5) ofAdmin.deadline += bound(noise, 1, 365 days);
        vm.expectRevert(invalidSignature(orgAdmin));
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);
    }

    function test_aSignatureIsForOneContractAndChain() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);

        vm.chainId(8453);
        vm.expectRevert(invalidSignature(owner));
        organizations.join(entry, ofOwner, ofAdmin);
    }

    function test_eachDeadlineIsInclusive() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);

        vm.warp(entry.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, entry.deadline));
        organizations.join(entry, ofOwner, ofAdmin);
        vm.warp(ofAdmin.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, ofAdmin.deadline));
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);

        uint256 snapshotId = vm.snapshotState();
        vm.warp(ofAdmin.deadline);
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);
        assertTrue(organizations.isMember(1, 1));
        vm.revertToState(snapshotId);
        vm.warp(entry.deadline);
        organizations.join(entry, ofOwner, ofAdmin);
        assertTrue(organizations.isMember(1, 1));
    }

    function test_anotherEpochOrVersionIsRefused() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        entry.epoch = 2;
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.WrongEpoch.selector, uint256(1), uint16(2), uint16(1))
        );
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);

        entry = joinOf(1, 1);
        entry.version = 3;
        ofAdmin = admit(ADMIN_KEY, entry);
        vm.expectRevert(wrongVersion(3, 0));
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);
    }

    function test_bothSign() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Admission memory admission = admissionOf(entry);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);

        vm.recordLogs();
        vm.prank(stranger);
        organizations.join(entry, ofOwner, ofAdmin);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 3);
        assertNonceUsed(logs[0], owner, digest(entry), entry.nonce);
        assertNonceUsed(logs[1], orgAdmin, digest(admission), admission.nonce);
        assertJoined(logs[2], 1, owner, orgAdmin, 1, 1, 1);
        assertMembership(1, 1, 1, 1);
        assertEq(organizations.organizationOf(1), 1);
        assertTrue(organizations.isMember(1, 1));
        assertFalse(organizations.isMember(1, 2));
        assertEq(organizations.memberCountOf(1), 1);
        assertFalse(organizations.isNonceUsed(orgAdmin, entry.nonce));
        assertFalse(organizations.isNonceUsed(owner, admission.nonce));

        vm.expectRevert(nonceUsed(owner, entry.nonce));
        organizations.join(entry, ofOwner, ofAdmin);
        vm.expectRevert(nonceUsed(orgAdmin, admission.nonce));
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);
    }

    function test_oneCallsTheOtherSigned() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
        vm.prank(owner);
        organizations.join(entry, "", ofAdmin);
        assertTrue(organizations.isMember(1, 1));
        assertFalse(organizations.isNonceUsed(owner, entry.nonce));
        assertTrue(organizations.isNonceUsed(orgAdmin, ofAdmin.nonce));

        entry = joinOf(2, 1);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(entry));
        vm.prank(orgAdmin);
        organizations.join(entry, ofStranger, noConsent());
        assertTrue(organizations.isMember(2, 1));
        assertEq(organizations.memberCountOf(1), 2);
    }

    function test_anAdminBringsItsOwnAgentWithOneSignature() public {
        souls.seal(3, orgAdmin, orgAdmin, 1);
        souls.seal(4, orgAdmin, orgAdmin, 1);
        IOrganizationRegistry.Join memory entry = joinOf(3, 1);
        organizations.join(entry, signDigest(ADMIN_KEY, digest(entry)), noConsent());
        assertTrue(organizations.isMember(3, 1));

        vm.prank(orgAdmin);
        organizations.join(joinOfUnprepared(4), "", noConsent());
        assertTrue(organizations.isMember(4, 1));
    }

    /// @dev As {joinOf} without a call, which would use up a prank.
    function joinOfUnprepared(uint256 tokenId) internal view returns (IOrganizationRegistry.Join memory) {
        return IOrganizationRegistry.Join(tokenId, 1, 1, 0, 5, block.timestamp);
    }

    function test_walletsAndAccountsWithCodeAgree() public {
        ERC1271Wallet wallet = new ERC1271Wallet(owner);
        souls.seal(1, address(wallet), address(wallet), 1);
        vm.etch(orgAdmin, address(new RefusingCode()).code);
        join(1, OWNER_KEY);
        assertTrue(organizations.isMember(1, 1));

        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(departure));
        vm.expectRevert(invalidSignature(address(wallet)));
        organizations.leaveOrganization(departure, address(wallet), ofStranger);
        vm.prank(owner);
        wallet.execute(
            address(organizations),
            abi.encodeCall(organizations.leaveOrganization, (departure, address(wallet), ""))
        );
        assertMembership(1, 0, 0, 2);
    }

    function test_anAgentBelongsToOneOrganization() public {
        found(orgAdmin);
        join(1, OWNER_KEY);
        for (uint256 id = 1; id < 3; ++id) {
            IOrganizationRegistry.Join memory entry = joinOf(1, id);
            IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
            vm.expectRevert(
                abi.encodeWithSelector(IOrganizationRegistry.AlreadyMember.selector, uint256(1), uint256(1))
            );
            vm.prank(owner);
            organizations.join(entry, "", ofAdmin);
        }
    }

    function test_aDeadMembershipIsReplaced() public {
        join(1, OWNER_KEY);
        souls.seal(1, buyer, buyer, 2);

        vm.recordLogs();
        join(1, BUYER_KEY);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertLog(
            logOf(logs, IOrganizationRegistry.MemberPruned.selector),
            address(organizations),
            topicsOf(IOrganizationRegistry.MemberPruned.selector, toTopic(uint256(1)), toTopic(uint256(1))),
            abi.encode(uint16(1), uint32(1), uint64(0))
        );
        assertJoined(logOf(logs, IOrganizationRegistry.MemberJoined.selector), 1, buyer, orgAdmin, 2, 2, 1);
        assertMembership(1, 1, 2, 2);
        assertTrue(organizations.isMember(1, 1));
        assertEq(organizations.memberCountOf(1), 1);
    }

    function test_aWithheldSignatureIsDeadAfterALaterDecision() public {
        IOrganizationRegistry.Join memory withheld = joinOf(1, 1);
        withheld.nonce = 1000;
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(withheld));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, withheld);
        IOrganizationRegistry.Join memory carriedOut = joinOf(1, 1);
        vm.prank(orgAdmin);
        organizations.join(carriedOut, signDigest(OWNER_KEY, digest(carriedOut)), noConsent());
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        vm.prank(owner);
        organizations.leaveOrganization(departure, owner, "");

        vm.expectRevert(wrongVersion(0, 2));
        organizations.join(withheld, ofOwner, ofAdmin);
    }

    function test_refusesThePreviousOwnersSignature() public {
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(entry));
        IOrganizationRegistry.Consent memory ofAdmin = admit(ADMIN_KEY, entry);
        souls.seal(1, buyer, buyer, 2);

        vm.expectRevert(invalidSignature(buyer));
        organizations.join(entry, ofOwner, ofAdmin);
    }
}

contract OrganizationRegistryLeaveTest is OrganizationRegistryBase {
    function setUp() public override {
        super.setUp();
        join(1, OWNER_KEY);
    }

    function expectNotOwnerOrAdmin(address signer, address liveOwner, address admin) internal {
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotOwnerOrAdmin.selector, signer, liveOwner, admin)
        );
    }

    function test_onlyOwnerAndAdminEndAMembership() public {
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(departure));

        expectNotOwnerOrAdmin(stranger, owner, orgAdmin);
        organizations.leaveOrganization(departure, stranger, ofStranger);
        expectNotOwnerOrAdmin(address(0), owner, orgAdmin);
        organizations.leaveOrganization(departure, address(0), ofStranger);
        vm.expectRevert(invalidSignature(owner));
        organizations.leaveOrganization(departure, owner, ofStranger);
        vm.expectRevert(notOwner(stranger, orgAdmin));
        vm.prank(stranger);
        organizations.leaveOrganization(departure, orgAdmin, "");

        souls.suspend(1);
        bytes memory ofOwner = signDigest(OWNER_KEY, digest(departure));
        expectNotOwnerOrAdmin(owner, address(0), orgAdmin);
        organizations.leaveOrganization(departure, owner, ofOwner);
        expectNotOwnerOrAdmin(address(0), address(0), orgAdmin);
        organizations.leaveOrganization(departure, address(0), ofOwner);
    }

    function test_refusesToEndAMembershipThatIsNotRecorded() public {
        found(orgAdmin);
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        departure.version = 9;
        vm.expectRevert(wrongVersion(9, 1));
        vm.prank(owner);
        organizations.leaveOrganization(departure, owner, "");

        departure = leaveOf(1);
        departure.organizationId = 2;
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotMember.selector, uint256(1), uint256(2), uint16(1))
        );
        vm.prank(orgAdmin);
        organizations.leaveOrganization(departure, orgAdmin, "");

        departure = leaveOf(1);
        departure.epoch = 2;
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotMember.selector, uint256(1), uint256(1), uint16(2))
        );
        vm.prank(owner);
        organizations.leaveOrganization(departure, owner, "");

        departure.organizationId = 3;
        vm.expectRevert(unknownOrganization(3));
        vm.prank(owner);
        organizations.leaveOrganization(departure, owner, "");
    }

    function test_anAdminOfAnotherOrganizationEndsNothing() public {
        found(stranger);
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        departure.organizationId = 2;
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotMember.selector, uint256(1), uint256(2), uint16(1))
        );
        vm.prank(stranger);
        organizations.leaveOrganization(departure, stranger, "");
    }

    function testFuzz_eitherEndsItBySignatureOrCall(bool byAdmin, bool bySignature) public {
        (address signer, uint256 key) = byAdmin ? (orgAdmin, ADMIN_KEY) : (owner, OWNER_KEY);
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        bytes memory signature = bySignature ? signDigest(key, digest(departure)) : bytes("");

        vm.recordLogs();
        vm.prank(bySignature ? stranger : signer);
        organizations.leaveOrganization(departure, signer, signature);

        assertLog(
            logOf(vm.getRecordedLogs(), IOrganizationRegistry.MemberLeft.selector),
            address(organizations),
            topicsOf(
                IOrganizationRegistry.MemberLeft.selector,
                toTopic(uint256(1)),
                toTopic(uint256(1)),
                toTopic(signer)
            ),
            abi.encode(uint16(1), uint32(2), uint64(0))
        );
        assertMembership(1, 0, 0, 2);
        assertEq(organizations.organizationOf(1), 0);
        assertFalse(organizations.isMember(1, 1));
        assertFalse(organizations.isMember(1, 0));
        assertEq(organizations.memberCountOf(1), 0);
        assertEq(organizations.isNonceUsed(signer, departure.nonce), bySignature);
    }

    function test_theAdminEndsASuspendedAgentsMembership() public {
        souls.suspend(1);
        IOrganizationRegistry.Leave memory departure = leaveOf(1);
        vm.prank(orgAdmin);
        organizations.leaveOrganization(departure, orgAdmin, "");
        souls.seal(1, owner, owner, 1);
        assertFalse(organizations.isMember(1, 1));
    }
}

contract OrganizationRegistryAdminTest is OrganizationRegistryBase {
    /// @dev The admin names `newAdmin` by a direct call.
    function name(address admin, address newAdmin) internal {
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(newAdmin);
        vm.prank(admin);
        organizations.changeAdmin(change, "", noConsent());
    }

    function handOver(address from, address to) internal {
        name(from, to);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(to, organizations.versionOf(1));
        vm.prank(to);
        organizations.acceptAdmin(acceptance, "");
    }

    function assertAdmins(address admin, address pendingAdmin, uint32 version) internal view {
        assertEq(organizations.adminOf(1), admin, "admin");
        assertEq(organizations.pendingAdminOf(1), pendingAdmin, "pending admin");
        assertEq(organizations.versionOf(1), version, "version");
    }

    function assertNamed(Vm.Log memory log, address admin, address pendingAdmin, uint32 version) internal view {
        assertLog(
            log,
            address(organizations),
            topicsOf(
                IOrganizationRegistry.AdminNamed.selector,
                toTopic(uint256(1)),
                toTopic(admin),
                toTopic(pendingAdmin)
            ),
            abi.encode(version)
        );
    }

    function assertChanged(Vm.Log memory log, address previousAdmin, address admin, uint32 version) internal view {
        assertLog(
            log,
            address(organizations),
            topicsOf(
                IOrganizationRegistry.AdminChanged.selector,
                toTopic(uint256(1)),
                toTopic(previousAdmin),
                toTopic(admin)
            ),
            abi.encode(version)
        );
    }

    function notPending(address account, address pendingAdmin) internal pure returns (bytes memory) {
        return
            abi.encodeWithSelector(IOrganizationRegistry.NotPendingAdmin.selector, uint256(1), account, pendingAdmin);
    }

    function test_onlyTheAdminNames() public {
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(stranger);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(change));
        vm.expectRevert(invalidSignature(orgAdmin));
        organizations.changeAdmin(change, ofStranger, noConsent());
        vm.expectRevert(notOwner(stranger, orgAdmin));
        vm.prank(stranger);
        organizations.changeAdmin(change, "", noConsent());

        change.organizationId = 2;
        vm.expectRevert(unknownOrganization(2));
        organizations.changeAdmin(change, ofStranger, noConsent());
        assertAdmins(orgAdmin, address(0), 0);
    }

    function test_namesBySignatureAndThePendingAdminDecidesNothing() public {
        join(2, STRANGER_KEY);
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(buyer);
        bytes memory signature = signDigest(ADMIN_KEY, digest(change));

        vm.recordLogs();
        vm.prank(stranger);
        organizations.changeAdmin(change, signature, noConsent());
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertNonceUsed(logs[0], orgAdmin, digest(change), change.nonce);
        assertNamed(logs[1], orgAdmin, buyer, 1);
        assertAdmins(orgAdmin, buyer, 1);

        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Consent memory ofBuyer = admit(BUYER_KEY, entry);
        vm.expectRevert(invalidSignature(orgAdmin));
        vm.prank(owner);
        organizations.join(entry, "", ofBuyer);
        IOrganizationRegistry.Leave memory departure = leaveOf(2);
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotOwnerOrAdmin.selector, buyer, stranger, orgAdmin)
        );
        vm.prank(buyer);
        organizations.leaveOrganization(departure, buyer, "");
        change = namingOf(stranger);
        vm.expectRevert(notOwner(buyer, orgAdmin));
        vm.prank(buyer);
        organizations.changeAdmin(change, "", noConsent());
    }

    function testFuzz_thePendingAdminAcceptsBySignatureOrCall(bool bySignature) public {
        name(orgAdmin, buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory signature = bySignature ? signDigest(BUYER_KEY, digest(acceptance)) : bytes("");

        vm.recordLogs();
        vm.prank(bySignature ? stranger : buyer);
        organizations.acceptAdmin(acceptance, signature);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, bySignature ? 2 : 1);
        if (bySignature) assertNonceUsed(logs[0], buyer, digest(acceptance), acceptance.nonce);
        assertChanged(logs[logs.length - 1], orgAdmin, buyer, 1);
        assertAdmins(buyer, address(0), 1);

        vm.expectRevert(bySignature ? nonceUsed(buyer, acceptance.nonce) : notPending(buyer, address(0)));
        vm.prank(buyer);
        organizations.acceptAdmin(acceptance, signature);
    }

    function test_onlyThePendingAdminAccepts() public {
        name(orgAdmin, buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(acceptance));
        vm.expectRevert(invalidSignature(buyer));
        organizations.acceptAdmin(acceptance, ofStranger);
        vm.expectRevert(notOwner(orgAdmin, buyer));
        vm.prank(orgAdmin);
        organizations.acceptAdmin(acceptance, "");

        acceptance.newAdmin = stranger;
        vm.expectRevert(notPending(stranger, buyer));
        vm.prank(stranger);
        organizations.acceptAdmin(acceptance, "");
        acceptance.newAdmin = address(0);
        vm.expectRevert(invalidSignature(address(0)));
        organizations.acceptAdmin(acceptance, ofStranger);
        vm.expectRevert(notOwner(stranger, address(0)));
        vm.prank(stranger);
        organizations.acceptAdmin(acceptance, "");
        acceptance.organizationId = 2;
        vm.expectRevert(unknownOrganization(2));
        organizations.acceptAdmin(acceptance, ofStranger);
        assertAdmins(orgAdmin, buyer, 1);
    }

    function testFuzz_anAcceptanceIsForTheSignedFieldsOnly(uint256 field, uint256 noise) public {
        found(orgAdmin);
        name(orgAdmin, buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory signature = signDigest(BUYER_KEY, digest(acceptance));

        field = bound(field, 0, 4);
        if (field == 0) acceptance.organizationId = 2;
        if (field == 1) acceptance.newAdmin = stranger;
        if (field == 2) acceptance.version = uint32(bound(noise, 2, type(uint32).max));
        if (field == 3) acceptance.nonce ^= bound(noise, 1, type(uint256).max);
        if (field == 4) acceptance.deadline += bound(noise, 1, 365 days);

        vm.expectRevert(invalidSignature(acceptance.newAdmin));
        organizations.acceptAdmin(acceptance, signature);
        assertAdmins(orgAdmin, buyer, 1);
    }

    function test_anAcceptanceHasItsOwnDeadline() public {
        name(orgAdmin, buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory signature = signDigest(BUYER_KEY, digest(acceptance));
        vm.warp(acceptance.deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, acceptance.deadline));
        organizations.acceptAdmin(acceptance, signature);
        vm.warp(acceptance.deadline);
        organizations.acceptAdmin(acceptance, signature);
        assertAdmins(buyer, address(0), 1);
    }

    function test_bothSignaturesHandOverInOneCall() public {
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory ofAdmin = signDigest(ADMIN_KEY, digest(change));
        IOrganizationRegistry.Consent memory ofBuyer = accept(BUYER_KEY, acceptance);

        vm.recordLogs();
        vm.prank(stranger);
        organizations.changeAdmin(change, ofAdmin, ofBuyer);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 4);
        assertNonceUsed(logs[0], orgAdmin, digest(change), change.nonce);
        assertNamed(logs[1], orgAdmin, buyer, 1);
        assertNonceUsed(logs[2], buyer, digest(acceptance), acceptance.nonce);
        assertChanged(logs[3], orgAdmin, buyer, 1);
        assertAdmins(buyer, address(0), 1);
        vm.expectRevert(invalidSignature(buyer));
        organizations.changeAdmin(change, ofAdmin, ofBuyer);
    }

    function test_theNewAdminHandsOverToItselfWithTheAdminsSignature() public {
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(buyer);
        bytes memory ofAdmin = signDigest(ADMIN_KEY, digest(change));
        vm.prank(buyer);
        organizations.changeAdmin(change, ofAdmin, noConsent());
        assertAdmins(buyer, address(0), 1);
    }

    function test_anInvalidAcceptanceInTheSameCallChangesNothing() public {
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(buyer);
        IOrganizationRegistry.AcceptAdmin memory early = acceptanceOf(buyer, 0);
        bytes memory ofAdmin = signDigest(ADMIN_KEY, digest(change));
        IOrganizationRegistry.Consent[3] memory consents = [
            accept(BUYER_KEY, early),
            accept(STRANGER_KEY, acceptanceOf(buyer, 1)),
            accept(ADMIN_KEY, acceptanceOf(buyer, 1))
        ];
        for (uint256 i = 0; i < consents.length; ++i) {
            vm.expectRevert(invalidSignature(buyer));
            organizations.changeAdmin(change, ofAdmin, consents[i]);
        }
        assertAdmins(orgAdmin, address(0), 0);
        assertFalse(organizations.isNonceUsed(orgAdmin, change.nonce));
    }

    function test_namingZeroWithdraws() public {
        name(orgAdmin, buyer);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(buyer, 1);
        bytes memory signature = signDigest(BUYER_KEY, digest(acceptance));

        vm.recordLogs();
        name(orgAdmin, address(0));
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertNamed(logs[0], orgAdmin, address(0), 2);
        assertAdmins(orgAdmin, address(0), 2);
        vm.expectRevert(wrongVersion(1, 2));
        organizations.acceptAdmin(acceptance, signature);
        acceptance.version = 2;
        vm.expectRevert(notPending(buyer, address(0)));
        vm.prank(buyer);
        organizations.acceptAdmin(acceptance, "");

        // Zero cannot agree.
        IOrganizationRegistry.ChangeAdmin memory change = namingOf(address(0));
        IOrganizationRegistry.Consent memory ofBuyer = accept(BUYER_KEY, acceptanceOf(address(0), 3));
        vm.expectRevert(invalidSignature(address(0)));
        vm.prank(orgAdmin);
        organizations.changeAdmin(change, "", ofBuyer);
    }

    function test_aLaterNamingReplacesTheFormer() public {
        name(orgAdmin, stranger);
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(stranger, 1);
        bytes memory ofStranger = signDigest(STRANGER_KEY, digest(acceptance));
        name(orgAdmin, buyer);

        vm.expectRevert(wrongVersion(1, 2));
        organizations.acceptAdmin(acceptance, ofStranger);
        acceptance.version = 2;
        vm.expectRevert(notPending(stranger, buyer));
        vm.prank(stranger);
        organizations.acceptAdmin(acceptance, "");
        assertAdmins(orgAdmin, buyer, 2);
    }

    function test_aWithheldNamingIsDeadAfterALaterOne() public {
        IOrganizationRegistry.ChangeAdmin memory withheld = namingOf(stranger);
        withheld.nonce = 1000;
        bytes memory signature = signDigest(ADMIN_KEY, digest(withheld));
        handOver(orgAdmin, buyer);
        handOver(buyer, orgAdmin);

        vm.expectRevert(wrongVersion(0, 2));
        organizations.changeAdmin(withheld, signature, noConsent());
    }

    function test_aPreviousAdminDecidesNothing() public {
        join(2, STRANGER_KEY);
        IOrganizationRegistry.Join memory entry = joinOf(1, 1);
        IOrganizationRegistry.Leave memory departure = leaveOf(2);
        IOrganizationRegistry.Consent memory entryConsent = admit(ADMIN_KEY, entry);
        bytes memory departureSignature = signDigest(ADMIN_KEY, digest(departure));
        handOver(orgAdmin, buyer);

        vm.expectRevert(invalidSignature(buyer));
        vm.prank(owner);
        organizations.join(entry, "", entryConsent);
        vm.expectRevert(
            abi.encodeWithSelector(IOrganizationRegistry.NotOwnerOrAdmin.selector, orgAdmin, stranger, buyer)
        );
        organizations.leaveOrganization(departure, orgAdmin, departureSignature);
        assertEq(organizations.memberCountOf(1), 1);
    }

    function test_aWalletAccepts() public {
        ERC1271Wallet wallet = new ERC1271Wallet(buyer);
        name(orgAdmin, address(wallet));
        IOrganizationRegistry.AcceptAdmin memory acceptance = acceptanceOf(address(wallet), 1);
        organizations.acceptAdmin(acceptance, signDigest(BUYER_KEY, digest(acceptance)));
        assertAdmins(address(wallet), address(0), 1);
    }
}

contract OrganizationRegistryPruneTest is OrganizationRegistryBase {
    function expectNotPrunable(uint256 tokenId) internal {
        vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.NotPrunable.selector, tokenId));
        organizations.prune(tokenId);
    }

    function test_onlyDeadMembershipsArePruned() public {
        expectNotPrunable(1);
        expectNotPrunable(99);
        join(1, OWNER_KEY);
        expectNotPrunable(1);
        souls.suspend(1);
        expectNotPrunable(1);
        souls.burn(2);
        expectNotPrunable(2);
    }

    function testFuzz_anyAccountPrunesADeadMembership(address account, bool burned) public {
        vm.assume(account != address(0));
        join(1, OWNER_KEY);
        if (burned) souls.burn(1);
        else souls.seal(1, buyer, buyer, 2);
        assertFalse(organizations.isMember(1, 1));
        assertEq(organizations.memberCountOf(1), 1);

        vm.recordLogs();
        vm.prank(account);
        organizations.prune(1);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(organizations),
            topicsOf(IOrganizationRegistry.MemberPruned.selector, toTopic(uint256(1)), toTopic(uint256(1))),
            abi.encode(uint16(1), uint32(1), uint64(0))
        );
        assertMembership(1, 0, 0, 1);
        assertEq(organizations.memberCountOf(1), 0);
        expectNotPrunable(1);
    }
}

contract OrganizationRegistryRegistrationTest is OrganizationRegistryBase {
    bytes32 internal constant REGISTRATION = keccak256("the owner signed this");

    function consentOf(uint256 key, bytes32 registration, uint256 id) internal view returns (bytes memory) {
        uint256 deadline = block.timestamp + 15 minutes;
        return abi.encode(uint256(5), deadline, signDigest(key, admitDigest(registration, id, 5, deadline)));
    }

    function joinAtRegistration(address registrant, bytes memory consent) internal {
        vm.prank(address(souls));
        organizations.joinAtRegistration(1, 1, registrant, REGISTRATION, consent);
    }

    function test_onlyTheSoulRegistryCalls() public {
        address[3] memory callers = [owner, orgAdmin, stranger];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(IOrganizationRegistry.OnlySoulRegistry.selector, callers[i]);
            vm.expectRevert(refusal);
            vm.prank(callers[i]);
            organizations.joinAtRegistration(1, 1, orgAdmin, REGISTRATION, "");
            vm.expectRevert(refusal);
            vm.prank(callers[i]);
            organizations.joinBatch(1, 1, 1, orgAdmin);
        }
    }

    function test_refusesAnUnknownOrganization() public {
        for (uint256 id = 0; id < 3; id += 2) {
            vm.expectRevert(unknownOrganization(id));
            vm.prank(address(souls));
            organizations.joinAtRegistration(1, id, orgAdmin, REGISTRATION, "");
            vm.expectRevert(unknownOrganization(id));
            vm.prank(address(souls));
            organizations.joinBatch(1, 1, id, orgAdmin);
        }
    }

    function test_takesTheAdminsConsent() public {
        bytes memory required = abi.encodeWithSelector(
            IOrganizationRegistry.AdminConsentRequired.selector,
            uint256(1),
            orgAdmin
        );
        vm.expectRevert(required);
        joinAtRegistration(owner, "");
        vm.expectRevert(required);
        vm.prank(address(souls));
        organizations.joinBatch(1, 1, 1, owner);

        bytes[3] memory forgeries = [
            consentOf(OWNER_KEY, REGISTRATION, 1),
            consentOf(ADMIN_KEY, keccak256("another registration"), 1),
            consentOf(ADMIN_KEY, REGISTRATION, 2)
        ];
        for (uint256 i = 0; i < forgeries.length; ++i) {
            vm.expectRevert(invalidSignature(orgAdmin));
            joinAtRegistration(owner, forgeries[i]);
        }
        bytes memory late = consentOf(ADMIN_KEY, REGISTRATION, 1);
        vm.warp(1_800_000_000 + 15 minutes + 1);
        vm.expectRevert(
            abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, 1_800_000_000 + 15 minutes)
        );
        joinAtRegistration(owner, late);
        assertMembership(1, 0, 0, 0);
    }

    function testFuzz_aCutOrCrookedConsentIsMalformed(uint256 length, uint256 offset) public {
        bytes memory consent = consentOf(ADMIN_KEY, REGISTRATION, 1);
        bytes memory malformed = abi.encodeWithSelector(IOrganizationRegistry.MalformedAdminConsent.selector);
        // Below this the signature's 65 bytes are not all there.
        length = bound(length, 1, 0x80 + 64);
        bytes memory cut = new bytes(length);
        for (uint256 i = 0; i < length; ++i) cut[i] = consent[i];
        vm.expectRevert(malformed);
        joinAtRegistration(owner, cut);

        vm.assume(offset != 0x60);
        assembly ("memory-safe") {
            mstore(add(consent, 0x60), offset)
        }
        vm.expectRevert(malformed);
        joinAtRegistration(owner, consent);
    }

    function test_theAdminConsents() public {
        bytes memory consent = consentOf(ADMIN_KEY, REGISTRATION, 1);
        vm.recordLogs();
        joinAtRegistration(owner, consent);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 2);
        assertLog(
            logs[0],
            address(organizations),
            topicsOf(
                IOwnerAuthorization.NonceUsed.selector,
                toTopic(orgAdmin),
                admitDigest(REGISTRATION, 1, 5, 1_800_000_000 + 15 minutes)
            ),
            abi.encode(uint256(5))
        );
        assertJoined(logs[1], 1, owner, orgAdmin, 1, 1, 1);
        assertMembership(1, 1, 1, 1);
        assertEq(organizations.memberCountOf(1), 1);

        vm.expectRevert(nonceUsed(orgAdmin, 5));
        vm.prank(address(souls));
        organizations.joinAtRegistration(2, 1, owner, REGISTRATION, consent);
    }

    function test_anAdminsOwnRegistrationNeedsNoConsent() public {
        vm.recordLogs();
        joinAtRegistration(orgAdmin, "");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertJoined(logs[0], 1, orgAdmin, orgAdmin, 1, 1, 1);
    }

    function assertJoinedTogether(
        Vm.Log memory log,
        uint256 organizationId,
        uint256 firstTokenId,
        uint256 count,
        uint64 memberCount
    ) internal view {
        assertLog(
            log,
            address(organizations),
            topicsOf(IOrganizationRegistry.MembersJoined.selector, toTopic(organizationId), toTopic(orgAdmin)),
            abi.encode(firstTokenId, count, uint16(1), uint32(1), memberCount)
        );
    }

    function testFuzz_anAdminRegistersMany(uint256 firstTokenId, uint256 count) public {
        count = bound(count, 1, 50);
        firstTokenId = bound(firstTokenId, 1, type(uint56).max);
        for (uint256 i = 0; i < count; ++i) souls.seal(firstTokenId + i, orgAdmin, orgAdmin, 1);

        vm.recordLogs();
        vm.prank(address(souls));
        organizations.joinBatch(firstTokenId, count, 1, orgAdmin);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertJoinedTogether(logs[0], 1, firstTokenId, count, uint64(count));
        for (uint256 i = 0; i < count; ++i) {
            assertMembership(firstTokenId + i, 1, 1, 1);
            assertEq(organizations.organizationOf(firstTokenId + i), 1);
            assertTrue(organizations.isMember(firstTokenId + i, 1));
        }
        for (uint256 i = 1; i <= 6; ++i) {
            if (firstTokenId >= i) assertMembership(firstTokenId - i, 0, 0, 0);
            assertMembership(firstTokenId + count - 1 + i, 0, 0, 0);
        }
        assertEq(organizations.memberCountOf(1), count);
    }

    /// @dev Registrations of 1 to 13 agents, alone or as a batch, into small and the largest ids or
    /// into no organization, one after the other: none changes what its neighbours in a word say,
    /// and each word is what its six places say.
    function testFuzz_neighboursInAWordAreNeverTouched(uint256 firstTokenId, uint256 seed) public {
        firstTokenId = bound(firstTokenId, 1, type(uint56).max);
        countOrganizations(type(uint40).max - 2);
        uint256[4] memory ids = [uint256(0), 1, found(orgAdmin), found(orgAdmin)];
        assertEq(ids[3], type(uint40).max);

        uint256[40] memory expected;
        for (uint256 i = 0; i < expected.length;) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 id = ids[seed % 4];
            uint256 count = bound(seed >> 8, 1, expected.length - i < 13 ? expected.length - i : 13);
            if (id != 0) {
                vm.startPrank(address(souls));
                if (count > 1) organizations.joinBatch(firstTokenId + i, count, id, orgAdmin);
                else organizations.joinAtRegistration(firstTokenId + i, id, orgAdmin, REGISTRATION, "");
                vm.stopPrank();
            }
            for (uint256 end = i + count; i < end; ++i) expected[i] = id;
        }

        for (uint256 i = 0; i < expected.length; ++i) {
            uint256 tokenId = firstTokenId + i;
            bool joined = expected[i] != 0;
            assertMembership(tokenId, expected[i], joined ? 1 : 0, joined ? 1 : 0);
            uint256 word = uint256(vm.load(address(organizations), keccak256(abi.encode(tokenId / 6, WORDS_SLOT))));
            assertEq((word >> (40 * (tokenId % 6))) & type(uint40).max, expected[i], "place in the word");
            assertEq(word >> 240, 0, "beyond the six places");
        }
        for (uint256 i = 1; i <= 6; ++i) {
            if (firstTokenId >= i) assertMembership(firstTokenId - i, 0, 0, 0);
            assertMembership(firstTokenId + 39 + i, 0, 0, 0);
        }
    }

    /// @dev Agents 6 to 11 share a word: one leaves and joins again, one is pruned, and the others
    /// keep what they have.
    function test_aRecordOfItsOwnOverridesTheRegistrations() public {
        for (uint256 tokenId = 6; tokenId < 12; ++tokenId) souls.seal(tokenId, orgAdmin, orgAdmin, 1);
        vm.prank(address(souls));
        organizations.joinBatch(6, 6, 1, orgAdmin);
        bytes32 slot = keccak256(abi.encode(uint256(1), WORDS_SLOT));
        bytes32 word = vm.load(address(organizations), slot);

        IOrganizationRegistry.Leave memory departure = leaveOf(7);
        vm.prank(orgAdmin);
        organizations.leaveOrganization(departure, orgAdmin, "");
        assertMembership(7, 0, 0, 2);
        assertFalse(organizations.isMember(7, 1));
        uint256 other = found(orgAdmin);
        IOrganizationRegistry.Join memory entry = joinOf(7, other);
        vm.prank(orgAdmin);
        organizations.join(entry, "", noConsent());
        assertMembership(7, other, 1, 3);

        souls.seal(9, buyer, buyer, 2);
        organizations.prune(9);
        assertMembership(9, 0, 0, 1);
        assertEq(organizations.organizationOf(9), 0);
        vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.NotPrunable.selector, uint256(9)));
        organizations.prune(9);

        assertEq(organizations.memberCountOf(1), 4);
        assertEq(organizations.memberCountOf(other), 1);
        assertEq(vm.load(address(organizations), slot), word);
        for (uint256 tokenId = 6; tokenId < 12; ++tokenId) {
            if (tokenId == 7 || tokenId == 9) continue;
            assertMembership(tokenId, 1, 1, 1);
            assertTrue(organizations.isMember(tokenId, 1));
        }
    }

    /// @dev An agent that joined nothing at its registration begins with version 0, also when its
    /// neighbours joined.
    function test_anAgentBesideRegisteredMembersJoinsLater() public {
        vm.startPrank(address(souls));
        organizations.joinBatch(12, 2, 1, orgAdmin);
        organizations.joinBatch(15, 3, 1, orgAdmin);
        vm.stopPrank();
        souls.seal(14, owner, owner, 1);
        assertMembership(14, 0, 0, 0);
        join(14, OWNER_KEY);
        assertMembership(14, 1, 1, 1);
        assertMembership(13, 1, 1, 1);
        assertMembership(15, 1, 1, 1);
        assertEq(organizations.memberCountOf(1), 6);
    }
}

contract OrganizationRegistryReadsTest is OrganizationRegistryBase {
    function test_membershipDiesWithTheEpochAndSleepsWhileSuspended() public {
        join(1, OWNER_KEY);
        souls.suspend(1);
        assertFalse(organizations.isMember(1, 1));
        assertEq(organizations.organizationOf(1), 0);
        assertMembership(1, 1, 1, 1);
        souls.seal(1, owner, owner, 1);
        assertTrue(organizations.isMember(1, 1));
        assertEq(organizations.organizationOf(1), 1);
        souls.seal(1, buyer, buyer, 2);
        assertFalse(organizations.isMember(1, 1));
        assertEq(organizations.organizationOf(1), 0);
        souls.burn(1);
        assertFalse(organizations.isMember(1, 1));
    }

    function testFuzz_noReadReverts(uint256 tokenId, uint256 organizationId) public view {
        vm.assume(organizationId != 1);
        assertEq(organizations.organizationOf(tokenId), 0);
        assertFalse(organizations.isMember(tokenId, organizationId));
        assertMembership(tokenId, 0, 0, 0);
        assertEq(organizations.adminOf(organizationId), address(0));
        assertEq(organizations.pendingAdminOf(organizationId), address(0));
        assertEq(organizations.memberCountOf(organizationId), 0);
        assertEq(organizations.versionOf(organizationId), 0);
    }

    function test_namesItsRegistryAndItsInterfaces() public view {
        assertEq(address(organizations.SOUL_REGISTRY()), address(souls));
        assertTrue(organizations.supportsInterface(type(IOrganizationRegistry).interfaceId));
        assertTrue(organizations.supportsInterface(type(IOwnerAuthorization).interfaceId));
        assertTrue(organizations.supportsInterface(0x01ffc9a7));
        assertFalse(organizations.supportsInterface(0xffffffff));
    }
}

/// @dev The same over the real soul registry: nothing above depends on the double.
contract OrganizationRegistryOverRealSoulsTest is SoulRegistryBase {
    function test_membershipFollowsThePassport() public {
        (uint256 tokenId, uint256 passportId) = register("alice");
        OrganizationRegistry organizations = OrganizationRegistry(
            deploy("OrganizationRegistry", abi.encode(ISoulRegistry(address(souls))))
        );
        vm.startPrank(owner);
        organizations.create(IOrganizationRegistry.CreateOrganization("Acme", owner, 0, 0), "");
        organizations.join(
            IOrganizationRegistry.Join(tokenId, 1, 1, 0, 0, 0),
            "",
            IOrganizationRegistry.Consent(0, 0, "")
        );
        assertTrue(organizations.isMember(tokenId, 1));
        identity.transferFrom(owner, stranger, passportId);
        vm.stopPrank();

        assertFalse(organizations.isMember(tokenId, 1));
        assertEq(organizations.organizationOf(tokenId), 0);
        vm.expectRevert(abi.encodeWithSelector(IOrganizationRegistry.NotPrunable.selector, tokenId));
        organizations.prune(tokenId);
        vm.prank(stranger);
        identity.transferFrom(stranger, owner, passportId);
        assertTrue(organizations.isMember(tokenId, 1));
    }
}
