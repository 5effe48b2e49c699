import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** The World ID adapter over the chain's official router, for the application that World ID registered. */
export const WorldIdVerifier = buildModule("WorldIdVerifier", (m) => ({
  worldIdVerifier: m.contract("WorldIdVerifier", [
    m.getParameter<string>("router"),
    m.getParameter<string>("appId"),
  ]),
}));
