import type { BuiltEngine } from "../build.ts";
import type { Decision, DecisionDeps } from "./decision.routes.ts";

/** Builds every decision that the features list. */
export function buildDecisions<Parts>(
  listed: readonly Decision<Parts>[],
  parts: Parts,
  engine: Pick<BuiltEngine, "operations" | "operatedSouls">,
) {
  const decisions: DecisionDeps["decisions"] = new Map(
    listed.map((decision) => [decision.path, decision.build(parts, engine)]),
  );
  return {
    decisions,
    /** Of those that a stopped process can leave behind: what no contract verifies is accepted and ended at once. */
    decisionDefinitions: [...decisions.values()].flatMap(({ definition }) =>
      definition.settlement === "chain" ? [definition] : [],
    ),
  };
}
