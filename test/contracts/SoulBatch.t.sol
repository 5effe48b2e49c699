// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulLifeBase} from "./SoulLifeBase.sol";
import {RepeatingRegistry} from "./SoulRegistryBase.sol";
import {IOwnerAuthorization} from "../../contracts/interfaces/IOwnerAuthorization.sol";
import {IOrganizationRegistry} from "../../contracts/interfaces/IOrganizationRegistry.sol";
import {IPassportMint} from "../../contracts/interfaces/IPassportMint.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev Stands where the organization registry does: keeps what it was asked, refuses organization
/// 13.
contract OrganizationsDouble {
    error Refused(uint256 organizationId);

    bytes32 public lastCall;
    uint256 public calls;

    function joinAtRegistration(
        uint256 tokenId,
        uint256 organizationId,
        address owner,
        bytes32 digest,
        bytes calldata consent
    ) external {
        keep(organizationId, keccak256(abi.encode(msg.sender, tokenId, organizationId, owner, digest, consent)));
    }

    function joinBatch(uint256 firstTokenId, uint256 count, uint256 organizationId, address owner) external {
        keep(organizationId, keccak256(abi.encode(msg.sender, firstTokenId, count, organizationId, owner)));
    }

    function keep(uint256 organizationId, bytes32 call) private {
        if (organizationId == 13) revert Refused(organizationId);
        lastCall = call;
        ++calls;
    }
}

abstract contract SoulBatchBase is SoulLifeBase {
    function batchOf(string[] memory names) internal view returns (ISoulRegistry.RegistrationBatch memory batch) {
        batch.owner = owner;
        batch.nonce = 5;
        batch.deadline = vm.getBlockTimestamp() + 15 minutes;
        batch.entries = new ISoulRegistry.BatchEntry[](names.length);
        for (uint256 i = 0; i < names.length; ++i) {
            batch.entries[i] = ISoulRegistry.BatchEntry({
                name: names[i],
                agentType: ISoulRegistry.AgentType(i % 5),
                operator: operatorOf(i),
                soulHash: keccak256(bytes(names[i])),
                soulMerkleRoot: keccak256(bytes.concat("root", bytes(names[i]))),
                contentHash: keccak256(bytes.concat("content", bytes(names[i])))
            });
        }
    }

    /// @dev The second agent's is its owner: stored as none.
    function operatorOf(uint256 index) internal view returns (address) {
        return index == 1 ? owner : address(uint160(0x1000 + index));
    }

    function three() internal pure returns (string[] memory names) {
        names = new string[](3);
        (names[0], names[1], names[2]) = ("alice", "bob", "carol");
    }

    function publicationsFor(uint256 count) internal pure returns (ISoulRegistry.BatchPublication[] memory all) {
        all = new ISoulRegistry.BatchPublication[](count);
        for (uint256 i = 0; i < count; ++i) {
            all[i] = ISoulRegistry.BatchPublication(archiveOf(i), uriOf(i));
        }
    }

    function archiveOf(uint256 index) internal pure returns (bytes32) {
        return keccak256(abi.encode("archive", index));
    }

    function uriOf(uint256 index) internal pure returns (string memory) {
        return string.concat("ar://uri-", string(abi.encodePacked(bytes1(uint8(97 + index)))));
    }

    function anyIds() internal pure returns (ISoulRegistry.BatchExpectation memory expected) {}

    function batchCall(ISoulRegistry.RegistrationBatch memory batch) internal view returns (bytes memory) {
        return
            abi.encodeCall(
                souls.registerBatch,
                (batch, publicationsFor(batch.entries.length), anyIds(), sign(OWNER_KEY, digestOf(hasher.hash(batch))))
            );
    }
}

