import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { badRequest } from "../../kernel/errors.ts";
import type { AppEnv } from "../../platform/http/env.ts";
import { addressOf } from "../../platform/http/guard.ts";
import { challengeQuestion } from "../names/index.ts";
import type { AgentRegistrationService } from "./agent-registration.ts";
import type { ChallengeStepSchema, RegisterStepSchema } from "./schemas.ts";
import { toAgentRegistration } from "./schemas.ts";

export interface RegisterStepDeps {
  readonly agentRegistrations: AgentRegistrationService;
  readonly chainId: number;
}

/** The placeholder for the soul hash while the owner may still change the hashed values. */
const SOUL_HASH_PLACEHOLDER = "pending: it is final once the owner claims this agent";

/** The agent's first step: what `POST /v1/register` answers with 200. */
export async function challengeStep(
  c: Context<AppEnv>,
  { agentName }: z.output<typeof ChallengeStepSchema>,
  { agentRegistrations }: RegisterStepDeps,
) {
  const challenge = await agentRegistrations.challenge(agentName, addressOf(c));
  return {
    challengeId: challenge.id,
    type: "sha256" as const,
    question: challengeQuestion(challenge),
    nameAvailable: challenge.nameAvailable,
    expiresAt: challenge.expiresAt.toISOString(),
  };
}

/** The agent's second step: what `POST /v1/register` answers with 201. */
export async function registerStep(
  c: Context<AppEnv>,
  body: z.output<typeof RegisterStepSchema>,
  { agentRegistrations, chainId }: RegisterStepDeps,
) {
  const asked = body.erc8004ChainId ?? chainId;
  if (asked !== chainId) {
    throw badRequest("erc8004ChainId", `This service is on ${chainId}`);
  }
  const { claimExpiresAt, ...registered } = await agentRegistrations.register(
    toAgentRegistration(body),
    { challengeId: body.challengeId, challengeAnswer: body.challengeAnswer },
    { address: addressOf(c), operationKey: c.get("operationKey") },
  );
  return {
    ...registered,
    status: "pending_owner_claim" as const,
    soulHash: SOUL_HASH_PLACEHOLDER,
    message:
      "Send claimUrl to your owner, over a channel that only the two of you read. The owner signs once and pays nothing. If it is not claimed, the name is free again after claimExpiresAt.",
    claimExpiresAt: claimExpiresAt.toISOString(),
    provisionalLimits: {
      note: "This key can read, and register webhooks. The full key is issued to the owner when the agent is claimed.",
      canRead: true,
      canPost: false,
      canDisclose: false,
      canBind: false,
    },
  };
}
