import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { LocalAccount } from "viem";
import type { Agent } from "../lib/agents.ts";
import { ofJson, type Shot } from "../lib/load.ts";
import type { Server } from "../lib/servers.ts";
import { OURS } from "../reads/shots.ts";
import { ourVerifies } from "../sign-in/verify.ts";

/** How often each kind of visit comes in a cycle. */
const CYCLE = { signIn: 8, read: 57, page: 14, chronicle: 1 } as const;
export const VISITS_PER_CHRONICLE = 80;
export const CHRONICLES_PER_DAY = 5;

type Kind = keyof typeof CYCLE;

/** What agents and their readers do. */
export interface Visitors {
  readonly ours: Server;
  readonly owner: LocalAccount;
  readonly agents: readonly Agent[];
}

/** How many visits there were, and what went wrong. */
export interface Visits {
  readonly count: number;
  readonly failures: readonly string[];
}

/** Begins `perSecond` visits a second, whether or not those before were answered. */
export function startVisits(visitors: Visitors, perSecond: number) {
  const cycle = mixedCycle();
  const failures: string[] = [];
  const open = new Set<Promise<void>>();
  const done = new AbortController();
  let count = 0;

  async function begin(): Promise<void> {
    const startedAt = performance.now();
    while (!done.signal.aborted) {
      const kind = cycle[count % cycle.length] as Kind;
      const visit = carryOut(visitors, kind, count).catch((error: unknown) => {
        failures.push(`${kind}: ${error instanceof Error ? error.message : String(error)}`);
      });
      open.add(visit);
      void visit.then(() => open.delete(visit));
      count += 1;
      const wait = startedAt + (count * 1_000) / perSecond - performance.now();
      if (wait > 0) await delay(wait);
    }
  }

  const running = begin();
  return {
    soFar: (): Visits => ({ count, failures }),
    async stop(): Promise<Visits> {
      done.abort();
      await running;
      await Promise.all(open);
      return { count, failures };
    },
  };
}

/** The kinds of a cycle, each spread over it evenly. */
function mixedCycle(): Kind[] {
  return Object.entries(CYCLE)
    .flatMap(([kind, times]) =>
      Array.from({ length: times }, (_, index) => ({
        kind: kind as Kind,
        place: (index + 0.5) / times,
      })),
    )
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
}

async function carryOut(visitors: Visitors, kind: Kind, index: number): Promise<void> {
  const { ours, owner, agents } = visitors;
  const agent = agents[index % agents.length] as Agent;
  const check = async (shot: Shot) => {
    const { body } = await ours.load.send(shot);
    if (!shot.accepts(body)) throw new Error(`${shot.path} answered: ${body.slice(0, 200)}`);
    return body;
  };
  switch (kind) {
    case "signIn": {
      const signer = { owner, agentId: agent.erc8004AgentId };
      for (const verify of await ourVerifies({ ours }, [signer], 2, 1)) {
        const { accessToken } = JSON.parse(await check(verify));
        await check({
          path: "/api/v1/auth/token/introspect",
          body: { token: accessToken },
          accepts: ofJson(({ active }) => active === true),
        });
      }
      return;
    }
    case "read": {
      const reads = [OURS.profile, OURS.did, OURS.validity] as const;
      for (const read of reads) await check(read(agent));
      return;
    }
    case "page":
      await check(index % 2 === 0 ? OURS.page(agent) : OURS.list());
      return;
    case "chronicle": {
      // Each agent in turn, so that none reaches its daily limit.
      const writer = agents[Math.floor(index / VISITS_PER_CHRONICLE) % agents.length] as Agent;
      await check({
        path: "/v1/chronicle",
        body: {
          tokenId: writer.tokenId,
          category: "achievement",
          data: { changeType: "task_completed", title: `Visit ${index}` },
        },
        headers: {
          authorization: `Bearer ${writer.apiKey}`,
          "idempotency-key": randomUUID(),
        },
        status: 201,
        accepts: ofJson(({ tokenId }) => tokenId === writer.tokenId),
      });
    }
  }
}
