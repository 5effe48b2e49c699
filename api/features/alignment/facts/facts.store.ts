import type { OnChainFact } from "../../../../protocol/index.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { Database } from "../../../platform/database/connect.ts";
import { readable } from "../../../soul/index-views.store.ts";
import { type CountedFile, countFile, type FilePlace } from "./capabilities.ts";
import { type FactsByAgent, readDecisions } from "./decisions.store.ts";
import type { GatheredAgent, ScoredAgent } from "./facts.ts";
import { type PageSoul, pageOf, readSouls } from "./page.store.ts";
import { type RecordCounts, readRecords } from "./records.store.ts";
import { readReputation } from "./reputation.store.ts";

/** Registration files that are read at the same time. */
const FILES_AT_ONCE = 10;

/**
 * The text at a passport's URI; null when it is not on permanent storage or not in the URI itself.
 *
 * @throws ApiError STORAGE_UNAVAILABLE when that is not known now.
 */
type FileAt = (uri: string) => Promise<string | null>;

export type FactSource = ReturnType<typeof createFactSource>;

/** A registration file that storage cannot answer for now. */
const UNKNOWN = Symbol("unknown");

type AgentFile = CountedFile & { readonly isKnown: boolean };

/** Facts from the index and from this service's tables: a fixed number of statements per page. */
export function createFactSource({
  db,
  place,
  fileAt,
}: {
  readonly db: Database;
  readonly place: FilePlace;
  readonly fileAt: FileAt;
}) {
  /** Everything of one block: the index and the counts are read in one snapshot of the database. */
  const readPage = (tokenIds: readonly bigint[]) =>
    readable(() =>
      db.transaction(
        async (tx) => {
          const { at, souls } = await readSouls(tx, tokenIds);
          const page = pageOf(souls);
          const now = at.timestamp;
          return {
            at,
            souls,
            facts: [
              ...(await readDecisions(tx, page, now)),
              ...(await readReputation(tx, page, souls, now)),
            ],
            counts: await readRecords(tx, page, souls, now),
          };
        },
        { isolationLevel: "repeatable read", accessMode: "read only" },
      ),
    );

  return {
    /**
     * The agents with everything that their scores can depend on, all of one block, without those
     * that are not indexed.
     *
     * @throws ApiError REGISTRY_PENDING while nothing is indexed.
     */
    async gather(tokenIds: readonly bigint[]) {
      const { at, souls, facts, counts } = await readPage(tokenIds);
      const files = await readFiles(souls, place, fileAt);
      const byAgent = groupFacts(facts);
      return {
        at,
        agents: souls.map((soul) => {
          const file = files.get(soul.tokenId);
          if (file === undefined) throw new Error("A registration file was not counted.");
          return agentOf(soul, byAgent.get(soul.tokenId) ?? [], counts, file);
        }),
      };
    },

    /** The agents as they are now, without those that are not indexed. */
    states: (tokenIds: readonly bigint[]): Promise<readonly ScoredAgent[]> =>
      readable(async () => (await db.transaction((tx) => readSouls(tx, tokenIds))).souls),
  };
}

/** An owner chooses the URI: what one agent's file does must not reach the others of the page. */
async function textAt(fileAt: FileAt, uri: string | null): Promise<string | null | typeof UNKNOWN> {
  try {
    return uri === null ? null : await fileAt(uri);
  } catch (error) {
    if (error instanceof ApiError && error.type === "STORAGE_UNAVAILABLE") return UNKNOWN;
    throw error;
  }
}

async function readFiles(
  souls: readonly PageSoul[],
  place: FilePlace,
  fileAt: FileAt,
): Promise<ReadonlyMap<bigint, AgentFile>> {
  const files = new Map<bigint, AgentFile>();
  for (let start = 0; start < souls.length; start += FILES_AT_ONCE) {
    const some = souls.slice(start, start + FILES_AT_ONCE);
    await Promise.all(
      some.map(async (soul) => {
        const text = await textAt(fileAt, soul.uri);
        const counted = countFile(soul, text === UNKNOWN ? null : text, place);
        files.set(soul.tokenId, { ...counted, isKnown: text !== UNKNOWN });
      }),
    );
  }
  return files;
}

function groupFacts(facts: FactsByAgent): ReadonlyMap<bigint, readonly OnChainFact[]> {
  const groups = Map.groupBy(facts, ([tokenId]) => tokenId);
  return new Map(
    [...groups].map(([tokenId, group]) => [tokenId, group.map(([, fact]) => fact)] as const),
  );
}

const NOTHING = { counted: 0, fitting: 0 };

function agentOf(
  soul: PageSoul,
  facts: readonly OnChainFact[],
  { chronicles, records, documents, requests }: RecordCounts,
  file: AgentFile,
): GatheredAgent {
  const { tokenId } = soul;
  const asked = requests.get(tokenId);
  if (asked === undefined) throw new Error("Disclosure requests were not counted.");
  return {
    ...soul,
    isFileKnown: file.isKnown,
    facts: [
      soul.start,
      ...soul.operators,
      ...facts,
      { kind: "tasks", chronicles: chronicles.get(tokenId) ?? NOTHING, skills: file.skills },
      records.get(tokenId) ?? { kind: "records", operatorChange: 0, soulRevision: 0 },
      documents.get(tokenId) ?? { kind: "documents", immutableChanged: 0 },
      file.fact,
      asked,
    ],
  };
}
