import {
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiParameters,
  stringToHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { humanVerifierRegistryAbi } from "../../protocol/generated/abi.ts";
import { artifactOf } from "../lib/artifacts.ts";
import type { Person } from "./cast.ts";
import type { World } from "./world.ts";

/** A proof of personhood in the form of an adapter on chain. */
export interface DemoHumanProof {
  readonly verifier: Address;
  readonly data: Hex;
}

/**
 * A local chain has no World ID. Its admin approves an adapter that takes the word of one account,
 * and this account says that `person` is behind `agentName`.
 */
export async function humanProof(
  world: World,
  person: Person,
  agentName: string,
): Promise<DemoHumanProof> {
  const { stack, send, deploy } = world;
  const { chainId, contracts } = stack.deployment;
  const admin = privateKeyToAccount(stack.accounts.admin.privateKey);
  const verifier = await deploy(admin, artifactOf("SignatureVerifier"), [admin.address]);
  for (const functionName of ["propose", "activate"] as const) {
    await send(admin, {
      address: contracts.humanVerifierRegistry,
      abi: humanVerifierRegistryAbi,
      functionName,
      args: [verifier],
    });
  }

  const { address } = world.person(person);
  const action = hashOf("string, string", ["svc", agentName]);
  const signal = hashOf("address, string, uint256, address", [
    address,
    agentName,
    BigInt(chainId),
    contracts.soulRegistry,
  ]);
  const nullifier = keccak256(stringToHex(person));
  const statement = hashOf("uint256, address, bytes32, bytes32, bytes32", [
    BigInt(chainId),
    verifier,
    action,
    signal,
    nullifier,
  ]);
  const signature = await admin.signMessage({ message: { raw: statement } });
  const data = encodeAbiParameters(parseAbiParameters("bytes32, bytes"), [nullifier, signature]);
  return { verifier, data };
}

function hashOf(types: string, values: readonly unknown[]): Hex {
  return keccak256(encodeAbiParameters(parseAbiParameters(types), values as never));
}
