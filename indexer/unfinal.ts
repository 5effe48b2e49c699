import pg from "pg";

/**
 * To be called before Ponder opens its tables. It then reverts every block that was not final, while its latest checkpoint goes on
 * naming the last of them: without final blocks to read, until the chain's next block, and although it says that it is ready.
 *
 * @param args Ponder's, which name its schema.
 */
export async function forgetUnfinalBlocks(
  databaseUrl: string,
  args: readonly string[],
): Promise<void> {
  const schema = args[args.indexOf("--schema") + 1];
  if (schema === undefined || !args.includes("--schema")) {
    throw new Error("The indexer starts without --schema.");
  }
  const table = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass($1) is not null as exists", [table]);
    if (rows[0]?.exists) {
      await client.query(`update ${table} set latest_checkpoint = safe_checkpoint`);
    }
  } finally {
    await client.end();
  }
}
