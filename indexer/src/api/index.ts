import { db } from "ponder:api";
import schema from "ponder:schema";
import { Hono } from "hono";
import { graphql } from "ponder";
import { watchIndex } from "../../watch-index.ts";

// The whole index, for anybody's own reading. The product's API is `api/`; this is what Ponder itself serves.
const app = new Hono();

app.use("/", graphql({ db, schema }));
app.use("/graphql", graphql({ db, schema }));

// Ponder runs this file once, in the indexer's own process, before it reads history.
watchIndex(process.env);

export default app;
