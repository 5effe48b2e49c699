import type { ReadRegistrationFile } from "../read-registration-file.ts";
import { a2aProbe } from "./a2a-card.ts";
import { domainProofRequest, type PassportId, provesDomain } from "./domain-proof.ts";
import {
  failed,
  type Probe,
  type ProbeFinding,
  type ProbeOutcome,
  type ProbeRequest,
  silentBy,
} from "./exchange.ts";
import { mcpProbe } from "./mcp.ts";
import { type DeclaredEndpoint, declaredEndpoints, type EndpointKind } from "./services.ts";
import { oasfProbe, webProbe, x402Probe } from "./web.ts";

/** What a check says of an endpoint, as it is shown. */
export const ENDPOINT_STATES = ["answers", "silent", "domain_not_proven", "not_checked"] as const;

export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** One endpoint as it was found. Service and endpoint are untrusted; all else is this protocol's. */
export interface CheckedEndpoint extends DeclaredEndpoint {
  readonly state: EndpointState;
  readonly seen: string;
  /** Whether it answered as its service should; null where it was not asked. */
  readonly answers: boolean | null;
  /** Whether its domain names the passport; null where that was not asked. */
  readonly domainProven: boolean | null;
  readonly quotesPayment: boolean | null;
  /** Milliseconds until its first answer; null without one. */
  readonly latencyMs: number | null;
  /** When its certificate ends, in UTC (ISO 8601); null without TLS. */
  readonly certificateEnds: string | null;
}

/** One request, carried out. */
export interface SentProbe {
  readonly outcome: ProbeOutcome;
  readonly ms: number;
  readonly certificateEnds: Date | null;
}

/** Sends one request, under the sender's own rules. Never rejects for what an endpoint does. */
export type SendProbe = (request: ProbeRequest) => Promise<SentProbe>;

export interface CheckedAgent {
  readonly file: Pick<ReadRegistrationFile, "services">;
  /** Whether the file itself names the passport. */
  readonly fileNamesPassport: boolean;
  /** Where the passport points. */
  readonly uri: string;
  readonly passport: PassportId;
}

/** More than any check needs. */
const MAX_REQUESTS = 8;
/** Endpoints of one agent that are asked at the same time. */
const AT_ONCE = 4;

const PROBES: Readonly<Record<EndpointKind, (endpoint: string) => Probe>> = {
  a2a: a2aProbe,
  mcp: mcpProbe,
  x402: x402Probe,
  oasf: oasfProbe,
  web: webProbe,
};

/** Checks every endpoint that a registration file declares, in the file's order. */
export async function checkEndpoints(
  agent: CheckedAgent,
  send: SendProbe,
): Promise<readonly CheckedEndpoint[]> {
  const proofs = new Map<string, Promise<boolean | null>>();
  const proofOf = (endpoint: string) => {
    const { origin } = new URL(endpoint);
    const proof = proofs.get(origin) ?? proveDomain(origin, agent, send);
    proofs.set(origin, proof);
    return proof;
  };
  const declared = declaredEndpoints(agent.file);
  const checked: CheckedEndpoint[] = [];
  for (let from = 0; from < declared.length; from += AT_ONCE) {
    const part = declared.slice(from, from + AT_ONCE);
    checked.push(...(await Promise.all(part.map((one) => checkOne(one, send, proofOf)))));
  }
  return checked;
}

async function checkOne(
  declared: DeclaredEndpoint,
  send: SendProbe,
  proofOf: (endpoint: string) => Promise<boolean | null>,
): Promise<CheckedEndpoint> {
  const { kind, endpoint } = declared;
  if (kind === null) {
    return {
      ...declared,
      state: "not_checked",
      seen: "There is nothing to ask here, or more than twelve endpoints were named.",
      answers: null,
      domainProven: null,
      quotesPayment: null,
      latencyMs: null,
      certificateEnds: null,
    };
  }
  const { finding, latencyMs, certificateEnds } = await runProbe(PROBES[kind](endpoint), send);
  const { answers, seen, quotes } = finding;
  const domainProven = await proofOf(endpoint);
  return {
    ...declared,
    state: stateOf(answers, domainProven),
    seen,
    answers,
    domainProven,
    quotesPayment: quotes,
    latencyMs,
    certificateEnds: certificateEnds?.toISOString() ?? null,
  };
}

function stateOf(answers: boolean | null, domainProven: boolean | null): EndpointState {
  if (answers === null) return "not_checked";
  if (!answers) return "silent";
  return domainProven === true ? "answers" : "domain_not_proven";
}

async function runProbe(probe: Probe, send: SendProbe) {
  let latencyMs: number | null = null;
  let certificateEnds: Date | null = null;
  let step = probe.next();
  let finding: ProbeFinding | null = null;
  for (let requests = 0; finding === null; requests += 1) {
    if (step.done === true) finding = step.value;
    else if (requests === MAX_REQUESTS) finding = silentBy("too_large");
    else {
      const { outcome, ms, certificateEnds: ends } = await send(step.value);
      if (!failed(outcome)) {
        latencyMs ??= Math.round(ms);
        certificateEnds ??= ends;
      }
      step = probe.next(outcome);
    }
  }
  return { finding, latencyMs, certificateEnds };
}

/**
 * Whether the origin belongs to the agent. Where the passport points at a file of the same origin
 * that names the passport, the origin has said so already (ERC-8004).
 */
async function proveDomain(
  origin: string,
  { uri, fileNamesPassport, passport }: CheckedAgent,
  send: SendProbe,
): Promise<boolean | null> {
  const isServedThere = /^https:/i.test(uri) && URL.canParse(uri) && new URL(uri).origin === origin;
  if (isServedThere && fileNamesPassport) return true;
  const { outcome } = await send(domainProofRequest(origin));
  return provesDomain(outcome, passport);
}
