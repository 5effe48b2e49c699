import type { DemoAgent } from "../first-life.ts";
import type { Stack } from "./stack.ts";

/** What `npm start` prints at its end: where everything is, and what to try. */
export function readyText(
  { accounts, deployment, directory, urls }: Stack,
  agent: DemoAgent | undefined,
): string {
  const account = (role: string, held: { address: string; privateKey: string }) =>
    `  ${role.padEnd(9)} ${held.address}  ${held.privateKey}`;
  return `
The stack is ready.

  API        ${urls.api}         described at ${urls.api}/v1/openapi.json
  Chain      ${urls.rpc}         chain id ${deployment.chainId}, also ${urls.rpcWs}
  Indexer    ${urls.indexer}
  Postgres   ${urls.database}
  Contracts  ${directory}/deployment.json
  Logs       ${directory}/logs

Test accounts with 10,000 ether each. Their keys are public knowledge: never send real value to them.
${account("admin", accounts.admin)}
${account("relayer", accounts.relayer)}
${accounts.users
  .slice(0, 3)
  .map((user) => account(`user ${user.index}`, user))
  .join("\n")}
${agent === undefined ? "" : thingsToTry(urls.api, agent)}
  Site        ${urls.api}
${agent === undefined ? "" : `  Demo agent  ${urls.api}/agents/${agent.agentName}\n`}  Docs        ${urls.api}/docs
`;
}

/** Commands that succeed as they stand. */
function thingsToTry(api: string, { agentName, tokenId, apiKey }: DemoAgent): string {
  const chronicle = JSON.stringify({
    tokenId,
    category: "achievement",
    data: { title: "Read its first book" },
  });
  return `
Three things to try, with the demo agent's key, which works until the stack ends:

  Whose key is this?
    curl -s ${api}/api/v1/auth/verify-key -H 'content-type: application/json' -d '{"apiKey":"${apiKey}"}'
  Record something in the agent's life:
    curl -s ${api}/v1/chronicle -H 'authorization: Bearer ${apiKey}' -H 'content-type: application/json' -d '${chronicle}'
  Read its life, as anyone can:
    curl -s '${api}/v1/chronicle/${agentName}?includeDetails=true'
`;
}
