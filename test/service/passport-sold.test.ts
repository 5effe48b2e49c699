import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// A passport is sold, and the running service does the rest by itself.

const SOON = { timeout: 30_000, interval: 50 };
let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** The agent flow of sign-in, which answers an access token. */
async function signIn(owner: ReturnType<typeof newAccount>, agentId: bigint) {
  const challenge = await service.post("/api/v1/auth/agent/challenge", {
    address: owner.address,
    agentId: Number(agentId),
  });
  const { nonce, message } = challenge.body;
  const signature = await owner.signMessage({ message });
  const verified = await service.post("/api/v1/auth/agent/verify", { nonce, message, signature });
  expect(verified.status).toBe(200);
  return String(verified.body.accessToken);
}

const SUSPENDED_UNTIL_RESEAL =
  "The passport has left the owner who sealed this soul. It is suspended until the passport's owner reseals it.";

const introspect = async (token: string) =>
  (await service.post("/api/v1/auth/token/introspect", { token })).body;

describe("a passport that is sold", () => {
  it("is flagged, ends its sessions, and is recorded on chain by the service's job", async () => {
    const { chain } = service;
    const [seller, buyer] = [newAccount(), newAccount()];
    await chain.fund(seller.address);
    const name = freshName();
    const { tokenId, passportId } = await chain.registerSoul(seller, name);
    const token = await vi.waitFor(() => signIn(seller, passportId), SOON);
    await vi.waitFor(async () => {
      const { body } = await service.get(`/v1/profile/${name}`);
      expect(body.soulValidity).toMatchObject({ status: "valid", passportOwnerMatch: true });
    }, SOON);
    expect(await introspect(token)).toMatchObject({ active: true });

    const sold = await chain.transferPassport(passportId, seller, buyer.address);
    const profile = await service.get(`/v1/profile/${name}?minBlock=${sold}`);
    expect(profile.body.soulValidity).toMatchObject({
      status: "suspended",
      passportOwnerMatch: false,
    });
    expect(profile.body.owner).toBe(buyer.address);
    const validity = await service.get(`/v1/soul-validity/${tokenId}?minBlock=${sold}`);
    expect(validity.body).toEqual({
      tokenId: Number(tokenId),
      erc8004AgentId: Number(passportId),
      valid: false,
      sealedBy: seller.address,
      currentPassportOwner: buyer.address,
      sealTimestamp: expect.any(String),
      message: SUSPENDED_UNTIL_RESEAL,
    });
    expect(await introspect(token)).toEqual({ active: false });

    const { soulRegistry } = chain.contracts;
    const isValid = await chain.client.readContract({
      address: soulRegistry,
      abi: soulRegistryAbi,
      functionName: "isValid",
      args: [tokenId],
    });
    expect(isValid).toBe(false);
    const [event] = await vi.waitFor(async () => {
      const found = await chain.client.getContractEvents({
        address: soulRegistry,
        abi: soulRegistryAbi,
        eventName: "SoulVerificationSuspended",
        args: { tokenId },
        fromBlock: sold,
      });
      expect(found).toHaveLength(1);
      return found;
    }, SOON);
    expect(event?.args).toEqual({
      tokenId,
      passportId,
      observedOwner: buyer.address,
      sealer: seller.address,
    });
    const transaction = await chain.client.getTransaction({
      hash: event?.transactionHash ?? "0x",
    });
    expect(transaction.from).toBe(stackAccounts().relayer.address.toLowerCase());
    await vi.waitFor(async () => {
      const { rows } = await service.pool.query(
        "select token_id, owner, record_tx from app.passport_suspension where token_id = $1",
        [tokenId.toString()],
      );
      expect(rows).toEqual([
        {
          token_id: tokenId.toString(),
          owner: buyer.address,
          record_tx: event?.transactionHash,
        },
      ]);
    }, SOON);
  });

  it("and sent back leaves the soul suspended, once the service's job recorded the sale", async () => {
    const { chain } = service;
    const [seller, buyer] = [newAccount(), newAccount()];
    const name = freshName();
    const { answer } = await service.register(name, seller);
    const { tokenId, erc8004AgentId, apiKey } = answer.body;
    const passportId = BigInt(erc8004AgentId);
    await Promise.all([seller, buyer].map(({ address }) => chain.fund(address)));
    const edit = { tokenId, services: [] };
    expect((await service.post("/v1/typed-data/registration-file", edit)).body.error.type).toBe(
      "APPROVAL_REQUIRED",
    );
    const verifyKey = async () =>
      (await service.post("/api/v1/auth/verify-key", { apiKey })).body as object;
    expect(await verifyKey()).toMatchObject({ valid: true, tokenId });

    await chain.transferPassport(passportId, seller, buyer.address);
    await vi.waitFor(async () => {
      const isSuspended = await chain.client.readContract({
        address: chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "isSuspended",
        args: [BigInt(tokenId)],
      });
      expect(isSuspended).toBe(true);
    }, SOON);
    const back = await chain.transferPassport(passportId, buyer, seller.address);

    const { body: validity } = await service.get(`/v1/soul-validity/${tokenId}?minBlock=${back}`);
    expect(validity).toMatchObject({
      valid: false,
      sealedBy: seller.address,
      currentPassportOwner: seller.address,
      message: SUSPENDED_UNTIL_RESEAL,
    });
    const { body: profile } = await service.get(`/v1/profile/${name}`);
    expect(profile.soulValidity).toMatchObject({ status: "suspended", passportOwnerMatch: true });
    const { body: verified } = await service.get(`/v1/verify/${name}`);
    expect([verified.overallStatus, verified.checks.soulValidity]).toEqual([
      "failed",
      { status: "suspended", reason: SUSPENDED_UNTIL_RESEAL },
    ]);
    const { body: listed } = await service.get(`/v1/agents?q=${name}&validity=suspended`);
    expect(listed.agents.map((agent: { agentName: string }) => agent.agentName)).toEqual([name]);
    expect((await service.get(`/v1/agents?q=${name}&validity=valid`)).body.agents).toEqual([]);

    // Read live: sign-in, the key, and the data for the owner's signature.
    const { body: claims } = await service.post("/api/v1/auth/token/introspect", {
      token: await signIn(seller, passportId),
    });
    expect(claims).toMatchObject({ active: true, tier: 1 });
    expect(await verifyKey()).toEqual({ valid: false });
    expect((await service.post("/v1/typed-data/registration-file", edit)).body.error).toMatchObject(
      { type: "SUSPENDED" },
    );
    const recorded = await service.post(
      "/v1/chronicle",
      { tokenId, category: "achievement", data: { title: "Back" } },
      { authorization: `Bearer ${apiKey}` },
    );
    expect([recorded.status, recorded.body.error.type]).toEqual([409, "SUSPENDED"]);
    const page = await service.request(`/agents/${name}`);
    expect(page.body).toContain("A passport that came back does not end this.");
  });
});

describe("GET /metrics", () => {
  it("reports the service's state to an operator on this machine", async () => {
    const { status, headers, body } = await service.request("/metrics");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    for (const line of [
      /^svc_http_request_seconds_count\{method="GET",route="\/v1\/profile\/:name",status="200"\} [1-9]/m,
      /^svc_chain_call_seconds_count\{method="eth_call",outcome="answered"\} [1-9]/m,
      /^svc_queue_jobs\{queue="dead-letters",state="waiting"\} 0$/m,
      /^svc_indexer_lag_blocks [0-9]+$/m,
      /^svc_relayer_balance_ether\{account="0x[0-9a-fA-F]{40}"\} [0-9.]+$/m,
      /^svc_database_connections\{state="waiting"\} [0-9]+$/m,
    ]) {
      expect(body).toMatch(line);
    }
    expect(body).not.toContain("svc_metric_failures_total{");

    const worker = await (await fetch(`${service.workerUrl}/metrics`)).text();
    expect(worker).toMatch(/^svc_jobs_total\{queue="passports.watch",outcome="done"\} [1-9]/m);
  });
});
