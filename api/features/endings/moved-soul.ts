import type { Address } from "viem";
import { encodeFunctionData, isAddressEqual } from "viem";
import { soulRegistryAbi } from "../../../protocol/generated/abi.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { OwnedSoul } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { Observation } from "./endings.chain.ts";
import type { Endings } from "./endings.ts";

export type { Observation };

/**
 * A soul whose passport has left its sealer, or came back after that was recorded. Its `owner` is
 * the passport's owner now, which was recorded in an earlier block: it decides.
 */
export type MovedSoul = OwnedSoul & { readonly observedBlock: bigint };

/** How long the registry accepts an observation, in seconds. */
const OBSERVATION_LIFETIME = 24n * 60n * 60n;
/** Left for the transaction itself. */
const MARGIN = 10n * 60n;
const RETRY_AFTER_SECONDS = 3;

/**
 * Reads a soul that the passport's owner may reseal or release. When the owner is not recorded yet, the service records it first.
 *
 * @throws ApiError NOT_FOUND; BURNED; ALREADY_SEALED or FORBIDDEN for a soul that is not suspended; SUSPENDED with the time after
 * which to ask again.
 */
export async function readMoved(
  { souls, chain, requestSuspension }: Pick<Endings, "souls" | "chain" | "requestSuspension">,
  tokenId: bigint,
): Promise<MovedSoul> {
  const soul = await requireSoul(souls, tokenId, "live");
  const { status, passportOwner, blockTime } = soul;
  if (passportOwner === null) {
    throw new ApiError("SUSPENDED", { message: "The passport of this soul cannot be read." });
  }
  if (ownerOf(soul) !== null) throw notSuspended(status);

  const { owner, block, observedAt } = await chain.observation(tokenId, soul.block);
  const isRecorded =
    owner !== null &&
    isAddressEqual(owner, passportOwner) &&
    blockTime <= observedAt + OBSERVATION_LIFETIME - MARGIN;
  if (!isRecorded) await requestSuspension(tokenId);
  // The registry takes no observation of the same block.
  if (!isRecorded || soul.block <= block) throw notRecordedYet();
  return { ...soul, owner: passportOwner, observedBlock: block };
}

function notSuspended(status: "PROVISIONAL" | "SEALED"): ApiError {
  const message =
    "The passport is with the account that sealed this soul, and no suspension stands: there is nothing to reseal or release.";
  return new ApiError(status === "SEALED" ? "ALREADY_SEALED" : "FORBIDDEN", { message });
}

function notRecordedYet(): ApiError {
  return new ApiError("SUSPENDED", {
    message:
      "The passport's owner must be recorded on chain first, in an earlier block. The service does so now: repeat the request.",
    retryAfter: RETRY_AFTER_SECONDS,
  });
}

/** Records on chain who owns a soul's passport now. Any account may send it. */
export function suspendCall(soulRegistry: Address, tokenId: bigint): Call {
  return {
    to: soulRegistry,
    data: encodeFunctionData({ abi: soulRegistryAbi, functionName: "suspend", args: [tokenId] }),
  };
}
