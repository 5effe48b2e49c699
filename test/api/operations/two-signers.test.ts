import type { Hex, LocalAccount } from "viem";
import { encodeFunctionData, parseSignature } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../api/kernel/errors.ts";
import type {
  ChainOperation,
  GivenSignature,
  NonceAndDeadline,
} from "../../../api/operations/operation.ts";
import { MAX_WAITING_OF_SIGNER } from "../../../api/operations/waiting/waiting.store.ts";
import type { DatabaseConnection } from "../../../api/platform/database/connect.ts";
import { connectDatabase } from "../../../api/platform/database/connect.ts";
import { allowanceVaultAbi, organizationRegistryAbi } from "../../../protocol/generated/abi.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../../fixtures/indexed-chain.ts";
import { Killed, Life, mortal } from "../../fixtures/mortal.ts";
import { createDatabase, type TestDatabase } from "../../fixtures/postgres.ts";
import { requester } from "../../fixtures/sponsorship.ts";
import {
  foundDefinition,
  type JoinRequest,
  joinDefinition,
  twoSignerProcess,
} from "../../fixtures/two-signers.ts";
import { capturedLog } from "../helpers.ts";

// Operations with several signers, on real contracts and real Postgres. Only the index is absent:
// nothing of the engine's is read from it.

const carol = account(3);
const dave = account(4);

let chain: IndexedChain;
let database: TestDatabase;
let connection: DatabaseConnection;
let one: ReturnType<typeof twoSignerProcess>;
const followed: string[] = [];
let join: ReturnType<typeof joinDefinition>;

beforeAll(async () => {
  [chain, database] = await Promise.all([startIndexedChain(), createDatabase()]);
  connection = connectDatabase(database.url, capturedLog("silent").log);
  one = twoSignerProcess({ chain, connection });
  join = joinDefinition(chain, followed);
});
afterAll(async () => {
  await one?.close();
  await connection?.close();
  await Promise.all([chain?.stop(), database?.drop()]);
});

let count = 0;
/** An agent of `owner`, and an organization of `admin`. */
async function newPair(owner: LocalAccount = alice, admin: LocalAccount = bob) {
  count += 1;
  const { tokenId, passportId } = await chain.register(owner, `agent-two-${count}`);
  const { organizationId } = await chain.createOrganization(admin, `Organization ${count}`);
  followed.length = 0;
  const request: JoinRequest = { tokenId, organizationId };
  return { request, owner, admin, passportId };
}

async function signed(request: JoinRequest, role: "owner" | "admin", signer: LocalAccount) {
  const prepared = await one.engine.prepare(join, request);
  const message = prepared.find((each) => each.role === role);
  if (!message) throw new Error(`The ${role} need not sign.`);
  return one.sign(message, signer);
}

const submit = (request: JoinRequest, ...given: GivenSignature[]) =>
  one.engine.submit(join, request, given, requester());

/** Submits what the owner signs, and returns the waiting operation's id. */
async function begin({ request, owner }: Awaited<ReturnType<typeof newPair>>): Promise<string> {
  const submitted = await submit(request, await signed(request, "owner", owner));
  if (submitted.state !== "waiting") throw new Error("It does not wait.");
  return submitted.waiting.id;
}

async function rowOf(id: string) {
  const { rows } = await connection.pool.query(
    `select o.state, o.secrets, o.reason->>'type' as type, (o.reason->>'superseded')::boolean as superseded,
       s.gas, count(g.*) filter (where g.released_at is null)::int as held
     from app.operation o left join app.sponsored_operation s on s.operation_id = 'operation:' || o.id
     left join app.operation_signature g on g.operation_id = o.id
     where o.id = $1 group by o.id, s.gas`,
    [id],
  );
  return rows[0];
}

const memberOf = async ({ tokenId }: JoinRequest) => (await chain.membershipOf(tokenId))[0];
const joins = ({ tokenId }: JoinRequest) =>
  chain.client.getContractEvents({
    address: chain.contracts.organizationRegistry,
    abi: organizationRegistryAbi,
    eventName: "MemberJoined",
    args: { tokenId },
    fromBlock: 0n,
  });

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (refused: unknown) => refused,
  );
  if (error instanceof ApiError) return error;
  throw error ?? new Error("It was not refused.");
}

