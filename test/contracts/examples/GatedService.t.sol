// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulsDoubleBase} from "../SoulsDouble.sol";
import {Vm} from "../utils/Vm.sol";
import {GatedService} from "../../../contracts/examples/GatedService.sol";
import {IAllowanceVault} from "../../../contracts/interfaces/IAllowanceVault.sol";

/// @dev Allows up to a limit.
contract VaultDouble {
    uint256 public limit;

    function setLimit(uint256 newLimit) external {
        limit = newLimit;
    }

    function canSpend(
        uint256,
        uint256 amount
    ) external view returns (bool allowed, uint8 reason, uint256 remainingToday) {
        allowed = amount <= limit;
        reason = allowed ? 0 : 4;
        remainingToday = limit;
    }
}

contract GatedServiceTest is SoulsDoubleBase {
    uint256 internal constant PRICE = 5_000_000;
    address internal constant OPERATOR = address(0x0909);

    VaultDouble internal vault;
    GatedService internal service;

    function setUp() public override {
        super.setUp();
        vault = new VaultDouble();
        vault.setLimit(PRICE);
        service = GatedService(
            deploy("GatedService", abi.encode(soulRegistry, IAllowanceVault(address(vault)), PRICE))
        );
    }

    function test_takesAnOrder() public {
        vm.recordLogs();
        vm.prank(OPERATOR);
        service.order(1);
        Vm.Log[] memory logs = vm.getRecordedLogs();

        assertEq(logs.length, 1);
        assertLog(
            logs[0],
            address(service),
            topicsOf(GatedService.OrderTaken.selector, toTopic(uint256(1)), toTopic(OPERATOR)),
            abi.encode(PRICE)
        );
    }

    function test_refusesASoulThatIsNotValid() public {
        souls.suspend(1);
        vm.expectRevert(abi.encodeWithSelector(GatedService.SoulNotValid.selector, uint256(1)));
        vm.prank(OPERATOR);
        service.order(1);
        vm.expectRevert(abi.encodeWithSelector(GatedService.SoulNotValid.selector, uint256(99)));
        vm.prank(OPERATOR);
        service.order(99);
    }

    function test_refusesACallerOtherThanTheOperator() public {
        vm.expectRevert(abi.encodeWithSelector(GatedService.NotOperator.selector, uint256(1), owner, OPERATOR));
        vm.prank(owner);
        service.order(1);
    }

    function test_refusesWhatTheAllowanceDoesNotCover() public {
        vault.setLimit(PRICE - 1);
        vm.expectRevert(
            abi.encodeWithSelector(
                GatedService.CannotSpend.selector,
                uint256(1),
                PRICE,
                IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT
            )
        );
        vm.prank(OPERATOR);
        service.order(1);
    }
}
