import type { DemoAgent } from "../first-life.ts";
import { CAST, FIRST } from "./cast.ts";
import { endingSteps } from "./endings.ts";
import { startEndpointsServer } from "./endpoints-server.ts";
import { impostorSteps } from "./impostors.ts";
import { moneySteps } from "./money.ts";
import { organizationSteps } from "./organizations.ts";
import { ownerSteps } from "./owner-life.ts";
import { recordSteps } from "./records.ts";
import { register } from "./registrations.ts";
import { DemoStepError, dayName, type Step } from "./step.ts";
import { trustSteps } from "./trust.ts";
import { createWorld, type DemoStack } from "./world.ts";

/**
 * Gives the agent of the first life company and all of them a past, by the public client, the
 * public API and transactions of their owners. The chain's clock ends at the present.
 *
 * @throws DemoStepError with the agent and the step that failed.
 */
export async function fullDemo({
  stack,
  first,
  print,
}: {
  readonly stack: DemoStack;
  readonly first: DemoAgent;
  readonly print: (line: string) => void;
}): Promise<void> {
  const notes: string[] = [];
  const world = createWorld({
    stack,
    endpoints: await startEndpointsServer(priceOf(stack)),
    note: (text) => notes.push(text),
  });
  world.join("aurora", { ...first, owner: world.person("rosa") });

  const total = Object.keys(CAST).length + 1;
  let count = 1;
  const steps = inOrder([
    ...registrationSteps(),
    ...organizationSteps(),
    ...moneySteps(),
    ...trustSteps(),
    ...endingSteps(),
    ...impostorSteps(),
    ...ownerSteps(),
    ...recordSteps(),
  ]);
  print(`\nThe past of ${total} agents`);
  for (const step of steps) {
    await world.travelTo(step.daysAgo);
    await step.run(world).catch((error: unknown) => {
      throw new DemoStepError(step, error);
    });
    if (step.registers === true) count += 1;
    const progress = `${count} of ${total} agents`;
    print(`  ✓ ${progress}, ${dayName(step.daysAgo)}: ${step.subject} ${step.title}`);
    for (const text of notes.splice(0)) print(`      ${text}`);
  }
}

/** What meridian's paid endpoint asks for: half a unit of the chain's stablecoin. */
function priceOf({ deployment, accounts }: DemoStack) {
  return {
    network: `eip155:${deployment.chainId}`,
    asset: deployment.contracts.stablecoin,
    payTo: accounts.users[0]?.address ?? accounts.admin.address,
    amount: "500000",
  };
}

/** Steps of the same day stay in the order in which they are given. */
function inOrder(steps: readonly Step[]): Step[] {
  return steps.toSorted((one, other) => other.daysAgo - one.daysAgo);
}

function registrationSteps(): Step[] {
  return FIRST.map((name) => ({
    daysAgo: 40,
    subject: name,
    title: `is registered by ${CAST[name].owner}`,
    registers: true,
    run: (world) => register(world, name),
  }));
}
