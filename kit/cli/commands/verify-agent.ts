import { readAgentReport } from "../../agent/report.ts";
import { archivedSteps } from "../agent/archived-steps.ts";
import { AGENT_ARGUMENT, CERTIFICATE_OPTION, findAgent } from "../agent/reference.ts";
import type { Command } from "../command.ts";
import { agentContracts, DEPLOYMENT_OPTION, requireDeployment } from "../deployment.ts";
import { GATEWAY_OPTION, gatewaysOf } from "../gateways.ts";
import { nodeOf, RPC_OPTION } from "../node.ts";

export const verifyAgent: Command = {
  name: "verify agent",
  summary: "Who is this agent, and may it be relied on? From the chain alone",
  argument: AGENT_ARGUMENT,
  options: [CERTIFICATE_OPTION, RPC_OPTION, DEPLOYMENT_OPTION, GATEWAY_OPTION],
  details: `Reads everything in one block, and names for each step the contract that it was read from. With a gateway it also
opens the archived soul, the key set and the DID document, and compares them with the chain.
A number names a passport; with --certificate, a certificate. A soul that is not sealed, is suspended, was burned or was sold is not valid.`,
  examples: [
    "verify agent heron --rpc https://your.node --deployment deployments/base.json",
    "verify agent 12 --rpc https://your.node --deployment deployments/base.json --json",
    "verify agent did:svc:8453:heron --gateway https://service.example/ar/{id}/item",
  ],
  async run(input) {
    const deployment = await requireDeployment(input);
    const gateways = gatewaysOf(input);
    const client = nodeOf(input);
    const agent = await findAgent(input, client, deployment);
    const { note } = input.io;
    const question = {
      client,
      chainId: deployment.chainId,
      contracts: agentContracts(deployment),
      agent,
      startBlock: deployment.startBlock,
      gateways,
      note,
      rpcUrl: input.option("rpc") ?? "",
    };
    const report = await readAgentReport(question, (soul) => archivedSteps(question, soul));
    const lines = report.steps.map(({ step, value, source, problem }) => {
      const wrong = problem === null ? "" : `\n${" ".repeat(18)}NOT RIGHT: ${problem}`;
      return `  ${step.padEnd(16)}${value}${wrong}\n${" ".repeat(18)}read from ${source}`;
    });
    const head = `${report.isValid ? "valid" : "not valid"}: ${report.why}`;
    return {
      code: report.isValid ? 0 : 1,
      json: {
        verdict: report.isValid ? "valid" : "invalid",
        why: report.why,
        block: agent.blockNumber,
        steps: report.steps,
      },
      text: [head, ...lines].join("\n"),
    };
  },
};
