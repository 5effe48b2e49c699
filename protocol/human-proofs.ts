import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from "viem";
import { SERVICE_SEGMENT } from "./constants.ts";

const ACTION = parseAbiParameters("string, string, uint16");
const SIGNAL = parseAbiParameters("address, string, uint256, address");

/**
 * What a person answers for once: the agent of this name in one epoch. That is 1 for a registration,
 * the soul's own epoch for a seal, and the next one for a reseal. The contract library `HumanProofs`
 * computes the same. World ID's widget takes it as `action`, in hex.
 */
export function humanAction(name: string, epoch: number): Hex {
  return keccak256(encodeAbiParameters(ACTION, [SERVICE_SEGMENT, name, epoch]));
}

/** What the person vouches for: `owner` claims `name` at this soul registry. */
export function humanSignal(claim: {
  readonly owner: Address;
  readonly name: string;
  readonly chainId: number;
  readonly soulRegistry: Address;
}): Hex {
  const { owner, name, chainId, soulRegistry } = claim;
  return keccak256(encodeAbiParameters(SIGNAL, [owner, name, BigInt(chainId), soulRegistry]));
}
