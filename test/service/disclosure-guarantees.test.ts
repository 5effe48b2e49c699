import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, stringToHex, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { disclose } from "../../kit/disclosure/disclose.ts";
import { DISCLOSURE_DOCUMENT } from "../../kit/disclosure/document.ts";
import { receiveDisclosure } from "../../kit/disclosure/receive.ts";
import { sendDisclosure } from "../../kit/disclosure/send.ts";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import {
  DISCLOSURE_SIGNATURE_HEADER,
  FIELDS,
  type Field,
  fieldIndex,
  normaliseCcsf,
  verifyFieldProof,
} from "../../protocol/index.ts";
import { canonicalJson } from "../../protocol/json.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { disclosureVerbs } from "../fixtures/disclosure-verbs.ts";
import { bindByOwner, type KnownAgent, knownAgent } from "../fixtures/disclosures.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import { handoverVerbs } from "../fixtures/handovers.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { svc } from "../fixtures/svc.ts";
import { rawCcsf, text } from "../protocol/arbitraries.ts";

// What selective disclosure promises, however it is used: proofs that every verifier judges alike,
// one outcome of each request, and values that rest nowhere.

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let requesterServer: Awaited<ReturnType<typeof startRequesterServer>>;
beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
  requesterServer = await startRequesterServer();
});
afterAll(async () => {
  await receiver?.stop();
  await requesterServer?.stop();
  await service?.stop();
});

const { request, read, pending, fulfil, confirm, revoke, setPolicy, stateOf, historyOf } =
  disclosureVerbs(() => service);
const { makeOld, runExpiry } = disclosureVerbs(() => service);

