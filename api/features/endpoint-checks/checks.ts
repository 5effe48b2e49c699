import { type Address, type Hex, sha256, stringToHex } from "viem";
import {
  type CheckedEndpoint,
  checkEndpoints,
  declaredEndpoints,
  ENDPOINT_CHECK_FORMAT,
  type EndpointCheckStatement,
  endpointCheckText,
  type FileFacts,
  type GradeReport,
  gradeAgent,
  missingFile,
  type PassportId,
  readFileFacts,
  type SendProbe,
} from "../../../protocol/endpoints/index.ts";
import { agentRegistry, type ReadRegistrationFile } from "../../../protocol/index.ts";
import type { Transaction } from "../../platform/database/transaction.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { IndexedAgent, IndexedAgents, Reading } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { byTokenId, noSuchSoul, type SoulRef } from "../../soul/soul-ref.ts";
import { type ValidityStatus, validityOf } from "../../soul/validity.ts";
import { ANYWHERE, type PassportFiles } from "../passports/index.ts";
import { factsOf } from "./agent-facts.ts";
import { ENDPOINT_CHECK_JOBS } from "./job-names.ts";
import type { CheckedDay, CheckResults, CheckSchedule, PassportMetadata } from "./ports.ts";

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** No agent's endpoints are asked more often. */
const PAUSE_MS = 15 * MINUTE_MS;
/** Until the next check, of a valid agent that declares endpoints and of any other. */
const NEXT_MS = 6 * HOUR_MS;
const NEXT_OF_QUIET_MS = 3 * DAY_MS;
/** As long as results are kept. */
const HISTORY_DAYS = 90;
/** Of one round. A round that had as many goes on with the next. */
const AT_ONCE = 100;
/** Rounds of one run: what is left waits a minute. */
const ROUNDS = 5;

/** What the service signed about an agent's endpoints. */
export interface SignedCheck {
  readonly checkedAt: Date;
  readonly file: FileFacts;
  readonly endpoints: readonly CheckedEndpoint[];
  readonly statement: string;
  readonly signature: Hex;
  readonly signer: Address;
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

export interface EndpointCheckDeps {
  readonly agents: IndexedAgents;
  readonly schedule: CheckSchedule;
  readonly results: CheckResults;
  readonly metadata: PassportMetadata;
  readonly jobs: JobQueue;
  readonly files: PassportFiles;
  readonly probing: (signal: AbortSignal) => SendProbe;
  readonly statements: {
    readonly signer: Address;
    sign(text: string): Promise<Hex>;
  };
  readonly place: { readonly chainId: number; readonly identityRegistry: Address };
  readonly clock: () => Date;
}

export type EndpointChecks = ReturnType<typeof createEndpointChecks>;

/** Whether agents' endpoints answer: checked, signed, stored and graded. */
export function createEndpointChecks(deps: EndpointCheckDeps) {
  const { agents, schedule, results, metadata, jobs, files, statements, clock } = deps;
  const registry = agentRegistry(deps.place.chainId, deps.place.identityRegistry);

  const enqueue = (tx: Transaction, tokenId: bigint, startAfter: Date) =>
    jobs.send(
      tx,
      ENDPOINT_CHECK_JOBS.check,
      { tokenId: tokenId.toString() },
      { startAfter, singletonKey: tokenId.toString() },
    );

  async function signed(tokenId: bigint, before: Date | null) {
    const { last, dueAt } = await results.checks(tokenId, before);
    if (last === null) return { check: null, statement: null, dueAt };
    const statement = JSON.parse(last.statement) as EndpointCheckStatement;
    const check: SignedCheck = {
      checkedAt: last.startedAt,
      file: statement.file,
      endpoints: statement.endpoints,
      statement: last.statement,
      signature: last.signature,
      signer: statements.signer,
    };
    return { check, statement, dueAt };
  }

  /** The file at the passport's URI as it can be read now. */
  async function fileAt(
    uri: string,
    passport: PassportId,
  ): Promise<{ readonly facts: FileFacts; readonly file: ReadRegistrationFile | null }> {
    if (uri === "") return { facts: missingFile("no_uri"), file: null };
    const found = await files.read(uri, ANYWHERE);
    if (!("refused" in found)) return readFileFacts(found.text, passport);
    const reading =
      found.refused === "unsupported_uri"
        ? "unsupported"
        : found.refused === "unavailable"
          ? "unavailable"
          : "invalid";
    return { facts: missingFile(reading), file: null };
  }

  async function checkAgent(agent: IndexedAgent, startedAt: Date, signal: AbortSignal) {
    const { soul } = agent;
    const uri = agent.passport?.uri ?? "";
    const passport = { registry, agentId: soul.passportId };
    const { facts, file } = await fileAt(uri, passport);
    const endpoints =
      file === null
        ? []
        : await checkEndpoints(
            { file, fileNamesPassport: facts.namesPassport, uri, passport },
            deps.probing(signal),
          );
    const statement = endpointCheckText({
      format: ENDPOINT_CHECK_FORMAT,
      agentRegistry: registry,
      agentId: soul.passportId.toString(),
      agentUriHash: sha256(stringToHex(uri)),
      checkedAt: startedAt.toISOString(),
      file: facts,
      endpoints,
    });
    const isWatched =
      validityOf(agent) === "valid" &&
      file !== null &&
      declaredEndpoints(file).some(({ kind }) => kind !== null);
    const pause = isWatched ? NEXT_MS : NEXT_OF_QUIET_MS;
    await results.finish({
      tokenId: soul.tokenId,
      startedAt,
      statement,
      signature: await statements.sign(statement),
      endpoints,
      dueAt: new Date(clock().getTime() + pause),
    });
  }

  return {
    /** Puts new agents on the list, and enqueues the checks that are due. */
    async scheduleDue(signal: AbortSignal): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) {
        signal.throwIfAborted();
        const now = clock();
        const enrolled = await schedule.enrol(AT_ONCE, now);
        const again = new Date(now.getTime() + PAUSE_MS);
        const taken = await schedule.transaction(async (tx) => {
          const due = await schedule.takeDue(tx, AT_ONCE, now, again);
          for (const tokenId of due) await enqueue(tx, tokenId, now);
          return due.length;
        });
        if (enrolled < AT_ONCE && taken < AT_ONCE) return;
      }
    },

