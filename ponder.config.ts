import { createConfig } from "ponder";
import { type Abi, type Address, http, zeroAddress } from "viem";
import { readIndexedDeployment } from "./indexer/deployment.ts";
import {
  agentKeysAbi,
  alignmentRegistryAbi,
  allowanceVaultAbi,
  bindingRegistryAbi,
  chronicleAnchorAbi,
  humanVerifierRegistryAbi,
  identityRegistryAbi,
  organizationRegistryAbi,
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

const { chainId, contracts, startBlock, identityRegistryStartBlock } = readIndexedDeployment(
  required("SVC_DEPLOYMENT"),
);
const ws = process.env.RPC_WS_URL;

const own = <const A extends Abi>(abi: A, address: Address) =>
  ({ chain: "main", abi, address, startBlock }) as const;

/** The ERC-8004 registries: a third party's, and on a public chain older than this protocol. */
const official = <const A extends Abi>(abi: A, address: Address) =>
  ({ chain: "main", abi, address, startBlock: identityRegistryStartBlock }) as const;

export default createConfig({
  chains: {
    main: {
      id: chainId,
      // Without a size limit: viem stops at 10 MiB, and one eth_getLogs answer above that would fail for ever.
      rpc: http(required("RPC_URL"), { maxResponseBodySize: false, timeout: 60_000 }),
      // A new block arrives in milliseconds over a socket; without one Ponder asks once a second.
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
    PassportWriter: own(passportWriterAbi, contracts.passportWriter),
    ReputationRegistry: official(reputationRegistryAbi, contracts.reputationRegistry),
    SoulCertificate: own(soulCertificateAbi, contracts.soulCertificate),
    SoulRegistry: own(soulRegistryAbi, contracts.soulRegistry),
    // Ponder refuses handlers of a contract that is not here, and takes one without an address for every contract of the chain.
    // Nothing is ever emitted from the zero address.
    ValidationRegistry: official(
      validationRegistryAbi,
      contracts.validationRegistry ?? zeroAddress,
    ),
  },
});
