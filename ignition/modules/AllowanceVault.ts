import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";
import type { ContractFuture, IgnitionModule } from "@nomicfoundation/ignition-core";
import type { soulRegistryOver } from "./SoulRegistry.ts";

/** A module with the stablecoin that allowances are paid in. */
export type StablecoinModule = IgnitionModule<
  string,
  string,
  { stablecoin: ContractFuture<string> }
>;

/** The stablecoin that a public chain already has, at the address of its parameter file. */
export const OfficialStablecoin = buildModule("OfficialStablecoin", (m) => ({
  stablecoin: m.contractAt("IStablecoin", m.getParameter<string>("stablecoin"), {
    id: "Stablecoin",
  }),
}));

/** A stablecoin with public minting, for chains without one: local and test chains only. */
export const LocalStablecoin = buildModule("LocalStablecoin", (m) => ({
  stablecoin: m.contract("Stablecoin"),
}));

export const allowanceVaultOver = (
  soulRegistryModule: ReturnType<typeof soulRegistryOver>,
  stablecoinModule: StablecoinModule,
) =>
  buildModule("AllowanceVault", (m) => {
    const { soulRegistry } = m.useModule(soulRegistryModule);
    const { stablecoin } = m.useModule(stablecoinModule);

    return { allowanceVault: m.contract("AllowanceVault", [soulRegistry, stablecoin]) };
  });
