import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { verifyFieldProof } from "../../protocol/index.ts";
import { newAccount, refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, ownerSession, type TestAgent } from "../fixtures/agents.ts";
import { disclosureVerbs, REASON } from "../fixtures/disclosure-verbs.ts";
import { bindByOwner, knownAgent } from "../fixtures/disclosures.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { PUBLIC_DESCRIPTION } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Requests for fields of other agents, and how their owners answer.

let service: Service;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let stubborn: Awaited<ReturnType<typeof startStubbornReceiver>>;
beforeAll(async () => {
  service = await sharedService();
  receiver = await startOpenReceiver(service);
  stubborn = await startStubbornReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await stubborn?.stop();
  await service?.stop();
});

/** A webhook's receiver that answers with the status that a test sets. */
async function startStubbornReceiver() {
  const received: string[] = [];
  let status = 204;
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    answer(next: number) {
      status = next;
    },
    async subscribe({ tokenId, apiKey }: TestAgent) {
      const url = `http://127.0.0.1:${port}/`;
      const body = { tokenId, url, events: ["disclosure.fulfilled"] };
      const { status: created } = await service.post("/v1/webhooks", body, bearer(apiKey));
      expect(created).toBe(201);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f-]{36}$/;
const DAY_MS = 24 * 3_600_000;
const { request, read, pending, fulfil, confirm, setPolicy, stateOf, historyOf, sell } =
  disclosureVerbs(() => service);
const { makeOld, runExpiry } = disclosureVerbs(() => service);

const pair = async () => [await newAgent(service), await knownAgent(service)] as const;

describe("POST /v1/disclose/request", () => {
  it("gives public values out at once, and asks the owner for the others", async () => {
    const [requester, target] = await pair();
    const hook = await receiver.subscribe(target, ["disclosure.requested"]);
    const answer = await request(requester, target, ["identity.description", "soul.purpose"]);
    const { requestId, pending: waiting } = answer.body;
    const expiresAt = expect.stringMatching(TIME);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        requestId: expect.stringMatching(UUID),
        status: "partially_fulfilled",
        fulfilled: [
          {
            ...target.proof("identity.description"),
            value: PUBLIC_DESCRIPTION,
            source: "public",
            verified: true,
          },
        ],
        pending: [
          {
            field: "soul.purpose",
            status: "awaiting_owner",
            webhookSent: true,
            p2pAvailable: false,
            expiresAt,
          },
        ],
        rejected: [],
      },
    ]);
    const [event] = await hook.arrived(1);
    expect(event?.data).toEqual({
      requestId,
      requesterDid: `did:svc:31337:${requester.name}`,
      requesterName: requester.name,
      requesterTokenId: requester.tokenId,
      requestedFields: ["soul.purpose"],
      reason: REASON,
      expiresAt: waiting[0].expiresAt,
      fulfillment: {
        apiRelayedUrl: `${service.url}/v1/disclose/request/${requestId}/fulfill`,
        p2p: null,
      },
    });
    expect(await historyOf(target)).toMatchObject([
      {
        fields: ["identity.description"],
        recipientName: requester.name,
        trigger: "policy_auto",
        expiresAt: null,
        status: "active",
      },
    ]);
  });

  it("waits for the owner when no field is public, for seven days", async () => {
    const [requester, target] = await pair();
    const asked = Date.now();
    const answer = await request(requester, target, ["soul.purpose", "soul.guidelines"], {
      disclosureEndpoint: "https://93.184.216.34/disclosures",
    });
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        requestId: expect.stringMatching(UUID),
        status: "pending_approval",
        requestedFields: ["soul.purpose", "soul.guidelines"],
        rejected: [],
        webhookSent: false,
        p2pAvailable: true,
        expiresAt: expect.stringMatching(TIME),
        note: "The agent's owner decides. Ask for this request's state, or wait for disclosure.fulfilled.",
      },
    ]);
    const lifetime = Date.parse(answer.body.expiresAt) - asked;
    expect(Math.abs(lifetime - 7 * DAY_MS)).toBeLessThan(DAY_MS);
  });

  it("is fulfilled at once when every field is public", async () => {
    const [requester, target] = await pair();
    const { status, body } = await request(requester, target, ["identity.description"]);
    expect([status, body.status, body.pending]).toEqual([200, "fulfilled", []]);
    expect(await stateOf(body.requestId, requester)).toBe("fulfilled");
  });

  it("rejects fields that the policy never discloses, and a request of only such", async () => {
    const [requester, target] = await pair();
    await setPolicy(target, [
      { fields: ["soul.personality"], condition: "never" },
      { fields: ["soul.guidelines"], condition: "regulatory" },
    ]);
    const some = await request(requester, target, ["soul.personality", "soul.purpose"]);
    expect([some.status, some.body.requestedFields, some.body.rejected]).toEqual([
      202,
      ["soul.purpose"],
      [{ field: "soul.personality", reason: "never" }],
    ]);
    const none = await request(requester, target, ["soul.personality", "soul.guidelines"]);
    expect(refusal(none)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: {
        rejected: [
          { field: "soul.personality", reason: "never" },
          { field: "soul.guidelines", reason: "regulatory_only" },
        ],
      },
    });
    const { rows } = await service.pool.query(
      "select id from app.disclosure_request where target_token_id = $1",
      [target.tokenId],
    );
    expect(rows).toHaveLength(1);
  });

  it("admits bound agents by bindings of OWNER authority from the target", async () => {
    const [requester, target] = await pair();
    const rule = { condition: "bound_agents", minTrustLevel: "verified" };
    await setPolicy(target, [{ fields: ["soul.purpose"], ...rule }]);
    const reason = async () => {
      const answer = await request(requester, target, ["soul.purpose"]);
      return answer.status === 202 ? "admitted" : answer.body.error.details.rejected[0].reason;
    };
    expect(await reason()).toBe("not_bound");
    const bySevice = await service.post(
      "/v1/binding",
      {
        tokenId: target.tokenId,
        partnerTokenId: requester.tokenId,
        trustLevel: "trusted",
        context: "",
      },
      bearer(target.apiKey),
    );
    expect(bySevice.status).toBe(201);
    expect(await reason()).toBe("not_bound");
    await bindByOwner(service, requester, target, "trusted");
    expect(await reason()).toBe("not_bound");
    await bindByOwner(service, target, requester, "limited");
    expect(await reason()).toBe("trust_level_too_low");
    await bindByOwner(service, target, requester, "verified");
    expect(await reason()).toBe("admitted");
    await bindByOwner(service, target, requester, "revoked");
    expect(await reason()).toBe("not_bound");
  });

  it("admits live members of the target's organization", async () => {
    const owner = newAccount();
    const [requester, target] = [
      await knownAgent(service, { owner }),
      await knownAgent(service, { owner }),
    ];
    const verbs = organizationVerbs(service);
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "fleet_members" }]);
    const outcome = async () => (await request(requester, target, ["soul.purpose"])).status;
    expect(await outcome()).toBe(403);
    const organizationId = await verbs.found(owner);
    await verbs.joinDirectly(owner, organizationId, target.tokenId);
    expect(await outcome()).toBe(403);
    await verbs.joinDirectly(owner, organizationId, requester.tokenId);
    expect(await outcome()).toBe(202);
    // A block before the next request.
    await verbs.leaveDirectly(owner, requester.tokenId);
    expect(await outcome()).toBe(403);
  });

  it("admits the agents that a policy lists", async () => {
    const [requester, target] = await pair();
    const stranger = await newAgent(service);
    await setPolicy(target, [
      {
        fields: ["soul.purpose"],
        condition: "specific_agents",
        allowedDids: [`did:svc:${requester.name}`],
      },
    ]);
    expect((await request(requester, target, ["soul.purpose"])).status).toBe(202);
    const refused = await request(stranger, target, ["soul.purpose"]);
    expect(refusal(refused).details).toEqual({
      rejected: [{ field: "soul.purpose", reason: "not_listed" }],
    });
  });

  it("refuses endpoints and keys that cannot be used", async () => {
    const [requester, target] = await pair();
    const issues = async (more: object) =>
      refusal(await request(requester, target, ["soul.purpose"], more)).details;
    const endpoint = (message: string) => ({
      issues: [{ path: "disclosureEndpoint", message }],
    });
    expect(await issues({ disclosureEndpoint: "ftp://example.com/" })).toEqual(
      endpoint("The address cannot be used: it is not an https URL."),
    );
    // The service under test allows http, to its own machine alone.
    for (const disclosureEndpoint of ["https://127.0.0.1/", "http://10.1.2.3:8080/"]) {
      expect(await issues({ disclosureEndpoint })).toEqual(
        endpoint(
          "The address cannot be used: its host is not, or does not only resolve to, public unicast addresses.",
        ),
      );
    }
    const disclosureEndpoint = "https://93.184.216.34/";
    // The generator of secp256k1, and the same with another last digit.
    const generator = "0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const off = `0x02${"0".repeat(63)}5`;
    expect(await issues({ disclosureEndpoint, disclosurePublicKey: off })).toEqual({
      issues: [{ path: "disclosurePublicKey", message: "Not a point of secp256k1" }],
    });
    expect(await issues({ disclosurePublicKey: generator })).toEqual({
      issues: [{ path: "disclosurePublicKey", message: "It needs a disclosureEndpoint" }],
    });
    const good = await request(requester, target, ["soul.purpose"], {
      disclosureEndpoint,
      disclosurePublicKey: generator,
    });
    expect(good.status).toBe(202);
    expect((await read(good.body.requestId, target.apiKey)).body).toMatchObject({
      disclosureEndpoint,
      disclosurePublicKey: generator,
    });
  });

  it("refuses an agent that asks itself, is sold, or asks one that is sold", async () => {
    const [requester, target] = await pair();
    expect(refusal(await request(requester, requester, ["soul.purpose"]))).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [{ path: "targetAgentName", message: "An agent asks others, not itself" }],
      },
    });
    await sell(target);
    const ofSold = await request(requester, target, ["identity.description"]);
    expect(refusal(ofSold)).toMatchObject({ status: 409, type: "SUSPENDED" });
    const other = await knownAgent(service);
    await sell(requester);
    const bySold = await request(requester, other, ["identity.description"]);
    expect(refusal(bySold)).toMatchObject({ status: 409, type: "SUSPENDED" });
  });

  it("refuses a stale target where freshness is required", async () => {
    const [requester, target] = await pair();
    const answer = await request(requester, target, ["identity.description"], {
      freshnessRequired: true,
    });
    expect(refusal(answer)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: { snapshotAgeHours: null, maxAgeHours: 24 },
    });
  });

  it("keeps at most five open requests to one agent", async () => {
    const [requester, target] = await pair();
    const answers = await Promise.all(
      Array.from({ length: 7 }, () => request(requester, target, ["soul.purpose"])),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
  });
});

