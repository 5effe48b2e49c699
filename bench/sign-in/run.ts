import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { costTable, judged } from "../lib/measured-table.ts";
import { OPTIONS, OPTIONS_HELP } from "../lib/options.ts";
import { comparisonTable, writeSection } from "../lib/report.ts";
import { compare, type Measured } from "../lib/rounds.ts";
import { introspections, ourVerifies, peerVerifies } from "./verify.ts";
import { createWorld, type World } from "./world.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

const HELP = `Usage: npm --prefix bench run sign-in [-- options]

Boots the whole service, the reference SIWA server and a bare introspection route, measures them by turns, prints a table and
writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
${OPTIONS_HELP}`;

const TIMES = 2.5;
const SHARE = 0.7;

const INTROSPECT_BOUND =
  "both ask PostgreSQL once, in one prepared statement. What ours does besides, and the bare route does not: limits per caller, a body " +
  "of bounded size without double keys, some twenty headers (security, limits, other origins, the request's name), metrics, a line of log " +
  "without secrets, two more reads in the statement (revoked, transferred). Tried, and kept: answers and bodies no longer pass " +
  "through streams (1.3 ms in our process became 0.9), log lines are written together. Tried, and dropped: remembering which tokens " +
  "were found genuine (6 %, within what rounds differ by).";

const { values } = parseArgs({ options: OPTIONS });
if (values.help) {
  process.stdout.write(HELP);
} else {
  const world = await createWorld(values["cpu-prof"]);
  try {
    const section = await measure(world);
    console.log(section);
    if (!values["dry-run"]) writeSection(README, "sign-in", section);
  } finally {
    await world.close();
  }
}

async function measure(world: World): Promise<string> {
  const { ours, peer, floor, passports, souls, shared } = world;
  const passport = await compare(shared, [
    {
      name: "ours",
      server: ours,
      count: 300,
      prepare: (count) => ourVerifies(world, passports, 1, count),
    },
    {
      name: "reference SIWA server",
      server: peer,
      count: 60,
      prepare: (count) => peerVerifies(world, passports, "/verify", count),
    },
  ]);
  const soul = await compare(shared, [
    {
      name: "ours",
      server: ours,
      count: 300,
      prepare: (count) => ourVerifies(world, souls, 2, count),
    },
    {
      name: "reference SIWA server and a read of the soul",
      server: peer,
      count: 60,
      prepare: (count) => peerVerifies(world, souls, "/verify-soul", count),
    },
  ]);
  const shots = await introspections(world);
  const introspect = await compare(shared, [
    { name: "ours", server: ours, count: 3_000, prepare: shots.ours },
    { name: "bare route", server: floor, count: 3_000, prepare: shots.floor },
  ]);

  const rows = [
    {
      what: "agent sign-in verify, a passport",
      aim: TIMES,
      bound: verifyBound(passport),
      sides: passport,
    },
    {
      what: "agent sign-in verify, a sealed soul",
      aim: TIMES,
      bound: verifyBound(soul),
      sides: soul,
    },
    { what: "introspect", aim: SHARE, bound: INTROSPECT_BOUND, sides: introspect },
  ];
  const comparisons = rows.map(({ what, aim, bound, sides: [ours, peer] }) =>
    judged({ what, rate: "throughput", ours, peer, aim, bound }),
  );
  return [comparisonTable(comparisons), costTable(rows)].join("\n\n");
}

/** The rate of a verify if the service's own process cost nothing. */
function verifyBound([ours, peer]: readonly [Measured, Measured]): string {
  const all = ({ server, chain, postgres }: Measured["cost"]) => server + chain + postgres;
  const { chain, postgres } = ours.cost;
  const most = (all(peer.cost) / (chain + postgres)).toFixed(1);
  return (
    `the node's answer about the live state (${chain.toFixed(1)} ms of processor) and a nonce used up for good in PostgreSQL, with two ` +
    `reads (${postgres.toFixed(1)} ms): with these alone it would be ${most} times. The reference keeps nonces in the memory of ` +
    "its process, asks the node twice and recovers signatures in JavaScript. Tried, and kept: native recovery, one read by a view " +
    "contract, a leaner way to the node and of answers (4.5 ms in our process became about 3), one call of the node and one " +
    "statement for all sign-ins that wait at the moment."
  );
}
