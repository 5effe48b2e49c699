import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay } from "./parameters.ts";

export const Registrars = buildModule("Registrars", (m) => ({
  registrars: m.contract("Registrars", [
    m.getParameter<string>("admin"),
    m.getParameter<string>("registrar"),
    adminDelay(m),
  ]),
}));
