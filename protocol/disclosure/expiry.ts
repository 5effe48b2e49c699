/** How long a disclosure stands. */
export const DISCLOSURE_EXPIRIES = ["1h", "1d", "7d", "30d", "never"] as const;
export type DisclosureExpiry = (typeof DISCLOSURE_EXPIRIES)[number];

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const LENGTH_MS: Readonly<Record<DisclosureExpiry, number | null>> = {
  "1h": HOUR_MS,
  "1d": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
  never: null,
};

/** How long a disclosure request can be answered. */
export const REQUEST_LIFETIME_MS = 7 * DAY_MS;

/** When a disclosure of `issuedAt` expires; null for never. */
export function disclosureExpiresAt(expiresIn: DisclosureExpiry, issuedAt: Date): Date | null {
  const length = LENGTH_MS[expiresIn];
  return length === null ? null : new Date(issuedAt.getTime() + length);
}
