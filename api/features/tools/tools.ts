import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex } from "viem";
import type { IdentityDefaults } from "../../../protocol/index.ts";
import { byName } from "../../soul/soul-ref.ts";
import type { NormalisedSource, SoulReader } from "../../soul/text/soul-tasks.ts";
import type { ProfileService } from "../profile/index.ts";

export type Tools = ReturnType<typeof createTools>;

/** Inputs of these are neither stored nor logged. */
export function createTools({
  profiles,
  souls,
}: {
  readonly profiles: Pick<ProfileService, "profile">;
  readonly souls: SoulReader;
}) {
  return {
    /**
     * @param formerSalt Of a soul that was hashed before; null for a new one.
     * @param caller See `TextOrigin`.
     * @throws ApiError INVALID_REQUEST with the place of the error in the text; SERVICE_UNAVAILABLE
     * when too many texts are being read.
     */
    normalise(
      format: string,
      source: Uint8Array,
      defaults: IdentityDefaults,
      { formerSalt, caller }: { readonly formerSalt: Hex | null; readonly caller: string },
    ): Promise<NormalisedSource> {
      const soulSalt = formerSalt ?? bytesToHex(randomBytes(32));
      const input = { format, source, defaults, soulSalt };
      return souls.run("normaliseSource", input, { part: "file", caller });
    },

    /** @throws ApiError INVALID_REQUEST, NOT_FOUND, SERVICE_UNAVAILABLE */
    async verifyHash(agentName: string, soulSalt: Hex, document: unknown, caller: string) {
      const computedHash = await souls.run(
        "hashDocument",
        { document, soulSalt },
        { part: "normalisedCcsf", caller },
      );
      const { value } = await profiles.profile(byName(agentName));
      return {
        match: value.soulHash === computedHash,
        computedHash,
        /** Null before the owner's claim. */
        onChainHash: value.soulHash,
        agentName: value.agentName,
        tokenId: value.tokenId,
      };
    },
  };
}
