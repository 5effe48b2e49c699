import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  fallback,
  getAddress,
  type Hex,
  http,
  zeroAddress,
  zeroHash,
} from "viem";
import { parsePassportName } from "../../protocol/names.ts";
import { findKeysArchive, KEYS_ABI } from "./keys-archive.ts";

/** The on-chain state of a DID's subject, all from one block. */
export interface OnChainAgent {
  readonly passportId: bigint;
  /** Null when the registry has no owner for it. */
  readonly passportOwner: Address | null;
  /** Set by the passport's controller: untrusted. */
  readonly agentUri: string;
  /** Null for the DID of a passport without a soul. */
  readonly soul: OnChainSoul | null;
}

export interface OnChainSoul {
  readonly tokenId: bigint;
  readonly name: string;
  readonly epoch: number;
  readonly status: "PROVISIONAL" | "SEALED" | "BURNED";
  readonly isValid: boolean;
  readonly operator: Address | null;
  /** Null when this epoch has none. */
  readonly didArchiveId: Hex | null;
  /** The key set in force; null for none, and when the contract AgentKeys is not configured. */
  readonly keySet: OnChainKeySet | null;
}

/** What the chain names of an agent's public keys. */
export interface OnChainKeySet {
  /** SHA-256 of the set's canonical bytes. */
  readonly keysHash: Hex;
  /** Where the owner says that the set is stored. */
  readonly archiveId: Hex;
}

/** The contract that names agents' key sets. */
export interface AgentKeysContract {
  readonly address: Address;
  /** The first block that can hold an event of it: `startBlock` of `deployments/<network>.json`. */
  readonly startBlock: bigint;
}

/** The reads of one chain that the resolver needs. */
export interface DidChain {
  /** The agent with this name; null when the registry never registered the name. */
  byName(name: string): Promise<OnChainAgent | null>;
}

export interface DidChainOptions {
  readonly chainId: number;
  readonly rpcUrls: readonly string[];
  readonly soulRegistry: Address;
  readonly agentKeys: AgentKeysContract | null;
  readonly timeoutMs: number;
}

/** The members of `ISoulRegistry` and the ERC-8004 identity registry that a resolver needs. */
const REGISTRY_ABI = [
  view("IDENTITY_REGISTRY", [], [{ type: "address" }]),
  view("tokenOfName", [{ name: "name", type: "string" }], [{ type: "uint256" }]),
  view("tokenOfPassport", [{ name: "passportId", type: "uint256" }], [{ type: "uint256" }]),
  view("didArchiveOf", [{ name: "tokenId", type: "uint256" }], [{ type: "bytes32" }]),
  view("isValid", [{ name: "tokenId", type: "uint256" }], [{ type: "bool" }]),
  view(
    "soulOf",
    [{ name: "tokenId", type: "uint256" }],
    [
      {
        type: "tuple",
        components: [
          { name: "sealer", type: "address" },
          { name: "passportId", type: "uint56" },
          { name: "epoch", type: "uint16" },
          { name: "status", type: "uint8" },
          { name: "agentType", type: "uint8" },
          { name: "soulHash", type: "bytes32" },
          { name: "soulMerkleRoot", type: "bytes32" },
          { name: "operator", type: "address" },
          { name: "name", type: "string" },
        ],
      },
    ],
  ),
] as const;

const PASSPORT_ABI = [
  view("ownerOf", [{ name: "tokenId", type: "uint256" }], [{ type: "address" }]),
  view("tokenURI", [{ name: "tokenId", type: "uint256" }], [{ type: "string" }]),
] as const;

function view<const Name extends string, const In, const Out>(
  name: Name,
  inputs: In,
  outputs: Out,
) {
  return { type: "function", stateMutability: "view", name, inputs, outputs } as const;
}

/** The contract's Status. */
const STATUS = [null, "PROVISIONAL", "SEALED", "BURNED"] as const;

