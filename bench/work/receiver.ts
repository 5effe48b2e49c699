import { setTimeout as delay } from "node:timers/promises";
import { serveForParent } from "../lib/serve.ts";

// The receivers of all webhooks. world.ts starts it as a separate process.

const ANSWERS_AFTER_MS = 100;

const deliveryIds = new Set<string>();
let requests = 0;
let firstAt = 0;
let lastAt = 0;

await serveForParent((app) => {
  app.post("/hooks/:webhook", async (c) => {
    if (requests === 0) firstAt = performance.now();
    requests += 1;
    deliveryIds.add(c.req.header("webhook-id") ?? "");
    await delay(ANSWERS_AFTER_MS);
    lastAt = performance.now();
    return c.body(null, 204);
  });
  /** What arrived since the last reset. */
  app.get("/arrived", (c) =>
    c.json({ requests, deliveries: deliveryIds.size, seconds: (lastAt - firstAt) / 1_000 }),
  );
  app.post("/reset", (c) => {
    deliveryIds.clear();
    requests = 0;
    return c.json({});
  });
});
