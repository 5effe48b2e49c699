import { type Address, createTestClient, http, parseEther } from "viem";
import { parametersPath, readParameters } from "../deploy/deploy.ts";
import { artifactOf } from "../lib/artifacts.ts";
import { createNodeRuntime } from "../local-stack/node-runtime.ts";

const CHAIN_ID = 84_532;

/** The official contracts in ignition/parameters/base-sepolia.json, and what behaves like each. */
const OFFICIAL = [
  ["OfficialRegistries", "identityRegistry", "IdentityRegistry"],
  ["OfficialRegistries", "reputationRegistry", "ReputationRegistry"],
  ["OfficialStablecoin", "stablecoin", "Stablecoin"],
] as const;

/**
 * Starts a local node that answers as Base Sepolia, with contracts of the same behaviour at the
 * addresses of the official ones.
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
  const client = createTestClient({ mode: "hardhat", transport: http(url) });
  const parameters = readParameters(parametersPath("base-sepolia"));
  for (const [module, name, contractName] of OFFICIAL) {
    const address = parameters[module]?.[name] as Address;
    await client.setCode({ address, bytecode: artifactOf(contractName).deployedBytecode });
  }
  return {
    url,
    /** As a faucet does. */
    fund: (address: Address) => client.setBalance({ address, value: parseEther("0.1") }),
    stop: () => server.close(),
  };
}
