import {
  type Address,
  createPublicClient,
  getContract,
  type Hex,
  http,
  zeroAddress,
  zeroHash,
} from "viem";
import type * as schema from "../../indexer/ponder.schema.ts";
import {
  passportWriterAbi,
  soulCertificateAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { storageIdOf } from "../../protocol/index.ts";

/** Statuses by their values on chain. */
const STATUSES = ["NONE", "PROVISIONAL", "SEALED", "BURNED"];
/** Validities by their values on chain. */
const VALIDITIES = ["not_linked", "suspended", "valid"];

interface Contracts {
  readonly soulRegistry: Address;
  readonly soulCertificate: Address;
  readonly passportWriter: Address;
}

/** The contracts' current answers about a soul, in the form of {@link indexedRecord}. */
export async function chainRecord(rpcUrl: string, contracts: Contracts, tokenId: bigint) {
  const client = createPublicClient({ transport: http(rpcUrl, { batch: true }) });
  const souls = getContract({ address: contracts.soulRegistry, abi: soulRegistryAbi, client });
  const certificate = getContract({
    address: contracts.soulCertificate,
    abi: soulCertificateAbi,
    client,
  });
  const writer = getContract({
    address: contracts.passportWriter,
    abi: passportWriterAbi,
    client,
  });
  const args = [tokenId] as const;
  const [soul, isValid, humanVerified, genesis, version, passportVersion, suspension] =
    await Promise.all([
      souls.read.soulOf(args),
      souls.read.isValid(args),
      souls.read.humanVerified(args),
      souls.read.genesisSoulHashOf(args),
      souls.read.versionOf(args),
      writer.read.versionOf(args),
      souls.read.suspensionOf(args),
    ]);
  const [didArchive, sealer, isSuspended, [validity], holder] = await Promise.all([
    souls.read.didArchiveOf(args),
    souls.read.sealerOf(args),
    souls.read.isSuspended(args),
    souls.read.validityOf(args),
    // It reverts for a certificate that was burned.
    certificate.read.ownerOf(args).catch(() => zeroAddress),
  ]);
  const [suspendedOwner, suspendedBlock, suspendedAt] = suspension;
  return {
    tokenId,
    name: soul.name,
    passportId: soul.passportId,
    sealer: lower(soul.sealer),
    operator: lower(soul.operator),
    epoch: soul.epoch,
    status: STATUSES[soul.status],
    agentType: soul.agentType,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
    genesisSoulHash: unlessZero(genesis),
    version,
    passportVersion,
    isSuspended,
    suspendedOwner: suspendedOwner === zeroAddress ? null : lower(suspendedOwner),
    suspendedBlock: isSuspended ? suspendedBlock : null,
    suspendedAt: isSuspended ? suspendedAt : null,
    didArchiveId: unlessZero(didArchive),
    isValid,
    validity: VALIDITIES[validity],
    humanVerified,
    holder: holder === zeroAddress ? null : lower(holder),
    livingSealer: sealer === zeroAddress ? null : lower(sealer),
  };
}

/** The same from the rows of the index alone. */
export function indexedRecord(
  soul: typeof schema.soul.$inferSelect,
  passportOwner: Hex | null,
  holder: Hex | null,
) {
  const isLiving = soul.status !== "BURNED";
  const isValid =
    soul.status === "SEALED" && passportOwner === soul.sealer && soul.suspendedOwner === null;
  return {
    tokenId: soul.tokenId,
    name: soul.name,
    passportId: soul.passportId,
    sealer: soul.sealer,
    operator: soul.operator,
    epoch: soul.epoch,
    status: soul.status,
    agentType: soul.agentType,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
    genesisSoulHash: soul.genesisSoulHash,
    version: soul.version,
    passportVersion: soul.passportVersion,
    isSuspended: soul.suspendedOwner !== null,
    suspendedOwner: soul.suspendedOwner,
    suspendedBlock: soul.suspendedBlock,
    suspendedAt: soul.suspendedAt,
    didArchiveId: soul.didArchiveId,
    isValid,
    validity: soul.validity,
    humanVerified: isValid && soul.humanVerifier !== null,
    holder,
    livingSealer: isLiving ? soul.sealer : null,
  };
}

/** The registry's archive id, as the index has it; null when it has none. */
export async function keptArchive(
  rpcUrl: string,
  { soulRegistry }: Contracts,
  tokenId: bigint,
): Promise<string | null> {
  const archiveId = await createPublicClient({ transport: http(rpcUrl) }).readContract({
    address: soulRegistry,
    abi: soulRegistryAbi,
    functionName: "archiveOf",
    args: [tokenId],
  });
  return archiveId === zeroHash ? null : storageIdOf(archiveId);
}

const lower = (address: Address) => address.toLowerCase();
const unlessZero = (hash: Hex) => (hash === zeroHash ? null : hash);
