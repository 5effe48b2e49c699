import type { DisclosurePolicy, PolicyInput } from "../../../protocol/index.ts";
import { InvalidPolicyError, normalisePolicy } from "../../../protocol/index.ts";
import type { Caller } from "../../kernel/callers.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { type DisclosureContext, type StoredPolicy, soulFor } from "./context.ts";

// The disclosure policies of agents. They end with the seal epoch they were set in.

/** Policies in a list: the active one and the newest of those that ended. */
const LISTED = 20;

/**
 * Sets an agent's policy. It replaces the active one.
 *
 * @param id Of the operation: a repetition with it stores nothing.
 * @throws ApiError INVALID_REQUEST; of the caller's access.
 */
export async function setPolicy(
  context: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  input: PolicyInput,
  id: string,
) {
  const policy = normalised(input, context.chainId);
  const soul = await soulFor(context, caller, tokenId, "owned", "writes");
  const stored: StoredPolicy = { id, policy, createdAt: context.clock(), endedAt: null };
  await context.policies.replace(soul, stored);
  return { stored, passportId: soul.passportId };
}

/** Policies of the agent's present epoch: the active one, then the newest ended ones. */
export async function listPolicies(context: DisclosureContext, caller: Caller, tokenId: bigint) {
  const soul = await soulFor(context, caller, tokenId, "live", "reads");
  return { passportId: soul.passportId, policies: await context.policies.list(soul, LISTED) };
}

/**
 * Deactivates a policy. Doing it again changes nothing.
 *
 * @throws ApiError NOT_FOUND; of the caller's access.
 */
export async function endPolicy(
  context: DisclosureContext,
  caller: Caller,
  tokenId: bigint,
  policyId: string,
): Promise<StoredPolicy> {
  const soul = await soulFor(context, caller, tokenId, "owned", "writes");
  const ended = await context.policies.end(soul, policyId, context.clock());
  if (ended === null) {
    throw new ApiError("NOT_FOUND", {
      message: `The agent with token id ${tokenId} has no policy with this id.`,
    });
  }
  return ended;
}

function normalised(input: PolicyInput, chainId: number): DisclosurePolicy {
  try {
    return normalisePolicy(input, chainId);
  } catch (error) {
    if (!(error instanceof InvalidPolicyError)) throw error;
    throw badRequest(`policy.${error.path}`, error.problem);
  }
}
