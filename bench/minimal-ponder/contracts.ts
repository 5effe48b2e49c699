import { readdirSync, readFileSync } from "node:fs";

/** The events that the indexer handles, as `Contract:Event`, read from its handlers. */
export const EVENTS: readonly string[] = handledEvents();

/** Their contracts. */
export const CONTRACTS = [...new Set(EVENTS.map((event) => event.split(":")[0] ?? ""))];

function handledEvents(): string[] {
  const handlers = new URL("../../indexer/src/", import.meta.url);
  return readdirSync(handlers)
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...readFileSync(new URL(file, handlers), "utf8").matchAll(/ponder\.on\("(\w+:\w+)"/g),
    ])
    .map(([, event]) => event ?? "");
}
