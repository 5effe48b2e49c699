import { randomUUID } from "node:crypto";
import { bytesToHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import { FIELDS } from "../../protocol/index.ts";
import { canonicalJson } from "../../protocol/json.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { knownAgent } from "../fixtures/disclosures.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Policies of agents, and the check of proofs, over HTTP.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f-]{36}$/;

const set = (agent: TestAgent, policy: object, headers: Record<string, string> = {}) =>
  service.post(
    "/v1/disclose/policy",
    { tokenId: agent.tokenId, policy },
    { ...bearer(agent.apiKey), ...headers },
  );

const list = async ({ tokenId, passportId, apiKey }: TestAgent) => {
  const path = `/v1/disclose/policy/${tokenId}`;
  const { status, body } = await service.request(path, { headers: bearer(apiKey) });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ tokenId, erc8004AgentId: passportId });
  return body.policies;
};

const end = ({ tokenId, apiKey }: TestAgent, policyId: string) =>
  service.post(`/v1/disclose/policy/${policyId}/deactivate`, { tokenId }, bearer(apiKey));

const RULES = [
  { fields: ["soul.purpose"], condition: "fleet_members", note: "Only the flock." },
  {
    fields: ["soul.guidelines", "soul.constraints"],
    condition: "bound_agents",
    minTrustLevel: "verified",
    mode: "p2p",
  },
];

describe("POST /v1/disclose/policy", () => {
  it("sets the policy in its one form, and replaces the active one", async () => {
    const agent = await newAgent(service);
    const first = await set(agent, { name: "First", rules: RULES, defaultExpiry: "7d" });
    expect([first.status, first.body]).toEqual([
      201,
      {
        policyId: expect.stringMatching(UUID),
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        policyName: "First",
        rulesCount: 2,
        createdAt: expect.stringMatching(TIME),
      },
    ]);
    const stored = {
      policyId: first.body.policyId,
      name: "First",
      preferredMode: "either",
      defaultExpiry: "7d",
      rules: [
        { fields: ["soul.purpose"], condition: "organization_members", note: "Only the flock." },
        RULES[1],
      ],
      active: true,
      createdAt: first.body.createdAt,
      endedAt: null,
    };
    expect(await list(agent)).toEqual([stored]);

    const second = await set(agent, { name: "Second", preferredMode: "api_relayed", rules: [] });
    const [active, replaced] = await list(agent);
    expect(active).toEqual({
      policyId: second.body.policyId,
      name: "Second",
      preferredMode: "api_relayed",
      defaultExpiry: "30d",
      rules: [],
      active: true,
      createdAt: second.body.createdAt,
      endedAt: null,
    });
    expect(replaced).toEqual({ ...stored, active: false, endedAt: second.body.createdAt });
  });

  it("sets one policy for a repeated request", async () => {
    const agent = await newAgent(service);
    const headers = { "Idempotency-Key": idempotencyKey() };
    const [one, other] = [
      await set(agent, { name: "Once", rules: [] }, headers),
      await set(agent, { name: "Once", rules: [] }, headers),
    ];
    expect(other.body).toEqual(one.body);
    expect(await list(agent)).toHaveLength(1);
  });

  it("leaves one active policy when two are set at once", async () => {
    const agent = await newAgent(service);
    const names = ["Left", "Right", "Middle"];
    const answers = await Promise.all(names.map((name) => set(agent, { name, rules: [] })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const listed = await list(agent);
    expect(listed).toHaveLength(3);
    expect(listed.filter(({ active }: { active: boolean }) => active)).toHaveLength(1);
  });

  it("names the place of an error, and stores nothing", async () => {
    const agent = await newAgent(service);
    const allowedDids = ["did:svc:aurora", "did:web:example.com"];
    const refused = await set(agent, {
      name: "Wrong",
      rules: [...RULES, { fields: ["soul.purpose"], condition: "specific_agents", allowedDids }],
    });
    expect(refusal(refused)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [{ path: "policy.rules.2.allowedDids.1", message: "not a DID of this service" }],
      },
    });
    expect(await list(agent)).toEqual([]);
  });

  it("refuses the key of another agent", async () => {
    const [agent, other] = [await newAgent(service), await newAgent(service)];
    const body = { tokenId: agent.tokenId, policy: { name: "Mine", rules: [] } };
    const answer = await service.post("/v1/disclose/policy", body, bearer(other.apiKey));
    expect(refusal(answer)).toMatchObject({ status: 403, type: "FORBIDDEN" });
    const path = `/v1/disclose/policy/${agent.tokenId}`;
    const read = await service.request(path, { headers: bearer(other.apiKey) });
    expect(refusal(read)).toMatchObject({ status: 403, type: "FORBIDDEN" });
    expect(await list(agent)).toEqual([]);
  });

  it("refuses both parties once the passport is sold", async () => {
    const agent = await newAgent(service);
    const { accessToken } = await ownerSession(service, agent.owner);
    await service.chain.fund(agent.owner.address);
    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer);
    const body = { tokenId: agent.tokenId, policy: { name: "Late", rules: [] } };
    const byKey = await service.post("/v1/disclose/policy", body, bearer(agent.apiKey));
    expect(refusal(byKey)).toMatchObject({ status: 409, type: "SUSPENDED" });
    const bySession = await service.post("/v1/disclose/policy", body, bearer(accessToken));
    expect(["FORBIDDEN", "UNAUTHORIZED"]).toContain(refusal(bySession).type);
    const { rows } = await service.pool.query(
      "select id from app.disclosure_policy where token_id = $1",
      [agent.tokenId],
    );
    expect(rows).toEqual([]);
  });
});

