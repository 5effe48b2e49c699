import { pgSchema } from "drizzle-orm/pg-core";

/** What the service must keep itself. The chain's facts are in the indexer's schema, which can be rebuilt. */
export const app = pgSchema("app");