contract SoulBatchTest is SoulBatchBase {
    function expectEntry(ISoulRegistry.BatchEntry memory entry, uint256 index, uint256 tokenId, bool hasIds) internal {
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulRegistered(
            tokenId,
            tokenId - 1,
            owner,
            entry.name,
            entry.agentType,
            index == 1 ? address(0) : entry.operator,
            0,
            1,
            true
        );
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.SoulSealed(
            tokenId,
            tokenId - 1,
            owner,
            1,
            entry.soulHash,
            entry.soulMerkleRoot,
            entry.contentHash,
            archiveOf(index),
            hasIds,
            address(0)
        );
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.MetadataPending(tokenId, tokenId - 1);
    }

    function test_registersAllWithEveryField() public {
        register("first-agent");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        bytes32 digest = digestOf(hasher.hash(batch));
        bytes memory signature = sign(OWNER_KEY, digest);

        vm.expectEmit(true, true, true, true, address(souls));
        emit IOwnerAuthorization.NonceUsed(owner, 5, digest);
        for (uint256 i = 0; i < 3; ++i) expectEntry(batch.entries[i], i, 2 + i, false);
        vm.prank(registrar);
        (uint256 firstTokenId, uint256 firstPassportId, uint256 count) = souls.registerBatch(
            batch,
            publicationsFor(3),
            anyIds(),
            signature
        );
        assertEq(firstTokenId, 2);
        assertEq(firstPassportId, 1);
        assertEq(count, 3);

        for (uint256 i = 0; i < 3; ++i) assertRegistered(batch.entries[i], i, 2 + i);
        assertEq(identity.balanceOf(address(souls)), 0);
        assertEq(identity.balanceOf(owner), 4);
        assertEq(certificates.balanceOf(owner), 4);
        assertEq(souls.nextTokenId(), 5);
        assertTrue(souls.isNonceUsed(owner, 5));
    }

    function assertRegistered(ISoulRegistry.BatchEntry memory entry, uint256 index, uint256 tokenId) internal view {
        ISoulRegistry.Soul memory soul = souls.soulOf(tokenId);
        assertEq(soul.sealer, owner);
        assertEq(soul.passportId, tokenId - 1);
        assertEq(soul.epoch, 1);
        assertEq(uint256(soul.status), uint256(ISoulRegistry.Status.SEALED));
        assertEq(uint256(soul.agentType), uint256(entry.agentType));
        assertEq(soul.soulHash, entry.soulHash);
        assertEq(soul.soulMerkleRoot, entry.soulMerkleRoot);
        assertEq(soul.operator, index == 1 ? address(0) : entry.operator);
        assertEq(soul.name, entry.name);
        assertTrue(souls.isValid(tokenId));
        assertEq(souls.genesisSoulHashOf(tokenId), entry.soulHash);
        assertEq(souls.tokenOfName(entry.name), tokenId);
        assertEq(souls.tokenOfPassport(tokenId - 1), tokenId);
        assertEq(identity.ownerOf(tokenId - 1), owner);
        assertEq(identity.tokenURI(tokenId - 1), uriOf(index));
        assertEq(identity.getAgentWallet(tokenId - 1), address(0));
        assertEq(identity.getMetadata(tokenId - 1, "svcStatus"), "");
        assertEq(certificates.ownerOf(tokenId), owner);
        assertEq(souls.archiveOf(tokenId), bytes32(0));
    }

    /// @dev A faulty identity registry that hands out one passport twice takes no soul's passport
    /// away.
    function test_refusesAPassportThatCarriesASoulAlready() public {
        register("first-agent");
        address registry = address(identity);
        vm.etch(registry, address(new RepeatingRegistry()).code);
        assertRefused(
            registrar,
            batchCall(batchOf(three())),
            abi.encodeWithSelector(IPassportMint.NotConsecutive.selector, 0, 1)
        );
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 2), noProof(), "", signed(registration))),
            abi.encodeWithSelector(ISoulRegistry.PassportAlreadyBound.selector, 0, 1)
        );
    }

    function test_refusesEmptyAndUnevenBatches() public {
        ISoulRegistry.RegistrationBatch memory batch = batchOf(new string[](0));
        assertRefused(registrar, batchCall(batch), abi.encodeWithSelector(ISoulRegistry.InvalidBatch.selector, 0, 0));
        batch = batchOf(three());
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(batch)));
        assertRefused(
            registrar,
            abi.encodeCall(souls.registerBatch, (batch, publicationsFor(2), anyIds(), signature)),
            abi.encodeWithSelector(ISoulRegistry.InvalidBatch.selector, 3, 2)
        );
    }

    /// @dev One bit for each entry says whether it is left out.
    function test_refusesMoreEntriesThanAWordHasBits() public {
        ISoulRegistry.RegistrationBatch memory batch;
        batch.entries = new ISoulRegistry.BatchEntry[](257);
        ISoulRegistry.BatchPublication[] memory publications = new ISoulRegistry.BatchPublication[](257);
        assertRefused(
            registrar,
            abi.encodeCall(souls.registerBatch, (batch, publications, anyIds(), "")),
            abi.encodeWithSelector(ISoulRegistry.InvalidBatch.selector, 257, 257)
        );
    }

    /// @dev Such files name no ids of souls.
    function test_saysThatFilesNameIdsOnlyWhereBothWereExpected() public {
        register("first-agent");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        bytes memory data = expecting(batch, publicationsFor(3), 0, 1);
        for (uint256 i = 0; i < 3; ++i) expectEntry(batch.entries[i], i, 2 + i, false);
        perform(registrar, data);
    }

    function assertEntryRefused(
        ISoulRegistry.RegistrationBatch memory batch,
        uint256 index,
        bytes memory reason
    ) internal {
        assertRefused(
            registrar,
            batchCall(batch),
            abi.encodeWithSelector(ISoulRegistry.BatchEntryRefused.selector, index, reason)
        );
        assertFalse(souls.isNonceUsed(owner, batch.nonce));
    }

    function test_oneBadEntryRefusesAll() public {
        register("taken");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        batch.entries[2].name = "Carol";
        assertEntryRefused(batch, 2, abi.encodeWithSelector(ISoulRegistry.InvalidName.selector, "Carol"));
        batch.entries[2].name = "a-name-that-is-longer-than-32-bytes";
        assertEntryRefused(
            batch,
            2,
            abi.encodeWithSelector(ISoulRegistry.InvalidName.selector, "a-name-that-is-longer-than-32-bytes")
        );
        batch.entries[2].name = "taken";
        assertEntryRefused(batch, 2, abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "taken", 1));
        batch.entries[2].name = "alice";
        assertEntryRefused(batch, 2, abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "alice", 2));
        batch = batchOf(three());
        batch.entries[0].soulHash = bytes32(0);
        assertEntryRefused(batch, 0, abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));
        batch = batchOf(three());
        batch.entries[1].soulMerkleRoot = bytes32(0);
        assertEntryRefused(batch, 1, abi.encodeWithSelector(ISoulRegistry.EmptySoul.selector));

        assertEq(souls.nextTokenId(), 2);
        assertEq(souls.tokenOfName("bob"), 0);
    }

    /* NAMES TAKEN MEANWHILE */

    /// @dev The first and the last name are taken; the signer allows that.
    function batchWithTakenNames() internal returns (ISoulRegistry.RegistrationBatch memory batch) {
        register("alice");
        register("carol");
        batch = batchOf(three());
        batch.leaveOutTakenNames = true;
    }

    function test_leavesOutTakenNamesWhereItsSignerAllowsThat() public {
        ISoulRegistry.RegistrationBatch memory batch = batchWithTakenNames();
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(batch)));
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.BatchEntryLeftOut(0, "alice", 1);
        vm.expectEmit(true, true, true, true, address(souls));
        emit ISoulRegistry.BatchEntryLeftOut(2, "carol", 2);
        expectEntry(batch.entries[1], 1, 3, false);
        vm.prank(registrar);
        (uint256 firstTokenId, uint256 firstPassportId, uint256 count) = souls.registerBatch(
            batch,
            publicationsFor(3),
            anyIds(),
            signature
        );
        assertEq(firstTokenId, 3);
        assertEq(firstPassportId, 2);
        assertEq(count, 1);
        assertRegistered(batch.entries[1], 1, 3);
        assertEq(souls.nextTokenId(), 4);
        assertEq(certificates.balanceOf(owner), 3);
        assertEq(identity.balanceOf(owner), 3);
    }

    function test_joinsOnlyTheAgentsThatAreNotLeftOut() public {
        ISoulRegistry.RegistrationBatch memory batch = batchWithTakenNames();
        address organizations = address(souls.ORGANIZATION_REGISTRY());
        vm.etch(organizations, address(new OrganizationsDouble()).code);
        batch.organizationId = 4;
        perform(registrar, batchCall(batch));
        assertEq(
            OrganizationsDouble(organizations).lastCall(),
            keccak256(abi.encode(address(souls), uint256(3), uint256(1), uint256(4), owner))
        );
    }

    function test_refusesABatchOfWhichNothingIsLeft() public {
        ISoulRegistry.RegistrationBatch memory batch = batchWithTakenNames();
        register("bob");
        assertRefused(registrar, batchCall(batch), abi.encodeWithSelector(ISoulRegistry.InvalidBatch.selector, 0, 3));
    }

    /* IDS THAT FILES NAME */

    function expecting(
        ISoulRegistry.RegistrationBatch memory batch,
        ISoulRegistry.BatchPublication[] memory publications,
        uint256 firstTokenId,
        uint256 firstPassportId
    ) internal view returns (bytes memory) {
        return
            abi.encodeCall(
                souls.registerBatch,
                (
                    batch,
                    publications,
                    ISoulRegistry.BatchExpectation(firstTokenId, firstPassportId),
                    sign(OWNER_KEY, digestOf(hasher.hash(batch)))
                )
            );
    }

    function test_registersWithTheExpectedIdsOrNotAtAll() public {
        register("first-agent");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        assertRefused(
            registrar,
            expecting(batch, publicationsFor(3), 3, 1),
            abi.encodeWithSelector(ISoulRegistry.UnexpectedTokenId.selector, 3, 2)
        );
        bytes memory data = expecting(batch, publicationsFor(3), 2, 1);
        uint256 before = vm.snapshotState();
        vm.prank(stranger);
        identity.register();
        uint256 gas = gasleft();
        assertRefused(registrar, data, abi.encodeWithSelector(ISoulRegistry.UnexpectedPassportId.selector, 1));
        assertLt(gas - gasleft(), 150_000);
        vm.revertToState(before);
        // An id that the identity registry skips is noticed once the passports are there.
        assertRefused(
            registrar,
            expecting(batch, publicationsFor(3), 2, 9),
            abi.encodeWithSelector(ISoulRegistry.UnexpectedPassportId.selector, 1)
        );
        for (uint256 i = 0; i < 3; ++i) expectEntry(batch.entries[i], i, 2 + i, true);
        perform(registrar, data);
        for (uint256 i = 0; i < 3; ++i) assertRegistered(batch.entries[i], i, 2 + i);
    }

    function test_refusesAnEntryWithoutUriWhoseNameIsFreeWhereIdsAreExpected() public {
        register("first-agent");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        ISoulRegistry.BatchPublication[] memory publications = publicationsFor(3);
        publications[1].agentURI = "";
        bytes memory refusal = abi.encodeWithSelector(ISoulRegistry.EntryWithoutURI.selector, 1);
        assertRefused(registrar, expecting(batch, publications, 2, 1), refusal);
        batch.leaveOutTakenNames = true;
        assertRefused(registrar, expecting(batch, publications, 2, 1), refusal);
    }

    /// @dev A name that was given after the files were made would shift the ids that they name.
    function test_leavesOutWithExpectedIdsOnlyWhatTheRegistrarForesaw() public {
        ISoulRegistry.RegistrationBatch memory batch = batchWithTakenNames();
        ISoulRegistry.BatchPublication[] memory publications = publicationsFor(3);
        publications[0].agentURI = "";
        assertRefused(
            registrar,
            expecting(batch, publications, 3, 2),
            abi.encodeWithSelector(
                ISoulRegistry.BatchEntryRefused.selector,
                2,
                abi.encodeWithSelector(ISoulRegistry.NameTaken.selector, "carol", 2)
            )
        );
        publications[2].agentURI = "";
        perform(registrar, expecting(batch, publications, 3, 2));
        assertRegistered(batch.entries[1], 1, 3);
    }

    function test_onlyTheRegistrarSubmits() public {
        bytes memory data = batchCall(batchOf(three()));
        assertRefused(stranger, data, unauthorized(stranger));
        assertRefused(owner, data, unauthorized(owner));
        assertRefused(admin, data, unauthorized(admin));
        perform(registrar, data);
        assertRefused(registrar, data, abi.encodeWithSelector(IOwnerAuthorization.NonceAlreadyUsed.selector, owner, 5));
    }

    function testFuzz_anyOtherWordThanTheSignedOneIsRefused(uint256 field, uint256 index) public {
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(batch)));
        field = bound(field, 0, 10);
        index = bound(index, 0, 2);
        if (field == 0) batch.owner = stranger;
        if (field == 1) batch.organizationId = 1;
        if (field == 2) batch.nonce += 1;
        if (field == 3) batch.deadline += 1;
        if (field == 4) batch.entries[index].name = "mallory";
        if (field == 5) batch.entries[index].agentType = ISoulRegistry.AgentType.OTHER;
        if (field == 6) batch.entries[index].operator = stranger;
        if (field == 7) batch.entries[index].soulHash = NEW_HASH;
        if (field == 8) batch.entries[index].soulMerkleRoot = NEW_ROOT;
        if (field == 9) batch.entries[index].contentHash = NEW_CONTENT;
        if (field == 10) batch.leaveOutTakenNames = true;
        assertRefused(
            registrar,
            abi.encodeCall(souls.registerBatch, (batch, publicationsFor(3), anyIds(), signature)),
            abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, batch.owner)
        );
    }

    function test_entriesMayBeNeitherLeftOutNorReordered() public {
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        bytes memory signature = sign(OWNER_KEY, digestOf(hasher.hash(batch)));
        bytes memory invalid = abi.encodeWithSelector(IOwnerAuthorization.InvalidSignature.selector, owner);
        string[] memory names = three();
        (names[0], names[2]) = (names[2], names[0]);
        assertRefused(
            registrar,
            abi.encodeCall(souls.registerBatch, (batchOf(names), publicationsFor(3), anyIds(), signature)),
            invalid
        );
        string[] memory fewer = new string[](2);
        (fewer[0], fewer[1]) = ("alice", "bob");
        assertRefused(
            registrar,
            abi.encodeCall(souls.registerBatch, (batchOf(fewer), publicationsFor(2), anyIds(), signature)),
            invalid
        );
    }

    function test_itsDeadlineIsInclusive() public {
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        bytes memory data = batchCall(batch);
        vm.warp(batch.deadline + 1);
        assertRefused(
            registrar,
            data,
            abi.encodeWithSelector(IOwnerAuthorization.DeadlineExpired.selector, batch.deadline)
        );
        vm.warp(batch.deadline);
        perform(registrar, data);
    }
}

