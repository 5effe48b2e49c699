import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deploymentOn, deployments } from "../../kit/contracts/index.ts";
import {
  EXAMPLE_AGENT,
  EXAMPLE_SOUL,
  EXAMPLE_WEBHOOK_SECRET,
  type RunningTestIssuer,
  signedDelivery,
  startTestIssuer,
} from "../../kit/testing/index.ts";
import { introspection, localVerification } from "../../kit/tokens/index.ts";
import { verifyWebhook } from "../../kit/webhooks/index.ts";
import { parseSource } from "../../protocol/index.ts";

describe("a test issuer", () => {
  let issuer: RunningTestIssuer;
  beforeAll(async () => {
    issuer = await startTestIssuer({ clock: () => now });
  });
  afterAll(() => issuer.close());
  let now = new Date();

  it("issues tokens that introspection and local verification accept", async () => {
    const token = await issuer.token({ agentName: "heron", agentId: 0 });
    const { issuer: name, secrets, url } = issuer;
    const online = await introspection({ service: url })(token);
    expect(online).toMatchObject({
      agentName: "heron",
      erc8004AgentId: 0,
      tier: 2,
      audience: name,
    });
    const offline = localVerification({ issuer: name, secrets, chainId: 31_337 });
    expect(await offline(token)).toEqual(online);
    expect(EXAMPLE_AGENT.agentName).toBe("aurora");
  });

  it("no longer accepts a token that was revoked or expired", async () => {
    const check = introspection({ service: issuer.url });
    const [first, second] = [await issuer.token(), await issuer.token()];
    issuer.revoke(first);
    expect(await check(first)).toBeNull();
    expect((await check(second))?.agentName).toBe("aurora");
    now = new Date(now.getTime() + 3_601_000);
    expect(await check(second)).toBeNull();
  });

  it("can be made to fail, as a service that is down", async () => {
    const check = introspection({ service: issuer.url });
    const token = await issuer.token();
    issuer.setAvailable(false);
    await expect(check(token)).rejects.toThrow("The sign-in service does not answer.");
    issuer.setAvailable(true);
    expect((await check(token))?.agentName).toBe("aurora");
  });

  it("answers other requests as errors", async () => {
    const path = `${issuer.url}/api/v1/auth/token/introspect`;
    expect((await fetch(path)).status).toBe(404);
    expect((await fetch(path, { method: "POST", body: "{}" })).status).toBe(400);
  });
});

describe("a test delivery", () => {
  const NOW = new Date("2026-03-01T12:00:00.000Z");

  it("is one that the verifier accepts", async () => {
    const { headers, body } = signedDelivery({
      event: "chronicle.recorded",
      data: { a: 1 },
      deliveryId: "one",
      now: NOW,
    });
    const received = { headers, rawBody: body, now: NOW, seenNonce: () => false };
    expect(await verifyWebhook({ ...received, secrets: EXAMPLE_WEBHOOK_SECRET })).toEqual({
      ok: true,
      delivery: {
        event: "chronicle.recorded",
        timestamp: "2026-03-01T12:00:00.000Z",
        deliveryId: "one",
        data: { a: 1 },
      },
    });
    const other = await verifyWebhook({ ...received, secrets: "whsec_b3RoZXI=" });
    expect(other).toEqual({ ok: false, status: 401, reason: "signature_mismatch" });
  });
});

describe("the example soul", () => {
  it("is a soul that can be registered", () => {
    expect(parseSource("soul_md", EXAMPLE_SOUL).identity).toMatchObject({ name: "aurora" });
  });
});

describe("deploymentOn", () => {
  it("gives a known deployment, and an error for an unknown chain", () => {
    for (const [chainId, deployment] of Object.entries(deployments)) {
      expect(deploymentOn(Number(chainId))).toBe(deployment);
    }
    expect(() => deploymentOn(31_337)).toThrow(
      "This version of the package knows no deployment on chain 31337. Take the addresses from a deployments/<network>.json that you trust.",
    );
    expect(() => deploymentOn("constructor" as unknown as number)).toThrow("knows no deployment");
  });
});
