import type { Address, Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem";
import { canonicalJson } from "../../../../protocol/index.ts";
import { ApiError } from "../../../kernel/errors.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import type { ClaimEdits } from "../edits.ts";
import type { ClaimDraft } from "./stored.ts";

/** The signed terms, which a claim must repeat exactly. */
export interface ClaimTerms {
  readonly registrationId: string;
  readonly ownerAddress: Address;
  readonly edits: ClaimEdits;
  /** Whether the same transaction seals. */
  readonly seal: boolean;
  /** Whether the agent may exchange its provisional key for a full key of its own. */
  readonly agentKeeps: boolean;
}

const EDITS_PURPOSE = "claim-edits";
const DRAFT_SALT_PURPOSE = "claim-draft-salt";

export type DraftSeal = ReturnType<typeof createDraftSeal>;

/** What a draft stores of secrets: the edits as an HMAC, and the encrypted salt. */
export function createDraftSeal(secrets: Secrets) {
  /** A plain hash would let a reader of the table confirm a guess at private text. */
  function macOf(
    id: string,
    nonce: bigint,
    { edits, agentKeeps }: Pick<ClaimTerms, "edits" | "agentKeeps">,
    version: number,
  ): Buffer {
    const parts = [id, nonce.toString(), jsonOf(edits), String(agentKeeps)];
    return secrets.hmac(EDITS_PURPOSE, parts, version);
  }

  /** Whether the draft was made for these edits. */
  function hasEdits(draft: ClaimDraft, terms: ClaimTerms): boolean {
    const { registrationId, message, agentKeeps, editsMac } = draft;
    return secrets.versions.some((version) =>
      macOf(registrationId, message.nonce, { ...terms, agentKeeps }, version).equals(editsMac),
    );
  }

  return {
    /** What a draft stores of its terms and its salt. */
    seal: (id: string, nonce: bigint, terms: ClaimTerms, salt: Hex) => ({
      agentKeeps: terms.agentKeeps,
      editsMac: macOf(id, nonce, terms, secrets.versions[0] as number),
      saltEncrypted: secrets.encrypt(DRAFT_SALT_PURPOSE, hexToBytes(salt), saltContext(id, nonce)),
    }),

    saltOf({ registrationId, message, saltEncrypted }: ClaimDraft): Hex {
      const context = saltContext(registrationId, message.nonce);
      return bytesToHex(secrets.decrypt(DRAFT_SALT_PURPOSE, saltEncrypted, context));
    },

    /**
     * Refuses terms that differ from the draft's.
     *
     * @throws ApiError INVALID_REQUEST naming every difference.
     */
    assertTerms(draft: ClaimDraft, terms: ClaimTerms): void {
      const { message, agentKeeps } = draft;
      const issues: { readonly path: string; readonly message: string }[] = [];
      const differs = (path: string, text: string) => issues.push({ path, message: text });
      if (message.owner !== terms.ownerAddress) {
        differs("ownerAddress", `The draft of this nonce is for ${message.owner}`);
      }
      if (message.seal !== terms.seal) {
        differs("seal", `The draft of this nonce says ${message.seal}`);
      }
      if (agentKeeps !== terms.agentKeeps) {
        differs("agentKeeps", `The draft of this nonce says ${agentKeeps}`);
      }
      if (!hasEdits(draft, terms)) {
        differs("editedData", "These edits differ from those of this nonce's draft");
      }
      if (issues.length === 0) return;
      throw new ApiError("INVALID_REQUEST", {
        message: "The signed message does not match this claim.",
        details: { issues },
      });
    },
  };
}

/** What the salt of a draft is bound to. */
function saltContext(registrationId: string, nonce: bigint): string {
  return `${registrationId}:${nonce}`;
}

/** Equal edits give equal text, in any order. */
function jsonOf(edits: ClaimEdits): string {
  const plain = JSON.stringify(edits, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return canonicalJson(JSON.parse(plain));
}