describe("GET /v1/disclose/requests/:tokenId", () => {
  const list = ({ tokenId, apiKey }: TestAgent, query = "") =>
    service.request(`/v1/disclose/requests/${tokenId}${query}`, { headers: bearer(apiKey) });

  it("lists the requests that wait for an agent's owner, the oldest first", async () => {
    const [requester, target] = await pair();
    const first = await pending(requester, target);
    const second = await pending(requester, target, ["soul.guidelines", "soul.purpose"]);
    const old = await pending(requester, target);
    await makeOld(old);
    const answered = await pending(requester, target);
    await fulfil(target, answered, { deniedFields: ["soul.purpose"], disclosures: [] });
    const { status, body } = await list(target);
    const { tokenId, name: agentName } = requester;
    const item = (requestId: string, requestedFields: readonly string[]) => ({
      requestId,
      requester: { tokenId, agentName, did: `did:svc:31337:${agentName}` },
      requestedFields,
      reason: REASON,
      createdAt: expect.stringMatching(TIME),
      expiresAt: expect.stringMatching(TIME),
    });
    const requests = [
      item(first, ["soul.purpose"]),
      item(second, ["soul.guidelines", "soul.purpose"]),
    ];
    expect([status, body]).toEqual([
      200,
      {
        tokenId: target.tokenId,
        erc8004AgentId: target.passportId,
        totalRequests: 2,
        requests,
        nextCursor: null,
      },
    ]);
    const { nextCursor } = (await list(target, "?limit=1")).body;
    const rest = await list(target, `?limit=1&cursor=${nextCursor}`);
    expect(rest.body).toMatchObject({ requests: [{ requestId: second }], nextCursor: null });
    const page = await list(target, "?limit=1&offset=1");
    expect(page.body).toMatchObject({ totalRequests: 2, requests: [{ requestId: second }] });
  });

  it("shows nothing to the requester", async () => {
    const [requester, target] = await pair();
    await pending(requester, target);
    const { tokenId } = target;
    expect(refusal(await list({ ...requester, tokenId }))).toMatchObject({
      status: 403,
      type: "FORBIDDEN",
    });
    expect((await list(requester)).body).toMatchObject({ totalRequests: 0, requests: [] });
  });
});

