import { parseArgs } from "node:util";
import { costTable, judged } from "../lib/measured-table.ts";
import { OPTIONS, OPTIONS_HELP } from "../lib/options.ts";
import { comparisonTable, publish } from "../lib/report.ts";
import { compare, type Measured } from "../lib/rounds.ts";
import { floorVerifies, introspections, ourVerifies, peerVerifies } from "./verify.ts";
import { createWorld, type World } from "./world.ts";

const HELP = `Usage: npm --prefix bench run sign-in [-- options]

Boots the whole service, the reference SIWA server and bare routes, measures them by turns, prints a table and
writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
${OPTIONS_HELP}`;

/** Of the peers' rates. */
const AIMS = { reference: 2.5, verifyFloor: 0.5, introspectFloor: 0.7 } as const;

/** Of each side in each round, also in the first one: so many are needed until both servers run compiled code. */
const VERIFIES = 600;
/** Processor ms of all three processes for a verify, before concurrent ones shared reads and writes. */
const VERIFY_BEFORE_MS = 4.3;
const VERIFY_SHARE = 0.6;

const VERIFY_FLOOR_BOUND =
  "the bare route reads the chain and writes a nonce, and nothing else. Ours also recovers the signature, reads the nonce and the agent's " +
  "details, signs a token, and does for every request what the bare route does not: limits, headers, a checked body, metrics, a line of log.";

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
    publish("sign-in", section, values["dry-run"]);
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
      count: VERIFIES,
      prepare: (count) => ourVerifies(world, passports, 1, count),
    },
    {
      name: "reference SIWA server",
      server: peer,
      count: VERIFIES,
      prepare: (count) => peerVerifies(world, passports, "/verify", count),
    },
  ]);
  const soul = await compare(shared, [
    {
      name: "ours",
      server: ours,
      count: VERIFIES,
      prepare: (count) => ourVerifies(world, souls, 2, count),
    },
    {
      name: "reference SIWA server and a read of the soul",
      server: peer,
      count: VERIFIES,
      prepare: (count) => peerVerifies(world, souls, "/verify-soul", count),
    },
    {
      name: "bare route, one read of the chain and one write",
      server: floor,
      count: VERIFIES,
      prepare: (count) => floorVerifies(souls, count),
    },
  ]);
  const shots = await introspections(world);
  const introspect = await compare(shared, [
    { name: "ours", server: ours, count: 3_000, prepare: shots.ours },
    { name: "bare route", server: floor, count: 3_000, prepare: shots.floor },
  ]);

  const whats = {
    passport: "agent sign-in verify, a passport",
    soul: "agent sign-in verify, a sealed soul",
    introspect: "introspect",
  } as const;
  const rate = "processor";
  const [ourSoul, soulPeer, soulFloor] = soul;
  const comparisons = [
    judged({
      what: whats.passport,
      rate,
      ours: passport[0],
      peer: passport[1],
      aim: AIMS.reference,
      bound: verifyBound(passport),
    }),
    judged({
      what: whats.soul,
      rate,
      ours: ourSoul,
      peer: soulPeer,
      aim: AIMS.reference,
      bound: verifyBound(soul),
    }),
    judged({
      what: whats.soul,
      rate,
      ours: ourSoul,
      peer: soulFloor,
      aim: AIMS.verifyFloor,
      bound: VERIFY_FLOOR_BOUND,
    }),
    wholeCost(whats.soul, soul),
    judged({
      what: whats.introspect,
      rate,
      ours: introspect[0],
      peer: introspect[1],
      aim: AIMS.introspectFloor,
      bound: INTROSPECT_BOUND,
    }),
  ];
  const costs = [
    { what: whats.passport, sides: passport },
    { what: whats.soul, sides: soul },
    { what: whats.introspect, sides: introspect },
  ];
  return [comparisonTable(comparisons), costTable(costs)].join("\n\n");
}

/** The processor time of a verify in the service, the node and PostgreSQL. */
function wholeCost(what: string, [ours, peer]: readonly [Measured, Measured, ...Measured[]]) {
  return {
    what: `${what}, processor ms of the API, the node and PostgreSQL`,
    ours: sumOf(ours.cost),
    peer: { name: "before verifies shared reads and writes", value: VERIFY_BEFORE_MS },
    aim: { text: `at most ${VERIFY_SHARE * 100} %`, atMost: VERIFY_BEFORE_MS * VERIFY_SHARE },
    bound: verifyBound([ours, peer]),
  };
}

function sumOf({ server, chain, postgres }: Measured["cost"]): number {
  return server + chain + postgres;
}

/** The rate of a verify if the service's own process cost nothing. */
function verifyBound([ours, peer]: readonly [Measured, Measured, ...Measured[]]): string {
  const { chain, postgres } = ours.cost;
  const most = (sumOf(peer.cost) / (chain + postgres)).toFixed(1);
  return (
    `the node's answer about the live state (${chain.toFixed(1)} ms of processor) and a nonce used up for good in PostgreSQL, with two ` +
    `reads (${postgres.toFixed(1)} ms): with these alone it would be ${most} times. The reference keeps nonces in the memory of ` +
    "its process, asks the node twice and recovers signatures in JavaScript. Of our process's own time, writing to sockets takes " +
    "a fifth, the chain's answer a tenth (6 % to decode it), recovery 8 %, collecting garbage 8 %, the message's hash 3 %. Tried, and " +
    "kept: native recovery, a faster keccak, one read by a view contract, a leaner way to the node and of answers, one call of the node " +
    "and one statement for all sign-ins that arrive in one turn of the event loop (4.5 ms in our process became 0.7). Not taken: a longer " +
    "wait for others than 2 ms, and a decoder of our own for the view's answer."
  );
}
