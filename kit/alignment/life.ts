import type { Hex } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { type LogReader, placeOf, topicOf } from "./logs.ts";
import type { UntimedFact } from "./untimed.ts";

const EVENTS = [
  "SoulRegistered",
  "SoulSealed",
  "SoulResealed",
  "OperatorChanged",
  "SoulRevised",
] as const;

/** The events of an agent's own soul, of all its epochs. */
export interface AgentLife {
  readonly name: string;
  readonly passportId: bigint;
  readonly epoch: number;
  /** The block in which the epoch started. */
  readonly startBlock: bigint;
  /** Every owner and operator it had. */
  readonly ownAccounts: readonly Hex[];
  readonly facts: readonly UntimedFact[];
}

/** @returns null when no such agent is registered. */
export async function readAgentLife(
  logs: LogReader,
  soulRegistry: Hex,
  tokenId: bigint,
  fromBlock: bigint,
): Promise<AgentLife | null> {
  const events = await logs.read({
    address: soulRegistry,
    abi: soulRegistryAbi,
    events: EVENTS,
    topics: [topicOf(tokenId)],
    fromBlock,
  });
  const registered = events.find((log) => log.eventName === "SoulRegistered");
  if (registered === undefined) return null;
  const resealed = events.findLast((log) => log.eventName === "SoulResealed");
  const ownAccounts = new Set<Hex>();
  const facts = events.map((log): UntimedFact => {
    const place = placeOf(log);
    if (log.eventName === "SoulRegistered") {
      const { owner, operator } = log.args;
      ownAccounts.add(owner).add(operator);
      return { kind: "registered", place, owner, operator };
    }
    if (log.eventName === "SoulSealed") {
      const { epoch, sealer } = log.args;
      return { kind: "sealed", place, epoch, sealer };
    }
    if (log.eventName === "SoulResealed") {
      const { epoch, sealer, operator } = log.args;
      ownAccounts.add(sealer).add(operator);
      return { kind: "resealed", place, epoch, sealer, operator };
    }
    if (log.eventName === "OperatorChanged") {
      const { epoch, operator } = log.args;
      ownAccounts.add(operator);
      return { kind: "operator", place, epoch, operator };
    }
    const { epoch, dataHash } = log.args;
    return { kind: "revised", place, epoch, dataHash };
  });
  return {
    name: registered.args.name,
    passportId: registered.args.passportId,
    epoch: resealed?.args.epoch ?? 1,
    startBlock: (resealed ?? registered).blockNumber,
    ownAccounts: [...ownAccounts],
    facts,
  };
}
