import type { BuiltEngine } from "../build.ts";
import type { BuiltDecisions, SoulDecision } from "./soul-decision.routes.ts";

/** Builds every decision that the features list. */
export function buildDecisions<Parts>(
  listed: readonly SoulDecision<Parts>[],
  parts: Parts,
  engine: Pick<BuiltEngine, "operations" | "operatedSouls">,
) {
  const decisions: BuiltDecisions = new Map(
    listed.map((decision) => [decision.path, decision.build(parts, engine)]),
  );
  return {
    decisions,
    decisionDefinitions: [...decisions.values()].map(({ definition }) => definition),
  };
}
