import type { Address } from "viem";
import { isAddressEqual } from "viem";
import { ApiError } from "../../kernel/errors.ts";
import type { ChainSouls, OwnedSoul } from "../../soul/chain-soul.ts";
import { ownerOf } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";

/** What `suspend` recorded last, and how old that is. */
export interface Observation {
  /** Null when no suspension stands. */
  readonly owner: Address | null;
  readonly block: bigint;
  /** Unix seconds of that block. */
  readonly observedAt: bigint;
}

/**
 * A soul whose passport has left its sealer, or came back after that was recorded. Its `owner` is
 * the passport's owner now, which was recorded in an earlier block: it decides.
 */
export type MovedSoul = OwnedSoul & { readonly observedBlock: bigint };

export interface MovedSoulDeps {
  readonly souls: ChainSouls;
  /** As of the end of a block. */
  readonly observation: (tokenId: bigint, block: bigint) => Promise<Observation>;
  /** Has the service record the passport's owner on chain. */
  readonly requestSuspension: (tokenId: bigint) => Promise<void>;
}

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
export async function readMoved(deps: MovedSoulDeps, tokenId: bigint): Promise<MovedSoul> {
  const soul = await requireSoul(deps.souls, tokenId, "live");
  const { status, passportOwner, blockTime } = soul;
  if (passportOwner === null) {
    throw new ApiError("SUSPENDED", { message: "The passport of this soul cannot be read." });
  }
  if (ownerOf(soul) !== null) throw notSuspended(status);

  const { owner, block, observedAt } = await deps.observation(tokenId, soul.block);
  const isRecorded =
    owner !== null &&
    isAddressEqual(owner, passportOwner) &&
    blockTime <= observedAt + OBSERVATION_LIFETIME - MARGIN;
  if (!isRecorded) await deps.requestSuspension(tokenId);
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
