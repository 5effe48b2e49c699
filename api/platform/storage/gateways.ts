import { isStorageId } from "../../../protocol/index.ts";
import type { HttpAnswer, StorageHttp } from "./http.ts";
import { ID_PLACEHOLDER } from "./settings.ts";

/** A gateway could not say whether it has something. */
class GatewayError extends Error {
  override readonly name = "GatewayError";
}

/** Where an item lies within a bundle that the gateway serves. */
interface ItemRange {
  readonly bundle: string;
  readonly offset: number;
  readonly length: number;
}

/** What a gateway serves under an id: unchecked bytes, of the item or of its data alone. */
export interface GatewayAnswer {
  readonly bytes: Buffer;
  /** The item's range within its bundle; null when the gateway does not name it. */
  readonly range: ItemRange | null;
}

interface ReadLimits {
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * One gateway over HTTP. The operator chose it, but its answers are untrusted: callers verify them.
 */
export function createGateway({
  url,
  http,
  timeoutMs,
}: {
  /** An origin, or an address with `{id}` in it. */
  readonly url: string;
  readonly http: StorageHttp;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
}) {
  const base = url.replace(/\/+$/, "");
  // An origin's `/<id>` leads browsers to a page of its own; `/raw/<id>` gives the bytes, where it
  // exists.
  const templates = base.includes(ID_PLACEHOLDER)
    ? [base]
    : [`${base}/raw/${ID_PLACEHOLDER}`, `${base}/${ID_PLACEHOLDER}`];
  const [first = base] = templates;
  const name = new URL(base.replace(ID_PLACEHOLDER, "id")).host;

  async function get(
    target: string,
    { maxBytes, signal }: ReadLimits,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    try {
      return await http.send(target, { method: "GET", headers, maxBytes, timeoutMs, signal });
    } catch (cause) {
      throw new GatewayError(`${name} gave no answer.`, { cause });
    }
  }

  return {
    /** Its host, for logs and metrics. */
    name,

    /** What it serves under `id`; null when it has nothing. @throws GatewayError */
    async read(id: string, limits: ReadLimits): Promise<GatewayAnswer | null> {
      for (const template of templates) {
        const answer = await get(template.replace(ID_PLACEHOLDER, id), limits);
        if (answer.status === 200) return { bytes: answer.body, range: rangeIn(answer) };
        const isNothing = answer.status === 404 || answer.status === 410;
        // A redirect leads to a page for browsers: the next address may serve the bytes.
        const isElsewhere = answer.status >= 300 && answer.status < 400;
        if (!isNothing && !isElsewhere) {
          throw new GatewayError(`${name} answered ${answer.status}.`);
        }
      }
      return null;
    },

    /** The bytes of a range that it named. @throws GatewayError */
    async readRange({ bundle, offset, length }: ItemRange, limits: ReadLimits): Promise<Buffer> {
      const answer = await get(first.replace(ID_PLACEHOLDER, bundle), limits, {
        range: `bytes=${offset}-${offset + length - 1}`,
      });
      if (answer.status !== 206) throw new GatewayError(`${name} answered ${answer.status}.`);
      return answer.body;
    },
  };
}

export type Gateway = ReturnType<typeof createGateway>;

/**
 * Gateways of ar.io's software say where in the bundle on Arweave an item begins, and where its
 * data does.
 */
function rangeIn(answer: HttpAnswer): ItemRange | null {
  const number = (name: string) => {
    const text = answer.header(name) ?? "";
    return /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
  };
  const bundle = answer.header("x-ar-io-root-transaction-id") ?? "";
  const offset = number("x-ar-io-root-item-offset") ?? number("x-ar-io-root-data-item-offset");
  const dataOffset = number("x-ar-io-root-data-offset");
  const end = dataOffset === null ? null : dataOffset + answer.body.length;
  if (!isStorageId(bundle) || offset === null) return null;
  const length = number("x-ar-io-root-item-size") ?? (end === null ? null : end - offset);
  return length !== null && length > 0 ? { bundle, offset, length } : null;
}

/**
 * Queries the sources one after another until one has the answer. The next is queried when the
 * previous one has failed, or has not answered within `patience` (hedged read). The remaining
 * queries are aborted.
 *
 * @returns null when all were queried and none had it.
 */
export async function firstThatHas<Source, Answer>(
  sources: readonly Source[],
  ask: (source: Source, signal: AbortSignal) => Promise<Answer | null>,
  patience: (signal: AbortSignal) => Promise<void>,
): Promise<Answer | null> {
  const over = new AbortController();
  const left = [...sources];
  const asked = new Set<Promise<{ readonly answer: Answer | null }>>();
  try {
    for (;;) {
      const source = left.shift();
      if (source !== undefined) asked.add(ask(source, over.signal).then((answer) => ({ answer })));
      else if (asked.size === 0) return null;

      const waiting = new AbortController();
      const impatient = left.length === 0 ? [] : [late(patience(waiting.signal))];
      const tagged = [...asked].map(async (one) => ({ one, ...(await one) }));
      const next = await Promise.race([...tagged, ...impatient]);
      waiting.abort();
      if (next === null) continue;
      asked.delete(next.one);
      if (next.answer !== null) return next.answer;
    }
  } finally {
    over.abort();
    // The remaining queries now fail without a listener.
    for (const one of asked) one.catch(() => {});
  }
}

/** Resolves to null after the delay; never resolves when it was aborted. */
function late(wait: Promise<void>): Promise<null> {
  return new Promise((resolve) => {
    wait.then(
      () => resolve(null),
      () => {},
    );
  });
}
