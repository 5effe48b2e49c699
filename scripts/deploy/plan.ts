import type {
  ArgumentType,
  Future,
  IgnitionModule,
  ModuleParameterRuntimeValue,
  ModuleParameterType,
} from "@nomicfoundation/ignition-core";
import type { Abi } from "viem";
import type { PlannedContract, PlannedRole } from "./planned-contract.ts";
import {
  isRoleName,
  isRoleOfTheRegistrar,
  ROLE_NAMES,
  ROLES_OF_THE_REGISTRAR,
  type RoleHolders,
  type RoleName,
  rolesGranted,
} from "./roles.ts";
import { addressProblems, planProblems } from "./rules.ts";
import type { DeployTarget } from "./targets.ts";

/**
 * Values of Ignition module parameters: module id, then name, as in ignition/parameters/*.json.
 * Values under `$global` apply to modules without their own value.
 */
export type Parameters = Readonly<Record<string, Readonly<Record<string, ParameterValue>>>>;
type ParameterValue = string | number | boolean;

export interface DeployPlan {
  readonly target: DeployTarget;
  /** The module that Ignition runs. */
  readonly module: IgnitionModule;
  /** In the order in which they depend on each other. */
  readonly contracts: readonly PlannedContract[];
  /** The parameters for Ignition: the file's, overridden by the command line. */
  readonly parameters: Parameters;
  /** Where `parameters` were read, for messages. */
  readonly parameterFile: string;
}

/**
 * The deployment is rejected before anything was sent; `problems` are sentences for the operator.
 */
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
  /** Where they were read, for messages. */
  readonly parameterFile: string;
  /** From the command line: put over the parameter file's, in every module. */
  readonly roles: RoleHolders;
  readonly abiOf: (contractName: string) => Abi;
}

/**
 * Derives the steps of a deployment from the Ignition module, without a chain or a key. After the
 * deployment, the roles on chain are compared with the plan.
 *
 * @throws DeployRefusedError naming everything that is missing or forbidden.
 */
export function planDeployment(options: PlanOptions): DeployPlan {
  const { target, parameters, parameterFile, abiOf } = options;
  const module = moduleFor(target, parameters);
  const { values, defaulted } = withRoles(target, parameters, options.roles);
  const keys = keysOf(module);
  const keyOf = (future: Future) => keys.get(future.id) ?? future.id;
  const problems: string[] = [];

  const text = (argument: ArgumentType, name: string): string => {
    if (isParameter(argument)) {
      const value = parameterValue(values, argument);
      if (value !== undefined) return String(value);
      // Roles that default to the registrar are reported with the registrar.
      if (target.production || !isRoleOfTheRegistrar(argument.name)) {
        problems.push(missing(parameterFile, argument.moduleId, argument.name));
      }
      return "";
    }
    if (isFuture(argument)) return `<${keyOf(argument)}>`;
    if (typeof argument === "object") throw new Error(`${name} has a type that no plan supports.`);
    return String(argument);
  };

  const deployed = (
    future: Future,
    contractName: string,
    argument: (name: string, index: number) => ArgumentType | undefined,
  ): Omit<PlannedContract, "key" | "createdBy"> => {
    const abi = abiOf(contractName);
    const granted = rolesGranted(contractName, abi);
    const args = constructorInputs(abi).map(({ name = "", type }, index) => {
      const value = text(argument(name, index) as ArgumentType, name);
      if (type === "address") {
        const what = granted.has(name) ? name : `${contractName}.${name}`;
        problems.push(...addressProblems(target, what, value));
      }
      return { name, type, value };
    });
    const roles = args.flatMap(({ name, value }): PlannedRole[] => {
      const role = granted.get(name);
      if (role === undefined) return [];
      const own = parameters[future.module.id]?.[name] !== undefined;
      const source = !own && isRoleName(name) && defaulted.has(name) ? "registrar" : "given";
      return [{ role, holder: value, source }];
    });
    return { contractName, action: "deploy", address: "", arguments: args, roles };
  };

  const contracts = [...allFutures(module)].flatMap((future): PlannedContract[] => {
    if ("constructorArgs" in future) {
      const { contractName, constructorArgs } = future;
      const contract = deployed(future, contractName, (_name, index) => constructorArgs[index]);
      return [{ ...contract, key: keyOf(future), createdBy: null }];
    }
    const creation = creationBy(future);
    if (creation !== null) {
      const { contractName, deployer, constructorArgs } = creation;
      const contract = deployed(future, contractName, (name) => constructorArgs[name]);
      const address = [...allFutures(module)].find(
        (other) => "contractName" in other && other.contractName === contractName,
      );
      return [{ ...contract, key: keyOf(address ?? future), createdBy: deployer }];
    }
    // Contracts that a deployer contract creates are planned with the creating call.
    if ("address" in future && "contractName" in future && !isFuture(future.address)) {
      const contractName = future.contractName.split(":").at(-1) ?? future.contractName;
      const address = text(future.address, future.id);
      problems.push(...addressProblems(target, future.id, address));
      const contract = { contractName, address, arguments: [], roles: [], createdBy: null };
      return [{ ...contract, key: keyOf(future), action: "use" }];
    }
    return [];
  });

  problems.push(...planProblems(target, contracts));
  if (problems.length > 0) throw new DeployRefusedError(target.title, [...new Set(problems)]);
  return { target, module, contracts, parameters: values, parameterFile };
}

