// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC3009, IERC3009Cancel} from "@openzeppelin/contracts/interfaces/draft-IERC3009.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "./utils/Test.sol";
import {Stablecoin} from "../../contracts/mocks/Stablecoin.sol";

/// @dev The local stand-in for USDC signs as USDC does. Type strings are those of ERC-2612 and
/// ERC-3009.
contract StablecoinTest is Test {
    uint256 internal constant PAYER_KEY = 0xA11CE;
    uint256 internal constant OTHER_KEY = 0xBAD;
    bytes32 internal constant NONCE = keccak256("nonce");
    bytes32 internal constant TRANSFER = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 internal constant RECEIVE = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    address internal payer = vm.addr(PAYER_KEY);
    address internal payee = makeAddr("payee");
    Stablecoin internal coin;

    function setUp() public {
        vm.warp(1_800_000_000);
        coin = new Stablecoin();
        coin.mint(payer, 100);
    }

    function signed(uint256 key, bytes32 structHash) internal view returns (uint8 v, bytes32 r, bytes32 s) {
        return vm.sign(key, keccak256(abi.encodePacked(hex"1901", coin.DOMAIN_SEPARATOR(), structHash)));
    }

    function permitHash(uint256 value, uint256 deadline) internal view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"),
                    payer,
                    payee,
                    value,
                    coin.nonces(payer),
                    deadline
                )
            );
    }

    /// @dev Valid in this second: both bounds are exclusive.
    function authorizationHash(bytes32 typehash) internal view returns (bytes32) {
        return keccak256(abi.encode(typehash, payer, payee, 7, block.timestamp - 1, block.timestamp + 1, NONCE));
    }

    function test_itsDomainHasTheFormOfUSDC() public view {
        assertEq(
            coin.DOMAIN_SEPARATOR(),
            keccak256(
                abi.encode(
                    keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                    keccak256(bytes(coin.name())),
                    keccak256("2"),
                    block.chainid,
                    address(coin)
                )
            )
        );
        assertEq(coin.version(), "2");
        assertEq(coin.decimals(), 6);
    }

    function test_aPermitApprovesOnce() public {
        (uint8 v, bytes32 r, bytes32 s) = signed(PAYER_KEY, permitHash(9, block.timestamp));
        vm.expectEmit(address(coin));
        emit IERC20.Approval(payer, payee, 9);
        coin.permit(payer, payee, 9, block.timestamp, v, r, s);
        assertEq(coin.allowance(payer, payee), 9);
        assertEq(coin.nonces(payer), 1);

        vm.expectRevert();
        coin.permit(payer, payee, 9, block.timestamp, v, r, s);
    }

    function test_refusesAnExpiredOrForgedPermit() public {
        uint256 deadline = block.timestamp - 1;
        (uint8 v, bytes32 r, bytes32 s) = signed(PAYER_KEY, permitHash(9, deadline));
        vm.expectRevert(abi.encodeWithSelector(Stablecoin.PermitExpired.selector, deadline));
        coin.permit(payer, payee, 9, deadline, v, r, s);

        deadline = block.timestamp;
        (v, r, s) = signed(OTHER_KEY, permitHash(9, deadline));
        vm.expectRevert(abi.encodeWithSelector(Stablecoin.InvalidPermit.selector, vm.addr(OTHER_KEY), payer));
        coin.permit(payer, payee, 9, deadline, v, r, s);
    }

    function test_transfersOnceWithAuthorization() public {
        (uint8 v, bytes32 r, bytes32 s) = signed(PAYER_KEY, authorizationHash(TRANSFER));
        (uint256 validAfter, uint256 validBefore) = (block.timestamp - 1, block.timestamp + 1);
        vm.expectEmit(address(coin));
        emit IERC3009.AuthorizationUsed(payer, NONCE);
        coin.transferWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);
        assertEq(coin.balanceOf(payee), 7);
        assertTrue(coin.authorizationState(payer, NONCE));

        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, payer, NONCE));
        coin.transferWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);
    }

    function test_refusesAnAuthorizationOfAnotherSignerOrTime() public {
        (uint256 validAfter, uint256 validBefore) = (block.timestamp - 1, block.timestamp + 1);
        (uint8 v, bytes32 r, bytes32 s) = signed(OTHER_KEY, authorizationHash(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009InvalidSignature.selector));
        coin.transferWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);

        (v, r, s) = signed(PAYER_KEY, authorizationHash(TRANSFER));
        uint256[2] memory times = [validAfter, validBefore];
        for (uint256 i; i < times.length; ++i) {
            vm.warp(times[i]);
            vm.expectRevert(
                abi.encodeWithSelector(ERC3009.ERC3009InvalidAuthorizationTime.selector, validAfter, validBefore)
            );
            coin.transferWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);
        }
    }

    function test_onlyThePayeeReceivesWithAuthorization() public {
        (uint256 validAfter, uint256 validBefore) = (block.timestamp - 1, block.timestamp + 1);
        (uint8 v, bytes32 r, bytes32 s) = signed(PAYER_KEY, authorizationHash(RECEIVE));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, payee));
        coin.receiveWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);

        vm.prank(payee);
        coin.receiveWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);
        assertEq(coin.balanceOf(payee), 7);
    }

    function test_aCancelledAuthorizationIsDead() public {
        bytes32 cancellation = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
        (uint8 v, bytes32 r, bytes32 s) = signed(PAYER_KEY, keccak256(abi.encode(cancellation, payer, NONCE)));
        vm.expectEmit(address(coin));
        emit IERC3009Cancel.AuthorizationCanceled(payer, NONCE);
        coin.cancelAuthorization(payer, NONCE, v, r, s);

        (uint256 validAfter, uint256 validBefore) = (block.timestamp - 1, block.timestamp + 1);
        (v, r, s) = signed(PAYER_KEY, authorizationHash(TRANSFER));
        vm.expectRevert(abi.encodeWithSelector(ERC3009.ERC3009UsedAuthorization.selector, payer, NONCE));
        coin.transferWithAuthorization(payer, payee, 7, validAfter, validBefore, NONCE, v, r, s);
    }
}
