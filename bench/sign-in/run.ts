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

const TIMES = 10;
const SHARE = 0.8;

const VERIFY_BOUND = "";
const INTROSPECT_BOUND = "";

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
        bound: VERIFY_BOUND,
        sides: passport,
      },
      {
        what: "agent sign-in verify, a sealed soul",
        than: "reference SIWA server and a read of the soul",
        aim: TIMES,
        bound: VERIFY_BOUND,
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

/** Where the time of one request goes: whatever else the machine does, these do not change. */
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
