import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { AGENT_ARGUMENT, CERTIFICATE_OPTION, findAgent } from "../agent/reference.ts";
import type { Command } from "../command.ts";
import { DEPLOYMENT_OPTION, requireDeployment } from "../deployment.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";

export const validity: Command = {
  name: "validity",
  summary: "May this agent be relied on now? (isValid on chain)",
  argument: AGENT_ARGUMENT,
  options: [CERTIFICATE_OPTION, RPC_OPTION, DEPLOYMENT_OPTION],
  details: `What the soul registry says. Valid means: sealed, not suspended, and the passport is with the owner who sealed.
svc verify agent says why an agent is not valid. A number names a passport; with --certificate, a certificate.`,
  examples: [
    "validity heron --rpc https://your.node --deployment deployments/base.json",
    "validity did:svc:8453:heron --json && echo relied on",
  ],
  async run(input) {
    const deployment = await requireDeployment(input);
    const client = nodeOf(input);
    const { registry, blockNumber, tokenId } = await findAgent(input, client, deployment);
    const souls = { address: registry, abi: soulRegistryAbi, blockNumber } as const;
    const args = [tokenId] as const;
    const [soul, isValid] =
      tokenId === 0n
        ? [null, false]
        : await Promise.all([
            client.readContract({ ...souls, functionName: "soulOf", args }),
            client.readContract({ ...souls, functionName: "isValid", args }),
          ]);
    const subject =
      soul === null
        ? `${input.argument} has no soul`
        : `${soul.name} (certificate ${tokenId}, passport ${soul.passportId})`;
    return {
      code: isValid ? 0 : 1,
      json: {
        valid: isValid,
        agent: input.argument,
        tokenId: tokenId === 0n ? null : tokenId,
        erc8004AgentId: soul?.passportId ?? null,
        chainId: deployment.chainId,
        soulRegistry: registry,
        block: blockNumber,
      },
      text: `${isValid ? "valid" : "not valid"}: ${subject}, in block ${blockNumber} of chain ${deployment.chainId}`,
    };
  },
};
