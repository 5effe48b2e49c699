import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { JOBS } from "../../api/features.ts";
import {
  STANDARD_WEBHOOK_HEADERS,
  standardWebhookSignature,
  WEBHOOK_HEADERS,
  WEBHOOK_SECRET_PREFIX,
  webhookSignature,
} from "../../protocol/webhook-signature.ts";
import { pool } from "./bare-settings.ts";

/** As many as one process of the service sends at once. */
const AT_ONCE = JOBS["webhook.deliver"].concurrency;
const SECRET = WEBHOOK_SECRET_PREFIX + Buffer.alloc(32, 7).toString("base64");

interface Row {
  readonly event: string;
  readonly data: object;
  readonly occurred_at: Date;
  readonly url: string;
}

const agent = new Agent();

/** Sends all pending deliveries of the schema `bench`. Resolves to their number. */
export async function deliverAll(): Promise<number> {
  // One of each webhook in turn, so that none has more than its places.
  const { rows: pending } = await pool.query<{ id: string }>({
    name: "pending",
    text: `select id from bench.webhook_delivery where state = 'pending' order by
      row_number() over (partition by webhook_id order by next_try_at, id), webhook_id`,
  });
  const left = pending.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { id } of left) await deliver(id);
    }),
  );
  return pending.length;
}

async function deliver(id: string): Promise<void> {
  const { rows } = await pool.query<Row>({
    name: "open",
    text: `select e.event, e.data, e.occurred_at, w.url from bench.webhook_delivery d
      join bench.webhook_event e on e.id = d.event_id
      join app.webhook w on w.id = d.webhook_id where d.id = $1`,
    values: [id],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no delivery ${id}.`);
  const startedAt = new Date();
  const body = JSON.stringify({
    event: row.event,
    timestamp: row.occurred_at.toISOString(),
    deliveryId: id,
    data: row.data,
  });
  const signed = {
    secret: SECRET,
    timestamp: String(Math.floor(startedAt.getTime() / 1000)),
    nonce: randomUUID(),
    rawBody: Buffer.from(body),
  };
  const { statusCode, body: answer } = await request(row.url, {
    dispatcher: agent,
    method: "POST",
    headers: {
      "content-type": "application/json",
      [WEBHOOK_HEADERS.signature]: webhookSignature(signed),
      [WEBHOOK_HEADERS.timestamp]: signed.timestamp,
      [WEBHOOK_HEADERS.nonce]: signed.nonce,
      [WEBHOOK_HEADERS.delivery]: id,
      [STANDARD_WEBHOOK_HEADERS.id]: id,
      [STANDARD_WEBHOOK_HEADERS.timestamp]: signed.timestamp,
      [STANDARD_WEBHOOK_HEADERS.signature]: standardWebhookSignature({ ...signed, id }),
    },
    body,
  });
  await answer.dump();
  if (statusCode !== 204) throw new Error(`${row.url} answered ${statusCode}.`);
  await pool.query({
    name: "delivered",
    text: `update bench.webhook_delivery set state = 'delivered', delivered_at = now() where id = $1`,
    values: [id],
  });
  await pool.query({
    name: "tried",
    text: `insert into bench.webhook_try (delivery_id, number, started_at, duration_ms, status_code)
      values ($1, 1, $2, $3, $4)`,
    values: [id, startedAt, Date.now() - startedAt.getTime(), statusCode],
  });
}
