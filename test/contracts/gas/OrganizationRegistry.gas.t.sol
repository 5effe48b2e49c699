// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OrganizationRegistry} from "../../../contracts/OrganizationRegistry.sol";
import {IOrganizationRegistry} from "../../../contracts/interfaces/IOrganizationRegistry.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}.
contract OrganizationRegistryGas is SoulLifeBase, GasScenarios {
    uint256 internal constant ADMIN_KEY = 0xAD417;

    address internal orgAdmin = vm.addr(ADMIN_KEY);
    OrganizationRegistry internal organizations;

    function setUp() public override {
        super.setUp();
        organizations = OrganizationRegistry(address(souls.ORGANIZATION_REGISTRY()));
        sealedSoul("alice");
        sealedSoul("bob");
    }

    function signatureOf(uint256 key, bytes32 structHash) internal view returns (bytes memory) {
        return sign(key, digestFor("OrganizationRegistry", address(organizations), structHash));
    }

    function deadline() internal view returns (uint256) {
        return vm.getBlockTimestamp() + 15 minutes;
    }

    function found() internal {
        IOrganizationRegistry.CreateOrganization memory creation = IOrganizationRegistry.CreateOrganization(
            "Acme",
            orgAdmin,
            ++noncesGiven,
            deadline()
        );
        bytes32 typeHash = keccak256("CreateOrganization(string name,address admin,uint256 nonce,uint256 deadline)");
        bytes32 structHash = keccak256(
            abi.encode(typeHash, keccak256(bytes(creation.name)), creation.admin, creation.nonce, creation.deadline)
        );
        organizations.create(creation, signatureOf(ADMIN_KEY, structHash));
    }

    function noConsent() internal pure returns (IOrganizationRegistry.Consent memory) {
        return IOrganizationRegistry.Consent(0, 0, "");
    }

    function join(uint256 tokenId) internal {
        (, , uint32 version) = organizations.membershipOf(tokenId);
        IOrganizationRegistry.Join memory entry = IOrganizationRegistry.Join(
            tokenId,
            souls.epochOf(tokenId),
            1,
            version,
            ++noncesGiven,
            deadline()
        );
        string memory fields =
            "(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)";
        bytes32 structHash = keccak256(abi.encode(keccak256(abi.encodePacked("Join", fields)), entry));
        bytes32 admissionHash = keccak256(abi.encode(keccak256(abi.encodePacked("Admission", fields)), entry));
        organizations.join(
            entry,
            signatureOf(OWNER_KEY, structHash),
            IOrganizationRegistry.Consent(entry.nonce, entry.deadline, signatureOf(ADMIN_KEY, admissionHash))
        );
    }

    function leave(uint256 tokenId, address signer, uint256 key) internal {
        (uint256 organizationId, uint16 epoch, uint32 version) = organizations.membershipOf(tokenId);
        IOrganizationRegistry.Leave memory departure = IOrganizationRegistry.Leave(
            tokenId,
            epoch,
            organizationId,
            version,
            ++noncesGiven,
            deadline()
        );
        bytes32 typeHash = keccak256(
            "Leave(uint256 tokenId,uint16 epoch,uint256 organizationId,uint32 version,uint256 nonce,uint256 deadline)"
        );
        bytes memory signature = signatureOf(key, keccak256(abi.encode(typeHash, departure)));
        organizations.leaveOrganization(departure, signer, signature);
    }

    /// hardhat-config: isolate = true
    function test_founds() public {
        found();
        found();
    }

    /// hardhat-config: isolate = true
    function test_joinsAndLeaves() public {
        found();
        join(1);
        join(2);
        leave(1, owner, OWNER_KEY);
        leave(2, orgAdmin, ADMIN_KEY);
    }

    function naming(
        address newAdmin
    ) internal returns (IOrganizationRegistry.ChangeAdmin memory change, bytes memory signature) {
        change = IOrganizationRegistry.ChangeAdmin(1, newAdmin, organizations.versionOf(1), ++noncesGiven, deadline());
        bytes32 typeHash = keccak256(
            "ChangeAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        signature = signatureOf(ADMIN_KEY, keccak256(abi.encode(typeHash, change)));
    }

    function acceptance(
        uint32 version
    ) internal returns (IOrganizationRegistry.AcceptAdmin memory accepted, bytes memory signature) {
        accepted = IOrganizationRegistry.AcceptAdmin(1, owner, version, ++noncesGiven, deadline());
        bytes32 typeHash = keccak256(
            "AcceptAdmin(uint256 organizationId,address newAdmin,uint32 version,uint256 nonce,uint256 deadline)"
        );
        signature = signatureOf(OWNER_KEY, keccak256(abi.encode(typeHash, accepted)));
    }

    /// hardhat-config: isolate = true
    function test_namesAndAccepts() public {
        found();
        (IOrganizationRegistry.ChangeAdmin memory change, bytes memory signature) = naming(owner);
        organizations.changeAdmin(change, signature, noConsent());
        (IOrganizationRegistry.AcceptAdmin memory accepted, bytes memory ofOwner) = acceptance(1);
        organizations.acceptAdmin(accepted, ofOwner);
    }

    /// hardhat-config: isolate = true
    function test_handsOverInOneCall() public {
        found();
        (IOrganizationRegistry.ChangeAdmin memory change, bytes memory signature) = naming(owner);
        (IOrganizationRegistry.AcceptAdmin memory accepted, bytes memory ofOwner) = acceptance(1);
        IOrganizationRegistry.Consent memory consent = IOrganizationRegistry.Consent(
            accepted.nonce,
            accepted.deadline,
            ofOwner
        );
        organizations.changeAdmin(change, signature, consent);
    }

    /// hardhat-config: isolate = true
    function test_prunes() public {
        found();
        join(1);
        relay(Operation.BURN, 1);
        organizations.prune(1);
    }

    /// @dev As transactions of their own; within the soul registry's they cost their base cost
    /// less.
    /// hardhat-config: isolate = true
    function test_joinsAtRegistration() public {
        found();
        bytes32 registration = keccak256("the owner signed this");
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("Admit(bytes32 registrationDigest,uint256 organizationId,uint256 nonce,uint256 deadline)"),
                registration,
                uint256(1),
                uint256(500),
                deadline()
            )
        );
        bytes memory consent = abi.encode(uint256(500), deadline(), signatureOf(ADMIN_KEY, structHash));

        vm.startPrank(address(souls));
        organizations.joinAtRegistration(10, 1, owner, registration, consent);
        organizations.joinBatch(11, 3, 1, orgAdmin);
        organizations.joinBatch(101, 50, 1, orgAdmin);
        vm.stopPrank();
    }

    /// hardhat-config: isolate = true
    function test_reads() public {
        found();
        join(1);
        organizations.organizationOf(1);
        organizations.isMember(1, 1);
        organizations.membershipOf(1);
        organizations.adminOf(1);
        organizations.pendingAdminOf(1);
        organizations.memberCountOf(1);
        organizations.versionOf(1);
        organizations.organizationCount();
    }

    /// hardhat-config: isolate = true
    function test_readsConstants() public view {
        organizations.SOUL_REGISTRY();
        callInterfaces(address(organizations));
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(organizations));
    }
}
