import type { Address, PublicClient } from "viem";
import { parseEventLogs, zeroHash } from "viem";
import { identityRegistryAbi, soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { dateOf } from "../../kernel/chain-time.ts";
import { chainAnswer } from "../../platform/chain/bounded.ts";
import { contractReceipt } from "../../platform/chain/receipts.ts";
import type { VerificationChain } from "./verification.ts";

/** Longest wait for the node in one check of a verification. */
const TIMEOUT_MS = 5_000;

/** The chain's own word on souls, asked anew each time. */
export function createVerificationChain(
  client: PublicClient,
  contracts: Readonly<Record<"soulRegistry" | "passportWriter" | "identityRegistry", Address>>,
): VerificationChain {
  const { soulRegistry, passportWriter, identityRegistry } = contracts;
  const passports = { address: identityRegistry, abi: identityRegistryAbi } as const;
  const contract = { address: soulRegistry, abi: soulRegistryAbi } as const;

  return {
    passport: (passportId, tokenId, keys) =>
      chainAnswer(TIMEOUT_MS, async () => {
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
      chainAnswer(TIMEOUT_MS, async () => {
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
