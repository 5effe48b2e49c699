import type { BuiltEngine } from "../build.ts";
import type { BuiltDecisions, SoulDecision } from "./soul-decision.routes.ts";

/** Builds every decision that the features list. */
export function buildDecisions<Parts>(
  listed: readonly SoulDecision<Parts>[],
  parts: Parts,
  { operatedSouls }: Pick<BuiltEngine, "operatedSouls">,
) {
  const decisions: BuiltDecisions = new Map(
    listed.map((decision) => [decision.path, decision.build(parts, operatedSouls)]),
  );
  return {
    decisions,
    decisionDefinitions: [...decisions.values()].map(({ definition }) => definition),
  };
}
