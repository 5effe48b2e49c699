import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256, zeroHash } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  archiveIdOf,
  buildFieldTree,
  didRecordJson,
  nextDidRecord,
  normaliseCcsf,
  parseChainAddress,
  publicKeys,
  soulHash,
} from "../../protocol/index.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  REGISTERED_ARCHIVE,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { ED25519_KEY } from "../fixtures/public-keys.ts";
import { startStaticGateway } from "../fixtures/static-gateway.ts";
import { svc } from "../fixtures/svc.ts";

// A chain alone: no part of the service runs here.

const carol = account(3);
const ED25519 = {
  ...ED25519_KEY,
  use: "sig",
  exp: 9_000_000_000,
};
let chain: IndexedChain;
let directory: string;
let ada: Awaited<ReturnType<IndexedChain["register"]>>;
let env: Record<string, string>;

beforeAll(async () => {
  [chain, directory] = await Promise.all([
    startIndexedChain(),
    mkdtemp(join(tmpdir(), "svc-cli-chain-")),
  ]);
  ada = await chain.register(alice, "ada", { operator: bob.address });
  env = { SVC_RPC_URL: chain.rpcUrl, SVC_DEPLOYMENT: chain.deploymentPath };
}, 180_000);

afterAll(async () => {
  await Promise.all([chain?.stop(), rm(directory, { recursive: true, force: true })]);
});

interface Report {
  readonly verdict: string;
  readonly why: string;
  readonly block: number;
  readonly steps: readonly {
    readonly step: string;
    readonly value: string;
    readonly source: string;
    readonly problem: string | null;
  }[];
}

async function report(agent: string): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await svc(["verify", "agent", agent, "--json"], { env });
  // A number may be another agent's certificate too.
  expect(stderr).toMatch(/^(?:[0-9]+ is read as a passport\. .*\n)?$/);
  return { code, report: JSON.parse(stdout) };
}

