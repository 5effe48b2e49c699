import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import { agentKeysOver } from "./AgentKeys.ts";
import { alignmentRegistryOver } from "./AlignmentRegistry.ts";
import { allowanceVaultOver, OfficialStablecoin } from "./AllowanceVault.ts";
import { bindingRegistryOver } from "./BindingRegistry.ts";
import { ChronicleAnchor } from "./ChronicleAnchor.ts";
import { OfficialRegistries } from "./Registries.ts";
import { soulRegistryOver } from "./SoulRegistry.ts";
import { soulViewOver } from "./SoulView.ts";
import { WorldIdVerifier } from "./WorldIdVerifier.ts";

const SoulRegistry = soulRegistryOver(OfficialRegistries);
const SoulView = soulViewOver(SoulRegistry);
const AllowanceVault = allowanceVaultOver(SoulRegistry, OfficialStablecoin);
const AlignmentRegistry = alignmentRegistryOver(SoulRegistry);
const BindingRegistry = bindingRegistryOver(SoulRegistry);
const AgentKeys = agentKeysOver(SoulRegistry);

/**
 * Everything the protocol deploys on a chain that has the official ERC-8004 registries and a
 * stablecoin.
 */
const Protocol = buildModule("Protocol", (m) => ({
  ...m.useModule(OfficialRegistries),
  ...m.useModule(OfficialStablecoin),
  ...m.useModule(SoulRegistry),
  ...m.useModule(SoulView),
  ...m.useModule(AllowanceVault),
  ...m.useModule(BindingRegistry),
  ...m.useModule(ChronicleAnchor),
  ...m.useModule(AlignmentRegistry),
  ...m.useModule(AgentKeys),
}));

export default Protocol;

/**
 * The same with the World ID adapter, which needs an application id from World. A service without
 * one deploys without the adapter. Contracts that are already deployed stay as they are when a
 * deployment continues with this module.
 */
export const ProtocolWithWorldId = buildModule("ProtocolWithWorldId", (m) => ({
  ...m.useModule(Protocol),
  ...m.useModule(WorldIdVerifier),
}));
