import { canonicalJson } from "../json.ts";
import type { AlignmentFact, EventPlace, OffChainFact, OnChainFact } from "./facts.ts";

const HEX = /^0x[0-9a-fA-F]*$/;

/** Texts that are no hashes keep their case, also where they look like hex. */
const TEXTS = new Set(["tag1", "agentName"]);

/** The value with its addresses and hashes in lower case. */
export function lowerCaseHex<Value>(value: Value, key = ""): Value {
  if (typeof value === "string") {
    const isHex = HEX.test(value) && !TEXTS.has(key);
    return (isHex ? value.toLowerCase() : value) as Value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => lowerCaseHex(item)) as Value;
  const entries = Object.entries(value).map(([name, item]) => [name, lowerCaseHex(item, name)]);
  return Object.fromEntries(entries) as Value;
}

/** The value with its bigints as decimal strings, as JSON needs it. */
export function bigintsAsText(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(bigintsAsText);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, bigintsAsText(item)]),
  );
}

/** One text per fact: equal texts are one fact. */
export function factKey(fact: AlignmentFact): string {
  return canonicalJson(bigintsAsText(fact));
}

export function isOnChain(fact: AlignmentFact): fact is OnChainFact {
  return "place" in fact;
}

/** Order of events on chain. */
export function comparePlaces(one: EventPlace, other: EventPlace): number {
  if (one.blockNumber !== other.blockNumber) return one.blockNumber < other.blockNumber ? -1 : 1;
  return one.logIndex - other.logIndex;
}

/**
 * The canonical form: hex in lower case, facts in order of their place on chain, then counts in
 * order of their kind, each fact once. The same facts in any order give the same list.
 */
export function canonicalFacts<Fact extends AlignmentFact>(facts: readonly Fact[]): Fact[] {
  const byKey = new Map<string, Fact>();
  for (const fact of facts) {
    const normal = lowerCaseHex(fact);
    byKey.set(factKey(normal), normal);
  }
  return inOrder([...byKey.values()]);
}

/** Facts of one canonical list, in its order and each once. It is cheaper than making them canonical. */
export function inOrder<Fact extends AlignmentFact>(facts: readonly Fact[]): Fact[] {
  return [...new Set(facts)].sort(
    (one, other) =>
      // One event can be several facts: a batch of members joins at once.
      compareFacts(one, other) || compareTexts(factKey(one), factKey(other)),
  );
}

function compareFacts(one: AlignmentFact, other: AlignmentFact): number {
  if (isOnChain(one) && isOnChain(other)) return comparePlaces(one.place, other.place);
  if (isOnChain(one) !== isOnChain(other)) return isOnChain(one) ? -1 : 1;
  return compareTexts((one as OffChainFact).kind, (other as OffChainFact).kind);
}

function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
