import type { Address } from "viem";
import { zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import type { AccessRule, Effect } from "../../../api/kernel/access.ts";
import { authoriseOn, createAccess } from "../../../api/kernel/access.ts";
import type { Caller } from "../../../api/kernel/callers.ts";
import type { ErrorType } from "../../../api/kernel/errors.ts";
import { ApiError } from "../../../api/kernel/errors.ts";
import { createOperationEngine } from "../../../api/operations/engine.ts";
import { createSigningDomains } from "../../../api/operations/signing-domains.ts";
import { soulOperation } from "../../../api/operations/soul-operation.ts";
import type { ChainSoul } from "../../../api/soul/chain-soul.ts";
import { chainSoul, chainSouls } from "../../fixtures/chain-soul.ts";

const OWNER: Address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const BUYER: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const STRANGER: Address = "0x1111111111111111111111111111111111111111";
const NOW = new Date("2026-03-04T05:06:07Z");

type Answer = ErrorType | "passes";

const sealed = chainSoul({ tokenId: 7n, passportId: 5n, sealer: OWNER, passportOwner: OWNER });

/** The agent with token id 7, in every state that a decision depends on. */
const STATES = {
  "with its owner": sealed,
  "not sealed yet": { ...sealed, status: "PROVISIONAL", validity: "not_linked" },
  "sold to the buyer": { ...sealed, passportOwner: BUYER, validity: "suspended" },
  "back at its owner while suspended": { ...sealed, suspended: true, validity: "suspended" },
  "resealed by the buyer": { ...sealed, epoch: 2, sealer: BUYER, passportOwner: BUYER },
  burned: { ...sealed, status: "BURNED", validity: "not_linked" },
  unknown: null,
} as const satisfies Record<string, ChainSoul | null>;
type State = keyof typeof STATES;
const states = Object.keys(STATES) as State[];

const session = (owner: Address, agentId: bigint | null = null): Caller => ({
  kind: "session",
  id: `owner:${owner}`,
  sessionId: "5b6f8a52-0000-4000-8000-000000000002",
  owner,
  agentId,
});
const key = (tokenId: bigint, suspended = false): Caller => ({
  kind: "full",
  id: `agent:${tokenId}:1`,
  tokenId,
  epoch: 1,
  suspended,
});

const CALLERS = {
  "no credential": (): Caller => ({ kind: "anonymous" }),
  "a provisional key": (): Caller => ({
    kind: "provisional",
    id: "registration:x",
    registrationId: "x",
    claimed: false,
  }),
  "an identity token": (): Caller => ({ kind: "identity", id: "identity:x", owner: OWNER }),
  "the agent's key": () => key(7n),
  "another agent's key": () => key(8n),
  "the owner's session": () => session(OWNER),
  "the owner's token for this agent": () => session(OWNER, 5n),
  "the owner's token for another agent": () => session(OWNER, 6n),
  "the buyer's session": () => session(BUYER),
  "another owner's session": () => session(STRANGER),
} as const;
type CallerName = keyof typeof CALLERS;

/** Callers that act for no agent get the same answer about every agent. */
const ACTS_FOR_NONE: Partial<Record<CallerName, Answer>> = {
  "no credential": "UNAUTHORIZED",
  "a provisional key": "FULL_KEY_REQUIRED",
  "an identity token": "MANAGE_SCOPE_REQUIRED",
};

const OWNERS: Record<Effect, Record<State, Partial<Record<CallerName, Answer>>>> = {
  reads: {
    "with its owner": owners("passes", "FORBIDDEN"),
    "not sealed yet": owners("passes", "FORBIDDEN"),
    "sold to the buyer": owners("FORBIDDEN", "passes"),
    "back at its owner while suspended": owners("passes", "FORBIDDEN"),
    "resealed by the buyer": owners("FORBIDDEN", "passes"),
    burned: sessions("BURNED"),
    unknown: sessions("NOT_FOUND"),
  },
  writes: {
    "with its owner": owners("passes", "FORBIDDEN"),
    "not sealed yet": owners("passes", "FORBIDDEN"),
    "sold to the buyer": owners("FORBIDDEN", "SUSPENDED"),
    "back at its owner while suspended": owners("SUSPENDED", "FORBIDDEN"),
    "resealed by the buyer": owners("FORBIDDEN", "passes"),
    burned: sessions("BURNED"),
    unknown: sessions("NOT_FOUND"),
  },
};

/** A key that writes is judged by the chain, also when the index did not know of the sale yet. */
const KEYS: Record<Effect, Partial<Record<State, Answer>>> = {
  reads: {},
  writes: {
    "sold to the buyer": "SUSPENDED",
    "back at its owner while suspended": "SUSPENDED",
    burned: "BURNED",
    unknown: "NOT_FOUND",
    "resealed by the buyer": "UNAUTHORIZED",
  },
};

function owners(owner: Answer, buyer: Answer): Partial<Record<CallerName, Answer>> {
  return {
    "the owner's session": owner,
    "the owner's token for this agent": owner,
    "the owner's token for another agent": "FORBIDDEN",
    "the buyer's session": buyer,
    "another owner's session": "FORBIDDEN",
  };
}

function sessions(answer: Answer): Partial<Record<CallerName, Answer>> {
  const all = owners(answer, answer);
  return Object.fromEntries(Object.keys(all).map((name) => [name, answer]));
}

function expected(rule: AccessRule, effect: Effect, state: State): Record<string, Answer> {
  const keyOnly = rule === "session" ? "FORBIDDEN" : null;
  return {
    ...ACTS_FOR_NONE,
    ...(rule === "session" && { "a provisional key": "FORBIDDEN" as const }),
    "the agent's key": keyOnly ?? KEYS[effect][state] ?? "passes",
    "another agent's key": "FORBIDDEN",
    ...OWNERS[effect][state],
  };
}

async function answersOf(decide: (caller: Caller) => unknown): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const [name, caller] of Object.entries(CALLERS)) {
    answers[name] = await answerOf(async () => decide(caller()));
  }
  return answers;
}

