import type { Address, Hex } from "viem";
import type {
  AgentFacts,
  CheckedEndpoint,
  EndpointState,
  FileFacts,
  GradeReport,
  PassportId,
} from "../../../protocol/endpoints/index.ts";
import type { IndexedAgent } from "../../soul/index-reads.ts";
import { type ValidityStatus, validityOf } from "../../soul/validity.ts";

/** Names of the jobs of endpoint checks. */
export const ENDPOINT_CHECK_JOBS = {
  /** Puts new agents on the list, and enqueues the checks that are due. `{}`. */
  schedule: "endpoint-checks.schedule",
  /** Checks the endpoints of one agent: `{tokenId}`. */
  check: "endpoint-check.run",
} as const;

/** What the service signed about an agent's endpoints. */
export interface SignedCheck {
  readonly checkedAt: Date;
  readonly file: FileFacts;
  readonly endpoints: readonly CheckedEndpoint[];
  readonly statement: string;
  readonly signature: Hex;
  readonly signer: Address;
}

/** How often each state was seen on one day (UTC). */
export interface CheckedDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly states: Readonly<Record<EndpointState, number>>;
}

export interface AgentCheck {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly passport: PassportId;
  readonly validity: ValidityStatus;
  /** Null before the first check, and before the time that was asked for. */
  readonly check: SignedCheck | null;
  /** Null while none is due. */
  readonly nextCheckAt: Date | null;
  /** Null before the first check: it would say of the file what was not looked at. */
  readonly report: GradeReport | null;
  readonly days: readonly CheckedDay[];
}

const SOUL_STATES = { valid: "valid", suspended: "suspended", not_linked: "provisional" } as const;

/** What an agent is graded by: its last check, and the index as it is now. */
export function factsOf(
  agent: IndexedAgent,
  last: Pick<SignedCheck, "file" | "endpoints">,
  isMetadataCurrent: boolean,
  now: Date,
): AgentFacts {
  const state = SOUL_STATES[validityOf(agent)];
  const isValid = state === "valid";
  return {
    file: last.file,
    endpoints: last.endpoints,
    hasWallet: agent.agentWallet !== null,
    soul: {
      state,
      metadataCurrent: isValid && isMetadataCurrent,
      didPublished: isValid && agent.soul.didArchiveId !== null,
      identityPublished: isValid && agent.identity !== null,
    },
    now,
  };
}
