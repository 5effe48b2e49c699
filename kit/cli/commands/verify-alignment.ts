import { readFile } from "node:fs/promises";
import type { AlignmentContracts } from "../../../protocol/index.ts";
import { type VerifyAlignmentOptions, verifyAlignment as verified } from "../../alignment/index.ts";
import { AGENT_ARGUMENT, CERTIFICATE_OPTION, findAgent } from "../agent/reference.ts";
import { type Command, type CommandInput, UsageError } from "../command.ts";
import {
  contractOf,
  DEPLOYMENT_OPTION,
  type KnownDeployment,
  requireDeployment,
} from "../deployment.ts";
import { GATEWAY_OPTION, gatewaysOf } from "../gateways.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";
import { verdictAnswer } from "../verdict.ts";

export const verifyAlignment: Command = {
  name: "verify alignment",
  summary: "Does this agent's score follow from the chain?",
  argument: AGENT_ARGUMENT,
  options: [
    CERTIFICATE_OPTION,
    { ...RPC_OPTION, summary: "A node of the chain that serves the logs since the deployment" },
    DEPLOYMENT_OPTION,
    GATEWAY_OPTION,
    {
      name: "item",
      value: "file",
      summary: "The snapshot's signed archive item, instead of the last recorded one",
    },
  ],
  details: `Checks the snapshot's signature, id and record on chain, reads every fact on chain again, looks for facts that
were left out, and recomputes the score. What is off chain are counts of the snapshot, which its issuer answers for.`,
  examples: [
    "verify alignment heron --rpc https://your.node --deployment deployments/base.json --gateway https://service.example/ar/{id}/item",
    "verify alignment heron --rpc https://your.node --deployment deployments/base.json --item snapshot.item",
  ],
  async run(input) {
    const deployment = await requireDeployment(input);
    const known = alignmentDeployment(deployment);
    const source = await sourceOf(input);
    const client = nodeOf(input);
    const { tokenId } = await findAgent(input, client, deployment);
    if (tokenId === 0n) {
      const why = `The registry knows no agent ${input.argument}.`;
      return verdictAnswer({ verdict: "invalid", why });
    }
    input.io.note("Reading the agent's events from the node ...");
    const options = { client, source, deployment: known };
    return verdictAnswer(await verified(tokenId.toString(), options));
  },
};

async function sourceOf(input: CommandInput): Promise<VerifyAlignmentOptions["source"]> {
  const item = input.option("item");
  if (item !== undefined) return { item: await readFile(item) };
  const gateways = gatewaysOf(input);
  if (gateways.length > 0) return { gateways };
  throw new UsageError("Give --item, or --gateway with {id} where an item's id belongs.");
}

function alignmentDeployment(deployment: KnownDeployment): VerifyAlignmentOptions["deployment"] {
  const { chainId, startBlock, contracts: known } = deployment;
  const contracts: AlignmentContracts = {
    soulRegistry: contractOf(deployment, "soulRegistry"),
    identityRegistry: contractOf(deployment, "identityRegistry"),
    reputationRegistry: contractOf(deployment, "reputationRegistry"),
    validationRegistry: known.validationRegistry ?? null,
    allowanceVault: contractOf(deployment, "allowanceVault"),
    bindingRegistry: contractOf(deployment, "bindingRegistry"),
    organizationRegistry: contractOf(deployment, "organizationRegistry"),
    alignmentRegistry: contractOf(deployment, "alignmentRegistry"),
  };
  return { chainId, startBlock, contracts };
}
