import { isHex, size } from "viem";
import type { Deployment } from "./deploy/deployment.ts";
import { readJson } from "./lib/json-file.ts";
import { helpText, readArguments } from "./lib/usage.ts";
import { connect, type Keys } from "./lifecycle/chain.ts";
import { live } from "./lifecycle/life.ts";
import { grantRegistrarRole, localKeys } from "./lifecycle/local-keys.ts";

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
    process.stdout.write(helpText("lifecycle"));
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
