import { randomUUID } from "node:crypto";
import { ofJson, type Shot } from "../lib/load.ts";
import type { Agent, World } from "./world.ts";

/** The work before a verify: a fresh, signed nonce for each of `count` sign-ins. */
export function ourVerifies(
  { ours }: Pick<World, "ours">,
  agents: readonly Agent[],
  tier: number,
  count: number,
): Promise<Shot[]> {
  return prepared(agents, count, async ({ owner, agentId }) => {
    const challenge = await ours.load.post("/api/v1/auth/agent/challenge", {
      address: owner.address,
      agentId,
    });
    const { nonce, message } = challenge as { nonce: string; message: string };
    return {
      path: "/api/v1/auth/agent/verify",
      body: { nonce, message, signature: await owner.signMessage({ message }) },
      accepts: ofJson((answer) => answer.tier === tier && typeof answer.accessToken === "string"),
    };
  });
}

/** The same with the peer's nonces and its own message. */
export function peerVerifies(
  { peer, registry }: World,
  agents: readonly Agent[],
  path: "/verify" | "/verify-soul",
  count: number,
): Promise<Shot[]> {
  return prepared(agents, count, async ({ owner, agentId }) => {
    const { address } = owner;
    const issued = await peer.load.post("/challenge", {
      address,
      agentId,
      agentRegistry: registry,
    });
    const message = String(issued.message);
    return {
      path,
      body: { message, signature: await owner.signMessage({ message }) },
      accepts: ofJson(
        (answer) =>
          answer.valid === true &&
          typeof answer.receipt === "string" &&
          (path === "/verify" || answer.tier === 2),
      ),
    };
  });
}

/** Requests of the minimum server, each with a nonce of its own. */
export function floorVerifies(agents: readonly Agent[], count: number): Shot[] {
  return Array.from({ length: count }, (_, index) => ({
    path: "/verify",
    body: { nonce: randomUUID(), agentId: agents[index % agents.length]?.agentId },
    accepts: ofJson(({ fresh, valid }) => fresh === true && valid === true),
  }));
}

/** Introspections of tokens of sealed souls, by the service and by the minimum server. */
export async function introspections(world: World) {
  const { ours, souls } = world;
  const tokens: string[] = [];
  for (const shot of await ourVerifies(world, souls, 2, souls.length)) {
    tokens.push(String(JSON.parse((await ours.load.send(shot)).body).accessToken));
  }
  const at =
    (path: string) =>
    async (count: number): Promise<Shot[]> =>
      Array.from({ length: count }, (_, index) => ({
        path,
        body: { token: tokens[index % tokens.length] },
        accepts: ofJson(({ active }) => active === true),
      }));
  return { ours: at("/api/v1/auth/token/introspect"), floor: at("/introspect") };
}

/**
 * Prepared a few at a time, so that the node that both use is not overloaded before the
 * measurement.
 */
async function prepared(
  agents: readonly Agent[],
  count: number,
  prepare: (agent: Agent) => Promise<Shot>,
): Promise<Shot[]> {
  const shots: Shot[] = [];
  while (shots.length < count) {
    const batch = Math.min(agents.length, count - shots.length);
    shots.push(...(await Promise.all(agents.slice(0, batch).map(prepare))));
  }
  return shots;
}
