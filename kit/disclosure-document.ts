import type { Hex } from "viem";
import { isAddress } from "viem";
import type { DisclosedField } from "../protocol/index.ts";
import { disclosedFieldIn, isPlainObject, verifyFieldProof } from "../protocol/index.ts";

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

/** A soul as the chain has it. */
export interface ViewedSoul {
  readonly agentName: string;
  readonly merkleRoot: Hex;
  readonly valid: boolean;
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

/**
 * Checks a document against the chain: its agent is valid now, and every value is proved against
 * the root on chain.
 *
 * @param trust The contract SoulView where the verifier knows it; it takes precedence.
 * @throws what the chain's reads throw: the result is then unknown.
 */
export async function verifyDisclosureDocument(
  input: unknown,
  chain: DisclosureChain,
  { soulView, now }: { readonly soulView?: Hex | undefined; readonly now: Date },
): Promise<DocumentVerdict> {
  const document = disclosureDocumentIn(input);
  if (document === null) return invalid("This is not a disclosure document.");
  const { agentName, tokenId, disclosures, expiresAt } = document;
  const contract = soulView ?? document.soulView;
  if (contract.toLowerCase() !== document.soulView.toLowerCase()) {
    return invalid(`The document names the contract ${document.soulView}, not ${contract}.`);
  }
  const chainId = await chain.chainId();
  if (chainId !== document.chainId) {
    return invalid(`The document is for chain ${document.chainId}, the node is on ${chainId}.`);
  }
  const soul = await chain.soul(contract, BigInt(tokenId));
  if (soul === null) return invalid(`The contract ${contract} knows no soul ${tokenId}.`);
  if (soul.agentName !== agentName) {
    return invalid(`Soul ${tokenId} is named ${soul.agentName}, not ${agentName}.`);
  }
  const wrong = disclosures.find(
    ({ field, value, merkleProof }) =>
      !verifyFieldProof({ root: soul.merkleRoot, field, value, merkleProof }),
  );
  if (wrong !== undefined) {
    return invalid(`${wrong.field} of ${agentName} does not have this value on chain.`);
  }
  if (!soul.valid) {
    return invalid(`${agentName} is not valid: it was sold, suspended or burned.`);
  }
  if (expiresAt !== null && !(Date.parse(expiresAt) > now.getTime())) {
    return invalid(`The disclosure expired at ${expiresAt}.`);
  }
  const fields = disclosures.map(({ field }) => field).join(", ");
  return { verdict: "valid", why: `${fields} of ${agentName} have these values on chain.` };
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

function invalid(why: string): DocumentVerdict {
  return { verdict: "invalid", why };
}
