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
import { humanAction, humanSignal } from "../../protocol/human-proofs.ts";
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
 * and this account says that `person` is behind `agentName` in an epoch.
 */
export async function humanProof(
  world: World,
  person: Person,
  agentName: string,
  epoch: number,
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

  const { address: owner } = world.person(person);
  const { soulRegistry } = contracts;
  const action = humanAction(agentName, epoch);
  const signal = humanSignal({ owner, name: agentName, chainId, soulRegistry });
  const nullifier = keccak256(stringToHex(person));
  const statement = keccak256(
    encodeAbiParameters(parseAbiParameters("uint256, address, bytes32, bytes32, bytes32"), [
      BigInt(chainId),
      verifier,
      action,
      signal,
      nullifier,
    ]),
  );
  const signature = await admin.signMessage({ message: { raw: statement } });
  const data = encodeAbiParameters(parseAbiParameters("bytes32, bytes"), [nullifier, signature]);
  return { verifier, data };
}
