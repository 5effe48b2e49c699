import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPackageDelivery } from "../../../../api/features/audits/delivery.ts";
import type { AuditPackage } from "../../../../api/features/audits/records.ts";
import { createAddressPolicy } from "../../../../api/platform/outbound/addresses.ts";
import { createOutboundHttp } from "../../../../api/platform/outbound/client.ts";
import { type Receiver, startReceiver } from "../../../fixtures/receiver.ts";
import { capturedLog } from "../../helpers.ts";

const DID = "did:web:river.example";
const CANARY = "canary-of-a-package";
const made = { auditId: "1", document: { value: CANARY } } as unknown as AuditPackage;

let receiver: Receiver;
let http: ReturnType<typeof createOutboundHttp>;
beforeAll(async () => {
  receiver = await startReceiver();
  http = createOutboundHttp({
    policy: createAddressPolicy(["127.0.0.0/8"]),
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    certificateAuthorities: [receiver.authority],
  });
});
afterAll(async () => {
  await http?.close();
  await receiver?.stop();
});

function deliveryTo(url: string) {
  const { log, lines } = capturedLog();
  const deliver = createPackageDelivery({ http, endpoints: new Map([[DID, url]]), log });
  return { deliver, lines };
}

describe("the delivery of a package", () => {
  it("posts it once to the regulator's endpoint, and answers with its origin", async () => {
    const { deliver } = deliveryTo(`${receiver.url}?token=secret`);
    const before = receiver.received.length;
    expect(await deliver(DID, made)).toBe(new URL(receiver.url).origin);
    const [request] = receiver.received.slice(before);
    expect(receiver.received).toHaveLength(before + 1);
    expect(request?.method).toBe("POST");
    expect(request?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(request?.body ?? "")).toEqual(made);
  });

  it("sends nothing to a regulator without an endpoint", async () => {
    const before = receiver.received.length;
    const { deliver } = deliveryTo(receiver.url);
    expect(await deliver("did:web:another.example", made)).toBeNull();
    expect(receiver.received).toHaveLength(before);
  });

  it("is not repeated after a refusal, a redirect or without an answer, and logs no value", async () => {
    const { deliver, lines } = deliveryTo(`${receiver.url}?token=secret`);
    const before = receiver.received.length;
    receiver.answer((_request, response) => void response.writeHead(500).end(CANARY));
    expect(await deliver(DID, made)).toBeNull();
    receiver.answer((_request, response) => {
      response.writeHead(302, { location: receiver.url }).end();
    });
    expect(await deliver(DID, made)).toBeNull();
    receiver.answer((_request, response) => void response.destroy());
    expect(await deliver(DID, made)).toBeNull();
    expect(receiver.received).toHaveLength(before + 3);
    const closed = deliveryTo("https://hooks.test:1025/");
    expect(await closed.deliver(DID, made)).toBeNull();
    const inside = deliveryTo("https://10.0.0.1/");
    expect(await inside.deliver(DID, made)).toBeNull();
    const logged = [...lines, ...closed.lines, ...inside.lines].map((line) => JSON.parse(line));
    expect(logged.map(({ reason, status }) => reason ?? status)).toEqual([
      500,
      "redirect",
      "connection",
      "connection",
      "address_not_public",
    ]);
    for (const line of lines) expect(line).not.toMatch(/canary|secret/);
  });
});
