/** Contracts that belong together on one chain. */
export interface Protocol {
  /**
   * What is deployed: contracts by their names in the deployment file, each after those that its
   * constructor calls. A constructor's argument of such a name is that contract's address.
   */
  readonly deploys: Readonly<Record<string, string>>;
  /** What is there already: interfaces by the parameters that hold their addresses. */
  readonly uses: Readonly<Record<string, string>>;
}

/** The soul registry, and the contracts that it refers to. */
export const SOUL_REGISTRY = {
  humanVerifierRegistry: "HumanVerifierRegistry",
  registrars: "Registrars",
  soulCertificate: "SoulCertificate",
  organizationRegistry: "OrganizationRegistry",
  passportWriter: "PassportWriter",
  passportMint: "PassportMint",
  soulRegistry: "SoulRegistry",
} as const;

/** The protocol on a chain that has the official ERC-8004 registries and a stablecoin. */
export const PROTOCOL = {
  deploys: {
    ...SOUL_REGISTRY,
    soulView: "SoulView",
    allowanceVault: "AllowanceVault",
    bindingRegistry: "BindingRegistry",
    chronicleAnchor: "ChronicleAnchor",
    alignmentRegistry: "AlignmentRegistry",
    agentKeys: "AgentKeys",
  },
  uses: {
    identityRegistry: "IIdentityRegistry",
    reputationRegistry: "IReputationRegistry",
    stablecoin: "IStablecoin",
  },
} as const satisfies Protocol;

/** The same with the World ID adapter, which needs an application id from World. */
export const PROTOCOL_WITH_WORLD_ID: Protocol = {
  deploys: { ...PROTOCOL.deploys, worldIdVerifier: "WorldIdVerifier" },
  uses: { ...PROTOCOL.uses, worldIdRouter: "IWorldIdRouter" },
};

/** ERC-8004 registries that are deployed, and what they need. */
export type Registries = Protocol["deploys"] & { readonly identityRegistry: string };

/** Behaviour-compatible registries for chains without the official ones: local and test chains only. */
export const LOCAL_REGISTRIES = {
  identityRegistry: "IdentityRegistry",
  reputationRegistry: "ReputationRegistry",
  validationRegistry: "ValidationRegistry",
} as const;

/** The whole protocol with the given registries, and a stablecoin with public minting. */
export function localProtocol(registries: Registries = LOCAL_REGISTRIES): Protocol {
  return {
    deploys: { ...registries, stablecoin: "Stablecoin", ...PROTOCOL.deploys },
    uses: {},
  };
}
