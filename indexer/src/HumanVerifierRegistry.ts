import { ponder } from "ponder:registry";
import { humanProof, humanVerifier } from "ponder:schema";
import { occurrenceOf, updateBy } from "./occurrence.ts";

// The soul registry's constructor takes this registry. It may be older than the first indexed
// block.

ponder.on("HumanVerifierRegistry:VerifierProposed", async ({ event, context }) => {
  const change = {
    status: "PROPOSED" as const,
    activatableAt: BigInt(event.args.activatableAt),
    activatedBy: null,
    ...updateBy(event),
  };
  await context.db
    .insert(humanVerifier)
    .values({ address: event.args.verifier, ...change })
    .onConflictDoUpdate(change);
});

ponder.on("HumanVerifierRegistry:VerifierActivated", async ({ event, context }) => {
  const change = {
    status: "APPROVED" as const,
    activatedBy: event.args.caller,
    ...updateBy(event),
  };
  await context.db
    .insert(humanVerifier)
    .values({ address: event.args.verifier, ...change })
    .onConflictDoUpdate(change);
});

ponder.on("HumanVerifierRegistry:VerifierRemoved", async ({ event, context }) => {
  const change = { status: "REMOVED" as const, activatedBy: null, ...updateBy(event) };
  await context.db
    .insert(humanVerifier)
    .values({ address: event.args.verifier, ...change })
    .onConflictDoUpdate(change);
});

ponder.on("HumanVerifierRegistry:HumanProofConsumed", async ({ event, context }) => {
  await context.db.insert(humanProof).values({ ...event.args, ...occurrenceOf(event) });
});
