import { createConfig } from "ponder";
import { http } from "viem";
import { readIndexedDeployment } from "./indexer/deployment.ts";
import {
  identityRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "./protocol/generated/abi.ts";

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the indexer cannot start without it.`);
  return value;
}

const deployment = readIndexedDeployment(required("SVC_DEPLOYMENT"));
const ws = process.env.RPC_WS_URL;

export default createConfig({
  chains: {
    main: {
      id: deployment.chainId,
      // Without a size limit: viem stops at 10 MiB, and one eth_getLogs answer above that would fail for ever.
      rpc: http(required("RPC_URL"), { maxResponseBodySize: false, timeout: 60_000 }),
      // A new block arrives in milliseconds over a socket; without one Ponder asks once a second.
      ...(ws ? { ws } : {}),
    },
  },
  contracts: {
    IdentityRegistry: {
      chain: "main",
      abi: identityRegistryAbi,
      address: deployment.identityRegistry,
      startBlock: deployment.identityRegistryStartBlock,
    },
    SoulCertificate: {
      chain: "main",
      abi: soulCertificateAbi,
      address: deployment.soulCertificate,
      startBlock: deployment.startBlock,
    },
    SoulRegistry: {
      chain: "main",
      abi: soulRegistryAbi,
      address: deployment.soulRegistry,
      startBlock: deployment.startBlock,
    },
  },
});
