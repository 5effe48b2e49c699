import { createTestIssuer, type TestIssuer, type TestIssuerOptions } from "./issuer.ts";

/** An issuer that listens on a loopback address. */
export interface RunningTestIssuer extends TestIssuer {
  /** For `introspection({ service: url })`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts an issuer for `introspection`, on a free port of this machine. Needs Node. */
export async function startTestIssuer(options: TestIssuerOptions = {}): Promise<RunningTestIssuer> {
  const issuer = createTestIssuer(options);
  // Imported here, so that other runtimes can use the rest of this entry.
  const { createServer } = await import("node:http");
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array<ArrayBuffer>);
    const { method = "GET", url = "/" } = request;
    const body = method === "GET" || method === "HEAD" ? null : await new Blob(chunks).text();
    const answer = await issuer.fetch(new Request(new URL(url, origin()), { method, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  const origin = () => {
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return `http://127.0.0.1:${port}`;
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    ...issuer,
    url: origin(),
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
