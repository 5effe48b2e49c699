import type { Child } from "hono/jsx";
import type { Caller } from "../../api/kernel/callers.ts";
import type { OwnedSoul } from "../../api/soul/chain-soul.ts";
import type { OwnerAction } from "../owner/data.ts";
import type { PageKit } from "../ui/kit.ts";

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
export const SECTIONS = {
  keys: {
    title: "Keys and sessions",
    why: "Make, rotate and end API keys, end sessions, and the emergency stop.",
  },
  webhooks: {
    title: "Webhooks",
    why: "Where events go: create, test, rotate, recover, and see each delivery.",
  },
  records: {
    title: "Records",
    why: "Sign what the agent asks for, record a chronicle, publish documents.",
  },
  identity: {
    title: "Identity",
    why: "Public identity, what its page shows, DID document, public keys.",
  },
  reputation: {
    title: "Score and validation",
    why: "Have its alignment scored, and its soul validated on chain.",
  },
  passport: {
    title: "Passport",
    why: "Seal, registration file, metadata on the passport, operator, agent's wallet.",
  },
} as const;

export type SectionId = keyof typeof SECTIONS;
export const SECTION_IDS = Object.keys(SECTIONS) as [SectionId, ...SectionId[]];
