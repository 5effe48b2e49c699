import type { DeployPlan } from "./plan.ts";
import type { PlannedContract } from "./planned-contract.ts";

/** Known addresses by the keys of a plan. */
export type Addresses = Readonly<Record<string, string>>;

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
      `Deploys to ${target.title} (chain ${target.chainId}), each after those that it needs:`,
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
    ["To verify the sources on the block explorers afterwards:", verifyCommands(plan)],
  ]);
}

/**
 * The commands that publish the sources. Ignition knows its own deployments; a contract created by
 * a deployer contract must be named with its constructor arguments.
 */
export function verifyCommands({ target, contracts }: DeployPlan, addresses: Addresses = {}) {
  if (target.hardhatNetwork === null) return [];
  const network = `--network ${target.hardhatNetwork}`;
  const created = contracts
    .filter(({ createdBy }) => createdBy !== null)
    .map((contract) => {
      const values = contract.arguments.map(({ value }) => known(addresses, value));
      return `  npx hardhat verify ${network} ${[at(addresses, contract.key), ...values].join(" ")}`;
    });
  return [`  npx hardhat ignition verify ${target.name} ${network}`, ...created];
}

/** Steps that only the admin can do: approve the adapter. */
export function manualSteps({ contracts }: DeployPlan, addresses: Addresses = {}): string[] {
  const registry = contracts.find(({ key }) => key === "humanVerifierRegistry");
  const verifier = contracts.find(({ key }) => key === "worldIdVerifier");
  if (!registry || !verifier) return [];
  const admin = registry.roles[0]?.holder;
  const delay = registry.arguments.find(({ name }) => name === "delay")?.value;
  const [to, argument] = [at(addresses, registry.key), at(addresses, verifier.key)];
  return [
    `  ${admin} calls propose(${argument}) of HumanVerifierRegistry at ${to}`,
    `  ${delay} seconds later any account calls activate(${argument}) there: until then no human proof is accepted`,
  ];
}

/** An argument's value, with a known contract's address in place of its name. */
function known(addresses: Addresses, value: string): string {
  const [, key] = /^<(\w+)>$/.exec(value) ?? [];
  return key === undefined ? value : at(addresses, key);
}

function at(addresses: Addresses, key: string): string {
  return addresses[key] ?? `<${key}>`;
}

function used(contractName: string, address: string): string {
  const source = PUBLISHED[contractName];
  return `  ${contractName} at ${address}${source === undefined ? "" : ` (${source})`}`;
}

function omitted({ target, contracts, parameters, parameterFile }: DeployPlan): string[] {
  if (target.moduleWithWorldId === null) return [];
  if (contracts.some(({ contractName }) => contractName === "WorldIdVerifier")) return [];
  const router = String(parameters.WorldIdVerifier?.router);
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
  const deployed = contracts.filter(({ action }) => action === "deploy");
  return deployed.flatMap((contract: PlannedContract, index) => [
    `  ${index + 1}. ${contract.contractName}${by(contract)}`,
    ...contract.arguments.map(({ name, type, value }) => `       ${name} (${type}) = ${value}`),
  ]);
}

function by({ createdBy }: PlannedContract): string {
  return createdBy === null ? "" : `, by ${createdBy}.deploy`;
}

function sections(parts: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${[title, ...lines].join("\n")}\n`)
    .join("\n");
}