    /** Checks one agent, unless its last check began less than {@link PAUSE_MS} ago. */
    async run(tokenId: bigint, signal: AbortSignal): Promise<void> {
      const startedAt = clock();
      if (!(await schedule.begin(tokenId, startedAt, PAUSE_MS))) return;
      const { value: agent } = await agents.agent(byTokenId(tokenId));
      if (agent === null) {
        // A reorganization of the chain took it back; its id may be given again.
        await schedule.postpone(tokenId, new Date(startedAt.getTime() + DAY_MS));
      } else if (agent.soul.status === "BURNED") {
        await schedule.postpone(tokenId, null);
      } else {
        await checkAgent(agent, startedAt, signal);
      }
    },

    /**
     * Has an agent checked as soon as it may be.
     *
     * @throws ApiError NOT_FOUND, also for a burned agent.
     */
    async request(ref: SoulRef): Promise<{
      readonly agentName: string;
      readonly tokenId: bigint;
      readonly passportId: bigint;
      readonly checkAt: Date;
    }> {
      const { value } = await requireLiving(agents, ref);
      const { tokenId, passportId, name } = value.soul;
      const checkAt = await schedule.transaction(async (tx) => {
        const at = await schedule.request(tx, tokenId, clock(), PAUSE_MS);
        await enqueue(tx, tokenId, at);
        return at;
      });
      return { agentName: name, tokenId, passportId, checkAt };
    },

    /**
     * The last check of an agent that began before a time (null: now), with what it leads to.
     *
     * @throws ApiError NOT_FOUND, also for a burned agent.
     */
    async of(ref: SoulRef, before: Date | null): Promise<Reading<AgentCheck>> {
      const { at, value: agent, checkedAt } = await requireLiving(agents, ref);
      const { tokenId, name, passportId } = agent.soul;
      const now = clock();
      const [{ check, statement, dueAt }, days] = await Promise.all([
        signed(tokenId, before),
        results.days(tokenId, new Date(now.getTime() - HISTORY_DAYS * DAY_MS)),
      ]);
      return {
        at,
        checkedAt,
        value: {
          agentName: name,
          tokenId,
          passport: { registry, agentId: passportId },
          validity: validityOf(agent),
          check,
          nextCheckAt: dueAt,
          report:
            statement === null ? null : gradeAgent(await factsOf(agent, statement, metadata, now)),
          days,
        },
      };
    },

    /** The last check alone; null without one. */
    async last(tokenId: bigint): Promise<SignedCheck | null> {
      return (await signed(tokenId, null)).check;
    },
  };
}

async function requireLiving(agents: IndexedAgents, ref: SoulRef): Promise<Reading<IndexedAgent>> {
  const reading = await requireAgent(agents, ref);
  if (reading.value.soul.status === "BURNED") throw noSuchSoul(ref);
  return reading;
}
