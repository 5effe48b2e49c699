import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { ContractFuture, IgnitionModule } from "@nomicfoundation/ignition-core";
import { HumanVerifierRegistry } from "./HumanVerifierRegistry.ts";

/** A module that knows the chain's ERC-8004 registries, deployed or official. */
export type RegistriesModule = IgnitionModule<
  string,
  string,
  { identityRegistry: ContractFuture<string> }
>;

/** The soul registry over the given ERC-8004 registries, and the two contracts that its constructor creates. */
export const soulRegistryOver = (registries: RegistriesModule) =>
  buildModule("SoulRegistry", (m) => {
    const { identityRegistry } = m.useModule(registries);
    const { humanVerifierRegistry } = m.useModule(HumanVerifierRegistry);
    const soulRegistry = m.contract("SoulRegistry", [
      identityRegistry,
      humanVerifierRegistry,
      m.getParameter<string>("admin"),
      m.getParameter<string>("registrar"),
    ]);
    const soulCertificate = m.contractAt(
      "SoulCertificate",
      m.staticCall(soulRegistry, "CERTIFICATE"),
    );
    const organizationRegistry = m.contractAt(
      "OrganizationRegistry",
      m.staticCall(soulRegistry, "ORGANIZATION_REGISTRY"),
    );

    return { humanVerifierRegistry, soulRegistry, soulCertificate, organizationRegistry };
  });
