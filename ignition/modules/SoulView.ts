import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { soulRegistryOver } from "./SoulRegistry.ts";

export const soulViewOver = (soulRegistryModule: ReturnType<typeof soulRegistryOver>) =>
  buildModule("SoulView", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);

    return { soulView: m.contract("SoulView", [soulRegistry]) };
  });
