import type { Abi } from "viem";

/**
 * The powers that a deployment grants, by the constructor argument that names their first holder.
 * Module parameters and command options have the same names.
 */
export const ROLES = {
  admin: "DEFAULT_ADMIN_ROLE",
  registrar: "REGISTRAR_ROLE",
  binder: "BINDER_ROLE",
  anchorer: "ANCHOR_ROLE",
  recorder: "ALIGNMENT_ROLE",
} as const;

export type RoleName = keyof typeof ROLES;

/** Accounts by the power they receive, as far as they are named. */
export type RoleHolders = Readonly<Partial<Record<RoleName, string>>>;

export const ROLE_NAMES = Object.keys(ROLES) as readonly RoleName[];

/** Roles that default to the registrar's account where no value is at stake. */
export const ROLES_OF_THE_REGISTRAR = [
  "binder",
  "anchorer",
  "recorder",
] as const satisfies readonly RoleName[];

export function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(ROLES, name);
}

export function isRoleOfTheRegistrar(name: string): boolean {
  return ROLES_OF_THE_REGISTRAR.some((role) => role === name);
}

/**
 * The role that each constructor argument grants, by the argument's name.
 *
 * @throws Error when the contract has a role that no argument grants, or lacks a role that an
 * argument is named for: the plan would otherwise omit a power.
 */
export function rolesGranted(contractName: string, abi: Abi): ReadonlyMap<string, string> {
  const inputs = abi.find((item) => item.type === "constructor")?.inputs ?? [];
  const granted = new Map(
    inputs.flatMap(({ name = "" }) => (isRoleName(name) ? [[name, ROLES[name]] as const] : [])),
  );
  const known = abi.flatMap((item) =>
    item.type === "function" && item.name.endsWith("_ROLE") ? [item.name] : [],
  );
  const text = (roles: readonly string[]) => [...roles].sort().join(", ") || "no role";
  if (text(known) !== text([...granted.values()])) {
    throw new Error(
      `${contractName} has ${text(known)}, but its constructor's arguments give ${text([...granted.values()])}.`,
    );
  }
  return granted;
}
