import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs, SECRET_PROMPT } from "../fixtures/agent-verbs.ts";
import { bearer } from "../fixtures/agents.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { tracedService } from "../fixtures/service.ts";
import type { CollectedSpan } from "../fixtures/trace-collector.ts";

// What the running service sends to a collector over real HTTP.

const SOON = { timeout: 30_000, interval: 100 };

let service: Awaited<ReturnType<typeof tracedService>>;
let verbs: ReturnType<typeof agentVerbs>;
let received: IncomingHttpHeaders[];
let receiver: ReturnType<typeof createServer>;
let hook: string;

beforeAll(async () => {
  service = await tracedService();
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  received = [];
  receiver = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/private-hook`;
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((done) => receiver.close(done));
});

/** The spans of one trace once it has a part of this name. */
async function traceWith(requestId: string, name: string): Promise<readonly CollectedSpan[]> {
  return vi.waitFor(() => {
    const spans = service.spans();
    const root = spans.find(({ attributes }) => attributes["svc.request.id"] === requestId);
    const trace = spans.filter(({ traceId }) => traceId === root?.traceId);
    expect(trace.map((span) => span.name)).toContain(name);
    return trace;
  }, SOON);
}

/** The names of a span's ancestors, the nearest first. */
function above(trace: readonly CollectedSpan[], span: CollectedSpan | undefined): string[] {
  const parent = trace.find(({ spanId }) => spanId === span?.parentSpanId);
  return parent === undefined ? [] : [parent.name, ...above(trace, parent)];
}

it("one registration is one trace: request, operation, transaction, job, webhook", async () => {
  const owner = newAccount();
  const { registrationId, apiKey } = await verbs.registerAgent(freshName());
  const webhook = await service.post(
    "/v1/webhooks",
    { url: hook, events: ["owner.claimed"] },
    bearer(apiKey),
  );
  expect(webhook.status, JSON.stringify(webhook.body)).toBe(201);
  const signed = await verbs.signedClaim(registrationId, owner);
  const requestId = `claim-${registrationId}`;
  const claimed = await service.post("/v1/register/claim", signed, {
    "Idempotency-Key": idempotencyKey(),
    "X-Request-Id": requestId,
  });
  expect(claimed.status, JSON.stringify(claimed.body)).toBe(200);
  await vi.waitFor(() => expect(received).toHaveLength(1), SOON);

  const trace = await traceWith(requestId, "job webhook.deliver");
  const named = (name: string) => trace.find((span) => span.name === name);
  const request = "POST /v1/register/claim";
  expect(named(request)).toMatchObject({
    kind: 2,
    attributes: { "http.response.status_code": 200, "http.route": "/v1/register/claim" },
  });
  const transaction = named("transaction");
  expect(above(trace, transaction)).toEqual(["operation claim", request]);
  const { rows } = await service.pool.query(
    `select t.hashes[cardinality(t.hashes)] as hash, t.traceparent, o.traceparent as accepted
      from app.relayer_transaction t join app.operation o on t.operation_id like '%' || o.id
      where t.operation_id = $1`,
    [transaction?.attributes["svc.operation.id"]],
  );
  expect(transaction?.attributes).toMatchObject({ "svc.transaction.hash": rows[0].hash });

  const delivery = named("webhook delivery");
  expect(delivery).toMatchObject({
    kind: 3,
    attributes: {
      "svc.delivery.id": received[0]?.["x-svc-delivery"],
      "svc.event": "owner.claimed",
      "http.response.status_code": 204,
    },
  });
  expect(above(trace, delivery)).toEqual(["job webhook.deliver", "operation claim", request]);
  // What another process would continue the trace from.
  expect(rows[0].traceparent).toContain(`-${transaction?.traceId}-${transaction?.spanId}-`);
  expect(rows[0].accepted).toContain(transaction?.traceId);
  // Receivers of different agents must not be able to compare traces.
  expect(received[0]).not.toHaveProperty("traceparent");

  const sent = JSON.stringify(service.spans());
  const secrets = [
    SECRET_PROMPT,
    apiKey,
    claimed.body.apiKey,
    claimed.body.soulSalt,
    signed.signature,
  ];
  for (const secret of [...secrets, hook, "private-hook", owner.address]) {
    expect(sent.toLowerCase()).not.toContain(String(secret).toLowerCase());
  }
});

it("a job that another process runs continues the trace that enqueued it", async () => {
  const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
  await service.pool.query(
    `insert into jobs.job (name, data, singleton_key)
      values ('webhook.deliver', jsonb_build_object('deliveryId', gen_random_uuid()::text,
        'traceparent', $1::text), gen_random_uuid()::text)`,
    [traceparent],
  );
  const span = await vi.waitFor(() => {
    const found = service.spans().find(({ traceId }) => traceId === "ab".repeat(16));
    expect(found).toBeDefined();
    return found;
  }, SOON);
  expect(span).toMatchObject({ name: "job webhook.deliver", parentSpanId: "cd".repeat(8) });
});

it("an operation that a stopped process left is finished in the trace of its request", async () => {
  const requestId = `left-${freshName()}`;
  const owner = newAccount();
  const { registrationId } = await verbs.registerAgent(freshName());
  const signed = await verbs.signedClaim(registrationId, owner);
  await service.post("/v1/register/claim", signed, {
    "Idempotency-Key": idempotencyKey(),
    "X-Request-Id": requestId,
  });
  const trace = await traceWith(requestId, "transaction");
  const operationId = trace.find(({ name }) => name === "transaction")?.attributes[
    "svc.operation.id"
  ];
  // As if the process had ended before it saw the receipt.
  await service.pool.query(
    "update app.relayer_transaction set status = 'open' where operation_id = $1",
    [operationId],
  );
  await service.pool.query(
    "update app.job_schedule set next_run_at = now() where name = 'transactions.follow'",
  );
  const followed = await traceWith(requestId, "follow transaction");
  expect(
    above(
      followed,
      followed.find(({ name }) => name === "follow transaction"),
    ),
  ).toEqual(["transaction", "operation claim", "POST /v1/register/claim"]);
});
