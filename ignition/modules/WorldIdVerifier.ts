import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

/** The World ID adapter over the chain's official router, for the application that World ID registered. */
export const WorldIdVerifier = buildModule("WorldIdVerifier", (m) => {
  const worldIdRouter = m.contractAt("IWorldIdRouter", m.getParameter<string>("router"), {
    id: "WorldIdRouter",
  });
  const worldIdVerifier = m.contract("WorldIdVerifier", [
    worldIdRouter,
    m.getParameter<string>("appId"),
  ]);

  return { worldIdRouter, worldIdVerifier };
});
