import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay } from "./parameters.ts";
import type { soulRegistryOver } from "./SoulRegistry.ts";

export const alignmentRegistryOver = (soulRegistryModule: ReturnType<typeof soulRegistryOver>) =>
  buildModule("AlignmentRegistry", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);
    const alignmentRegistry = m.contract("AlignmentRegistry", [
      soulRegistry,
      m.getParameter<string>("admin"),
      m.getParameter<string>("recorder"),
      adminDelay(m),
    ]);

    return { alignmentRegistry };
  });
