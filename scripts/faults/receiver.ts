import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A receiver of webhooks, which knows the distinct deliveries of each event by the agent's name. */
export async function startReceiver() {
  const deliveries = new Map<string, Set<string>>();
  const server = createServer(async (request, response) => {
    const { event, deliveryId } = (await json(request)) as Record<string, string>;
    const key = `${request.url?.slice(1)} ${event}`;
    const known = deliveries.get(key) ?? new Set();
    deliveries.set(key, known.add(deliveryId ?? ""));
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (name: string) => `http://127.0.0.1:${port}/${name}`,
    /** How many deliveries of an event came, each counted once over its tries. */
    deliveries: (name: string, event: string) => deliveries.get(`${name} ${event}`)?.size ?? 0,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
