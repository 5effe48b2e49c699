import { utf8 } from "../bytes.ts";
import { canonicalJson } from "../json.ts";
import {
  ALIGNMENT_FORMAT,
  type AlignmentDocument,
  type AlignmentFact,
  type OffChainFact,
} from "./facts.ts";
import { bigintsAsText, inOrder, isOnChain, lowerCaseHex } from "./order.ts";
import { alignmentOf } from "./score.ts";

/** What a snapshot says beside its facts and what follows from them. */
export type AlignmentSubject = Pick<
  AlignmentDocument,
  "chainId" | "contracts" | "tokenId" | "passportId" | "agentName" | "epoch" | "block" | "issuer"
>;

/**
 * The document of a snapshot: only the facts that the score rests on, in canonical order. The same
 * facts in any order give the same document, and so do facts that do not matter.
 *
 * @throws InvalidAlignmentFactsError
 */
export function alignmentDocument(
  subject: AlignmentSubject,
  facts: readonly AlignmentFact[],
): AlignmentDocument {
  const { chainId, contracts, tokenId, passportId, agentName, epoch, block, issuer } = subject;
  const alignment = alignmentOf(facts, { tokenId, epoch, timestamp: block.timestamp });
  const used = inOrder([...alignment.epoch, ...Object.values(alignment.used).flat()]);
  return {
    format: ALIGNMENT_FORMAT,
    chainId,
    contracts: lowerCaseHex({
      soulRegistry: contracts.soulRegistry,
      identityRegistry: contracts.identityRegistry,
      reputationRegistry: contracts.reputationRegistry,
      validationRegistry: contracts.validationRegistry,
      allowanceVault: contracts.allowanceVault,
      bindingRegistry: contracts.bindingRegistry,
      organizationRegistry: contracts.organizationRegistry,
      alignmentRegistry: contracts.alignmentRegistry,
    }),
    tokenId,
    passportId,
    agentName,
    epoch,
    block: { number: block.number, hash: lowerCaseHex(block.hash), timestamp: block.timestamp },
    facts: used.filter(isOnChain),
    offChain: used.filter((fact): fact is OffChainFact => !isOnChain(fact)),
    score: alignment.score,
    isNewAgent: alignment.isNewAgent,
    isProvisional: alignment.isProvisional,
    breakdown: alignment.breakdown,
    issuer: lowerCaseHex(issuer),
  };
}

/** The data of the archive item: canonical JSON (RFC 8785) in UTF-8. */
export function alignmentDocumentBytes(document: AlignmentDocument): Uint8Array {
  return utf8(canonicalJson(bigintsAsText(document)));
}