describe("an operation of two signers", () => {
  it.each(["owner", "admin"] as const)(
    "waits without gas after the %s has signed, and is carried out with the second signature",
    async (first) => {
      const pair = await newPair();
      const { request } = pair;
      const second = first === "owner" ? "admin" : "owner";
      const begun = await submit(request, await signed(request, first, pair[first]));
      const parties = {
        owner: { role: "owner", signer: alice.address },
        admin: { role: "admin", signer: bob.address },
      };
      if (begun.state !== "waiting") throw new Error("It does not wait.");
      expect(begun.waiting).toEqual({
        id: expect.any(String) as string,
        kind: "test_join",
        request,
        subjects: [
          { kind: "soul", id: request.tokenId, epoch: 1 },
          { kind: "organization", id: request.organizationId, epoch: null },
        ],
        signedBy: [parties[first]],
        awaiting: [parties[second]],
        since: expect.any(Date) as Date,
        expiresAt: expect.any(Date) as Date,
      });
      const { since, expiresAt, id } = begun.waiting;
      const ahead = expiresAt.getTime() - since.getTime();
      expect(Math.round(ahead / 60_000)).toBe(7 * 24 * 60);
      const waits = { state: "waiting", secrets: null, type: null, superseded: null };
      expect(await rowOf(id)).toEqual({ ...waits, gas: null, held: 1 });
      expect(await memberOf(request)).toBe(0n);

      const done = await submit(request, await signed(request, second, pair[second]));
      const [event] = await joins(request);
      expect(done).toEqual({
        state: "settled",
        performed: {
          result: { txHash: event?.transactionHash },
          txHash: event?.transactionHash,
          blockNumber: event?.blockNumber,
          indexedBlock: event?.blockNumber,
        },
      });
      expect(await memberOf(request)).toBe(request.organizationId);
      expect(await rowOf(id)).toEqual({ ...waits, state: "settled", gas: "400000", held: 2 });
      expect(followed).toEqual(["waits", "accepted", "settled"]);
    },
  );

  it("is carried out at once when both signatures come with one request", async () => {
    const { request } = await newPair();
    const both = [await signed(request, "owner", alice), await signed(request, "admin", bob)];
    const done = await submit(request, ...both);
    expect(done.state).toBe("settled");
    expect(followed).toEqual(["accepted", "settled"]);
    expect(await submit(request, ...both)).toEqual(done);
  });

  it("needs one signature when one account has both roles", async () => {
    const { request } = await newPair(alice, alice);
    expect(await one.engine.prepare(join, request)).toHaveLength(1);
    expect((await submit(request, await signed(request, "owner", alice))).state).toBe("settled");
  });

  it("answers a repeated first signature with the waiting operation", async () => {
    const pair = await newPair();
    const first = await signed(pair.request, "owner", alice);
    const begun = await submit(pair.request, first);
    expect(await submit(pair.request, first)).toEqual(begun);
    const again = await signed(pair.request, "owner", alice);
    expect(await submit(pair.request, again)).toEqual(begun);
    expect(followed).toEqual(["waits"]);
  });

  it("is not shown to, and not completed by, a forged signature", async () => {
    const pair = await newPair();
    await begin(pair);
    const genuine = await signed(pair.request, "owner", alice);
    const forged = await signed(pair.request, "owner", carol);
    const asAlice = { ...forged, signer: alice.address };
    expect((await refusal(submit(pair.request, asAlice))).type).toBe("INVALID_SIGNATURE");
    expect((await refusal(submit(pair.request, forged))).type).toBe("NOT_OWNER");
    const admission = await signed(pair.request, "admin", carol);
    expect((await refusal(submit(pair.request, genuine, admission))).type).toBe("NOT_OWNER");
    expect(await memberOf(pair.request)).toBe(0n);
  });

  it("is visible to its two signers only", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    const { waiting } = one.engine;
    const subject = { kind: "organization", id: pair.request.organizationId } as const;
    for (const party of [alice, bob]) {
      const [shown] = await waiting.list([join], party.address, { subject });
      expect(shown?.id).toBe(id);
      expect(Object.keys(shown ?? {}).toSorted()).toEqual([
        "awaiting",
        "expiresAt",
        "id",
        "kind",
        "request",
        "signedBy",
        "since",
        "subjects",
      ]);
      expect(await waiting.read([join], id, party.address)).toEqual(shown);
    }
    expect(await waiting.list([join], carol.address)).toEqual([]);
    for (const stranger of [waiting.read, waiting.withdraw]) {
      const error = await refusal(stranger([join], id, carol.address) as Promise<unknown>);
      expect([error.type, error.message]).toEqual([
        "NOT_FOUND",
        "No operation with this id waits for your signature, or was signed by you.",
      ]);
    }
    expect((await rowOf(id))?.state).toBe("waiting");
  });

  it("is carried out once when its last signature arrives 20 times at once", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    const admission = await signed(pair.request, "admin", bob);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submit(pair.request, admission)),
    );
    expect(new Set(answers.map((answer) => answer.state))).toEqual(new Set(["settled"]));
    const hashes = answers.map((answer) => answer.state === "settled" && answer.performed.txHash);
    expect(new Set(hashes).size).toBe(1);
    expect(await joins(pair.request)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ state: "settled", gas: "400000", held: 2 });
    expect(followed).toEqual(["waits", "accepted", "settled"]);
  });

  it("is carried out once when its admin signs 10 times, and a late signature is refused", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    const admissions = await Promise.all(
      Array.from({ length: 10 }, () => signed(pair.request, "admin", bob)),
    );
    const outcomes = await Promise.allSettled(
      admissions.map((admission) => submit(pair.request, admission)),
    );
    const [event] = await joins(pair.request);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") {
        expect(outcome.value).toMatchObject({ performed: { txHash: event?.transactionHash } });
      } else {
        // Its request came after the end: the definition's own refusal.
        expect(outcome.reason).toMatchObject({ type: "FORBIDDEN" });
      }
    }
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    expect(await joins(pair.request)).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ state: "settled", gas: "400000", held: 2 });
  });

  it("begins once when its first signature arrives 20 times at once", async () => {
    const { request } = await newPair();
    const first = await signed(request, "owner", alice);
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(request, first)));
    const ids = answers.map((answer) => answer.state === "waiting" && answer.waiting.id);
    expect(new Set(ids).size).toBe(1);
    expect(followed).toEqual(["waits"]);
  });
});

