import type { DeployPlan, PlannedContract } from "./deploy-plan.ts";

/** Addresses by the keys of a plan, as far as they are known. */
export type Addresses = Readonly<Record<string, string>>;

/** What a deployment would do, for a person to read before it is done. */
export function describePlan(plan: DeployPlan): string {
  const { target, contracts } = plan;
  const used = contracts.filter(({ action }) => action === "use");
  const created = contracts.filter(({ action }) => action === "created");
  const roles = contracts.flatMap((contract) =>
    contract.roles.map(({ role, holder }) => `  ${contract.contractName} ${role} to ${holder}`),
  );
  return sections([
    [`Deploys to ${target.title} (chain ${target.chainId}), in this order:`, deployedLines(plan)],
    [
      "Made by the constructors of these:",
      created.map(({ contractName, address }) => `  ${contractName} = ${address}`),
    ],
    [
      "Uses what is there already:",
      used.map(({ contractName, address }) => `  ${contractName} at ${address}`),
    ],
    ["Grants these roles, and no others:", roles],
    ["To verify the sources on the block explorers afterwards:", verifyCommands(plan)],
  ]);
}

/**
 * The commands that publish the sources. Ignition knows what it deployed; what a constructor made must be named with the
 * arguments that it was given.
 */
export function verifyCommands({ target, contracts }: DeployPlan, addresses: Addresses = {}) {
  if (target.hardhatNetwork === null) return [];
  const network = `--network ${target.hardhatNetwork}`;
  const made = contracts
    .filter(({ action }) => action === "created")
    .map((contract) => {
      const at = (key: string) => addresses[key] ?? `<${key}>`;
      // The only such contracts take their maker's address.
      const [, maker = ""] = /^<(\w+)>/.exec(contract.address) ?? [];
      return `  npx hardhat verify ${network} ${at(contract.key)} ${at(maker)}`;
    });
  return [`  npx hardhat ignition verify ${target.name} ${network}`, ...made];
}

function deployedLines({ contracts }: DeployPlan): string[] {
  const deployed = contracts.filter(({ action }) => action === "deploy");
  return deployed.flatMap((contract: PlannedContract, index) => [
    `  ${index + 1}. ${contract.contractName}`,
    ...contract.arguments.map(({ name, type, value }) => `       ${name} (${type}) = ${value}`),
  ]);
}

function sections(parts: readonly (readonly [title: string, lines: readonly string[]])[]): string {
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${[title, ...lines].join("\n")}\n`)
    .join("\n");
}
