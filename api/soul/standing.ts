import type { ValidityStatus } from "./validity.ts";

/** How a soul stands. Anything but `valid` may not be relied on. */
export type SoulStanding = "valid" | "suspended" | "not_linked" | "not_sealed" | "burned";

/** A burned or unsealed soul is that, whatever its passport says. */
export function soulStanding({
  genesisStatus,
  soulValidity,
}: {
  readonly genesisStatus: "SEALED" | "PROVISIONAL" | "BURNED";
  readonly soulValidity: ValidityStatus;
}): SoulStanding {
  if (genesisStatus === "BURNED") return "burned";
  if (genesisStatus === "PROVISIONAL") return "not_sealed";
  return soulValidity;
}
