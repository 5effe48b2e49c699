import { setTimeout as delay } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";
import { isAccepted, type LivingAgent, newClient, ownerSession } from "./load.ts";
import { sell } from "./sale.ts";
import { FREE_LIMIT, type Topology } from "./topology.ts";

const REFUSED_WITHIN_MS = 1_000;
const GIVEN_UP_MS = 10_000;
/** Requests that are sent at once. */
const WAVE = 10;
/** How far from the limit a client may be let pass, or refused. */
const TOLERANCE = 0.05;

/** A row of the table of promises. */
export interface Kept {
  readonly what: string;
  readonly found: string;
  readonly held: boolean;
}

/**
 * Ends a key, a token and an ownership, and measures until every process refuses them. `register`
 * gives an agent for it.
 */
export async function endedAuthority(
  topology: Topology,
  register: () => Promise<LivingAgent>,
): Promise<readonly Kept[]> {
  const client = newClient(topology, 3);
  const direct = topology.apiUrls.map((url) => newClient(topology, 3, url));
  const agent = await register();
  const untilRefused = (isUsable: (at: (typeof direct)[number]) => Promise<boolean>) =>
    Promise.all(
      direct.map(async (at) => {
        const begun = performance.now();
        while (await isUsable(at)) {
          if (performance.now() - begun > GIVEN_UP_MS) return Number.POSITIVE_INFINITY;
          await delay(20);
        }
        return performance.now() - begun;
      }),
    );
  const kept = (what: string, times: readonly number[]): Kept => ({
    what,
    found: times.map((ms) => `${ms.toFixed(0)} ms`).join(", "),
    held: Math.max(...times) <= REFUSED_WITHIN_MS,
  });

  const session = await ownerSession(client, agent.owner);
  const { apiKey } = agent;
  if (!(await isAccepted(client, { apiKey }))) throw new Error("A new key is refused.");
  const { tokenId } = agent;
  await session.call("rotateKeys", { body: { tokenId } });
  const key = kept("a revoked key", await untilRefused((at) => isAccepted(at, { apiKey })));

  const signIn = async () => {
    const { owner: signer, passportId: agentId } = agent;
    return (await client.signIn({ signer, agentId, flow: "agent" })).accessToken;
  };
  const isActive = async (at: typeof client, token: string) =>
    (await at.call("introspectToken", { body: { token } })).active;
  const token = await signIn();
  if (!(await isActive(client, token))) throw new Error("A new token is refused.");
  await client.call("revokeToken", { body: { token } });
  const ended = kept("a revoked token", await untilRefused((at) => isActive(at, token)));

  const seller = await signIn();
  await sell(topology, agent);
  const sold = kept("a sold passport", await untilRefused((at) => isActive(at, seller)));
  return [key, ended, sold];
}

/** How many of `count` requests of one client the balancer's processes let pass. */
async function passing({ url }: Topology, count: number, client: string): Promise<number> {
  let passed = 0;
  for (let sent = 0; sent < count; sent += WAVE) {
    const wave = Array.from({ length: Math.min(WAVE, count - sent) }, async () => {
      // A path without an operation counts as a read, and is cheap to answer.
      const response = await fetch(`${url}/v1/nothing-here`, {
        headers: { "x-forwarded-for": client },
      });
      await response.arrayBuffer();
      return response.status;
    });
    const statuses = await Promise.all(wave);
    const other = statuses.find((status) => status !== 404 && status !== 429);
    if (other !== undefined) throw new Error(`A counted request was answered ${other}.`);
    passed += statuses.filter((status) => status === 404).length;
  }
  return passed;
}

/** A client's limit over all processes. */
export async function sharedLimit(topology: Topology): Promise<readonly Kept[]> {
  const client = "203.0.113.1";
  const below = FREE_LIMIT * (1 - TOLERANCE);
  const first = await passing(topology, below, client);
  const all = first + (await passing(topology, FREE_LIMIT, client));
  return [
    {
      what: `requests let pass below ${100 * (1 - TOLERANCE)} % of a limit of ${FREE_LIMIT}`,
      found: `${first} of ${below}`,
      held: first === below,
    },
    {
      what: `requests let pass of ${below + FREE_LIMIT}`,
      found: String(all),
      held: all <= FREE_LIMIT * (1 + TOLERANCE),
    },
  ];
}

/** A client's limit in a window in which Redis is killed. It is started again. */
export async function limitWithoutRedis(
  topology: Topology,
  ledger: Ledger,
): Promise<readonly Kept[]> {
  const { redis } = topology.parts;
  if (redis === undefined) return [];
  const client = "203.0.113.2";
  const before = await passing(topology, FREE_LIMIT / 2, client);
  await redis.stop();
  const failures = ledger.failures.length;
  const during = await passing(topology, FREE_LIMIT * 2, client);
  const refused = ledger.failures.length - failures;
  await redis.start();
  return [
    {
      what: `requests let pass without Redis, at most the limit of ${FREE_LIMIT}`,
      found: String(during),
      held: during > 0 && during <= FREE_LIMIT,
    },
    {
      what: "requests let pass in a window with its outage, at most twice the limit",
      found: String(before + during),
      held: before + during <= FREE_LIMIT * 2,
    },
    { what: "requests that failed without Redis", found: String(refused), held: refused === 0 },
  ];
}
