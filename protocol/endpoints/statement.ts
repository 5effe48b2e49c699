import type { Hex } from "viem";
import { canonicalJson } from "../json.ts";
import type { CheckedEndpoint } from "./check.ts";
import type { FileFacts } from "./file-facts.ts";

/** Format tag of a signed result set. Another one follows any change of its members. */
export const ENDPOINT_CHECK_FORMAT = "agent-identity-protocol/endpoint-checks/v1";

/** What one check of an agent found, as it is signed. */
export interface EndpointCheckStatement {
  readonly format: typeof ENDPOINT_CHECK_FORMAT;
  /** `eip155:<chain id>:<registry>`. */
  readonly agentRegistry: string;
  /** The passport, in decimal digits. */
  readonly agentId: string;
  /** SHA-256 of the URI that the passport had. */
  readonly agentUriHash: Hex;
  /** In UTC (ISO 8601). */
  readonly checkedAt: string;
  readonly file: FileFacts;
  readonly endpoints: readonly CheckedEndpoint[];
}

/** The exact text that is signed as a personal message (ERC-191): canonical JSON (RFC 8785). */
export function endpointCheckText(statement: EndpointCheckStatement): string {
  return canonicalJson(statement);
}
