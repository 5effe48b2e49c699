import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { soulRegistryOver } from "./SoulRegistry.ts";

export const agentKeysOver = (soulRegistryModule: ReturnType<typeof soulRegistryOver>) =>
  buildModule("AgentKeys", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);

    return { agentKeys: m.contract("AgentKeys", [soulRegistry]) };
  });
