import { Pool } from "undici";

/** One request and its expected answer. */
export interface Shot {
  readonly path: string;
  readonly body: object;
  accepts(answer: Record<string, unknown>): boolean;
}

const CONNECTIONS = 16;

/** Keep-alive connections to one server, the same number for each. */
export class Load {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** @throws Error for any status but 200. */
  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const answer = await this.#pool.request({
      method: "POST",
      path,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
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
        for (const { path, body, accepts } of left) {
          const answer = await this.post(path, body);
          if (!accepts(answer)) throw new Error(`${path} refused: ${JSON.stringify(answer)}`);
        }
      }),
    );
    return (performance.now() - startedAt) / 1_000;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
