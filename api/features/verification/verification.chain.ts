import type { Address, PublicClient } from "viem";
import { parseEventLogs, zeroHash } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { contractReceipt } from "../../platform/chain/receipts.ts";
import type { VerificationChain } from "./verification.ts";

export interface VerificationChainOptions {
  readonly client: PublicClient;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
  readonly identityRegistry: Address;
  /** Milliseconds that one read may take in total. */
  readonly timeoutMs: number;
}

/** The chain's own word on souls, asked anew each time. */
export function createVerificationChain(options: VerificationChainOptions): VerificationChain {
  const { client, soulRegistry, passportWriter, identityRegistry, timeoutMs } = options;
  const passports = { address: identityRegistry, abi: identityRegistryAbi } as const;
  const contract = { address: soulRegistry, abi: soulRegistryAbi } as const;

  return {
    passport: (passportId, tokenId, keys) =>
      chainAnswer(timeoutMs, async () => {
        const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
        const ofPassport = { args: [passportId] as const, blockNumber };
        const carried = await client.readContract({
          ...contract,
          ...ofPassport,
          functionName: "tokenOfPassport",
        });
        const ofSoul = { ...contract, args: [tokenId] as const, blockNumber } as const;
        const [uri, isApproved, humanVerified, archiveId, ...metadata] = await Promise.all([
          client.readContract({ ...passports, ...ofPassport, functionName: "tokenURI" }),
          client.readContract({
            ...passports,
            functionName: "isAuthorizedOrOwner",
            args: [passportWriter, passportId],
            blockNumber,
          }),
          client.readContract({ ...ofSoul, functionName: "humanVerified" }),
          client.readContract({ ...ofSoul, functionName: "archiveOf" }),
          ...keys.map((key) =>
            client.readContract({
              ...passports,

              functionName: "getMetadata",

              args: [passportId, key],

              blockNumber,
            }),
          ),
        ]);
        const hasArchive = archiveId !== zeroHash;
        return { carried, uri, humanVerified, isApproved, hasArchive, metadata };
      }),

    registration: (hash, tokenId) =>
      chainAnswer(timeoutMs, async () => {
        const found = await contractReceipt(client, hash, soulRegistry);
        if (found === null) return null;
        const { blockNumber } = found.receipt;
        const { timestamp } = await client.getBlock({ blockNumber });
        const registered = parseEventLogs({
          abi: soulRegistryAbi,
          eventName: "SoulRegistered",
          logs: found.logs,
        }).some(({ args }) => args.tokenId === tokenId);
        return { registered, timestamp: dateOf(timestamp) };
      }),
  };
}
