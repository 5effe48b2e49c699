import { jwtVerify } from "jose";
import pg from "pg";
import { serveForParent } from "../lib/serve.ts";
import { readFloorSettings } from "./settings.ts";

// The minimum work of introspection: a route, the JWT check, one prepared read by primary key.
// world.ts starts it as a separate process.

const { databaseUrl, issuer, secret } = readFloorSettings();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const algorithm = { name: "HMAC", hash: "SHA-256" };
const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["verify"]);

await serveForParent((app) => {
  app.post("/introspect", async (c) => {
    const { token } = await c.req.json();
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], issuer });
    const { rows } = await pool.query({
      name: "floor",
      text: "select status from chain.soul where token_id = $1",
      values: [payload.tokenId],
    });
    return c.json({ active: rows[0]?.status === "SEALED", ...payload });
  });
});
