import { createConfig } from "ponder";
import { type Abi, type Address, zeroAddress } from "viem";
import { readIndexedDeployment } from "./indexer/deployment.ts";
import { endWithSupervisor } from "./indexer/end-with-supervisor.ts";
import { assertChainOfNodes, connectNodes, nodeUrls } from "./indexer/nodes.ts";
import { forgetUnfinalBlocks, reorganizeQuietly } from "./indexer/taken-back.ts";
import {
  agentKeysAbi,
  alignmentRegistryAbi,
  allowanceVaultAbi,
  bindingRegistryAbi,
  chronicleAnchorAbi,
  humanVerifierRegistryAbi,
  identityRegistryAbi,
  organizationRegistryAbi,
  passportMintAbi,
  passportWriterAbi,
  reputationRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
  validationRegistryAbi,
} from "./protocol/generated/abi.ts";

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: the indexer cannot start without it.`);
  return value;
}

endWithSupervisor(process.env.INDEXER_SUPERVISOR_PIPE);
const { chainId, contracts, startBlock, identityRegistryStartBlock } = readIndexedDeployment(
  required("SVC_DEPLOYMENT"),
);
const ws = process.env.RPC_WS_URL || undefined;
const urls = nodeUrls(required("RPC_URL"));
await assertChainOfNodes({ urls, socketUrl: ws }, chainId);
const nodes = connectNodes(urls, chainId);
await nodes.start();
await forgetUnfinalBlocks(required("DATABASE_URL"), process.argv);
reorganizeQuietly();

const own = <const A extends Abi>(abi: A, address: Address) =>
  ({ chain: "main", abi, address, startBlock }) as const;

/** The ERC-8004 registries: a third party's, and on a public chain older than this protocol. */
const official = <const A extends Abi>(abi: A, address: Address) =>
  ({ chain: "main", abi, address, startBlock: identityRegistryStartBlock }) as const;

export default createConfig({
  chains: {
    main: {
      id: chainId,
      rpc: nodes.transport,
      // With a socket a new block arrives in milliseconds; otherwise Ponder polls once a second.
      ...(ws ? { ws } : {}),
    },
  },
  contracts: {
    AgentKeys: own(agentKeysAbi, contracts.agentKeys),
    AlignmentRegistry: own(alignmentRegistryAbi, contracts.alignmentRegistry),
    AllowanceVault: own(allowanceVaultAbi, contracts.allowanceVault),
    BindingRegistry: own(bindingRegistryAbi, contracts.bindingRegistry),
    ChronicleAnchor: own(chronicleAnchorAbi, contracts.chronicleAnchor),
    HumanVerifierRegistry: own(humanVerifierRegistryAbi, contracts.humanVerifierRegistry),
    IdentityRegistry: official(identityRegistryAbi, contracts.identityRegistry),
    OrganizationRegistry: own(organizationRegistryAbi, contracts.organizationRegistry),
    // Its address tells a hand-over from a sale.
    PassportMint: own(passportMintAbi, contracts.passportMint),
    PassportWriter: own(passportWriterAbi, contracts.passportWriter),
    ReputationRegistry: official(reputationRegistryAbi, contracts.reputationRegistry),
    SoulCertificate: own(soulCertificateAbi, contracts.soulCertificate),
    SoulRegistry: own(soulRegistryAbi, contracts.soulRegistry),
    // Ponder rejects handlers of contracts that are not listed here, and watches all contracts when
    // an address is missing. The zero address never emits an event.
    ValidationRegistry: official(
      validationRegistryAbi,
      contracts.validationRegistry ?? zeroAddress,
    ),
  },
});
