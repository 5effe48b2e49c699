import { once } from "node:events";
import { createServer, type RequestListener, request } from "node:http";
import { pipeline } from "node:stream";

/**
 * The indexer's address. Each Ponder has a port of its own; requests go to the one that serves now. Of its own this answers only
 * that it is not ready: a Ponder is before the views show its index.
 */
export async function openFront(
  address: { readonly host: string; readonly port: number },
  index: { readonly port: () => number; readonly isShown: () => boolean },
): Promise<{ close(): void }> {
  const answer: RequestListener = (asked, response) => {
    const { method, url: path = "/", headers } = asked;
    if (path.split("?")[0] === "/ready" && !index.isShown()) {
      response.writeHead(503).end("The views do not show the index yet.");
      return;
    }
    const place = { host: "127.0.0.1", port: index.port(), agent: false };
    const forwarded = request({ ...place, method, path, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      pipeline(answered, response, () => {});
    });
    // A connection that breaks ends its counterpart.
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    asked.pipe(forwarded);
  };
  const server = createServer(answer);
  server.listen(address.port, address.host);
  await once(server, "listening");
  return { close: () => server.close() };
}
