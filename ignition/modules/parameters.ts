import type { IgnitionModuleBuilder } from "@nomicfoundation/ignition-core";

/** Seconds that a change waits in public before it counts; a local chain's parameters may say 0. */
export const TWO_DAYS = 2 * 24 * 60 * 60;

/** How long the naming of another admin waits, for every contract that has one. */
export const adminDelay = (m: IgnitionModuleBuilder) =>
  m.getParameter<number>("adminDelay", TWO_DAYS);
