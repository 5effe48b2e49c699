import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, globSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EdgeVM } from "@edge-runtime/vm";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLE_SOUL, startTestIssuer } from "../../kit/testing/index.ts";
import { ROOT } from "../../scripts/lib/artifacts.ts";
import { kitEntries, kitManifest } from "../../scripts/package/entries.ts";
import { findNode, type PackedPackage, packPackage, runIn } from "./package-project.ts";

// The package as strangers install it, in fresh folders.

let packed: PackedPackage;
beforeAll(async () => {
  packed = await packPackage();
});
afterAll(() => packed?.remove());

const NAME = "agent-identity-protocol";

/** Version 7 takes a fifth of the processor's time of version 5. */
const tscOf = (compiler: "typescript" | "typescript-7") =>
  join(ROOT, "node_modules", compiler, "bin/tsc");

/** The README's service, as it stands there. */
const TEN_LINES = (() => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```[jt]s[^\n]*\n(.*?)```/gs)].map(([, code = ""]) => code);
  return blocks.find((code) => code.includes("requireTier")) ?? "";
})();

/** A service without a framework. `report` calls it three times, and answers the statuses. */
const TOKEN_CHECK = `
import { localVerification, requireTierFetch } from "${NAME}";
import { createTestIssuer } from "${NAME}/testing";

async function report() {
  const issuer = createTestIssuer();
  const check = localVerification({ issuer: issuer.issuer, secrets: issuer.secrets, chainId: 31337 });
  const handler = requireTierFetch({ check, minTier: 2 }, (_request, agent) => new Response(agent.agentName));
  const call = (authorization) =>
    handler(new Request("https://shop.example/", { headers: authorization ? { authorization } : {} }));
  const answers = [await call(), await call("Bearer wrong"), await call("Bearer " + (await issuer.token()))];
  return answers.map(({ status }) => status).join(" ") + " " + (await answers[2].text());
}
`;

describe.each([22, 24])("plain JavaScript on Node %i", (major) => {
  const node = findNode(major);
  const title = `imports every entry, and admits only a valid token`;
  // The tests run on one version; SVC_NODE_22 and SVC_NODE_24 name others.
  it.skipIf(node === null)(title, { timeout: 120_000 }, async () => {
    const imports = kitEntries().map(({ specifier }) => `await import("${specifier}");`);
    const folder = packed.project({
      "all.js": `${imports.join("\n")}\n${TOKEN_CHECK}\nconsole.log(await report());`,
    });
    expect(await runIn(folder, node ?? "", ["all.js"])).toEqual({
      code: 0,
      output: "401 401 200 aurora\n",
    });
  });
});

describe("the command line", () => {
  it("runs from the installed package, and needs no network to hash a soul", async () => {
    const folder = packed.project({ "soul.md": EXAMPLE_SOUL });
    const { svc = "" } = kitManifest().bin;
    const command = join(folder, "node_modules", NAME, svc);
    const help = await runIn(folder, process.execPath, [command, "--help"]);
    expect([help.code, help.output.split("\n")[0]]).toEqual([
      0,
      "svc: identities of AI agents, from the command line",
    ]);
    const hash = ["hash", "soul.md", "--json"];
    // The first time it also says where it wrote the new salt.
    expect((await runIn(folder, process.execPath, [command, ...hash])).code).toBe(0);
    const { code, output } = await runIn(folder, process.execPath, [command, ...hash]);
    expect([code, JSON.parse(output)]).toMatchObject([
      0,
      {
        agentName: "aurora",
        agentType: "assistant",
        soulHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      },
    ]);
    const unknown = await runIn(folder, process.execPath, [command, "hsah"]);
    expect(unknown.code).toBe(2);
  });
});