describe("POST /v1/disclose/policy/:policyId/deactivate", () => {
  it("ends a policy once", async () => {
    const agent = await newAgent(service);
    const { body } = await set(agent, { name: "Short", rules: [] });
    const ended = await end(agent, body.policyId);
    expect([ended.status, ended.body]).toEqual([
      200,
      expect.objectContaining({
        policyId: body.policyId,
        active: false,
        endedAt: expect.stringMatching(TIME),
      }),
    ]);
    expect((await end(agent, body.policyId)).body).toEqual(ended.body);
    expect(await list(agent)).toEqual([ended.body]);
  });

  it("does not find the policy of another agent, or none", async () => {
    const [agent, other] = [await newAgent(service), await newAgent(service)];
    const { body } = await set(agent, { name: "Mine", rules: [] });
    for (const id of [body.policyId, randomUUID()]) {
      const answer = await end(other, id);
      expect(refusal(answer)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
      expect(answer.body.error.message).toBe(
        `The agent with token id ${other.tokenId} has no policy with this id.`,
      );
    }
    expect((await list(agent))[0].active).toBe(true);
  });
});

describe("POST /v1/disclose/verify", () => {
  it("verifies every field, as the contract does", async () => {
    const { name, tokenId, root, proof } = await knownAgent(service);
    const { chain } = service;
    for (const field of FIELDS) {
      const { value, merkleProof } = proof(field);
      const { status, body } = await service.post("/v1/disclose/verify", {
        agentName: name,
        field,
        value,
        merkleProof,
      });
      expect([status, body]).toEqual([
        200,
        {
          valid: true,
          agentName: name,
          field,
          merkleRootOnChain: root,
          merkleRootComputed: root,
          match: true,
          soulValidity: "valid",
        },
      ]);
      const onChain = await chain.client.readContract({
        address: chain.contracts.soulView,
        abi: soulViewAbi,
        functionName: "verifyField",
        args: [
          BigInt(tokenId),
          BigInt(FIELDS.indexOf(field)),
          bytesToHex(new TextEncoder().encode(canonicalJson(value))),
          merkleProof,
        ],
      });
      expect(onChain).toEqual([true, true]);
    }
  });

  it("finds another value, field, proof or agent wrong", async () => {
    const [agent, other] = [await knownAgent(service), await knownAgent(service)];
    const { name, root, proof } = agent;
    const good = { agentName: name, ...proof("soul.purpose") };
    const [blinding, ...siblings] = good.merkleProof;
    const wrong: [string, object][] = [
      ["value", { ...good, value: `${good.value} ` }],
      ["type of value", { ...good, value: [good.value] }],
      ["field", { ...good, field: "soul.personality" }],
      ["order", { ...good, merkleProof: [blinding, ...siblings.toReversed()] }],
      ["length", { ...good, merkleProof: siblings }],
      ["agent", { ...good, agentName: other.name }],
    ];
    for (const [what, body] of wrong) {
      const answer = await service.post("/v1/disclose/verify", body);
      expect([what, answer.status, answer.body.valid, answer.body.match]).toEqual([
        what,
        200,
        false,
        false,
      ]);
      const isLength = what === "length";
      if (isLength) expect(answer.body.merkleRootComputed).toBeNull();
      else expect(answer.body.merkleRootComputed).not.toBe(answer.body.merkleRootOnChain);
    }
    expect(root).not.toBe(other.root);
  });

  it("repeats no value in a refusal", async () => {
    const { name } = await knownAgent(service);
    const secret = "canary-of-a-refused-value";
    const answer = await service.post("/v1/disclose/verify", {
      agentName: name,
      field: "soul.purpose",
      value: { [secret]: secret },
      merkleProof: [],
    });
    expect(refusal(answer)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "value", message: "Not a field's value" }] },
    });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });

  it("matches, and is not valid, once the passport is sold", async () => {
    const { name, passportId, owner, proof } = await knownAgent(service);
    await service.chain.fund(owner.address);
    await service.chain.transferPassport(BigInt(passportId), owner, newAccount().address);
    const body = { agentName: name, ...proof("soul.purpose") };
    expect((await service.post("/v1/disclose/verify", body)).body).toMatchObject({
      valid: false,
      match: true,
      soulValidity: "suspended",
    });
  });

  it("does not find an unknown agent", async () => {
    const { proof } = await knownAgent(service);
    const body = { agentName: "no-agent-at-all", ...proof("soul.purpose") };
    const answer = await service.post("/v1/disclose/verify", body);
    expect(refusal(answer)).toMatchObject({ status: 404, type: "NOT_FOUND" });
  });
});

describe("POST /v1/disclose/batch-verify", () => {
  it("checks each proof, in the order of the request", async () => {
    const { name: agentName, root, proof } = await knownAgent(service);
    const proofs = FIELDS.map(proof);
    const all = await service.post("/v1/disclose/batch-verify", { agentName, proofs });
    expect([all.status, all.body]).toEqual([
      200,
      {
        agentName,
        allValid: true,
        results: FIELDS.map((field) => ({ field, valid: true })),
        merkleRootOnChain: root,
        soulValidity: "valid",
      },
    ]);
    const [first, second, ...rest] = proofs;
    const changed = [first, { ...second, value: "creative" }, ...rest];
    const some = await service.post("/v1/disclose/batch-verify", { agentName, proofs: changed });
    expect(some.body).toEqual({
      ...all.body,
      allValid: false,
      results: FIELDS.map((field) => ({ field, valid: field !== "identity.agent_type" })),
    });
  });
});
