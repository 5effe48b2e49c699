import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { adminDelay } from "./parameters.ts";
import type { soulRegistryOver } from "./SoulRegistry.ts";

export const bindingRegistryOver = (soulRegistryModule: ReturnType<typeof soulRegistryOver>) =>
  buildModule("BindingRegistry", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);
    const bindingRegistry = m.contract("BindingRegistry", [
      soulRegistry,
      m.getParameter<string>("admin"),
      m.getParameter<string>("binder"),
      adminDelay(m),
    ]);

    return { bindingRegistry };
  });
