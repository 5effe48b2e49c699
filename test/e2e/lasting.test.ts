import { setTimeout as delay } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  LASTING_STACK_VARIABLE,
  type LastingStackPlace,
} from "../../scripts/local-stack/lasting-stack.ts";
import { apiClient, freshName } from "../fixtures/registrations.ts";
import { connectSignInChain } from "../fixtures/sign-in-chain-client.ts";

// A stack that a whole run of the tests starts at its beginning. It is used here only once it is
// older than the five minutes after which nodes, pools and subscriptions drop state. A run of
// chosen files has no such stack and skips this file.

const OLD_MS = 6 * 60_000;

const variable = process.env[LASTING_STACK_VARIABLE];

describe.skipIf(variable === undefined)("a stack that has been up for six minutes", () => {
  let api: ReturnType<typeof apiClient>;
  let chain: Awaited<ReturnType<typeof connectSignInChain>>;

  beforeAll(async () => {
    const place = JSON.parse(variable ?? "") as LastingStackPlace;
    if ("error" in place) throw new Error(`The stack was not started: ${place.error}`);
    api = apiClient(place.apiUrl);
    chain = await connectSignInChain(place.rpcUrl, place.deploymentPath);
    const age = Date.now() - place.readyAt;
    if (age < OLD_MS) await delay(OLD_MS - age);
  }, OLD_MS + 60_000);

  const newAccount = () => privateKeyToAccount(generatePrivateKey());

  it("shows a registration in its profile within a second of its block", async () => {
    const name = freshName();
    const owner = newAccount();
    const { answer } = await api.register(name, owner);
    const { blockNumber } = await chain.client.getTransactionReceipt({
      hash: answer.body.mintTxHash,
    });
    // This service waits for the index for one second and then answers with the indexed block.
    expect(BigInt(answer.headers.get("x-svc-block") ?? "")).toBeGreaterThanOrEqual(blockNumber);
    expect(await api.get(`/v1/profile/${name}`)).toMatchObject({
      status: 200,
      body: {
        tokenId: answer.body.tokenId,
        owner: owner.address,
        genesisStatus: "SEALED",
        soulValidity: { status: "valid" },
      },
    });
  });

  it("suspends the soul and ends the session of a seller whose passport was sold", async () => {
    const [seller, buyer] = [newAccount(), newAccount()];
    await chain.fund(seller.address);
    const name = freshName();
    const { answer } = await api.register(name, seller);
    const { tokenId, erc8004AgentId } = answer.body;
    const challenge = await api.post("/api/v1/auth/agent/challenge", {
      address: seller.address,
      agentId: erc8004AgentId,
    });
    const { nonce, message } = challenge.body;
    const signature = await seller.signMessage({ message });
    const session = await api.post("/api/v1/auth/agent/verify", { nonce, message, signature });
    const token = session.body.accessToken;
    const introspect = async () =>
      (await api.post("/api/v1/auth/token/introspect", { token })).body;
    expect(await introspect()).toMatchObject({ active: true });

    const sold = await chain.transferPassport(BigInt(erc8004AgentId), seller, buyer.address);
    const validity = await api.get(`/v1/soul-validity/${tokenId}?minBlock=${sold}`);
    expect(validity).toMatchObject({
      status: 200,
      body: { valid: false, sealedBy: seller.address, currentPassportOwner: buyer.address },
    });
    expect(await introspect()).toEqual({ active: false });
  });

  it("is ready and not behind", async () => {
    expect((await api.get("/ready")).status).toBe(200);
    const { body } = await api.get("/v1/status");
    expect(body.lagBlocks).toBeLessThanOrEqual(1);
  });
});
