import { type PublicClient, zeroHash } from "viem";
import {
  agentKeysAbi,
  identityRegistryAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../../protocol/generated/abi.ts";
import { unlessReverted } from "../../did/chain.ts";
import { contractOf, type KnownDeployment } from "../deployment.ts";
import type { AgentReference, FoundAgent } from "./reference.ts";

/** One thing that was read, and where. */
export interface ReportStep {
  readonly step: string;
  readonly value: string;
  readonly source: string;
  /** Null: right, or information alone. */
  readonly problem: string | null;
}

export interface ReportQuestion {
  readonly client: PublicClient;
  readonly deployment: KnownDeployment;
  readonly agent: FoundAgent & AgentReference;
  readonly gateways: readonly string[];
  readonly rpcUrl: string;
  readonly note: (line: string) => void;
}

/** In the order of ISoulRegistry.Status and ISoulRegistry.Validity. */
const STATUS = ["NONE", "PROVISIONAL", "SEALED", "BURNED"] as const;
const VALIDITY = ["NOT_LINKED", "SUSPENDED", "VALID"] as const;

/** What the chain has of a soul. */
export type SoulOnChain = Awaited<ReturnType<typeof readSoul>>;

/** Reads a soul and what belongs to it, all of one block. */
export async function readSoul({ client, deployment, agent }: ReportQuestion) {
  const { registry, blockNumber, tokenId } = agent;
  const souls = { address: registry, abi: soulRegistryAbi, blockNumber } as const;
  const args = [tokenId] as const;
  const record = await client.readContract({ ...souls, functionName: "soulOf", args });
  const certificate = contractOf(deployment, "soulCertificate");
  const identity = contractOf(deployment, "identityRegistry");
  const passports = { address: identity, abi: identityRegistryAbi, blockNumber } as const;
  const agentKeys = contractOf(deployment, "agentKeys");
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
