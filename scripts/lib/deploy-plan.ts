import type {
  ArgumentType,
  Future,
  IgnitionModule,
  ModuleParameterRuntimeValue,
  ModuleParameterType,
} from "@nomicfoundation/ignition-core";
import { type Abi, type Address, isAddress, zeroAddress } from "viem";
import { stackAccounts } from "./accounts.ts";
import type { DeployTarget } from "./deploy-targets.ts";
import { isPublic } from "./deploy-targets.ts";

/** Values for an Ignition module's parameters: module id, then name. The shape of ignition/parameters/*.json. */
export type Parameters = Readonly<Record<string, Readonly<Record<string, ParameterValue>>>>;
type ParameterValue = string | number | boolean;

export interface PlannedArgument {
  readonly name: string;
  readonly type: string;
  /** The value as text; `<soulRegistry>` stands for a contract of the same plan. */
  readonly value: string;
}

/** An account that a constructor gives a role, and so a power, to. */
export interface PlannedRole {
  /** The name of the constant in the contract, such as REGISTRAR_ROLE. */
  readonly role: string;
  readonly holder: string;
}

export interface PlannedContract {
  /** Its name in the deployment file, or its Ignition id when it is not in there. */
  readonly key: string;
  readonly contractName: string;
  /** deploy: sent by us; created: made by another contract's constructor; use: already on the chain. */
  readonly action: "deploy" | "created" | "use";
  /** Where it is, as text; empty for what is yet to be deployed. */
  readonly address: string;
  readonly arguments: readonly PlannedArgument[];
  readonly roles: readonly PlannedRole[];
}

export interface DeployPlan {
  readonly target: DeployTarget;
  /** In the order in which they depend on each other. */
  readonly contracts: readonly PlannedContract[];
  /** As given, with what the command line put over it: what Ignition is called with. */
  readonly parameters: Parameters;
}

/** The deployment is refused before anything was sent; `problems` are sentences for whoever asked for it. */
export class DeployRefusedError extends Error {
  override readonly name = "DeployRefusedError";
  constructor(
    readonly target: string,
    readonly problems: readonly string[],
  ) {
    super(
      [`The protocol is not deployed to ${target}:`, ...problems.map((text) => `  - ${text}`)].join(
        "\n",
      ),
    );
  }
}

export interface PlanOptions {
  readonly target: DeployTarget;
  readonly parameters: Parameters;
  /** Put over the parameter of this name in every module that has one. */
  readonly overrides: Readonly<Partial<Record<"admin" | "registrar", string>>>;
  readonly abiOf: (contractName: string) => Abi;
}

/**
 * Reads off the Ignition module what a deployment would do, without a chain or a key.
 *
 * Roles are found by convention: a constructor's address argument `admin` receives DEFAULT_ADMIN_ROLE, any other `xxx` receives
 * XXX_ROLE when the contract has that constant. After a deployment the chain is asked whether this was true.
 *
 * @throws DeployRefusedError naming everything that is missing or must not be.
 */
export function planDeployment({ target, parameters, overrides, abiOf }: PlanOptions): DeployPlan {
  const futures = [...allFutures(target.module)];
  const values = withOverrides(parameters, futures, overrides);
  const keys = new Map(
    Object.entries(target.module.results).map(([key, future]) => [future.id, key]),
  );
  const keyOf = (future: Future) => keys.get(future.id) ?? future.id;
  const problems: string[] = [];

  const text = (argument: ArgumentType, name: string): string => {
    if (isParameter(argument)) {
      const value = parameterValue(values, argument);
      if (value !== undefined) return String(value);
      problems.push(missing(target, argument.moduleId, argument.name));
      return "";
    }
    if (isFuture(argument)) return `<${keyOf(argument)}>`;
    if (typeof argument === "object") throw new Error(`${name} is of a kind no plan shows yet.`);
    return String(argument);
  };

  const contracts = futures.flatMap((future): PlannedContract[] => {
    if ("constructorArgs" in future) {
      const abi = abiOf(future.contractName);
      const args = constructorInputs(abi).map(({ name = "", type }, index) => {
        const value = text(future.constructorArgs[index] as ArgumentType, name);
        if (type === "address" && value !== "") {
          problems.push(...addressProblems(target, `${future.contractName}.${name}`, value));
        }
        return { name, type, value };
      });
      const roles = args.flatMap(({ name, type, value }) => {
        const role = type === "address" ? roleOf(name, abi) : undefined;
        return role === undefined ? [] : [{ role, holder: value }];
      });
      const { contractName } = future;
      return [
        { key: keyOf(future), contractName, action: "deploy", address: "", arguments: args, roles },
      ];
    }
    if ("address" in future && "contractName" in future) {
      const contractName = future.contractName.split(":").at(-1) ?? future.contractName;
      const common = { key: keyOf(future), contractName, arguments: [], roles: [] };
      const source = future.address;
      if (typeof source === "object" && "functionName" in source) {
        const address = `<${keyOf(source.contract)}>.${source.functionName}()`;
        return [{ ...common, action: "created", address }];
      }
      const address = text(source as ArgumentType, future.id);
      if (address !== "") problems.push(...addressProblems(target, future.id, address));
      return [{ ...common, action: "use", address }];
    }
    return [];
  });

  if (target.production) problems.push(...sharedPower(contracts));
  if (problems.length > 0) throw new DeployRefusedError(target.title, [...new Set(problems)]);
  return { target, contracts, parameters: values };
}