/** A server of a requester. A test says what happens between a request and its answer. */
async function startRequesterServer() {
  const received: { readonly body: string; readonly signature: string | null }[] = [];
  const handlers = new Map<string, () => Promise<number>>();
  const server = createServer(async (incoming, response) => {
    const body = await textOf(incoming);
    const signature = incoming.headers[DISCLOSURE_SIGNATURE_HEADER.toLowerCase()];
    received.push({ body, signature: typeof signature === "string" ? signature : null });
    const status = (await handlers.get(incoming.url ?? "")?.()) ?? 204;
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    received,
    url,
    /** Registers a webhook; `handle` runs while the service waits, and gives the status. */
    async subscribe({ tokenId, apiKey }: TestAgent, handle: () => Promise<number>) {
      const path = `/${randomUUID()}`;
      handlers.set(path, handle);
      const body = { tokenId, url: url(path), events: ["disclosure.fulfilled"] };
      const answer = await service.post("/v1/webhooks", body, bearer(apiKey));
      expect(answer.status).toBe(201);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A value that is said to be a field's of an agent, and its proof. */
interface Claim {
  readonly agent: KnownAgent;
  readonly field: Field;
  readonly value: unknown;
  readonly merkleProof: readonly Hex[];
}

const trueClaim = (agent: KnownAgent, field: Field): Claim => ({ agent, ...agent.proof(field) });

/** Whether each of the verifiers accepts a claim. */
async function verdicts({ agent, field, value, merkleProof }: Claim) {
  const proof = { field, value, merkleProof };
  const post = (path: string, body: object) => service.post(`/v1/disclose/${path}`, body);
  const [single, batch, command, contract] = await Promise.all([
    post("verify", { agentName: agent.name, ...proof }),
    post("batch-verify", { agentName: agent.name, proofs: [proof] }),
    commandVerdict({ agent, field, value, merkleProof }),
    service.chain.client.readContract({
      address: service.chain.contracts.soulView,
      abi: soulViewAbi,
      functionName: "verifyField",
      args: [
        BigInt(agent.tokenId),
        BigInt(fieldIndex(field)),
        stringToHex(canonicalJson(value)),
        [...merkleProof],
      ],
    }),
  ]);
  return {
    protocol: verifyFieldProof({ root: agent.root as Hex, ...proof }),
    verify: [single.status, single.body.match, single.body.valid],
    batchVerify: [batch.status, batch.body.allValid, batch.body.results?.[0]?.valid],
    command,
    contract,
  };
}

/** The exit code of `svc verify disclosure`. */
async function commandVerdict({ agent, ...proof }: Claim): Promise<number> {
  const { soulView } = service.chain.contracts;
  const document = {
    format: DISCLOSURE_DOCUMENT,
    chainId: 31337,
    soulView,
    agentName: agent.name,
    tokenId: agent.tokenId,
    disclosures: [{ ...proof, merkleRoot: agent.root }],
    issuedTo: null,
    issuedAt: new Date().toISOString(),
    expiresAt: null,
  };
  const args = ["verify", "disclosure", "-", "--rpc", service.chain.rpcUrl, "--view", soulView];
  return (await svc(args, { standardInput: JSON.stringify(document) })).code;
}

const ACCEPTED = {
  protocol: true,
  verify: [200, true, true],
  batchVerify: [200, true, true],
  command: 0,
  contract: [true, true],
};
const REJECTED = {
  protocol: false,
  verify: [200, false, false],
  batchVerify: [200, false, false],
  command: 1,
  contract: [false, true],
};

/** Texts on which parsers, encoders and terminals disagree. */
const HOSTILE = normaliseCcsf({
  identity: {
    name: "replaced",
    agent_type: "creative",
    description: '\u0001\u007f\u202eevil\u202c </script><!-- "\\u0041" \\" {"a":1,"a":2}',
  },
  soul: {
    purpose: "Å\u212b\ufeff\u1100\u1161 ﬁ 𝒮\u{10ffff} \u2028\u2029",
    personality: `${"\u{1f469}\u200d\u{1f680}".repeat(500)}'); drop table souls;--`,
    constraints: ["", " ", "__proto__", "constructor", "null", "-0", "1e400"].filter(
      (entry) => entry.trim() !== "",
    ),
    guidelines: Array.from({ length: 200 }, (_, index) => `Guideline ${index}\n\t\r\nnext line`),
    documents: [
      { id: "../../etc/passwd", contentHash: `0x${"ab".repeat(32)}`, immutable: true },
      { id: "\u202eid", contentHash: `0x${"00".repeat(32)}`, immutable: false },
    ],
  },
  capabilities: { skills: ["é"], tools: [], languages: ["%00"], models: ["%{jndi:ldap://x}"] },
});

/** The service refuses U+0000 in every text of a request. */
const hasNul = (value: unknown) => JSON.stringify(value).includes("\\u0000");
const storable = rawCcsf.filter((raw) => !hasNul(raw));

describe("every field of random souls", () => {
  let agents: readonly KnownAgent[];
  beforeAll(async () => {
    const souls = fc.sample(storable, 2).map((raw) => normaliseCcsf(raw));
    agents = [];
    for (const ccsf of [HOSTILE, ...souls]) {
      agents = [...agents, await knownAgent(service, { ccsf })];
    }
  });

  it("is proved by POST /disclose, and accepted by every verifier", async () => {
    for (const agent of agents) {
      const answer = await service.post(
        "/v1/disclose",
        { tokenId: agent.tokenId, disclosures: FIELDS.map(agent.stated) },
        bearer(agent.apiKey),
      );
      expect([answer.status, answer.body.disclosures], JSON.stringify(agent.ccsf)).toEqual([
        200,
        FIELDS.map((field) => ({
          ...agent.proof(field),
          merkleRoot: agent.root,
          verified: true,
        })),
      ]);
      for (const { field, value, merkleProof } of answer.body.disclosures) {
        const claim = { agent, field, value, merkleProof };
        expect([claim, await verdicts(claim)]).toEqual([claim, ACCEPTED]);
      }
    }
  });

  const anyValue = fc.oneof(
    text,
    fc.array(text, { maxLength: 4 }),
    fc.array(fc.record({ id: text, contentHash: fc.constant("0x00"), immutable: fc.boolean() }), {
      maxLength: 2,
    }),
  );
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes));
  const change = fc.oneof(
    fc.record({
      kind: fc.constant("value" as const),
      value: anyValue.filter((value) => !hasNul(value)),
    }),
    fc.record({ kind: fc.constant("field" as const), by: fc.integer({ min: 1, max: 11 }) }),
    fc.record({ kind: fc.constant("bit" as const), at: fc.nat(), bit: fc.nat(255) }),
    fc.record({ kind: fc.constant("swap" as const), at: fc.nat(), with: fc.nat() }),
    fc.record({ kind: fc.constant("drop" as const), at: fc.nat() }),
    fc.record({ kind: fc.constant("add" as const), at: fc.nat(), hash }),
    fc.record({ kind: fc.constant("root" as const), by: fc.integer({ min: 1, max: 2 }) }),
  );

  /** The claim with the change; null when the change makes no difference. */
  function changed(claim: Claim, one: typeof change extends fc.Arbitrary<infer T> ? T : never) {
    const proof = [...claim.merkleProof];
    const length = proof.length;
    if (one.kind === "value") {
      const { value } = one;
      return canonicalJson(value) === canonicalJson(claim.value) ? null : { ...claim, value };
    }
    if (one.kind === "field") {
      const field = FIELDS[(fieldIndex(claim.field) + one.by) % FIELDS.length] as Field;
      return { ...claim, field };
    }
    if (one.kind === "root") {
      const agent = agents[(agents.indexOf(claim.agent) + one.by) % agents.length];
      return { ...claim, agent: agent as KnownAgent };
    }
    if (one.kind === "bit") {
      const bytes = hexToBytes(proof[one.at % length] as Hex);
      const byte = one.bit >> 3;
      bytes[byte] = (bytes[byte] ?? 0) ^ (1 << (one.bit & 7));
      proof[one.at % length] = bytesToHex(bytes);
    } else if (one.kind === "swap") {
      const [left, right] = [one.at % length, one.with % length];
      if (proof[left] === proof[right]) return null;
      [proof[left], proof[right]] = [proof[right] as Hex, proof[left] as Hex];
    } else if (one.kind === "drop") proof.splice(one.at % length, 1);
    else proof.splice(one.at % (length + 1), 0, one.hash);
    return { ...claim, merkleProof: proof };
  }

  it("is rejected by every verifier after any change of value, field, proof or root", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.constantFrom(...FIELDS),
        change,
        async (index, field, wrong) => {
          const agent = agents[index] as KnownAgent;
          const claim = changed(trueClaim(agent, field), wrong);
          fc.pre(claim !== null);
          expect(await verdicts(claim as Claim)).toEqual(REJECTED);
          if (wrong.kind !== "value") return;
          const answer = await service.post(
            "/v1/disclose",
            { tokenId: agent.tokenId, disclosures: [{ field, value: wrong.value }] },
            bearer(agent.apiKey),
          );
          expect(refusal(answer)).toMatchObject({ status: 422, type: "HASH_MISMATCH" });
        },
      ),
      { numRuns: process.env.CI ? 150 : 60 },
    );
  });
});

