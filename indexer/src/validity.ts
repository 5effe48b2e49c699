import type { Context } from "ponder:registry";
import { passport, soul } from "ponder:schema";
import { zeroAddress } from "viem";
import type { VALIDITIES } from "../enums.ts";

/**
 * Sets a soul's validity after an event that it can follow from: of the soul itself, or of its
 * passport's owner.
 */
export async function updateValidity(context: Context, tokenId: bigint): Promise<void> {
  const row = await context.db.find(soul, { tokenId });
  if (row === null) return;
  const carrier = await context.db.find(passport, { id: row.passportId });
  const validity = validityOf(row, carrier?.owner?.toLowerCase() ?? zeroAddress);
  if (validity !== row.validity) await context.db.update(soul, { tokenId }).set({ validity });
}

/** As the registry's `validityOf` answers it. */
function validityOf(
  { status, sealer, suspendedOwner }: typeof soul.$inferSelect,
  passportOwner: string,
): (typeof VALIDITIES)[number] {
  if (status !== "SEALED" || passportOwner === zeroAddress) return "not_linked";
  const isWithSealer = passportOwner === sealer.toLowerCase() && suspendedOwner === null;
  return isWithSealer ? "valid" : "suspended";
}
