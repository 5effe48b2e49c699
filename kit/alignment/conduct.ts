import { type Hex, isAddressEqual } from "viem";
import { OVERSPENDING_REASONS } from "../../protocol/alignment/index.ts";
import { ALLOWANCE_REASONS } from "../../protocol/allowance-reasons.ts";
import { allowanceVaultAbi, bindingRegistryAbi } from "../../protocol/generated/abi.ts";
import { accountTopic, type LogReader, placeOf, topicOf } from "./logs.ts";
import type { UntimedFact } from "./untimed.ts";

/** IBindingRegistry.Authority. */
const BY_SERVICE = 1;

/** The agent's payments outside its allowance. */
export async function readOverspending(
  logs: LogReader,
  address: Hex,
  tokenId: bigint,
  fromBlock: bigint,
): Promise<UntimedFact[]> {
  const events = await logs.read({
    address,
    abi: allowanceVaultAbi,
    events: ["SpendRefused", "SpendReported"],
    topics: [topicOf(tokenId)],
    fromBlock,
  });
  return events.flatMap((log): UntimedFact[] => {
    const { epoch, recipient, amount } = log.args;
    const named = ALLOWANCE_REASONS[log.args.reason];
    const reason = OVERSPENDING_REASONS.find((one) => one === named);
    if (reason === undefined) return [];
    const event = log.eventName === "SpendRefused" ? "refused" : "reported";
    const place = placeOf(log);
    return [{ kind: "overspending", place, epoch, event, recipient, amount, reason }];
  });
}

/** The agent's bindings to others. */
export async function readBindings(
  logs: LogReader,
  address: Hex,
  tokenId: bigint,
  fromBlock: bigint,
): Promise<UntimedFact[]> {
  const events = await logs.read({
    address,
    abi: bindingRegistryAbi,
    events: ["BindingSet"],
    topics: [null, topicOf(tokenId)],
    fromBlock,
  });
  return events.map((log) => {
    const { epoch, toTokenId, trustLevel } = log.args;
    const authority = log.args.authority === BY_SERVICE ? "SERVICE" : "OWNER";
    return { kind: "binding", place: placeOf(log), epoch, toTokenId, trustLevel, authority };
  });
}

/** What the allowances of some accounts paid to others. */
export async function readPayments(
  logs: LogReader,
  address: Hex,
  { from, to }: { readonly from: readonly Hex[]; readonly to: readonly Hex[] },
  fromBlock: bigint,
): Promise<UntimedFact[]> {
  const events = await logs.read({
    address,
    abi: allowanceVaultAbi,
    events: ["Spent"],
    topics: [null, to.map(accountTopic)],
    fromBlock,
  });
  return events.flatMap((log): UntimedFact[] => {
    const { owner, tokenId, recipient, amount } = log.args;
    if (!from.some((account) => isAddressEqual(account, owner))) return [];
    return [{ kind: "payment", place: placeOf(log), account: owner, tokenId, recipient, amount }];
  });
}