async function answerOf(work: () => Promise<unknown>): Promise<Answer> {
  try {
    await work();
    return "passes";
  } catch (error) {
    if (error instanceof ApiError) return error.type;
    throw error;
  }
}

function accessTo(soul: ChainSoul | null) {
  return createAccess({
    keys: { keyStanding: async () => null, organizationOf: async () => 0n },
    sessions: { introspect: async () => null, consoleSession: async () => null },
    souls: chainSouls(soul),
    clock: () => NOW,
  });
}

const RULES = ["any-key", "agent", "session"] as const;
const EFFECTS = ["reads", "writes"] as const;

describe("the access decision about an agent", () => {
  for (const state of states) {
    it.each(RULES.flatMap((rule) => EFFECTS.map((effect) => [rule, effect] as const)))(
      `that is ${state} gives each caller the one answer (rule %s, %s)`,
      async (rule, effect) => {
        const access = accessTo(STATES[state]);
        const decide = (caller: Caller) => access.authorise(caller, { tokenId: 7n, rule, effect });
        expect(await answersOf(decide)).toEqual(expected(rule, effect, state));
      },
    );
  }

  it.each(EFFECTS)(
    "is the same for operations that have read the soul already (%s)",
    async (effect) => {
      for (const state of states) {
        const soul = STATES[state];
        if (soul === null) continue;
        expect([state, await answersOf((caller) => authoriseOn(soul, caller, effect))]).toEqual([
          state,
          {
            ...expected("agent", effect, state),
            ...(state === "burned" && { "the agent's key": "BURNED" }),
            ...(state === "resealed by the buyer" && { "the agent's key": "UNAUTHORIZED" }),
          },
        ]);
      }
    },
  );

  it("refuses a write with a key whose agent the index knows as suspended, without the chain", async () => {
    const asked = accessTo(STATES["with its owner"]);
    const action = { tokenId: 7n, rule: "agent", effect: "writes" } as const;
    const refused = asked.authorise(key(7n, true), action);
    await expect(refused).rejects.toThrow(new ApiError("SUSPENDED"));
    expect(authoriseOn(STATES["sold to the buyer"], key(7n, true), "reads")).toBe("api_key");
  });
});