describe("GET /v1/disclose/request/:requestId", () => {
  it("shows a request to both parties, and to no other agent", async () => {
    const [requester, target] = await pair();
    const stranger = await newAgent(service);
    const requestId = await pending(requester, target);
    const party = ({ tokenId, name: agentName }: TestAgent) => ({
      tokenId,
      agentName,
      did: `did:svc:31337:${agentName}`,
    });
    const mine = await read(requestId, requester.apiKey);
    expect([mine.status, mine.body]).toEqual([
      200,
      {
        requestId,
        status: "pending_approval",
        requester: party(requester),
        target: party(target),
        requestedFields: ["soul.purpose"],
        given: [],
        pending: [{ field: "soul.purpose", mode: "either", p2pAvailable: false }],
        rejected: [],
        reason: REASON,
        freshnessRequired: false,
        disclosureEndpoint: null,
        disclosurePublicKey: null,
        createdAt: expect.stringMatching(TIME),
        expiresAt: expect.stringMatching(TIME),
        answer: null,
      },
    ]);
    const { accessToken } = await ownerSession(service, target.owner);
    for (const credential of [target.apiKey, accessToken]) {
      expect((await read(requestId, credential)).body).toEqual(mine.body);
    }
    const foreign = await read(requestId, stranger.apiKey);
    expect(refusal(foreign)).toEqual({ status: 404, type: "NOT_FOUND", details: {} });
    expect(foreign.body.error.message).toBe("There is no disclosure request with this id.");
    const unknown = await read(randomUUID(), stranger.apiKey);
    expect(unknown.body.error.message).toBe(foreign.body.error.message);
  });
});

