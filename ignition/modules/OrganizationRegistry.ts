import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { soulRegistryOver } from "./SoulRegistry.ts";

export const organizationRegistryOver = (soulRegistryModule: ReturnType<typeof soulRegistryOver>) =>
  buildModule("OrganizationRegistry", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);

    return { organizationRegistry: m.contract("OrganizationRegistry", [soulRegistry]) };
  });
