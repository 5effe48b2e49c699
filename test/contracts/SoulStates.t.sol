// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulSuspensionBase} from "./SoulSuspension.t.sol";
import {AllowanceVault} from "../../contracts/AllowanceVault.sol";
import {BindingRegistry} from "../../contracts/BindingRegistry.sol";
import {IAllowanceVault} from "../../contracts/interfaces/IAllowanceVault.sol";
import {IBindingRegistry} from "../../contracts/interfaces/IBindingRegistry.sol";
import {IOrganizationRegistry} from "../../contracts/interfaces/IOrganizationRegistry.sol";
import {IPassportWriter} from "../../contracts/interfaces/IPassportWriter.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";

/// @dev The state table of a soul that lives: mark, passport and status, each combination against
/// every operation. The observed owner is the buyer; the observation is a block old and fresh.
contract SoulStatesTest is SoulSuspensionBase {
    enum Place {
        SEALER,
        OBSERVED,
        THIRD
    }

    struct State {
        bool marked;
        Place place;
        bool isSealed;
    }

    AllowanceVault internal vault;
    BindingRegistry internal bindings;
    IOrganizationRegistry internal organizations;

    function setUp() public override {
        super.setUp();
        vault = AllowanceVault(deploy("AllowanceVault", abi.encode(souls, deploy("Stablecoin", ""))));
        bindings = BindingRegistry(deploy("BindingRegistry", abi.encode(souls, admin, admin, 0)));
        organizations = souls.ORGANIZATION_REGISTRY();
        vm.prank(owner);
        organizations.create(IOrganizationRegistry.CreateOrganization("Guild", owner, 0, 0), "");
    }

    /// @dev Runs `check` in each of the twelve states.
    function forEachState(function(State memory) internal check) internal {
        for (uint256 i = 0; i < 12; ++i) {
            uint256 snapshot = vm.snapshotState();
            State memory state = State(i % 2 == 1, Place((i / 2) % 3), i >= 6);
            bring(state);
            check(state);
            vm.revertToState(snapshot);
        }
    }

    /// @dev Soul 1 joins the organization at its registration, and soul 2 is there to be bound to.
    function bring(State memory state) internal {
        ISoulRegistry.Registration memory registration = registrationOf("alice");
        (registration.seal, registration.organizationId) = (state.isSealed, 1);
        submit(registration, publicationAt(0, 1), signed(registration));
        sealedSoul("second");
        if (state.marked) sellAndObserve(1);
        address holder = holderIn(state);
        if (identity.ownerOf(0) != holder) move(0, holder);
    }

    function holderIn(State memory state) internal view returns (address) {
        if (state.place == Place.SEALER) return owner;
        return state.place == Place.OBSERVED ? buyer : other;
    }

    function isLive(State memory state) internal pure returns (bool) {
        return !state.marked && state.place == Place.SEALER;
    }

    /// @dev What the sealer's operation answers; empty when it is done.
    function expectedOfSealer(Operation operation, State memory state) internal view returns (bytes memory) {
        if (!isLive(state)) {
            return abi.encodeWithSelector(ISoulRegistry.SoulSuspended.selector, 1, owner, holderIn(state));
        }
        if (operation == Operation.BURN || state.isSealed != (operation == Operation.SEAL)) return "";
        ISoulRegistry.Status status = state.isSealed ? ISoulRegistry.Status.SEALED : ISoulRegistry.Status.PROVISIONAL;
        return abi.encodeWithSelector(ISoulRegistry.WrongStatus.selector, 1, status);
    }

    /// @dev What a reseal or release of the passport's live owner answers; empty when it is done.
    function expectedOfHolder(State memory state) internal view returns (bytes memory) {
        if (!state.marked) return notSuspended();
        return state.place == Place.OBSERVED ? bytes("") : notObserved(holderIn(state));
    }

    function expectedOfSuspend(State memory state) internal view returns (bytes memory) {
        if (!state.marked) return state.place == Place.SEALER ? notSuspended() : bytes("");
        return state.place == Place.OBSERVED ? alreadySuspended(buyer) : bytes("");
    }

    function assertAnswers(address caller, bytes memory data, bytes memory expected) internal {
        assertAnswersAt(address(souls), caller, data, expected);
    }

    /// @dev Tries, and takes back what was done.
    function assertAnswersAt(address target, address caller, bytes memory data, bytes memory expected) internal {
        uint256 snapshot = vm.snapshotState();
        vm.prank(caller);
        (bool success, bytes memory answer) = target.call(data);
        if (expected.length == 0) assertTrue(success, "was refused");
        else assertEq(answer, expected);
        assertEq(success, expected.length == 0);
        vm.revertToState(snapshot);
    }

    function test_everyOperationOfTheSoulRegistryInEveryState() public {
        forEachState(checkOperations);
    }

    function checkOperations(State memory state) internal {
        address holder = holderIn(state);
        for (uint256 i = 0; i < OPERATIONS; ++i) {
            Operation operation = Operation(i);
            bool ends = endsSuspension(operation);
            bytes memory expected = ends ? expectedOfHolder(state) : expectedOfSealer(operation, state);
            // {callOf} names the buyer as the new owner: here it is the passport's owner.
            address buyer_ = buyer;
            buyer = holder;
            bytes memory data = callOf(operation, termsOf(1), "");
            buyer = buyer_;
            assertAnswers(ends ? holder : owner, data, expected);
        }
        assertAnswers(stranger, suspendCall(), expectedOfSuspend(state));
    }

    function test_everyReadInEveryState() public {
        forEachState(checkReads);
    }

    function checkReads(State memory state) internal view {
        bool valid = state.isSealed && isLive(state);
        assertEq(souls.isValid(1), valid);
        assertEq(souls.liveEpochOf(1), valid ? 1 : 0);
        assertEq(souls.isSuspended(1), state.marked);
        (address authority, address operator, uint16 epoch) = souls.authorityOf(1);
        assertEq(authority, valid ? owner : address(0));
        assertEq(operator, valid ? OPERATOR : address(0));
        assertEq(epoch, 1);
        (ISoulRegistry.Validity validity, address passportOwner) = souls.validityOf(1);
        ISoulRegistry.Validity expected = valid ? ISoulRegistry.Validity.VALID : ISoulRegistry.Validity.SUSPENDED;
        if (!state.isSealed) expected = ISoulRegistry.Validity.NOT_LINKED;
        assertEq(uint256(validity), uint256(expected));
        assertEq(passportOwner, holderIn(state));
        assertEq(souls.sealerOf(1), owner);
        assertEq(certificates.ownerOf(1), owner);
    }

    function test_everyOwnersDecisionOfTheOtherContractsInEveryState() public {
        forEachState(checkOtherContracts);
    }

    /// @dev A provisional soul has no owner for them either.
    function checkOtherContracts(State memory state) internal {
        bool valid = state.isSealed && isLive(state);
        address[2] memory callers = [owner, holderIn(state)];
        for (uint256 i = 0; i < 2; ++i) {
            bytes memory notOwner = abi.encodeWithSignature("NotOwner(address,address)", callers[i], owner);
            bool isOwner = callers[i] == owner;
            bytes memory refusal = isOwner ? bytes("") : notOwner;

            assertAnswersAt(
                address(bindings),
                callers[i],
                abi.encodeCall(
                    bindings.setBinding,
                    (IBindingRegistry.SetBinding(1, 1, 2, 1, IBindingRegistry.TrustLevel.TRUSTED, "", 0, 0, 0), "")
                ),
                valid ? refusal : abi.encodeWithSelector(IBindingRegistry.NoOwner.selector, 1)
            );
            // Nothing was set that could be ended: the next check after the owner's.
            bytes memory notSet = abi.encodeWithSelector(IAllowanceVault.WrongVersion.selector, 1, 7, 0);
            assertAnswersAt(
                address(vault),
                callers[i],
                abi.encodeCall(vault.deactivate, (IAllowanceVault.DeactivateAllowance(1, 1, 7, 0, 0), "")),
                valid ? (isOwner ? notSet : notOwner) : abi.encodeWithSelector(IAllowanceVault.NoOwner.selector, 1)
            );
        }
        assertEq(organizations.isMember(1, 1), valid);
        assertEq(organizations.organizationOf(1), valid ? 1 : 0);
        checkWriter(state);
    }

    /// @dev A provisional soul's owner writes its passport too.
    function checkWriter(State memory state) internal {
        approveWriter(holderIn(state));
        IPassportWriter.SetAgentURI memory change = IPassportWriter.SetAgentURI(
            1,
            1,
            0,
            keccak256(bytes(identity.tokenURI(0))),
            "ar://another",
            0,
            0
        );
        assertAnswersAt(
            address(writer),
            owner,
            abi.encodeCall(writer.setAgentURI, (change, "")),
            isLive(state)
                ? bytes("")
                : abi.encodeWithSelector(IPassportWriter.SoulSuspended.selector, 1, owner, holderIn(state))
        );
    }
}
