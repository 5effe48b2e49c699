import { z } from "@hono/zod-openapi";
import type { Address } from "viem";
import type { AgentWalletMessage } from "../../../protocol/index.ts";
import { agentWalletTypedData } from "../../../protocol/index.ts";
import { typedDataAnswer, typedDataSchema } from "../../operations/typed-data.schemas.ts";

const FUNCTION = "setAgentWallet(uint256,address,uint256,bytes)";

/** How the owner sets the wallet that receives the agent's payments. */
export const AgentWalletSchema = z
  .object({
    address: z.null().openapi({
      description:
        "`getAgentWallet` of the identity registry: empty after the registration. Payers find no wallet until the owner sets one.",
    }),
    typedData: typedDataSchema(
      z.object({
        agentId: z.string(),
        newWallet: z.string(),
        owner: z.string(),
        deadline: z.string().openapi({
          description: "At most 5 minutes ahead: set it anew when it has passed.",
        }),
      }),
    ).openapi({
      description:
        "`newWallet` (the operator, else the owner) signs it. Any other wallet may be put in.",
    }),
    transaction: z
      .object({
        chainId: z.int(),
        to: z.string(),
        functionName: z.literal(FUNCTION),
        args: z.array(z.string()),
        value: z.literal("0"),
      })
      .openapi({
        description:
          "The owner sends it before the deadline, with the signature as the fourth argument.",
      }),
  })
  .openapi("AgentWallet");

/** The agent's wallet in a registration's answer; null for a bound passport. */
export function agentWalletBody(
  { chainId, identityRegistry }: { readonly chainId: number; readonly identityRegistry: Address },
  consent: AgentWalletMessage | null,
): z.input<typeof AgentWalletSchema> | null {
  if (consent === null) return null;
  const { newWallet, owner } = consent;
  const [agentId, deadline] = [consent.agentId.toString(), consent.deadline.toString()];
  const domain = { chainId, verifyingContract: identityRegistry };
  return {
    address: null,
    typedData: typedDataAnswer({
      ...agentWalletTypedData({ ...domain, message: consent }),
      message: { agentId, newWallet, owner, deadline },
    }),
    transaction: {
      chainId,
      to: identityRegistry,
      functionName: FUNCTION,
      args: [agentId, newWallet, deadline],
      value: "0",
    },
  };
}
