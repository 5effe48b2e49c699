// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISoulRegistry} from "../../../contracts/interfaces/ISoulRegistry.sol";
import {IOrganizationRegistry} from "../../../contracts/interfaces/IOrganizationRegistry.sol";
import {SoulBatchBase} from "../SoulBatch.t.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. Human verification is a double: see {HumanVerifierRegistryGas} for what
/// it costs.
contract SoulRegistryGas is SoulBatchBase, GasScenarios {
    /* REGISTRATION */

    /// hardhat-config: isolate = true
    function test_registers() public {
        register("first-agent");
        register("second-agent");
        register("third-agent");
    }

    /// hardhat-config: isolate = true
    function test_registersProvisionally() public {
        provisional("alice");
    }

    /// hardhat-config: isolate = true
    function test_registersOnAnApprovedPassport() public {
        vm.prank(owner);
        uint256 passportId = identity.register("ar://before");
        approveWriter(owner);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        (registration.bindPassport, registration.passportId) = (true, passportId);
        registration.agentURI = "ar://after";
        submit(registration, publicationAt(passportId, 1), signed(registration));
    }

    /// hardhat-config: isolate = true
    function test_registersAPersonsAgentInAnOrganization() public {
        IOrganizationRegistry organizations = souls.ORGANIZATION_REGISTRY();
        vm.prank(owner);
        organizations.create(IOrganizationRegistry.CreateOrganization("Acme", owner, 0, 0), "");
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        registration.organizationId = 1;
        ISoulRegistry.HumanProof memory proof = human("person");
        (registration.humanVerifier, registration.humanProofHash) = (proof.verifier, proofHashOf(proof));
        bytes memory signature = signed(registration);
        vm.prank(registrar);
        souls.register(registration, publicationAt(0, 1), proof, "", signature);
    }

    /// hardhat-config: isolate = true
    function test_registersABatch() public {
        perform(registrar, batchCall(batchOf(three())));
    }

    /* LIFE */

    /// @dev Relayed with a signature, and over the same state by the owner's own call.
    function bothWays(Operation operation) internal {
        stage(operation);
        uint256 before = vm.snapshotState();
        relay(operation, 1);
        vm.revertToState(before);
        perform(actorOf(operation), callOf(operation, termsOf(1), ""));
    }

    /// hardhat-config: isolate = true
    function test_seals() public {
        bothWays(Operation.SEAL);
    }

    /// hardhat-config: isolate = true
    function test_revises() public {
        bothWays(Operation.REVISE);
    }

    /// @dev A second revision finds the first soul's hash kept already, and here it also writes
    /// metadata.
    /// hardhat-config: isolate = true
    function test_revisesApproved() public {
        sealedSoul("alice");
        approveWriter(owner);
        relay(Operation.REVISE, 1);
        relay(Operation.REVISE, 1);
    }

    /// hardhat-config: isolate = true
    function test_reseals() public {
        bothWays(Operation.RESEAL);
    }

    /// hardhat-config: isolate = true
    function test_changesTheOperator() public {
        bothWays(Operation.CHANGE_OPERATOR);
    }

    /// hardhat-config: isolate = true
    function test_burns() public {
        bothWays(Operation.BURN);
    }

    /// hardhat-config: isolate = true
    function test_suspendsBySealer() public {
        bothWays(Operation.SUSPEND);
    }

    /// hardhat-config: isolate = true
    function test_setsTheDidArchive() public {
        bothWays(Operation.SET_DID_ARCHIVE);
    }

    /// hardhat-config: isolate = true
    function test_releases() public {
        bothWays(Operation.RELEASE);
    }

    /// hardhat-config: isolate = true
    function test_suspends() public {
        sealedSoul("alice");
        move(0, buyer);
        souls.suspend(1);
    }

    /* READS */

    /// hardhat-config: isolate = true
    function test_reads() public {
        sealedSoul("alice");
        souls.authorityOf(1);
        souls.isValid(1);
        souls.validityOf(1);
        souls.soulOf(1);
        souls.epochOf(1);
        souls.tokenOfPassport(0);
        souls.tokenOfName("alice");
        souls.nextTokenId();
        souls.humanVerified(1);
        souls.genesisSoulHashOf(1);
        souls.didArchiveOf(1);
        souls.versionOf(1);
        souls.liveEpochOf(1);
        souls.passportOf(1);
        souls.suspensionOf(1);
        souls.isSuspended(1);
        souls.sealerOf(1);
        souls.archiveOf(1);
        souls.successorOf(1);
    }

    /// hardhat-config: isolate = true
    function test_registersWithAReservation() public {
        vm.prank(registrar);
        souls.reserve(25);
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        ISoulRegistry.Publication memory publication = publicationAt(0, 1);
        publication.reservation = 1;
        submit(registration, publication, signed(registration));
    }

    /// hardhat-config: isolate = true
    function test_readsAfterASale() public {
        humanSoul("alice");
        souls.humanVerified(1);
        move(0, buyer);
        souls.suspend(1);
        souls.authorityOf(1);
        souls.isValid(1);
        souls.validityOf(1);
        souls.humanVerified(1);
        souls.suspensionOf(1);
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        souls.IDENTITY_REGISTRY();
        souls.CERTIFICATE();
        souls.HUMAN_VERIFIERS();
        souls.ORGANIZATION_REGISTRY();
        souls.PASSPORT_WRITER();
        souls.PASSPORT_MINT();
        souls.REGISTRARS();
        callInterfaces(address(souls));
    }

    /* INHERITED */

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(souls));
    }
}