const contracts = {
  soulRegistry: STRANGER,
  organizationRegistry: STRANGER,
  allowanceVault: STRANGER,
  bindingRegistry: STRANGER,
  passportWriter: STRANGER,
  agentKeys: STRANGER,
};
const TRANSACTION = { transactionHash: zeroHash, blockNumber: 101n } as const;

/** An operation that is signed by its soul's owner, in an engine whose ports accept everything. */
function signedOperationOn(soul: ChainSoul | null) {
  const engine = createOperationEngine({
    domains: createSigningDomains({ chainId: 31337, contracts }),
    chain: {
      head: async () => 100n,
      simulate: async () => {},
      isNonceUsed: async () => false,
      executedIn: async () => null,
      permitDomain: () => Promise.reject(new Error("No permit is asked for.")),
      permitNonce: async () => 0n,
    },
    relayer: { run: async () => TRANSACTION as never },
    archive: { archive: async () => "" },
    signatures: { assertSignedBy: async () => {} } as never,
    standingOf: async () => "known",
    ledger: {
      find: async () => null,
      isNonceUsed: async () => false,
      listAccepted: async () => [],
      accept: async () => "accepted",
      settle: async (_operation, settled) => settled,
      settleOffChain: async () => {},
      end: async () => {},
      findDecision: async () => null,
      readWaiting: async () => null,
      listWaiting: async () => [],
      wait: async () => "waiting",
      acceptWaiting: async () => "accepted",
      endWaiting: async () => {},
    },
    index: { waitForBlock: async (block) => block },
    clock: () => NOW,
    randomNonce: () => 1n,
  });
  const definition = soulOperation<bigint, "SetDidArchive", null, null>(
    {
      kind: "test",
      messageName: "SetDidArchive",
      gas: 1n,
      tokenIdOf: (tokenId) => tokenId,
      requestJson: (tokenId) => ({ tokenId: tokenId.toString() }),
      plan: async () => ({
        fields: { archiveId: zeroHash, previousArchiveId: zeroHash },
        payload: null,
        items: [],
      }),
      call: () => ({ to: STRANGER, data: "0x" }),
      result: async () => null,
    },
    {
      ...chainSouls(soul),
      versionIn: async (_contract, { version }) => version,
    },
  );
  return { engine, definition };
}

describe("an owner's signature", () => {
  const message = {
    tokenId: 7n,
    epoch: sealed.epoch,
    version: sealed.version,
    archiveId: zeroHash,
    previousArchiveId: zeroHash,
    nonce: 1n,
    deadline: BigInt(NOW.getTime() / 1000 + 60),
  };

  it.each<[State, owner: Answer, buyer: Answer, stranger: Answer]>([
    ["with its owner", "passes", "NOT_OWNER", "NOT_OWNER"],
    ["not sealed yet", "passes", "NOT_OWNER", "NOT_OWNER"],
    ["sold to the buyer", "SUSPENDED", "SUSPENDED", "SUSPENDED"],
    ["back at its owner while suspended", "SUSPENDED", "SUSPENDED", "SUSPENDED"],
    ["burned", "BURNED", "BURNED", "BURNED"],
    ["unknown", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"],
  ])(
    "counts for an agent that is %s if the owner signed and can decide",
    async (state, ...answers) => {
      const { engine, definition } = signedOperationOn(STATES[state]);
      const signedBy = (signer: Address) =>
        answerOf(() =>
          engine.perform(definition, 7n, [{ role: "owner", message, signature: "0x", signer }], {
            operationKey: "key",
            network: "192.0.2.0/24",
          }),
        );
      expect([await signedBy(OWNER), await signedBy(BUYER), await signedBy(STRANGER)]).toEqual(
        answers,
      );
    },
  );
});
