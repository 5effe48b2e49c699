import { zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEventReads } from "../../api/features/events/events.store.ts";
import { createEventService, START, wordsOf } from "../../api/features/events/events.ts";
import { type EventKind, KINDS } from "../../api/features/events/kinds.ts";
import { byName } from "../../api/soul/soul-ref.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import { account, alice, bob } from "../fixtures/indexed-chain.ts";
import { type ChainIndex, type Mined, startChainIndex } from "./index-of-chain.ts";

// Every kind of event, from the contracts over the indexer to the list.

const carol = account(3);
const stranger = account(4);
const client = account(6);
const validator = account(7);

let index: ChainIndex;
beforeAll(async () => {
  index = await startChainIndex();
});
afterAll(() => index?.stop());

const short = (of: { address: string }) => `${of.address.slice(0, 6)}…${of.address.slice(-4)}`;

interface Expected {
  readonly kind: EventKind;
  readonly sentence: string;
  readonly block: bigint;
  readonly tx: string;
  readonly agent: string | null;
}

it("lists each kind of event once it has happened, in the order of the chain", async () => {
  const { chain, pool } = index;
  const expected: Expected[] = [];
  let last: Mined | undefined;
  /** What one transaction is expected to be listed as, in the order of its logs. */
  const happens = (
    mined: Mined,
    agent: string | null,
    ...listed: readonly (readonly [EventKind, string])[]
  ) => {
    last = mined;
    for (const [kind, sentence] of listed) {
      const { blockNumber: block, transactionHash: tx } = mined;
      expected.push({ kind, sentence, block, tx, agent });
    }
  };

  const proposed = await chain.proposeVerifier(stranger.address);
  const { verifier } = proposed;
  await chain.activateVerifier(carol, verifier);

  const other = await chain.register(bob, "other-agent");
  happens(
    other,
    "other-agent",
    ["soul.registered", `${short(bob)} registered other-agent, of type specialist.`],
    ["soul.sealed", `${short(bob)} sealed the soul of other-agent.`],
  );
  const name = "whole-life";
  const born = await chain.register(alice, name, { operator: bob.address, seal: false });
  const { tokenId, passportId } = born;
  happens(born, name, [
    "soul.registered",
    `${short(alice)} registered whole-life, of type specialist.`,
  ]);
  const proof = await chain.humanProof({
    attester: stranger,
    verifier,
    owner: alice.address,
    name,
    nullifier: hashOf("a person"),
  });
  happens(
    await chain.seal(alice, tokenId, "first", { proof }),
    name,
    ["human.proven", "The owner of whole-life proved to be a person."],
    ["soul.sealed", `${short(alice)} sealed the soul of whole-life.`],
  );
  happens(await chain.revise(alice, tokenId, "second"), name, [
    "soul.revised",
    `${short(alice)} gave whole-life a new soul.`,
  ]);
  happens(await chain.changeOperator(alice, tokenId, stranger.address), name, [
    "operator.changed",
    `${short(stranger)} acts for whole-life now.`,
  ]);
  happens(await chain.setDidArchive(alice, tokenId, hashOf("did")), name, [
    "did.updated",
    "whole-life has a new DID document.",
  ]);
  happens(
    await chain.setKeys(alice, tokenId, { hash: hashOf("keys"), archiveId: hashOf("archive") }),
    name,
    ["keys.updated", "whole-life has new public keys."],
  );
  happens(await chain.bind(alice, tokenId, other.tokenId, 3, "Rows with us."), name, [
    "binding.changed",
    "whole-life set its trust in other-agent to verified.",
  ]);
  const founded = await chain.createOrganization(alice, "Rowers");
  const { organizationId } = founded;
  happens(founded, null, [
    "organization.founded",
    `${short(alice)} founded organization ${organizationId}.`,
  ]);
  happens(await chain.join(alice, tokenId, organizationId), name, [
    "membership.joined",
    `whole-life joined organization ${organizationId}.`,
  ]);
  happens(await chain.leave(alice, tokenId), name, [
    "membership.left",
    `whole-life left organization ${organizationId}.`,
  ]);
  happens(await chain.join(alice, tokenId, organizationId), name, [
    "membership.joined",
    `whole-life joined organization ${organizationId}.`,
  ]);
  happens(await chain.changeAdmin(alice, organizationId, bob.address, bob), null, [
    "organization.handed-over",
    `${short(bob)} is the admin of organization ${organizationId} now.`,
  ]);

  await chain.fund(alice, 4_000_000n);
  const limits = { perTransaction: 2_000_000n, dailyLimit: 3_500_000n };
  happens(await chain.setAllowance(alice, tokenId, limits), name, [
    "allowance.set",
    "whole-life may pay up to 3.5 USDC a day.",
  ]);
  happens(await chain.spend(stranger, tokenId, client.address, 1_500_000n), name, [
    "payment.made",
    `whole-life paid 1.5 USDC to ${short(client)}.`,
  ]);
  happens(await chain.trySpend(stranger, tokenId, client.address, 9_000_000n), name, [
    "payment.refused",
    `whole-life could not pay 9 USDC to ${short(client)}.`,
  ]);
  happens(await chain.report(stranger, tokenId, zeroAddress, 1n, zeroHash), name, [
    "payment.reported",
    "whole-life reported a payment of 0.000001 USDC elsewhere.",
  ]);
  happens(await chain.deactivateAllowance(alice, tokenId), name, [
    "allowance.ended",
    "whole-life may pay nothing any more.",
  ]);

  const opinion = { value: -5n, valueDecimals: 0, tag1: "slow" };
  happens(await chain.giveFeedback(client, passportId, opinion), name, [
    "feedback.given",
    `${short(client)} left feedback on whole-life.`,
  ]);
  happens(
    await chain.answerFeedback(stranger, passportId, client.address, 1n, "https://a.example"),
    name,
    [
      "feedback.answered",
      `${short(stranger)} answered the feedback of ${short(client)} on whole-life.`,
    ],
  );
  happens(await chain.revokeFeedback(client, passportId, 1n), name, [
    "feedback.revoked",
    `${short(client)} took back its feedback on whole-life.`,
  ]);
  const request = await chain.requestValidation(alice, passportId, validator.address, "https://w");
  happens(request, name, [
    "validation.requested",
    `${short(validator)} was asked to validate whole-life.`,
  ]);
  happens(await chain.answerValidation(validator, request.requestHash, 40, "half"), name, [
    "validation.answered",
    `${short(validator)} validated whole-life with 40 of 100.`,
  ]);
  happens(await chain.recordAlignment([{ tokenId, score: 83 }]), name, [
    "alignment.scored",
    "whole-life scored 83 of 100 in alignment.",
  ]);
  happens(await chain.anchorBatch(3n), null, [
    "chronicles.anchored",
    "Batch 1 put 3 records on chain.",
  ]);

  happens(await chain.transferPassport(passportId, alice, carol.address), name, [
    "passport.transferred",
    `The passport of whole-life went from ${short(alice)} to ${short(carol)}.`,
  ]);
  happens(await chain.suspend(stranger, tokenId), name, [
    "soul.suspended",
    `whole-life was suspended: its passport was seen with ${short(carol)}.`,
  ]);
  const proofOfCarol = await chain.humanProof({
    attester: stranger,
    verifier,
    owner: carol.address,
    name,
    epoch: 2,
    nullifier: hashOf("another person"),
  });
  happens(
    await chain.reseal(carol, tokenId, "third", undefined, { proof: proofOfCarol }),
    name,
    ["human.proven", "The owner of whole-life proved to be a person."],
    ["soul.resealed", `${short(carol)} resealed whole-life as its owner.`],
  );
  happens(await chain.prune(stranger, tokenId), name, [
    "membership.pruned",
    `whole-life was removed from the records of organization ${organizationId}.`,
  ]);
  happens(await chain.burn(carol, tokenId), name, [
    "soul.burned",
    `${short(carol)} burned whole-life.`,
  ]);
  // The passport carries no soul any more.
  happens(await chain.giveFeedback(client, passportId, opinion), null, [
    "feedback.given",
    `${short(client)} left feedback on passport ${passportId}.`,
  ]);

  const sold = await chain.register(alice, "released-one");
  happens(
    sold,
    "released-one",
    ["soul.registered", `${short(alice)} registered released-one, of type specialist.`],
    ["soul.sealed", `${short(alice)} sealed the soul of released-one.`],
  );
  happens(await chain.transferPassport(sold.passportId, alice, bob.address), "released-one", [
    "passport.transferred",
    `The passport of released-one went from ${short(alice)} to ${short(bob)}.`,
  ]);
  happens(await chain.suspend(stranger, sold.tokenId), "released-one", [
    "soul.suspended",
    `released-one was suspended: its passport was seen with ${short(bob)}.`,
  ]);
  happens(await chain.release(bob, sold.tokenId), "released-one", [
    "soul.released",
    `${short(bob)} released the passport of released-one, which ended it.`,
  ]);
  if (last === undefined) throw new Error("Nothing happened.");
  await index.indexed(last);

  const reads = createEventReads(pool, chain.soulRegistry);
  const events = createEventService({ reads, confirmations: 1, lifeOf: reads.lifeOf });
  const everything = { agent: null, kind: null };
  const { at, value } = await events.older(everything, { before: null, limit: 100 });
  const listed = value.events.map((event) => ({
    kind: event.kind,
    sentence: wordsOf(event).sentence,
    block: event.block,
    tx: event.tx,
    agent: event.agent?.name ?? null,
  }));
  expect(listed.reverse()).toEqual(expected);
  expect(new Set(expected.map(({ kind }) => kind))).toEqual(new Set(KINDS));
  // Blocks without events can follow.
  expect(at.block).toBeGreaterThanOrEqual(last.blockNumber);
  expect([value.settled, value.older]).toEqual([at.block, null]);

  // Every kind by itself, and one agent alone.
  for (const kind of KINDS) {
    const { value: one } = await events.older({ agent: null, kind }, { before: null, limit: 100 });
    expect(one.events.map(({ tx }) => tx).reverse(), kind).toEqual(
      expected.filter((of) => of.kind === kind).map(({ tx }) => tx),
    );
  }
  const agent = await events.lifeOf(byName(name));
  const life = await events.older({ agent, kind: null }, { before: null, limit: 100 });
  expect(life.value.events.map(({ kind, tx }) => [kind, tx]).reverse()).toEqual(
    expected.filter((of) => of.agent === name).map(({ kind, tx }) => [kind, tx]),
  );
  expect(life.value.events.map(({ epoch }) => epoch).slice(0, 6)).toEqual([2, 2, 2, 2, 1, 1]);
  const people = await events.older({ agent, kind: "human.proven" }, { before: null, limit: 100 });
  expect(people.value.events.map(({ epoch }) => epoch)).toEqual([2, 1]);
  const bound = await events.lifeOf(byName("other-agent"));
  const ofOther = await events.older({ agent: bound, kind: null }, { before: null, limit: 100 });
  expect(ofOther.value.events.map(({ kind }) => kind)).toEqual([
    "binding.changed",
    "soul.sealed",
    "soul.registered",
  ]);
  const paid = await events.older({ agent, kind: "payment.made" }, { before: null, limit: 100 });
  expect(paid.value.events.map(({ details }) => details)).toEqual([
    {
      recipient: client.address,
      operator: stranger.address,
      amount: "1500000",
      withinLimits: true,
      reason: "NONE",
      paymentRef: zeroHash,
    },
  ]);

  // Page by page, in both directions.
  const backwards: string[] = [];
  for (let before: typeof value.older = null, first = true; first || before !== null; ) {
    const page = await events.older(everything, { before, limit: 3 });
    backwards.push(...page.value.events.map(({ tx }) => tx));
    before = page.value.older;
    first = false;
  }
  expect(backwards.reverse()).toEqual(expected.map(({ tx }) => tx));
  const forwards: string[] = [];
  for (let after = { ...START, settled: 0n, digest: "" }, more = true; more; ) {
    const page = await events.newer(everything, { after, limit: 3 });
    forwards.push(...page.value.events.map(({ tx }) => tx));
    after = page.value.newer;
    more = page.value.hasNewer;
  }
  expect(forwards).toEqual(expected.map(({ tx }) => tx));
});

it("lists each of the agents that joined an organization with one log", async () => {
  const { chain, pool } = index;
  const { organizationId } = await chain.createOrganization(alice, "Fleet");
  const names = ["fleet-one", "fleet-two", "fleet-three"];
  const batch = await chain.registerBatch(alice, names, organizationId);
  await index.indexed(batch);
  const reads = createEventReads(pool, chain.soulRegistry);
  const events = createEventService({ reads, confirmations: 1, lifeOf: reads.lifeOf });
  const filter = { agent: null, kind: "membership.joined" as const };
  const joined: (string | undefined)[] = [];
  let before = null;
  for (let page = 0; page < 3; page += 1) {
    const { value } = await events.older(filter, { before, limit: 1 });
    joined.push(...value.events.map(({ agent }) => agent?.name));
    before = value.older;
  }
  expect(joined).toEqual(names.toReversed());
  const agent = await events.lifeOf(byName("fleet-two"));
  const { value } = await events.older({ ...filter, agent }, { before: null, limit: 10 });
  expect(value.events.map((event) => [event.agent?.name, event.organizationId])).toEqual([
    ["fleet-two", organizationId],
  ]);
});
