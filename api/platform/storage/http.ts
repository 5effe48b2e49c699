import { Agent, request } from "undici";

/** A complete answer. */
export interface HttpAnswer {
  readonly status: number;
  /** The reason phrase beside the status. */
  readonly statusText: string;
  /** The first value of a header, by lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
}

interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** A longer answer is an error. */
  readonly maxBytes: number;
  /** Bounds the whole exchange. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The answer is longer than it may be. */
class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}

const CONNECT_MS = 5_000;
/** Connections to one bundler or gateway. */
const CONNECTIONS = 16;

/** A rate that any server's connection reaches. A batch of 100,000 records has about 25 MB. */
const MIN_BYTES_PER_MS = 500;

/** Time limit in milliseconds for uploading so many bytes, without the time for an answer. */
export function transferMs(bytes: number): number {
  return Math.ceil(bytes / MIN_BYTES_PER_MS);
}

/** The HTTP client for the bundler and the gateways that the operator named. */
export function createStorageHttp() {
  const agent = new Agent({
    connect: { timeout: CONNECT_MS },
    connections: CONNECTIONS,
    // The signal bounds the exchange: a large upload takes long.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    /** Rejects with the error of undici or of the signal. Follows no redirect. */
    async send(
      url: string,
      { method, headers, body, maxBytes, timeoutMs, signal: outer }: HttpRequest,
    ): Promise<HttpAnswer> {
      const signal = AbortSignal.any([
        AbortSignal.timeout(timeoutMs),
        ...(outer === undefined ? [] : [outer]),
      ]);
      const answer = await request(url, {
        dispatcher: agent,
        method,
        signal,
        headers: { "user-agent": "agent-identity-protocol/1", ...headers },
        body: body ?? null,
      });
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        size += chunk.byteLength;
        if (size > maxBytes) throw new AnswerTooLongError(`More than ${maxBytes} bytes came.`);
        chunks.push(chunk);
      }
      return {
        status: answer.statusCode,
        statusText: answer.statusText,
        header: (name) => [answer.headers[name]].flat()[0],
        body: Buffer.concat(chunks),
      };
    },
    close: () => agent.destroy(),
  };
}

export type StorageHttp = ReturnType<typeof createStorageHttp>;
