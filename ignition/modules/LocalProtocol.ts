import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { LocalRegistries } from "./Registries.ts";
import { soulRegistryOver } from "./SoulRegistry.ts";
import { soulViewOver } from "./SoulView.ts";

const SoulRegistry = soulRegistryOver(LocalRegistries);
const SoulView = soulViewOver(SoulRegistry);

/** The whole protocol with registries of its own: what the local stack and the tests run on. */
export default buildModule("LocalProtocol", (m) => ({
  ...m.useModule(LocalRegistries),
  ...m.useModule(SoulRegistry),
  ...m.useModule(SoulView),
}));
