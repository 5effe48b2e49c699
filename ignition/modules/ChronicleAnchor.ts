import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay } from "./parameters.ts";

/** Independent of all other contracts: a batch of chronicles does not refer to souls. */
export const ChronicleAnchor = buildModule("ChronicleAnchor", (m) => ({
  chronicleAnchor: m.contract("ChronicleAnchor", [
    m.getParameter<string>("admin"),
    m.getParameter<string>("anchorer"),
    adminDelay(m),
  ]),
}));
