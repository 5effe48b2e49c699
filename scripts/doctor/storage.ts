import { randomBytes } from "node:crypto";
import pg from "pg";
import { redactText } from "../../api/platform/log/log.ts";
import { openItem, type SignedItem } from "../../api/platform/storage/ans104.ts";
import { compareAtGateway } from "../../api/platform/storage/compare.ts";
import { createGateway, type Gateway } from "../../api/platform/storage/gateways.ts";
import { createStorageHttp, type StorageHttp } from "../../api/platform/storage/http.ts";
import { ID_PLACEHOLDER, uploadUrl } from "../../api/platform/storage/settings.ts";
import { type Finding, fault, ok, reason, warning } from "./finding.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** With these a server refuses bytes that are no item, at a path where it takes items. */
const REFUSES_BYTES = new Set([400, 411, 413, 415, 422]);

/** Whether bundler and gateways are what the settings call them. Uploads nothing. */
export async function checkStorage(settings: Settings): Promise<Finding[]> {
  const { STORAGE_DRIVER, BUNDLER_URL, BUNDLER_KIND, GATEWAY_URLS = [], PUBLIC_URL } = settings;
  const findings: Finding[] = [];
  if (STORAGE_DRIVER === "local" && PUBLIC_URL?.protocol === "https:") {
    findings.push(
      warning(
        "STORAGE_DRIVER is local: what agents are promised to be permanent is in this database alone.",
        "Set STORAGE_DRIVER=bundler with BUNDLER_URL and BUNDLER_KIND, and GATEWAY_URLS.",
      ),
    );
  }
  const http = createStorageHttp();
  try {
    const sample = GATEWAY_URLS.length === 0 ? null : await servedItem(settings);
    const gateways = GATEWAY_URLS.map((url) => {
      const { origin } = new URL(url.replace(ID_PLACEHOLDER, "doctor"));
      const gateway = createGateway({ url, http, timeoutMs: TIMEOUT_MS });
      return gatewayFinding(`${origin} (GATEWAY_URLS)`, gateway, sample);
    });
    findings.push(...(await Promise.all(gateways)));
    if (BUNDLER_URL !== undefined && BUNDLER_KIND !== undefined) {
      findings.push(await bundlerFinding(uploadUrl(BUNDLER_URL, BUNDLER_KIND), http));
    }
    return findings;
  } finally {
    await http.close();
  }
}

async function gatewayFinding(
  name: string,
  gateway: Gateway,
  sample: SignedItem | null,
): Promise<Finding> {
  const remedy = "Correct the address in GATEWAY_URLS, or use another gateway.";
  const unknown = randomBytes(32).toString("base64url");
  try {
    const answer = await gateway.read(unknown, { maxBytes: MAX_ANSWER_BYTES });
    if (answer !== null) {
      return fault(`${name} is not a gateway: it serves an item that does not exist.`, remedy);
    }
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return cause === undefined
      ? fault(`${name} cannot be asked for items: ${reason(error, redactText)}`, remedy)
      : fault(`${name} does not answer: ${reason(cause, redactText)}`, remedy);
  }
  const content = sample === null ? null : await openItem(sample).catch(() => null);
  if (sample === null || content === null) {
    return warning(
      `${name} answers, but nothing shows yet that it is a gateway: other web servers answer 404 for an unknown item too.`,
      "Compare the address with its documentation. Run the command again when a gateway has served the first upload: it then asks for that item.",
    );
  }
  switch (await compareAtGateway(gateway, sample.id, content, AbortSignal.timeout(TIMEOUT_MS))) {
    case "same":
      return ok(`${name} serves what the service uploaded.`);
    case "missing":
      return warning(
        `${name} does not have the item ${sample.id}, which a gateway has served.`,
        "Correct the address if it is not that of a gateway. A right one may need time, or be set to serve other items.",
      );
    case "altered":
      return fault(`${name} serves other bytes than those of the item ${sample.id}.`, remedy);
    case "failed":
      return fault(`${name} does not serve the item ${sample.id}.`, remedy);
  }
}

/** Sends one byte, which is no item and which no bundler takes. */
async function bundlerFinding(url: string, http: StorageHttp): Promise<Finding> {
  const { origin, pathname } = new URL(url);
  const name = `${origin} (BUNDLER_URL)`;
  const remedy = "Correct BUNDLER_URL and BUNDLER_KIND, or use another bundler.";
  let status: number;
  try {
    const answer = await http.send(url, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: Uint8Array.of(0),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
    status = answer.status;
  } catch (error) {
    return fault(`${name} does not answer: ${reason(error, redactText)}`, remedy);
  }
  if (REFUSES_BYTES.has(status)) {
    return ok(
      `${name} refuses at ${pathname} what is no item, as a bundler does. Only an upload shows that it keeps items.`,
    );
  }
  if (status === 429 || (status >= 500 && status !== 501)) {
    return warning(
      `${name} answers ${status} at ${pathname}: whether it is a bundler is not known.`,
      "Run the command again later. If it stays so, ask the bundler's operator.",
    );
  }
  return fault(
    `${name} is not a bundler: it answers ${status} to an upload at ${pathname}.`,
    remedy,
  );
}

/** @returns the item that a gateway served last; null without one, and without a database. */
async function servedItem({ DATABASE_URL: url }: Settings): Promise<SignedItem | null> {
  if (url === undefined) return null;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on("error", () => {
    // A connection that breaks also rejects its statement.
  });
  try {
    await client.connect();
    const { rows } = await client.query<SignedItem>(`
      select item.id, item.bytes from app.storage_upload as upload join app.storage_item as item using (id)
      where upload.seen_at is not null order by upload.seen_at desc limit 1`);
    return rows[0] ?? null;
  } catch {
    // The checks of the database say what is wrong with it.
    return null;
  } finally {
    await client.end().catch(() => {});
  }
}
