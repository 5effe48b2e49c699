import { type Hex, type PublicClient, zeroHash } from "viem";
import {
  agentKeysAbi,
  identityRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { unlessReverted } from "../did/chain.ts";

/** The contracts that a report of an agent reads, as the reader knows them. */
export interface AgentContracts {
  readonly soulRegistry: Hex;
  readonly soulCertificate: Hex;
  readonly identityRegistry: Hex;
  readonly agentKeys: Hex;
}

/** The agent of a report, as it was found in the registry. */
export interface ReportedAgent {
  /** What it was asked for by: exactly one of name and passport. */
  readonly name: string | null;
  readonly passportId: bigint | null;
  /** The block of all reads. */
  readonly blockNumber: bigint;
  /** 0 for no soul. */
  readonly tokenId: bigint;
}

export interface ReportQuestion {
  /** A node of the chain, which is trusted. */
  readonly client: Pick<PublicClient, "readContract">;
  readonly chainId: number;
  readonly contracts: AgentContracts;
  readonly agent: ReportedAgent;
}

/** In the order of ISoulRegistry.Status and ISoulRegistry.Validity. */
const STATUS = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;
const VALIDITY = ["NOT_LINKED", "SUSPENDED", "VALID"] as const;

/** What the chain has of a soul. */
export type SoulOnChain = Awaited<ReturnType<typeof readSoul>>;

/** Reads a soul and what belongs to it, all of one block. */
export async function readSoul({
  client,
  contracts,
  agent,
}: Pick<ReportQuestion, "client" | "contracts"> & {
  readonly agent: Pick<ReportedAgent, "blockNumber" | "tokenId">;
}) {
  const { blockNumber, tokenId } = agent;
  const { soulCertificate: certificate, identityRegistry: identity, agentKeys } = contracts;
  const souls = { address: contracts.soulRegistry, abi: soulRegistryAbi, blockNumber } as const;
  const args = [tokenId] as const;
  const record = await client.readContract({ ...souls, functionName: "soulOf", args });
  const passports = { address: identity, abi: identityRegistryAbi, blockNumber } as const;
  const passport = [record.passportId] as const;
  const [owner, uri, holder, registryOf, certificateOf, validity, isMarked, human, did, keysHash] =
    await Promise.all([
      unlessReverted(
        client.readContract({ ...passports, functionName: "ownerOf", args: passport }),
      ),
      unlessReverted(
        client.readContract({ ...passports, functionName: "tokenURI", args: passport }),
      ),
      // A burned soul has no certificate.
      unlessReverted(
        client.readContract({
          address: certificate,
          abi: soulCertificateAbi,
          functionName: "ownerOf",
          args,
          blockNumber,
        }),
      ),
      client.readContract({ ...souls, functionName: "IDENTITY_REGISTRY" }),
      client.readContract({ ...souls, functionName: "CERTIFICATE" }),
      client.readContract({ ...souls, functionName: "validityOf", args }),
      client.readContract({ ...souls, functionName: "isSuspended", args }),
      client.readContract({ ...souls, functionName: "humanVerified", args }),
      client.readContract({ ...souls, functionName: "didArchiveOf", args }),
      client.readContract({
        address: agentKeys,
        abi: agentKeysAbi,
        functionName: "keysOf",
        args,
        blockNumber,
      }),
    ]);
  return {
    record,
    owner,
    uri,
    holder,
    isMarked,
    human,
    keysHash,
    contracts: { registryOf, certificateOf, certificate, identity, agentKeys },
    status: STATUS[record.status] ?? "NONE",
    validity: VALIDITY[validity[0]] ?? "NOT_LINKED",
    didArchiveId: did === zeroHash ? null : did,
  };
}