describe("a field with U+0000 in its value", () => {
  it("is proved to the contract and to the kit, while the service takes no such text", async () => {
    const ccsf = normaliseCcsf({
      identity: { name: "replaced", agent_type: "creative", description: "" },
      soul: { purpose: "a\u0000b" },
    });
    const agent = await knownAgent(service, { ccsf });
    expect(await verdicts(trueClaim(agent, "soul.purpose"))).toEqual({
      ...ACCEPTED,
      verify: [400, undefined, undefined],
      batchVerify: [400, undefined, undefined],
    });
    const disclosures = [agent.stated("soul.purpose")];
    const body = { tokenId: agent.tokenId, disclosures };
    const answer = await service.post("/v1/disclose", body, bearer(agent.apiKey));
    expect(refusal(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "", message: "U+0000 cannot be kept in any text." }] },
    });
  });
});

describe("a request", () => {
  const pair = async () => [await newAgent(service), await knownAgent(service)] as const;
  const ENDPOINT = { disclosureEndpoint: "https://93.184.216.34/" };
  const body = (target: KnownAgent) => ({ disclosures: [target.stated("soul.purpose")] });
  const PEER_TO_PEER = { fulfilledFields: ["soul.purpose"] };

  /** What both ways to answer a request say: through the service, and from peer to peer. */
  async function bothRefuse(target: KnownAgent, requestId: string) {
    const answers = [
      await fulfil(target, requestId, body(target)),
      await confirm(target, requestId, PEER_TO_PEER),
    ];
    return answers.map((answer) => [refusal(answer), answer.body.error.message]);
  }

  /** The kit's verdict on an answer that the owner signed now. */
  async function kitVerdict(target: KnownAgent, requestId: string, expiresAt = inAnHour()) {
    const proof = { ...target.proof("soul.purpose"), merkleRoot: target.root as Hex };
    const signed = await disclose({
      requestId,
      fromAgent: target.name,
      fromTokenId: target.tokenId,
      disclosures: [proof],
      expiresAt: null,
      sign: (raw) => target.owner.signMessage({ message: { raw } }),
    });
    const verdict = await receiveDisclosure({
      rawBody: signed.body,
      signature: signed.headers[DISCLOSURE_SIGNATURE_HEADER] ?? null,
      rpcUrl: service.chain.rpcUrl,
      soulView: service.chain.contracts.soulView,
      request: () => ({
        targetAgentName: target.name,
        requestedFields: ["soul.purpose"],
        expiresAt,
      }),
      seen: () => false,
      now: new Date(),
    });
    return verdict.ok ? "accepted" : verdict.reason;
  }

  /** The job runs in the service, some time after it was sent. */
  const SOON = { timeout: 50_000, interval: 50 };
  const storedStates = async (ids: readonly string[]) => {
    const query = "select state from app.disclosure_request where id = any($1)";
    const { rows } = await service.pool.query<{ state: string }>(query, [ids]);
    return rows.map(({ state }) => state);
  };

  const inAnHour = () => new Date(Date.now() + 3_600_000);

  it("has one answer when it is answered in both ways by two sessions at once", async () => {
    const [requester, target] = await pair();
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, ["soul.purpose"], ENDPOINT);
    const { accessToken } = await ownerSession(service, target.owner);
    const answers = await Promise.all([
      fulfil(target, requestId, body(target), accessToken),
      confirm(target, requestId, PEER_TO_PEER),
      fulfil(target, requestId, body(target)),
      confirm({ ...target, apiKey: accessToken }, requestId, PEER_TO_PEER),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 410, 410, 410,
    ]);
    const { mode, disclosureId } = answers.find(({ status }) => status === 200)?.body ?? {};
    expect(await historyOf(target)).toMatchObject([{ disclosureId, fields: ["soul.purpose"] }]);
    expect((await read(requestId, requester.apiKey)).body.answer).toMatchObject({
      mode,
      disclosureId,
    });
    expect(hook.got()).toHaveLength(mode === "api_relayed" ? 1 : 0);
  });

  it("is answered once when its disclosure is revoked while the values are sent", async () => {
    const [requester, target] = await pair();
    const revocations = await receiver.subscribe(requester, ["disclosure.revoked"]);
    const before = requesterServer.received.length;
    await requesterServer.subscribe(requester, async () => {
      const [{ disclosureId }] = await historyOf(target);
      const revoked = await revoke(target, { disclosureId });
      expect([revoked.status, revoked.body.webhookSent]).toEqual([200, true]);
      return 500;
    });
    const requestId = await pending(requester, target);
    const answer = await fulfil(target, requestId, body(target));
    expect([answer.status, answer.body.requesterNotified, answer.body.deliveryProblem]).toEqual([
      200,
      false,
      "The webhook did not accept it: it answered with status 500.",
    ]);
    const again = await fulfil(target, requestId, body(target));
    expect([refusal(again), again.body.error.message]).toEqual([
      { status: 410, type: "GONE", details: {} },
      "This answer's disclosure was revoked, and its values are not sent again.",
    ]);
    expect(requesterServer.received.length).toBe(before + 1);
    expect(await revocations.arrived(1)).toHaveLength(1);
    expect(await historyOf(target)).toMatchObject([{ status: "revoked" }]);
    // Its proof stays right, for every verifier.
    expect(await verdicts(trueClaim(target, "soul.purpose"))).toEqual(ACCEPTED);
    expect(await kitVerdict(target, requestId)).toBe("accepted");
  });

  it("delivers no values again after its disclosure or the request itself expired", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target);
    const first = await fulfil(target, requestId, body(target));
    expect([first.status, first.body.requesterNotified]).toEqual([200, false]);
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    await service.pool.query("update app.disclosure set expires_at = now() where id = $1", [
      first.body.disclosureId,
    ]);
    const late = await fulfil(target, requestId, body(target));
    expect([refusal(late), late.body.error.message]).toEqual([
      { status: 410, type: "GONE", details: {} },
      "This answer's disclosure has expired, and its values are not sent again.",
    ]);
    await makeOld(requestId);
    const later = await fulfil(target, requestId, body(target));
    expect(later.body.error.message).toBe("This request has expired.");
    expect(hook.got()).toEqual([]);
    expect(await stateOf(requestId, requester)).toBe("fulfilled");
    expect(await historyOf(target)).toHaveLength(1);
  });

  it("has expired for both ways to answer it, also for one that waits for its turn", async () => {
    const [requester, target] = await pair();
    const fulfilled = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const expired = await receiver.subscribe(requester, ["disclosure.expired"]);
    const requestId = await pending(requester, target, ["soul.purpose"], ENDPOINT);
    const session = await service.pool.connect();
    const late = await (async () => {
      try {
        await session.query("begin");
        const lock = "select id from app.disclosure_request where id = $1 for update";
        await session.query(lock, [requestId]);
        const waiting = fulfil(target, requestId, body(target));
        await vi.waitFor(async () => {
          const { rows } = await service.pool.query(
            "select pid from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))",
            [(session as unknown as { processID: number }).processID],
          );
          expect(rows).toHaveLength(1);
        });
        await session.query("update app.disclosure_request set expires_at = now() where id = $1", [
          requestId,
        ]);
        await session.query("commit");
        return await waiting;
      } finally {
        session.release();
      }
    })();
    const gone = [{ status: 410, type: "GONE", details: {} }, "This request has expired."];
    expect([refusal(late), late.body.error.message]).toEqual(gone);
    const [, ended] = await Promise.all([runExpiry(), bothRefuse(target, requestId)]);
    expect(ended).toEqual([gone, gone]);
    expect(await kitVerdict(target, requestId, new Date())).toBe("request_expired");
    expect(await stateOf(requestId, requester)).toBe("expired");
    expect(await expired.arrived(1)).toHaveLength(1);
    expect(fulfilled.got()).toEqual([]);
    expect(await historyOf(target)).toEqual([]);
  });

  it("that is answered is not expired by the job while its values are sent", async () => {
    const [requester, target] = await pair();
    const expired = await receiver.subscribe(requester, ["disclosure.expired"]);
    const requestId = await pending(requester, target);
    const unanswered = await pending(await newAgent(service), target);
    let finish = () => {};
    const job = new Promise<void>((done) => {
      finish = done;
    });
    await requesterServer.subscribe(requester, async () => {
      await makeOld(requestId);
      await makeOld(unanswered);
      await runExpiry();
      await vi.waitFor(async () => {
        expect(await storedStates([unanswered])).toEqual(["expired"]);
      }, SOON);
      finish();
      return 204;
    });
    const answer = await fulfil(target, requestId, body(target));
    expect(answer.status).toBe(200);
    // On a slow machine the service stops waiting for the requester first.
    await job;
    expect(await stateOf(requestId, requester)).toBe("fulfilled");
    expect(expired.got()).toEqual([]);
    expect(await historyOf(target)).toHaveLength(1);
  });

  it("has one outcome when the agent is sold while it is answered", async () => {
    const [requester, target] = await pair();
    const [other] = await pair();
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, ["soul.purpose"], ENDPOINT);
    const otherId = await pending(other, target, ["soul.purpose"], ENDPOINT);
    await service.chain.fund(target.owner.address);
    const [answer] = await Promise.all([
      fulfil(target, requestId, body(target)),
      service.chain.transferPassport(BigInt(target.passportId), target.owner, newAccount().address),
    ]);
    // The block that the answer was judged by was before the sale, or after it.
    const isAnswered = answer.status === 200;
    if (!isAnswered) expect(refusal(answer)).toMatchObject({ status: 409, type: "SUSPENDED" });
    const { rows } = await service.pool.query(
      "select fields from app.disclosure where token_id = $1",
      [target.tokenId],
    );
    expect(rows).toHaveLength(isAnswered ? 1 : 0);
    expect(hook.got()).toHaveLength(isAnswered ? 1 : 0);

    const suspended = refusal(await fulfil(target, otherId, body(target)));
    expect(suspended).toMatchObject({ status: 409, type: "SUSPENDED" });
    const direct = refusal(await confirm(target, otherId, PEER_TO_PEER));
    expect(direct).toMatchObject({ status: 409, type: "SUSPENDED" });
    expect(await kitVerdict(target, otherId)).toBe("soul_not_valid");
    expect(await verdicts(trueClaim(target, "soul.purpose"))).toEqual({
      protocol: true,
      verify: [200, true, false],
      batchVerify: [200, false, false],
      command: 1,
      contract: [true, false],
    });
  });

  it("releases nothing to an agent whose membership or binding ended a block before", async () => {
    const owner = newAccount();
    const [requester, target] = [
      await knownAgent(service, { owner }),
      await knownAgent(service, { owner }),
    ];
    const organizations = organizationVerbs(service);
    const organizationId = await organizations.found(owner);
    await organizations.joinDirectly(owner, organizationId, target.tokenId);
    await organizations.joinDirectly(owner, organizationId, requester.tokenId);
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "organization_members" }]);
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, ["soul.purpose"], ENDPOINT);

    const refusedBecause = (reason: string) => {
      const details = { field: "soul.purpose", reason };
      const message = "The agent's policy does not disclose soul.purpose to this requester now.";
      return [{ status: 403, type: "FORBIDDEN", details }, message];
    };
    const nothing = async (reason: string) => {
      const refused = refusedBecause(reason);
      expect(await bothRefuse(target, requestId)).toEqual([refused, refused]);
      const { rejected } = refusal(await request(requester, target, ["soul.purpose"])).details;
      expect(rejected).toEqual([{ field: "soul.purpose", reason }]);
      expect(await stateOf(requestId, target)).toBe("pending_approval");
      expect([await historyOf(target), hook.got()]).toEqual([[], []]);
    };
    await organizations.leaveDirectly(owner, requester.tokenId);
    await nothing("no_common_organization");
    await organizations.joinDirectly(owner, organizationId, requester.tokenId);
    await organizations.leaveDirectly(owner, target.tokenId);
    await nothing("no_common_organization");

    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "bound_agents" }]);
    await nothing("not_bound");
    await bindByOwner(service, target, requester, "limited");
    const answer = await fulfil(target, requestId, body(target));
    expect([answer.status, answer.body.requesterNotified]).toEqual([200, true]);
    expect(hook.got()).toHaveLength(1);
  });

  it("is cancelled once one of its agents was resealed or burned, without an event", async () => {
    const [resealed, target] = await pair();
    const [asking, burned] = await pair();
    const hooks = [
      await receiver.subscribe(resealed, ["disclosure.expired"]),
      await receiver.subscribe(asking, ["disclosure.expired"]),
    ];
    const partial = await request(
      resealed,
      target,
      ["identity.description", "soul.purpose"],
      ENDPOINT,
    );
    expect(partial.body.status).toBe("partially_fulfilled");
    const ids = [partial.body.requestId, await pending(asking, burned)] as const;

    const handovers = handoverVerbs(service);
    const buyer = newAccount();
    await handovers.sell(resealed, resealed.owner, buyer.address);
    const wish = handovers.newSoul(resealed, buyer);
    const signed = await handovers.signedBy(buyer, "reseal", wish);
    const reseal = await handovers.reseal(resealed.tokenId, signed);
    expect(reseal.status, JSON.stringify(reseal.body)).toBe(200);
    const { owner, tokenId, name } = burned;
    await service.chain.fund(owner.address);
    const hash = await service.chain.client.writeContract({
      ...handovers.registry,
      functionName: "burn",
      args: [
        {
          tokenId: BigInt(tokenId),
          epoch: 1,
          version: 0,
          reasonHash: zeroHash,
          nonce: 0n,
          deadline: 0n,
        },
        "0x",
      ],
      account: owner,
    } as never);
    const { blockNumber } = await ownerSigned(service).mined(hash);
    await service.get(`/v1/profile/${name}?minBlock=${blockNumber}`);

    const gone = [
      { status: 410, type: "GONE", details: {} },
      "This request was cancelled: one of its agents was resealed or burned.",
    ];
    expect(await stateOf(ids[0], target)).toBe("cancelled");
    expect(await bothRefuse(target, ids[0])).toEqual([gone, gone]);
    expect(await stateOf(ids[1], asking)).toBe("cancelled");
    for (const id of ids) await makeOld(id);
    await runExpiry();
    await vi.waitFor(async () => {
      expect(await storedStates(ids)).toEqual(["cancelled", "cancelled"]);
    }, SOON);
    expect(hooks.flatMap((hook) => hook.got())).toEqual([]);
  });
});

