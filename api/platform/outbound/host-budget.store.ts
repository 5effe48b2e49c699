import { sql } from "drizzle-orm";
import type { Database } from "../database/connect.ts";
import { HOST_WINDOW_MS, type HostCounts } from "./host-budget.ts";
import { endpointHost } from "./tables.ts";

/** Counts of requests to hosts in Postgres, so that the limits are the same for all processes. */
export function createHostCounts(db: Database): HostCounts {
  return {
    async add(names, at) {
      const isOver = sql`${endpointHost.beganAt} <= ${new Date(at.getTime() - HOST_WINDOW_MS)}`;
      const rows = await db
        .insert(endpointHost)
        // In the same order everywhere, so that two requests never wait for each other.
        .values([...names].sort().map((host) => ({ host, beganAt: at, requests: 1 })))
        .onConflictDoUpdate({
          target: endpointHost.host,
          set: {
            beganAt: sql`case when ${isOver} then ${at} else ${endpointHost.beganAt} end`,
            requests: sql`case when ${isOver} then 1 else ${endpointHost.requests} + 1 end`,
          },
        })
        .returning({ host: endpointHost.host, requests: endpointHost.requests });
      return new Map(rows.map(({ host, requests }) => [host, requests]));
    },
  };
}