describe("TypeScript", () => {
  const OPTIONS = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  };
  /** Uses a value and a type of each kind of entry. */
  const APP = `
import { admittedAgent, introspection, requireTierExpress, requireTierFetch, type SignedInAgent } from "${NAME}";
import { createClient } from "${NAME}/client";
import { deploymentOn, soulRegistryAbi } from "${NAME}/contracts";
import { getResolver, type DidResolverOptions } from "${NAME}/did";
import { verifyWebhook, type WebhookVerdict } from "${NAME}/webhooks";
import { signedDelivery } from "${NAME}/testing";
${kitEntries()
  .map(({ specifier }, index) => `import * as entry${index} from "${specifier}";`)
  .join("\n")}

const check = introspection({ service: "https://agents.example" });
export const GET = requireTierFetch({ check, minTier: 2 }, (request: Request, agent, context: { params: Promise<{ id: string }> }) => {
  const name: string = agent.agentName;
  return Response.json({ name, url: request.url, context: String(context) });
});
export const handler: (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response> = GET;
export const middleware = requireTierExpress({ check, minTier: 1 });
export const agent: SignedInAgent = admittedAgent({});
export const resolver = (options: DidResolverOptions) => getResolver(options);
export const first: "constructor" = soulRegistryAbi[0].type;
export const registry = deploymentOn(8453).contracts["soulRegistry"];
export const received = async (secret: string): Promise<WebhookVerdict> => {
  const { headers, body } = signedDelivery({ event: "chronicle.recorded", secret });
  return verifyWebhook({ secrets: secret, headers, rawBody: body, now: new Date(), seenNonce: () => false });
};
// @ts-expect-error A tier is 1, 2 or 3.
requireTierExpress({ check, minTier: 4 });
export const all = [createClient, ${kitEntries()
    .map((_entry, index) => `entry${index}`)
    .join(", ")}];
`;

  it.each([
    ["nodenext", "typescript", "nodenext"],
    ["bundler", "typescript-7", "esnext"],
  ] as const)(
    "has no type error with %s resolution by %s, declarations included",
    {
      timeout: 180_000,
    },
    async (moduleResolution, compiler, module) => {
      const folder = packed.project({
        "app.ts": APP,
        "tsconfig.json": JSON.stringify({
          compilerOptions: { ...OPTIONS, module, moduleResolution },
          include: ["app.ts"],
        }),
      });
      expect(await runIn(folder, process.execPath, [tscOf(compiler), "-p", "."])).toEqual({
        code: 0,
        output: "",
      });
    },
  );
});

describe("bundlers", () => {
  it("makes a module for browsers with esbuild", async () => {
    const folder = packed.project({ "app.js": `${TOKEN_CHECK}\nconsole.log(await report());` });
    await esbuild({
      absWorkingDir: folder,
      entryPoints: ["app.js"],
      outfile: "out.js",
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2023",
      external: ["node:http"],
      logLevel: "silent",
    });
    expect(await runIn(folder, process.execPath, ["out.js"])).toEqual({
      code: 0,
      output: "401 401 200 aurora\n",
    });
  });

  it("takes only the contract that is imported", async () => {
    const folder = packed.project({
      "app.js": `import { soulViewAbi } from "${NAME}/contracts"; console.log(soulViewAbi.length);`,
    });
    const { outputFiles } = await esbuild({
      absWorkingDir: folder,
      entryPoints: ["app.js"],
      bundle: true,
      minify: true,
      format: "esm",
      write: false,
    });
    const code = outputFiles[0]?.text ?? "";
    expect(code).toContain("verifyField");
    expect(code).not.toContain("rootOf");
    expect(code.length).toBeLessThan(12_000);
  });

  it("makes a page with Vite", { timeout: 120_000 }, async () => {
    const folder = packed.project({
      "index.html": '<!doctype html><script type="module" src="./app.js"></script>',
      "app.js": `import { verifyDisclosureDocument } from "${NAME}/disclosure";
import { createClient } from "${NAME}/client";
globalThis.made = [typeof verifyDisclosureDocument, typeof createClient];`,
    });
    await vite({ root: folder, configFile: false, logLevel: "error", build: { target: "es2023" } });
    const [script] = globSync("dist/assets/index-*.js", { cwd: folder });
    const printed = await runIn(folder, process.execPath, [
      "--input-type=module",
      "--eval",
      `globalThis.document = { createElement: () => ({ relList: { supports: () => true } }), querySelectorAll: () => [] };
await import(${JSON.stringify(join(folder, script ?? ""))}); console.log(globalThis.made.join(" "));`,
    ]);
    expect(printed).toEqual({ code: 0, output: "function function\n" });
  });
});

describe("a runtime without Node's modules", () => {
  it("checks tokens", async () => {
    const folder = packed.project({
      "app.js": `${TOKEN_CHECK}\nglobalThis.finished = report();`,
    });
    const { outputFiles } = await esbuild({
      absWorkingDir: folder,
      entryPoints: ["app.js"],
      bundle: true,
      format: "iife",
      platform: "browser",
      target: "es2023",
      // Only startTestIssuer would ask for it.
      external: ["node:http"],
      write: false,
      logLevel: "silent",
    });
    const runtime = new EdgeVM();
    runtime.evaluate(outputFiles[0]?.text ?? "");
    expect(await runtime.evaluate("globalThis.finished")).toBe("401 401 200 aurora");
    expect(runtime.evaluate("typeof process + typeof require")).toBe("undefinedundefined");
  });
});

