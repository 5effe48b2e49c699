import { type Address, isAddress, zeroAddress } from "viem";
import { stackAccounts } from "../local-stack/accounts.ts";
import type { PlannedContract } from "./planned-contract.ts";
import { type DeployTarget, isPublic } from "./targets.ts";

// What must not be deployed where. Each rule returns sentences for the operator; none when the plan
// is valid.

/**
 * Shortest public delay in seconds of an adapter or a new admin on a production chain: two days.
 */
const SHORTEST_DELAY = 2 * 24 * 60 * 60;

/** The form of an application id in World's developer portal; `staging` ones accept a simulator. */
const APP_ID = /^app_(staging_)?[0-9a-z]+$/;

/**
 * @param value As text; the empty text stands for a missing value.
 */
export function addressProblems(target: DeployTarget, what: string, value: string): string[] {
  if (value === "") return [];
  if (!isAddress(value)) return [`${what} is not an address, or its checksum is wrong: ${value}`];
  if (value === zeroAddress) return [`${what} is the zero address.`];
  if (isPublic(target) && isTestAccount(value)) {
    return [
      `${what} is ${value}, a test account whose key is published: any reader of the key could use its role.`,
    ];
  }
  return [];
}

/** Problems of the plan as a whole. */
export function planProblems(target: DeployTarget, contracts: readonly PlannedContract[]) {
  const problems = contracts.flatMap((contract) => appIdProblems(target, contract));
  if (target.production) problems.push(...sharedPower(contracts));
  return [...problems, ...contracts.flatMap((contract) => delayProblems(target, contract))];
}

/**
 * The admin's key is used once a year, other roles' keys each minute: a shared key would be as
 * exposed as the second.
 */
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

function appIdProblems(target: DeployTarget, contract: PlannedContract): string[] {
  if (contract.contractName !== "WorldIdVerifier") return [];
  const appId = argumentOf(contract, "appId");
  const match = APP_ID.exec(appId);
  if (match === null)
    return [`WorldIdVerifier.appId is not an application id from World: ${appId}`];
  return target.production && match[1] !== undefined
    ? [`WorldIdVerifier.appId is ${appId}: a staging application accepts simulated persons.`]
    : [];
}

/** Who waits in public, by the constructor argument that holds the delay in seconds. */
const WAITING: Readonly<Record<string, string>> = {
  delay: "an adapter",
  adminDelay: "another admin",
};

function delayProblems(target: DeployTarget, contract: PlannedContract): string[] {
  return contract.arguments.flatMap(({ name, value }) => {
    const who = WAITING[name];
    if (who === undefined) return [];
    const what = `${contract.contractName}.${name}`;
    if (!/^\d{1,14}$/.test(value)) return [`${what} is not a number of seconds: ${value}`];
    if (!target.production || Number(value) >= SHORTEST_DELAY) return [];
    return [
      `${what} is ${value} seconds: ${who} must wait in public for at least ${SHORTEST_DELAY}.`,
    ];
  });
}

function argumentOf(contract: PlannedContract, name: string): string {
  return contract.arguments.find((argument) => argument.name === name)?.value ?? "";
}

let testAddresses: ReadonlySet<string> | undefined;

/** Whether the key of this account is published. */
export function isTestAccount(address: Address): boolean {
  // Derived once: deriving twenty accounts takes a noticeable part of a second.
  if (testAddresses === undefined) {
    const { admin, relayer, storage, users } = stackAccounts();
    testAddresses = new Set(
      [admin, relayer, storage, ...users].map((account) => account.address.toLowerCase()),
    );
  }
  return testAddresses.has(address.toLowerCase());
}
