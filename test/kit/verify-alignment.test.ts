import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createPublicClient,
  custom,
  type Hex,
  http,
  numberToHex,
  RpcRequestError,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import { generatePrivateKey, type LocalAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { readAgentFacts } from "../../kit/alignment/chain-facts.ts";
import { logReader } from "../../kit/alignment/logs.ts";
import { readValidSeals } from "../../kit/alignment/reviewers.ts";
import { timed } from "../../kit/alignment/times.ts";
import { type AlignmentDeployment, verifyAlignment } from "../../kit/alignment/verify.ts";
import { alignmentRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  type AlignmentDocument,
  type AlignmentFact,
  alignmentDocument,
  alignmentDocumentBytes,
  archiveIdOf,
  CONTRACT_OF,
  type EventPlace,
  factKey,
  lowerCaseHex,
  type OffChainFact,
  type OnChainFact,
} from "../../protocol/index.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { startStaticGateway } from "../fixtures/static-gateway.ts";
import { svc } from "../fixtures/svc.ts";

// A chain and a file server: no part of the service runs here.

const DAY = 86_400;
const carol = account(3);
const dave = account(4);
const erin = account(5);
const frank = account(6);
const grace = account(7);
const henry = account(8);

let chain: IndexedChain;
let gateway: Awaited<ReturnType<typeof startStaticGateway>>;
let directory: string;
let deployment: AlignmentDeployment;
let agent: { tokenId: bigint; passportId: bigint };
/** Events that exist and do not count. */
let earlierFeedback: {
  place: EventPlace;
  timestamp: bigint;
  feedbackIndex: bigint;
  value: bigint;
};
let revokedFeedback: typeof earlierFeedback;
let soldSeal: {
  place: EventPlace;
  timestamp: bigint;
  tokenId: bigint;
  feedback: typeof earlierFeedback;
};
/** The transactions that made the facts of the agent, by their kind. */
const transactions: [OnChainFact["kind"], Hex][] = [];

const service = createItemSigner(generatePrivateKey());
const client = () => createPublicClient({ transport: http(chain.rpcUrl) });

function happened(kind: OnChainFact["kind"], { transactionHash }: { transactionHash: Hex }) {
  transactions.push([kind, transactionHash]);
}

/** The place and time of the only event that a receipt has of a contract. */
function eventOf(
  receipt: TransactionReceipt & { readonly timestamp: bigint },
  kind: OnChainFact["kind"] = "feedback",
) {
  const address = deployment.contracts[CONTRACT_OF[kind]]?.toLowerCase();
  const log = receipt.logs.findLast((one) => one.address.toLowerCase() === address);
  if (log === undefined) throw new Error("The transaction has no such event.");
  const { blockNumber, transactionHash, logIndex } = log;
  return { place: { blockNumber, transactionHash, logIndex }, timestamp: receipt.timestamp };
}

async function days(number: number) {
  await chain.client.increaseTime({ seconds: number * DAY });
  await chain.client.mine({ blocks: 1 });
}

beforeAll(async () => {
  [chain, gateway, directory] = await Promise.all([
    startIndexedChain(),
    startStaticGateway(),
    mkdtemp(join(tmpdir(), "svc-alignment-")),
  ]);
  const { contracts } = chain;
  deployment = { chainId: 31_337, startBlock: 0n, contracts };

  const { verifier } = await chain.proposeVerifier(henry.address);
  await days(30);
  await chain.activateVerifier(henry, verifier);
  const proof = await chain.humanProof({
    attester: henry,
    verifier,
    owner: erin.address,
    name: "erins-agent",
    nullifier: hashOf("erin"),
  });

  const registered = await chain.register(alice, "ada", { operator: bob.address });
  agent = registered;
  happened("registered", registered);
  happened("sealed", registered);
  const carols = await chain.register(carol, "carols-agent");
  const daves = await chain.register(dave, "daves-agent");
  const erins = await chain.register(erin, "erins-agent", {}, proof);
  const graces = await chain.register(grace, "graces-agent");
  for (const of of [carols, daves, erins]) happened("reviewer", of);
  const franks = await chain.createOrganization(frank, "Frank and family");
  const frankBatch = await chain.registerBatch(
    frank,
    ["franks-one", "franks-two"],
    franks.organizationId,
  );
  happened("organization", franks);
  happened("membership", frankBatch);
  happened("reviewer", frankBatch);
  await days(40);

  const daveOrganization = await chain.createOrganization(dave, "Dave and daughters");
  happened("organization", daveOrganization);
  happened("membership", await chain.join(dave, daves.tokenId, daveOrganization.organizationId));
  const own = await chain.createOrganization(alice, "Alice and agents");
  happened("organization", own);
  happened("membership", await chain.join(alice, agent.tokenId, own.organizationId));

  const limits = { perTransaction: 5_000_000n, dailyLimit: 9_000_000n };
  await chain.setAllowance(alice, agent.tokenId, limits);
  happened("overspending", await chain.trySpend(bob, agent.tokenId, carol.address, 6_000_000n));
  await days(1);
  const report = [bob, agent.tokenId, zeroAddress, 99_000_000n, hashOf("invoice")] as const;
  happened("overspending", await chain.report(...report));

  await chain.bind(alice, agent.tokenId, carols.tokenId, 4, "partner");
  await chain.bind(alice, agent.tokenId, daves.tokenId, 4, "partner");
  happened("binding", await chain.bind(alice, agent.tokenId, graces.tokenId, 3, "partner"));
  happened("binding", await chain.bindByService(agent.tokenId, erins.tokenId, 2, "met"));
  happened("binding", await chain.bind(alice, agent.tokenId, graces.tokenId, 1, "over"));
  happened("binding", await chain.bindByService(agent.tokenId, erins.tokenId, 1, "over"));

  happened("operator", await chain.changeOperator(alice, agent.tokenId, bob.address));
  happened("revised", await chain.revise(alice, agent.tokenId, "ada, revised"));

  await chain.fund(carol, 10_000_000n);
  await chain.setAllowance(carol, carols.tokenId, limits);
  await chain.spend(carol, carols.tokenId, bob.address, 999_999n);
  happened("payment", await chain.spend(carol, carols.tokenId, bob.address, 2_000_000n));
  await chain.spend(carol, carols.tokenId, bob.address, 3_000_000n);

  const rate = (from: LocalAccount, value: number, tag1 = "starred") =>
    chain.giveFeedback(from, agent.passportId, { value: BigInt(value), valueDecimals: 0, tag1 });
  earlierFeedback = { ...eventOf(await rate(carol, 10)), feedbackIndex: 1n, value: 10n };
  happened("feedback", await rate(carol, 90));
  const revoked = await rate(carol, 0);
  const { feedbackIndex } = revoked;
  revokedFeedback = { ...eventOf(revoked), feedbackIndex, value: 0n };
  await chain.revokeFeedback(carol, agent.passportId, feedbackIndex);
  happened("feedback", await rate(erin, 80));
  await rate(erin, 5000, "responseTime");
  happened("feedback", await rate(frank, 70));
  // Neither a wallet without a soul, nor a soul that was sold counts.
  await rate(account(12), 0);
  const graceful = await rate(grace, 0);
  soldSeal = {
    ...eventOf(graces, "sealed"),
    tokenId: graces.tokenId,
    feedback: { ...eventOf(graceful), feedbackIndex: 1n, value: 0n },
  };
  await chain.movePassport(graces.passportId, grace, henry);
  const asked = await chain.requestValidation(
    alice,
    agent.passportId,
    dave.address,
    "https://ada.example/work",
  );
  happened("validation", await chain.answerValidation(dave, asked.requestHash, 95, "work"));
}, 180_000);

afterAll(async () => {
  await Promise.all([
    chain?.stop(),
    gateway?.stop(),
    rm(directory, { recursive: true, force: true }),
  ]);
});

const COUNTS: readonly OffChainFact[] = [
  {
    kind: "tasks",
    chronicles: { counted: 4, fitting: 3 },
    skills: { counted: 2, fitting: 2 },
  },
  { kind: "records", operatorChange: 1, soulRevision: 1 },
  { kind: "documents", immutableChanged: 0 },
  {
    kind: "requests",
    humanVerified: { asked: 2, missed: 1 },
    others: { asked: 3, missed: 0 },
    beyondPolicy: 0,
  },
];

interface Snapshot {
  readonly document: AlignmentDocument;
  readonly id: string;
  readonly item: Uint8Array;
}

interface Change {
  /** Before the formula: the document is true to the changed facts. */
  readonly facts?: (facts: AlignmentFact[]) => AlignmentFact[];
  /** After the formula. */
  readonly document?: (document: AlignmentDocument) => AlignmentDocument;
  readonly signer?: typeof service;
  /** What is recorded on chain; null for nothing. */
  readonly score?: number | null;
  /** Days between the block and the record. */
  readonly delayDays?: number;
}

/** A snapshot of the agent at a new block, recorded on chain as the service records it. */
async function snapshot(change: Change = {}): Promise<Snapshot> {
  await chain.client.mine({ blocks: 1 });
  const block = await chain.client.getBlock();
  const place = { contracts: deployment.contracts, startBlock: 0n, tokenId: agent.tokenId };
  const read = await readAgentFacts(logReader(client(), block.number), place);
  if (read === null) throw new Error("The agent is not registered.");
  const facts: AlignmentFact[] = [
    ...(await timed(client(), read.facts)),
    ...COUNTS,
    { kind: "registrationFile", uriHash: read.uriHash, consistent: true },
  ];
  const signer = change.signer ?? service;
  const made = alignmentDocument(
    {
      chainId: 31_337,
      contracts: deployment.contracts,
      tokenId: agent.tokenId,
      passportId: agent.passportId,
      agentName: "ada",
      epoch: read.epoch,
      block,
      issuer: service.address,
    },
    change.facts?.(facts) ?? facts,
  );
  const document = change.document?.(made) ?? made;
  const { id, bytes } = await signer.sign({
    data: alignmentDocumentBytes(document),
    contentType: "application/json",
  });
  await gateway.keep({ id, bytes });
  const score = change.score === undefined ? document.score : change.score;
  if (change.delayDays !== undefined) await days(change.delayDays);
  if (score !== null) {
    const { epoch } = read;
    await record({ epoch, score, archiveId: archiveIdOf(id), blockNumber: block.number });
  }
  return { document, id, item: bytes };
}

async function record(score: {
  readonly epoch: number;
  readonly score: number;
  readonly archiveId: Hex;
  readonly blockNumber: bigint;
}): Promise<void> {
  await chain.mined(
    await chain.client.writeContract({
      account: account(9),
      address: deployment.contracts.alignmentRegistry,
      abi: alignmentRegistryAbi,
      functionName: "recordAlignment",
      args: [[{ tokenId: agent.tokenId, ...score }]],
    }),
  );
}

const verify = ({ item }: Pick<Snapshot, "item">) =>
  verifyAlignment("ada", { client: client(), deployment, source: { item } });

/** How differences name a fact. */
function nameOf({ kind, place }: OnChainFact): string {
  const { blockNumber, logIndex, transactionHash } = place;
  const contract = deployment.contracts[CONTRACT_OF[kind]]?.toLowerCase();
  return `${kind} fact of block ${blockNumber}, log ${logIndex}, transaction ${transactionHash}, contract ${contract}`;
}

function without(facts: readonly AlignmentFact[], target: OnChainFact): AlignmentFact[] {
  const key = factKey(lowerCaseHex(target));
  return facts.filter((fact) => factKey(lowerCaseHex(fact)) !== key);
}

/** A fact like the document's, where the chain has no event. */
function elsewhere<Kind extends OnChainFact["kind"]>(
  document: AlignmentDocument,
  kind: Kind,
  shift = 1000,
) {
  const fact = last(document, kind);
  return { ...fact, place: { ...fact.place, logIndex: fact.place.logIndex + shift } };
}

/** The fact two days earlier: another day is overspent. */
function earlier(fact: OnChainFact): OnChainFact {
  return { ...fact, timestamp: fact.timestamp - 2n * BigInt(DAY) };
}

function last<Kind extends OnChainFact["kind"]>(
  { facts }: AlignmentDocument,
  kind: Kind,
): Extract<OnChainFact, { kind: Kind }> {
  const found = facts.findLast((fact) => fact.kind === kind);
  if (found === undefined) throw new Error(`The document has no ${kind} fact.`);
  return found as Extract<OnChainFact, { kind: Kind }>;
}

function first<Kind extends OnChainFact["kind"]>(
  { facts }: AlignmentDocument,
  kind: Kind,
): Extract<OnChainFact, { kind: Kind }> {
  const found = facts.find((fact) => fact.kind === kind);
  if (found === undefined) throw new Error(`The document has no ${kind} fact.`);
  return found as Extract<OnChainFact, { kind: Kind }>;
}

describe("verifyAlignment", () => {
  it("finds a true snapshot valid, from the node alone", async () => {
    const { document, item, id } = await snapshot();
    expect(await verify({ item })).toEqual({
      verdict: "valid",
      why: `ada has the score ${document.score} at block ${document.block.number}: the chain has all ${document.facts.length} facts of snapshot ${id}, and no others that count.`,
      document,
    });
  });

  it("reads exactly the events that were made", async () => {
    const { document } = await snapshot();
    const read = document.facts.map(({ kind, place }) => `${kind} ${place.transactionHash}`);
    const made = transactions.map(([kind, transactionHash]) => `${kind} ${transactionHash}`);
    expect(new Set(read)).toEqual(new Set(made));
    expect(document.breakdown).toEqual({
      spendingAlignment: 90,
      taskTypeAlignment: 83,
      protocolAdherence: 100,
      policyCompliance: 88,
      bindingConsistency: 90,
      // Erin's attested voice counts 2.4, Carol's paid one 1.6, Dave's 0.9 and Frank's 0.4.
      externalTrust: 55,
    });
  });

  it("reads the last recorded snapshot from a gateway, and finds an agent by its token id", async () => {
    const { document } = await snapshot();
    const verdict = await verifyAlignment(agent.tokenId.toString(), {
      client: client(),
      deployment,
      source: { gateways: ["http://127.0.0.1:1/{id}", gateway.itemUrl] },
    });
    expect(verdict).toMatchObject({ verdict: "valid", document });
  });

  it("reads the same facts over a node that limits ranges of blocks", async () => {
    const { item } = await snapshot();
    let refusals = 0;
    const limited = createPublicClient({
      transport: custom(
        {
          async request({ method, params }) {
            if (method === "eth_getLogs") {
              const [{ fromBlock, toBlock }] = params;
              if (BigInt(toBlock) - BigInt(fromBlock) > 7n) {
                refusals += 1;
                throw new RpcRequestError({
                  body: {},
                  url: "",
                  error: { code: -32_005, message: "limited to 7 blocks" },
                });
              }
            }
            return chain.client.request({ method, params });
          },
        },
        // Refusals are not repeated.
        { retryCount: 0 },
      ),
    });
    const verdict = await verifyAlignment("ada", {
      client: limited,
      deployment,
      source: { item },
    });
    expect(verdict).toMatchObject({ verdict: "valid" });
    // Only the first search of each reader finds out what the node serves.
    expect(refusals).toBeLessThan(10);
  });

  it("names a later score of the agent", async () => {
    const { item } = await snapshot();
    const { document } = await snapshot();
    const verdict = await verify({ item });
    expect(verdict.verdict).toBe("valid");
    expect(verdict.why).toContain(` A later score, ${document.score}, is recorded.`);
  });

  it("fails for an item that was recorded again with another score", async () => {
    const { document, item, id } = await snapshot();
    const blockNumber = document.block.number + 1n;
    await record({ epoch: 1, score: 99, archiveId: archiveIdOf(id), blockNumber });
    const why = expect.stringMatching(
      `^The snapshot says score ${document.score}, the recorded score is 99 \\(transaction 0x`,
    );
    expect(await verify({ item })).toMatchObject({ verdict: "invalid", why });
    const source = { gateways: [gateway.itemUrl] };
    expect(await verifyAlignment("ada", { client: client(), deployment, source })).toMatchObject({
      verdict: "invalid",
      why,
    });
  });

  it("fails for a state that was recorded more than a day later", async () => {
    const { item } = await snapshot({ delayDays: 2 });
    expect(await verify({ item })).toMatchObject({
      verdict: "invalid",
      why: expect.stringMatching(/^The state of .* was recorded at .*, more than a day later\.$/),
    });
  });

  it("finds the same reviewers among a thousand accounts without a soul", async () => {
    const { contracts } = deployment;
    const logs = logReader(client(), await chain.client.getBlockNumber({ cacheTime: 0 }));
    const among = (accounts: readonly Hex[]) =>
      readValidSeals(logs, { ...contracts, startBlock: 0n }, accounts);
    const seals = await among([carol.address, erin.address]);
    expect(seals.map(({ fact }) => fact.account)).toEqual([carol.address, erin.address]);
    const crowd = Array.from({ length: 1000 }, (_, index) => numberToHex(index + 1, { size: 20 }));
    expect(await among([...crowd, carol.address, erin.address])).toEqual(seals);
  });

  const KINDS = [
    "sealed",
    "operator",
    "revised",
    "overspending",
    "binding",
    "feedback",
    "validation",
    "reviewer",
    "membership",
    "organization",
    "payment",
  ] as const;

  it.each(KINDS)("fails for a %s fact that was left out, and names it", async (kind) => {
    const { document } = await snapshot();
    const target = last(document, kind);
    const cut = await snapshot({ facts: (facts) => without(facts, target) });
    const verdict = await verify(cut);
    expect(verdict).toMatchObject({
      verdict: "invalid",
      why: "The snapshot's facts are not those of the chain.",
      differences: expect.arrayContaining([
        `Left out: the snapshot does not have the ${nameOf(target)}.`,
      ]),
    });
  });

  it.each(["registered", ...KINDS] as const)(
    "fails for a %s fact with another time, and names it",
    async (kind) => {
      const { document } = await snapshot();
      const target = last(document, kind);
      const late = { ...target, timestamp: target.timestamp - 1n };
      const changed = await snapshot({ facts: (facts) => [...without(facts, target), late] });
      expect(await verify(changed)).toEqual({
        verdict: "invalid",
        why: "The snapshot's facts are not those of the chain.",
        differences: [`Changed: the ${nameOf(target)} has another timestamp on chain.`],
      });
    },
  );

  it.each<[OnChainFact["kind"], string, object]>([
    ["registered", "operator", { operator: carol.address }],
    ["sealed", "sealer", { sealer: carol.address }],
    ["operator", "operator", { operator: carol.address }],
    ["revised", "dataHash", { dataHash: hashOf("other data") }],
    ["overspending", "amount", { amount: 1n }],
    ["overspending", "reason", { reason: "EXCEEDS_DAILY_LIMIT" }],
    ["binding", "authority", { authority: "SERVICE" }],
    ["feedback", "value", { value: 99n }],
    ["validation", "response", { response: 100 }],
    ["reviewer", "humanVerified", { humanVerified: true }],
    ["organization", "admin", { admin: henry.address }],
    ["payment", "amount", { amount: 9_000_000n }],
    ["feedback", "transactionHash", { place: { transactionHash: hashOf("elsewhere") } }],
  ])("fails for a %s fact with another %s", async (kind, field, change) => {
    const { document } = await snapshot();
    // The first reviewer's seal has no human attestation, and the first reason is another one.
    const target = first(document, kind);
    const { place = {}, ...rest } = change as { place?: object };
    const other = { ...target, ...rest, place: { ...target.place, ...place } } as OnChainFact;
    const changed = await snapshot({ facts: (facts) => [...without(facts, target), other] });
    const verdict = await verify(changed);
    expect(verdict).toMatchObject({
      verdict: "invalid",
      differences: expect.arrayContaining([
        `Changed: the ${nameOf(other)} has another ${field} on chain.`,
      ]),
    });
  });

  it.each<[OnChainFact["kind"], (document: AlignmentDocument) => OnChainFact[]]>([
    ["operator", (of) => [{ ...elsewhere(of, "operator"), operator: carol.address }]],
    ["revised", (of) => [elsewhere(of, "revised")]],
    ["overspending", (of) => [earlier(elsewhere(of, "overspending"))]],
    [
      "binding",
      (of) => [
        { ...elsewhere(of, "binding", 1000), toTokenId: 2n, trustLevel: 3 },
        { ...elsewhere(of, "binding", 2000), toTokenId: 2n, trustLevel: 1 },
      ],
    ],
    ["feedback", (of) => [{ ...elsewhere(of, "feedback"), value: 100n }]],
    ["validation", (of) => [{ ...elsewhere(of, "validation"), response: 100 }]],
    [
      "reviewer",
      (of) => [
        { ...elsewhere(of, "reviewer"), account: henry.address },
        { ...elsewhere(of, "feedback"), account: henry.address },
      ],
    ],
    ["payment", (of) => [{ ...elsewhere(of, "payment"), account: erin.address }]],
  ])("fails for an invented %s fact, and names it", async (kind, invent) => {
    const { document } = await snapshot();
    const invented = invent(document);
    const forged = await snapshot({ facts: (facts) => [...facts, ...invented] });
    const [target] = invented as [OnChainFact];
    expect(await verify(forged)).toMatchObject({
      verdict: "invalid",
      differences: expect.arrayContaining([
        `Invented: the chain has no event for the snapshot's ${nameOf(target)}.`,
      ]),
    });
    expect(target.kind).toBe(kind);
  });

  it("fails for feedback that was revoked, and for feedback that a newer one replaced", async () => {
    const { document } = await snapshot();
    const newer = document.facts.find(
      (fact) => fact.kind === "feedback" && fact.account === carol.address.toLowerCase(),
    ) as OnChainFact;
    const older = { ...newer, ...earlierFeedback };
    const swapped = await snapshot({ facts: (facts) => [...without(facts, newer), older] });
    expect(await verify(swapped)).toMatchObject({
      verdict: "invalid",
      differences: [
        `Not to be counted: the ${nameOf(older)} is outweighed by facts that were left out.`,
        `Left out: the snapshot does not have the ${nameOf(newer)}.`,
      ],
    });
    const revoked = { ...newer, ...revokedFeedback };
    const kept = await snapshot({ facts: (facts) => [...facts, revoked] });
    expect(await verify(kept)).toMatchObject({
      verdict: "invalid",
      differences: expect.arrayContaining([
        `Invented: the chain has no event for the snapshot's ${nameOf(revoked)}.`,
      ]),
    });
  });

  it("fails for a reviewer that sold its soul", async () => {
    const { document } = await snapshot();
    const sold = {
      ...first(document, "reviewer"),
      place: { ...soldSeal.place },
      timestamp: soldSeal.timestamp,
      account: grace.address,
      tokenId: soldSeal.tokenId,
    };
    const given = {
      ...first(document, "feedback"),
      place: soldSeal.feedback.place,
      timestamp: soldSeal.feedback.timestamp,
      account: grace.address,
      feedbackIndex: 1n,
      value: 0n,
    };
    const counted = await snapshot({ facts: (facts) => [...facts, sold, given] });
    expect(await verify(counted)).toMatchObject({
      verdict: "invalid",
      differences: expect.arrayContaining([
        `Invented: the chain has no event for the snapshot's ${nameOf(sold)}.`,
      ]),
    });
  });

  it.each<[string, Change, (snapshot: Snapshot) => string]>([
    [
      "a score that is not the recorded one",
      { score: 100 },
      ({ document }) => `The snapshot says score ${document.score}, the recorded score is 100`,
    ],
    [
      "a snapshot that is not recorded",
      { score: null },
      ({ id }) => `No score is recorded on chain with the snapshot ${id}.`,
    ],
    [
      "a score that its facts do not give",
      { document: (document) => ({ ...document, score: 99 }) },
      ({ document }) =>
        `The snapshot says score 99, its facts give ${alignmentDocument(document, [...document.facts, ...document.offChain]).score}.`,
    ],
    [
      "a component that its facts do not give",
      {
        document: (document) => ({
          ...document,
          breakdown: { ...document.breakdown, taskTypeAlignment: 84 },
        }),
      },
      () => "The snapshot says breakdown {",
    ],
    [
      "another signer than its issuer",
      { signer: createItemSigner(generatePrivateKey()) },
      () => `The snapshot names the issuer ${service.address.toLowerCase()}, but 0x`,
    ],
    [
      "a contract of its own",
      {
        document: (document) => ({
          ...document,
          contracts: { ...document.contracts, bindingRegistry: zeroAddress },
        }),
      },
      () => `The snapshot names ${zeroAddress} as bindingRegistry, the deployment 0x`,
    ],
    [
      "a block with another hash",
      {
        document: (document) => ({
          ...document,
          block: { ...document.block, hash: `0x${"0".repeat(64)}` },
        }),
      },
      ({ document }) => `Block ${document.block.number} has the hash 0x`,
    ],
    [
      "another epoch",
      { document: (document) => ({ ...document, epoch: 2 }) },
      () => "The snapshot says epoch 2, the recorded epoch is 1",
    ],
    [
      "another agent",
      { document: (document) => ({ ...document, tokenId: 2n }) },
      () => "The snapshot is of agent 2, not of 1.",
    ],
    [
      "a fact twice",
      {
        document: (document) => ({ ...document, facts: [...document.facts, ...document.facts] }),
      },
      () => "This is not an alignment snapshot: its facts are not in order, or not once each.",
    ],
    [
      "a soul that was never registered",
      {
        document: (document) => ({
          ...document,
          facts: document.facts.filter(({ kind }) => kind !== "registered"),
        }),
      },
      () => "A score needs exactly one event that started epoch 1. There are 0.",
    ],
  ])("fails for %s", async (_, change, why) => {
    const made = await snapshot(change);
    const verdict = await verify(made);
    expect(verdict.verdict).toBe("invalid");
    expect(verdict.why).toContain(why(made));
  });

  it.each<[string, Partial<AlignmentDocument>, string]>([
    ["name", { agentName: "eve" }, "The snapshot says name eve, the chain ada."],
    ["passport", { passportId: 99n }, "The snapshot says passport 99, the chain "],
  ])("fails for another %s", async (_, change, difference) => {
    const made = await snapshot({ document: (document) => ({ ...document, ...change }) });
    expect(await verify(made)).toMatchObject({
      verdict: "invalid",
      differences: [expect.stringContaining(difference)],
    });
  });

  it("fails for another agent URI, and for a consistent file without one", async () => {
    const uri = (uriHash: Hex | null) =>
      snapshot({
        facts: (facts) =>
          facts.map((fact) => (fact.kind === "registrationFile" ? { ...fact, uriHash } : fact)),
      });
    expect(await verify(await uri(hashOf("ar://elsewhere")))).toMatchObject({
      differences: [
        expect.stringMatching(/^The snapshot says agent URI's hash 0x.*, the chain 0x.*\.$/),
      ],
    });
    expect(await verify(await uri(null))).toMatchObject({
      differences: ["The snapshot says consistent file without a URI true, the chain false."],
    });
  });

  it("fails for an item whose bytes were changed", async () => {
    const { item } = await snapshot();
    const changed = Uint8Array.from(item);
    changed[changed.length - 3] = 0x20;
    const verdict = await verify({ item: changed });
    expect(verdict).toMatchObject({
      verdict: "invalid",
      why: expect.stringMatching(/is not that item: its signature is wrong|are not that item/),
    });
  });

  it("throws when the node, the gateway or the name is unknown: then nothing was found out", async () => {
    const source = { gateways: [gateway.itemUrl] };
    const offline = createPublicClient({
      transport: http("http://127.0.0.1:1", { retryCount: 0 }),
    });
    await expect(verifyAlignment("ada", { client: offline, deployment, source })).rejects.toThrow();
    const { id } = await snapshot();
    gateway.forget(id);
    await expect(verifyAlignment("ada", { client: client(), deployment, source })).rejects.toThrow(
      `No gateway serves ${id}`,
    );
    await expect(
      verifyAlignment("unknown-agent", { client: client(), deployment, source }),
    ).rejects.toThrow("The registry knows no agent named unknown-agent.");
    const elsewhere = { ...deployment, chainId: 8453 };
    await expect(
      verifyAlignment("ada", { client: client(), deployment: elsewhere, source }),
    ).rejects.toThrow("The node is of chain 31337, the deployment of 8453.");
  });

  it("finds no score of an agent that has none", async () => {
    const verdict = await verifyAlignment("carols-agent", {
      client: client(),
      deployment,
      source: { gateways: [gateway.itemUrl] },
    });
    expect(verdict).toEqual({
      verdict: "invalid",
      why: "No score of agent carols-agent is recorded on chain in its current epoch. An agent has none in an epoch's first 30 days.",
      differences: [],
    });
  });
});

describe("svc verify alignment", () => {
  const run = (...args: string[]) => svc(["verify", "alignment", ...args]);
  const known = () => ["--rpc", chain.rpcUrl, "--deployment", chain.deploymentPath];
  const READING = "Reading the agent's events from the node ...\n";
  const HELP = "See: svc verify alignment --help";

  it("exits with 0 for a true score, read from the gateway", async () => {
    const { document } = await snapshot();
    const { code, stdout, stderr } = await run("ada", ...known(), "--gateway", gateway.itemUrl);
    expect(stdout).toContain(`valid: ada has the score ${document.score} at block `);
    expect([code, stderr]).toEqual([0, READING]);
  });

  it("exits with 1 for a wrong one, and lists what is wrong", async () => {
    const { document } = await snapshot();
    const target = first(document, "overspending");
    const { item } = await snapshot({ facts: (facts) => without(facts, target) });
    const path = join(directory, "item");
    await writeFile(path, item);
    const difference = `Left out: the snapshot does not have the ${nameOf(target)}.`;
    expect(await run("ada", ...known(), "--item", path)).toEqual({
      code: 1,
      stdout: `not valid: The snapshot's facts are not those of the chain.\n  ${difference}\n`,
      stderr: READING,
    });
    // The same agent, by its passport.
    const byPassport = [String(agent.passportId), ...known(), "--item", path, "--json"];
    const { code, stdout } = await run(...byPassport);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        verdict: "invalid",
        why: "The snapshot's facts are not those of the chain.",
        differences: [difference],
        note: null,
      },
    ]);
  });

  it.each([
    [[], "<agent> is missing: The agent's name, passport id or DID"],
    [["ada", "eve"], "Give one <agent>. There are 2 arguments."],
  ])("exits with 2 for %j", async (args, message) => {
    expect(await run(...args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `svc verify alignment: ${message}\n${HELP}\n`,
    });
    expect(await run(...args, "--json")).toEqual({
      code: 2,
      stdout: `${JSON.stringify({ error: { type: null, message, advice: HELP } })}\n`,
      stderr: "",
    });
  });

  it("exits with 2 without a source, without and for a wrong deployment, and with 1 for an unknown agent", async () => {
    expect(await run("ada", ...known())).toMatchObject({
      code: 2,
      stderr: `svc verify alignment: Give --item, or --gateway with {id} where an item's id belongs.\n${HELP}\n`,
    });
    const gatewayOption = ["--gateway", gateway.itemUrl];
    expect(await run("ada", "--rpc", chain.rpcUrl, ...gatewayOption)).toMatchObject({
      code: 2,
      stderr:
        "svc verify alignment: The addresses of the contracts are needed.\nGive the deployment file that you trust with --deployment, or set SVC_DEPLOYMENT. After npm start it is .local/deployment.json in the clone.\n",
    });
    const path = join(directory, "deployment.json");
    const incomplete = { chainId: 31_337, startBlock: 0, contracts: {} };
    await writeFile(path, JSON.stringify(incomplete));
    const wrong = ["ada", "--rpc", chain.rpcUrl, "--deployment", path, ...gatewayOption];
    expect(await run(...wrong)).toMatchObject({
      code: 2,
      stderr: `svc verify alignment: The deployment file names no soulRegistry.\n${HELP}\n`,
    });
    await writeFile(path, JSON.stringify({ ...incomplete, contracts: { soulRegistry: "0x12" } }));
    expect(await run(...wrong)).toMatchObject({
      code: 2,
      stderr: `svc verify alignment: ${path} is not a deployment file.\n${HELP}\n`,
    });
    expect(await run("unknown-agent", ...known(), ...gatewayOption)).toEqual({
      code: 1,
      stdout: "not valid: The registry knows no agent unknown-agent.\n",
      stderr: "",
    });
    expect(
      await run("ada", ...known().with(1, "http://127.0.0.1:1"), ...gatewayOption),
    ).toMatchObject({
      code: 2,
      stderr: "svc verify alignment: The node cannot be reached.\nCheck --rpc or SVC_RPC_URL.\n",
    });
  });
});

