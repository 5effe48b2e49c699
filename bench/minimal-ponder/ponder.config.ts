import { createConfig } from "ponder";
import { type Abi, zeroAddress } from "viem";
import { readIndexedDeployment } from "../../indexer/deployment.ts";
import * as abis from "../../protocol/generated/abi.ts";
import { CONTRACTS } from "./contracts.ts";

// The least that indexes the same events: Ponder's own transport, one table, one insert per event.

const { chainId, contracts, startBlock } = readIndexedDeployment(process.env.SVC_DEPLOYMENT ?? "");
const { RPC_URL: rpc = "", RPC_WS_URL: ws } = process.env;
const ABIS: Readonly<Record<string, Abi>> = abis;

export default createConfig({
  chains: { main: ws ? { id: chainId, rpc, ws } : { id: chainId, rpc } },
  contracts: Object.fromEntries(
    CONTRACTS.map((name) => {
      const key = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as keyof typeof contracts;
      const address = contracts[key] ?? zeroAddress;
      return [name, { chain: "main" as const, abi: ABIS[`${key}Abi`] ?? [], address, startBlock }];
    }),
  ),
});
