import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/**
 * The ERC-8004 registries that a public chain already has, at the addresses of its parameter file.
 */
export const OfficialRegistries = buildModule("OfficialRegistries", (m) => ({
  identityRegistry: m.contractAt(
    "contracts/erc8004/interfaces/IIdentityRegistry.sol:IIdentityRegistry",
    m.getParameter<string>("identityRegistry"),
    { id: "IdentityRegistry" },
  ),
  reputationRegistry: m.contractAt(
    "contracts/erc8004/interfaces/IReputationRegistry.sol:IReputationRegistry",
    m.getParameter<string>("reputationRegistry"),
    { id: "ReputationRegistry" },
  ),
}));

/** Behaviour-compatible registries for chains without them: local and test chains only. */
export const LocalRegistries = buildModule("LocalRegistries", (m) => {
  const identityRegistry = m.contract("IdentityRegistry");
  const reputationRegistry = m.contract("ReputationRegistry", [identityRegistry]);
  const validationRegistry = m.contract("ValidationRegistry", [identityRegistry]);

  return { identityRegistry, reputationRegistry, validationRegistry };
});
