import { type Hex, zeroAddress, zeroHash } from "viem";
import { agentTypeName } from "../../protocol/agent-type.ts";
import { didOf } from "../../protocol/did.ts";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { passportName } from "../../protocol/names.ts";
import { storageIdOf } from "../../protocol/storage-id.ts";
import { unlessReverted } from "../did/chain.ts";
import type { Report, ReportStep } from "../report.ts";
import { type ReportQuestion, readSoul, type SoulOnChain } from "./soul.ts";

/** Reads more about a soul, or compares it with what was said of it. */
export type FurtherSteps = (soul: SoulOnChain) => Promise<readonly ReportStep[]>;

/** Reads one agent step by step, all of one block. @throws what the node answers. */
export async function readAgentReport(
  question: ReportQuestion,
  furtherSteps: FurtherSteps = async () => [],
): Promise<Report> {
  const { agent, chainId } = question;
  const steps: ReportStep[] = [
    {
      step: "chain",
      value: `${chainId}, block ${agent.blockNumber}`,
      source: "the node: eth_chainId, eth_blockNumber",
      problem: null,
    },
  ];
  if (agent.tokenId === 0n) return withoutSoul(question, steps);

  const soul = await readSoul(question);
  for (const step of soulSteps(question, soul)) steps.push(step);
  for (const step of await furtherSteps(soul)) steps.push(step);
  const wrong = steps.find(({ problem }) => problem !== null);
  const why =
    wrong?.problem ??
    `${soul.record.name} is sealed, and its passport is with the owner who sealed it.`;
  return { isValid: wrong === undefined, why, steps, skipped: [] };
}

function soulSteps(
  { agent, chainId, contracts: { soulRegistry: registry } }: ReportQuestion,
  soul: SoulOnChain,
): readonly ReportStep[] {
  const { tokenId } = agent;
  const { record, contracts, owner, holder, status, validity } = soul;
  const { name, sealer, passportId } = record;
  const inRegistry = (read: string) => `SoulRegistry.${read} at ${registry}`;
  const inSoul = inRegistry(`soulOf(${tokenId})`);
  const inIdentity = (read: string) =>
    `the ERC-8004 identity registry's ${read} at ${contracts.identity}`;
  const named = agent.name === null ? `tokenOfPassport(${passportId})` : `tokenOfName("${name}")`;
  const isLinked =
    sameAddress(contracts.registryOf, contracts.identity) &&
    sameAddress(contracts.certificateOf, contracts.certificate);
  const information = (step: string, value: string, source: string): ReportStep => ({
    step,
    value,
    source,
    problem: null,
  });
  return [
    checked("contracts", `registry ${registry}`, inRegistry("IDENTITY_REGISTRY(), CERTIFICATE()"), [
      isLinked,
      "The registry names another passport or certificate contract than the deployment file.",
    ]),
    information("name", `${name} (${agentTypeName(record.agentType as 0)})`, inSoul),
    information("soul", `token ${tokenId}`, inRegistry(named)),
    checked("passport", `${passportId}`, inIdentity(`ownerOf(${passportId})`), [
      owner !== null,
      `Passport ${passportId} has no owner that can be read.`,
    ]),
    information("agent URI", shortened(soul.uri ?? "none"), inIdentity(`tokenURI(${passportId})`)),
    checked("owner", owner ?? "none", inIdentity(`ownerOf(${passportId})`), [
      owner !== null && sameAddress(owner, sealer),
      `${name} is with ${owner ?? "no owner"}, and was sealed by ${sealer}.`,
    ]),
    checked(
      "certificate",
      holder === null ? "none" : `held by ${holder}`,
      `SoulCertificate.ownerOf(${tokenId}) at ${contracts.certificate}`,
      [
        holder !== null && sameAddress(holder, sealer),
        `The certificate of ${name} is not with its sealer ${sealer}.`,
      ],
    ),
    information("soul hash", record.soulHash, inSoul),
    information("Merkle root", record.soulMerkleRoot, inSoul),
    checked("seal", `${status}, by ${sealer}`, inSoul, [
      status === "SEALED",
      status === "BURNED" ? `${name} was burned.` : `${name} is not sealed.`,
    ]),
    checked(
      "suspension",
      soul.isMarked ? "suspended" : "none",
      inRegistry(`isSuspended(${tokenId})`),
      [!soul.isMarked, `${name} is suspended until its owner reseals it.`],
    ),
    checked("validity", validity, inRegistry(`validityOf(${tokenId})`), [
      validity === "VALID",
      `The registry says that ${name} may not be relied on.`,
    ]),
    information("epoch", `${record.epoch}`, inSoul),
    information(
      "operator",
      record.operator === zeroAddress ? "the owner itself" : record.operator,
      inSoul,
    ),
    information(
      "human",
      soul.human ? "attested" : "not attested",
      inRegistry(`humanVerified(${tokenId})`),
    ),
    information(
      "keys",
      soul.keysHash === zeroHash ? "none" : `key set ${soul.keysHash}`,
      `AgentKeys.keysOf(${tokenId}) at ${contracts.agentKeys}`,
    ),
    information("DID", didOf(chainId, name), `chain id and name, as read above`),
    information(
      "DID archive",
      soul.didArchiveId === null ? "none" : `ar://${storageIdOf(soul.didArchiveId)}`,
      inRegistry(`didArchiveOf(${tokenId})`),
    ),
  ];
}

/** The registry knows no such name, or the passport has no soul. */
async function withoutSoul(
  { client, chainId, contracts, agent }: ReportQuestion,
  steps: readonly ReportStep[],
): Promise<Report> {
  const { name, passportId, blockNumber } = agent;
  const { soulRegistry: registry, identityRegistry: address } = contracts;
  if (passportId === null) {
    const why = `The registry knows no agent named ${name}.`;
    const source = `SoulRegistry.tokenOfName("${name}") at ${registry}`;
    return {
      isValid: false,
      why,
      steps: [...steps, { step: "soul", value: "none", source, problem: why }],
      skipped: [],
    };
  }
  const owner = await unlessReverted(
    client.readContract({
      address,
      abi: identityRegistryAbi,
      functionName: "ownerOf",
      args: [passportId],
      blockNumber,
    }),
  );
  const why =
    owner === null
      ? `There is no passport ${passportId}.`
      : `Passport ${passportId} has no soul: nothing about its agent is sealed.`;
  const read = [
    ...steps,
    {
      step: "passport",
      value: owner === null ? "none" : `${passportId}, owned by ${owner}`,
      source: `the ERC-8004 identity registry's ownerOf(${passportId}) at ${address}`,
      problem: owner === null ? why : null,
    },
  ];
  if (owner === null) return { why, isValid: false, steps: read, skipped: [] };
  const soul = {
    step: "soul",
    value: "none",
    source: `SoulRegistry.tokenOfPassport(${passportId}) at ${registry}`,
    problem: why,
  };
  const did = {
    step: "DID",
    value: didOf(chainId, passportName(passportId)),
    source: "chain id and passport, as read above",
    problem: null,
  };
  return { why, isValid: false, steps: [...read, soul, did], skipped: [] };
}

function checked(
  step: string,
  value: string,
  source: string,
  [isRight, problem]: readonly [boolean, string],
): ReportStep {
  return { step, value, source, problem: isRight ? null : problem };
}

function sameAddress(one: Hex, other: Hex): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A passport's controller chooses the URI: it may be long, or hold control characters. */
function shortened(text: string): string {
  const printable = text.replace(/\p{C}/gu, "�");
  return printable.length > 100 ? `${printable.slice(0, 99)}…` : printable;
}
