import { assertValidName, InvalidNameError, suggestName } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";

export interface NamePorts {
  /** The token id of the soul with `name`, 0 for none, live. */
  tokenOfName(name: string): Promise<bigint>;
  /**
   * Whether `name` is about to be registered, or reserved for a holder other than `holder`: a
   * challenge, or an unclaimed registration.
   */
  isNamePending(name: string, holder: string | null): Promise<boolean>;
}

export interface NameAvailability {
  readonly available: boolean;
  /** The reason when it is not available. */
  readonly reason?: string;
}

export type NameService = ReturnType<typeof createNameService>;

/**
 * Which names can still be registered. The chain decides at registration; this predicts its
 * decision.
 */
export function createNameService(ports: NamePorts) {
  /**
   * @param holder for which the name may be reserved; null without one.
   * @throws ApiError INVALID_NAME for a name that is never given; CHAIN_UNAVAILABLE.
   */
  async function check(name: string, holder: string | null = null): Promise<NameAvailability> {
    try {
      assertValidName(name);
    } catch (error) {
      if (!(error instanceof InvalidNameError)) throw error;
      throw new ApiError("INVALID_NAME", { message: error.message, details: { name } });
    }
    if ((await ports.tokenOfName(name)) !== 0n) {
      return { available: false, reason: "The name belongs to an agent." };
    }
    if (await ports.isNamePending(name, holder)) {
      return { available: false, reason: "The name is being registered." };
    }
    return { available: true };
  }

  /** As `check`, with a name to register: the requested one itself when it is available. */
  async function suggest(name: string): Promise<NameAvailability & { suggestion: string }> {
    const availability = await check(name);
    if (availability.available) return { ...availability, suggestion: name };

    let suggestion = suggestName(name);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if ((await check(suggestion)).available) return { ...availability, suggestion };
      suggestion = suggestName(suggestion);
    }
    throw new ApiError("NAME_TAKEN", {
      message: `Every suggestion for ${name} is taken too. Choose another name.`,
    });
  }

  return { check, suggest };
}

const MAX_ATTEMPTS = 20;
