import { ALIGNMENT_JOBS } from "../../api/features/alignment/job-names.ts";
import { jobsCommand } from "../jobs/command.ts";
import type { AgentName } from "./cast.ts";
import type { Step } from "./step.ts";
import type { World } from "./world.ts";

/** Agents whose present epoch is older than 30 days. */
const SCORED = ["aurora", "meridian", "quill", "sextant"] as const;

/** Chronicles in two batches and some that wait for the next one, and scores of the agents. */
export function recordSteps(): Step[] {
  return [
    ...SCORED.map(isScored),
    { daysAgo: 0, subject: "the service", title: "records the scores", run: recordScores },
    records("aurora", "achievement", "Catalogued the harbour library", { skill: "cataloguing" }),
    records("aurora", "experience", "Recommended 200 books", { skill: "recommendation" }),
    records("meridian", "achievement", "Brought the hundredth cargo in", {
      skill: "route-planning",
    }),
    records("quill", "achievement", "Finished a story with forty foxes", { skill: "storytelling" }),
    { daysAgo: 0, subject: "the service", title: "anchors a batch of records", run: anchor },
    records("sextant", "certification", "Audited meridian's logs of a month", {
      skill: "auditing",
    }),
    records("tallow", "technical", "Closed the month", { skill: "bookkeeping" }),
    records("cinder", "experience", "Called a neighbour in time", { skill: "calling-for-help" }),
    { daysAgo: 0, subject: "the service", title: "anchors a second batch", run: anchor },
    records("meridian", "technical", "Learned the new buoys", { skill: "tide-tables" }),
    changesOperator("quill"),
    ...SCORED.map(isScored),
    { daysAgo: 0, subject: "the service", title: "records newer scores", run: recordScores },
  ];
}

function records(
  name: AgentName,
  category: "achievement" | "certification" | "experience" | "technical",
  title: string,
  more: Readonly<Record<string, string>>,
): Step {
  return {
    daysAgo: 0,
    subject: name,
    title: `records: ${title}`,
    run({ client, agent }) {
      const { tokenId, apiKey } = agent(name);
      const body = { tokenId, category, data: { title, ...more } };
      return client.with({ apiKey }).call("recordChronicle", { body });
    },
  };
}

/** Batches run on the hour. The operator of the service runs one at once. */
const anchor = (world: World) => runJob(world, ["batch", "--now"]);

/** Waits until the scores are on chain. The operator starts the job that is due in 30 seconds. */
async function recordScores(world: World): Promise<void> {
  const { client, agent } = world;
  await runJob(world, ["run", ALIGNMENT_JOBS.snapshots]);
  for (const name of SCORED) {
    const { tokenId, apiKey } = agent(name);
    await client.with({ apiKey }).waitFor("getStoredAlignment", {
      query: { tokenId },
      until: ({ snapshot }) => snapshot?.status === "recorded",
      intervalMs: 500,
      maxRequests: 120,
    });
  }
}

async function runJob({ stack }: World, args: readonly string[]): Promise<void> {
  let complaint = "";
  const status = await jobsCommand(args, {
    environment: { DATABASE_URL: stack.urls.database },
    print: () => {},
    complain: (line) => {
      complaint += line;
    },
  });
  if (status !== 0) throw new Error(complaint.trim());
}

function changesOperator(name: AgentName): Step {
  return {
    daysAgo: 0,
    subject: name,
    title: "gets an account of its own",
    run({ client, agent, person }) {
      const { tokenId, owner: signer } = agent(name);
      const body = {
        tokenId,
        category: "technical" as const,
        data: { changeType: "operator_change", operator: person("clerk").address },
      };
      return client.sign("recordChronicle", { body, signer });
    },
  };
}

/** The service computes the score and records it on chain. */
function isScored(name: AgentName): Step {
  return {
    daysAgo: 0,
    subject: name,
    title: "is scored",
    run({ client, agent }) {
      const { tokenId, apiKey } = agent(name);
      return client.with({ apiKey }).call("requestSnapshot", { body: { tokenId } });
    },
  };
}
