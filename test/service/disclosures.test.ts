import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyFieldProof } from "../../protocol/index.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { type KnownAgent, knownAgent } from "../fixtures/disclosures.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { PUBLIC_DESCRIPTION } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Disclosures that owners make of their own accord, their history, revocation and summary.

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f-]{36}$/;
const HOUR_MS = 3_600_000;

const disclose = ({ tokenId, apiKey }: TestAgent, body: object) =>
  service.post("/v1/disclose", { tokenId, ...body }, bearer(apiKey));

const setPolicy = async ({ tokenId, apiKey }: TestAgent, policy: object) => {
  const body = { tokenId, policy: { name: "Test", rules: [], ...policy } };
  const answer = await service.post("/v1/disclose/policy", body, bearer(apiKey));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
};

const history = async ({ tokenId, apiKey }: TestAgent, query = "") => {
  const path = `/v1/disclose/history/${tokenId}${query}`;
  const { status, body } = await service.request(path, { headers: bearer(apiKey) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

const revoke = ({ tokenId, apiKey }: TestAgent, body: object) =>
  service.post("/v1/disclose/revoke", { tokenId, ...body }, bearer(apiKey));

const storedOf = async ({ tokenId }: TestAgent) =>
  (await service.pool.query("select * from app.disclosure where token_id = $1", [tokenId])).rows;

describe("POST /v1/disclose", () => {
  it("proves values to a recipient, and records only the names of the fields", async () => {
    const [agent, recipient] = [await knownAgent(service), await newAgent(service)];
    const disclosures = [agent.stated("soul.purpose"), agent.stated("capabilities.skills")];
    const { status, body } = await disclose(agent, {
      disclosures,
      recipientDid: `did:svc:${recipient.name}`,
      expiresIn: "1d",
    });
    expect([status, body]).toEqual([
      200,
      {
        disclosureId: expect.stringMatching(UUID),
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        disclosures: disclosures.map(({ field }) => ({
          ...agent.proof(field),
          merkleRoot: agent.root,
          verified: true,
        })),
        issuedTo: `did:svc:31337:${recipient.name}`,
        issuedAt: expect.stringMatching(TIME),
        expiresAt: expect.stringMatching(TIME),
      },
    ]);
    expect(Date.parse(body.expiresAt) - Date.parse(body.issuedAt)).toBe(24 * HOUR_MS);
    for (const { merkleRoot: root, ...proof } of body.disclosures) {
      expect(verifyFieldProof({ root, ...proof })).toBe(true);
    }
    expect(await history(agent)).toEqual({
      tokenId: agent.tokenId,
      erc8004AgentId: agent.passportId,
      agentName: agent.name,
      totalDisclosures: 1,
      records: [
        {
          disclosureId: body.disclosureId,
          fields: ["soul.purpose", "capabilities.skills"],
          recipientDid: body.issuedTo,
          recipientName: recipient.name,
          trigger: "manual",
          issuedAt: body.issuedAt,
          expiresAt: body.expiresAt,
          revokedAt: null,
          status: "active",
        },
      ],
      nextCursor: null,
    });
  });

  it("stands as long as the request, the policy or 30 days say", async () => {
    const agent = await knownAgent(service);
    const disclosures = [agent.stated("soul.purpose")];
    const lasting = async (body: object) => {
      const answer = await disclose(agent, { disclosures, ...body });
      const { issuedAt, expiresAt } = answer.body;
      return expiresAt === null ? null : (Date.parse(expiresAt) - Date.parse(issuedAt)) / HOUR_MS;
    };
    expect(await lasting({})).toBe(30 * 24);
    await setPolicy(agent, { defaultExpiry: "1h" });
    expect(await lasting({})).toBe(1);
    expect(await lasting({ expiresIn: "7d" })).toBe(7 * 24);
    expect(await lasting({ expiresIn: "never" })).toBeNull();
  });

  it("refuses a value that is not the field's, and records nothing", async () => {
    const agent = await knownAgent(service);
    const wrong = { field: "soul.purpose", value: "Counts geese." };
    const answer = await disclose(agent, {
      disclosures: [agent.stated("soul.personality"), wrong],
    });
    expect(refusal(answer)).toEqual({
      status: 422,
      type: "HASH_MISMATCH",
      details: {
        field: "soul.purpose",
        expectedLeafHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        computedLeafHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    });
    expect(answer.body.error.message).toBe(
      "This is not the value of soul.purpose. Give it exactly as in the normalised soul.",
    );
    expect(await storedOf(agent)).toEqual([]);
  });

  it("refuses fields that the policy discloses never, or to audits only", async () => {
    const [agent, recipient] = [await knownAgent(service), await newAgent(service)];
    await setPolicy(agent, {
      rules: [
        { fields: ["soul.personality"], condition: "never" },
        { fields: ["soul.guidelines"], condition: "regulatory" },
        { fields: ["soul.purpose"], condition: "bound_agents" },
      ],
    });
    const disclosures = (["soul.purpose", "soul.personality", "soul.guidelines"] as const).map(
      agent.stated,
    );
    for (const recipientDid of [undefined, `did:svc:${recipient.name}`]) {
      const answer = await disclose(agent, { disclosures, recipientDid });
      expect(refusal(answer)).toEqual({
        status: 403,
        type: "FORBIDDEN",
        details: { fields: ["soul.personality", "soul.guidelines"] },
      });
      expect(answer.body.error.message).toBe(
        "The agent's active policy discloses these fields never, or to audits only. Replace the policy first.",
      );
    }
    expect(await storedOf(agent)).toEqual([]);
    // The owner chooses the recipient: a condition about who asks is not asked.
    const other = await disclose(agent, { disclosures: [agent.stated("soul.purpose")] });
    expect(other.status).toBe(200);
  });

  it("refuses a DID of another chain, another method, or of no agent", async () => {
    const agent = await knownAgent(service);
    const disclosures = [agent.stated("soul.purpose")];
    for (const recipientDid of ["did:svc:1:aurora", "did:web:example.com"]) {
      const answer = await disclose(agent, { disclosures, recipientDid });
      expect(refusal(answer)).toEqual({
        status: 400,
        type: "INVALID_REQUEST",
        details: {
          issues: [{ path: "recipientDid", message: "Not a DID of this service and its chain" }],
        },
      });
    }
    const unknown = await disclose(agent, { disclosures, recipientDid: "did:svc:no-such-agent" });
    expect(refusal(unknown)).toMatchObject({ status: 404, type: "NOT_FOUND" });
    expect(await storedOf(agent)).toEqual([]);
  });

  it("refuses a field that is stated twice", async () => {
    const agent = await knownAgent(service);
    const stated = agent.stated("soul.purpose");
    expect(refusal(await disclose(agent, { disclosures: [stated, stated] }))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "disclosures.1.field", message: "Appears twice" }] },
    });
  });

  it("refuses the key of another agent, and every key once the passport is sold", async () => {
    const [agent, other] = [await knownAgent(service), await newAgent(service)];
    const disclosures = [agent.stated("soul.purpose")];
    const foreign = await disclose({ ...agent, apiKey: other.apiKey }, { disclosures });
    expect(refusal(foreign)).toMatchObject({ status: 403, type: "FORBIDDEN" });
    await service.chain.fund(agent.owner.address);
    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer);
    const sold = await disclose(agent, { disclosures });
    expect(refusal(sold)).toMatchObject({ status: 409, type: "SUSPENDED" });
    expect(await storedOf(agent)).toEqual([]);
  });
});