describe("a waiting operation ends", () => {
  const ended = async (id: string, end: object) =>
    expect(await rowOf(id)).toMatchObject({ ...end, gas: null, held: 0 });

  it("with a sale of the agent, and the old owner's signature is not carried out", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    await chain.movePassport(pair.passportId, alice, carol);
    expect(
      await one.engine.waiting.list([join], bob.address, {
        subject: { kind: "soul", id: pair.request.tokenId },
      }),
    ).toEqual([]);
    await ended(id, { state: "refused", type: "SUSPENDED", superseded: false });
    expect(followed).toEqual(["waits", "refused"]);
  });

  it("with another admin, whose signature does not complete it", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    await chain.changeAdmin(bob, pair.request.organizationId, carol.address, carol);
    const admission = await signed(pair.request, "admin", carol);
    const submitted = await submit(pair.request, admission);
    expect(submitted.state).toBe("waiting");
    await ended(id, { state: "refused", type: "NOT_OWNER", superseded: false });
    expect(await memberOf(pair.request)).toBe(0n);
  });

  it("with a cancelled nonce", async () => {
    const pair = await newPair();
    const first = await signed(pair.request, "owner", alice);
    const begun = await submit(pair.request, first);
    const hash = await chain.client.writeContract({
      address: chain.contracts.organizationRegistry,
      abi: organizationRegistryAbi,
      functionName: "cancel",
      args: [first.message.nonce],
      account: alice,
    });
    await chain.mined(hash);
    await one.engine.waiting.review([join]);
    if (begun.state !== "waiting") throw new Error("It does not wait.");
    await ended(begun.waiting.id, { state: "cancelled", type: "NONCE_USED", superseded: false });
    expect(followed).toEqual(["waits", "cancelled"]);
  });

  it.each([
    ["owner", alice],
    ["admin", bob],
  ] as const)("when its %s withdraws it", async (_role, party) => {
    const pair = await newPair();
    const id = await begin(pair);
    await one.engine.waiting.withdraw([join], id, party.address);
    await ended(id, { state: "cancelled", type: "GONE", superseded: false });
    const admission = await signed(pair.request, "admin", bob);
    expect((await submit(pair.request, admission)).state).toBe("waiting");
    expect(await memberOf(pair.request)).toBe(0n);
  });

  it("at the deadline of its first signature", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    const clock = () => new Date(Date.now() + 7 * 24 * 60 * 60 * 1000 + 1000);
    const later = twoSignerProcess({ chain, connection, clock });
    await later.engine.waiting.review([join], {
      subject: { kind: "soul", id: pair.request.tokenId },
    });
    await later.close();
    await ended(id, { state: "expired", type: "NONCE_EXPIRED", superseded: false });
    expect(followed).toEqual(["waits", "expired"]);
  });

  it("as superseded when both called the contract, or a feature saw its effect", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    await chain.join(alice, pair.request.tokenId, pair.request.organizationId, bob);
    await one.engine.waiting.review([join]);
    await ended(id, { state: "refused", type: "FORBIDDEN", superseded: true });
    const seen = await newPair();
    const other = await begin(seen);
    await one.engine.waiting.supersede(join, seen.request);
    await one.engine.waiting.supersede(join, seen.request);
    await ended(other, { state: "refused", type: "GONE", superseded: true });
    expect(followed).toEqual(["waits", "refused"]);
  });

  it("not while the chain does not answer", async () => {
    const pair = await newPair();
    const id = await begin(pair);
    const down = twoSignerProcess({
      chain,
      connection,
      around: (name, port) =>
        name === "chain"
          ? { ...port, isNonceUsed: () => Promise.reject(new ApiError("CHAIN_UNAVAILABLE")) }
          : port,
    });
    const filter = { subject: { kind: "soul", id: pair.request.tokenId } } as const;
    await expect(down.engine.waiting.review([join], filter)).rejects.toThrow(
      "1 operations could not be checked.",
    );
    await down.close();
    expect((await rowOf(id))?.state).toBe("waiting");
  });
});

