import type { RecordedExample, RecordedExamples } from "../../api/reference/examples.ts";
import {
  type OpenApiDocument,
  operationsOf,
  type PlacedOperation,
} from "../../api/reference/openapi.ts";

/** A line of the recording; see `test/fixtures/record-exchanges.ts`. */
export interface Exchange extends Omit<RecordedExample, "parameters"> {
  readonly method: string;
  readonly url: string;
}

/** Longer exchanges are chosen only where an operation has no shorter one. */
const LONG = 9000;
const LOCAL_ORIGIN = /http:\/\/127\.0\.0\.1:\d+/g;
const SERVER = "http://127.0.0.1:8787";

/**
 * For each operation and status the exchange that shows most of it, by `operationId`. One without
 * the operation's body is chosen only where no other was recorded.
 *
 * @param kept Earlier examples, which stay where no exchange shows more.
 */
export function chosenExamples(
  document: OpenApiDocument,
  exchanges: readonly Exchange[],
  kept: RecordedExamples = {},
): Record<string, RecordedExample[]> {
  const find = finder(document);
  const takesBody = new Set(
    operationsOf(document)
      .filter(({ operation }) => operation.requestBody !== undefined)
      .map(({ id }) => id),
  );
  const best = new Map<string, { id: string; score: number; example: RecordedExample }>();
  const consider = (id: string, example: RecordedExample) => {
    const key = `${id} ${example.status}`;
    const lacksRequest = takesBody.has(id) && example.request === null;
    const score = lacksRequest ? Number.MIN_SAFE_INTEGER : scoreOf(example);
    if (score > (best.get(key)?.score ?? Number.NEGATIVE_INFINITY)) {
      best.set(key, { id, score, example });
    }
  };
  for (const exchange of exchanges) {
    const found = find(exchange);
    if (found !== null) consider(found.id, found.example);
  }
  for (const [id, examples] of Object.entries(kept)) {
    for (const example of examples) consider(id, example);
  }
  const chosen: Record<string, RecordedExample[]> = {};
  for (const { id, example } of [...best.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    chosen[id] = [...(chosen[id] ?? []), example];
  }
  return chosen;
}

/** Finds the operation of an exchange; null for a former path, and for parameters it does not know. */
function finder(document: OpenApiDocument) {
  const candidates = operationsOf(document)
    .filter(({ operation }) => operation.deprecated !== true)
    .map((placed) => ({ placed, ...template(placed.path) }))
    // Fixed segments go before parameters, as in the router.
    .sort((a, b) => a.names.length - b.names.length);
  return (exchange: Exchange): { id: string; example: RecordedExample } | null => {
    const { pathname, searchParams } = new URL(exchange.url);
    for (const { placed, pattern, names } of candidates) {
      const values = pattern.exec(pathname)?.slice(1);
      if (values === undefined || placed.method !== exchange.method.toLowerCase()) continue;
      const inPath = names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]);
      const parameters = Object.fromEntries([...inPath, ...searchParams]);
      return isKnown(placed, parameters)
        ? { id: placed.id, example: exampleOf(exchange, parameters) }
        : null;
    }
    return null;
  };
}

function template(path: string): { pattern: RegExp; names: string[] } {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  return { pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "([^/]+)")}$`), names };
}

function isKnown({ operation }: PlacedOperation, parameters: Record<string, string>): boolean {
  const known = new Set(operation.parameters?.map(({ name }) => name));
  return Object.keys(parameters).every((name) => known.has(name));
}

function exampleOf(
  { request, status, contentType, answer }: Exchange,
  parameters: Record<string, string>,
): RecordedExample {
  const text = JSON.stringify({ parameters, request, status, contentType, answer });
  return JSON.parse(text.replace(LOCAL_ORIGIN, SERVER)) as RecordedExample;
}

/** How much an example shows: how many different values, with one entry of each list. */
function scoreOf({ parameters, request, answer }: RecordedExample): number {
  const length = JSON.stringify([request, answer]).length;
  const shown = valuesIn(answer) + valuesIn(request) / 3 + Object.keys(parameters).length / 2;
  return length > LONG ? -length : shown;
}

function valuesIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  const parts = Array.isArray(value) ? value.slice(0, 1) : Object.values(value);
  return parts.reduce((sum: number, part) => sum + valuesIn(part) + 1, 0);
}
