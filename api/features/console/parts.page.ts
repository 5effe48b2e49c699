import type { Child } from "hono/jsx";
import type { Caller } from "../../kernel/callers.ts";
import type { PageKit } from "../../pages/kit.ts";
import type { OwnerAction } from "../../pages/owner/data.ts";
import type { OwnedSoul } from "../../soul/chain-soul.ts";

/** Whose part of the console is shown, and who is signed in. */
export interface SectionContext {
  readonly kit: PageKit;
  readonly soul: OwnedSoul;
  /** The soul's token id, as requests name it. */
  readonly tokenId: number;
  readonly caller: Extract<Caller, { readonly kind: "session" }>;
  readonly now: Date;
  /** The webhook that the address names; null for none. */
  readonly webhookId: string | null;
}

/** A part of the console about one agent. */
export interface Section {
  readonly lead: Child;
  readonly actions: readonly OwnerAction[];
  /** Whether anything in it asks the wallet. */
  readonly asksWallet: boolean;
  readonly body: Child;
}

/** The parts, in the order in which they are listed. */
export const SECTIONS = [
  { id: "keys", title: "Keys and sessions" },
  { id: "webhooks", title: "Webhooks" },
  { id: "records", title: "Records" },
  { id: "identity", title: "Identity" },
  { id: "passport", title: "Passport" },
] as const;

export type SectionId = (typeof SECTIONS)[number]["id"];
export const SECTION_IDS = SECTIONS.map(({ id }) => id) as [SectionId, ...SectionId[]];
