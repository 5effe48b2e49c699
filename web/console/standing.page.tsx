import type { ChainSoul } from "../../api/soul/chain-soul.ts";
import type { SoulStatus } from "../../api/soul/index-reads.ts";
import { isWithSealer } from "../../api/soul/with-sealer.ts";
import { Badge } from "../ui/components.tsx";
import type { Standing } from "./console.ts";

/** How an agent stands, in a word or two. */
export function StandingBadge({ standing, status }: { standing: Standing; status: SoulStatus }) {
  if (standing === "suspended") return <Badge tone="caution">Suspended until a reseal</Badge>;
  if (standing === "ended") return <Badge tone="bad">Ended</Badge>;
  if (status === "PROVISIONAL") return <Badge tone="caution">Not sealed yet</Badge>;
  return <Badge tone="good">Yours, and valid</Badge>;
}

/** How an agent stands to an account, as the chain has it now; null when it is not the account's. */
export function standingOf(soul: ChainSoul, account: string): Standing | null {
  const isOwn = (one: string | null) => one?.toLowerCase() === account.toLowerCase();
  const { status, sealer, suspended, passportOwner } = soul;
  if (status === "BURNED") return isOwn(sealer) ? "ended" : null;
  if (!isOwn(passportOwner)) return null;
  return isWithSealer({ sealer, suspended, owner: passportOwner }) ? "owned" : "suspended";
}
