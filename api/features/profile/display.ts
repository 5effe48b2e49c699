import { type Address, isAddressEqual } from "viem";
import { shortHex } from "../../../protocol/short-hex.ts";
import type { ChainSouls } from "../../soul/chain-soul.ts";
import {
  ADDRESS_DISPLAYS,
  type AddressDisplay,
  type DisplaySettings,
} from "../../soul/display-settings.ts";
import type { IndexedAgents, Reading } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { SoulEpoch, SoulRef } from "../../soul/soul-ref.ts";

/** Settings to change; what is left out stays as it is. */
export type DisplayChange = {
  readonly [Key in keyof DisplaySettings]?: DisplaySettings[Key] | undefined;
};

/** What is shown until the owner says otherwise. */
export const DEFAULT_DISPLAY: DisplaySettings = {
  ownerAddress: "full",
  operatorAddress: "full",
  operatorLabel: "",
  showWalletBalances: false,
  showTransactionCount: false,
};

/** The settings of one agent. */
export interface AgentDisplay {
  readonly agentName: string;
  readonly tokenId: bigint;
  readonly passportId: bigint;
  readonly displaySettings: DisplaySettings;
  /** Null while they are the unchanged defaults. */
  readonly updatedAt: Date | null;
}

export interface DisplayStore {
  /** Changes what is named and leaves the rest. */
  change(
    soul: SoulEpoch,
    settings: DisplayChange,
    at: Date,
  ): Promise<{ readonly settings: DisplaySettings; readonly updatedAt: Date }>;
}

export interface DisplayDeps {
  readonly store: DisplayStore;
  readonly reads: IndexedAgents;
  /** The soul as the chain has it now. Rejects with CHAIN_UNAVAILABLE. */
  readonly souls: ChainSouls;
  readonly clock: () => Date;
}

export type DisplayService = ReturnType<typeof createDisplayService>;

/** What agents' profiles show. */
export function createDisplayService({ store, reads, souls, clock }: DisplayDeps) {
  /** @throws ApiError NOT_FOUND */
  async function read(agent: SoulRef): Promise<Reading<AgentDisplay>> {
    const { at, value } = await requireAgent(reads, agent);
    const { name: agentName, tokenId, passportId } = value.soul;
    const { settings: displaySettings, updatedAt } = value.display ?? DEFAULT_SETTINGS;
    return { at, value: { agentName, tokenId, passportId, displaySettings, updatedAt } };
  }

  /** @throws ApiError NOT_FOUND, BURNED, FORBIDDEN (never sealed), SUSPENDED, CHAIN_UNAVAILABLE */
  async function change(tokenId: bigint, settings: DisplayChange): Promise<AgentDisplay> {
    const soul = await requireSoul(souls, tokenId, "active");
    const { epoch, name: agentName, passportId } = soul;
    const changed = await store.change({ tokenId, epoch }, settings, clock());
    const { settings: displaySettings, updatedAt } = changed;
    return { agentName, tokenId, passportId, displaySettings, updatedAt };
  }

  return { read, change };
}

const DEFAULT_SETTINGS = { settings: DEFAULT_DISPLAY, updatedAt: null };

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