describe("svc verify agent", () => {
  it("names every fact of a valid agent and the contract it was read from", async () => {
    const { contracts } = chain;
    const { code, report: found } = await report("ada");
    expect(code).toBe(0);
    expect(found).toMatchObject({
      verdict: "valid",
      why: "ada is sealed, and its passport is with the owner who sealed it.",
      block: Number(await chain.client.getBlockNumber({ cacheTime: 0 })),
    });
    const values = Object.fromEntries(found.steps.map(({ step, value }) => [step, value]));
    expect(values).toEqual({
      chain: `31337, block ${found.block}`,
      contracts: `registry ${contracts.soulRegistry}`,
      name: "ada (specialist)",
      soul: `token ${ada.tokenId}`,
      passport: String(ada.passportId),
      "agent URI": expect.stringMatching(/^ar:\/\//),
      owner: alice.address,
      certificate: `held by ${alice.address}`,
      "soul hash": ada.message.soulHash,
      "Merkle root": ada.message.soulMerkleRoot,
      seal: `SEALED, by ${alice.address}`,
      suspension: "none",
      validity: "VALID",
      epoch: "1",
      operator: bob.address,
      human: "not attested",
      keys: "none",
      DID: "did:svc:31337:ada",
      "DID archive": "none",
    });
    const sources = Object.fromEntries(found.steps.map(({ step, source }) => [step, source]));
    expect(sources.owner).toBe(
      `the ERC-8004 identity registry's ownerOf(${ada.passportId}) at ${contracts.identityRegistry}`,
    );
    expect(sources["soul hash"]).toBe(
      `SoulRegistry.soulOf(${ada.tokenId}) at ${contracts.soulRegistry}`,
    );
    expect(sources.keys).toBe(`AgentKeys.keysOf(${ada.tokenId}) at ${contracts.agentKeys}`);
  });

  it("finds the same agent by its passport and its DIDs, and prints it for people", async () => {
    const { report: byName } = await report("ada");
    for (const agent of [
      String(ada.passportId),
      `agent-${ada.passportId}`,
      "did:svc:31337:ada",
      "did:svc:ada",
      `did:svc:31337:agent-${ada.passportId}`,
    ]) {
      const { code, report: found } = await report(agent);
      expect([code, found.why]).toEqual([0, byName.why]);
    }
    const { code, stdout } = await svc(["verify", "agent", "ada"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^valid: ada is sealed, and its passport is with the owner/);
    expect(stdout).toContain(
      `  owner           ${alice.address}\n                  read from the `,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
    expect(stdout).not.toMatch(/\u001b/);
  });

  it("exits with 1 for what has no valid soul, and says why", async () => {
    const unsealed = await chain.register(carol, "carols-draft", { seal: false });
    const sold = await chain.register(carol, "carols-sold");
    await chain.movePassport(sold.passportId, carol, bob);
    const suspended = await chain.register(carol, "carols-suspended");
    await chain.movePassport(suspended.passportId, carol, bob);
    await chain.suspend(bob, suspended.tokenId);
    await chain.movePassport(suspended.passportId, bob, carol);
    const burned = await chain.register(carol, "carols-burned");
    await chain.burn(carol, burned.tokenId);
    const bare = await chain.registerPassport(bob, "");
    const cases: [string, string, string][] = [
      ["carols-draft", "carols-draft is not sealed.", "seal"],
      [
        "carols-sold",
        `carols-sold is with ${bob.address}, and was sealed by ${carol.address}.`,
        "owner",
      ],
      [
        "carols-suspended",
        "carols-suspended is suspended until its owner reseals it.",
        "suspension",
      ],
      ["carols-burned", "carols-burned was burned.", "seal"],
      [
        String(bare.agentId),
        `Passport ${bare.agentId} has no soul: nothing about its agent is sealed.`,
        "soul",
      ],
      ["unknown-agent", "The registry knows no agent named unknown-agent.", "soul"],
      ["999999", "There is no passport 999999.", "passport"],
    ];
    for (const [agent, why, step] of cases) {
      const { code, report: found } = await report(agent);
      expect([agent, code, found.verdict]).toEqual([agent, 1, "invalid"]);
      const problems = found.steps.filter(({ problem }) => problem !== null);
      expect(problems.map((one) => one.problem)).toContain(why);
      expect(problems.map((one) => one.step)).toContain(step);
      const text = await svc(["verify", "agent", agent], { env });
      expect(text.stdout).toMatch(/^not valid: /);
      expect(text.stdout).toContain(`NOT RIGHT: ${why}`);
      const asked = await svc(["validity", agent], { env });
      expect([asked.code, asked.stdout.split(":")[0]]).toEqual([1, "not valid"]);
    }
    expect(unsealed.tokenId).toBeGreaterThan(0n);
  });

  describe("with a gateway", () => {
    const items = createItemSigner(generatePrivateKey());
    const NOTE = "Reading archived items from the gateways ...\n";
    let gateway: Awaited<ReturnType<typeof startStaticGateway>>;
    beforeAll(async () => {
      gateway = await startStaticGateway();
    });
    afterAll(() => gateway?.stop());

    /** Puts a text on permanent storage. */
    async function stored(text: string): Promise<string> {
      const item = await items.sign({ data: Buffer.from(text), contentType: "application/json" });
      await gateway.keep(item);
      return item.id;
    }

    /** An agent whose soul is archived; `change` replaces parts of the archive. */
    async function archived(name: string, change: object = {}) {
      const ccsf = normaliseCcsf({ identity: { name, agent_type: "specialist" } });
      const salt = hashOf(`salt of ${name}`);
      const hash = soulHash(salt, ccsf);
      const tree = buildFieldTree({ ccsf, salt, soulHash: hash });
      const soul = { soulHash: hash, soulMerkleRoot: tree.root };
      const archive = await stored(
        JSON.stringify({ ...soul, merkleLeaves: tree.leaves, ...change }),
      );
      const registered = await chain.register(alice, name, {
        ...soul,
        archiveId: archiveIdOf(archive),
      });
      return { ...registered, name, archive };
    }

    async function withKeys(tokenId: bigint, keys: string, hash = sha256(Buffer.from(keys))) {
      const id = await stored(keys);
      await chain.setKeys(alice, tokenId, { hash, archiveId: archiveIdOf(id) });
      return id;
    }

    async function withDidRecord(tokenId: bigint, text: string) {
      const id = await stored(text);
      await chain.setDidArchive(alice, tokenId, archiveIdOf(id));
      return id;
    }

    async function judged(name: string) {
      const args = ["verify", "agent", name, "--gateway", gateway.itemUrl, "--json"];
      const { code, stdout, stderr } = await svc(args, { env });
      expect(stderr).toBe(NOTE);
      const { why, steps } = JSON.parse(stdout) as Report;
      return { code, why, steps: Object.fromEntries(steps.map((step) => [step.step, step])) };
    }

    const setOf = (tokenId: bigint) =>
      agentKeySet([ED25519], { chainId: 31337, soulRegistry: chain.soulRegistry, tokenId });
    const [{ kid } = { kid: "" }] = publicKeys([ED25519]);

    it("compares the archived soul, the key set and the DID's archive with the chain", async () => {
      const { name, tokenId, archive } = await archived("gateway-whole");
      const keysId = await withKeys(tokenId, agentKeySetJson(setOf(tokenId)));
      const subject = { chainId: 31337, soulRegistry: chain.soulRegistry, name, tokenId, epoch: 1 };
      const address = parseChainAddress({
        chain: "ethereum",
        address: carol.address,
        label: "Treasury",
        keyType: "EcdsaSecp256k1",
      });
      const record = nextDidRecord(subject, null, { kind: "add", address });
      const didId = await withDidRecord(tokenId, didRecordJson(record));
      const { code, why, steps } = await judged(name);
      expect([code, why]).toEqual([
        0,
        "gateway-whole is sealed, and its passport is with the owner who sealed it.",
      ]);
      const { agentKeys } = chain.contracts;
      expect(steps).toMatchObject({
        keys: { value: `key set ${agentKeysHash(setOf(tokenId))}`, problem: null },
        "DID archive": { value: `ar://${didId}`, problem: null },
        "soul archive": {
          value: `ar://${archive}`,
          source: "a gateway, under the id of the event SoulSealed of SoulRegistry",
          problem: null,
        },
        "key set": {
          value: kid,
          source: `a gateway, ar://${keysId}, named by the event AgentKeysSet of AgentKeys`,
          problem: null,
        },
        "DID document": { value: expect.stringContaining(`#${kid}`), problem: null },
      });
      expect(steps.keys?.source).toBe(`AgentKeys.keysOf(${tokenId}) at ${agentKeys}`);
      for (const id of [archive, keysId, didId]) {
        expect(gateway.requestedPaths).toContain(`/item/${id}`);
      }
    });

    it.each([
      [{ soulHash: zeroHash }, "has another soul hash than the chain"],
      [{ soulMerkleRoot: zeroHash }, "has another Merkle root than the chain"],
      [{ merkleLeaves: [] }, "has leaves that do not give its root"],
    ])("exits with 1 when the archived soul has %j", async (change, problem) => {
      const name = `gateway-${Object.keys(change)[0]?.toLowerCase()}`;
      const { archive } = await archived(name, change);
      const { code, why, steps } = await judged(name);
      expect([code, why]).toEqual([1, `The archived soul ${problem}.`]);
      expect(steps["soul archive"]).toMatchObject({ value: `ar://${archive}`, problem: why });
    });

    it("exits with 1 when the owner's archives are not what the chain says they are", async () => {
      const other = await archived("gateway-other-keys");
      await withKeys(other.tokenId, agentKeySetJson(setOf(other.tokenId)), hashOf("other keys"));
      expect(await judged(other.name)).toMatchObject({
        code: 1,
        why: "The archived key set is not the one that the chain names.",
      });
      const none = await archived("gateway-no-keys");
      const id = await withKeys(none.tokenId, "{}");
      const judgedNone = await judged(none.name);
      expect(judgedNone).toMatchObject({ code: 1, steps: { "key set": { value: `ar://${id}` } } });
      expect(judgedNone.why).toMatch(/^The archived key set is not valid: ./);
      const did = await archived("gateway-no-record");
      await withDidRecord(did.tokenId, "{}");
      expect((await judged(did.name)).why).toMatch(/^The DID's archive is no record of it: ./);
      expect((await judged(did.name)).code).toBe(1);
    });

    it("does not judge what a gateway does not serve", async () => {
      const { name, tokenId } = await archived("gateway-partly");
      const keys = await withKeys(tokenId, agentKeySetJson(setOf(tokenId)));
      const did = await withDidRecord(tokenId, "{}");
      const missing: [string, string, RegExp][] = [
        ["ada", REGISTERED_ARCHIVE, new RegExp(`: No gateway serves ${REGISTERED_ARCHIVE}: `)],
        [name, did, new RegExp(`: The DID document cannot be read: .*${did}`)],
        [name, keys, new RegExp(`: No gateway serves ${keys}: `)],
      ];
      for (const [agent, id, message] of missing) {
        gateway.forget(id);
        const args = ["verify", "agent", agent, "--gateway", gateway.itemUrl];
        const { code, stdout, stderr } = await svc(args, { env });
        expect([agent, code, stdout]).toEqual([agent, 2, ""]);
        expect(stderr).toMatch(message);
      }
    });
  });

  it("exits with 2 for everything that keeps it from finding out", async () => {
    const elsewhere = join(directory, "elsewhere.json");
    await writeFile(elsewhere, JSON.stringify({ ...chain.deployment, chainId: 8453 }));
    const moved = join(directory, "moved.json");
    const contracts = { ...chain.deployment.contracts, soulRegistry: carol.address };
    await writeFile(moved, JSON.stringify({ ...chain.deployment, contracts }));
    const cases: [string[], Record<string, string>, string][] = [
      [
        ["Ada Lovelace"],
        {},
        "This is not an agent's name, passport id or DID. Did you mean ada-lovelace?",
      ],
      [["did:web:ada"], {}, "A DID of this service has the form did:svc:<chain id>:<agent name>."],
      [["did:svc:8453:ada"], {}, "The DID is of chain 8453, the node of chain 31337."],
      [
        ["ada"],
        { SVC_DEPLOYMENT: elsewhere },
        "The node is of chain 31337, the deployment file of chain 8453.",
      ],
      [["ada"], { SVC_DEPLOYMENT: moved }, "The node has no such contract."],
      [["ada"], { SVC_DEPLOYMENT: "" }, "The addresses of the contracts are needed."],
      [["ada"], { SVC_RPC_URL: "" }, "--rpc is missing: the URL of a node of the chain."],
      [["ada"], { SVC_RPC_URL: "ftp://node" }, "--rpc must be the URL of a node: https://..."],
      [["ada"], { SVC_RPC_URL: "http://127.0.0.1:1/v2/secret" }, "The node cannot be reached."],
      [
        ["ada", "--gateway", "https://gateway.example/"],
        {},
        "--gateway must be a URL with {id} where an item's id belongs, such as https://service.example/ar/{id}/item.",
      ],
    ];
    for (const [args, change, message] of cases) {
      for (const command of [["verify", "agent"], ["validity"]]) {
        if (args.includes("--gateway") && command.length === 1) continue;
        const run = await svc([...command, ...args], { env: { ...env, ...change } });
        expect([run.code, run.stdout]).toEqual([2, ""]);
        expect(run.stderr.split("\n")[0]).toBe(`svc ${command.join(" ")}: ${message}`);
        expect(run.stderr).not.toContain("secret");
      }
    }
  });
});

describe("svc validity", () => {
  it("answers what isValid on chain answers", async () => {
    const { code, stdout, stderr } = await svc(["validity", "ada"], { env });
    const block = await chain.client.getBlockNumber({ cacheTime: 0 });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `valid: ada (certificate ${ada.tokenId}, passport ${ada.passportId}), in block ${block} of chain 31337\n`,
      stderr: "",
    });
    const json = await svc(["validity", "did:svc:31337:ada", "--json"], { env });
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      {
        valid: true,
        agent: "did:svc:31337:ada",
        tokenId: Number(ada.tokenId),
        erc8004AgentId: Number(ada.passportId),
        chainId: 31337,
        soulRegistry: chain.soulRegistry,
        block: Number(block),
      },
    ]);
  });

  it("reads a number as a passport, says whose certificate it is too, and takes --certificate", async () => {
    // Certificates begin at 1 and passports at 0, so the first number is of two agents.
    const number = String(ada.tokenId);
    const other = await chain.client.readContract({
      address: chain.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "tokenOfPassport",
      args: [ada.tokenId],
    });
    const namedBy = async (...args: string[]) => {
      const { stdout, stderr } = await svc(["validity", ...args, "--json"], { env });
      const { tokenId, erc8004AgentId } = JSON.parse(stdout);
      return { tokenId, erc8004AgentId, stderr };
    };
    expect(await namedBy(number, "--certificate")).toEqual({
      tokenId: Number(ada.tokenId),
      erc8004AgentId: Number(ada.passportId),
      stderr: "",
    });
    const stderr = `${number} is read as a passport. Certificate ${number} is ada, with passport ${ada.passportId}: add --certificate for it.\n`;
    expect(await namedBy(number)).toEqual({
      tokenId: Number(other),
      erc8004AgentId: Number(number),
      stderr,
    });
    expect((await svc(["verify", "agent", number], { env })).stderr).toBe(stderr);

    for (const [args, message] of [
      [["ada", "--certificate"], "--certificate belongs to a number. A name or DID needs none."],
      [["99", "--certificate"], "There is no certificate 99."],
    ] as const) {
      const run = await svc(["validity", ...args], { env });
      expect(run.stderr.split("\n")[0]).toBe(`svc validity: ${message}`);
    }
  });
});
