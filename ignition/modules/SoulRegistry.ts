import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { ContractFuture, IgnitionModule } from "@nomicfoundation/ignition-core";
import { artifactOf } from "../../scripts/lib/artifacts.ts";
import { HumanVerifierRegistry } from "./HumanVerifierRegistry.ts";
import { Registrars } from "./Registrars.ts";

/** A module with the chain's ERC-8004 registries, deployed or official. */
export type RegistriesModule = IgnitionModule<
  string,
  string,
  { identityRegistry: ContractFuture<string> }
>;

/**
 * The soul registry over the given ERC-8004 registries, and the four contracts that it refers to
 * and that refer to it. These are deployed first, with the address that the deployer contract
 * predicts.
 */
export const soulRegistryOver = (registries: RegistriesModule) =>
  buildModule("SoulRegistry", (m) => {
    const { identityRegistry } = m.useModule(registries);
    const { humanVerifierRegistry } = m.useModule(HumanVerifierRegistry);
    const { registrars } = m.useModule(Registrars);
    const deployer = m.contract("SoulRegistryDeployer");
    const predicted = m.staticCall(deployer, "SOUL_REGISTRY");
    const soulCertificate = m.contract("SoulCertificate", [predicted]);
    const organizationRegistry = m.contract("OrganizationRegistry", [predicted]);
    const passportWriter = m.contract("PassportWriter", [predicted, identityRegistry]);
    const passportMint = m.contract("PassportMint", [predicted, identityRegistry]);
    const deployed = m.call(deployer, "deploy", [
      artifactOf("SoulRegistry").bytecode,
      {
        identityRegistry,
        humanVerifiers: humanVerifierRegistry,
        registrars,
        certificate: soulCertificate,
        organizationRegistry,
        passportWriter,
        passportMint,
      },
    ]);
    const soulRegistry = m.contractAt("SoulRegistry", predicted, { after: [deployed] });

    return {
      humanVerifierRegistry,
      registrars,
      soulRegistry,
      soulCertificate,
      organizationRegistry,
      passportWriter,
      passportMint,
    };
  });