// These come last: they change who the agent and its reviewers are.
describe("verifyAlignment after a sale", () => {
  const sold = async (text: string, passportId: bigint, tokenId: bigint, from: LocalAccount) => {
    await chain.movePassport(passportId, from, henry);
    await chain.suspend(bob, tokenId);
    await chain.client.mine({ blocks: 1 });
    return chain.reseal(henry, tokenId, text);
  };
  const tokenOf = async (name: string) => {
    const [soul] = (
      await logReader(client(), await chain.client.getBlockNumber({ cacheTime: 0 })).read({
        address: deployment.contracts.soulRegistry,
        abi: soulRegistryAbi,
        events: ["SoulRegistered"],
        topics: [],
        fromBlock: 0n,
      })
    ).filter(({ args }) => args.name === name);
    if (soul === undefined) throw new Error(`No agent is named ${name}.`);
    return soul.args;
  };

  it("counts no reviewer that was suspended, burned, or sold and sealed again", async () => {
    const { document: before } = await snapshot();
    expect(before.facts.filter(({ kind }) => kind === "reviewer")).toHaveLength(4);
    const [carols, daves, erins] = await Promise.all(
      ["carols-agent", "daves-agent", "erins-agent"].map(tokenOf),
    );
    if (!carols || !daves || !erins) throw new Error("A reviewer is missing.");
    await sold("carol's, sold", carols.passportId, carols.tokenId, carol);
    await chain.movePassport(daves.passportId, dave, henry);
    await chain.suspend(bob, daves.tokenId);
    await chain.movePassport(daves.passportId, henry, dave);
    await chain.burn(erin, erins.tokenId);

    const { document, item } = await snapshot();
    const reviewers = document.facts.filter((fact) => fact.kind === "reviewer");
    expect(reviewers.map((fact) => fact.account)).toEqual([frank.address.toLowerCase()]);
    expect(await verify({ item })).toMatchObject({ verdict: "valid" });

    const suspended = before.facts.filter(
      (fact) =>
        (fact.kind === "reviewer" || fact.kind === "validation") &&
        fact.account === dave.address.toLowerCase(),
    );
    const kept = await snapshot({ facts: (facts) => [...facts, ...suspended] });
    expect(await verify(kept)).toMatchObject({
      verdict: "invalid",
      differences: suspended.map(
        (fact) => `Invented: the chain has no event for the snapshot's ${nameOf(fact)}.`,
      ),
    });
  });

  it("starts again with the new owner, and fails for facts of the previous one", async () => {
    const { document: before, item: sale } = await snapshot();
    const resealed = await sold("ada, sold", agent.passportId, agent.tokenId, alice);
    const gateways = [gateway.itemUrl];
    const read = { client: client(), deployment, source: { gateways } };
    expect(await verifyAlignment("ada", read)).toMatchObject({
      verdict: "invalid",
      why: "No score of agent ada is recorded on chain in its current epoch. An agent has none in an epoch's first 30 days.",
    });
    expect(await verify({ item: sale })).toMatchObject({
      verdict: "invalid",
      why: "The score is of epoch 1; the agent is in epoch 2 now, under another seal.",
    });
    await days(31);
    const { document, item } = await snapshot();
    expect(document.facts.map(({ kind, place }) => [kind, place.transactionHash])).toEqual([
      ["resealed", resealed.transactionHash],
    ]);
    expect(document).toMatchObject({ epoch: 2, isNewAgent: false, isProvisional: false });
    expect(await verify({ item })).toMatchObject({ verdict: "valid" });

    const old = first(before, "overspending");
    const dragged = { ...old, epoch: 2 };
    const blamed = await snapshot({ facts: (facts) => [...facts, dragged] });
    expect(await verify(blamed)).toMatchObject({
      verdict: "invalid",
      differences: [`Invented: the chain has no event for the snapshot's ${nameOf(old)}.`],
    });
    const target = first(document, "resealed");
    const moved = { ...target, operator: carol.address };
    const changed = await snapshot({ facts: (facts) => [...without(facts, target), moved] });
    expect(await verify(changed)).toMatchObject({
      verdict: "invalid",
      differences: [`Changed: the ${nameOf(target)} has another operator on chain.`],
    });
  });

  it("fails while the passport is with another owner, and after the soul was burned", async () => {
    const { item } = await snapshot();
    const ended = {
      verdict: "invalid",
      why: "The soul of ada is not valid now: it was burned, suspended or sold.",
    };
    await chain.movePassport(agent.passportId, henry, alice);
    expect(await verify({ item })).toMatchObject(ended);
    await chain.movePassport(agent.passportId, alice, henry);
    expect(await verify({ item })).toMatchObject({ verdict: "valid" });
    await chain.burn(henry, agent.tokenId);
    expect(await verify({ item })).toMatchObject(ended);
  });
});