/** Reads agents straight from the contracts of one chain, over the first node that answers. */
export function createDidChain(options: DidChainOptions): DidChain {
  const { soulRegistry, agentKeys, chainId } = options;
  const transports = options.rpcUrls.map((url) =>
    // Batches all reads of a block into one request.
    http(url, { timeout: options.timeoutMs, retryCount: 1, batch: true }),
  );
  const client = createPublicClient({ transport: fallback(transports), cacheTime: 0 });
  let identityRegistry: Promise<Address> | undefined;

  async function readIdentityRegistry(): Promise<Address> {
    // Read once, because neither changes. A failure is not cached.
    identityRegistry ??= (async () => {
      const actual = await client.getChainId();
      if (actual !== chainId) throw new Error(`The node is of chain ${actual}, not ${chainId}.`);
      return client.readContract({
        address: soulRegistry,
        abi: REGISTRY_ABI,
        functionName: "IDENTITY_REGISTRY",
      });
    })();
    try {
      return await identityRegistry;
    } catch (error) {
      identityRegistry = undefined;
      throw error;
    }
  }

  return {
    async byName(name) {
      const registry = await readIdentityRegistry();
      const blockNumber = await client.getBlockNumber();
      const souls = { address: soulRegistry, abi: REGISTRY_ABI, blockNumber } as const;
      const passports = { address: registry, abi: PASSPORT_ABI, blockNumber } as const;

      async function soulOf(
        tokenId: bigint,
      ): Promise<(OnChainSoul & { passportId: bigint }) | null> {
        const args = [tokenId] as const;
        const [soul, isValid, archive] = await Promise.all([
          client.readContract({ ...souls, functionName: "soulOf", args }),
          client.readContract({ ...souls, functionName: "isValid", args }),
          client.readContract({ ...souls, functionName: "didArchiveOf", args }),
        ]);
        const status = STATUS[soul.status] ?? null;
        if (status === null) return null;
        const keySet = isValid ? await keySetOf(tokenId, soul.epoch) : null;
        return {
          keySet,
          tokenId,
          status,
          isValid,
          passportId: soul.passportId,
          name: soul.name,
          epoch: soul.epoch,
          operator: soul.operator === zeroAddress ? null : getAddress(soul.operator),
          didArchiveId: archive === zeroHash ? null : archive,
        };
      }

      async function keySetOf(tokenId: bigint, epoch: number): Promise<OnChainKeySet | null> {
        if (agentKeys === null) return null;
        const { address, startBlock } = agentKeys;
        const contract = { address, abi: KEYS_ABI, blockNumber } as const;
        const args = [tokenId] as const;
        const keysHash = await client.readContract({ ...contract, functionName: "keysOf", args });
        if (keysHash === zeroHash) return null;
        const search = { client, address, startBlock, blockNumber, tokenId, epoch, keysHash };
        return { keysHash, archiveId: await findKeysArchive(search) };
      }

      async function passportOf(passportId: bigint) {
        const args = [passportId] as const;
        // The identity registry is a third party's, and reverts for an unknown passport.
        const [owner, agentUri] = await Promise.all([
          unlessReverted(client.readContract({ ...passports, functionName: "ownerOf", args })),
          unlessReverted(client.readContract({ ...passports, functionName: "tokenURI", args })),
        ]);
        const isOwned = owner !== null && owner !== zeroAddress;
        return {
          passportOwner: isOwned ? getAddress(owner) : null,
          agentUri: agentUri ?? "",
        };
      }

      const passportId = parsePassportName(name);
      if (passportId !== null) {
        const [passport, tokenId] = await Promise.all([
          passportOf(passportId),
          client.readContract({ ...souls, functionName: "tokenOfPassport", args: [passportId] }),
        ]);
        if (passport.passportOwner === null) return null;
        return { passportId, ...passport, soul: tokenId === 0n ? null : await soulOf(tokenId) };
      }

      const tokenId = await client.readContract({
        ...souls,
        functionName: "tokenOfName",
        args: [name],
      });
      const soul = tokenId === 0n ? null : await soulOf(tokenId);
      if (soul === null) return null;
      return { passportId: soul.passportId, ...(await passportOf(soul.passportId)), soul };
    },
  };
}

/** Null when the contract reverted: ERC-721 has no other word for "no such token". */
export async function unlessReverted<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const cause = error instanceof BaseError ? error.walk(isRevert) : null;
    if (cause !== null) return null;
    throw error;
  }
}

function isRevert(error: unknown): boolean {
  return error instanceof ContractFunctionRevertedError;
}
