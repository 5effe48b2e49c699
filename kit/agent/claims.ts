import type { Hex } from "viem";
import type { ReportStep } from "../report.ts";
import type { SoulOnChain } from "./soul.ts";

/** What a service says of an agent. */
export interface AgentClaims {
  readonly tokenId: number;
  readonly agentName: string;
  readonly passportId: number;
  readonly epoch: number;
  /** Null while nothing is sealed. */
  readonly soulHash: Hex | null;
  readonly soulMerkleRoot: Hex | null;
}

/** Compares what a service says of an agent with the chain: one step for each statement. */
export function claimSteps(claims: AgentClaims, { record }: SoulOnChain): readonly ReportStep[] {
  const compared: readonly (readonly [string, string | number | null, string | number])[] = [
    ["passport", claims.passportId, Number(record.passportId)],
    ["epoch", claims.epoch, record.epoch],
    ["soul hash", claims.soulHash, record.soulHash],
    ["Merkle root", claims.soulMerkleRoot, record.soulMerkleRoot],
  ];
  return compared
    .filter(([, claimed]) => claimed !== null)
    .map(([name, claimed, actual]) => ({
      step: `stated ${name}`,
      value: `${claimed}`,
      source: "this page, compared with SoulRegistry.soulOf",
      problem:
        claimed === actual
          ? null
          : `The page says that the ${name} is ${claimed}, the chain has ${actual}.`,
    }));
}
