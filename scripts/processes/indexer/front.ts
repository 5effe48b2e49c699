import { once } from "node:events";
import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";

/**
 * The indexer's address. Each Ponder has a port of its own; connections go to the one that serves now.
 *
 * @param target The port to connect to, on loopback.
 */
export async function openFront(
  address: { readonly host: string; readonly port: number },
  target: () => number,
): Promise<{ close(): void }> {
  const server = createServer((client) => {
    const ponder = connect(target(), "127.0.0.1");
    // A connection that breaks ends its counterpart.
    pipeline(client, ponder, client, () => {});
  });
  server.listen(address.port, address.host);
  await once(server, "listening");
  return { close: () => server.close() };
}
