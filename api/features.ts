import { archive } from "./features/archive/index.ts";
import { chronicles } from "./features/chronicles/index.ts";
import { claims } from "./features/claims/index.ts";
import { did } from "./features/did/index.ts";
import { documents } from "./features/documents/index.ts";
import { domains } from "./features/domains/index.ts";
import { keys } from "./features/keys/index.ts";
import { life } from "./features/life/index.ts";
import { names } from "./features/names/index.ts";
import { passports } from "./features/passports/index.ts";
import { profile } from "./features/profile/index.ts";
import { registration } from "./features/registration/index.ts";
import { signIn } from "./features/sign-in/index.ts";
import { status } from "./features/status/index.ts";
import { tools } from "./features/tools/index.ts";
import { verification } from "./features/verification/index.ts";
import { webhooks } from "./features/webhooks/index.ts";
import { ownerOperations } from "./operations/index.ts";
import { pages } from "./pages/index.ts";
import type { Mount } from "./platform/feature.ts";
import { platform } from "./platform/index.ts";

/** Every feature, in dependency order. This is the only file that names them all. */
export const features = [
  platform,
  status,
  archive,
  webhooks,
  names,
  signIn,
  keys,
  ownerOperations,
  passports,
  registration,
  claims,
  life,
  profile,
  documents,
  chronicles,
  verification,
  did,
  domains,
  tools,
  pages,
] as const;

type Feature = (typeof features)[number];

/** `A | B` as `A & B`. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  merged: infer All,
) => void
  ? All
  : never;

/** Every operation of both services by its `operationId`. */
export const operations: Merged<Feature["operations"]> = merged(
  features.map((feature) => feature.operations),
);
export type OperationId = keyof typeof operations;

/** Every kind of job. A rule here and a handler of the same name are all it takes to have one. */
export const JOBS: Merged<Feature["jobs"]> = merged(features.map((feature) => feature.jobs));
export type JobName = keyof typeof JOBS;

/** What the routes of all features need. */
export type RouteDeps = Merged<DepsOf<Feature["mounts"][number]>>;
type DepsOf<Any> = Any extends Mount<infer Deps> ? Deps : never;

/**
 * One table of all rows.
 *
 * @throws Error when two features have a row of the same name.
 */
function merged<Table extends object>(tables: readonly Table[]): Merged<Table> {
  const all: Record<string, unknown> = {};
  for (const [name, row] of tables.flatMap((table) => Object.entries(table))) {
    if (Object.hasOwn(all, name)) throw new Error(`Two features define ${name}.`);
    all[name] = row;
  }
  return all as Merged<Table>;
}
