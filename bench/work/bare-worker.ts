import { serveForParent } from "../lib/serve.ts";
import { anchorBatch } from "./bare-batch.ts";
import { deliverAll } from "./bare-delivery.ts";

// Bare loops over the same database and the same node. world.ts starts it as a separate process.

await serveForParent((app) => {
  for (const [path, work] of [
    ["/anchor", anchorBatch],
    ["/deliver", deliverAll],
  ] as const) {
    app.post(path, async (c) => {
      const startedAt = performance.now();
      const count = await work();
      return c.json({ count, seconds: (performance.now() - startedAt) / 1_000 });
    });
  }
});