/** The admin's key is used once a year, every other role's each minute: one key for both would be as weak as the second. */
function sharedPower(contracts: readonly PlannedContract[]): string[] {
  const roles = contracts
    .flatMap((contract) => contract.roles)
    .filter(({ holder }) => holder !== "");
  const admins = new Set(
    roles
      .filter(({ role }) => role === "DEFAULT_ADMIN_ROLE")
      .map(({ holder }) => holder.toLowerCase()),
  );
  return roles
    .filter(({ role, holder }) => role !== "DEFAULT_ADMIN_ROLE" && admins.has(holder.toLowerCase()))
    .map(({ role, holder }) => `${holder} would be admin and hold ${role}: use two accounts.`);
}

/** Every future of a module and those it uses, dependencies first. */
function allFutures(module: IgnitionModule, found = new Set<Future>()): Set<Future> {
  for (const used of module.submodules) allFutures(used, found);
  for (const future of module.futures) found.add(future);
  return found;
}

function withOverrides(
  parameters: Parameters,
  futures: readonly Future[],
  overrides: PlanOptions["overrides"],
): Parameters {
  const values: Record<string, Record<string, ParameterValue>> = structuredClone({ ...parameters });
  for (const future of futures) {
    for (const argument of "constructorArgs" in future ? future.constructorArgs : []) {
      if (!isParameter(argument)) continue;
      const value = overrides[argument.name as keyof typeof overrides];
      if (value === undefined) continue;
      values[argument.moduleId] = { ...values[argument.moduleId], [argument.name]: value };
    }
  }
  return values;
}

type Parameter = ModuleParameterRuntimeValue<ModuleParameterType>;

function isParameter(value: unknown): value is Parameter {
  return (
    typeof value === "object" && value !== null && "moduleId" in value && "defaultValue" in value
  );
}

function isFuture(value: unknown): value is Future {
  return typeof value === "object" && value !== null && "id" in value && "dependencies" in value;
}

/** In Ignition's own order: the module's value, the one for all modules, the default. */
function parameterValue(values: Parameters, { moduleId, name, defaultValue }: Parameter) {
  return values[moduleId]?.[name] ?? values.$global?.[name] ?? defaultValue;
}

function missing(target: DeployTarget, moduleId: string, name: string): string {
  const file = `put "${name}" under "${moduleId}" in ignition/parameters/${target.name}.json`;
  const flag = name === "admin" || name === "registrar" ? `give --${name} <address>, or ` : "";
  return `${moduleId}.${name} is not set: ${flag}${file}.`;
}

function addressProblems(target: DeployTarget, what: string, value: string): string[] {
  if (value.startsWith("<")) return [];
  if (!isAddress(value)) return [`${what} is no address, or its checksum is wrong: ${value}`];
  if (value === zeroAddress) return [`${what} is the zero address.`];
  if (isPublic(target) && isTestAccount(value)) {
    return [
      `${what} is ${value}, a test account whose key is published: anybody could use its power.`,
    ];
  }
  return [];
}

let testAddresses: ReadonlySet<string> | undefined;

/** Whether everybody knows the key of this account. */
export function isTestAccount(address: Address): boolean {
  // Derived once: twenty accounts from a phrase take a noticeable part of a second.
  if (testAddresses === undefined) {
    const { admin, relayer, storage, users } = stackAccounts();
    testAddresses = new Set(
      [admin, relayer, storage, ...users].map((account) => account.address.toLowerCase()),
    );
  }
  return testAddresses.has(address.toLowerCase());
}

function constructorInputs(abi: Abi) {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}

function roleOf(argumentName: string, abi: Abi): string | undefined {
  const role =
    argumentName === "admin"
      ? "DEFAULT_ADMIN_ROLE"
      : `${argumentName.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_ROLE`;
  return abi.some((item) => item.type === "function" && item.name === role) ? role : undefined;
}
