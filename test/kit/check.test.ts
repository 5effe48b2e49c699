import { getAddress } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckId, type Fix, GRADES, type Grade } from "../../protocol/endpoints/index.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { agentRegistry, archiveIdOf } from "../../protocol/index.ts";
import { REGISTRATION_FILE_TYPE } from "../../protocol/registration-file.ts";
import { type AgentEndpoints, startAgentEndpoints } from "../fixtures/agent-endpoints.ts";
import {
  account,
  bob,
  type IndexedChain,
  REGISTERED_ARCHIVE,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { svc } from "../fixtures/svc.ts";

// A chain and an agent's own server: no part of the service runs here.

const carol = account(3);
const wallet = account(5);
let chain: IndexedChain;
let server: AgentEndpoints;
let env: Record<string, string>;

beforeAll(async () => {
  chain = await startIndexedChain();
  env = { SVC_RPC_URL: chain.rpcUrl, SVC_DEPLOYMENT: chain.deploymentPath };
}, 180_000);
afterAll(() => chain?.stop());
beforeEach(async () => {
  server = await startAgentEndpoints();
});
afterEach(() => server.stop());

interface Report {
  readonly grade: Grade;
  readonly reached: number;
  readonly of: number;
  readonly fixes: readonly Fix[];
  readonly endpoints: readonly { readonly service: string; readonly state: string }[];
}

async function checked(agent: string): Promise<Report> {
  const { code, stdout, stderr } = await svc(["check", agent, "--loopback-http", "--json"], {
    env,
  });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** A passport that says nothing: without a file, a soul and, after its sale, a wallet. */
async function barePassport(): Promise<bigint> {
  const { agentId } = await chain.registerPassport(bob, "");
  await chain.movePassport(agentId, bob, carol);
  return agentId;
}

const registry = () => agentRegistry(31337, chain.identityRegistry);

/** What the text of each fix says to do. */
function actionsFor(
  agentId: bigint,
  name: string,
): Readonly<Record<CheckId, (fix: Fix) => unknown>> {
  let tokenId = 0n;
  const withFile = (members: Record<string, unknown>) => {
    server.file = { ...server.file, ...members };
  };
  return {
    "registration-file": async () => {
      server.file = {};
      await chain.setPassportUri(carol, agentId, `${server.origin}/agent.json`);
    },
    "file-type": () => withFile({ type: REGISTRATION_FILE_TYPE }),
    name: () => withFile({ name: "Heron" }),
    description: () => withFile({ description: "Counts herons." }),
    image: () =>
      withFile({ image: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi" }),
    "file-names-passport": () =>
      withFile({ registrations: [{ agentId: Number(agentId), agentRegistry: registry() }] }),
    services: () =>
      withFile({
        x402Support: true,
        services: [
          { name: "A2A", endpoint: `${server.origin}/.well-known/agent-card.json` },
          { name: "MCP", endpoint: `${server.origin}/mcp` },
          { name: "x402", endpoint: `${server.origin}/paid` },
          { name: "web", endpoint: `${server.origin}/` },
          { name: "email", endpoint: "heron@example.org" },
        ],
      }),
    "endpoints-answer": ({ about }) => {
      expect(about.length).toBe(4);
      server.isRunning = true;
    },
    "payment-quote": () => {
      server.isRunning = true;
    },
    "domain-proven": () => {
      server.proof = { registrations: [{ agentId: Number(agentId), agentRegistry: registry() }] };
    },
    certificates: () => {
      throw new Error("Endpoints on loopback have no certificate.");
    },
    "agent-wallet": async () => {
      const { timestamp } = await chain.client.getBlock();
      const deadline = timestamp + 240n;
      const signature = await wallet.signTypedData({
        domain: {
          name: "ERC8004IdentityRegistry",
          version: "1",
          chainId: 31337,
          verifyingContract: chain.identityRegistry,
        },
        types: {
          AgentWalletSet: [
            { name: "agentId", type: "uint256" },
            { name: "newWallet", type: "address" },
            { name: "owner", type: "address" },
            { name: "deadline", type: "uint256" },
          ],
        },
        primaryType: "AgentWalletSet",
        message: { agentId, newWallet: wallet.address, owner: carol.address, deadline },
      });
      await chain.mined(
        await chain.client.writeContract({
          account: carol,
          address: chain.identityRegistry,
          abi: identityRegistryAbi,
          functionName: "setAgentWallet",
          args: [agentId, wallet.address, deadline, signature],
        }),
      );
    },
    "soul-sealed": async ({ action }) => {
      // First it is registered, and found to be unsealed; then it is sealed.
      if (action.startsWith("Seal the soul")) {
        await chain.seal(carol, tokenId, name);
        return;
      }
      expect(action).toMatch(/^Register a soul for this passport/);
      const bound = { bindPassport: true, passportId: agentId, seal: false };
      ({ tokenId } = await chain.register(carol, name, bound));
    },
    "soul-valid": ({ action }) => {
      throw new Error(`Sealing it made it valid, and still: ${action}`);
    },
    "service-metadata": async () => {
      await chain.approveWriter(carol, agentId);
      await chain.syncPassports(bob, [tokenId]);
    },
    "did-document": () => chain.setDidArchive(carol, tokenId, archiveIdOf(REGISTERED_ARCHIVE)),
    "public-identity": () => {
      throw new Error("It is not known without a service.");
    },
  };
}

/** What the text of each fix that is carried out here has to name. */
const SAYS: Readonly<Record<CheckId, RegExp>> = {
  "registration-file": /setAgentURI on the identity registry/,
  "file-type":
    /`type` of the file to https:\/\/eips\.ethereum\.org\/EIPS\/eip-8004#registration-v1/,
  name: /^Add a `name` to the file/,
  description: /^Add a `description` to the file/,
  image: /^Add an `image` to the file/,
  "file-names-passport": /`registrations` of the file, as {agentId, agentRegistry}/,
  services: /such as A2A, MCP or web/,
  "endpoints-answer": /^Start these endpoints/,
  "payment-quote": /answer 402 with a valid x402 quote/,
  "domain-proven": /\/\.well-known\/agent-registration\.json on the origin of each/,
  certificates: /^Renew the certificates/,
  "agent-wallet": /setAgentWallet on the identity registry, signed by that wallet/,
  "soul-sealed": /^(?:Register a soul for this passport and seal it|Seal the soul):/,
  "soul-valid": /[Ss]eal/,
  "service-metadata": /approve the passport writer on the passport, and call its sync\(tokenId\)/,
  "did-document": /^Publish a DID document/,
  "public-identity": /^Publish a public identity/,
};

describe("svc check", () => {
  it("leads from the worst grade to the best by its list of fixes alone", async () => {
    const agentId = await barePassport();
    const actions = actionsFor(agentId, "list-follower");
    const grades: Grade[] = [];
    const done: CheckId[] = [];
    let share = 0;
    for (;;) {
      const { grade, reached, of, fixes } = await checked(String(agentId));
      expect(reached / of).toBeGreaterThanOrEqual(share);
      share = reached / of;
      if (grades.at(-1) !== grade) grades.push(grade);
      const [first] = fixes;
      if (first === undefined) break;
      // Only the registration of a soul is two steps.
      if (done.at(-1) === first.id) expect(first.id).toBe("soul-sealed");
      done.push(first.id);
      // What the map does is what the text says.
      expect(first.action).toMatch(SAYS[first.id]);
      expect(done.length).toBeLessThan(30);
      await actions[first.id](first);
    }
    expect([grades[0], grades.at(-1)]).toEqual(["F", "A"]);
    expect(grades).toEqual(GRADES.filter((grade) => grades.includes(grade)).reverse());
    expect(share).toBe(1);
    expect([...done].sort()).toEqual(
      [
        "agent-wallet",
        "description",
        "did-document",
        "domain-proven",
        "endpoints-answer",
        "file-names-passport",
        "file-type",
        "image",
        "name",
        "registration-file",
        "service-metadata",
        "services",
        "soul-sealed",
        "soul-sealed",
      ].sort(),
    );
    const { stdout } = await svc(["check", `agent-${agentId}`, "--loopback-http"], { env });
    expect(stdout).toMatch(/^grade A: 97 of 97 points, for list-follower\n/);
    expect(stdout).toContain("Nothing is left to mend.");
    expect(stdout).toContain("An MCP server (protocol 2025-06-18) with 1 tool.");
    // The same agent by its name and its DIDs.
    for (const agent of ["list-follower", "did:svc:31337:list-follower"]) {
      expect((await checked(agent)).grade).toBe("A");
    }
  });

  it("needs the node alone for a passport", async () => {
    const { agentId } = await chain.registerPassport(
      bob,
      `data:application/json;base64,${btoa('{"name":"Plain"}')}`,
    );
    const alone = { SVC_RPC_URL: chain.rpcUrl };
    const args = ["check", String(agentId), "--json"];
    const unknown = await svc(args, { env: alone });
    expect([unknown.code, JSON.parse(unknown.stdout).error.message]).toEqual([
      2,
      "No identity registry is known on chain 31337. Name it with --registry, or give --deployment.",
    ]);
    const found = await svc([...args, "--registry", chain.identityRegistry], { env: alone });
    expect(found.code).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({
      grade: "E",
      agentId: Number(agentId),
      agentRegistry: registry(),
      owner: getAddress(bob.address),
      soul: null,
      file: { reading: "read", hasName: true, hasImage: false },
    });
  });

  it("asks nothing on this machine without --loopback-http", async () => {
    const file = { services: [{ name: "MCP", endpoint: `${server.origin}/mcp` }] };
    server.isRunning = true;
    const uri = `data:application/json;base64,${btoa(JSON.stringify(file))}`;
    const { agentId } = await chain.registerPassport(bob, uri);
    const { stdout } = await svc(["check", String(agentId), "--json"], { env });
    expect(JSON.parse(stdout).endpoints).toMatchObject([
      {
        state: "silent",
        seen: "It has an address that may not be checked: only https to public hosts may.",
      },
    ]);
    expect(server.asked).toEqual([]);
  });

  it("prints nothing of a hostile file that a terminal would obey", async () => {
    const file = {
      services: [{ name: "we\u001b[2Jb\u202e", endpoint: "https://127.0.0.1/\u0007" }],
    };
    const uri = `data:application/json;base64,${btoa(
      String.fromCharCode(...new TextEncoder().encode(JSON.stringify(file))),
    )}`;
    const { agentId } = await chain.registerPassport(bob, uri);
    const { code, stdout } = await svc(["check", String(agentId)], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("we[U+001B][2Jb[U+202E]");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  });

  it("exits with 1 for what does not exist, and with --at-least for a grade below it", async () => {
    const missing = await svc(["check", "999999"], { env });
    expect([missing.code, missing.stderr.split("\n")[0]]).toEqual([
      1,
      "svc check: There is no passport 999999.",
    ]);
    const unknown = await svc(["check", "no-such-agent"], { env });
    expect([unknown.code, unknown.stderr.split("\n")[0]]).toEqual([
      1,
      "svc check: There is no agent no-such-agent.",
    ]);
    const agentId = await barePassport();
    expect((await svc(["check", String(agentId), "--at-least", "F"], { env })).code).toBe(0);
    expect((await svc(["check", String(agentId), "--at-least", "e"], { env })).code).toBe(1);
    const wrong = await svc(["check", String(agentId), "--at-least", "Z"], { env });
    expect([wrong.code, wrong.stderr.split("\n")[0]]).toEqual([
      2,
      "svc check: --at-least is a grade from A to F.",
    ]);
  });
});
