import { randomBytes } from "node:crypto";
import type { LocalAccount } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { apiClient, freshName } from "../../test/fixtures/registrations.ts";
import { sellPassport } from "../lib/passport-sale.ts";
import type { Stack } from "../local-stack/stack.ts";

/** Counts of completed work and failures. */
export interface Tally {
  requests: number;
  registrations: number;
  signIns: number;
  chronicles: number;
  sales: number;
  /** Answers with a status of 500 or above, and requests without an answer. */
  readonly serverErrors: string[];
  /** Unexpected answers. */
  readonly surprises: string[];
}

export const newTally = (): Tally => ({
  requests: 0,
  registrations: 0,
  signIns: 0,
  chronicles: 0,
  sales: 0,
  serverErrors: [],
  surprises: [],
});

/** Every agent with a multiple of this number is sold. */
const SOLD = 3;

/**
 * Runs one agent's life per call: registered, read, signed in, with a chronicle, and sometimes
 * sold.
 */
export function createLife(stack: Pick<Stack, "urls" | "deployment">, tally: Tally) {
  const { identityRegistry } = stack.deployment.contracts;
  const api = apiClient(stack.urls.api);
  let count = 0;

  /** Sends a request and counts its answer; throws unless it succeeds. */
  async function ask<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<T> {
    tally.requests += 1;
    const what = `${body === undefined ? "GET" : "POST"} ${path}`;
    const answer = await (body === undefined ? api.get(path) : api.post(path, body, headers)).catch(
      (error: Error) => {
        tally.serverErrors.push(`${what}: ${error.message}`);
        throw error;
      },
    );
    if (answer.status >= 500) tally.serverErrors.push(`${what}: ${answer.status}`);
    if (answer.status >= 300) {
      throw new Error(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body as T;
  }

  async function register(name: string, owner: LocalAccount) {
    tally.requests += 2;
    const { answer } = await api.register(name, owner).catch((error: Error) => {
      if (/"code":5\d\d/.test(error.message)) tally.serverErrors.push(error.message);
      throw error;
    });
    tally.registrations += 1;
    return answer.body as { tokenId: number; erc8004AgentId: number; apiKey: string };
  }

  async function signIn(owner: LocalAccount, agentId: number): Promise<string> {
    const auth = "/api/v1/auth/agent";
    const challenge = await ask<{ nonce: string; message: string }>(`${auth}/challenge`, {
      address: owner.address,
      agentId,
    });
    const { nonce, message } = challenge;
    const signature = await owner.signMessage({ message });
    const { accessToken } = await ask<{ accessToken: string }>(`${auth}/verify`, {
      nonce,
      message,
      signature,
    });
    tally.signIns += 1;
    return accessToken;
  }

  function expect(held: boolean, what: string): void {
    if (!held) throw new Error(what);
  }

  async function live(): Promise<void> {
    count += 1;
    const isSold = count % SOLD === 0;
    const owner = privateKeyToAccount(generatePrivateKey());
    const name = freshName();
    const { tokenId, erc8004AgentId, apiKey } = await register(name, owner);
    const profile = await ask<{ soulValidity: { status: string } }>(`/v1/profile/${name}`);
    expect(profile.soulValidity.status === "valid", `${name} is not valid after its registration`);

    const token = await signIn(owner, erc8004AgentId);
    const introspect = () =>
      ask<{ active: boolean }>("/api/v1/auth/token/introspect", { token }).then((at) => at.active);
    expect(await introspect(), `the token of ${name} is not active`);

    await ask(
      "/v1/chronicle",
      {
        tokenId,
        category: "achievement",
        data: { changeType: "task_completed", note: randomBytes(8).toString("hex") },
      },
      { Authorization: `Bearer ${apiKey}` },
    );
    tally.chronicles += 1;
    await ask(`/v1/chronicle/${name}`);
    await ask(`/v1/did/${name}`);
    await ask("/v1/agents");

    if (!isSold) return;
    const { block } = await sellPassport(
      { rpcUrl: stack.urls.rpc, identityRegistry },
      { owner, passportId: erc8004AgentId },
    );
    tally.sales += 1;
    const validity = await ask<{ valid: boolean }>(
      `/v1/soul-validity/${tokenId}?minBlock=${block}`,
    );
    expect(!validity.valid, `${name} is valid after its sale`);
    expect(!(await introspect()), `the seller's token of ${name} is active after its sale`);
  }

  return {
    /** Never rejects: failures are counted in the tally. */
    async next(): Promise<void> {
      await live().catch((error: Error) => tally.surprises.push(error.message));
    },
  };
}
