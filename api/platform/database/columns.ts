import { customType, numeric, pgSchema, timestamp } from "drizzle-orm/pg-core";

/**
 * Data that only the service holds. Chain data is in the indexer's schema, which can be rebuilt.
 */
export const app = pgSchema("app");

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A moment, as a `Date`. */
export const at = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** An id or amount of the chain, as a decimal string. */
export const uint256 = (name: string) => numeric(name, { precision: 78, scale: 0 });
