import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** Seconds that a proposed adapter waits in public; a local chain's parameters may say 0. */
const TWO_DAYS = 2 * 24 * 60 * 60;

/** The registry of human-verification adapters. It starts with none: each is proposed by the admin and waits. */
export const HumanVerifierRegistry = buildModule("HumanVerifierRegistry", (m) => ({
  humanVerifierRegistry: m.contract("HumanVerifierRegistry", [
    m.getParameter<string>("admin"),
    m.getParameter<number>("delay", TWO_DAYS),
  ]),
}));
