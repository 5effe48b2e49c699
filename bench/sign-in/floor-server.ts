import { jwtVerify } from "jose";
import pg from "pg";
import { createPublicClient, http } from "viem";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import { serveForParent } from "../lib/serve.ts";
import { readFloorSettings } from "./settings.ts";

// The minimum work of introspection: a route, the JWT check, one prepared read by primary key. And
// of a sign-in: a route, the read of the live soul that ours asks for, one prepared write that uses
// a nonce up. It checks no signature and issues no token. world.ts starts it as a separate process.

/** The view also counts the passports of an account, and this one has none. */
const ANY_ACCOUNT = "0x0000000000000000000000000000000000000001";
/** In the order of ISoulRegistry.Validity. */
const VALID = 2;

const { databaseUrl, issuer, secret, rpcUrl, soulView } = readFloorSettings();
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const algorithm = { name: "HMAC", hash: "SHA-256" };
const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["verify"]);

const client = createPublicClient({ transport: http(rpcUrl) });
await pool.query("create schema if not exists bench");
await pool.query("create table if not exists bench.used_nonce (nonce text primary key)");

await serveForParent((app) => {
  app.post("/verify", async (c) => {
    const { nonce, agentId } = await c.req.json();
    const { passports } = await client.readContract({
      address: soulView,
      abi: soulViewAbi,
      functionName: "passportStates",
      args: [ANY_ACCOUNT, [BigInt(agentId)]],
    });
    const { rowCount } = await pool.query({
      name: "use_nonce",
      text: "insert into bench.used_nonce (nonce) values ($1) on conflict do nothing",
      values: [nonce],
    });
    return c.json({ fresh: rowCount === 1, valid: passports[0]?.validity === VALID });
  });

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
