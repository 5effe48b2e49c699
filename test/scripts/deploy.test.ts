import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createTestClient,
  formatEther,
  formatGwei,
  getAddress,
  type Hex,
  http,
  keccak256,
  parseEther,
  parseEventLogs,
  publicActions,
  stringToHex,
  walletActions,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { allowanceVaultAbi, registrarsAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { deployCommand } from "../../scripts/deploy/command.ts";
import { addressOf, CREATE_X, createXAbi, saltOf } from "../../scripts/deploy/create3.ts";
import { parametersPath, placeCreateX, readParameters } from "../../scripts/deploy/deploy.ts";
import type { Parameters } from "../../scripts/deploy/plan.ts";
import { PROTOCOL } from "../../scripts/deploy/protocol.ts";
import { rolesGranted } from "../../scripts/deploy/roles.ts";
import { DEPLOY_TARGETS } from "../../scripts/deploy/targets.ts";
import { artifactOf } from "../../scripts/lib/artifacts.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { createNodeRuntime } from "../../scripts/local-stack/node-runtime.ts";
import { startRpcGate } from "../fixtures/rpc-gate.ts";

const ADMIN = "0x1111111111111111111111111111111111111111";
const REGISTRAR = "0x2222222222222222222222222222222222222222";
const BINDER = "0x3333333333333333333333333333333333333333";
const ANCHORER = "0x4444444444444444444444444444444444444444";
const RECORDER = "0x5555555555555555555555555555555555555555";
const HOLDERS = {
  admin: ADMIN,
  registrar: REGISTRAR,
  binder: BINDER,
  anchorer: ANCHORER,
  recorder: RECORDER,
};
const flags = (holders: Readonly<Record<string, string>>) =>
  Object.entries(holders).flatMap(([name, holder]) => [`--${name}`, holder]);
const SEPOLIA = ["--network", "base-sepolia", ...flags(HOLDERS)];
/** Of a public deployment without World ID: one for each contract. */
const TRANSACTIONS = Object.keys(PROTOCOL.deploys).length;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const APP_ID = "app_0123456789abcdef0123456789abcdef";
const PATIENCE = { pollingInterval: 10, confirmations: 1 };
const TEST_ACCOUNT = stackAccounts().users[0]?.address ?? "";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-deploy-"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the command and returns its whole output. */
async function run(...args: string[]) {
  return runWith({}, ...args);
}

async function runWith(environment: NodeJS.ProcessEnv, ...args: string[]) {
  return runWatched(environment, args, () => {});
}

/** @param watch gets what the command prints. */
async function runWatched(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  watch: (text: string) => unknown,
) {
  let out = "";
  let complaint = "";
  const status = await deployCommand(args, {
    environment,
    root,
    print: (text) => {
      out += text;
      watch(text);
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
    [["--network", "mainnet"], "Unknown network mainnet. Use one of local, base-sepolia, base.\n"],
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
    [
      ["--network", "base", "--deployer", ADMIN.slice(1)],
      `--deployer is not an address, or its checksum is wrong: ${ADMIN.slice(1)}\n`,
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

  it("prints its help", async () => {
    const { status, out, complaint } = await run("--help", "--network", "nowhere");

    expect(status).toBe(0);
    expect(complaint).toBe("");
    for (const option of [
      "--dry-run",
      "--deployer",
      "--admin",
      "--registrar",
      "--binder",
      "--anchorer",
      "--recorder",
      "--parameters",
      "--identity-registry-start-block",
      ...DEPLOY_TARGETS.flatMap(({ name, secrets }) => [name, ...secrets]),
    ]) {
      expect(out).toContain(option);
    }
  });
});

/** A parameter file like the one of `network`, with `changes` applied to its sections. */
function parameterFile(network: string, changes: Parameters): string {
  const path = join(root, "parameters.json");
  const parameters = readParameters(parametersPath(network));
  const names = [...new Set([...Object.keys(parameters), ...Object.keys(changes)])];
  const changed = names.map((name) => [name, { ...parameters[name], ...changes[name] }]);
  writeFileSync(path, JSON.stringify(Object.fromEntries(changed)));
  return path;
}

describe("dry run", () => {
  const section = (out: string, title: string) =>
    out.split("\n\n").find((part) => part.startsWith(title)) ?? "";
  const grants = (out: string) => section(out, "Grants these roles").split("\n").slice(1);

  it("shows contracts, arguments and roles, and changes nothing", async () => {
    const { status, out, complaint } = await run(...SEPOLIA, "--dry-run");

    expect(complaint).toBe("");
    expect(status).toBe(0);
    const estimated = out.replace(/about 2\d,\d{3},\d{3} gas/, "about GAS gas");
    expect(
      estimated,
    ).toBe(`Deploys to Base Sepolia (chain 84532), each after those that its constructor calls:
  1. HumanVerifierRegistry
       admin (address) = ${ADMIN}
       delay (uint48) = 172800
       adminDelay (uint48) = 172800
  2. Registrars
       admin (address) = ${ADMIN}
       registrar (address) = ${REGISTRAR}
       adminDelay (uint48) = 172800
  3. SoulCertificate
       soulRegistry (address) = <soulRegistry>
  4. OrganizationRegistry
       soulRegistry (address) = <soulRegistry>
  5. PassportWriter
       soulRegistry (address) = <soulRegistry>
       identityRegistry (address) = 0x8004A818BFB912233c491871b3d84c89A494BD9e
  6. PassportMint
       soulRegistry (address) = <soulRegistry>
       identityRegistry (address) = 0x8004A818BFB912233c491871b3d84c89A494BD9e
  7. SoulRegistry
       identityRegistry (address) = 0x8004A818BFB912233c491871b3d84c89A494BD9e
       humanVerifiers (address) = <humanVerifierRegistry>
       registrars (address) = <registrars>
       certificate (address) = <soulCertificate>
       organizationRegistry (address) = <organizationRegistry>
       passportWriter (address) = <passportWriter>
       passportMint (address) = <passportMint>
  8. SoulView
       soulRegistry (address) = <soulRegistry>
  9. AllowanceVault
       soulRegistry (address) = <soulRegistry>
       stablecoin (address) = 0x036CbD53842c5426634e7929541eC2318f3dCF7e
  10. BindingRegistry
       soulRegistry (address) = <soulRegistry>
       admin (address) = ${ADMIN}
       binder (address) = ${BINDER}
       adminDelay (uint48) = 172800
  11. ChronicleAnchor
       admin (address) = ${ADMIN}
       anchorer (address) = ${ANCHORER}
       adminDelay (uint48) = 172800
  12. AlignmentRegistry
       soulRegistry (address) = <soulRegistry>
       admin (address) = ${ADMIN}
       recorder (address) = ${RECORDER}
       adminDelay (uint48) = 172800
  13. AgentKeys
       soulRegistry (address) = <soulRegistry>

Uses what is there already. Compare each address with what its publisher says:
  IIdentityRegistry at 0x8004A818BFB912233c491871b3d84c89A494BD9e (https://github.com/erc-8004/erc-8004-contracts)
  IReputationRegistry at 0x8004B663056A597Dffe9eCcC1965A193B7388713 (https://github.com/erc-8004/erc-8004-contracts)
  IStablecoin at 0x036CbD53842c5426634e7929541eC2318f3dCF7e (https://developers.circle.com/stablecoins/usdc-contract-addresses)

Not deployed:
  WorldIdVerifier: there is no "appId" under "WorldIdVerifier" in deployments/parameters/base-sepolia.json. With one it is
  deployed, and asks this router; compare the address with World's own documentation first:
    IWorldIdRouter at 0x42FF98C4E85212a5D31358ACbFe76a621b50fC02 (https://docs.world.org/world-id/idkit/onchain-verification)

Grants these roles, and no others:
  HumanVerifierRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}
  Registrars DEFAULT_ADMIN_ROLE to ${ADMIN}
  Registrars REGISTRAR_ROLE to ${REGISTRAR}
  BindingRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}
  BindingRegistry BINDER_ROLE to ${BINDER}
  ChronicleAnchor DEFAULT_ADMIN_ROLE to ${ADMIN}
  ChronicleAnchor ANCHOR_ROLE to ${ANCHORER}
  AlignmentRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}
  AlignmentRegistry ALIGNMENT_ROLE to ${RECORDER}

What the deployer pays:
  13 transactions, about GAS gas
  Put BASE_SEPOLIA_RPC_URL into the environment to see it in ether, at the price of the moment.

This was a dry run: nothing was sent.
`);
    expect(readdirSync(root)).toEqual([]);
  });

  it("shows the World ID adapter and who approves it once the parameter file has an application id", async () => {
    const file = parameterFile("base", { WorldIdVerifier: { appId: APP_ID } });
    const args = ["--network", "base", "--parameters", file, ...flags(HOLDERS)];
    const { status, out, complaint } = await run(...args, "--dry-run");

    expect(complaint).toBe("");
    expect(status).toBe(0);
    expect(out).toContain(`  14. WorldIdVerifier
       router (address) = 0xBCC7e5910178AFFEEeBA573ba6903E9869594163
       appId (string) = ${APP_ID}
`);
    expect(section(out, "Uses what is there already")).toContain(
      "\n  IWorldIdRouter at 0xBCC7e5910178AFFEEeBA573ba6903E9869594163 (https://docs.world.org/world-id/idkit/onchain-verification)",
    );
    expect(out).not.toContain("Not deployed");
    expect(section(out, "Left to be done by hand afterwards:")).toBe(
      `Left to be done by hand afterwards:
  ${ADMIN} calls propose(<worldIdVerifier>) of HumanVerifierRegistry at <humanVerifierRegistry>
  172800 seconds later any account calls activate(<worldIdVerifier>) there: until then no human proof is accepted`,
    );
  });

  it("uses the local accounts for a local node", async () => {
    const { admin, relayer } = stackAccounts();
    const { status, out } = await run("--network", "local", "--dry-run");

    expect(status).toBe(0);
    expect(grants(out)).toEqual([
      `  HumanVerifierRegistry DEFAULT_ADMIN_ROLE to ${admin.address}`,
      `  Registrars DEFAULT_ADMIN_ROLE to ${admin.address}`,
      `  Registrars REGISTRAR_ROLE to ${relayer.address}`,
      `  BindingRegistry DEFAULT_ADMIN_ROLE to ${admin.address}`,
      `  BindingRegistry BINDER_ROLE to ${relayer.address}`,
      `  ChronicleAnchor DEFAULT_ADMIN_ROLE to ${admin.address}`,
      `  ChronicleAnchor ANCHOR_ROLE to ${relayer.address}`,
      `  AlignmentRegistry DEFAULT_ADMIN_ROLE to ${admin.address}`,
      `  AlignmentRegistry ALIGNMENT_ROLE to ${relayer.address}`,
    ]);
    expect(out).toContain("  1. IdentityRegistry\n");
    expect(out).not.toContain("Uses what is there already");
    expect(out).not.toContain("Not deployed");
  });

  it("takes roles from the parameter file, where a contract's own value wins", async () => {
    const file = parameterFile("base", {
      $global: HOLDERS,
      ChronicleAnchor: { anchorer: REGISTRAR },
    });
    const args = ["--network", "base", "--parameters", file];
    const { status, out } = await run(...args, "--dry-run");

    expect(status).toBe(0);
    expect(grants(out)).toContain(`  HumanVerifierRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}`);
    expect(grants(out)).toContain(`  BindingRegistry BINDER_ROLE to ${BINDER}`);
    expect(grants(out)).toContain(`  ChronicleAnchor ANCHOR_ROLE to ${REGISTRAR}`);
  });

  it("prefers the command line to the parameter file", async () => {
    const file = parameterFile("base", {
      $global: { ...HOLDERS, admin: RECORDER },
      Registrars: { admin: BINDER, registrar: BINDER },
    });
    const args = ["--network", "base", "--parameters", file];
    const { status, out } = await run(
      ...args,
      ...flags({ admin: ADMIN, registrar: REGISTRAR }),
      "--dry-run",
    );

    expect(status).toBe(0);
    expect(grants(out)).toContain(`  Registrars DEFAULT_ADMIN_ROLE to ${ADMIN}`);
    expect(grants(out)).toContain(`  AlignmentRegistry DEFAULT_ADMIN_ROLE to ${ADMIN}`);
    expect(grants(out)).toContain(`  Registrars REGISTRAR_ROLE to ${REGISTRAR}`);
    expect(grants(out)).toContain(`  AlignmentRegistry ALIGNMENT_ROLE to ${RECORDER}`);
  });

  it("names on a test network the roles that the registrar takes by default", async () => {
    const file = parameterFile("base-sepolia", { ChronicleAnchor: { anchorer: ANCHORER } });
    const { status, out } = await run(
      ...["--network", "base-sepolia", "--parameters", file],
      ...flags({ admin: ADMIN, registrar: REGISTRAR, binder: BINDER }),
      "--dry-run",
    );

    expect(status).toBe(0);
    expect(grants(out).filter((line) => !line.includes("DEFAULT_ADMIN_ROLE"))).toEqual([
      `  Registrars REGISTRAR_ROLE to ${REGISTRAR}`,
      `  BindingRegistry BINDER_ROLE to ${BINDER}`,
      `  ChronicleAnchor ANCHOR_ROLE to ${ANCHORER}`,
      `  AlignmentRegistry ALIGNMENT_ROLE to ${REGISTRAR} (no account named: the registrar's)`,
    ]);
  });
});

describe("refusals before anything is sent", () => {
  const base = ["--network", "base", "--dry-run"];
  const missing = (name: string, network = "base") =>
    `  - ${name} is not set: give --${name} <address>, or put "${name}" under "$global" in deployments/parameters/${network}.json.`;
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(HOLDERS).filter(([name]) => !names.includes(name)));
  const zero = `0x${"0".repeat(40)}`;
  const misspelt = "0x8004a169FB4a3325136EB29fA0ceB6D2e539a432";

  it.each<[string, Record<string, string>, string[]]>([
    [
      "no role named",
      {},
      ["admin", "registrar", "binder", "anchorer", "recorder"].map((name) => missing(name)),
    ],
    ...Object.keys(HOLDERS).map((name): [string, Record<string, string>, string[]] => [
      `no ${name}`,
      without(name),
      [missing(name)],
    ]),
    [
      "no address",
      { ...HOLDERS, admin: "alice" },
      ["  - admin is not an address, or its checksum is wrong: alice"],
    ],
    [
      "a wrong checksum",
      { ...HOLDERS, binder: misspelt },
      [`  - binder is not an address, or its checksum is wrong: ${misspelt}`],
    ],
    ["the zero address", { ...HOLDERS, recorder: zero }, ["  - recorder is the zero address."]],
    [
      "a test account",
      { ...HOLDERS, anchorer: TEST_ACCOUNT },
      [
        `  - anchorer is ${TEST_ACCOUNT}, a test account whose key is published: any reader of the key could use its role.`,
      ],
    ],
    [
      "an admin with another role",
      { ...HOLDERS, registrar: ADMIN, recorder: ADMIN },
      [
        `  - ${ADMIN} would be admin and hold REGISTRAR_ROLE: use two accounts.`,
        `  - ${ADMIN} would be admin and hold ALIGNMENT_ROLE: use two accounts.`,
      ],
    ],
  ])("refuses on Base: %s", async (_what, holders, problems) => {
    const { status, out, complaint } = await run(...base, ...flags(holders));

    expect(status).toBe(1);
    expect(out).toBe("");
    expect(complaint).toBe(
      `${["The protocol is not deployed to Base:", ...problems].join("\n")}\n`,
    );
  });

  it.each<[string, Parameters, string]>([
    [
      "a short delay",
      { HumanVerifierRegistry: { delay: 172_799 } },
      "HumanVerifierRegistry.delay is 172799 seconds: an adapter must wait in public for at least 172800.",
    ],
    [
      "no delay at all",
      { HumanVerifierRegistry: { delay: "soon" } },
      "HumanVerifierRegistry.delay is not a number of seconds: soon",
    ],
    [
      "a short delay for another admin",
      { $global: { adminDelay: 172_799 }, Registrars: { adminDelay: 172_800 } },
      [
        "HumanVerifierRegistry.adminDelay is 172799 seconds: another admin must wait in public for at least 172800.",
        "BindingRegistry.adminDelay is 172799 seconds: another admin must wait in public for at least 172800.",
        "ChronicleAnchor.adminDelay is 172799 seconds: another admin must wait in public for at least 172800.",
        "AlignmentRegistry.adminDelay is 172799 seconds: another admin must wait in public for at least 172800.",
      ].join("\n  - "),
    ],
    [
      "a staging application",
      { WorldIdVerifier: { appId: "app_staging_0123" } },
      "WorldIdVerifier.appId is app_staging_0123: a staging application accepts simulated persons.",
    ],
    [
      "something else than an application id",
      { WorldIdVerifier: { appId: "0123456789abcdef" } },
      "WorldIdVerifier.appId is not an application id from World: 0123456789abcdef",
    ],
    [
      "an invalid router",
      { $global: { worldIdRouter: zero }, WorldIdVerifier: { appId: APP_ID } },
      "worldIdRouter is the zero address.",
    ],
  ])("refuses on Base in the parameter file: %s", async (_what, changes, problem) => {
    const file = parameterFile("base", changes);
    const { status, complaint } = await run(...base, "--parameters", file, ...flags(HOLDERS));

    expect(status).toBe(1);
    expect(complaint).toBe(`The protocol is not deployed to Base:\n  - ${problem}\n`);
  });

  it("refuses on Base Sepolia too without admin and registrar, and requires no more", async () => {
    const { status, complaint } = await run("--network", "base-sepolia", "--dry-run");
    const problems = ["admin", "registrar"].map((name) => missing(name, "base-sepolia"));

    expect(status).toBe(1);
    expect(complaint).toBe(
      `${["The protocol is not deployed to Base Sepolia:", ...problems].join("\n")}\n`,
    );
  });

  it("lets a test network share one account, use a simulator and wait less", async () => {
    const file = parameterFile("base-sepolia", {
      HumanVerifierRegistry: { delay: 60 },
      WorldIdVerifier: { appId: "app_staging_0123" },
    });
    const args = ["--network", "base-sepolia", "--parameters", file];
    const one = flags({ admin: ADMIN, registrar: ADMIN });
    expect(await run(...args, ...one, "--dry-run")).toMatchObject({ status: 0, complaint: "" });
  });

  it("cannot plan a contract with a role that no argument of its constructor gives", () => {
    const constructorOf = (...names: string[]) => ({
      type: "constructor" as const,
      stateMutability: "nonpayable" as const,
      inputs: names.map((name) => ({ name, type: "address" })),
    });
    const constant = (name: string) => ({
      type: "function" as const,
      name,
      inputs: [],
      outputs: [{ name: "", type: "bytes32" }],
      stateMutability: "view" as const,
    });

    expect(() =>
      rolesGranted("Vault", [
        constructorOf("admin"),
        constant("DEFAULT_ADMIN_ROLE"),
        constant("PAUSER_ROLE"),
      ]),
    ).toThrow(
      "Vault has DEFAULT_ADMIN_ROLE, PAUSER_ROLE, but its constructor's arguments give DEFAULT_ADMIN_ROLE.",
    );
    expect(() => rolesGranted("Vault", [constructorOf("binder")])).toThrow(
      "Vault has no role, but its constructor's arguments give BINDER_ROLE.",
    );
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
  const official = readParameters(parametersPath("base-sepolia"));
  const identityRegistry = official.$global?.identityRegistry as Hex;
  const reputationRegistry = official.$global?.reputationRegistry as Hex;
  const stablecoin = official.$global?.stablecoin as Hex;
  const worldIdRouter = official.$global?.worldIdRouter as Hex;
  let node: Awaited<ReturnType<typeof startNode>>;
  let deployer: Hex;

  async function startNode(chainId: number) {
    const { network } = await createNodeRuntime({
      sepolia: { type: "edr-simulated", chainType: "l1", chainId },
    });
    const server = await network.createServer("sepolia", "127.0.0.1", 0);
    const { port } = await server.listen();
    const url = `http://127.0.0.1:${port}`;
    await placeCreateX(http(url));
    const client = createTestClient({ mode: "hardhat", transport: http(url) })
      .extend(publicActions)
      .extend(walletActions);
    return { server, url, client };
  }

  /** Puts contracts of the same behaviour at the official addresses of a network. */
  async function useOfficialContracts({ client }: typeof node, network = "base-sepolia") {
    const { $global: at } = readParameters(parametersPath(network));
    for (const [name, contractName] of Object.entries({
      identityRegistry: "IdentityRegistry",
      reputationRegistry: "ReputationRegistry",
      stablecoin: "Stablecoin",
      worldIdRouter: "MockWorldIdRouter",
    })) {
      const { deployedBytecode } = artifactOf(contractName);
      await client.setCode({ address: at?.[name] as Hex, bytecode: deployedBytecode });
    }
  }

  // Otherwise viem may return an answer cached up to four seconds before.
  const blockNumber = async () => Number(await node.client.getBlockNumber({ cacheTime: 0 }));
  const sent = () => node.client.getTransactionCount({ address: deployer });
  /** The deploying account sends another transaction: addresses must not depend on its nonce. */
  async function sendSomethingElse({ client } = node) {
    const account = privateKeyToAccount(process.env.DEPLOYER_PRIVATE_KEY as Hex);
    const gasPrice = await client.getGasPrice();
    const hash = await client.sendRawTransaction({
      serializedTransaction: await account.signTransaction({
        chainId: await client.getChainId(),
        to: account.address,
        nonce: await client.getTransactionCount({ address: account.address }),
        gas: 21_000n,
        gasPrice: gasPrice * 2n,
        type: "legacy",
      }),
    });
    await client.waitForTransactionReceipt({ hash });
  }
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
    await useOfficialContracts(node);
    await node.client.setBalance({ address: deployer, value: parseEther("1") });
  });

  it.each([
    ["IIdentityRegistry", identityRegistry],
    ["IStablecoin", stablecoin],
    ["IWorldIdRouter", worldIdRouter],
  ])("refuses when %s is missing", async (name, address) => {
    await node.client.setCode({ address, bytecode: "0x" });
    const file = parameterFile("base-sepolia", { WorldIdVerifier: { appId: APP_ID } });
    const { status, complaint } = await run(...SEPOLIA, "--parameters", file);

    expect(status).toBe(1);
    expect(complaint).toBe(refusal(`There is no ${name} at ${address}.`));
    expect(await sent()).toBe(0);
  });

  it.each(Object.keys(HOLDERS))("refuses on Base a sender that would be the %s", async (name) => {
    const base = await startNode(8453);
    try {
      vi.stubEnv("BASE_RPC_URL", base.url);
      const parameters = readParameters(parametersPath("base"));
      const bytecode = artifactOf("Stablecoin").deployedBytecode;
      for (const address of Object.values(parameters.$global ?? {})) {
        await base.client.setCode({ address: address as Hex, bytecode });
      }
      const contract = {
        admin: "HumanVerifierRegistry",
        registrar: "Registrars",
        binder: "BindingRegistry",
        anchorer: "ChronicleAnchor",
        recorder: "AlignmentRegistry",
      }[name];
      const holders = flags({ ...HOLDERS, [name]: deployer.toLowerCase() });
      const { status, complaint } = await run("--network", "base", ...holders);

      expect(complaint).toBe(
        `The protocol is not deployed to Base:\n  - ${deployer}, which deploys, would hold a role of ${contract}.\n`,
      );
      expect(status).toBe(1);
      expect(await base.client.getTransactionCount({ address: deployer })).toBe(0);
    } finally {
      await base.server.close();
    }
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

  it("deploys what the dry run showed, grants exactly those roles, and prints the addresses", async () => {
    const before = await blockNumber();
    const { status, out, complaint } = await run(
      ...SEPOLIA,
      "--identity-registry-start-block",
      "17",
    );

    expect(complaint).toBe("");
    expect(status).toBe(0);
    const deployment = written();
    const { contracts } = deployment;
    expect(deployment).toEqual({
      chainId: 84_532,
      contracts: {
        soulRegistry: expect.stringMatching(ADDRESS),
        soulCertificate: expect.stringMatching(ADDRESS),
        soulView: expect.stringMatching(ADDRESS),
        humanVerifierRegistry: expect.stringMatching(ADDRESS),
        worldIdVerifier: null,
        organizationRegistry: expect.stringMatching(ADDRESS),
        passportWriter: expect.stringMatching(ADDRESS),
        passportMint: expect.stringMatching(ADDRESS),
        registrars: expect.stringMatching(ADDRESS),
        bindingRegistry: expect.stringMatching(ADDRESS),
        chronicleAnchor: expect.stringMatching(ADDRESS),
        alignmentRegistry: expect.stringMatching(ADDRESS),
        agentKeys: expect.stringMatching(ADDRESS),
        allowanceVault: expect.stringMatching(ADDRESS),
        stablecoin,
        identityRegistry,
        reputationRegistry,
        validationRegistry: null,
      },
      startBlock: before + 1,
      identityRegistryStartBlock: 17,
    });
    const { soulRegistry, soulCertificate, organizationRegistry, passportWriter } = contracts;
    const read = { address: soulRegistry, abi: soulRegistryAbi } as const;
    for (const [functionName, address] of [
      ["CERTIFICATE", soulCertificate],
      ["ORGANIZATION_REGISTRY", organizationRegistry],
      ["PASSPORT_WRITER", passportWriter],
      ["PASSPORT_MINT", contracts.passportMint],
      ["REGISTRARS", contracts.registrars],
      ["HUMAN_VERIFIERS", contracts.humanVerifierRegistry],
      ["IDENTITY_REGISTRY", identityRegistry],
    ] as const) {
      expect(await node.client.readContract({ ...read, functionName })).toBe(address);
    }
    const writer = { address: passportWriter, abi: artifactOf("PassportWriter").abi } as const;
    for (const [functionName, address] of [
      ["SOUL_REGISTRY", soulRegistry],
      ["IDENTITY_REGISTRY", identityRegistry],
    ] as const) {
      expect(await node.client.readContract({ ...writer, functionName })).toBe(address);
    }
    const vault = { address: contracts.allowanceVault, abi: allowanceVaultAbi } as const;
    expect(await node.client.readContract({ ...vault, functionName: "STABLECOIN" })).toBe(
      stablecoin,
    );
    expect(await node.client.getCode({ address: contracts.soulView })).not.toBeUndefined();

    const logs = await node.client.getLogs({ fromBlock: BigInt(before), toBlock: "latest" });
    const granted = parseEventLogs({ abi: registrarsAbi, eventName: "RoleGranted", logs });
    const role = (name: string) => keccak256(stringToHex(name));
    const grant = (address: Hex, id: Hex, account: Hex) => [address, id, account].join(" ");
    expect(
      granted
        .map(({ address, args }) => grant(getAddress(address), args.role, args.account))
        .sort(),
    ).toEqual(
      [
        grant(contracts.humanVerifierRegistry, zeroHash, ADMIN),
        grant(contracts.registrars, zeroHash, ADMIN),
        grant(contracts.registrars, role("REGISTRAR_ROLE"), REGISTRAR),
        grant(contracts.bindingRegistry, zeroHash, ADMIN),
        grant(contracts.bindingRegistry, role("BINDER_ROLE"), BINDER),
        grant(contracts.chronicleAnchor, zeroHash, ADMIN),
        grant(contracts.chronicleAnchor, role("ANCHOR_ROLE"), ANCHORER),
        grant(contracts.alignmentRegistry, zeroHash, ADMIN),
        grant(contracts.alignmentRegistry, role("ALIGNMENT_ROLE"), RECORDER),
      ].sort(),
    );

    expect(readdirSync(join(root, "deployments"))).toEqual(["base-sepolia.json"]);
    expect(out).toContain(`Deploying from ${deployer}.\n`);
    expect(out).toContain(`https://sepolia.basescan.org/address/${soulRegistry}\n`);
    const verified = [
      ...[soulRegistry, identityRegistry, contracts.humanVerifierRegistry, contracts.registrars],
      ...[soulCertificate, organizationRegistry, passportWriter, contracts.passportMint],
    ];
    expect(out.match(/npx hardhat verify /g)).toHaveLength(TRANSACTIONS);
    expect(out).toContain(`npx hardhat verify --network baseSepolia ${verified.join(" ")}\n`);
    expect(out).not.toContain("Left to be done by hand");
  });

  it("estimates in the dry run what the deployment then costs", async () => {
    const price = await node.client.getGasPrice();
    const { status, out, complaint } = await runWith(
      { BASE_SEPOLIA_RPC_URL: node.url },
      ...SEPOLIA,
      "--dry-run",
    );
    expect(complaint).toBe("");
    expect(status).toBe(0);
    const [, text = ""] = /13 transactions, about ([\d,]+) gas$/m.exec(out) ?? [];
    const estimate = BigInt(text.replaceAll(",", ""));
    expect(out).toContain(
      `  at ${formatGwei(price)} gwei, the price of the moment: ${formatEther(estimate * price)} ETH
  Give the deployer twice that, because prices change: ${formatEther(2n * estimate * price)} ETH\n`,
    );

    const before = await blockNumber();
    await run(...SEPOLIA);
    let used = 0n;
    for (let number = before + 1; number <= (await blockNumber()); number += 1) {
      const { gasUsed } = await node.client.getBlock({ blockNumber: BigInt(number) });
      used += gasUsed;
    }
    expect(Math.abs(Number(estimate - used)) / Number(used)).toBeLessThan(0.02);
  });

  it("adds the fee for data on Ethereum where the chain has one", async () => {
    const oracle = "0x420000000000000000000000000000000000000F";
    // Answers 42 to every call.
    await node.client.setCode({ address: oracle, bytecode: "0x602a60005260206000f3" });
    const { out } = await runWith({ BASE_SEPOLIA_RPC_URL: node.url }, ...SEPOLIA, "--dry-run");
    await node.client.setCode({ address: oracle, bytecode: "0x" });

    expect(out).toContain(
      `  for the data on Ethereum at most: ${formatEther(BigInt(42 * TRANSACTIONS))} ETH\n`,
    );
  });

  it("asks no node of another chain for prices", async () => {
    const other = await startNode(84_531);
    try {
      const { status, complaint } = await runWith(
        { BASE_SEPOLIA_RPC_URL: other.url },
        ...SEPOLIA,
        "--dry-run",
      );
      expect(status).toBe(1);
      expect(complaint).toBe(refusal("The node answers for chain 84531, not for chain 84532."));
    } finally {
      await other.server.close();
    }
  });

  it("sends nothing when all is deployed, and adds the World ID adapter once there is an application", async () => {
    await run(...SEPOLIA);
    const first = written();
    expect(await sent()).toBe(TRANSACTIONS);
    expect((await run(...SEPOLIA)).status).toBe(0);
    expect(written()).toEqual(first);
    expect(await sent()).toBe(TRANSACTIONS);

    const file = parameterFile("base-sepolia", { WorldIdVerifier: { appId: APP_ID } });
    const { status, out, complaint } = await run(...SEPOLIA, "--parameters", file);
    expect(complaint).toBe("");
    expect(status).toBe(0);
    expect(await sent()).toBe(TRANSACTIONS + 1);
    const { worldIdVerifier, ...contracts } = written().contracts;
    expect(worldIdVerifier).toMatch(ADDRESS);
    expect({ ...contracts, worldIdVerifier: null }).toEqual(first.contracts);
    expect(out).toContain(`Left to be done by hand:
  ${ADMIN} calls propose(${worldIdVerifier}) of HumanVerifierRegistry at ${contracts.humanVerifierRegistry}
  172800 seconds later any account calls activate(${worldIdVerifier}) there`);
    const abi = artifactOf("WorldIdVerifier").abi;
    expect(
      await node.client.readContract({ address: worldIdVerifier, abi, functionName: "ROUTER" }),
    ).toBe(worldIdRouter);
  });

  it("is at the same addresses on chains with other ids, other arguments and other nonces", async () => {
    const dry = await run(...SEPOLIA, "--dry-run", "--deployer", deployer);
    expect((await run(...SEPOLIA)).status).toBe(0);

    const base = await startNode(8453);
    try {
      vi.stubEnv("BASE_RPC_URL", base.url);
      await useOfficialContracts(base, "base");
      await base.client.setBalance({ address: deployer, value: parseEther("1") });
      await sendSomethingElse(base);
      const holders = flags({ ...HOLDERS, registrar: BINDER, binder: REGISTRAR });
      const { status, complaint } = await run("--network", "base", ...holders);
      expect(complaint).toBe("");
      expect(status).toBe(0);
    } finally {
      await base.server.close();
    }
    const onBase = JSON.parse(readFileSync(join(root, "deployments", "base.json"), "utf8"));
    const { contracts } = written();
    for (const [key, contractName] of Object.entries(PROTOCOL.deploys)) {
      expect(onBase.contracts[key]).toBe(contracts[key]);
      expect(dry.out).toContain(`. ${contractName} at ${contracts[key]}\n`);
    }
    expect(onBase.contracts.identityRegistry).not.toBe(contracts.identityRegistry);
  });

  it("leaves its addresses free when a stranger calls the factory with the same salt", async () => {
    const [stranger = deployer] = await node.client.getAddresses();
    const { bytecode } = artifactOf("Stablecoin");
    const deployment = {
      address: CREATE_X,
      abi: createXAbi,
      functionName: "deployCreate3",
      args: [saltOf(deployer, "soulRegistry"), bytecode],
      account: stranger,
    } as const;
    const { result } = await node.client.simulateContract(deployment);
    await node.client.writeContract({ ...deployment, chain: null });
    expect(await node.client.getCode({ address: result })).not.toBeUndefined();

    expect(result).not.toBe(addressOf(deployer, "soulRegistry"));
    expect((await run(...SEPOLIA)).status).toBe(0);
    expect(written().contracts.soulRegistry).toBe(addressOf(deployer, "soulRegistry"));
  });

  /** Runs the command until it has sent a transaction, whose answer it never gets, and returns its exit status. */
  async function killedAfterItsNext() {
    const gate = await startRpcGate(node.url);
    vi.stubEnv("BASE_SEPOLIA_RPC_URL", gate.url);
    const sending = gate.shutAt({ method: "eth_sendRawTransaction", at: "answer" });
    const [{ status }] = await Promise.all([run(...SEPOLIA), sending.then(gate.stop)]);
    return status;
  }

  it("goes on after it was killed behind any of its transactions", async () => {
    const before = await blockNumber();
    for (let transactions = 1; transactions <= TRANSACTIONS; transactions += 1) {
      expect(await killedAfterItsNext()).toBe(1);
      expect(await sent()).toBe(transactions);
      expect(existsSync(deploymentFile())).toBe(false);
    }
    vi.stubEnv("BASE_SEPOLIA_RPC_URL", node.url);
    await sendSomethingElse();
    const { status, complaint } = await run(...SEPOLIA);

    expect(complaint).toBe("");
    expect(status).toBe(0);
    expect(await sent()).toBe(TRANSACTIONS + 1);
    expect(written().startBlock).toBe(before + 1);
    expect(readdirSync(join(root, "deployments"))).toEqual(["base-sepolia.json"]);
  });

  it("sends nothing again that was sent before it was killed, and is not in a block yet", async () => {
    await node.client.setAutomine(false);
    expect(await killedAfterItsNext()).toBe(1);
    expect(await sent()).toBe(0);

    vi.stubEnv("BASE_SEPOLIA_RPC_URL", node.url);
    const waits = `Waiting for the transactions that ${deployer} sent before.\n`;
    const { status, out } = await runWatched({}, SEPOLIA, async (text) => {
      if (text !== waits) return;
      await node.client.setAutomine(true);
      await node.client.mine({ blocks: 1 });
    });
    expect(out).toContain(waits);
    expect(status).toBe(0);
    expect(await sent()).toBe(TRANSACTIONS);
  });

  it.each<[string, Parameters, Record<string, string>, (at: (key: string) => Hex) => string]>([
    [
      "another holder of a role",
      {},
      { recorder: BINDER },
      () => `${BINDER} does not hold ALIGNMENT_ROLE of AlignmentRegistry.`,
    ],
    [
      "another delay of its admin",
      { ChronicleAnchor: { adminDelay: 60 } },
      {},
      () => "adminDelay of ChronicleAnchor is not 60 seconds.",
    ],
    [
      "another argument",
      { HumanVerifierRegistry: { delay: 60 } },
      {},
      (at) =>
        `${at("humanVerifierRegistry")} has not the code that this HumanVerifierRegistry and its arguments give.`,
    ],
  ])(
    "refuses to go on when a contract stands with %s",
    async (_what, changes, holders, problem) => {
      await run(...SEPOLIA);
      const file = parameterFile("base-sepolia", changes);
      const { status, complaint } = await run(
        ...["--network", "base-sepolia", "--parameters", file],
        ...flags({ ...HOLDERS, ...holders }),
      );

      expect(complaint).toBe(refusal(problem((key) => addressOf(deployer, key))));
      expect(status).toBe(1);
      expect(await sent()).toBe(TRANSACTIONS);
    },
  );

  it("refuses other code at one of its addresses", async () => {
    const address = addressOf(deployer, "agentKeys");
    await node.client.setCode({ address, bytecode: "0x00" });
    const { status, complaint } = await run(...SEPOLIA);

    expect(complaint).toBe(
      refusal(`${address} has not the code that this AgentKeys and its arguments give.`),
    );
    expect(status).toBe(1);
    expect(await sent()).toBe(0);
  });

  it("refuses another deployer's deployment file, and another deployer than the named one", async () => {
    await run(...SEPOLIA);
    const first = written().contracts.soulRegistry;
    const key = generatePrivateKey();
    const { address } = privateKeyToAccount(key);
    await node.client.setBalance({ address, value: parseEther("1") });
    vi.stubEnv("DEPLOYER_PRIVATE_KEY", key);

    const other = await run(...SEPOLIA);
    expect(other.complaint).toBe(
      refusal(
        `${deploymentFile()} is of another deployment: its SoulRegistry is at ${first}, this deployer's at ${addressOf(address, "soulRegistry")}. Move it away first.`,
      ),
    );
    const named = await run(...SEPOLIA, "--deployer", deployer);
    expect(named.complaint).toBe(
      refusal(`The key is that of ${address}, not of the deployer ${deployer}.`),
    );
    expect(await node.client.getTransactionCount({ address })).toBe(0);
  });

  it("refuses to go on without the file of a deployment that stands", async () => {
    await run(...SEPOLIA);
    rmSync(deploymentFile());
    const { status, complaint } = await run(...SEPOLIA);

    expect(complaint).toBe(
      refusal(
        `SoulRegistry stands already, but there is no ${deploymentFile()}. Put it back first.`,
      ),
    );
    expect(status).toBe(1);
  });

  it("says why a constructor refuses", async () => {
    // Answers 42 to every call, and so has 42 decimals.
    await node.client.setCode({ address: stablecoin, bytecode: "0x602a60005260206000f3" });
    const { status, complaint } = await run(...SEPOLIA);

    expect(complaint).toBe(
      `AllowanceVault cannot be created: UnsupportedStablecoin(${stablecoin})\n`,
    );
    expect(status).toBe(1);
    expect(existsSync(deploymentFile())).toBe(false);
  });

  it.each([
    [
      "0x",
      `There is no CreateX at ${CREATE_X}. Send its presigned transaction (https://github.com/pcaversaccio/createx), then run this again.`,
    ],
    ["0x00", `The code at ${CREATE_X} is not CreateX.`],
  ] as const)(
    "refuses a chain with the code %s in the place of CreateX",
    async (bytecode, problem) => {
      const createX = await node.client.getCode({ address: CREATE_X });
      await node.client.setCode({ address: CREATE_X, bytecode });
      const { status, complaint } = await run(...SEPOLIA);
      await node.client.setCode({ address: CREATE_X, bytecode: createX ?? "0x" });

      expect(complaint).toBe(refusal(problem));
      expect(status).toBe(1);
      expect(await sent()).toBe(0);
    },
  );

  it("deploys to a local node, with its own registries", async () => {
    const local = await startNode(31_337);
    try {
      vi.stubEnv("BASE_SEPOLIA_RPC_URL", undefined);
      const environment = { SVC_CHAIN_PORT: new URL(local.url).port };
      const { status, complaint } = await runWith(environment, "--network", "local");
      expect(complaint).toBe("");
      expect(status).toBe(0);
      const file = JSON.parse(readFileSync(join(root, "deployments", "local.json"), "utf8"));
      expect(file.chainId).toBe(31_337);
      expect(file.startBlock).toBe(0);
      expect(file.contracts.worldIdVerifier).toBeNull();
      for (const [name, address] of Object.entries(file.contracts)) {
        if (name === "worldIdVerifier") continue;
        expect(address).toBe(addressOf(stackAccounts().admin.address, name));
      }
    } finally {
      await local.server.close();
    }
  });
});
