import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { OfficialRegistries } from "./Registries.ts";
import { soulRegistryOver } from "./SoulRegistry.ts";
import { soulViewOver } from "./SoulView.ts";

const SoulRegistry = soulRegistryOver(OfficialRegistries);
const SoulView = soulViewOver(SoulRegistry);

/** Everything the protocol deploys on a chain that has the official ERC-8004 registries. */
export default buildModule("Protocol", (m) => ({
  ...m.useModule(OfficialRegistries),
  ...m.useModule(SoulRegistry),
  ...m.useModule(SoulView),
}));
