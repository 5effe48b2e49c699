import { parseArgs } from "node:util";
import { costTable, judged, type MeasuredRow } from "../lib/measured-table.ts";
import { OPTIONS, OPTIONS_HELP } from "../lib/options.ts";
import { type Comparison, comparisonTable, publish } from "../lib/report.ts";
import { compare, type Measured, type Side } from "../lib/rounds.ts";
import { FLOOR, held, inTurn, listOf, OURS, PONDER, pageOf, sizeOf } from "./shots.ts";
import { createWorld, type World } from "./world.ts";

const HELP = `Usage: npm --prefix bench run reads [-- options]

Boots the whole service with many agents and a bare server, measures public reads by turns, prints a table and writes it into
bench/README.md. An aim that is missed is reported, not an error.

Options
  --agents <n>      Agents in the index, default 1000
  --requests <n>    Requests of each side in each round, default 1500
  --only <word>     Only reads whose name has this word. Implies --dry-run
${OPTIONS_HELP}`;

/** Of the peers' rates. */
const AIMS = { ponder: 5, nothing: 0.4, read: 0.6, held: 0.9, page: 0.6 } as const;

const PONDER_BOUND =
  "Ponder builds its answer from a GraphQL document that it parses and plans for each request, with a statement for each table. It has " +
  "neither limits nor metrics nor a log line, and does not look at what this service stores itself.";
const READ_BOUND =
  "the bare route sends two joined rows as they come. Ours asks whether its kept answer still holds (one small statement for all that wait) " +
  "and does for every request what the bare route does not: limits per caller, checked parameters, some twenty headers, metrics, a line of log.";
const HELD_BOUND =
  "nothing is built, and the one small statement is shared. The bare route has no limits, headers, metrics or log.";
const NOTHING_BOUND =
  "what every request costs beside its work: limits per caller, some twenty headers (security, limits, other origins, the request's " +
  "name), metrics, a line of log. The bare route has none of them.";
const PAGE_BOUND =
  "as for a profile: the kept page is sent. Pages of many agents that are read for the first time since the last write are built: elements " +
  "that escape what owners wrote, from the agent's record and four further reads.";
const LIST_BOUND = "as for a profile: the kept page is sent.";
const WRITES_BOUND =
  "each of these writes ends all kept answers. A profile is built again, as 1,000 agents are read in turn; the explorer's first page once for each " +
  "write, and then shared.";
/** Milliseconds between two writes of the rows "with 20 writes a second". */
const WRITE_MS = 50;

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: "1000" },
    requests: { type: "string", default: "1500" },
    only: { type: "string", default: "" },
    ...OPTIONS,
  },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  const world = await createWorld(Number(values.agents), values["cpu-prof"]);
  try {
    const section = await measure(world, Number(values.requests), values.only);
    publish("reads", section, values["dry-run"] || values.only !== "");
  } finally {
    await world.close();
  }
}

/** A read, and the servers that answer it. */
interface Read {
  readonly what: string;
  readonly sides: readonly [ours: Side, floor: Side, ponder?: Side];
  /** Of the bare route's rate. */
  readonly aim: number;
  readonly bound: string;
}

async function measure(world: World, count: number, only: string): Promise<string> {
  const rows: MeasuredRow[] = [];
  const comparisons: Comparison[] = [];
  for (const { what, sides, aim, bound } of await readsOf(world, count)) {
    if (!what.includes(only)) continue;
    const measured = await compare(
      world.shared,
      sides.filter((side) => side !== undefined),
    );
    const [ours, floor, ponder] = measured as [Measured, Measured, Measured?];
    rows.push({ what, sides: measured });
    const rate = "processor";
    if (ponder) {
      const bound = PONDER_BOUND;
      comparisons.push(judged({ what, rate, ours, peer: ponder, aim: AIMS.ponder, bound }));
    }
    comparisons.push(judged({ what, rate, ours, peer: floor, aim, bound }));
  }
  return [comparisonTable(comparisons), costTable(rows)].join("\n\n");
}

async function readsOf(world: World, count: number): Promise<Read[]> {
  const { agents } = world;
  const ours = (prepare: Side["prepare"]): Side => ({
    name: "ours",
    server: world.ours,
    count,
    prepare,
  });
  const floor = (prepare: Side["prepare"], name = "bare route"): Side => ({
    name,
    server: world.floor,
    count,
    prepare,
  });
  const ponder = (prepare: Side["prepare"]): Side => ({
    name: "Ponder's GraphQL",
    server: world.ponder,
    count: Math.ceil(count / 5),
    prepare,
  });

  const json = (["profile", "did", "validity"] as const).flatMap((key): Read[] => {
    const what = { profile: "profile", did: "DID document", validity: "soul-validity" }[key];
    const bare = key === "validity" ? FLOOR.byTokenId : FLOOR.byName;
    const plain: Read = {
      what,
      sides: [
        ours(inTurn(agents, OURS[key])),
        floor(inTurn(agents, bare)),
        ponder(inTurn(agents, PONDER[key])),
      ],
      aim: AIMS.read,
      bound: READ_BOUND,
    };
    const unchanged: Read = {
      what: `${what} with a matching ETag`,
      sides: [ours(held(world, agents, OURS[key])), floor(inTurn(agents, bare))],
      aim: AIMS.held,
      bound: HELD_BOUND,
    };
    return [plain, unchanged];
  });

  const nothing: Read = {
    what: "a route that does nothing",
    sides: [ours(inTurn(agents, OURS.nothing)), floor(inTurn(agents, FLOOR.nothing))],
    aim: AIMS.nothing,
    bound: NOTHING_BOUND,
  };

  const [first] = agents;
  if (first === undefined) throw new Error("There is no agent to read.");
  const bytes = await sizeOf(world, OURS.page(first));
  const page: Read = {
    what: "an agent's page",
    sides: [
      ours(inTurn(agents, OURS.page)),
      floor(inTurn(agents, pageOf(bytes)), "bare route, as many bytes"),
    ],
    aim: AIMS.page,
    bound: PAGE_BOUND,
  };
  const listBytes = await sizeOf(world, OURS.list());
  const list: Read = {
    what: "the explorer's first page",
    sides: [
      ours(inTurn(agents, OURS.list)),
      floor(inTurn(agents, listOf(listBytes)), "bare route, as many bytes"),
      ponder(inTurn(agents, PONDER.list)),
    ],
    aim: AIMS.page,
    bound: LIST_BOUND,
  };
  const beside = () => world.writes.every(WRITE_MS);
  const amongWrites = (of: Read): Read => ({
    what: `${of.what} with 20 writes a second`,
    sides: [
      { ...of.sides[0], beside },
      { ...of.sides[1], beside },
    ],
    aim: of.aim,
    bound: WRITES_BOUND,
  });
  const [profile] = json;
  if (profile === undefined) throw new Error("There is no read of a profile.");
  return [nothing, ...json, page, list, amongWrites(profile), amongWrites(list)];
}
