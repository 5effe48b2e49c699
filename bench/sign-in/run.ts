import { fileURLToPath } from "node:url";
import { type Comparison, comparisonTable, writeSection } from "../lib/report.ts";
import { compare, type Measured } from "./rounds.ts";
import { introspections, ourVerifies, peerVerifies } from "./verify.ts";
import { createWorld } from "./world.ts";

const README = fileURLToPath(new URL("../README.md", import.meta.url));

const HELP = `Usage: npm --prefix bench run sign-in

Boots the whole service, the reference SIWA server and a bare introspection route, measures them by turns, prints a table and
writes it into bench/README.md. An aim that is missed is reported, not an error.
`;

const TIMES = 2.5;
const SHARE = 0.7;

const INTROSPECT_BOUND =
  "both ask PostgreSQL once, in one prepared statement. What ours does besides, and the bare route does not: limits per caller, a body " +
  "of bounded size without double keys, some twenty headers (security, limits, other origins, the request's name), metrics, a line of log " +
  "without secrets, two more reads in the statement (revoked, transferred). Tried, and kept: answers and bodies no longer pass " +
  "through streams (1.3 ms in our process became 0.9), log lines are written together. Tried, and dropped: remembering which tokens " +
  "were found genuine (6 %, within what rounds differ by).";

if (process.argv.includes("--help")) {
  process.stdout.write(HELP);
} else {
  const world = await createWorld();
  try {
    const { ours, peer, floor, passports, souls } = world;
    const passport = await compare(
      world,
      [
        { server: ours, prepare: (count) => ourVerifies(world, passports, 1, count) },
        { server: peer, prepare: (count) => peerVerifies(world, passports, "/verify", count) },
      ],
      [300, 60],
    );
    const soul = await compare(
      world,
      [
        { server: ours, prepare: (count) => ourVerifies(world, souls, 2, count) },
        { server: peer, prepare: (count) => peerVerifies(world, souls, "/verify-soul", count) },
      ],
      [300, 60],
    );
    const shots = await introspections(world);
    const introspect = await compare(
      world,
      [
        { server: ours, prepare: shots.ours },
        { server: floor, prepare: shots.floor },
      ],
      [3_000, 3_000],
    );

    const rows: Row[] = [
      {
        what: "agent sign-in verify, a passport",
        than: "reference SIWA server",
        aim: TIMES,
        bound: verifyBound(passport),
        sides: passport,
      },
      {
        what: "agent sign-in verify, a sealed soul",
        than: "reference SIWA server and a read of the soul",
        aim: TIMES,
        bound: verifyBound(soul),
        sides: soul,
      },
      {
        what: "introspect",
        than: "bare route",
        aim: SHARE,
        bound: INTROSPECT_BOUND,
        sides: introspect,
      },
    ];
    const section = [comparisonTable(rows.map(comparison)), costTable(rows)].join("\n\n");
    console.log(section);
    writeSection(README, "sign-in", section);
  } finally {
    await world.close();
  }
}

interface Row {
  readonly what: string;
  readonly than: string;
  /** Of the peer's rate. */
  readonly aim: number;
  readonly bound: string;
  readonly sides: readonly [Measured, Measured];
}

function comparison({ what, than, aim, bound, sides: [ours, peer] }: Row): Comparison {
  return {
    what: `${what}, requests/s`,
    ours: ours.perSecond,
    peer: { name: than, value: peer.perSecond },
    aim: {
      text: aim < 1 ? `at least ${aim * 100} %` : `at least ${aim} times`,
      atLeast: peer.perSecond * aim,
    },
    bound,
  };
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

/** The cost of one request by process; other load on the machine does not change it. */
function costTable(rows: readonly Row[]): string {
  const ms = (value: number) => value.toFixed(2);
  const cells = rows.flatMap(({ what, than, sides }) =>
    sides.map(({ cost }, index) => [
      `${what}: ${index === 0 ? "ours" : than}`,
      ...[cost.server, cost.chain, cost.postgres].map(ms),
    ]),
  );
  const header = ["processor ms per request", "its process", "the node", "PostgreSQL"];
  return [header, header.map(() => "---"), ...cells]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