it("reviews all operations that began at one moment, over several pages", async () => {
  const id = await begin(await newPair());
  // Copies without a signature count no longer.
  const { rowCount } = await connection.pool.query(
    `insert into app.operation (id, kind, settlement, state, request_hash, operation_key, request,
       payload, accepted_block, created_at, updated_at)
     select gen_random_uuid(), kind, settlement, state,
       '0x' || encode(sha256(n::text::bytea), 'hex'), operation_key, request, payload,
       accepted_block, created_at, updated_at
     from app.operation, generate_series(1, 150) n where id = $1`,
    [id],
  );
  expect(rowCount).toBe(150);
  await one.engine.waiting.review([join]);
  const { rows } = await connection.pool.query(
    `select state, count(*)::int as n from app.operation
     where created_at = (select created_at from app.operation where id = $1) group by state`,
    [id],
  );
  expect(rows).toEqual(
    expect.arrayContaining([
      { state: "waiting", n: 1 },
      { state: "refused", n: 150 },
    ]),
  );
});

it("refuses a signer's operation beyond the limit, and stores nothing of it", async () => {
  const { request } = await newPair(alice, dave);
  const begun: string[] = [];
  for (let index = 0; index < MAX_WAITING_OF_SIGNER; index += 1) {
    const { rows } = await connection.pool.query(
      `with o as (
         insert into app.operation (id, kind, settlement, state, request_hash, operation_key, request, payload, accepted_block, created_at, updated_at)
         values (gen_random_uuid(), 'other', 'chain', 'waiting', $1, 'k', '{}', '{}', 0, now(), now()) returning id)
       insert into app.operation_signature (operation_id, role, position, chain_id, contract, primary_type, signer, nonce, digest, message, signature)
       select id, 'admin', 0, 31337, 'c', 'p', $2, $3, $1, '{}', '0x' from o returning operation_id as id`,
      [`other ${index}`, dave.address, index],
    );
    begun.push(rows[0].id);
  }
  const error = await refusal(submit(request, await signed(request, "admin", dave)));
  expect([error.type, error.message]).toEqual([
    "RATE_LIMIT_EXCEEDED",
    "At most 50 operations that you signed may wait. Withdraw one, or wait until one ends.",
  ]);
  expect(await one.engine.waiting.list([join], dave.address)).toEqual([]);
  await connection.pool.query("update app.operation set state = 'cancelled' where id = any($1)", [
    begun,
  ]);
  expect((await submit(request, await signed(request, "admin", dave))).state).toBe("waiting");
});

it("is waiting or complete at whichever step its process dies, and repeating it completes it", async () => {
  let steps = 0;
  for (let fatal = 1; ; fatal += 3) {
    const pair = await newPair();
    const id = await begin(pair);
    const admission = await signed(pair.request, "admin", bob);
    const life = new Life((step) => step === fatal);
    const dying = twoSignerProcess({
      chain,
      connection,
      around: (_name, port) => mortal(port, life),
    });
    const outcome = await dying.engine
      .submit(join, pair.request, [admission], requester())
      .then(() => "done" as const)
      .catch((error: unknown) => {
        if (error instanceof Killed || (error as Error).cause instanceof Killed) return "dead";
        throw error;
      });
    await dying.close();
    if (outcome === "done" && !life.isDead) break;
    steps += 1;
    await one.engine.recover([join]);
    const state = (await rowOf(id))?.state;
    expect(["waiting", "settled"]).toContain(state);
    expect(await joins(pair.request)).toHaveLength(state === "settled" ? 1 : 0);
    expect((await submit(pair.request, admission)).state).toBe("settled");
    expect(await joins(pair.request)).toHaveLength(1);
  }
  expect(steps).toBeGreaterThan(8);
}, 180_000);