describe("POST /v1/disclose/request/:requestId/fulfill", () => {
  it("sends the values to the requester, and records only names", async () => {
    const [requester, target] = await pair();
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, [
      "soul.purpose",
      "soul.guidelines",
      "soul.constraints",
    ]);
    const stated = ["soul.purpose", "soul.guidelines"] as const;
    const answer = await fulfil(target, requestId, {
      disclosures: stated.map(target.stated),
      expiresIn: "7d",
    });
    const { disclosureId, expiresAt } = answer.body;
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        requestId,
        status: "fulfilled",
        mode: "api_relayed",
        fulfilled: stated.map((field) => ({ ...target.proof(field), verified: true })),
        denied: ["soul.constraints"],
        disclosureId: expect.stringMatching(UUID),
        requesterNotified: true,
        deliveryProblem: null,
        expiresAt: expect.stringMatching(TIME),
      },
    ]);
    const [event] = await hook.arrived(1);
    const data = event?.data as { fulfilled: Parameters<typeof verifyFieldProof>[0][] };
    expect(data).toEqual({
      requestId,
      targetAgent: target.name,
      mode: "api_relayed",
      fulfilled: stated.map((field) => ({ ...target.proof(field), merkleRoot: target.root })),
      denied: ["soul.constraints"],
      expiresAt,
    });
    expect(await historyOf(target)).toMatchObject([
      { disclosureId, fields: stated, trigger: "disclosure_request", status: "active" },
    ]);
    expect((await read(requestId, requester.apiKey)).body).toMatchObject({
      status: "fulfilled",
      answer: {
        mode: "api_relayed",
        fulfilledFields: stated,
        denied: ["soul.constraints"],
        disclosureId,
        requesterNotified: true,
        expiresAt,
      },
    });
  });

  it("sends the values again while no webhook has taken them", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target);
    const body = { disclosures: [target.stated("soul.purpose")] };
    const first = await fulfil(target, requestId, body);
    expect([first.status, first.body.requesterNotified, first.body.deliveryProblem]).toEqual([
      200,
      false,
      "The agent has no webhook for disclosure.fulfilled.",
    ]);
    await stubborn.subscribe(requester);
    stubborn.answer(500);
    const second = await fulfil(target, requestId, body);
    const problem = "The webhook did not accept it: it answered with status 500.";
    expect([second.status, second.body]).toEqual([
      200,
      { ...first.body, deliveryProblem: problem },
    ]);
    stubborn.answer(204);
    const third = await fulfil(target, requestId, body);
    expect([third.status, third.body]).toEqual([
      200,
      { ...first.body, requesterNotified: true, deliveryProblem: null },
    ]);
    const fourth = await fulfil(target, requestId, body);
    expect(refusal(fourth)).toMatchObject({ status: 410, type: "GONE" });
    expect(fourth.body.error.message).toBe("This request has been answered already.");
    expect(await historyOf(target)).toHaveLength(1);
  });

  it("is one answer when two sessions answer at once", async () => {
    const [requester, target] = await pair();
    const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
    const requestId = await pending(requester, target, ["soul.purpose", "soul.guidelines"]);
    const { accessToken } = await ownerSession(service, target.owner);
    const answers = await Promise.all([
      fulfil(target, requestId, { disclosures: [target.stated("soul.purpose")] }, accessToken),
      fulfil(target, requestId, { disclosures: [target.stated("soul.guidelines")] }),
      fulfil(target, requestId, { deniedFields: ["soul.purpose", "soul.guidelines"] }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 410, 410]);
    const winner = answers.find(({ status }) => status === 200)?.body;
    const events = await hook.arrived(1);
    expect(events.map(({ data }) => data.denied)).toEqual([winner.denied]);
    const fields = winner.fulfilled.map(({ field }: { field: string }) => field);
    const { body } = await read(requestId, requester.apiKey);
    expect(body.answer.fulfilledFields).toEqual(fields);
    const records = await historyOf(target);
    expect(records.map((record: { fields: string[] }) => record.fields)).toEqual(
      fields.length > 0 ? [fields] : [],
    );
  });

  it("releases nothing to an agent whose binding was revoked a block before", async () => {
    const [requester, target] = await pair();
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "bound_agents" }]);
    await bindByOwner(service, target, requester, "trusted");
    const requestId = await pending(requester, target);
    await bindByOwner(service, target, requester, "revoked");
    const body = { disclosures: [target.stated("soul.purpose")] };
    const refused = await fulfil(target, requestId, body);
    expect(refusal(refused)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: { field: "soul.purpose", reason: "not_bound" },
    });
    expect(await stateOf(requestId, target)).toBe("pending_approval");
    expect(await historyOf(target)).toEqual([]);
    await bindByOwner(service, target, requester, "limited");
    expect((await fulfil(target, requestId, body)).status).toBe(200);
  });

  it("releases nothing once either passport is sold", async () => {
    const [requester, target] = await pair();
    const [other] = await pair();
    const [requestId, otherId] = [await pending(requester, target), await pending(other, target)];
    const body = { disclosures: [target.stated("soul.purpose")] };
    await sell(requester);
    expect(refusal(await fulfil(target, requestId, body)).details).toEqual({
      field: "soul.purpose",
      reason: "requester_not_valid",
    });
    await sell(target);
    const bySold = await fulfil(target, otherId, body);
    expect(refusal(bySold)).toMatchObject({ status: 409, type: "SUSPENDED" });
    const { rows } = await service.pool.query(
      "select state from app.disclosure_request where target_token_id = $1",
      [target.tokenId],
    );
    expect(rows).toEqual([{ state: "pending_approval" }, { state: "pending_approval" }]);
  });

  it("follows a policy that was replaced since the request", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target, ["soul.purpose"], {
      disclosureEndpoint: "https://93.184.216.34/",
    });
    const body = { disclosures: [target.stated("soul.purpose")] };
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "any", mode: "p2p" }]);
    expect(refusal(await fulfil(target, requestId, body)).details).toEqual({
      field: "soul.purpose",
      mode: "api_relayed",
    });
    await setPolicy(target, [{ fields: ["soul.purpose"], condition: "never" }]);
    expect(refusal(await fulfil(target, requestId, body)).details).toEqual({
      field: "soul.purpose",
      reason: "never",
    });
    expect(await stateOf(requestId, target)).toBe("pending_approval");
  });

  it("refuses wrong values and fields, and changes nothing", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target);
    const stated = target.stated("soul.purpose");
    const wrong = await fulfil(target, requestId, {
      disclosures: [{ ...stated, value: "Counts geese." }],
    });
    expect(refusal(wrong)).toMatchObject({ status: 422, type: "HASH_MISMATCH" });
    const issue = async (body: object) =>
      refusal(await fulfil(target, requestId, body)).details.issues;
    expect(await issue({ disclosures: [target.stated("soul.personality")] })).toEqual([
      { path: "disclosures.0.field", message: "The request does not ask its owner for it" },
    ]);
    expect(await issue({ disclosures: [stated], deniedFields: ["soul.purpose"] })).toEqual([
      { path: "disclosures.0.field", message: "It is denied, too" },
    ]);
    expect(await issue({ deniedFields: ["soul.documents"] })).toEqual([
      { path: "deniedFields.0", message: "The request does not ask its owner for it" },
    ]);
    expect(await issue({})).toEqual([
      { path: "deniedFields", message: "Disclose or deny at least one field" },
    ]);
    const other = await fulfil(target, requestId, {
      requestId: randomUUID(),
      disclosures: [stated],
    });
    expect(refusal(other).details.issues).toEqual([
      { path: "requestId", message: `The path says ${requestId}` },
    ]);
    const byRequester = await fulfil(requester, requestId, { disclosures: [stated] });
    expect(refusal(byRequester)).toMatchObject({ status: 404, type: "NOT_FOUND" });
    expect(await stateOf(requestId, target)).toBe("pending_approval");
    expect(await historyOf(target)).toEqual([]);
  });

  it("records a denial of everything as an answer without a disclosure", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target);
    const { status, body } = await fulfil(target, requestId, { deniedFields: ["soul.purpose"] });
    expect([status, body.fulfilled, body.denied, body.disclosureId, body.expiresAt]).toEqual([
      200,
      [],
      ["soul.purpose"],
      null,
      null,
    ]);
    expect(await historyOf(target)).toEqual([]);
  });
});

