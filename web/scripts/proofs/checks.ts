import type { Child } from "hono/jsx";
import { type Client, type Hex, isAddress } from "viem";
import { type AgentClaims, claimSteps } from "../../../kit/agent/claims.ts";
import { readAgentReport } from "../../../kit/agent/report.ts";
import type { ReportedAgent, SoulOnChain } from "../../../kit/agent/soul.ts";
import { tokenIdOf } from "../../../kit/agent/token-id.ts";
import { openSnapshot } from "../../../kit/alignment/snapshot.ts";
import { type AlignmentDeployment, checkAlignment } from "../../../kit/alignment/verify.ts";
import { proofChain } from "../../../kit/chronicles/chain.ts";
import { checkChronicleProof } from "../../../kit/chronicles/proof.ts";
import { UntrueItemError } from "../../../kit/did/data-item.ts";
import { disclosureChain } from "../../../kit/disclosure/chain.ts";
import { checkDisclosureDocument } from "../../../kit/disclosure/document.ts";
import type { Report, ReportStep } from "../../../kit/report.ts";
import { InvalidAlignmentDocumentError } from "../../../protocol/alignment/errors.ts";
import { parseDid } from "../../../protocol/did.ts";
import { parsePassportName } from "../../../protocol/names.ts";
import { reportView as disclosureView } from "../disclosure/report-view.tsx";
import type { NodeClient } from "./node.ts";
import { reportView } from "./steps-view.tsx";

/** What the visitor trusts, and what the page says of the chain. */
export interface Trusted {
  readonly node: string;
  readonly chainId: number;
  readonly startBlock: number;
  readonly contracts: Readonly<Record<string, string>>;
  readonly client: Client;
  readonly reads: NodeClient;
}

export async function disclosureCheck(json: unknown, trusted: Trusted): Promise<Child> {
  const soulView = contractOf(trusted, "soulView");
  const chain = disclosureChain(trusted.client);
  const report = await checkDisclosureDocument(json, chain, { soulView, now: new Date() });
  return disclosureView(report, { soulView, node: trusted.node });
}

/** @param record The archived record, where it is at hand. */
export async function chronicleCheck(
  json: unknown,
  record: Uint8Array | undefined,
  trusted: Trusted,
): Promise<Child> {
  const trust = {
    anchor: contractOf(trusted, "chronicleAnchor"),
    registry: contractOf(trusted, "soulRegistry"),
    record,
  };
  return reportView(await checkChronicleProof(json, proofChain(trusted.reads), trust));
}

/** @param tokenId The agent that the snapshot must be of; null for whichever it names. */
export async function alignmentCheck(
  item: Uint8Array,
  tokenId: number | null,
  trusted: Trusted,
): Promise<Child> {
  const { chainId, startBlock, reads: client } = trusted;
  let agent = String(tokenId);
  if (tokenId === null) {
    try {
      const opened = await openSnapshot({ item }, null);
      agent = String(opened?.document.tokenId);
    } catch (error) {
      const isWrong =
        error instanceof UntrueItemError || error instanceof InvalidAlignmentDocumentError;
      if (isWrong) return reportView(failure("snapshot", "the chosen file", error.message));
      throw error;
    }
  }
  const { validationRegistry } = trusted.contracts;
  const deployment: AlignmentDeployment = {
    chainId,
    startBlock: BigInt(startBlock),
    contracts: {
      ...contractsOf(
        trusted,
        "soulRegistry",
        "identityRegistry",
        "reputationRegistry",
        "allowanceVault",
        "bindingRegistry",
        "organizationRegistry",
        "alignmentRegistry",
      ),
      validationRegistry:
        validationRegistry === undefined ? null : contractOf(trusted, "validationRegistry"),
    },
  };
  const report = await checkAlignment(agent, { client, deployment, source: { item } });
  return reportView(report, { differences: report.differences });
}

/** An agent as this page states it. */
export async function certificateCheck(claims: AgentClaims, trusted: Trusted): Promise<Child> {
  const { agentName, tokenId } = claims;
  return agentCheck({ name: agentName, passportId: null }, trusted, (soul, agent) => [
    {
      step: "stated certificate",
      value: `${tokenId}`,
      source: `this page, compared with SoulRegistry.tokenOfName("${agentName}")`,
      problem:
        agent.tokenId === BigInt(tokenId)
          ? null
          : `The page says that ${agentName} is certificate ${tokenId}, the chain has ${agent.tokenId}.`,
    },
    ...claimSteps(claims, soul),
  ]);
}

/** The subject of a DID document or registration file. What else the file says is not checked. */
export async function subjectCheck(
  what: string,
  references: readonly string[],
  trusted: Trusted,
): Promise<Child> {
  const identity = contractOf(trusted, "identityRegistry").toLowerCase();
  const place = `eip155:${trusted.chainId}:${identity}#`;
  const reference = references.find(
    (one) => one.startsWith("did:") || one.toLowerCase().startsWith(place),
  );
  const subject = reference === undefined ? null : subjectOf(reference, trusted.chainId);
  if (subject === null) {
    const other = `The file is ${what}, and names no agent of this chain and registry.`;
    return reportView(failure("agent", "the file", other));
  }
  const note = `This is ${what}. The chain names its agent; the rest of the file is not covered by these checks.`;
  return agentCheck(subject, trusted, () => [], note);
}

type Named = Pick<ReportedAgent, "name" | "passportId">;

function subjectOf(reference: string, chainId: number): Named | null {
  if (!reference.startsWith("did:")) {
    return { name: null, passportId: BigInt(reference.slice(reference.indexOf("#") + 1)) };
  }
  try {
    const did = parseDid(reference, chainId);
    if (did.chainId !== chainId) return null;
    const passportId = parsePassportName(did.name);
    return { passportId, name: passportId === null ? did.name : null };
  } catch {
    return null;
  }
}

async function agentCheck(
  { name, passportId }: Named,
  trusted: Trusted,
  further: (soul: SoulOnChain, agent: ReportedAgent) => readonly ReportStep[],
  note = "",
): Promise<Child> {
  const { reads: client } = trusted;
  const contracts = contractsOf(
    trusted,
    "soulRegistry",
    "soulCertificate",
    "identityRegistry",
    "agentKeys",
  );
  const [chainId, blockNumber] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  if (chainId !== trusted.chainId) {
    const other = `The agent is on chain ${trusted.chainId}, the node is on chain ${chainId}.`;
    return reportView(failure("chain", "the node: eth_chainId", other), { note });
  }
  const named = { name, passportId, blockNumber };
  const agent = { ...named, tokenId: await tokenIdOf(client, contracts.soulRegistry, named) };
  const question = { client, chainId, contracts, agent };
  const report = await readAgentReport(question, async (soul) => further(soul, agent));
  return reportView(report, { note });
}

function failure(step: string, source: string, why: string): Report {
  return {
    isValid: false,
    why,
    steps: [{ step, value: "", source, problem: why }],
    skipped: [],
  };
}

/** @throws Error for a field that holds no address; the page refuses it before any check. */
function contractOf({ contracts }: Trusted, name: string): Hex {
  const address = contracts[name] ?? "";
  if (isAddress(address)) return address;
  throw new Error(`The address of ${name} is missing.`);
}

function contractsOf<Name extends string>(trusted: Trusted, ...names: readonly Name[]) {
  const entries = names.map((name) => [name, contractOf(trusted, name)] as const);
  return Object.fromEntries(entries) as Record<Name, Hex>;
}
