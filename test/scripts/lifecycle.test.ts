import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { deployLocally } from "../../scripts/deploy/deploy.ts";
import type { Deployment } from "../../scripts/deploy/deployment.ts";
import { artifactOf } from "../../scripts/lib/artifacts.ts";
import { type Chain, connect } from "../../scripts/lifecycle/chain.ts";
import { live } from "../../scripts/lifecycle/life.ts";
import { grantRegistrarRole, localKeys } from "../../scripts/lifecycle/local-keys.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { nodeRuntime } from "../../scripts/local-stack/node-runtime.ts";
import { PROXIED_PROTOCOL } from "../fixtures/proxied-registries.ts";

type Runtime = Awaited<ReturnType<typeof nodeRuntime>>;
type Server = Awaited<ReturnType<Runtime["network"]["createServer"]>>;

let directory: string;
let server: Server;
let rpcUrl: string;
let deployment: Deployment;

/** The chain as the command connects to it. */
async function connected(to: Deployment): Promise<Chain> {
  const chain = await connect(rpcUrl, to, localKeys());
  await grantRegistrarRole(chain);
  return chain;
}

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  directory = await mkdtemp(join(tmpdir(), "svc-lifecycle-"));
  const { network } = await nodeRuntime();
  server = await network.createServer(undefined, "127.0.0.1", 0);
  const { port } = await server.listen();
  rpcUrl = `http://127.0.0.1:${port}`;
  deployment = await deployLocally(rpcUrl, directory);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await server?.close();
  await rm(directory, { recursive: true, force: true });
});

describe("npm run lifecycle", () => {
  it("runs every step, and again with other names on the same deployment", async () => {
    for (const agents of [2, 1]) {
      const chain = await connected(deployment);
      const before = await chain.souls.read.nextTokenId();
      await live(chain, agents);
      // The first agent, the bound one, the successor, the burned one, and those of the batch.
      expect((await chain.souls.read.nextTokenId()) - before).toBe(BigInt(4 + agents));
    }
  });

  it("lives through every step over an identity registry behind a proxy", async () => {
    const proxied = await deployLocally(
      rpcUrl,
      join(directory, "proxied"),
      PROXIED_PROTOCOL,
      // Of another deployer: the first one's addresses are taken.
      stackAccounts().users[0]?.address,
    );
    const { identityRegistry } = proxied.contracts;
    expect(identityRegistry).not.toBe(deployment.contracts.identityRegistry);
    const chain = await connected(proxied);
    const code = await chain.client.getCode({ address: identityRegistry });
    expect(code).toBe(artifactOf("IdentityRegistryProxy").deployedBytecode);
    await live(chain, 2);
    expect(await chain.souls.read.nextTokenId()).toBe(1n + 4n + 2n);
    expect(await chain.souls.read.IDENTITY_REGISTRY()).toBe(identityRegistry);
  });

  it("sends nothing as the relayer or the storage account of a running service", async () => {
    const { relayer, storage } = stackAccounts();
    const chain = await connected(deployment);
    const sent = () =>
      Promise.all(
        [relayer, storage].map(({ address }) => chain.client.getTransactionCount({ address })),
      );
    const before = await sent();
    await live(chain, 1);
    expect(await sent()).toEqual(before);
  });

  it("fails at the step that the contracts refuse", async () => {
    const { owner, ...others } = localKeys();
    const chain = await connect(rpcUrl, deployment, { ...others, owner, registrar: owner });
    await expect(live(chain, 1)).rejects.toThrow("NotRegistrar");
  });

  it("refuses a deployment of another chain", async () => {
    await expect(connect(rpcUrl, { ...deployment, chainId: 8453 }, localKeys())).rejects.toThrow(
      `${rpcUrl} is chain 31337; the deployment is of 8453.`,
    );
  });

  it("fails when a read differs from the expected value", async () => {
    const chain = await connected(deployment);
    expect(() => chain.expect("valid", false, true)).toThrow("valid: expected true, found false.");
    await expect(chain.refused("a read", "NotThere", () => Promise.resolve())).rejects.toThrow(
      "a read: it was accepted.",
    );
  });
});
