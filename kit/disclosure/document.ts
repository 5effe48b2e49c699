import type { Hex } from "viem";
import { isAddress } from "viem";
// Not from protocol/index.ts: the page that verifies a document loads only what it runs.
import { type DisclosedField, disclosedFieldIn } from "../../protocol/disclosure/payload.ts";
import { nodesOfProof } from "../../protocol/field-tree.ts";
import { isPlainObject, parseJsonStrict } from "../../protocol/json.ts";

/** Version tag of the document. */
export const DISCLOSURE_DOCUMENT = "svc-disclosure-document-v1";

/** A disclosure as one file, which proves itself against a node of its chain. */
export interface DisclosureDocument {
  readonly format: typeof DISCLOSURE_DOCUMENT;
  readonly chainId: number;
  /** The contract SoulView. The verifier compares it with the published one. */
  readonly soulView: Hex;
  readonly agentName: string;
  readonly tokenId: number;
  readonly disclosures: readonly DisclosedField[];
  /** DID; null for the public. */
  readonly issuedTo: string | null;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** Null for never. */
  readonly expiresAt: string | null;
}

const LIMITS = { maxDepth: 10, maxBytes: 4 * 1024 * 1024 } as const;

/** The JSON in a document's file, unchecked. @throws ProtocolError when it is no strict JSON. */
export function parseDisclosureDocument(text: string): unknown {
  return parseJsonStrict(text, LIMITS);
}

/** A document of values that were proved: of the answer of `POST /v1/disclose`, or offline. */
export function disclosureDocument(
  content: Omit<DisclosureDocument, "format">,
): DisclosureDocument {
  const { chainId, soulView, agentName, tokenId, disclosures, ...issue } = content;
  return {
    format: DISCLOSURE_DOCUMENT,
    chainId,
    soulView,
    agentName,
    tokenId,
    disclosures: disclosures.map(({ field, value, merkleProof, merkleRoot }) => ({
      field,
      value,
      merkleProof,
      merkleRoot,
    })),
    issuedTo: issue.issuedTo,
    issuedAt: issue.issuedAt,
    expiresAt: issue.expiresAt,
  };
}

/** A soul as the chain has it, everything of one block. */
export interface ViewedSoul {
  readonly block: bigint;
  readonly agentName: string;
  readonly merkleRoot: Hex;
  readonly valid: boolean;
  /** Who sealed it. */
  readonly sealer: Hex;
  /** Who owns its passport; the zero address for no owner. */
  readonly owner: Hex;
}

/** What the verification asks of the chain. */
export interface DisclosureChain {
  chainId(): Promise<number>;
  /** Null when there is no such contract, or no such soul. */
  soul(soulView: Hex, tokenId: bigint): Promise<ViewedSoul | null>;
}

export type DocumentVerdict =
  | { readonly verdict: "valid"; readonly why: string }
  | { readonly verdict: "invalid"; readonly why: string };

/** The steps of a verification, in their order. */
export const DOCUMENT_CHECKS = [
  "document",
  "contract",
  "chain",
  "agent",
  "values",
  "validity",
  "issuer",
  "expiry",
] as const;
export type DocumentCheckName = (typeof DOCUMENT_CHECKS)[number];

export interface DocumentCheck {
  readonly check: DocumentCheckName;
  /** Null: passed. */
  readonly problem: string | null;
}

export interface CheckedValue extends DisclosedField {
  /** From the value's leaf to the root that its proof leads to; null for a malformed proof. */
  readonly nodes: readonly Hex[] | null;
  /** Whether that root, and the one that the document names, are the soul's on chain. */
  readonly matches: boolean;
}

/** Every step of a verification that was made. */
export interface DocumentReport {
  readonly checks: readonly DocumentCheck[];
  /** Null when the input is no disclosure document. */
  readonly document: DisclosureDocument | null;
  /** Null when it was not read, or does not exist. */
  readonly soul: ViewedSoul | null;
  readonly values: readonly CheckedValue[];
}

interface Trust {
  /** The contract SoulView where the verifier knows it; it takes precedence. */
  readonly soulView?: Hex | undefined;
  readonly now: Date;
}

/**
 * Checks a document against the chain: its agent is valid now, and every value is proved against
 * the root on chain.
 *
 * @throws what the chain's reads throw: the result is then unknown.
 */
