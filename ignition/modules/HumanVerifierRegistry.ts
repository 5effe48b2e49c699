import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay, TWO_DAYS } from "./parameters.ts";

/**
 * The registry of human-verification adapters. It starts empty: the admin proposes each adapter,
 * which then waits.
 */
export const HumanVerifierRegistry = buildModule("HumanVerifierRegistry", (m) => ({
  humanVerifierRegistry: m.contract("HumanVerifierRegistry", [
    m.getParameter<string>("admin"),
    m.getParameter<number>("delay", TWO_DAYS),
    adminDelay(m),
  ]),
}));
