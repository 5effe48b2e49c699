import type { Context } from "ponder:registry";
import { passport, soul } from "ponder:schema";
import { type Address, zeroAddress } from "viem";
import type { VALIDITIES } from "../enums.ts";

/**
 * Sets a soul's validity after an event that it can follow from: of the soul itself, or of its
 * passport's owner.
 */
export async function updateValidity(context: Context, tokenId: bigint): Promise<void> {
  const row = await context.db.find(soul, { tokenId });
  if (row === null) return;
  const carrier = await context.db.find(passport, { id: row.passportId });
  const validity = validityOf(row, carrier?.owner ?? null);
  if (validity !== row.validity) await context.db.update(soul, { tokenId }).set({ validity });
}

/** As the registry's `validityOf` answers it. */
export function validityOf(
  {
    status,
    sealer,
    suspendedOwner,
  }: Pick<typeof soul.$inferSelect, "status" | "sealer" | "suspendedOwner">,
  passportOwner: Address | null,
): (typeof VALIDITIES)[number] {
  const owner = passportOwner?.toLowerCase() ?? zeroAddress;
  if (status !== "SEALED" || owner === zeroAddress) return "not_linked";
  const isWithSealer = owner === sealer.toLowerCase() && suspendedOwner === null;
  return isWithSealer ? "valid" : "suspended";
}