contract SoulOrganizationsTest is SoulBatchBase {
    OrganizationsDouble internal organizations;

    /// @dev Puts the double where the real one is.
    function connect() internal {
        organizations = OrganizationsDouble(address(souls.ORGANIZATION_REGISTRY()));
        vm.etch(address(organizations), address(new OrganizationsDouble()).code);
    }

    function test_aRegistrationJoins() public {
        connect();
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.organizationId = 4;
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        souls.register(registration, publicationAt(0, 1), noProof(), "consent", signature);
        assertEq(
            organizations.lastCall(),
            keccak256(
                abi.encode(address(souls), uint256(1), uint256(4), owner, digestOf(registration), bytes("consent"))
            )
        );
        assertEq(organizations.calls(), 1);
    }

    function test_aRefusalRefusesTheRegistration() public {
        connect();
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.organizationId = 13;
        assertRefused(
            registrar,
            abi.encodeCall(souls.register, (registration, publicationAt(0, 1), noProof(), "", signed(registration))),
            abi.encodeWithSelector(OrganizationsDouble.Refused.selector, 13)
        );
        assertEq(souls.nextTokenId(), 1);
        assertEq(identity.balanceOf(owner), 0);
    }

    function test_withoutOrganizationTheOrganizationRegistryIsNotCalled() public {
        connect();
        register("alice");
        perform(registrar, batchCall(batchOf(threeOthers())));
        assertEq(organizations.calls(), 0);
    }

    function threeOthers() internal pure returns (string[] memory names) {
        names = three();
        names[0] = "dave";
    }

    function test_aBatchJoinsOnce() public {
        connect();
        register("first-agent");
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        batch.organizationId = 4;
        perform(registrar, batchCall(batch));
        assertEq(
            organizations.lastCall(),
            keccak256(abi.encode(address(souls), uint256(2), uint256(3), uint256(4), owner))
        );
        assertEq(organizations.calls(), 1);
    }

    function test_aBatchNeedsAnOrganizationAndItsConsent() public {
        ISoulRegistry.RegistrationBatch memory batch = batchOf(three());
        batch.organizationId = 13;
        assertRefused(
            registrar,
            batchCall(batch),
            abi.encodeWithSelector(IOrganizationRegistry.UnknownOrganization.selector, 13)
        );
        connect();
        assertRefused(registrar, batchCall(batch), abi.encodeWithSelector(OrganizationsDouble.Refused.selector, 13));
        assertEq(souls.nextTokenId(), 1);
    }
}
