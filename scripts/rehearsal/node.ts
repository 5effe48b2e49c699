import {
  type Address,
  createTestClient,
  encodeDeployData,
  http,
  parseEther,
  publicActions,
} from "viem";
import { parametersPath, placeCreateX, readParameters } from "../deploy/deploy.ts";
import { artifactOf } from "../lib/artifacts.ts";
import { createNodeRuntime } from "../local-stack/node-runtime.ts";

const CHAIN_ID = 84_532;

/**
 * The official contracts in deployments/parameters/base-sepolia.json, what behaves like each, and
 * the contract that its constructor takes.
 */
const OFFICIAL = [
  ["identityRegistry", "IdentityRegistry"],
  ["reputationRegistry", "ReputationRegistry", "identityRegistry"],
  ["stablecoin", "Stablecoin"],
] as const;

/**
 * Starts a local node that answers as Base Sepolia, with CreateX, and contracts of the same
 * behaviour at the addresses of the official ones.
 */
export async function startSepolia(port: number) {
  const { network } = await createNodeRuntime({
    // As the local stack's chain: blocks come with transactions, and every second.
    sepolia: {
      type: "edr-simulated",
      chainType: "l1",
      chainId: CHAIN_ID,
      allowBlocksWithSameTimestamp: true,
      mining: { auto: true, interval: 1_000 },
    },
  });
  const server = await network.createServer("sepolia", "127.0.0.1", port);
  await server.listen();
  const url = `http://127.0.0.1:${port}`;
  const client = createTestClient({ mode: "hardhat", transport: http(url) }).extend(publicActions);
  await placeCreateX(http(url));
  const { $global: addresses } = readParameters(parametersPath("base-sepolia"));
  for (const [name, contractName, argument] of OFFICIAL) {
    const args = argument === undefined ? [] : [addresses?.[argument]];
    const { abi, bytecode } = artifactOf(contractName);
    // A simulated deployment answers the code with its immutables; the artifact has zeros there.
    const { data } = await client.call({ data: encodeDeployData({ abi, bytecode, args }) });
    if (data === undefined) throw new Error(`${contractName} cannot be deployed.`);
    await client.setCode({ address: addresses?.[name] as Address, bytecode: data });
  }
  return {
    url,
    /** As a faucet does. */
    fund: (address: Address) => client.setBalance({ address, value: parseEther("0.1") }),
    stop: () => server.close(),
  };
}
