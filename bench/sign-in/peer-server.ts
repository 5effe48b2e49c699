import type { PublicClient } from "viem";
import { createPublicClient, http } from "viem";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import { serveForParent } from "../lib/serve.ts";
import { readPeerSettings } from "./settings.ts";

// The reference SIWA server, built as its package shows: its own nonces in memory, verification and
// signed receipt. world.ts starts it as a separate process.

/**
 * The used parts of @buildersgarden/siwa. Its types are not imported: the product compiles without
 * bench/ installed.
 */
interface Siwa {
  createSIWANonce(
    agent: { address: string; agentId: number; agentRegistry: string },
    client: PublicClient,
    options: { nonceStore: NonceStore },
  ): Promise<{ status: string; nonce?: string; issuedAt?: string; expirationTime?: string }>;
  buildSIWAMessage(fields: object): string;
  verifySIWA(
    message: string,
    signature: string,
    domain: string,
    nonce: { nonceStore: NonceStore },
    client: PublicClient,
  ): Promise<{
    valid: boolean;
    address: `0x${string}`;
    agentId: number;
    agentRegistry: string;
    chainId: number;
    verified: string;
    error?: string;
  }>;
}
interface NonceStore {
  issue(nonce: string, ttlMs: number): Promise<boolean>;
  consume(nonce: string): Promise<boolean>;
}
interface Stores {
  createMemorySIWANonceStore(): NonceStore;
}
interface Receipts {
  createReceipt(
    payload: object,
    options: { secret: string },
  ): { receipt: string; expiresAt: string };
}

const load = async <Exports>(part: string): Promise<Exports> =>
  (await import(`@buildersgarden/siwa/${part}`)) as Exports;
const { createSIWANonce, buildSIWAMessage, verifySIWA } = await load<Siwa>("siwa");
const { createMemorySIWANonceStore } = await load<Stores>("nonce-store");
const { createReceipt } = await load<Receipts>("receipt");

const { rpcUrl, domain, chainId, soulView, secret } = readPeerSettings();
const client = createPublicClient({ transport: http(rpcUrl) });
const nonceStore = createMemorySIWANonceStore();

await serveForParent((app) => {
  // Returns the message beside the nonce. Building it is the client's work, and this client lacks
  // their package.
  app.post("/challenge", async (c) => {
    const agent = await c.req.json();
    const issued = await createSIWANonce(agent, client, { nonceStore });
    const message = buildSIWAMessage({
      domain,
      chainId,
      ...agent,
      ...issued,
      statement: `Sign in to ${domain} with this agent.`,
      uri: `http://${domain}`,
    });
    return c.json({ message });
  });

  app.post("/verify", async (c) => {
    const { message, signature } = await c.req.json();
    const result = await verifySIWA(message, signature, domain, { nonceStore }, client);
    if (!result.valid) return c.json(result, 401);
    return c.json({ ...result, ...createReceipt(result, { secret }) });
  });

  // The package knows no souls: a service that needs soul validity reads the chain itself.
  app.post("/verify-soul", async (c) => {
    const { message, signature } = await c.req.json();
    const result = await verifySIWA(message, signature, domain, { nonceStore }, client);
    if (!result.valid) return c.json(result, 401);
    const { passports } = await client.readContract({
      address: soulView,
      abi: soulViewAbi,
      functionName: "passportStates",
      args: [result.address, [BigInt(result.agentId)]],
    });
    const valid = passports[0]?.validity === 2;
    return c.json({ ...result, tier: valid ? 2 : 1, ...createReceipt(result, { secret }) });
  });
});
