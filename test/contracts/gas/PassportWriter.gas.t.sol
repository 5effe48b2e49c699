// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPassportWriter} from "../../../contracts/interfaces/IPassportWriter.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {GasScenarios} from "./GasScenarios.sol";

/// @dev See {GasScenarios}. The operations of the soul registry that call `write` hold its gas too.
contract PassportWriterGas is SoulLifeBase, GasScenarios {
    function setUp() public override {
        super.setUp();
        sealedSoul("alice");
        approveWriter(owner);
    }

    function writeMetadata(bytes memory value) internal {
        IPassportWriter.SetMetadata memory change = IPassportWriter.SetMetadata({
            tokenId: 1,
            epoch: 1,
            version: writer.versionOf(1),
            key: "colour",
            previousValueHash: keccak256(identity.getMetadata(0, "colour")),
            value: value,
            nonce: ++noncesGiven,
            deadline: vm.getBlockTimestamp() + 15 minutes
        });
        bytes32 digest = digestFor("PassportWriter", address(writer), hasher.hash(change));
        writer.setMetadata(change, sign(OWNER_KEY, digest));
    }

    function writeAgentURI(string memory agentURI) internal {
        IPassportWriter.SetAgentURI memory change = IPassportWriter.SetAgentURI({
            tokenId: 1,
            epoch: 1,
            version: writer.versionOf(1),
            previousURIHash: keccak256(bytes(identity.tokenURI(0))),
            agentURI: agentURI,
            nonce: ++noncesGiven,
            deadline: vm.getBlockTimestamp() + 15 minutes
        });
        bytes32 digest = digestFor("PassportWriter", address(writer), hasher.hash(change));
        writer.setAgentURI(change, sign(OWNER_KEY, digest));
    }

    /// @dev The first write of a passport's owner, then the next.
    /// hardhat-config: isolate = true
    function test_writesMetadata() public {
        writeMetadata("blue");
        writeMetadata("green");
    }

    /// hardhat-config: isolate = true
    function test_writesAgentURIs() public {
        writeAgentURI("ar://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
        writeAgentURI("ar://BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA");
    }

    /// @dev After a registration that wrote all keys, and after a sale to a buyer who approved the
    /// writer too.
    /// hardhat-config: isolate = true
    function test_syncs() public {
        uint256[] memory tokenIds = new uint256[](1);
        tokenIds[0] = 1;
        writer.sync(tokenIds);
        approveWriter(buyer);
        sellAndObserve(1);
        writer.sync(tokenIds);
    }

    /// hardhat-config: isolate = true
    function test_writesForTheSoulRegistry() public {
        vm.prank(address(souls));
        writer.write(1, "ar://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    }

    /// hardhat-config: isolate = true
    function test_reads() public view {
        writer.versionOf(1);
        writer.SOUL_REGISTRY();
        writer.IDENTITY_REGISTRY();
        callInterfaces(address(writer));
    }

    /// hardhat-config: isolate = true
    function test_cancels() public {
        callAuthorization(address(writer));
    }
}
