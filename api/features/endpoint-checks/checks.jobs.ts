import { type Hex, sha256, stringToHex } from "viem";
import {
  checkEndpoints,
  declaredEndpoints,
  ENDPOINT_CHECK_FORMAT,
  endpointCheckText,
  missingFile,
  type PassportId,
  readFileFacts,
  type SendProbe,
} from "../../../protocol/endpoints/index.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { JobQueue } from "../../platform/jobs/ports.ts";
import type { IndexedAgent, IndexedAgents } from "../../soul/index-reads.ts";
import { byTokenId } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import { ANYWHERE, type PassportFiles } from "../passports/index.ts";
import { begin, enqueueCheck, enrol, finish, postpone, takeDue } from "./checks.store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Until the next check, of a valid agent that declares endpoints and of any other. */
const NEXT_MS = 6 * HOUR_MS;
const NEXT_OF_QUIET_MS = 3 * DAY_MS;
/** Of one round. A round that had as many goes on with the next. */
const AT_ONCE = 100;
/** Rounds of one run: what is left waits a minute. */
const ROUNDS = 5;

/** Puts new agents on the list, and enqueues the checks that are due. */
export async function scheduleDue(
  db: Database,
  jobs: JobQueue,
  clock: () => Date,
  signal: AbortSignal,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    signal.throwIfAborted();
    const now = clock();
    const enrolled = await enrol(db, AT_ONCE, now);
    const taken = await db.transaction(async (tx) => {
      const due = await takeDue(tx, AT_ONCE, now);
      for (const tokenId of due) await enqueueCheck(jobs, tx, tokenId, now);
      return due.length;
    });
    if (enrolled < AT_ONCE && taken < AT_ONCE) return;
  }
}

/** What a check takes. */
export interface Checking {
  readonly db: Database;
  readonly agents: IndexedAgents;
  readonly files: PassportFiles;
  readonly probing: (signal: AbortSignal) => SendProbe;
  readonly statements: { sign(text: string): Promise<Hex> };
  /** As registration files name it. */
  readonly registry: PassportId["registry"];
  readonly clock: () => Date;
}

/** Checks one agent, unless its last check began less than one pause ago. */
export async function checkAgent(
  checking: Checking,
  tokenId: bigint,
  signal: AbortSignal,
): Promise<void> {
  const { db, agents, clock } = checking;
  const startedAt = clock();
  if (!(await begin(db, tokenId, startedAt))) return;
  const { value: agent } = await agents.agent(byTokenId(tokenId));
  if (agent === null) {
    // A reorganization of the chain took it back; its id may be given again.
    await postpone(db, tokenId, new Date(startedAt.getTime() + DAY_MS));
  } else if (agent.soul.status === "BURNED") {
    await postpone(db, tokenId, null);
  } else {
    await checkLiving(checking, agent, startedAt, signal);
  }
}

async function checkLiving(
  { db, files, probing, statements, registry, clock }: Checking,
  agent: IndexedAgent,
  startedAt: Date,
  signal: AbortSignal,
): Promise<void> {
  const { tokenId, passportId } = agent.soul;
  const uri = agent.passport?.uri ?? "";
  const passport = { registry, agentId: passportId };
  const { facts, file } = await fileAt(files, uri, passport);
  const endpoints =
    file === null
      ? []
      : await checkEndpoints(
          { file, fileNamesPassport: facts.namesPassport, uri, passport },
          probing(signal),
        );
  const statement = endpointCheckText({
    format: ENDPOINT_CHECK_FORMAT,
    agentRegistry: registry,
    agentId: passportId.toString(),
    agentUriHash: sha256(stringToHex(uri)),
    checkedAt: startedAt.toISOString(),
    file: facts,
    endpoints,
  });
  const isWatched =
    validityOf(agent) === "valid" &&
    file !== null &&
    declaredEndpoints(file).some(({ kind }) => kind !== null);
  const signature = await statements.sign(statement);
  const dueAt = new Date(clock().getTime() + (isWatched ? NEXT_MS : NEXT_OF_QUIET_MS));
  await finish(db, { tokenId, startedAt, statement, signature }, endpoints, dueAt);
}

/** The file at the passport's URI as it can be read now. */
async function fileAt(files: PassportFiles, uri: string, passport: PassportId) {
  if (uri === "") return { facts: missingFile("no_uri"), file: null };
  const found = await files.read(uri, ANYWHERE);
  if (!("refused" in found)) return readFileFacts(found.text, passport);
  const { refused } = found;
  const unread = refused === "unsupported_uri" ? "unsupported" : "invalid";
  return { facts: missingFile(refused === "unavailable" ? refused : unread), file: null };
}
