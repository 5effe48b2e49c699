import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay } from "./parameters.ts";

/** Stands alone: a batch of chronicles knows nothing of souls. */
export const ChronicleAnchor = buildModule("ChronicleAnchor", (m) => ({
  chronicleAnchor: m.contract("ChronicleAnchor", [
    m.getParameter<string>("admin"),
    m.getParameter<string>("anchorer"),
    adminDelay(m),
  ]),
}));
