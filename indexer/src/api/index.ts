import { db } from "ponder:api";
import schema from "ponder:schema";
import { Hono } from "hono";
import { graphql } from "ponder";
import { watchIndex } from "../../exit-when-stalled.ts";

// The whole index, open to every reader. Ponder itself serves this; the product's API is `api/`.
const app = new Hono();

app.use("/", graphql({ db, schema }));
app.use("/graphql", graphql({ db, schema }));

// Ponder runs this file once, in the indexer's process, before it reads history.
watchIndex(process.env);

export default app;
