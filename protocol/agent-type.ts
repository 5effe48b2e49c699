import { ProtocolError } from "./errors.ts";

/** The agent types in the order of their on-chain values 0 to 4. */
export const AGENT_TYPES = ["assistant", "companion", "specialist", "creative", "other"] as const;

export type AgentTypeName = (typeof AGENT_TYPES)[number];
/** On-chain value of an agent type. */
export type AgentTypeIndex = 0 | 1 | 2 | 3 | 4;

/** Labels accepted besides the five names, with the type that each means. */
const LABELS: Readonly<Record<string, AgentTypeIndex>> = {
  personal: 0,
  customer: 0,
  coding: 2,
  research: 2,
};

/** Everything that {@link parseAgentType} accepts. */
export const ACCEPTED_AGENT_TYPES: readonly (string | number)[] = [
  ...AGENT_TYPES,
  ...Object.keys(LABELS),
  ...AGENT_TYPES.keys(),
];

/** The input is not an agent type. */
export class InvalidAgentTypeError extends ProtocolError {
  override readonly name = "InvalidAgentTypeError";
  readonly code = "invalid_agent_type";
  readonly accepted = ACCEPTED_AGENT_TYPES;

  constructor(readonly input: unknown) {
    super(`An agent type is one of: ${ACCEPTED_AGENT_TYPES.join(", ")}.`);
  }
}

/**
 * The on-chain value of an agent type given by name, label or number.
 * @throws InvalidAgentTypeError for anything else, including numbers in strings and other
 * spellings.
 */
export function parseAgentType(input: string | number): AgentTypeIndex {
  if (typeof input === "number") {
    if (input === 0 || input === 1 || input === 2 || input === 3 || input === 4) return input;
    throw new InvalidAgentTypeError(input);
  }
  const index = (AGENT_TYPES as readonly string[]).indexOf(input);
  if (index >= 0) return index as AgentTypeIndex;
  const label = Object.hasOwn(LABELS, input) ? LABELS[input] : undefined;
  if (label === undefined) throw new InvalidAgentTypeError(input);
  return label;
}

/** The name of an on-chain agent type. */
export function agentTypeName(index: AgentTypeIndex): AgentTypeName {
  return AGENT_TYPES[index];
}
