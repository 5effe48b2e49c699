import type { Hex } from "viem";
import { type AgentTypeIndex, type Field, isSameService } from "../../../protocol/index.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { BirthBundle } from "../../soul/index-reads.ts";
import { type PublicIdentity, unlistableServices } from "../registration/index.ts";

/** Most service endpoints of one agent. */
const MAX_ENDPOINTS = 20;

/** Members that an edit names. Null removes a member; an absent member stays unchanged. */
type Named<T> = { readonly [Key in keyof T]?: T[Key] | null | undefined };

/** An edit of an agent's public statements. */
export type IdentityEdit = Named<Omit<PublicIdentity, "serviceEndpoints">> & {
  /** By name of the service: null removes the endpoint. Null for all of them. */
  readonly serviceEndpoints?: Readonly<Record<string, string | null>> | null | undefined;
};

export type BirthBundleEdit = Named<BirthBundle>;

/**
 * An owner's changes of an agent with the claim. Absent values stay as the agent registered them.
 */
export interface ClaimEdits {
  /** Private, like `ccsf`. Of the two at most one. */
  readonly systemPrompt?: string | undefined;
  /** Format of `systemPrompt`. */
  readonly sourceFormat?: string | undefined;
  /** A whole soul, as a JSON value. */
  readonly ccsf?: unknown;
  readonly agentType?: AgentTypeIndex | undefined;
  readonly displayName?: string | undefined;
  readonly agentDescription?: string | undefined;
  readonly agentAvatarUrl?: string | undefined;
  /** All values to publish, by field: instead of the fields that the agent chose. */
  readonly publicFields?: Readonly<Partial<Record<Field, unknown>>> | undefined;
  readonly publicIdentity?: IdentityEdit | undefined;
  readonly birthBundle?: BirthBundleEdit | undefined;
  readonly parentTokenId?: bigint | undefined;
  /** A proof that the owner is a person, in the verifier's encoding. */
  readonly humanProof?: Hex | undefined;
  readonly x402Support?: boolean | undefined;
}

/** The agent's public declarations, as far as edits can change them. */
export interface DeclaredContent {
  readonly publicIdentity: PublicIdentity;
  readonly agentDescription: string | null;
  readonly birthBundle: BirthBundle | null;
}

/** The public identity after the edits. */
export function editedIdentity(declared: DeclaredContent, edits: ClaimEdits): PublicIdentity {
  const { publicIdentity: edit = {}, displayName, agentAvatarUrl, x402Support } = edits;
  const before = declared.publicIdentity;
  assertGivenOnce(edits);
  const after: PublicIdentity = withoutEmpty({
    ...before,
    ...edit,
    description: descriptionOf(declared, edits),
    serviceEndpoints: editedEndpoints(before.serviceEndpoints, edit.serviceEndpoints),
    displayName: displayName ?? named(edit.displayName, before.displayName),
    image: agentAvatarUrl ?? named(edit.image, before.image),
    x402Support: x402Support ?? named(edit.x402Support, before.x402Support),
  });
  for (const [name, message] of unlistableServices(after)) {
    throw badRequest(`editedData.publicIdentity.serviceEndpoints.${name}`, message);
  }
  return after;
}

/** Refuses a value beside another one of the same member: one of them would be lost. */
function assertGivenOnce({ publicIdentity = {}, ...edits }: ClaimEdits): void {
  for (const [short, member] of [
    ["displayName", "displayName"],
    ["agentAvatarUrl", "image"],
    ["x402Support", "x402Support"],
  ] as const) {
    const [given, other] = [edits[short], publicIdentity[member]];
    if (given === undefined || other === undefined || given === other) continue;
    throw badRequest(`editedData.${short}`, `publicIdentity.${member} has another value`);
  }
}

/** The birth bundle after the edit; null when it is empty. */
export function editedBirthBundle(
  before: BirthBundle | null,
  edit: BirthBundleEdit | undefined,
): BirthBundle | null {
  if (edit === undefined) return before;
  const after: BirthBundle = {
    note: named(edit.note, before?.note) ?? "",
    creatorName: named(edit.creatorName, before?.creatorName) ?? "",
    creatorImageUrl: named(edit.creatorImageUrl, before?.creatorImageUrl) ?? "",
  };
  return Object.values(after).every((text) => text === "") ? null : after;
}

/** The owner's value takes precedence over the agent's, wherever either of them gave it. */
function descriptionOf(
  { publicIdentity, agentDescription }: DeclaredContent,
  { publicIdentity: edit, agentDescription: edited }: ClaimEdits,
): string | null | undefined {
  const own = edit?.description ?? edited;
  if (own !== undefined || edit?.description === null) return own;
  return publicIdentity.description ?? agentDescription;
}

function editedEndpoints(
  before: PublicIdentity["serviceEndpoints"],
  edit: IdentityEdit["serviceEndpoints"],
): PublicIdentity["serviceEndpoints"] {
  if (edit === undefined) return before;
  // An edit of `MCP` is one of the agent's `mcp`.
  const edited = Object.keys(edit ?? {});
  const kept = Object.entries(edit === null ? {} : (before ?? {})).filter(
    ([name]) => !edited.some((other) => isSameService(other, name)),
  );
  const after = withoutEmpty({ ...Object.fromEntries(kept), ...edit });
  const count = Object.keys(after).length;
  if (count > MAX_ENDPOINTS) {
    throw badRequest(
      "editedData.publicIdentity.serviceEndpoints",
      `More than ${MAX_ENDPOINTS} entries together with those that the agent registered`,
    );
  }
  return count === 0 ? undefined : after;
}

/** The edit's value of a member, or the previous one; undefined for a removed member. */
function named<T>(edit: T | null | undefined, before: T | undefined): T | undefined {
  return edit === undefined ? before : (edit ?? undefined);
}

/** The members that have a value. */
function withoutEmpty<T extends object>(
  members: T,
): { [Key in keyof T]: Exclude<T[Key], null | undefined> } {
  const present = Object.entries(members).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(present) as { [Key in keyof T]: Exclude<T[Key], null | undefined> };
}
