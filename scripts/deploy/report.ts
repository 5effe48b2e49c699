import type { DeployPlan } from "./plan.ts";
import { isDeployed, type PlannedContract } from "./planned-contract.ts";

/** Where the publishers of the reused contracts list their addresses. */
const PUBLISHED: Readonly<Record<string, string>> = {
  IIdentityRegistry: "https://github.com/erc-8004/erc-8004-contracts",
  IReputationRegistry: "https://github.com/erc-8004/erc-8004-contracts",
  IStablecoin: "https://developers.circle.com/stablecoins/usdc-contract-addresses",
  IWorldIdRouter: "https://docs.world.org/world-id/idkit/onchain-verification",
};

/** The planned steps, for an operator to read before they run. */
export function describePlan(plan: DeployPlan): string {
  const { target, contracts } = plan;
  return sections([
    [
      `Deploys to ${target.title} (chain ${target.chainId}), each after those that its constructor calls:`,
      deployedLines(plan),
    ],
    [
      "Uses what is there already. Compare each address with what its publisher says:",
      contracts
        .filter(({ action }) => action === "use")
        .map(({ contractName, address }) => used(contractName, address)),
    ],
    ["Not deployed:", omitted(plan)],
    ["Grants these roles, and no others:", contracts.flatMap(roleLines)],
    ["Left to be done by hand afterwards:", manualSteps(plan)],
  ]);
}

/** The commands that publish the sources of a placed plan. */
export function verifyCommands({ target, contracts }: DeployPlan): string[] {
  const { hardhatNetwork } = target;
  if (hardhatNetwork === null) return [];
  return contracts.filter(isDeployed).map((contract) => {
    const values = contract.arguments.map(({ value }) => value);
    return `  npx hardhat verify --network ${hardhatNetwork} ${[contract.address, ...values].join(" ")}`;
  });
}

/** Steps that only the admin can do: approve the adapter. */
export function manualSteps({ contracts }: DeployPlan): string[] {
  const registry = contracts.find(({ key }) => key === "humanVerifierRegistry");
  const verifier = contracts.find(({ key }) => key === "worldIdVerifier");
  if (!registry || !verifier) return [];
  const admin = registry.roles[0]?.holder;
  const delay = registry.arguments.find(({ name }) => name === "delay")?.value;
  return [
    `  ${admin} calls propose(${verifier.address}) of HumanVerifierRegistry at ${registry.address}`,
    `  ${delay} seconds later any account calls activate(${verifier.address}) there: until then no human proof is accepted`,
  ];
}

function used(contractName: string, address: string): string {
  const source = PUBLISHED[contractName];
  return `  ${contractName} at ${address}${source === undefined ? "" : ` (${source})`}`;
}

function omitted({ target, contracts, parameters, parameterFile }: DeployPlan): string[] {
  if (target.protocolWithWorldId === null) return [];
  if (contracts.some(({ contractName }) => contractName === "WorldIdVerifier")) return [];
  const router = String(parameters.$global?.worldIdRouter);
  return [
    `  WorldIdVerifier: there is no "appId" under "WorldIdVerifier" in ${parameterFile}. With one it is`,
    "  deployed, and asks this router; compare the address with World's own documentation first:",
    `  ${used("IWorldIdRouter", router)}`,
  ];
}

function roleLines({ contractName, roles }: PlannedContract): string[] {
  return roles.map(({ role, holder, source }) => {
    const why = source === "registrar" ? " (no account named: the registrar's)" : "";
    return `  ${contractName} ${role} to ${holder}${why}`;
  });
}

function deployedLines({ contracts }: DeployPlan): string[] {
  return contracts
    .filter(isDeployed)
    .flatMap(({ contractName, address, ...contract }, index) => [
      `  ${index + 1}. ${contractName}${address.startsWith("<") ? "" : ` at ${address}`}`,
      ...contract.arguments.map(({ name, type, value }) => `       ${name} (${type}) = ${value}`),
    ]);
}

function sections(parts: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${[title, ...lines].join("\n")}\n`)
    .join("\n");
}
