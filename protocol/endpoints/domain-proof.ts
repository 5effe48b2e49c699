import { isPlainObject } from "../json.ts";
import {
  failed,
  get,
  JSON_ONLY,
  jsonOf,
  type ProbeOutcome,
  type ProbeRequest,
} from "./exchange.ts";

/** A passport of an ERC-8004 registry. */
export interface PassportId {
  /** `eip155:<chain id>:<registry>`. */
  readonly registry: string;
  readonly agentId: bigint;
}

const PROOF_PATH = "/.well-known/agent-registration.json";
const PROOF_BYTES = 1024 * 1024;

/** The request for the file by which an origin says whose agents are its own. */
export function domainProofRequest(origin: string): ProbeRequest {
  return get(origin + PROOF_PATH, PROOF_BYTES, JSON_ONLY);
}

/** Whether an origin's file names the passport; null where it could not be asked. */
export function provesDomain(outcome: ProbeOutcome, passport: PassportId): boolean | null {
  if (failed(outcome)) return outcome.failed === "busy" ? null : false;
  return outcome.status === 200 && namesPassport(jsonOf(outcome.body), passport);
}

/** Whether `registrations` of a JSON file has this passport, however long the list is. */
export function namesPassport(file: unknown, { registry, agentId }: PassportId): boolean {
  if (!isPlainObject(file) || !Array.isArray(file.registrations)) return false;
  return file.registrations.some(
    (entry) =>
      isPlainObject(entry) &&
      typeof entry.agentRegistry === "string" &&
      entry.agentRegistry.toLowerCase() === registry.toLowerCase() &&
      isId(entry.agentId, agentId),
  );
}

/** A number that JSON rounded could be another agent's id. */
function isId(value: unknown, id: bigint): boolean {
  const isExact = typeof value === "string" || Number.isSafeInteger(value);
  return isExact && String(value) === String(id);
}
