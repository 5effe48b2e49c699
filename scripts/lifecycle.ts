import { isHex, size } from "viem";
import type { Deployment } from "./deploy/deploy.ts";
import { readJson } from "./lib/json-file.ts";
import { readArguments } from "./lib/usage.ts";
import { connect, type Keys } from "./lifecycle/chain.ts";
import { live } from "./lifecycle/life.ts";
import { grantRegistrarRole, localKeys } from "./lifecycle/local-keys.ts";

const HELP = `Usage: npm run lifecycle -- --rpc <url> --deployment <file> [options]

Drives the lives of a few agents against deployed contracts, without the service: register, bind, join, spend, redeem, sell,
suspend, return, reseal, burn, reincarnate, release, and a batch of 50 in an organization. Every step is checked by a read, and what
must be refused is tried. Prints each step with its gas, and fails at the first that is not as expected.

Options
  --rpc <url>          The chain's node
  --deployment <file>  The deployment file that npm run deploy wrote
  --agents <n>         Agents of the batch, 1 to 50; default 50
  --help               Show this

Keys, each 0x and 64 hex digits, of accounts that can pay for gas. Left out on the local chain, where test accounts are used:
  LIFECYCLE_REGISTRAR_KEY  holds REGISTRAR_ROLE and submits what the others sign; not the relayer of a running service,
                           which uses the same account's nonces
  LIFECYCLE_OWNER_KEY      the first owner
  LIFECYCLE_BUYER_KEY      buys its passports
  LIFECYCLE_OPERATOR_KEY   the agent's own account
The stablecoin is minted where that is possible (the local one); elsewhere the owner needs 3 units of it.
`;

const LOCAL_CHAIN = 31_337;
const MOST_AGENTS = 50;

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const { values } = readArguments({
    options: {
      rpc: { type: "string" },
      deployment: { type: "string" },
      agents: { type: "string", default: String(MOST_AGENTS) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const agents = Number(values.agents);
  if (!values.rpc || !values.deployment) {
    throw new Error(
      "Name the node with --rpc and the deployment file with --deployment. See --help.",
    );
  }
  if (!Number.isInteger(agents) || agents < 1 || agents > MOST_AGENTS) {
    throw new Error(`--agents is a number from 1 to ${MOST_AGENTS}.`);
  }
  const deployment = readJson<Deployment>(values.deployment);
  const chain = await connect(values.rpc, deployment, keysFor(deployment.chainId));
  if (process.env.LIFECYCLE_REGISTRAR_KEY === undefined) await grantRegistrarRole(chain);
  await live(chain, agents);
  return 0;
}

function keysFor(chainId: number): Keys {
  const local = localKeys();
  const key = (name: string, localKey: string) => {
    const value = process.env[name] ?? (chainId === LOCAL_CHAIN ? localKey : undefined);
    if (value === undefined) throw new Error(`Set ${name}. See --help.`);
    if (!isHex(value) || size(value) !== 32) throw new Error(`${name} is not a private key.`);
    return value;
  };
  return {
    registrar: key("LIFECYCLE_REGISTRAR_KEY", local.registrar),
    owner: key("LIFECYCLE_OWNER_KEY", local.owner),
    buyer: key("LIFECYCLE_BUYER_KEY", local.buyer),
    operator: key("LIFECYCLE_OPERATOR_KEY", local.operator),
  };
}
