import { bindingConsistency } from "./binding-consistency.ts";
import { externalTrust } from "./external-trust.ts";
import {
  ALIGNMENT_WEIGHTS,
  type Alignment,
  type AlignmentBreakdown,
  type AlignmentComponent,
  type AlignmentFact,
  type AlignmentMoment,
  type OnChainFact,
} from "./facts.ts";
import { type AlignmentInputs, inputsOf, MONTH_SECONDS } from "./inputs.ts";
import { inOrder } from "./order.ts";
import { policyCompliance } from "./policy-compliance.ts";
import { protocolAdherence } from "./protocol-adherence.ts";
import { spendingAlignment } from "./spending.ts";
import { taskTypeAlignment } from "./task-type.ts";

type Component = (inputs: AlignmentInputs) => {
  /** An integer from 0 to 100. */
  readonly value: number;
  readonly used: readonly AlignmentFact[];
};

const COMPONENTS: Readonly<Record<AlignmentComponent, Component>> = {
  spendingAlignment,
  taskTypeAlignment,
  protocolAdherence,
  policyCompliance,
  bindingConsistency,
  externalTrust,
};

const NAMES = Object.keys(ALIGNMENT_WEIGHTS) as AlignmentComponent[];

/**
 * The score of one agent at one moment. It depends on the set of facts alone, not on their order or
 * on repetitions. Facts of other epochs and later facts do not count.
 *
 * @throws InvalidAlignmentFactsError when the start of the epoch or a count is missing.
 */
export function alignmentOf(facts: readonly AlignmentFact[], at: AlignmentMoment): Alignment {
  const inputs = inputsOf(facts, at);
  const results = NAMES.map((name) => [name, COMPONENTS[name](inputs)] as const);
  const breakdown = byName(results.map(([name, { value }]) => [name, value]));
  const isNewAgent = at.timestamp - inputs.start.timestamp < MONTH_SECONDS;
  return {
    score: isNewAgent ? null : weightedScore(breakdown),
    isNewAgent,
    isProvisional: inputs.seal === null,
    breakdown,
    epoch: inOrder<OnChainFact>([inputs.start, inputs.seal].filter((fact) => fact !== null)),
    used: byName(results.map(([name, { used }]) => [name, inOrder(used)])),
  };
}

/** The weighted sum of the components, rounded half up. */
export function weightedScore(breakdown: AlignmentBreakdown): number {
  const percent = NAMES.reduce((sum, name) => sum + ALIGNMENT_WEIGHTS[name] * breakdown[name], 0);
  return Math.floor((percent + 50) / 100);
}

function byName<Value>(entries: readonly (readonly [AlignmentComponent, Value])[]) {
  return Object.fromEntries(entries) as Record<AlignmentComponent, Value>;
}
