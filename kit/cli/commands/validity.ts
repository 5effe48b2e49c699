import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { AGENT_ARGUMENT, findAgent } from "../agent/reference.ts";
import type { Command } from "../command.ts";
import { DEPLOYMENT_OPTION, requireDeployment } from "../deployment.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";

export const validity: Command = {
  name: "validity",
  summary: "May this agent be relied on now? (isValid on chain)",
  argument: AGENT_ARGUMENT,
  options: [RPC_OPTION, DEPLOYMENT_OPTION],
  details: `One read of the soul registry. Valid means: sealed, not suspended, and the passport is with the owner who sealed.
svc verify agent says why an agent is not valid.`,
  examples: [
    "validity heron --rpc https://your.node --deployment deployments/base.json",
    "validity did:svc:8453:heron --json && echo relied on",
  ],
  async run(input) {
    const deployment = await requireDeployment(input);
    const client = nodeOf(input);
    const { registry, blockNumber, tokenId } = await findAgent(input, client, deployment);
    const isValid =
      tokenId !== 0n &&
      (await client.readContract({
        address: registry,
        abi: soulRegistryAbi,
        functionName: "isValid",
        args: [tokenId],
        blockNumber,
      }));
    const subject = tokenId === 0n ? `${input.argument} has no soul` : `soul ${tokenId}`;
    return {
      code: isValid ? 0 : 1,
      json: {
        valid: isValid,
        agent: input.argument,
        tokenId: tokenId === 0n ? null : tokenId,
        chainId: deployment.chainId,
        soulRegistry: registry,
        block: blockNumber,
      },
      text: `${isValid ? "valid" : "not valid"}: ${subject}, in block ${blockNumber} of chain ${deployment.chainId}`,
    };
  },
};
