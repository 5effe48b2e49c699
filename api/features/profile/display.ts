import { type Address, isAddressEqual } from "viem";
import { shortHex } from "../../../protocol/short-hex.ts";
import type { Database } from "../../platform/database/connect.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import {
  ADDRESS_DISPLAYS,
  type AddressDisplay,
  DEFAULT_DISPLAY,
  type DisplaySettings,
} from "../../soul/display-settings.ts";
import type { IndexedAgents, Reading } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { type DisplayChange, storeDisplay } from "./public-identity.store.ts";

/** The settings of one agent. */
export interface AgentDisplay {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly displaySettings: DisplaySettings;
  /** Null while they are the unchanged defaults. */
  readonly updatedAt: Date | null;
}

/** What reading and changing the settings takes. */
export interface Displays {
  readonly db: Database;
  readonly reads: IndexedAgents;
  /** The soul as the chain has it now. Rejects with CHAIN_UNAVAILABLE. */
  readonly souls: ChainSouls;
  readonly clock: () => Date;
}

/** What an agent's profile shows. @throws ApiError NOT_FOUND */
export async function readDisplay(
  { reads }: Displays,
  agent: SoulRef,
): Promise<Reading<AgentDisplay>> {
  const { at, value } = await requireAgent(reads, agent);
  const { name: agentName, tokenId, passportId } = value.soul;
  const { settings, updatedAt } = value.display ?? { settings: DEFAULT_DISPLAY, updatedAt: null };
  return { at, value: { agentName, tokenId, passportId, displaySettings: settings, updatedAt } };
}

/** @throws ApiError NOT_FOUND, BURNED, FORBIDDEN (never sealed), SUSPENDED, CHAIN_UNAVAILABLE */
export async function changeDisplay(
  { db, souls, clock }: Displays,
  tokenId: bigint,
  change: DisplayChange,
): Promise<AgentDisplay> {
  const soul = await requireSoul(souls, tokenId, "active");
  const { epoch, name: agentName, passportId } = soul;
  const { settings, updatedAt } = await storeDisplay(db, { tokenId, epoch }, change, clock());
  return { agentName, tokenId, passportId, displaySettings: settings, updatedAt };
}

/** An address as it is shown: whole, as `0x1234…abcd`, or not at all. */
function shownAddress(address: Address | null, how: AddressDisplay): string | null {
  if (address === null || how === "hidden") return null;
  return how === "full" ? address : shortHex(address);
}

/**
 * Owner and operator as a profile shows them. An owner who acts for the agent is both: then the
 * stricter setting counts, because one visible field would reveal the hidden one.
 */
export function shownAddresses(
  { owner, operator }: { readonly owner: Address | null; readonly operator: Address | null },
  { ownerAddress, operatorAddress }: DisplaySettings,
): { readonly owner: string | null; readonly operator: string | null } {
  const same = owner !== null && operator !== null && isAddressEqual(owner, operator);
  const strict = stricter(ownerAddress, operatorAddress);
  return {
    owner: shownAddress(owner, same ? strict : ownerAddress),
    operator: shownAddress(operator, same ? strict : operatorAddress),
  };
}

function stricter(a: AddressDisplay, b: AddressDisplay): AddressDisplay {
  return ADDRESS_DISPLAYS.indexOf(a) > ADDRESS_DISPLAYS.indexOf(b) ? a : b;
}
