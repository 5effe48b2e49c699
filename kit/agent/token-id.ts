import type { Hex, PublicClient } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type { ReportedAgent } from "./soul.ts";

/** The soul of an agent, as the registry has it in one block; 0 for none. @throws what the node answers. */
export function tokenIdOf(
  client: Pick<PublicClient, "readContract">,
  registry: Hex,
  { name, passportId, blockNumber }: Omit<ReportedAgent, "tokenId">,
): Promise<bigint> {
  const souls = { address: registry, abi: soulRegistryAbi, blockNumber } as const;
  return passportId === null
    ? client.readContract({ ...souls, functionName: "tokenOfName", args: [name ?? ""] })
    : client.readContract({ ...souls, functionName: "tokenOfPassport", args: [passportId] });
}
