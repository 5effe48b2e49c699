import { deployLocally } from "../deploy/deploy.ts";
import { nodeRuntime } from "./node-runtime.ts";

// The local chain: chain-process.ts <port> <directory> <time of the first block>. One process runs
// the node and deploys to it, so that Hardhat is loaded once. It prints "ready" after the deployment
// file is written.
const [port, directory, initialDate] = process.argv.slice(2);
if (!port || !directory || !initialDate) {
  throw new Error("Usage: chain-process.ts <port> <directory> <time of the first block>");
}

const { network } = await nodeRuntime();
const server = await network.createServer(
  { network: "stack", override: { initialDate } },
  "127.0.0.1",
  Number(port),
);
const { address, port: actualPort } = await server.listen();
const url = `http://${address}:${actualPort}`;
console.log(`The chain listens on ${url}`);

const deployment = await deployLocally(url, directory);
console.log(`Deployed to chain ${deployment.chainId}: ${JSON.stringify(deployment.contracts)}`);
// A local chain has no state to save. After "ready" the process may be stopped at once.
process.once("SIGTERM", () => process.exit(0));
console.log("ready");
