const PER_MINUTE = 100_000;
const PER_DAY = 1_000_000;

/**
 * Limits for a service that only its own machine reaches: far above what a developer and a test run
 * send.
 */
export const LOCAL_RATE_LIMITS = [
  ...["free", "standard", "organization"].flatMap((tier) => [
    `${tier}.minute=${PER_MINUTE}`,
    `${tier}.day=${PER_DAY}`,
  ]),
  `register.day=${PER_DAY}`,
  ...["normalise", "challenge", "challenge.wallet", "sign-in", "token-check", "probe"].map(
    (category) => `${category}.minute=${PER_MINUTE}`,
  ),
].join(",");

/**
 * Sponsored gas where every request comes from this machine: one network may use all of it.
 */
export const LOCAL_SPONSORSHIP = {
  SPONSORED_GAS_PER_DAY: "100000000000",
  SPONSORED_GAS_NETWORK_PERCENT: "100",
  REGISTRATIONS_PER_MONTH: "1000",
} as const;
