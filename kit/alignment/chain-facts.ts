import { type Hex, keccak256, stringToHex } from "viem";
import type { AlignmentContracts } from "../../protocol/alignment/index.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { readBindings, readOverspending, readPayments } from "./conduct.ts";
import { type AgentLife, readAgentLife } from "./life.ts";
import { type LogReader, topicOf } from "./logs.ts";
import { readMemberships } from "./memberships.ts";
import { readValidSeals } from "./reviewers.ts";
import { readStatements } from "./statements.ts";
import type { UntimedFact } from "./untimed.ts";

/** Where to look for an agent's events. */
export interface AgentPlace {
  readonly contracts: AlignmentContracts;
  /** The first block that can hold an event of the deployment. */
  readonly startBlock: bigint;
  readonly tokenId: bigint;
}

/** What the chain says of an agent. */
export interface AgentOnChain extends Pick<AgentLife, "name" | "passportId" | "epoch"> {
  /** keccak256 of the passport's last agent URI; null when it never had one. */
  readonly uriHash: Hex | null;
  readonly facts: readonly UntimedFact[];
}

/**
 * Every event that can be a fact of an agent's score. It reads more than counts: which of them
 * count is the formula's decision.
 *
 * @returns null when no such agent is registered.
 */
export async function readAgentFacts(
  logs: LogReader,
  { contracts, startBlock, tokenId }: AgentPlace,
): Promise<AgentOnChain | null> {
  const { soulRegistry, identityRegistry, allowanceVault, organizationRegistry } = contracts;
  const life = await readAgentLife(logs, soulRegistry, tokenId, startBlock);
  if (life === null) return null;
  const { name, passportId, epoch, ownAccounts, startBlock: sinceStart } = life;
  const statements = await readStatements(logs, contracts, passportId, sinceStart);
  const seals = await readValidSeals(logs, { soulRegistry, identityRegistry, startBlock }, [
    ...new Set(statements.map(({ account }) => account)),
  ]);
  const reviewers = new Set(seals.map(({ fact }) => fact.account));
  const members = [
    { tokenId, epoch },
    ...seals.map((seal) => ({ tokenId: seal.fact.tokenId, epoch: seal.epoch })),
  ];
  const payments = { from: [...reviewers], to: ownAccounts };
  return {
    name,
    passportId,
    epoch,
    uriHash: await readUriHash(logs, identityRegistry, passportId, startBlock),
    facts: [
      ...life.facts,
      ...(await readOverspending(logs, allowanceVault, tokenId, sinceStart)),
      ...(await readBindings(logs, contracts.bindingRegistry, tokenId, sinceStart)),
      // Accounts without a valid seal can write without end, and do not count.
      ...statements.filter(({ account }) => reviewers.has(account)),
      ...seals.map(({ fact }) => fact),
      ...(await readMemberships(
        logs,
        { address: organizationRegistry, fromBlock: startBlock },
        members,
        [...ownAccounts, ...reviewers],
      )),
      ...(await readPayments(logs, allowanceVault, payments, sinceStart)),
    ],
  };
}

async function readUriHash(
  logs: LogReader,
  address: Hex,
  passportId: bigint,
  startBlock: bigint,
): Promise<Hex | null> {
  const since = async (fromBlock: bigint) => {
    const events = await logs.read({
      address,
      abi: identityRegistryAbi,
      events: ["Registered", "URIUpdated"],
      topics: [topicOf(passportId)],
      fromBlock,
    });
    const last = events.at(-1);
    if (last === undefined) return null;
    const uri = last.eventName === "Registered" ? last.args.agentURI : last.args.newURI;
    return keccak256(stringToHex(uri));
  };
  // A passport can be older than the deployment, and so can its URI.
  return (await since(startBlock)) ?? (startBlock > 0n ? since(0n) : null);
}
