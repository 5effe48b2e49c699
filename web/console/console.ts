import type { Address, Hex } from "viem";
import type { SoulStatus } from "../../api/soul/index-reads.ts";

/**
 * - `owned`: the account sealed it and owns its passport.
 * - `suspended`: the account owns the passport of a soul that another one sealed, or that a
 *   suspension ended.
 * - `ended`: burned.
 */
export type Standing = "owned" | "suspended" | "ended";

/** An agent of an account, with how much of it waits for a decision. */
export interface OwnAgent {
  readonly tokenId: bigint;
  readonly name: string;
  readonly status: SoulStatus;
  readonly soulHash: Hex | null;
  readonly standing: Standing;
  /** Chronicles that the agent asks its owner to sign. */
  readonly chronicleRequests: number;
  /** Requests of others to see fields of the soul. */
  readonly disclosureRequests: number;
  /** Webhooks whose last tries failed, or that failures disabled. */
  readonly failingWebhooks: number;
  /** The passport does not name the soul as it is now. */
  readonly isMetadataPending: boolean;
}

/** A chronicle that an agent asks its owner to sign. */
export interface WaitingChronicle {
  readonly id: string;
  readonly category: string;
  readonly changeType: string;
  readonly description: string | null;
  readonly expiresAt: Date;
}

/** An organization that an account administers, or is to. */
export interface OwnOrganization {
  readonly id: bigint;
  readonly name: string | null;
  /** The account is named as the next admin, and has not accepted. */
  readonly isPending: boolean;
}

/** What the console shows of an account. One statement each, however many agents there are. */
export interface ConsoleReads {
  /** The newest first. @param page `after` is the last token id of the page before. */
  agentsOf(
    account: Address,
    page: { readonly limit: number; readonly after: bigint | null },
    at: Date,
  ): Promise<readonly OwnAgent[]>;
  waitingChronicles(tokenId: bigint, epoch: number, at: Date): Promise<readonly WaitingChronicle[]>;
  organizationsOf(account: Address): Promise<readonly OwnOrganization[]>;
  /** Invitations that wait for the account's signature. */
  invitationsFor(account: Address): Promise<number>;
}
