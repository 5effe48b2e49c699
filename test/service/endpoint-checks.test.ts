import { verifyMessage } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AgentEndpoints, startAgentEndpoints } from "../fixtures/agent-endpoints.ts";
import { newAgent, type TestAgent } from "../fixtures/agents.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { svc } from "../fixtures/svc.ts";

// A running service, and an agent with a server of its own.

let service: Service;
let server: AgentEndpoints;
let agent: TestAgent;

beforeAll(async () => {
  service = await sharedService();
  server = await startAgentEndpoints();
  server.isRunning = true;
  const agentName = freshName();
  // What the service says that the owner has to publish.
  server.proof = async () => {
    const { status, body } = await service.get(`/v1/domain-verification/${agentName}`);
    return status === 200 ? body : {};
  };
  agent = await newAgent(service, {
    agentName,
    publicIdentity: {
      serviceEndpoints: { a2a: `${server.origin}/a2a-card`, mcp: `${server.origin}/mcp` },
      website: `${server.origin}/missing`,
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await service?.stop();
});

const path = () => `/v1/endpoint-checks/${agent.name}`;

/** The first check, which any caller asks for. */
async function checked() {
  expect((await service.post(path(), undefined)).status).toBe(202);
  return vi.waitFor(
    async () => {
      const { body } = await service.get(path());
      expect(body.checkedAt).not.toBeNull();
      return body;
    },
    { timeout: 60_000, interval: 200 },
  );
}

describe("endpoint checks", () => {
  it("are asked for by anyone, carried out by a job, and signed by the storage signer", async () => {
    const found = await checked();
    expect(found).toMatchObject({
      agentName: agent.name,
      tokenId: agent.tokenId,
      erc8004AgentId: agent.passportId,
    });
    const own = found.endpoints.filter(({ kind }: { kind: string | null }) => kind !== null);
    expect(
      own.map(({ service: name, state, seen }: Record<string, string>) => [name, state, seen]),
    ).toEqual([
      [
        "A2A",
        "answers",
        "An A2A agent card (protocol 0.3.0) with 1 skill, whose own address answers.",
      ],
      ["MCP", "answers", "An MCP server (protocol 2025-06-18) with 1 tool."],
      ["web", "silent", "It answered 404."],
    ]);
    const { statement: message, signature, signer: address } = found;
    expect((await service.get("/v1/status")).body.storage.signer).toBe(address);
    expect(await verifyMessage({ address, message, signature })).toBe(true);
    expect(JSON.parse(message)).toMatchObject({
      agentId: String(agent.passportId),
      agentRegistry: found.agentRegistry,
      checkedAt: found.checkedAt,
      endpoints: found.endpoints,
      file: found.file,
    });
    expect(found.history).toEqual([
      {
        day: found.checkedAt.slice(0, 10),
        answers: 2,
        silent: 1,
        domainNotProven: 0,
        notChecked: 0,
      },
    ]);
    const earlier = await service.get(`${path()}?before=${found.checkedAt}`);
    expect([earlier.status, earlier.body.checkedAt, earlier.body.statement]).toEqual([
      200,
      null,
      null,
    ]);
  });

  it("are 15 minutes apart, and by the name or the certificate", async () => {
    const { checkedAt } = await checked();
    const { status, body } = await service.post(`/v1/endpoint-checks/${agent.tokenId}`, undefined);
    expect([status, body]).toEqual([
      202,
      {
        agentName: agent.name,
        tokenId: agent.tokenId,
        erc8004AgentId: agent.passportId,
        checkAt: expect.any(String),
      },
    ]);
    expect(Date.parse(body.checkAt)).toBe(Date.parse(checkedAt) + 15 * 60_000);
  });

  it.each([
    ["/v1/endpoint-checks/no-such-agent", 404, "NOT_FOUND"],
    ["/v1/endpoint-checks/0", 400, "INVALID_REQUEST"],
    ["/v1/endpoint-checks/-", 400, "INVALID_NAME"],
  ])("of %s are refused with %i", async (wrong, status, type) => {
    for (const answer of [await service.get(wrong), await service.post(wrong, undefined)]) {
      expect([answer.status, answer.body.error.type]).toEqual([status, type]);
    }
  });

  it("refuse an invalid time", async () => {
    const { status, body } = await service.get(`${path()}?before=yesterday`);
    expect([status, body.error.type]).toEqual([400, "INVALID_REQUEST"]);
  });

  it("are shown on the agent's page and on a page of their own", async () => {
    const { grade, fixes } = await checked();
    const page = await service.get(`/agents/${agent.name}`);
    expect(page.body).toContain(`href="/endpoints/${agent.name}"`);
    expect(page.body).toContain('<span class="badge good">answers</span>');
    expect(page.body).toContain('<span class="badge bad">silent</span>');
    const own = await service.get(`/endpoints/${agent.name}`);
    expect(own.status).toBe(200);
    expect(own.body).toContain(`>${grade}</strong>`);
    for (const { title } of fixes) expect(own.body).toContain(title);
    expect(own.body).toContain("It answered 404.");
    expect((await service.get("/endpoints/no-such-agent")).status).toBe(404);
  });

  it("lead to the grade and the fixes that the command finds by itself", async () => {
    const { grade, fixes } = await checked();
    const env = {
      SVC_RPC_URL: service.chain.rpcUrl,
      SVC_DEPLOYMENT: service.chain.deploymentPath,
      SVC_SERVICE: service.url,
      SVC_GATEWAYS: `${service.url}/ar/{id}/item`,
    };
    const run = await svc(["check", agent.name, "--loopback-http", "--json"], { env });
    const found = JSON.parse(run.stdout);
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);
    expect([run.code, found.grade, ids(found.fixes)]).toEqual([0, grade, ids(fixes)]);
  });
});
