import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { agentKeysOver } from "./AgentKeys.ts";
import { alignmentRegistryOver } from "./AlignmentRegistry.ts";
import { allowanceVaultOver, LocalStablecoin } from "./AllowanceVault.ts";
import { bindingRegistryOver } from "./BindingRegistry.ts";
import { ChronicleAnchor } from "./ChronicleAnchor.ts";
import { LocalRegistries } from "./Registries.ts";
import { type RegistriesModule, soulRegistryOver } from "./SoulRegistry.ts";
import { soulViewOver } from "./SoulView.ts";

/** The whole protocol over the given registries, with its own stablecoin. */
export function localProtocolOver(id: string, registries: RegistriesModule) {
  const SoulRegistry = soulRegistryOver(registries);
  const SoulView = soulViewOver(SoulRegistry);
  const AllowanceVault = allowanceVaultOver(SoulRegistry, LocalStablecoin);
  const AlignmentRegistry = alignmentRegistryOver(SoulRegistry);
  const BindingRegistry = bindingRegistryOver(SoulRegistry);
  const AgentKeys = agentKeysOver(SoulRegistry);
  return buildModule(id, (m) => ({
    ...m.useModule(registries),
    ...m.useModule(LocalStablecoin),
    ...m.useModule(SoulRegistry),
    ...m.useModule(SoulView),
    ...m.useModule(AllowanceVault),
    ...m.useModule(BindingRegistry),
    ...m.useModule(ChronicleAnchor),
    ...m.useModule(AlignmentRegistry),
    ...m.useModule(AgentKeys),
  }));
}

/** The whole protocol with its own registries and stablecoin, for the local stack and tests. */
export default localProtocolOver("LocalProtocol", LocalRegistries);
