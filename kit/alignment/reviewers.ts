import { type Hex, zeroAddress } from "viem";
import type { ReviewerFact } from "../../protocol/alignment/index.ts";
import { identityRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { accountTopic, type LogReader, placeOf, topicOf } from "./logs.ts";

/** Another agent's valid seal, with the epoch that it belongs to. */
export interface ValidSeal {
  readonly fact: Omit<ReviewerFact, "timestamp">;
  readonly epoch: number;
}

/** With more accounts than this, all seals are read instead of each account's. */
const MOST_ACCOUNTS = 1000;

/** Events that begin or end the validity of a seal. */
const LIFE_EVENTS = [
  "SoulRegistered",
  "SoulSealed",
  "SoulResealed",
  "SoulVerificationSuspended",
  "SoulBurned",
  "SoulReleased",
] as const;

/**
 * The seals of these accounts that are valid: made for the current epoch, neither suspended nor
 * ended, by the account that owns the passport.
 */
export async function readValidSeals(
  logs: LogReader,
  place: {
    readonly soulRegistry: Hex;
    readonly identityRegistry: Hex;
    readonly startBlock: bigint;
  },
  accounts: readonly Hex[],
): Promise<ValidSeal[]> {
  const { soulRegistry, identityRegistry, startBlock } = place;
  // Wallets without a soul can give feedback without end, and must not make this check endless.
  const isCrowd = accounts.length > MOST_ACCOUNTS;
  const seals = await logs.read({
    address: soulRegistry,
    abi: soulRegistryAbi,
    events: ["SoulSealed", "SoulResealed"],
    topics: isCrowd ? [] : [null, null, accounts.map(accountTopic)],
    fromBlock: startBlock,
  });
  const asked = new Set(accounts);
  const asReviewers = seals.filter(({ args }) => asked.has(args.sealer));
  const tokenIds = [...new Set(asReviewers.map(({ args }) => args.tokenId))];
  const life = await logs.read({
    address: soulRegistry,
    abi: soulRegistryAbi,
    events: LIFE_EVENTS,
    topics: [tokenIds.map(topicOf)],
    fromBlock: startBlock,
  });
  const passports = new Map<bigint, bigint>();
  const last = new Map<bigint, (typeof life)[number]>();
  for (const log of life) {
    if (log.eventName === "SoulRegistered") passports.set(log.args.tokenId, log.args.passportId);
    last.set(log.args.tokenId, log);
  }
  const owners = await readPassportOwners(logs, identityRegistry, startBlock, [
    ...new Set(passports.values()),
  ]);
  return [...last.values()].flatMap((log): ValidSeal[] => {
    if (log.eventName !== "SoulSealed" && log.eventName !== "SoulResealed") return [];
    const { tokenId, epoch, sealer, verifier } = log.args;
    const owner = owners.get(passports.get(tokenId) ?? -1n);
    if (!asked.has(sealer)) return [];
    if (owner?.toLowerCase() !== sealer.toLowerCase()) return [];
    const fact: ValidSeal["fact"] = {
      kind: "reviewer",
      place: placeOf(log),
      account: sealer,
      tokenId,
      event: log.eventName === "SoulSealed" ? "sealed" : "resealed",
      humanVerified: verifier !== zeroAddress,
    };
    return [{ fact, epoch }];
  });
}

async function readPassportOwners(
  logs: LogReader,
  identityRegistry: Hex,
  startBlock: bigint,
  passportIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Hex>> {
  const since = async (fromBlock: bigint, ids: readonly bigint[]) => {
    const transfers = await logs.read({
      address: identityRegistry,
      abi: identityRegistryAbi,
      events: ["Transfer"],
      topics: [null, null, ids.map(topicOf)],
      fromBlock,
    });
    return transfers.map(({ args }) => [args.tokenId, args.to] as const);
  };
  const owners = new Map(await since(startBlock, passportIds));
  // A passport can be older than the deployment, and unmoved since.
  const older = startBlock > 0n ? passportIds.filter((id) => !owners.has(id)) : [];
  return new Map([...owners, ...(await since(0n, older))]);
}
