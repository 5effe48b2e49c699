import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { agentKeysOver } from "./AgentKeys.ts";
import { alignmentRegistryOver } from "./AlignmentRegistry.ts";
import { allowanceVaultOver, LocalStablecoin } from "./AllowanceVault.ts";
import { bindingRegistryOver } from "./BindingRegistry.ts";
import { ChronicleAnchor } from "./ChronicleAnchor.ts";
import { LocalRegistries } from "./Registries.ts";
import { soulRegistryOver } from "./SoulRegistry.ts";
import { soulViewOver } from "./SoulView.ts";

const SoulRegistry = soulRegistryOver(LocalRegistries);
const SoulView = soulViewOver(SoulRegistry);
const AllowanceVault = allowanceVaultOver(SoulRegistry, LocalStablecoin);
const AlignmentRegistry = alignmentRegistryOver(SoulRegistry);
const BindingRegistry = bindingRegistryOver(SoulRegistry);
const AgentKeys = agentKeysOver(SoulRegistry);

/** The whole protocol with registries and a stablecoin of its own: what the local stack and the tests run on. */
export default buildModule("LocalProtocol", (m) => ({
  ...m.useModule(LocalRegistries),
  ...m.useModule(LocalStablecoin),
  ...m.useModule(SoulRegistry),
  ...m.useModule(SoulView),
  ...m.useModule(AllowanceVault),
  ...m.useModule(BindingRegistry),
  ...m.useModule(ChronicleAnchor),
  ...m.useModule(AlignmentRegistry),
  ...m.useModule(AgentKeys),
}));