describe("what releases a value", () => {
  /** Keeps the indexer from writing memberships while `work` runs; reads go on. */
  async function withHeldIndex(work: () => Promise<void>): Promise<void> {
    const { rows } = await service.pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where tablename = 'membership'",
    );
    expect(rows).toHaveLength(1);
    const session = await service.pool.connect();
    try {
      await session.query(`begin; lock table ${rows[0]?.name} in share mode`);
      await work();
    } finally {
      await session.query("rollback");
      session.release();
    }
  }

  it("is read from the chain, while the index still has a membership that ended", async () => {
    const owner = newAccount();
    const [requester, target] = [
      await knownAgent(service, { owner }),
      await knownAgent(service, { owner }),
    ];
    const organizations = organizationVerbs(service);
    const organizationId = await organizations.found(owner);
    await organizations.joinDirectly(owner, organizationId, target.tokenId);
    const joined = await organizations.joinDirectly(owner, organizationId, requester.tokenId);
    const members = async (query = "") =>
      (await service.get(`/v1/org/${organizationId}${query}`)).body.memberCount;
    expect(await members(`?minBlock=${joined.blockNumber}`)).toBe(2);
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "organization_members" }]);
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, ["soul.purpose"], {
      disclosureEndpoint: "https://93.184.216.34/",
    });
    const disclosures = [target.stated("soul.purpose")];
    await withHeldIndex(async () => {
      await organizations.leaveDirectly(owner, requester.tokenId);
      const details = { field: "soul.purpose", reason: "no_common_organization" };
      const refused = { status: 403, type: "FORBIDDEN", details };
      expect(refusal(await fulfil(target, requestId, { disclosures }))).toEqual(refused);
      const fulfilledFields = ["soul.purpose"];
      expect(refusal(await confirm(target, requestId, { fulfilledFields }))).toEqual(refused);
      expect(refusal(await request(requester, target, ["soul.purpose"])).details).toEqual({
        rejected: [details],
      });
      // Nothing but the chain has it by now.
      expect(await members()).toBe(2);
      await organizations.joinDirectly(owner, organizationId, requester.tokenId);
      const answer = await fulfil(target, requestId, { disclosures });
      expect([answer.status, answer.body.requesterNotified]).toEqual([200, true]);
    });
    expect(hook.got()).toHaveLength(1);
    expect(await historyOf(target)).toHaveLength(1);
  });
});

