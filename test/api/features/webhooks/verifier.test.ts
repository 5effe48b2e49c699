import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { ReceivedWebhook } from "../../../../kit/webhooks/index.ts";
import { verifyWebhook, WEBHOOK_TOLERANCE_SECONDS } from "../../../../kit/webhooks/index.ts";
import { webhookSignature } from "../../../../protocol/webhook-signature.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const OTHER = "whsec_OTEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const DELIVERY = "3f0f2b6e-6b0c-4c2e-9b0a-0d4f5a3c2b1d";
const NOW = new Date("2026-03-01T12:00:00.000Z");
const SECONDS = NOW.getTime() / 1000;
const NONCE = "5a7c9e2b-1f3d-4e6a-8b0c-2d4f6a8c0e1b";
const BODY = JSON.stringify({
  event: "binding.created",
  timestamp: "2026-03-01T11:59:58.000Z",
  deliveryId: DELIVERY,
  data: { bindingId: "12", fromAgent: "boréalis", trustLevel: "verified" },
});

/** The signature computed with Node alone, independent of the project's code. */
const reference = (secret: string, timestamp: string, nonce: string, body: string) =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.${nonce}.${body}`, "utf8").digest("hex")}`;

function signed(
  changes: { timestamp?: string; nonce?: string; body?: string; secret?: string } = {},
) {
  const { timestamp = String(SECONDS), nonce = NONCE, body = BODY, secret = SECRET } = changes;
  return {
    "x-svc-timestamp": timestamp,
    "x-svc-nonce": nonce,
    "x-svc-delivery": DELIVERY,
    "x-svc-signature": reference(secret, timestamp, nonce, body),
  };
}

const verify = (changes: Partial<ReceivedWebhook> = {}) =>
  verifyWebhook({
    secrets: SECRET,
    headers: signed(),
    rawBody: BODY,
    now: NOW,
    seenNonce: () => false,
    ...changes,
  });

const refused = (reason: string) => ({ ok: false, status: 401, reason });