export async function verifyDisclosureDocument(
  input: unknown,
  chain: DisclosureChain,
  trust: Trust,
): Promise<DocumentVerdict> {
  const { checks, document } = await checkDisclosureDocument(input, chain, trust);
  const failed = checks.find(({ problem }) => problem !== null);
  if (failed?.problem) return { verdict: "invalid", why: failed.problem };
  const fields = document?.disclosures.map(({ field }) => field) ?? [];
  const has = fields.length === 1 ? "has this value" : "have these values";
  return {
    verdict: "valid",
    why: `${fields.join(", ")} of ${document?.agentName} ${has} on chain.`,
  };
}

/**
 * As {@link verifyDisclosureDocument}, with every step and what it computed. Steps that need what
 * an earlier one did not find are left out.
 *
 * @throws what the chain's reads throw: the result is then unknown.
 */
export async function checkDisclosureDocument(
  input: unknown,
  chain: DisclosureChain,
  { soulView, now }: Trust,
): Promise<DocumentReport> {
  const checks: DocumentCheck[] = [];
  const passes = (check: DocumentCheckName, isRight: boolean, problem: string): boolean => {
    checks.push({ check, problem: isRight ? null : problem });
    return isRight;
  };
  const document = disclosureDocumentIn(input);
  const isDocument = passes("document", document !== null, "This is not a disclosure document.");
  if (document === null || !isDocument) return { checks, document, soul: null, values: [] };

  const { agentName, tokenId, expiresAt } = document;
  const stopped = { checks, document, soul: null, values: checkedValues(document, null) };
  const contract = soulView ?? document.soulView;
  const isContract = contract.toLowerCase() === document.soulView.toLowerCase();
  const named = `The document names the contract ${document.soulView}, not ${contract}.`;
  if (!passes("contract", isContract, named)) return stopped;
  const chainId = await chain.chainId();
  const elsewhere = `The document is for chain ${document.chainId}, the node is on ${chainId}.`;
  if (!passes("chain", chainId === document.chainId, elsewhere)) return stopped;
  const soul = await chain.soul(contract, BigInt(tokenId));
  if (soul === null) {
    passes("agent", false, `The contract ${contract} knows no soul ${tokenId}.`);
    return stopped;
  }

  const otherName = `Soul ${tokenId} is named ${soul.agentName}, not ${agentName}.`;
  passes("agent", soul.agentName === agentName, otherName);
  const values = checkedValues(document, soul);
  const wrong = values.find(({ matches }) => !matches);
  const other = `${wrong?.field} of ${agentName} does not have this value on chain.`;
  passes("values", wrong === undefined, other);
  const ended = `${agentName} is not valid: it was sold, suspended or burned.`;
  passes("validity", soul.valid, ended);
  const isOwned = soul.sealer.toLowerCase() === soul.owner.toLowerCase();
  passes("issuer", isOwned, `${agentName} is not with the owner who sealed these values.`);
  const isInTime = expiresAt === null || Date.parse(expiresAt) > now.getTime();
  passes("expiry", isInTime, `The disclosure expired at ${expiresAt}.`);
  return { checks, document, soul, values };
}

function checkedValues(
  { disclosures }: DisclosureDocument,
  soul: ViewedSoul | null,
): readonly CheckedValue[] {
  const root = soul?.merkleRoot.toLowerCase();
  return disclosures.map((disclosed) => {
    const nodes = nodesOfProof(disclosed);
    const isRoot = disclosed.merkleRoot.toLowerCase() === root;
    return { ...disclosed, nodes, matches: isRoot && nodes?.at(-1) === root };
  });
}

function disclosureDocumentIn(input: unknown): DisclosureDocument | null {
  if (!isPlainObject(input)) return null;
  const { format, chainId, soulView, agentName, tokenId, issuedTo, issuedAt, expiresAt } = input;
  const disclosures = Array.isArray(input.disclosures) ? input.disclosures : [];
  const fields = disclosures.map(disclosedFieldIn);
  if (
    format !== DISCLOSURE_DOCUMENT ||
    !Number.isSafeInteger(chainId) ||
    !Number.isSafeInteger(tokenId) ||
    (tokenId as number) < 0 ||
    typeof soulView !== "string" ||
    !isAddress(soulView) ||
    typeof agentName !== "string" ||
    !(issuedTo === null || typeof issuedTo === "string") ||
    !isTime(issuedAt) ||
    !(expiresAt === null || isTime(expiresAt)) ||
    fields.length === 0 ||
    fields.includes(null)
  ) {
    return null;
  }
  return {
    format,
    chainId: chainId as number,
    soulView,
    agentName,
    tokenId: tokenId as number,
    disclosures: fields as DisclosedField[],
    issuedTo,
    issuedAt,
    expiresAt,
  };
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
