import { randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { bytesToHex } from "viem";
import type { Field } from "../../../../protocol/index.ts";
import { parseAgentType } from "../../../../protocol/index.ts";
import { ApiError, badRequest } from "../../../kernel/errors.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import type { SoulSource } from "../../../soul/text/agent-soul.ts";
import type { SoulReader } from "../../../soul/text/soul-tasks.ts";
import type { RegistrationInput } from "../../registration/index.ts";
import { committed, REGISTRATION_SALT_PURPOSE } from "../agent-registration.ts";
import type { ClaimEdits } from "../edits.ts";
import { editedBirthBundle, editedIdentity } from "../edits.ts";
import { gone } from "./errors.ts";
import type { AgentRegistration, StagedContent } from "./stored.ts";
import type { ClaimTerms } from "./terms.ts";

export interface ClaimedSoulDeps {
  readonly souls: SoulReader;
  /** See `TextOrigin`. */
  readonly caller: string;
  readonly secrets: Pick<Secrets, "decrypt">;
}

type HashedPart = Pick<
  RegistrationInput,
  | "agentType"
  | "soulHash"
  | "soulMerkleRoot"
  | "merkleLeaves"
  | "soulSalt"
  | "sourceFormat"
  | "publicFields"
>;

/** The owner's registration: the agent's own, with the owner's edits. @throws ApiError of invalid edits. */
export async function claimInput(
  registration: AgentRegistration,
  { ownerAddress, edits, seal }: ClaimTerms,
  deps: ClaimedSoulDeps,
): Promise<RegistrationInput> {
  const { content } = registration;
  if (content === null) throw gone();
  const source = sourceOf(edits);
  const soul =
    source === null
      ? stagedSoul(registration, content, edits, deps)
      : await editedSoul(registration, content, { source, edits }, deps);
  return {
    agentName: registration.name,
    ...soul,
    publicIdentity: editedIdentity(content, edits),
    birthBundle: editedBirthBundle(content.birthBundle, edits.birthBundle),
    ownerAddress,
    operatorAddress: null,
    parentTokenId: edits.parentTokenId ?? 0n,
    organizationId: 0n,
    seal,
    humanProof: edits.humanProof ?? null,
    soulDocuments: content.document === null ? null : [content.document],
    passportId: content.erc8004AgentId,
  };
}

/** The soul as the agent registered it. */
function stagedSoul(
  registration: AgentRegistration,
  content: StagedContent,
  edits: ClaimEdits,
  deps: ClaimedSoulDeps,
): HashedPart {
  assertLeavesUntouched(content, edits);
  return {
    agentType: content.agentType,
    soulHash: content.soulHash,
    soulMerkleRoot: content.soulMerkleRoot,
    merkleLeaves: registration.leaves ?? [],
    soulSalt: stagedSalt(registration, deps),
    sourceFormat: content.sourceFormat,
    publicFields: edits.publicFields ?? content.publicFields,
  };
}

function stagedSalt({ id, saltEncrypted }: AgentRegistration, { secrets }: ClaimedSoulDeps): Hex {
  if (saltEncrypted === null) throw gone();
  return bytesToHex(secrets.decrypt(REGISTRATION_SALT_PURPOSE, saltEncrypted, id));
}

/** The soul of the text that the owner sends instead of the agent's. */
async function editedSoul(
  registration: AgentRegistration,
  content: StagedContent,
  { source, edits }: { readonly source: SoulSource; readonly edits: ClaimEdits },
  { souls, caller }: ClaimedSoulDeps,
): Promise<HashedPart> {
  const isWhole = source.kind === "ccsf";
  const { document } = content;
  // Every text has its own salt: with the old one, a reader of the old text could tell what has
  // not changed.
  const soulSalt = bytesToHex(randomBytes(32));
  const { agentType, publicFields, ...hashed } = await souls.run(
    "hashSource",
    {
      source,
      frame: {
        agentName: registration.name,
        agentType: edits.agentType ?? (isWhole ? null : content.agentType),
        description: edits.agentDescription ?? (isWhole ? null : content.agentDescription),
        documents: document === null ? [] : [committed(document)],
      },
      soulSalt,
      publicFields: Object.keys(content.publicFields) as Field[],
    },
    { part: isWhole ? "editedData.ccsf" : "editedData.systemPrompt", caller },
  );
  return {
    agentType: parseAgentType(agentType),
    ...hashed,
    soulSalt,
    sourceFormat: isWhole ? "ccsf_json" : source.format,
    publicFields: edits.publicFields ?? publicFields,
  };
}

function sourceOf({ systemPrompt, sourceFormat, ccsf }: ClaimEdits): SoulSource | null {
  if (sourceFormat !== undefined && systemPrompt === undefined) {
    throw badRequest(
      "editedData.sourceFormat",
      "This is the format of systemPrompt: send that with it",
    );
  }
  if (ccsf !== undefined) {
    if (systemPrompt !== undefined) {
      throw badRequest("editedData.ccsf", "Send either systemPrompt or ccsf, not both");
    }
    return { kind: "ccsf", document: ccsf };
  }
  return systemPrompt === undefined
    ? null
    : { kind: "text", format: sourceFormat ?? "plaintext", text: systemPrompt };
}

/** A sealed soul can only be hashed again with the private text, which is not stored. */
function assertLeavesUntouched(content: StagedContent, edits: ClaimEdits): void {
  const touched: [keyof ClaimEdits, Field, boolean][] = [
    ["agentType", "identity.agent_type", differs(edits.agentType, content.agentType)],
    [
      "agentDescription",
      "identity.description",
      differs(edits.agentDescription, content.agentDescription),
    ],
  ];
  const issues = touched
    .filter(([, , isTouched]) => isTouched)
    .map(([edit, leaf]) => ({
      path: `editedData.${edit}`,
      message: `It changes the leaf ${leaf}: send systemPrompt or ccsf with it`,
    }));
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message:
        "The private text was discarded, and values that are hashed with it cannot be changed alone.",
      details: { issues },
    });
  }
}

function differs<T>(edit: T | undefined, staged: T | null): boolean {
  return edit !== undefined && edit !== staged;
}