describe("GET /v1/disclose/history/:tokenId", () => {
  it("finds by recipient, field and time, page by page", async () => {
    const agent = await knownAgent(service);
    const [left, right] = [await newAgent(service), await newAgent(service)];
    const made: string[] = [];
    for (const [field, to] of [
      ["soul.purpose", left],
      ["soul.personality", right],
      ["soul.purpose", right],
    ] as const) {
      const { body } = await disclose(agent, {
        disclosures: [agent.stated(field)],
        recipientDid: `did:svc:${to.name}`,
      });
      made.push(body.disclosureId);
    }
    const [first, second, third] = made;
    const ids = async (query: string) => {
      const { records, totalDisclosures } = await history(agent, query);
      return [
        totalDisclosures,
        records.map(({ disclosureId }: { disclosureId: string }) => disclosureId),
      ];
    };
    expect(await ids("")).toEqual([3, [third, second, first]]);
    expect(await ids("?limit=1&offset=1")).toEqual([3, [second]]);
    const { nextCursor } = await history(agent, "?limit=2");
    expect(await ids(`?limit=2&cursor=${nextCursor}`)).toEqual([3, [first]]);
    expect(await ids(`?recipientDid=did:svc:${right.name}`)).toEqual([2, [third, second]]);
    expect(await ids("?field=soul.purpose")).toEqual([2, [third, first]]);
    expect(await ids("?since=2001-01-31")).toEqual([3, [third, second, first]]);
    expect(await ids("?since=2100-01-31T12:00:00Z")).toEqual([0, []]);
  });

  it("shows a disclosure that has expired", async () => {
    const agent = await knownAgent(service);
    const { body } = await disclose(agent, {
      disclosures: [agent.stated("soul.purpose")],
      expiresIn: "1h",
    });
    await service.pool.query("update app.disclosure set expires_at = now() where id = $1", [
      body.disclosureId,
    ]);
    expect((await history(agent)).records[0].status).toBe("expired");
    const answer = await revoke(agent, { disclosureId: body.disclosureId });
    expect(refusal(answer)).toMatchObject({ status: 410, type: "GONE" });
    expect(answer.body.error.message).toBe("This disclosure has expired already.");
  });

  it("refuses another agent", async () => {
    const [agent, other] = [await newAgent(service), await newAgent(service)];
    const path = `/v1/disclose/history/${agent.tokenId}`;
    const answer = await service.request(path, { headers: bearer(other.apiKey) });
    expect(refusal(answer)).toMatchObject({ status: 403, type: "FORBIDDEN" });
  });
});

