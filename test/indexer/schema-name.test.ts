import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getAddress, padHex, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentFileError, readIndexedDeployment } from "../../indexer/deployment.ts";
import { indexerCommand, indexerSchemaName } from "../../scripts/lib/indexer-command.ts";

/** Each contract has its own address, so that no address can be mistaken for another. */
const CONTRACTS = Object.fromEntries(
  [
    ...["agentKeys", "alignmentRegistry", "allowanceVault", "bindingRegistry", "chronicleAnchor"],
    ...["humanVerifierRegistry", "identityRegistry", "organizationRegistry", "passportMint"],
    ...[
      "passportWriter",
      "reputationRegistry",
      "soulCertificate",
      "soulRegistry",
      "validationRegistry",
    ],
  ].map((name, index) => [name, getAddress(padHex(toHex(index + 1), { size: 20 }))]),
);
const DEPLOYMENT = { chainId: 31_337, contracts: CONTRACTS, startBlock: 7 };

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-deployment-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function written(content: unknown): Promise<string> {
  const path = join(directory, "deployment.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("indexerSchemaName", () => {
  it("is the same for the same sources and deployment, and another for another deployment", async () => {
    const path = await written(DEPLOYMENT);
    const name = indexerSchemaName(path);
    expect(name).toMatch(/^indexer_[0-9a-f]{12}$/);
    expect(indexerSchemaName(path)).toBe(name);
    expect(indexerSchemaName()).not.toBe(name);
    expect(indexerSchemaName(await written({ ...DEPLOYMENT, startBlock: 8 }))).not.toBe(name);
  });
});

describe("indexerCommand", () => {
  it("binds loopback, sends no telemetry and names schema and chain", async () => {
    const path = await written(DEPLOYMENT);
    const { command, args, env } = indexerCommand({
      databaseUrl: "postgres://127.0.0.1/x",
      rpcUrl: "http://127.0.0.1:1",
      port: 4242,
      deploymentPath: path,
    });
    expect(command).toBe(process.execPath);
    expect(args.slice(-8)).toEqual([
      ...["--schema", indexerSchemaName(path)],
      ...["--hostname", "127.0.0.1", "--port", "4242", "--log-format", "json"],
    ]);
    expect(env).toEqual({
      DATABASE_URL: "postgres://127.0.0.1/x",
      DATABASE_PRIVATE_URL: "",
      RPC_URL: "http://127.0.0.1:1",
      RPC_WS_URL: "",
      SVC_DEPLOYMENT: path,
      PORT: "4242",
      PONDER_TELEMETRY_DISABLED: "1",
    });
  });
});

describe("readIndexedDeployment", () => {
  it("reads addresses and start blocks", async () => {
    const path = await written({ ...DEPLOYMENT, identityRegistryStartBlock: 3 });
    expect(readIndexedDeployment(path)).toEqual({
      chainId: 31_337,
      contracts: CONTRACTS,
      startBlock: 7,
      identityRegistryStartBlock: 3,
    });
    expect(readIndexedDeployment(await written(DEPLOYMENT)).identityRegistryStartBlock).toBe(7);
  });

  it("accepts null for the validation registry alone", async () => {
    const without = (name: string) => ({
      ...DEPLOYMENT,
      contracts: { ...CONTRACTS, [name]: null },
    });
    const path = await written(without("validationRegistry"));
    expect(readIndexedDeployment(path).contracts).toEqual(without("validationRegistry").contracts);
    for (const name of Object.keys(CONTRACTS).filter((one) => one !== "validationRegistry")) {
      const refused = await written(without(name));
      expect(() => readIndexedDeployment(refused)).toThrow(
        new DeploymentFileError(`contracts.${name} in ${refused} is not an address.`),
      );
    }
  });

  it.each([
    ["no JSON", "{", /is not JSON/],
    ["no start block", { ...DEPLOYMENT, startBlock: undefined }, /^startBlock in .* integer/],
    ["a negative start block", { ...DEPLOYMENT, startBlock: -1 }, /^startBlock in .* integer/],
    ["no contracts", { ...DEPLOYMENT, contracts: null }, /^contracts\.\w+ in .* address/],
    [
      "a validation registry left out",
      { ...DEPLOYMENT, contracts: { ...CONTRACTS, validationRegistry: undefined } },
      /^contracts\.validationRegistry in .* address/,
    ],
  ])("refuses %s", async (_what, content, message) => {
    const path = await written(content);
    expect(() => readIndexedDeployment(path)).toThrow(DeploymentFileError);
    expect(() => readIndexedDeployment(path)).toThrow(message);
  });

  it("refuses a missing file", () => {
    expect(() => readIndexedDeployment(join(directory, "none.json"))).toThrow(/cannot be read/);
  });
});
