import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../kit/client/index.ts";
import { refusal } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Cursors as clients send them: refused ones, and lists that the typed client reads by them.

let service: Service;
let agent: TestAgent;
let partners: readonly TestAgent[];
beforeAll(async () => {
  service = await sharedService();
  agent = await newAgent(service);
  partners = [await newAgent(service), await newAgent(service), await newAgent(service)];
  for (const { tokenId } of partners) {
    const wish = { tokenId: agent.tokenId, partnerTokenId: tokenId };
    const body = { ...wish, trustLevel: "limited", context: "Rows with us." };
    const { status } = await service.post("/v1/binding", body, bearer(agent.apiKey));
    expect(status).toBe(201);
  }
});
afterAll(() => service?.stop());

const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const UUID = "11111111-2222-4333-8444-555555555555";
const REFUSED =
  "Not a cursor of this list and order. Send the nextCursor of the page before, or no cursor for the first page";

interface List {
  readonly path: () => string;
  /** The list's name in its cursors, and a position in it. */
  readonly list: string;
  readonly position: Readonly<Record<string, unknown>>;
  readonly parameter?: string;
  /** The parameter that counts pages or entries; none where there are only cursors. */
  readonly counted: string;
}

const lists: Readonly<Record<string, List>> = {
  listChronicles: {
    path: () => `/v1/chronicle/${agent.name}`,
    list: "chronicles",
    position: { chronicleId: "7" },
    counted: "page",
  },
  listBindings: {
    path: () => `/v1/binding/${agent.name}`,
    list: "bindings",
    position: { createdAt: "7", fromTokenId: "1", toTokenId: "2" },
    counted: "page",
  },
  getBindingHistory: {
    path: () => `/v1/binding/0x${"11".repeat(32)}/history`,
    list: "binding changes",
    position: { version: 1, serviceVersion: 0 },
    counted: "page",
  },
  listDisclosures: {
    path: () => `/v1/disclose/history/${agent.tokenId}`,
    list: "disclosures",
    position: { issuedAt: "2026-01-01T00:00:00.000Z", id: UUID },
    counted: "offset",
  },
  listDisclosureRequests: {
    path: () => `/v1/disclose/requests/${agent.tokenId}`,
    list: "disclosure requests",
    position: { createdAt: "2026-01-01T00:00:00.000Z", id: UUID },
    counted: "offset",
  },
  getAllowanceHistory: {
    path: () => `/v1/allowance/${agent.tokenId}/history`,
    list: "allowance history",
    position: { block: "7", logIndex: 0 },
    counted: "offset",
  },
  getOrganization: {
    path: () => "/v1/org/1",
    list: "members",
    position: { order: "addedAt", block: "7", tokenId: "1" },
    parameter: "membersCursor",
    counted: "membersOffset",
  },
};

const refusedFor = (path: string, message: string) => ({
  status: 400,
  type: "INVALID_REQUEST",
  details: { issues: [{ path, message }] },
});

/** Values that would be too large for a column, and of other types. */
const spoilt = (position: List["position"]) => [
  ...Object.keys(position).flatMap((name) =>
    ["9".repeat(30), "-1", 2 ** 40, -1, "0000-01-01T00:00:00.000Z", "a\u0000", null, [], {}].map(
      (value) => ({ ...position, [name]: value }),
    ),
  ),
  { ...position, more: 1 },
  {},
  null,
];

describe("a cursor", () => {
  it.each(Object.keys(lists))("of %s is refused when it is not one of the list", async (id) => {
    const { path, list, position, parameter = "cursor" } = lists[id] as List;
    const ask = (cursor: string) =>
      service.request(`${path()}?${parameter}=${encodeURIComponent(cursor)}`, {
        headers: bearer(agent.apiKey),
      });
    const cursors = [
      ...["", "x", UUID, "ÿÿ", "e30", "7", "A".repeat(2_000)],
      ...[[], {}, [list], ["other list", position], [list, position, 1]].map(text),
      ...spoilt(position).map((wrong) => text([list, wrong])),
    ];
    for (const cursor of cursors) {
      expect({ cursor, ...refusal(await ask(cursor)) }).toEqual({
        cursor,
        ...refusedFor(parameter, REFUSED),
      });
    }
    expect([200, 404]).toContain((await ask(text([list, position]))).status);
  });

  it.each(Object.keys(lists))("of %s is refused together with a number", async (id) => {
    const { path, list, position, parameter = "cursor", counted } = lists[id] as List;
    const query = new URLSearchParams({ [parameter]: text([list, position]), [counted]: "1" });
    const answer = await service.request(`${path()}?${query}`, { headers: bearer(agent.apiKey) });
    expect(refusal(answer)).toEqual(
      refusedFor(parameter, `Send either ${parameter} or ${counted}, not both`),
    );
  });

  it("of members is refused in another order", async () => {
    const cursor = text(["members", { order: "agentName", agentName: "aurora", tokenId: "1" }]);
    expect(refusal(await service.get(`/v1/org/1?membersCursor=${cursor}`))).toEqual(
      refusedFor("membersCursor", "A cursor of the order agentName. Send sortBy=agentName with it"),
    );
  });
});

it("is followed by the typed client's lists", async () => {
  const client = createClient({ service: service.url });
  const names: string[] = [];
  const query = { limit: 2, direction: "outbound" as const };
  const bindings = client.pages("listBindings", { path: { name: agent.name }, query });
  for await (const { partnerAgent } of bindings) names.push(partnerAgent);
  expect(names).toEqual(partners.map(({ name }) => name).reverse());
});
