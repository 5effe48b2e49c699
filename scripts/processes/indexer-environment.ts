import { z } from "zod";
import { ENVIRONMENT_SECTIONS } from "../../api/platform/config/environment.ts";
import { integer } from "../../api/platform/config/values.ts";

const indexer = z.object({
  SVC_INDEXER_HOST: z.string().default("127.0.0.1").meta({
    description: "Address at which the indexer answers /health, /ready, /metrics and GraphQL.",
  }),
  SVC_INDEXER_PORT: integer(1, 65_535).default(42_069).meta({
    description: "Its port.",
  }),
  INDEX_REREAD_MS: integer(1_000, 86_400_000).default(600_000).meta({
    description: "How long after final blocks were stored they are read again and compared.",
  }),
  INDEXER_STALL_MS: integer(1_000, 3_600_000).default(30_000).meta({
    description:
      "How long the index may stand still behind the chain's head before the indexer exits with status 75.",
  }),
});

const { DATABASE_URL } = ENVIRONMENT_SECTIONS.Database.shape;
const { RPC_URL, RPC_WS_URL, SVC_DEPLOYMENT } = ENVIRONMENT_SECTIONS.Chain.shape;

/** What the indexer reads: a part of the service's variables, and its own. */
export const IndexerEnvironment = indexer.extend({
  DATABASE_URL,
  RPC_URL,
  RPC_WS_URL,
  SVC_DEPLOYMENT,
});

/** Every variable of every process, by section. */
export const ALL_SECTIONS = { ...ENVIRONMENT_SECTIONS, Indexer: indexer } as const;
