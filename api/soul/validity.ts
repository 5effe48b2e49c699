import type { IndexedAgent } from "./index-reads.ts";
import { isWithSealer } from "./with-sealer.ts";

/** Whether a soul may be relied on; `not_linked` before the seal and after the end. */
export type ValidityStatus = "valid" | "suspended" | "not_linked";

/**
 * Whether a soul may be relied on, as the registry's own `validityOf` answers it: only a sealed
 * soul can be valid, and only while its passport is with its sealer and no suspension stands.
 */
export function validityOf({
  soul,
  passport,
}: Pick<IndexedAgent, "soul" | "passport">): ValidityStatus {
  const owner = passport?.owner ?? null;
  if (soul.status !== "SEALED" || owner === null) return "not_linked";
  const { sealer, suspended } = soul;
  return isWithSealer({ sealer, owner, suspended }) ? "valid" : "suspended";
}