describe("Solidity", () => {
  const GATE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ISoulRegistry} from "${NAME}/contracts/interfaces/ISoulRegistry.sol";
import {IAllowanceVault} from "${NAME}/contracts/interfaces/IAllowanceVault.sol";
import {IChronicleAnchor} from "${NAME}/contracts/interfaces/IChronicleAnchor.sol";
import {FieldProofs} from "${NAME}/contracts/libraries/FieldProofs.sol";
import {ISoulView} from "${NAME}/contracts/interfaces/ISoulView.sol";
import {MockSoulView} from "${NAME}/contracts/mocks/MockSoulView.sol";
import {MockSoulRegistry} from "${NAME}/contracts/mocks/MockSoulRegistry.sol";
import {MockAllowanceVault} from "${NAME}/contracts/mocks/MockAllowanceVault.sol";

contract Gate {
    ISoulRegistry public immutable SOULS;

    constructor(ISoulRegistry souls) {
        SOULS = souls;
    }

    function enter(uint256 tokenId) external view returns (address operator) {
        (address owner, address actor, ) = SOULS.authorityOf(tokenId);
        require(owner != address(0), "no soul");
        return actor;
    }
}

contract GateTest {
    function test_admitsOnlyAValidSoul() external {
        MockSoulRegistry souls = new MockSoulRegistry();
        Gate gate = new Gate(ISoulRegistry(address(souls)));
        souls.seal(1, address(1), address(0));
        require(gate.enter(1) == address(1), "the owner acts");
        souls.suspend(1);
        try gate.enter(1) {
            revert("a suspended soul entered");
        } catch {}
        souls.seal(1, address(2), address(3));
        require(gate.enter(1) == address(3) && souls.liveEpochOf(1) == 2, "the next epoch");
        souls.burn(1);
        require(!souls.isValid(1) && souls.liveEpochOf(1) == 0 && souls.epochOf(1) == 2, "burned");

        souls.seal(2, address(4), address(0));
        souls.setPassport(2, 7);
        souls.setName(2, "heron");
        souls.setContent(2, ISoulRegistry.AgentType.CREATIVE, bytes32(uint256(8)), bytes32(uint256(9)));
        ISoulRegistry registry = ISoulRegistry(address(souls));
        require(registry.tokenOfPassport(7) == 2 && registry.tokenOfPassport(8) == 0, "the passport's soul");
        require(registry.sealerOf(2) == address(4) && registry.sealerOf(1) == address(0), "the sealer");
        ISoulRegistry.Soul memory soul = registry.soulOf(2);
        require(soul.sealer == address(4) && soul.operator == address(0) && soul.epoch == 1, "who");
        require(soul.passportId == 7 && soul.status == ISoulRegistry.Status.SEALED, "where");
        require(keccak256(bytes(soul.name)) == keccak256("heron"), "its name");
        require(soul.agentType == ISoulRegistry.AgentType.CREATIVE, "its type");
        require(uint256(soul.soulHash) == 8 && uint256(soul.soulMerkleRoot) == 9, "its content");

        MockSoulView view_ = new MockSoulView(registry);
        ISoulView reads = ISoulView(address(view_));
        view_.setField(2, 0, '"heron"');
        (bool proven, bool valid) = reads.verifyField(2, 0, '"heron"', new bytes32[](5));
        require(proven && valid, "its name is proven");
        (proven, ) = reads.verifyField(2, 0, '"crane"', new bytes32[](5));
        require(!proven, "another name is not");
        souls.suspend(2);
        (proven, valid) = reads.verifyField(2, 0, '"heron"', new bytes32[](5));
        require(proven && !valid, "a suspended soul says what it said");
        souls.seal(2, address(4), address(0));
        view_.setVerifier(2, address(5), true);
        (bool verified, address verifier, bool approved) = reads.humanVerifiedBy(2);
        require(!verified && verifier == address(0) && !approved, "no person yet");
        souls.setHumanVerified(2, true);
        (verified, verifier, approved) = reads.humanVerifiedBy(2);
        require(verified && verifier == address(5) && approved, "a person, by an approved adapter");

        MockAllowanceVault vault = new MockAllowanceVault();
        (bool allowed, IAllowanceVault.Reason reason, ) = vault.canSpend(1, 1);
        require(!allowed && reason == IAllowanceVault.Reason.ALLOWANCE_NOT_SET, "not set");
        vault.allow(1, 5);
        (allowed, , ) = IAllowanceVault(address(vault)).canSpend(1, 5);
        require(allowed, "within the allowance");
        (allowed, reason, ) = vault.canSpend(1, 6);
        require(!allowed && reason == IAllowanceVault.Reason.EXCEEDS_DAILY_LIMIT, "too much");
    }
}
`;
  const SOLJSON = join(ROOT, "node_modules/solc/soljson.js");

  it("compiles and runs with Hardhat 3, which finds the files in the package", {
    timeout: 300_000,
  }, async () => {
    const folder = packed.project(
      {
        "hardhat.config.js": `export default { solidity: { version: "0.8.37", path: ${JSON.stringify(SOLJSON)} } };`,
        "contracts/Gate.t.sol": GATE,
      },
      ["hardhat"],
    );
    const hardhat = join(ROOT, "node_modules/hardhat/dist/src/cli.js");
    const { code, output } = await runIn(folder, process.execPath, [hardhat, "test", "solidity"], {
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
      NO_COLOR: "1",
    });
    expect(output).toContain("test_admitsOnlyAValidSoul()");
    expect(output).toContain("1 passing");
    expect(code).toBe(0);
  });

  it("compiles and runs with Foundry, by one remapping", { timeout: 300_000 }, async () => {
    const folder = packed.project({
      "foundry.toml": `[profile.default]
src = "src"
test = "src"
libs = ["node_modules"]
auto_detect_remappings = false
remappings = ["${NAME}/=node_modules/${NAME}/"]
`,
      "src/Gate.t.sol": GATE,
      // The compiler of this repository runs in Node; forge asks a program.
      "solc.cjs": `#!${process.execPath}
if (process.argv.includes("--version")) {
  process.stdout.write("solc, the solidity compiler commandline interface\\nVersion: 0.8.37+commit.f401782d.Linux.g++\\n");
} else {
  const input = require("node:fs").readFileSync(0, "utf8");
  process.stdout.write(require(${JSON.stringify(join(ROOT, "node_modules/solc"))}).compile(input));
}
`,
    });
    const compiler = join(folder, "solc.cjs");
    chmodSync(compiler, 0o755);
    const forge = join(ROOT, "node_modules/.bin/forge");
    const { code, output } = await runIn(
      folder,
      forge,
      ["test", "--offline", "--use", compiler, "--color", "never"],
      { FOUNDRY_DISABLE_NIGHTLY_WARNING: "1" },
    );
    expect(output).toContain("[PASS] test_admitsOnlyAValidSoul()");
    expect(code).toBe(0);
  });
});

describe("the README's service", () => {
  it("has at most ten lines of code", () => {
    const lines = TEN_LINES.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  it("has no type error", { timeout: 180_000 }, async () => {
    const folder = packed.project({ "service.ts": TEN_LINES }, [
      "hono",
      "@hono/node-server",
      "@types/node",
    ]);
    const options = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2023"];
    const args = [
      tscOf("typescript-7"),
      ...options,
      "--module",
      "nodenext",
      "--types",
      "node",
      "service.ts",
    ];
    expect(await runIn(folder, process.execPath, args)).toEqual({ code: 0, output: "" });
  });

  it("admits an agent of tier 2 by name, and refuses every other caller", {
    timeout: 120_000,
  }, async () => {
    const issuer = await startTestIssuer();
    const folder = packed.project({ "service.js": TEN_LINES }, ["hono", "@hono/node-server"]);
    const port = await freePort();
    const node = findNode(22) ?? process.execPath;
    const service = spawn(node, ["service.js"], {
      cwd: folder,
      env: { ...process.env, PORT: String(port), SIGN_IN: issuer.url },
      stdio: ["ignore", "inherit", "inherit"],
    });
    try {
      const url = `http://127.0.0.1:${port}/members/hello`;
      await listening(url, service);
      const call = async (token?: string) => {
        const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
        const response = await fetch(url, { headers });
        return [response.status, await response.text()];
      };
      expect(await call()).toEqual([401, '{"error":"Unauthorized"}']);
      const invalid = [401, '{"error":"Invalid token"}'];
      expect(await call("wrong")).toEqual(invalid);
      const token = await issuer.token();
      expect(await call(token)).toEqual([200, "Hello aurora"]);
      expect(await call(await issuer.token({ audience: "https://shop.example" }))).toEqual(invalid);
      expect(await call(await issuer.token({ scopes: ["identity", "manage"] }))).toEqual(invalid);
      expect(await call(await issuer.token({ tier: 1 }))).toEqual([
        403,
        '{"error":"Tier too low","tier":1,"minTier":2}',
      ]);
      issuer.revoke(token);
      expect(await call(token)).toEqual(invalid);
      issuer.setAvailable(false);
      expect(await call(token)).toEqual([503, '{"error":"Sign-in unavailable"}']);
    } finally {
      service.kill();
      if (service.exitCode === null) await once(service, "exit");
      await issuer.close();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("The server has no port.");
}

async function listening(url: string, service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await delay(50);
  }
  throw new Error("The example does not run.");
}
