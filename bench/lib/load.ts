import { Pool } from "undici";

/** One request and its expected answer. */
export interface Shot {
  readonly path: string;
  /** Sent as JSON with POST. Without one the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only status that is accepted. Default: 200. */
  readonly status?: number;
  accepts(body: string): boolean;
}

interface Answer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const CONNECTIONS = 16;
const JSON_BODY = { "content-type": "application/json" } as const;

/** Keep-alive connections to one server, the same number for each. */
export class Load {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** @throws Error for any status but the expected one. */
  async send({ path, body, headers, status = 200 }: Omit<Shot, "accepts">): Promise<Answer> {
    const answer = await this.#pool.request({
      method: body === undefined ? "GET" : "POST",
      path,
      headers: body === undefined ? { ...headers } : { ...JSON_BODY, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== status)
      throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return { headers: answer.headers, body: text };
  }

  /** @throws Error for any status but 200. */
  async post(path: string, body: object): Promise<Record<string, unknown>> {
    return JSON.parse((await this.send({ path, body })).body);
  }

  /**
   * Sends all requests, one at a time per connection, and returns the seconds it took. @throws
   * Error for an unexpected answer.
   */
  async fire(shots: readonly Shot[]): Promise<number> {
    const left = shots.values();
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const shot of left) {
          const { body } = await this.send(shot);
          if (!shot.accepts(body)) throw new Error(`${shot.path} refused: ${body}`);
        }
      }),
    );
    return (performance.now() - startedAt) / 1_000;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Checks an answer in JSON. */
export function ofJson(
  check: (answer: Record<string, unknown>) => boolean,
): (body: string) => boolean {
  return (body) => check(JSON.parse(body));
}
