import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import {
  createTestClient,
  getAddress,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  parseEther,
  parseEventLogs,
  publicActions,
  stringToHex,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import hardhatConfig from "../../hardhat.config.ts";
import { OfficialRegistries } from "../../ignition/modules/Registries.ts";
import { soulRegistryOver } from "../../ignition/modules/SoulRegistry.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { stackAccounts } from "../../scripts/lib/accounts.ts";
import { artifactOf } from "../../scripts/lib/artifacts.ts";
import { deployPublicly, parametersPath, readParameters } from "../../scripts/lib/deploy.ts";
import { deployCommand } from "../../scripts/lib/deploy-command.ts";
import { planDeployment } from "../../scripts/lib/deploy-plan.ts";
import { DEPLOY_TARGETS } from "../../scripts/lib/deploy-targets.ts";

const ADMIN = "0x1111111111111111111111111111111111111111";
const REGISTRAR = "0x2222222222222222222222222222222222222222";
const ROLES = ["--admin", ADMIN, "--registrar", REGISTRAR];
const SEPOLIA = ["--network", "base-sepolia", ...ROLES];
const PATIENCE = { blockPollingInterval: 10, requiredConfirmations: 1 };
const TEST_ACCOUNT = stackAccounts().users[0]?.address ?? "";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-deploy-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the command and gives everything it said. */
async function run(...args: string[]) {
  let out = "";
  let complaint = "";
  const status = await deployCommand(args, {
    environment: {},
    root,
    print: (text) => {
      out += text;
    },
    complain: (text) => {
      complaint += text;
    },
    patience: PATIENCE,
  });
  return { status, out, complaint };
}

describe("arguments", () => {
  const hint = "npm run deploy -- --help explains the options.\n";

  it.each([
    [[], "--network is missing: one of local, base-sepolia, base.\n"],
    [["--network", "mainnet"], "There is no network mainnet: one of local, base-sepolia, base.\n"],
    [
      ["--network", "base", "--parameters", "nowhere.json"],
      "There is no parameter file nowhere.json.\n",
    ],
    [
      ["--network", "base", "--identity-registry-start-block", "-5x"],
      "Option '--identity-registry-start-block' argument is ambiguous",
    ],
    [
      ["--network", "base", "--identity-registry-start-block", "0x10"],
      '--identity-registry-start-block must be a block number; it is "0x10".\n',
    ],
    [["--network", "base", "--force"], "Unknown option '--force'"],
    [["base"], "Unexpected argument 'base'"],
  ])("refuses %j", async (args, message) => {
    const { status, out, complaint } = await run(...args);

    expect(status).toBe(2);
    expect(out).toBe("");
    expect(complaint.startsWith(message)).toBe(true);
    expect(complaint.endsWith(hint)).toBe(true);
  });

  it("explains itself", async () => {
    const { status, out, complaint } = await run("--help", "--network", "nowhere");

    expect(status).toBe(0);
    expect(complaint).toBe("");
    for (const option of [
      "--dry-run",
      "--admin",
      "--registrar",
      "--parameters",
      "--identity-registry-start-block",
      ...DEPLOY_TARGETS.flatMap(({ name, secrets }) => [name, ...secrets]),
    ]) {
      expect(out).toContain(option);
    }
  });
});

describe("dry run", () => {
  it("shows contracts, arguments, roles and the verification commands, and touches nothing", async () => {
    const { status, out, complaint } = await run(...SEPOLIA, "--dry-run");

    expect(complaint).toBe("");
    expect(status).toBe(0);
    expect(out).toBe(`Deploys to Base Sepolia (chain 84532), in this order:
  1. SoulRegistry
       identityRegistry (address) = <identityRegistry>
       admin (address) = ${ADMIN}
       registrar (address) = ${REGISTRAR}
  2. SoulView
       soulRegistry (address) = <soulRegistry>

Made by the constructors of these:
  SoulCertificate = <soulRegistry>.CERTIFICATE()

Uses what is there already:
  IIdentityRegistry at 0x8004A818BFB912233c491871b3d84c89A494BD9e
  IReputationRegistry at 0x8004B663056A597Dffe9eCcC1965A193B7388713

Grants these roles, and no others:
  SoulRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}
  SoulRegistry REGISTRAR_ROLE to ${REGISTRAR}

To verify the sources on the block explorers afterwards:
  npx hardhat ignition verify base-sepolia --network baseSepolia
  npx hardhat verify --network baseSepolia <soulCertificate> <soulRegistry>

This was a dry run: nothing was sent.
`);
    expect(readdirSync(root)).toEqual([]);
  });

  it("takes the local accounts for a local node, and has nothing to verify there", async () => {
    const { admin, relayer } = stackAccounts();
    const { status, out } = await run("--network", "local", "--dry-run");

    expect(status).toBe(0);
    expect(out).toContain(`SoulRegistry DEFAULT_ADMIN_ROLE to ${admin.address}\n`);
    expect(out).toContain(`SoulRegistry REGISTRAR_ROLE to ${relayer.address}\n`);
    expect(out).toContain("  1. IdentityRegistry\n");
    expect(out).not.toContain("Uses what is there already");
    expect(out).not.toContain("hardhat verify");
  });

  it("lets the command line win over the parameter file", async () => {
    const file = join(root, "parameters.json");
    const parameters = readParameters(parametersPath("base"));
    writeFileSync(
      file,
      JSON.stringify({ ...parameters, SoulRegistry: { admin: ADMIN, registrar: ADMIN } }),
    );
    const args = ["--network", "base", "--parameters", file, "--registrar", REGISTRAR];
    const { status, out } = await run(...args, "--dry-run");

    expect(status).toBe(0);
    expect(out).toContain(`SoulRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}\n`);
    expect(out).toContain(`SoulRegistry REGISTRAR_ROLE to ${REGISTRAR}\n`);
  });
});

describe("refusals before anything is sent", () => {
  const base = ["--network", "base", "--dry-run"];
  const missing = (name: string) =>
    `  - SoulRegistry.${name} is not set: give --${name} <address>, or put "${name}" under "SoulRegistry" in ignition/parameters/base.json.`;

  it.each([
    ["neither admin nor registrar", [], [missing("admin"), missing("registrar")]],
    ["no admin", ["--registrar", REGISTRAR], [missing("admin")]],
    ["no registrar", ["--admin", ADMIN], [missing("registrar")]],
    [
      "no address",
      ["--admin", "alice", "--registrar", REGISTRAR],
      ["  - SoulRegistry.admin is no address, or its checksum is wrong: alice"],
    ],
    [
      "a wrong checksum",
      ["--admin", "0x8004a169FB4a3325136EB29fA0ceB6D2e539a432", "--registrar", REGISTRAR],
      [
        "  - SoulRegistry.admin is no address, or its checksum is wrong: 0x8004a169FB4a3325136EB29fA0ceB6D2e539a432",
      ],
    ],
    [
      "the zero address",
      ["--admin", `0x${"0".repeat(40)}`, "--registrar", REGISTRAR],
      ["  - SoulRegistry.admin is the zero address."],
    ],
    [
      "a test account",
      ["--admin", ADMIN, "--registrar", TEST_ACCOUNT],
      [
        `  - SoulRegistry.registrar is ${TEST_ACCOUNT}, a test account whose key is published: anybody could use its power.`,
      ],
    ],
    [
      "one account for both",
      ["--admin", ADMIN, "--registrar", ADMIN],
      [`  - ${ADMIN} would be admin and hold REGISTRAR_ROLE: use two accounts.`],
    ],
  ])("refuses on Base: %s", async (_what, args, problems) => {
    const { status, out, complaint } = await run(...base, ...args);

    expect(status).toBe(1);
    expect(out).toBe("");
    expect(complaint).toBe(
      `${["The protocol is not deployed to Base:", ...problems].join("\n")}\n`,
    );
  });

  it("lets a test network share one account", async () => {
    const args = ["--network", "base-sepolia", "--admin", ADMIN, "--registrar", ADMIN];
    expect((await run(...args, "--dry-run")).status).toBe(0);
  });

  it.each(["BASE_SEPOLIA_RPC_URL", "DEPLOYER_PRIVATE_KEY"])(
    "names %s when it is missing",
    async (name) => {
      vi.stubEnv("BASE_SEPOLIA_RPC_URL", "http://127.0.0.1:9");
      vi.stubEnv("DEPLOYER_PRIVATE_KEY", generatePrivateKey());
      vi.stubEnv(name, undefined);
      const { status, complaint } = await run(...SEPOLIA);

      expect(status).toBe(1);
      expect(complaint).toBe(
        `The protocol is not deployed to Base Sepolia:\n  - ${name} is not set: npx hardhat keystore set ${name}, or put it into the environment.\n`,
      );
      expect(existsSync(join(root, "deployments"))).toBe(false);
    },
  );
});

describe("on a chain that answers as Base Sepolia", () => {
  const registries = readParameters(parametersPath("base-sepolia")).OfficialRegistries ?? {};
  const identityRegistry = registries.identityRegistry as Hex;
  const reputationRegistry = registries.reputationRegistry as Hex;
  let node: Awaited<ReturnType<typeof startNode>>;
  let deployer: Hex;

  async function startNode(chainId: number) {
    const hre = await createHardhatRuntimeEnvironment({
      ...hardhatConfig,
      networks: { sepolia: { type: "edr-simulated", chainType: "l1", chainId } },
    });
    const server = await hre.network.createServer("sepolia", "127.0.0.1", 0);
    const { port } = await server.listen();
    const url = `http://127.0.0.1:${port}`;
    const client = createTestClient({ mode: "hardhat", transport: http(url) }).extend(
      publicActions,
    );
    return { server, url, client };
  }

  // Otherwise viem may answer what it was told up to four seconds before.
  const blockNumber = async () => Number(await node.client.getBlockNumber({ cacheTime: 0 }));
  const sent = () => node.client.getTransactionCount({ address: deployer });
  const deploymentFile = () => join(root, "deployments", "base-sepolia.json");
  const written = () => JSON.parse(readFileSync(deploymentFile(), "utf8"));
  const refusal = (problem: string) =>
    `The protocol is not deployed to Base Sepolia:\n  - ${problem}\n`;

  beforeAll(async () => {
    node = await startNode(84_532);
  });

  afterAll(async () => {
    await node.server.close();
  });

  beforeEach(async () => {
    const key = generatePrivateKey();
    deployer = privateKeyToAccount(key).address;
    vi.stubEnv("BASE_SEPOLIA_RPC_URL", node.url);
    vi.stubEnv("DEPLOYER_PRIVATE_KEY", key);
    const bytecode = artifactOf("IdentityRegistry").deployedBytecode;
    await node.client.setCode({ address: identityRegistry, bytecode });
    await node.client.setCode({ address: reputationRegistry, bytecode });
    await node.client.setBalance({ address: deployer, value: parseEther("1") });
  });

  it("refuses when an official registry is missing", async () => {
    await node.client.setCode({ address: identityRegistry, bytecode: "0x" });
    const { status, complaint } = await run(...SEPOLIA);

    expect(status).toBe(1);
    expect(complaint).toBe(refusal(`There is no IIdentityRegistry at ${identityRegistry}.`));
    expect(await sent()).toBe(0);
  });

  it("refuses a sender without ether", async () => {
    await node.client.setBalance({ address: deployer, value: 0n });
    const { status, complaint } = await run(...SEPOLIA);

    expect(status).toBe(1);
    expect(complaint).toBe(refusal(`${deployer}, which deploys, has no ether on Base Sepolia.`));
  });

  it("refuses a sender whose key is published", async () => {
    const [user] = stackAccounts().users;
    vi.stubEnv("DEPLOYER_PRIVATE_KEY", user?.privateKey);
    const { status, complaint } = await run(...SEPOLIA);

    expect(status).toBe(1);
    expect(complaint).toBe(
      refusal(
        `${user?.address} is a test account whose key is published: others would spend its ether.`,
      ),
    );
  });

  it("refuses a node of another chain", async () => {
    const other = await startNode(84_531);
    try {
      vi.stubEnv("BASE_SEPOLIA_RPC_URL", other.url);
      const { status, complaint } = await run(...SEPOLIA);

      expect(status).toBe(1);
      expect(complaint).toContain("84531");
      expect(existsSync(deploymentFile())).toBe(false);
    } finally {
      await other.server.close();
    }
  });

  it("deploys what the dry run showed, grants those roles and no others, and says where", async () => {
    const before = await blockNumber();
    const { status, out, complaint } = await run(
      ...SEPOLIA,
      "--identity-registry-start-block",
      "17",
    );

    expect(complaint).toBe("");
    expect(status).toBe(0);
    const deployment = written();
    const { soulRegistry, soulCertificate, soulView } = deployment.contracts;
    expect(deployment).toEqual({
      chainId: 84_532,
      contracts: {
        soulRegistry,
        soulCertificate,
        soulView,
        identityRegistry,
        reputationRegistry,
        validationRegistry: null,
      },
      startBlock: before + 1,
      identityRegistryStartBlock: 17,
    });
    const read = { address: soulRegistry, abi: soulRegistryAbi } as const;
    expect(await node.client.readContract({ ...read, functionName: "CERTIFICATE" })).toBe(
      soulCertificate,
    );
    expect(await node.client.readContract({ ...read, functionName: "IDENTITY_REGISTRY" })).toBe(
      identityRegistry,
    );
    expect(await node.client.getCode({ address: soulView })).not.toBeUndefined();

    const logs = await node.client.getLogs({ fromBlock: BigInt(before), toBlock: "latest" });
    const granted = parseEventLogs({ abi: soulRegistryAbi, eventName: "RoleGranted", logs });
    expect(
      granted.map(({ address, args }) => [getAddress(address), args.role, args.account]),
    ).toEqual([
      [soulRegistry, zeroHash, ADMIN],
      [soulRegistry, keccak256(stringToHex("REGISTRAR_ROLE")), REGISTRAR],
    ]);

    expect(out).toContain(`Deploying from ${deployer}.\n`);
    expect(out).toContain(`https://sepolia.basescan.org/address/${soulRegistry}\n`);
    expect(out).toContain(
      `npx hardhat verify --network baseSepolia ${soulCertificate} ${soulRegistry}\n`,
    );
  });

  it("sends nothing when all is deployed already", async () => {
    await run(...SEPOLIA);
    const first = written();
    const transactions = await sent();
    const { status } = await run(...SEPOLIA);

    expect(status).toBe(0);
    expect(written()).toEqual(first);
    expect(transactions).toBe(2);
    expect(await sent()).toBe(transactions);
  });

  it("goes on with a deployment that stopped half-way", async () => {
    const target = DEPLOY_TARGETS.find(({ name }) => name === "base-sepolia");
    if (!target) throw new Error("There is no such target.");
    const half = { ...target, module: soulRegistryOver(OfficialRegistries) };
    const plan = planDeployment({
      target: half,
      parameters: readParameters(parametersPath("base-sepolia")),
      overrides: { admin: ADMIN, registrar: REGISTRAR },
      abiOf: (name) => artifactOf(name).abi,
    });
    const before = await blockNumber();
    const stopped = deployPublicly({
      plan,
      ignition: join(root, "ignition"),
      file: deploymentFile(),
      patience: PATIENCE,
      note: () => {},
    });
    await expect(stopped).rejects.toThrow("The deployed module has no contract called soulView.");
    expect(existsSync(deploymentFile())).toBe(false);
    expect(await sent()).toBe(1);
    const first = getContractAddress({ from: deployer, nonce: 0n });

    await node.client.mine({ blocks: 3 });
    expect((await run(...SEPOLIA)).status).toBe(0);
    expect(await sent()).toBe(2);
    expect(written().contracts.soulRegistry).toBe(first);
    expect(written().startBlock).toBe(before + 1);
  });

  it("refuses to go on with other roles than it began with", async () => {
    await run(...SEPOLIA);
    const { status, complaint } = await run(
      ...SEPOLIA.slice(0, 2),
      "--admin",
      REGISTRAR,
      "--registrar",
      ADMIN,
    );

    expect(status).toBe(1);
    expect(complaint).toContain("SoulRegistry#SoulRegistry");
    expect(await sent()).toBe(2);
  });

  it("deploys to a local node, with registries of its own", async () => {
    const local = await startNode(31_337);
    try {
      vi.stubEnv("BASE_SEPOLIA_RPC_URL", undefined);
      let complaint = "";
      const status = await deployCommand(["--network", "local"], {
        environment: { SVC_CHAIN_PORT: new URL(local.url).port },
        root,
        print: () => {},
        complain: (text) => {
          complaint += text;
        },
      });
      expect(complaint).toBe("");
      expect(status).toBe(0);
      const file = JSON.parse(readFileSync(join(root, "deployments", "local.json"), "utf8"));
      expect(file.chainId).toBe(31_337);
      expect(file.startBlock).toBe(0);
      expect(file.contracts.validationRegistry).toMatch(/^0x/);
    } finally {
      await local.server.close();
    }
  });
});
