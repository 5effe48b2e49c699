// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SoulBatchBase} from "./SoulBatch.t.sol";
import {SoulCertificate} from "../../contracts/SoulCertificate.sol";
import {SoulRegistry} from "../../contracts/SoulRegistry.sol";
import {IdentityRegistry} from "../../contracts/erc8004/IdentityRegistry.sol";
import {ISoulCertificate} from "../../contracts/interfaces/ISoulCertificate.sol";
import {ISoulRegistry} from "../../contracts/interfaces/ISoulRegistry.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Vm} from "./utils/Vm.sol";

/// @dev Stands where the identity registry does, and in the middle of each call looks at what the
/// protocol says then. It also tries what a hostile registry would: to suspend the soul that is
/// being registered.
contract CuriousRegistry {
    struct Sight {
        address owner;
        uint256 balance;
        bool valid;
        address authority;
        address sealer;
        uint256 carried;
        bool suspendable;
    }

    Sight[] public sights;
    SoulRegistry private _souls;
    address private _holder;
    uint256 private _firstTokenId;
    uint256 private _nextPassportId;
    mapping(uint256 passportId => address owner) public ownerOf;

    function watch(SoulRegistry souls, address holder, uint256 firstTokenId, uint256 firstPassportId) external {
        (_souls, _holder, _firstTokenId) = (souls, holder, firstTokenId);
        _nextPassportId = firstPassportId;
    }

    function count() external view returns (uint256) {
        return sights.length;
    }

    function register(string calldata) external returns (uint256) {
        return mint();
    }

    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    function register(string calldata, MetadataEntry[] calldata) external returns (uint256) {
        return mint();
    }

    function setAgentURI(uint256, string calldata) external {
        look();
    }

    function transferFrom(address, address to, uint256 passportId) external {
        look();
        ownerOf[passportId] = to;
    }

    function mint() private returns (uint256 passportId) {
        look();
        passportId = _nextPassportId++;
        ownerOf[passportId] = msg.sender;
    }

    function look() private {
        SoulCertificate certificates = SoulCertificate(address(_souls.CERTIFICATE()));
        (address authority, , ) = _souls.authorityOf(_firstTokenId);
        (bool suspendable, ) = address(_souls).call(abi.encodeCall(_souls.suspend, (_firstTokenId)));
        sights.push(
            Sight({
                owner: certificates.ownerOf(_firstTokenId),
                balance: certificates.balanceOf(_holder),
                valid: _souls.isValid(_firstTokenId),
                authority: authority,
                sealer: _souls.sealerOf(_firstTokenId),
                carried: _souls.tokenOfPassport(0),
                suspendable: suspendable
            })
        );
    }
}

/// @dev The certificate's log against what it answers: at every moment, and over a whole life.
contract SoulCertificateLogTest is SoulBatchBase {
    bytes32 private constant TRANSFER = keccak256("Transfer(address,address,uint256)");

    mapping(uint256 tokenId => address holder) private holders;
    mapping(address holder => uint256 count) private balances;

    /// @dev Reads the recorded log, and compares what it adds up to with every answer.
    function assertLogAgrees(uint256 tokens) internal {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            if (logs[i].emitter != address(certificates) || logs[i].topics[0] != TRANSFER) continue;
            address from = address(uint160(uint256(logs[i].topics[1])));
            address to = address(uint160(uint256(logs[i].topics[2])));
            uint256 tokenId = uint256(logs[i].topics[3]);
            assertEq(holders[tokenId], from, "moved from its holder");
            assertTrue(from == address(0) || to == address(0), "never seen moving");
            holders[tokenId] = to;
            if (from != address(0)) --balances[from];
            if (to != address(0)) {
                ++balances[to];
                assertEq(logs[i + 1].emitter, address(certificates));
                assertEq(logs[i + 1].topics[0], ISoulCertificate.Locked.selector);
                assertEq(uint256(bytes32(logs[i + 1].data)), tokenId);
            }
        }
        for (uint256 tokenId = 1; tokenId <= tokens; ++tokenId) assertHolder(tokenId, holders[tokenId]);
        assertEq(certificates.balanceOf(owner), balances[owner]);
        assertEq(certificates.balanceOf(buyer), balances[buyer]);
    }

    function assertHolder(uint256 tokenId, address holder) internal {
        if (holder == address(0)) {
            vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, tokenId));
            certificates.ownerOf(tokenId);
        } else {
            assertEq(certificates.ownerOf(tokenId), holder);
        }
    }

    function test_theLogAgreesWithOwnersAndBalancesOverALife() public {
        vm.recordLogs();
        assertLogAgrees(1);
        sealedSoul("first-agent");
        assertLogAgrees(1);
        perform(registrar, batchCall(batchOf(three())));
        assertLogAgrees(5);
        provisional("dave");
        assertLogAgrees(6);
        sellAndObserve(1);
        assertLogAgrees(6);
        relay(Operation.RESEAL, 1);
        assertLogAgrees(6);
        perform(owner, callOf(Operation.BURN, termsOf(2), ""));
        assertLogAgrees(6);
        sellAndObserve(5);
        relay(Operation.RELEASE, 5);
        assertLogAgrees(6);
        // What is sent back to the sealer and resealed by it moves no certificate.
        sellAndObserve(3);
        move(2, owner);
        souls.suspend(3);
        nextBlock();
        ISoulRegistry.Reseal memory reseal = resealOf(termsOf(3), owner);
        vm.prank(owner);
        souls.reseal(reseal, ARCHIVE, noProof(), "");
        assertLogAgrees(6);
        assertEq(certificates.balanceOf(owner), 2);
        assertEq(certificates.balanceOf(buyer), 1);
    }

    /// @dev From the first call of the identity registry on, in every call in which it looks.
    function test_aRegistryThatIsCalledSeesTheAnnouncedCertificateAndNoAuthority() public {
        CuriousRegistry curious = new CuriousRegistry();
        identity = IdentityRegistry(address(curious));
        souls = deploySouls();
        certificates = SoulCertificate(address(souls.CERTIFICATE()));
        // Passport 0 is the owner's, so that a record without passport would seem to be on it.
        vm.store(address(curious), keccak256(abi.encode(uint256(0), uint256(5))), toTopic(owner));
        assertEq(curious.ownerOf(0), owner);

        curious.watch(souls, owner, 1, 1);
        register("alice");
        assertEq(curious.count(), 3);
        assertSights(curious, 0, 1);

        curious.watch(souls, owner, 2, 2);
        perform(registrar, batchCall(batchOf(threeOthers())));
        assertEq(curious.count(), 3 + 6);
        assertSights(curious, 3, 4);
        assertTrue(souls.isValid(4));
    }

    function assertSights(CuriousRegistry curious, uint256 from, uint256 balance) internal view {
        for (uint256 i = from; i < curious.count(); ++i) {
            (
                address seenOwner,
                uint256 seenBalance,
                bool valid,
                address authority,
                address sealer,
                uint256 carried,
                bool suspendable
            ) = curious.sights(i);
            assertEq(seenOwner, owner);
            assertEq(sealer, owner);
            assertEq(seenBalance, balance);
            assertFalse(valid);
            assertEq(authority, address(0));
            assertEq(carried, 0);
            assertFalse(suspendable);
        }
    }

    function threeOthers() internal pure returns (string[] memory names) {
        names = three();
        names[0] = "dave";
    }
}
