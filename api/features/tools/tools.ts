import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import type { IdentityDefaults } from "../../../protocol/index.ts";
import { byName } from "../../soul/soul-ref.ts";
import type { NormalisedSource, SoulReader } from "../../soul/text/soul-tasks.ts";
import type { ProfileService } from "../profile/index.ts";

export interface HashCheck {
  readonly match: boolean;
  readonly computedHash: Hex;
  /** Null before the owner's claim. */
  readonly onChainHash: Hex | null;
  readonly agentName: string;
  readonly tokenId: bigint | null;
}

/** Inputs of these are neither stored nor logged. */
export interface Tools {
  /**
   * @throws ApiError INVALID_REQUEST with the place of the error in the text; SERVICE_UNAVAILABLE
   * when too many texts are being read.
   */
  normalise(
    format: string,
    source: Uint8Array,
    defaults: IdentityDefaults,
    options: {
      /** Of a soul that was hashed before; null for a new one. */
      readonly formerSalt: Hex | null;
      /** See `TextOrigin`. */
      readonly caller: string;
    },
  ): Promise<NormalisedSource>;
  /** @throws ApiError INVALID_REQUEST, NOT_FOUND, SERVICE_UNAVAILABLE */
  verifyHash(agentName: string, salt: Hex, document: unknown, caller: string): Promise<HashCheck>;
}

export function createTools(deps: {
  readonly profiles: Pick<ProfileService, "profile">;
  readonly souls: SoulReader;
}): Tools {
  const { profiles, souls } = deps;
  return {
    normalise(format, source, defaults, { formerSalt, caller }) {
      const soulSalt = formerSalt ?? bytesToHex(randomBytes(32));
      const input = { format, source, defaults, soulSalt };
      return souls.run("normaliseSource", input, { part: "file", caller });
    },
    async verifyHash(agentName, soulSalt, document, caller) {
      const computedHash = await souls.run(
        "hashDocument",
        { document, soulSalt },
        { part: "normalisedCcsf", caller },
      );
      const { value } = await profiles.profile(byName(agentName));
      return {
        match: value.soulHash === computedHash,
        computedHash,
        onChainHash: value.soulHash,
        agentName: value.agentName,
        tokenId: value.tokenId,
      };
    },
  };
}
