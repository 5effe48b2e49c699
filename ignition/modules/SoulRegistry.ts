import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { LocalRegistries, OfficialRegistries } from "./Registries.ts";

/** The soul registry over the given ERC-8004 registries, and the certificate contract that its constructor creates. */
export const soulRegistryOver = (registries: typeof OfficialRegistries | typeof LocalRegistries) =>
  buildModule("SoulRegistry", (m) => {
    const { identityRegistry } = m.useModule(registries);
    const soulRegistry = m.contract("SoulRegistry", [
      identityRegistry,
      m.getParameter<string>("admin"),
      m.getParameter<string>("registrar"),
    ]);
    const soulCertificate = m.contractAt(
      "SoulCertificate",
      m.staticCall(soulRegistry, "CERTIFICATE"),
    );

    return { soulRegistry, soulCertificate };
  });
