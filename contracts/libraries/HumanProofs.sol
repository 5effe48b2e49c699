// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What a proof of personhood is made for
/// @notice The two hashes that bind a proof to one claim, for {IHumanVerifierRegistry-consume}:
///   action = keccak256(abi.encode("svc", name, epoch))
///   signal = keccak256(abi.encode(owner, name, chain id, soul registry))
/// The action is what a person answers for once: an agent's name in this application, in one epoch.
/// In a later epoch the same person can answer again. The signal is everything else that the person
/// vouches for. The page that asks the person for a proof computes both in the same way.
library HumanProofs {
    /// @dev The application of every action. The same on every chain: what tells chains apart is
    /// the signal.
    string internal constant APPLICATION = "svc";

    /// @notice What a person answers for once: the agent called `name` in an epoch of its soul.
    function action(string memory name, uint16 epoch) internal pure returns (bytes32) {
        return keccak256(abi.encode(APPLICATION, name, epoch));
    }

    /// @notice What the proof vouches for: `owner` claims `name` at `soulRegistry` on this chain.
    function signal(address owner, string memory name, address soulRegistry) internal view returns (bytes32) {
        return keccak256(abi.encode(owner, name, block.chainid, soulRegistry));
    }
}