describe("a request that is not answered in time", () => {
  it("is expired at once, takes no answer, and notifies its requester once", async () => {
    const [requester, target] = await pair();
    const hook = await receiver.subscribe(requester, ["disclosure.expired"]);
    const requestId = await pending(requester, target);
    await makeOld(requestId);
    expect(await stateOf(requestId, requester)).toBe("expired");
    const late = await fulfil(target, requestId, { disclosures: [target.stated("soul.purpose")] });
    expect(refusal(late)).toMatchObject({ status: 410, type: "GONE" });
    expect(late.body.error.message).toBe("This request has expired.");
    await runExpiry();
    const [event] = await hook.arrived(1);
    expect(event?.data).toEqual({
      requestId,
      targetAgent: target.name,
      requestedFields: ["soul.purpose"],
      expiredAt: (await read(requestId, requester.apiKey)).body.expiresAt,
    });
    const again = await fulfil(target, requestId, { disclosures: [target.stated("soul.purpose")] });
    expect(refusal(again)).toMatchObject({ status: 410, type: "GONE" });
    expect(hook.got()).toHaveLength(1);
    expect(await historyOf(target)).toEqual([]);
  });
});

describe("POST /v1/disclose/request/:requestId/confirm-p2p", () => {
  it("records what the owner sent to the requester's endpoint", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target, ["soul.purpose", "soul.guidelines"], {
      disclosureEndpoint: "https://93.184.216.34/",
    });
    const answer = await confirm(target, requestId, {
      fulfilledFields: ["soul.purpose"],
      deniedFields: ["soul.guidelines"],
      expiresIn: "never",
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        requestId,
        status: "fulfilled",
        mode: "p2p_direct",
        fulfilledFields: ["soul.purpose"],
        denied: ["soul.guidelines"],
        disclosureId: expect.stringMatching(UUID),
        expiresAt: null,
        note: "Recorded for the history. The service has not seen the values.",
      },
    ]);
    expect(await historyOf(target)).toMatchObject([
      { fields: ["soul.purpose"], trigger: "disclosure_request_p2p", expiresAt: null },
    ]);
    const again = await confirm(target, requestId, { fulfilledFields: ["soul.purpose"] });
    expect(refusal(again)).toMatchObject({ status: 410, type: "GONE" });
  });

  it("refuses what could not be sent from peer to peer", async () => {
    const [requester, target] = await pair();
    const requestId = await pending(requester, target);
    const answer = await confirm(target, requestId, { fulfilledFields: ["soul.purpose"] });
    expect(refusal(answer)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: { field: "soul.purpose", mode: "p2p_direct" },
    });
    expect(await stateOf(requestId, target)).toBe("pending_approval");
  });
});