/** The adapter needs World's application id, so it is deployed only with one. */
function moduleFor(target: DeployTarget, parameters: Parameters): IgnitionModule {
  const appId = parameters.WorldIdVerifier?.appId ?? "";
  return appId === "" ? target.module : (target.moduleWithWorldId ?? target.module);
}

/**
 * The names of a module's contracts in the deployment file, by their futures; that of an address is
 * its contract's.
 */
function keysOf(module: IgnitionModule): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(module.results).flatMap(([key, future]) => {
      const named: [string, string][] = [[future.id, key]];
      if ("address" in future && isFuture(future.address)) named.push([future.address.id, key]);
      return named;
    }),
  );
}

/** Deployer contracts, and what their function `deploy(creationCode, arguments)` creates. */
const CREATED_BY: Readonly<Record<string, string>> = { SoulRegistryDeployer: "SoulRegistry" };

/** What a call to a deployer contract creates; null for every other future. */
function creationBy(future: Future) {
  if (!("functionName" in future) || !("args" in future) || !("contract" in future)) return null;
  const deployer = future.contract.contractName;
  const contractName = CREATED_BY[deployer];
  if (contractName === undefined || future.functionName !== "deploy") return null;
  const constructorArgs = future.args[1] as Readonly<Record<string, ArgumentType>>;
  return { contractName, deployer, constructorArgs };
}

/** Every future of a module and those it uses, dependencies first. */
function allFutures(module: IgnitionModule, found = new Set<Future>()): Set<Future> {
  for (const used of module.submodules) allFutures(used, found);
  for (const future of module.futures) found.add(future);
  return found;
}

/** The parameters with each known role holder, and the roles without a named account. */
function withRoles(
  target: DeployTarget,
  parameters: Parameters,
  holders: RoleHolders,
): { values: Parameters; defaulted: ReadonlySet<RoleName> } {
  const { $global, ...modules } = structuredClone({ ...parameters }) as Record<
    string,
    Record<string, ParameterValue>
  >;
  const shared: Record<string, ParameterValue> = { ...$global };
  for (const name of ROLE_NAMES) {
    const holder = holders[name];
    if (holder === undefined) continue;
    for (const values of Object.values(modules)) delete values[name];
    shared[name] = holder;
  }
  const defaulted = new Set<RoleName>();
  const registrar = modules.Registrars?.registrar ?? shared.registrar;
  if (!target.production && registrar !== undefined) {
    for (const name of ROLES_OF_THE_REGISTRAR) {
      if (shared[name] !== undefined) continue;
      shared[name] = registrar;
      defaulted.add(name);
    }
  }
  return { values: { ...modules, $global: shared }, defaulted };
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

function missing(file: string, moduleId: string, name: string): string {
  return isRoleName(name)
    ? `${name} is not set: give --${name} <address>, or put "${name}" under "$global" in ${file}.`
    : `${moduleId}.${name} is not set: put "${name}" under "${moduleId}" in ${file}.`;
}

function constructorInputs(abi: Abi) {
  return abi.find((item) => item.type === "constructor")?.inputs ?? [];
}
