import type { IgnitionModuleBuilder } from "@nomicfoundation/ignition-core";

/**
 * Seconds that a change waits in public before it takes effect; a local chain's parameters may say
 * 0.
 */
export const TWO_DAYS = 2 * 24 * 60 * 60;

/** Delay before another admin takes over, for every contract that has an admin. */
export const adminDelay = (m: IgnitionModuleBuilder) =>
  m.getParameter<number>("adminDelay", TWO_DAYS);