describe("a delivery", () => {
  const accepted = {
    ok: true,
    delivery: {
      deliveryId: DELIVERY,
      event: "binding.created",
      timestamp: "2026-03-01T11:59:58.000Z",
      data: { bindingId: "12", fromAgent: "boréalis", trustLevel: "verified" },
    },
  };

  it("is accepted with headers and body in every form that servers use", async () => {
    const capital = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const headers of [signed(), capital, new Headers(signed())]) {
      for (const rawBody of [BODY, Buffer.from(BODY)]) {
        expect(await verify({ headers, rawBody })).toEqual(accepted);
      }
    }
  });

  it("has a signature that any HMAC library gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (body, nonce) => {
        const rawBody = Buffer.from(body, "utf8");
        const input = { secret: SECRET, timestamp: "1", nonce, rawBody };
        expect(webhookSignature(input)).toBe(reference(SECRET, "1", nonce, body));
      }),
    );
    expect(signed()["x-svc-signature"]).toBe(
      "sha256=fc16b7c6bc2ff7dd43db008ca3a42fb071739cd83698802b53e7b4e30135ece0",
    );
  });

  it.each([-WEBHOOK_TOLERANCE_SECONDS, 0, WEBHOOK_TOLERANCE_SECONDS])(
    "signed %i s from now is accepted",
    async (seconds) => {
      const headers = signed({ timestamp: String(SECONDS + seconds) });
      expect(await verify({ headers })).toEqual(accepted);
    },
  );

  it.each([-WEBHOOK_TOLERANCE_SECONDS - 1, WEBHOOK_TOLERANCE_SECONDS + 1, -SECONDS])(
    "signed %i s from now is refused",
    async (seconds) => {
      const headers = signed({ timestamp: String(SECONDS + seconds) });
      expect(await verify({ headers })).toEqual(refused("timestamp_outside_tolerance"));
    },
  );

  it.each(["", "x", "1e3", "-1", "1.5", " 1", "NaN", "Infinity", "1".repeat(13)])(
    "with the timestamp %j is refused",
    async (timestamp) => {
      expect(await verify({ headers: signed({ timestamp }) })).toEqual(
        refused("malformed_headers"),
      );
    },
  );

  it.each(["x-svc-timestamp", "x-svc-nonce", "x-svc-delivery", "x-svc-signature"])(
    "without %s, or with two of it, is refused",
    async (name) => {
      const { [name]: value, ...headers } = signed() as Record<string, string>;
      expect(await verify({ headers })).toEqual(refused("malformed_headers"));
      const twice = { ...headers, [name]: [value ?? "", value ?? ""] };
      expect(await verify({ headers: twice })).toEqual(refused("malformed_headers"));
    },
  );

  it.each(["short", "with space in the nonce", "x".repeat(129)])(
    "with the nonce %j is refused",
    async (nonce) => {
      expect(await verify({ headers: signed({ nonce }) })).toEqual(refused("malformed_headers"));
    },
  );

  it("is refused with any part changed after signing", async () => {
    const headers = signed();
    const changed: Partial<ReceivedWebhook>[] = [
      { rawBody: BODY.replace("12", "13") },
      { rawBody: `${BODY} ` },
      { headers: { ...headers, "x-svc-timestamp": String(SECONDS + 1) } },
      { headers: { ...headers, "x-svc-nonce": randomUUID() } },
      { headers: { ...headers, "x-svc-signature": headers["x-svc-signature"].toUpperCase() } },
      { headers: { ...headers, "x-svc-signature": headers["x-svc-signature"].slice(0, -1) } },
      { headers: { ...headers, "x-svc-signature": `${headers["x-svc-signature"]}0` } },
      { headers: { ...headers, "x-svc-signature": headers["x-svc-signature"].slice(7) } },
      { headers: { ...headers, "x-svc-signature": "" } },
      { secrets: OTHER },
      { secrets: SECRET.slice(6) },
    ];
    for (const change of changed)
      expect(await verify(change)).toEqual(refused("signature_mismatch"));
  });

  it("may be signed with any of the secrets, in either header", async () => {
    const old = signed({ secret: OTHER });
    const both = { ...signed(), "x-svc-signature-previous": old["x-svc-signature"] };
    expect(await verify({ headers: both, secrets: OTHER })).toEqual(accepted);
    expect(await verify({ headers: both, secrets: SECRET })).toEqual(accepted);
    expect(await verify({ headers: old, secrets: [SECRET, OTHER] })).toEqual(accepted);
    expect(await verify({ headers: both, secrets: "whsec_third" })).toEqual(
      refused("signature_mismatch"),
    );
  });

  it("is accepted once, and its nonce is remembered as long as it is valid", async () => {
    const remembered: [string, string][] = [];
    const seenNonce = async (nonce: string, until: Date) => {
      const known = remembered.some(([other]) => other === nonce);
      remembered.push([nonce, until.toISOString()]);
      return known;
    };
    expect(await verify({ seenNonce })).toEqual(accepted);
    expect(await verify({ seenNonce })).toEqual(refused("nonce_seen"));
    expect(remembered).toEqual([
      [NONCE, "2026-03-01T12:05:00.000Z"],
      [NONCE, "2026-03-01T12:05:00.000Z"],
    ]);
  });

  it("that is not authentic does not use its nonce", async () => {
    const seenNonce = () => {
      throw new Error("not allowed");
    };
    expect(await verify({ seenNonce, secrets: OTHER })).toEqual(refused("signature_mismatch"));
  });

  it.each([
    "",
    "null",
    "[]",
    "{}",
    BODY.replace(DELIVERY, randomUUID()),
    BODY.replace('"data":{', '"more":{'),
  ])("with the signed body %j is refused", async (rawBody) => {
    expect(await verify({ rawBody, headers: signed({ body: rawBody }) })).toEqual(
      refused("malformed_body"),
    );
  });

  it("is never checked without a secret or a time", async () => {
    for (const secrets of ["", [], [SECRET, ""]]) {
      await expect(verify({ secrets })).rejects.toThrow(
        new TypeError("verifyWebhook needs at least one secret."),
      );
    }
    await expect(verify({ now: new Date("?") })).rejects.toThrow(
      new TypeError("verifyWebhook needs a valid time."),
    );
  });
});

describe("the receiver in docs/webhooks.md", () => {
  const [, source = ""] =
    /```ts receiver\n([\s\S]*?)```/.exec(readFileSync("docs/webhooks.md", "utf8")) ?? [];

  it("is ten lines that answer 204 once and 401 to everything else", async () => {
    expect(source.trim().split("\n").length).toBeLessThanOrEqual(10);
    const acted: unknown[] = [];
    const seen = new Set<string>();
    const body = source.replace(/^import .*\n/gm, "");
    const build = new Function(
      "Hono",
      "verifyWebhook",
      "secrets",
      "seen",
      "act",
      `${body}; return app;`,
    );
    const real = new Date();
    const app = build(
      Hono,
      (received: ReceivedWebhook) => verifyWebhook(received),
      [SECRET],
      seen,
      (delivery: unknown) => acted.push(delivery),
    ) as Hono;
    const timestamp = String(Math.floor(real.getTime() / 1000));
    const send = (headers: Record<string, string>) =>
      app.request("/hook", { method: "POST", body: BODY, headers });
    const headers = signed({ timestamp });
    expect((await send({ ...headers, "x-svc-signature": "sha256=0" })).status).toBe(401);
    expect((await send(headers)).status).toBe(204);
    expect((await send(headers)).status).toBe(401);
    expect(acted).toEqual([expect.objectContaining({ deliveryId: DELIVERY })]);
  });
});
