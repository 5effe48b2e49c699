import pg from "pg";

const TIMEOUT_MS = 2_000;

/** Whether a database answers. Rejects where nothing answers. */
export async function answersSql(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  // A connection that breaks during the start counts as "not yet", like a refused one.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } finally {
    await client.end();
  }
}

/** Whether an address answers with a success. Rejects where nothing answers. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  return response.ok;
}
