import pg from "pg";
import { serveForParent } from "../lib/serve.ts";
import { readSettings } from "../lib/settings.ts";

// The minimum work of a read: a route and one prepared statement. world.ts starts it as a separate
// process.

const { databaseUrl } = readSettings(["databaseUrl"]);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

/** The two rows that every read of an agent needs. */
const AGENT = `select soul.*, passport.owner as passport_owner, passport.uri
  from chain.soul join chain.passport on passport.id = soul.passport_id`;

const READS = {
  byName: { name: "by_name", text: `${AGENT} where soul.name = $1` },
  byTokenId: { name: "by_token_id", text: `${AGENT} where soul.token_id = $1` },
  newest: { name: "newest", text: `${AGENT} order by soul.token_id desc limit $1` },
} as const;

const read = async (of: keyof typeof READS, value: string): Promise<object[]> =>
  (await pool.query({ ...READS[of], values: [value] })).rows;

/** So many bytes, the rows among them. */
function page(rows: readonly object[], bytes: number): string {
  return JSON.stringify(rows).padEnd(bytes, " ");
}

await serveForParent((app) => {
  app.get("/nothing", (c) => c.json({ status: "ok" }));
  app.get("/agents/:name", async (c) => {
    const [row] = await read("byName", c.req.param("name"));
    return row === undefined ? c.notFound() : c.json(row);
  });
  app.get("/tokens/:tokenId", async (c) => {
    const [row] = await read("byTokenId", c.req.param("tokenId"));
    return row === undefined ? c.notFound() : c.json(row);
  });
  app.get("/pages/:bytes/:name", async (c) => {
    const rows = await read("byName", c.req.param("name"));
    return c.html(page(rows, Number(c.req.param("bytes"))));
  });
  app.get("/lists/:bytes/:limit", async (c) => {
    const rows = await read("newest", c.req.param("limit"));
    return c.html(page(rows, Number(c.req.param("bytes"))));
  });
});
