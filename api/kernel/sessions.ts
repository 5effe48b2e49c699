import type { Address } from "viem";
import type { Scope, Tier } from "./scopes.ts";

export const MANAGES = ["agent", "account"] as const;

export type Manages = (typeof MANAGES)[number];

/** What one live sign-in established, and a token carries. */
export interface TokenSubject {
  readonly holder: Address;
  /** Of the passport, below 2^53. */
  readonly agentId: bigint;
  readonly agentName: string;
  /** The soul that gives the agent its name; null for a passport that has none of this holder's. */
  readonly tokenId: bigint | null;
  readonly chainId: number;
  readonly tier: Tier;
  readonly scopes: readonly Scope[];
  readonly humanVerified: boolean;
  /** Who may accept the token: a relying party's origin, or this service's domain. */
  readonly audience: string;
  /**
   * What scope `manage` reaches: this one agent, or every agent that the holder owns. Null without
   * that scope.
   */
  readonly manages: Manages | null;
  /** Block at which all of this was read. */
  readonly checkedBlock: bigint;
  /** Unix seconds of that block: chain time, which is not wall time. */
  readonly checkedAt: bigint;
}

/** A verified token. */
export interface VerifiedToken extends TokenSubject {
  readonly jti: string;
  readonly issuer: string;
  /** Unix seconds, wall time. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A sign-in to the console that works. */
export interface ConsoleSession {
  readonly id: string;
  readonly account: Address;
  readonly expiresAt: Date;
}

/** Finds sign-ins to the console. */
export interface ConsoleSessions {
  /** @param secretHash SHA-256 of the cookie's secret. Null: unknown, expired or ended. */
  consoleSession(secretHash: Buffer): Promise<ConsoleSession | null>;
}