describe("a disclosed value", () => {
  it("rests in no table, log, job, metric or archive item, however it was disclosed", async () => {
    const canary = `canary-${randomUUID().slice(0, 18)}`;
    const soul = { purpose: `Purpose ${canary}`, personality: `Personality ${canary}` };
    const target = await knownAgent(service, { soul });
    const [requester, refusing, silent] = [
      await newAgent(service),
      await newAgent(service),
      await newAgent(service),
    ];
    const hook = await receiver.subscribe(requester, [
      "disclosure.fulfilled",
      "disclosure.revoked",
    ]);
    let status = 500;
    await requesterServer.subscribe(refusing, async () => status);
    const both = [target.stated("soul.purpose"), target.stated("soul.personality")];
    const [first] = both as [(typeof both)[0]];
    const bodyOf = (disclosures: object[]) => ({ tokenId: target.tokenId, disclosures });
    const key = bearer(target.apiKey);
    const keyed = { ...key, "Idempotency-Key": randomUUID() };
    const disclosed = (body: object, headers: Record<string, string> = key) =>
      service.post("/v1/disclose", body, headers);

    const toAll = await disclosed(bodyOf(both), keyed);
    const recipientDid = `did:svc:${requester.name}`;
    const toOne = await disclosed({ ...bodyOf(both), recipientDid });
    const { disclosureId } = toOne.body;
    const resent = await pending(refusing, target);
    const answered = [
      toAll,
      toOne,
      await revoke(target, { disclosureId, reason: "No longer needed." }),
      // Through the service: taken, without a webhook, and sent again after an error.
      await fulfil(target, await pending(requester, target), { disclosures: [first] }),
      await fulfil(target, await pending(silent, target), { disclosures: [first] }),
      await fulfil(target, resent, { disclosures: [first] }),
    ];
    status = 204;
    answered.push(await fulfil(target, resent, { disclosures: [first] }));
    const notified = answered.slice(3).map(({ body }) => body.requesterNotified);
    expect(notified).toEqual([true, false, false, true]);

    // From peer to peer, in plain text and encrypted.
    const privateKey = secp256k1.utils.randomSecretKey();
    const publicKey = bytesToHex(secp256k1.getPublicKey(privateKey, true));
    const endpoint = { disclosureEndpoint: requesterServer.url("/disclosures") };
    for (const encryptTo of [undefined, { kind: "secp256k1" as const, publicKey }]) {
      const more = encryptTo === undefined ? {} : { disclosurePublicKey: publicKey };
      const requestId = await pending(requester, target, ["soul.purpose"], {
        ...endpoint,
        ...more,
      });
      const { body } = await read(requestId, target.apiKey);
      const signed = await disclose({
        requestId,
        fromAgent: target.name,
        fromTokenId: target.tokenId,
        disclosures: [{ ...target.proof("soul.purpose"), merkleRoot: target.root as Hex }],
        expiresAt: null,
        sign: (raw) => target.owner.signMessage({ message: { raw } }),
        encryptTo,
      });
      const sent = await sendDisclosure(body.disclosureEndpoint, signed, { loopbackHttp: true });
      expect(sent).toEqual({ delivered: true });
      expect(requesterServer.received.at(-1)?.body.includes(canary)).toBe(encryptTo === undefined);
      answered.push(await confirm(target, requestId, { fulfilledFields: ["soul.purpose"] }));
    }
    answered.push(
      await service.post("/v1/disclose/verify", {
        agentName: target.name,
        ...target.proof("soul.purpose"),
      }),
      await service.post("/v1/disclose/batch-verify", {
        agentName: target.name,
        proofs: [target.proof("soul.purpose"), target.proof("soul.personality")],
      }),
    );
    expect(answered.map(({ status: code }) => code)).toEqual(answered.map(() => 200));

    const open = await pending(requester, target, ["soul.purpose"], endpoint);
    const text = JSON.stringify(bodyOf(both));
    const json = { "content-type": "application/json" };
    const refused = [
      // A wrong value, a field twice, another agent's key, none, and values of other forms.
      await disclosed(bodyOf([{ field: "soul.personality", value: soul.purpose }])),
      await disclosed(bodyOf([first, first]), keyed),
      await disclosed(bodyOf(both), bearer(requester.apiKey)),
      await disclosed(bodyOf(both), {}),
      await disclosed(bodyOf([{ field: "soul.purpose", value: { [canary]: [canary] } }])),
      // Values in wrong places.
      await disclosed(bodyOf([{ field: soul.purpose, value: soul.purpose }])),
      await disclosed({ ...bodyOf(both), recipientDid: soul.purpose }),
      await disclosed({ ...bodyOf(both), recipientDid: `did:svc:${canary}` }),
      await disclosed({ ...bodyOf(both), expiresIn: canary }),
      await disclosed({ ...bodyOf(both), tokenId: canary }),
      await disclosed({ ...bodyOf(both), [canary]: canary }),
      await disclosed(bodyOf(both), bearer(canary)),
      await fulfil(target, open, { disclosures: [first], requestId: canary }),
      await fulfil(target, open, { disclosures: [first], deniedFields: [canary] }),
      await fulfil(target, open, { disclosures: [{ ...first, value: `${first.value} ` }] }),
      await fulfil(target, randomUUID(), { disclosures: [first] }),
      await fulfil(requester, open, { disclosures: [first] }),
      await confirm(target, open, { disclosures: [first] }),
      await confirm(target, open, { fulfilledFields: [canary] }),
      await request(requester, target, [canary]),
      await request(requester, { name: canary }, ["soul.purpose"]),
      await revoke(target, { disclosureId: canary }),
      await service.get(`/v1/disclose/summary/${canary}`),
      await service.get(`/v1/disclose/${encodeURIComponent(soul.purpose)}`),
      await service.request(`/v1/disclose/history/${target.tokenId}?field=${canary}`, {
        headers: key,
      }),
      await service.post("/v1/disclose/verify", { agentName: target.name, field: canary }),
      // Bodies that are cut off, of another type, and too large.
      await service.request("/v1/disclose", {
        method: "POST",
        headers: { ...json, ...key },
        body: text.slice(0, -1),
      }),
      await service.request("/v1/disclose", {
        method: "POST",
        headers: { ...key, "content-type": "text/plain" },
        body: text,
      }),
      await disclosed({ ...bodyOf(both), more: canary.repeat(50_000) }),
    ];
    expect(refused.map(({ status: code }) => code)).toEqual([
      ...[422, 400, 403, 401, 400],
      ...[400, 400, 404, 400, 400, 400, 401],
      ...[400, 400, 422, 404, 404, 400, 400, 400, 404, 400],
      ...[404, 404, 400, 400],
      ...[400, 415, 413],
    ]);

    // The recipients have it, and so does the one that answered with an error.
    const events = await hook.arrived(2);
    expect(JSON.stringify(events)).toContain(soul.purpose);
    expect(requesterServer.received.filter(({ body }) => body.includes(canary))).toHaveLength(3);
    const stored = await everythingStored(service.pool);
    expect(stored).toContain(target.name);
    const log = (await service.logLines()).join("\n");
    expect(log).toContain("/v1/disclose");
    const metrics = await service.get("/metrics");
    expect([metrics.status, metrics.body.includes("/v1/disclose")]).toEqual([200, true]);
    for (const [place, found] of Object.entries({ stored, log, metrics: metrics.body })) {
      for (const form of ["utf8", "hex", "base64"] as const) {
        const hidden = Buffer.from(canary).toString(form);
        expect([place, form, found.includes(hidden)]).toEqual([place, form, false]);
      }
    }
  });
});