it("founds an organization, an operation without an existing subject", async () => {
  const found = foundDefinition(chain);
  const request = { name: "Nothing before", admin: carol.address };
  const before = await chain.organizationCount();
  const [prepared] = await one.engine.prepare(found, request);
  if (!prepared) throw new Error("Nothing to sign.");
  const given = [await one.sign(prepared, carol)];
  await one.engine.perform(found, request, given, requester());
  expect(await chain.organizationCount()).toBe(before + 1n);
  expect(await chain.adminOf(before + 1n)).toBe(carol.address);
});

it("takes two signatures of one person in two domains: an allowance, and the stablecoin's permit", async () => {
  const { tokenId } = await chain.register(dave, "agent-with-permit");
  const definition = allowanceWithPermit(dave);
  const request = { tokenId, value: 5_000_000n };
  const prepared = await one.engine.prepare(definition, request);
  expect(prepared.map(({ role, contract, primaryType }) => [role, contract, primaryType])).toEqual([
    ["owner", "AllowanceVault", "SetAllowance"],
    ["permit", "Stablecoin", "Permit"],
  ]);
  const permit = prepared[1]?.message;
  expect(permit?.nonce).toBe(0n);
  const given = await Promise.all(prepared.map((each) => one.sign(each, dave)));
  const alone = await refusal(
    one.engine.perform(definition, request, given.slice(0, 1), requester()),
  );
  expect([alone.type, alone.details]).toEqual([
    "INVALID_REQUEST",
    { issues: [{ path: "signature", message: "The permit has to sign" }] },
  ]);
  await one.engine.perform(definition, request, given, requester());
  expect((await chain.allowanceOf(tokenId)).dailyLimit).toBe(2_000_000n);
  // The stablecoin takes no nonce twice, which must not stop the owner's decision.
  const again = await one.engine.prepare(definition, request);
  expect(again[1]?.message.nonce).toBe(1n);
  const [first] = await Promise.all(again.map((each) => one.sign(each, dave)));
  await one.engine.perform(
    definition,
    request,
    [first as GivenSignature, given[1] as GivenSignature],
    requester(),
  );
  expect((await chain.allowanceOf(tokenId)).version).toBe(2);
});

interface PermitRequest {
  readonly tokenId: bigint;
  readonly value: bigint;
}

function allowanceWithPermit(
  owner: LocalAccount,
): ChainOperation<PermitRequest, { readonly version: number }, null, null> {
  const vault = chain.contracts.allowanceVault;
  return {
    kind: "test_allowance",
    settlement: "chain",
    messageTypes: {
      owner: { contract: "AllowanceVault", primaryType: "SetAllowance" },
      permit: { contract: "Stablecoin", primaryType: "Permit" },
    },
    requestJson: ({ tokenId, value }) => ({ tokenId: `${tokenId}`, value: `${value}` }),
    read: async ({ tokenId }) => chain.allowanceOf(tokenId),
    signatures: () => [
      { role: "owner", signer: owner.address },
      { role: "permit", signer: owner.address },
    ],
    subjects: ({ tokenId }) => [{ kind: "soul", id: tokenId, epoch: 1 }],
    plan: async ({ tokenId, value }, { version }) => ({
      messages: {
        owner: {
          tokenId,
          epoch: 1,
          version,
          perTransaction: 1_000_000n,
          dailyLimit: 2_000_000n,
          validUntil: 4_000_000_000,
          onlyWithAgentWallet: false,
        },
        permit: { owner: owner.address, spender: vault, value },
      },
      payload: null,
      secrets: null,
      items: [],
    }),
    gas: () => 400_000n,
    call({ signatures: [allowance, permit] }) {
      if (!permit) throw new Error("Both signatures are required.");
      const { r, s, v } = parseSignature(permit.signature);
      const { value, deadline } = permit.message as unknown as PermitRequest & NonceAndDeadline;
      return {
        to: vault,
        data: encodeFunctionData({
          abi: allowanceVaultAbi,
          functionName: "setAllowanceWithPermit",
          args: [
            allowance?.message as never,
            allowance?.signature as Hex,
            { value, deadline, r, s, v: Number(v) },
          ],
        }),
      };
    },
    result: async () => null,
  };
}
