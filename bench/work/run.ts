import { parseArgs } from "node:util";
import { costTable, judged } from "../lib/measured-table.ts";
import { OPTIONS, OPTIONS_HELP } from "../lib/options.ts";
import { type Comparison, comparisonTable, publish } from "../lib/report.ts";
import { compare } from "../lib/rounds.ts";
import { batchSides, deliverySides } from "./sides.ts";
import { createWorld, type World } from "./world.ts";

const HELP = `Usage: npm --prefix bench run work [-- options]

Boots the whole service and a process with bare loops. Measures by turns how long a batch of chronicles takes to be anchored, and
events to be delivered to webhooks. Prints a table and writes it into bench/README.md. An aim that is missed is reported, not an error.

Options
  --chronicles <n>  In a batch, default 10000. 0 leaves it out
  --events <n>      Default 10000, over 200 webhooks. 0 leaves it out
  --rounds <n>      After one that does not count, default 3
${OPTIONS_HELP}`;

/** Of the bare loop's rate. */
const AIMS = { batch: 0.5, delivery: 0.8 } as const;

const BATCH_BOUND =
  "the bare loop holds no lease and stores the batch once it is mined. Ours stores it before, so that a killed process continues " +
  "with the same tree, confirms it afterwards, looks for webhooks of its agents, and is a job of the queue.";
const DELIVERY_BOUND =
  "the bare loop takes no lease, counts no places per webhook and owner, looks at no agent, and resumes nothing when it is killed.";

const { values } = parseArgs({
  options: {
    chronicles: { type: "string", default: "10000" },
    events: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    ...OPTIONS,
  },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  const world = await createWorld(values["cpu-prof"]);
  try {
    const section = await measure(world);
    publish("work", section, values["dry-run"]);
  } finally {
    await world.close();
  }
}
process.exit();

async function measure(world: World): Promise<string> {
  const sections: string[] = [];
  const [chronicles, events, rounds] = [values.chronicles, values.events, values.rounds].map(
    Number,
  ) as [number, number, number];
  const add = (unit: string, row: Row) => {
    const { what, aim, bound, sides } = row;
    const [ours, peer] = sides;
    const rate = "throughput";
    const comparison: Comparison = judged({ what, rate, ours, peer, aim, bound, unit: `${unit}s` });
    sections.push(comparisonTable([comparison]), costTable([row], { unit, digits: 3 }));
  };
  if (chronicles > 0) {
    const sides = await compare(world.shared, batchSides(world, chronicles), rounds);
    const what = `a batch of ${chronicles.toLocaleString("en-US")} chronicles`;
    add("chronicle", { what, aim: AIMS.batch, bound: BATCH_BOUND, sides });
  }
  if (events > 0) {
    await world.addWebhooks();
    const sides = await compare(world.shared, deliverySides(world, events), rounds);
    const what = `${events.toLocaleString("en-US")} events over 200 webhooks`;
    add("event", { what, aim: AIMS.delivery, bound: DELIVERY_BOUND, sides });
  }
  return sections.join("\n\n");
}

interface Row {
  readonly what: string;
  readonly aim: number;
  readonly bound: string;
  readonly sides: Awaited<ReturnType<typeof compare<ReturnType<typeof batchSides>>>>;
}