describe("POST /v1/disclose/revoke", () => {
  it("revokes once, and notifies the recipient", async () => {
    const [agent, recipient] = [await knownAgent(service), await newAgent(service)];
    const hook = await receiver.subscribe(recipient, ["disclosure.revoked"]);
    const { body } = await disclose(agent, {
      disclosures: [agent.stated("soul.purpose")],
      recipientDid: `did:svc:${recipient.name}`,
    });
    const { disclosureId } = body;
    const revoked = await revoke(agent, { disclosureId, reason: "No longer needed." });
    expect([revoked.status, revoked.body]).toEqual([
      200,
      {
        disclosureId,
        status: "revoked",
        revokedAt: expect.stringMatching(TIME),
        webhookSent: true,
        note: "The proof stays right: what was shown cannot be taken back.",
      },
    ]);
    const [event] = await hook.arrived(1);
    expect([event?.event, event?.data]).toEqual([
      "disclosure.revoked",
      {
        disclosureId,
        targetAgent: agent.name,
        fields: ["soul.purpose"],
        reason: "No longer needed.",
        revokedAt: revoked.body.revokedAt,
      },
    ]);
    const again = await revoke(agent, { disclosureId });
    expect(again.body).toEqual({ ...revoked.body, webhookSent: false });
    expect((await history(agent)).records[0]).toMatchObject({
      status: "revoked",
      revokedAt: revoked.body.revokedAt,
    });
  });

  it("does not find the disclosure of another agent, or none", async () => {
    const [agent, other] = [await knownAgent(service), await newAgent(service)];
    const { body } = await disclose(agent, { disclosures: [agent.stated("soul.purpose")] });
    for (const disclosureId of [body.disclosureId, randomUUID()]) {
      const answer = await revoke(other, { disclosureId });
      expect(refusal(answer)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
      expect(answer.body.error.message).toBe(
        `The agent with token id ${other.tokenId} made no disclosure with this id.`,
      );
    }
  });
});

describe("GET /v1/disclose/summary/:name", () => {
  const summary = async ({ name }: Pick<KnownAgent, "name">) => {
    const { status, body } = await service.get(`/v1/disclose/summary/${name}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };

  it("names every field, who can receive it, and no value", async () => {
    const agent = await knownAgent(service);
    await setPolicy(agent, {
      name: "Flock",
      preferredMode: "p2p",
      rules: [
        { fields: ["soul.purpose"], condition: "bound_agents" },
        { fields: ["soul.personality"], condition: "never" },
        { fields: ["soul.constraints"], condition: "any" },
      ],
    });
    await disclose(agent, { disclosures: [agent.stated("capabilities.skills")] });
    const body = await summary(agent);
    const asked = (availableTo: string, disclosed = false) => ({
      disclosed,
      publiclyAvailable: false,
      availableTo,
    });
    expect(body).toEqual({
      agentName: agent.name,
      tokenId: agent.tokenId,
      erc8004AgentId: agent.passportId,
      soulFields: {
        "identity.name": asked("owner_approval"),
        "identity.agent_type": asked("owner_approval"),
        "identity.description": { disclosed: true, publiclyAvailable: true, verified: true },
        "soul.purpose": asked("bound_agents"),
        "soul.personality": asked("never"),
        "soul.constraints": asked("any"),
        "soul.guidelines": asked("owner_approval"),
        "capabilities.skills": asked("owner_approval", true),
        "capabilities.tools": asked("owner_approval"),
        "capabilities.languages": asked("owner_approval"),
        "capabilities.models": asked("owner_approval"),
        "soul.documents": asked("owner_approval"),
      },
      totalFields: 12,
      publicFields: 1,
      restrictedFields: 10,
      privateFields: 1,
      disclosurePolicy: { name: "Flock", preferredMode: "p2p" },
    });
    expect(JSON.stringify(body)).not.toContain(PUBLIC_DESCRIPTION);
  });

  it("counts the entries of published lists", async () => {
    const agent = await newAgent(service, {
      publicFields: { "capabilities.skills": ["counting"] },
    });
    expect((await summary(agent)).soulFields["capabilities.skills"]).toEqual({
      disclosed: true,
      publiclyAvailable: true,
      verified: true,
      count: 1,
    });
    expect((await summary(agent)).disclosurePolicy).toBeNull();
  });

  it("does not find an unknown agent", async () => {
    const answer = await service.get("/v1/disclose/summary/no-such-agent");
    expect(refusal(answer)).toMatchObject({ status: 404, type: "NOT_FOUND" });
  });
});
