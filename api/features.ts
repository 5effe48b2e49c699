import { web } from "../web/feature.ts";
import { alignment } from "./features/alignment/feature.ts";
import { allowances } from "./features/allowances/feature.ts";
import { archive } from "./features/archive/feature.ts";
import { audits } from "./features/audits/feature.ts";
import { bindings } from "./features/bindings/feature.ts";
import { chronicles } from "./features/chronicles/feature.ts";
import { claims } from "./features/claims/feature.ts";
import { did } from "./features/did/feature.ts";
import { disclosure } from "./features/disclosure/feature.ts";
import { documents } from "./features/documents/feature.ts";
import { domains } from "./features/domains/feature.ts";
import { emergencyStop } from "./features/emergency-stop/feature.ts";
import { endings } from "./features/endings/feature.ts";
import { endpointChecks } from "./features/endpoint-checks/feature.ts";
import { events } from "./features/events/feature.ts";
import { keys } from "./features/keys/feature.ts";
import { life } from "./features/life/feature.ts";
import { names } from "./features/names/feature.ts";
import { organizations } from "./features/organizations/feature.ts";
import { passports } from "./features/passports/feature.ts";
import { privateData } from "./features/private-data/feature.ts";
import { profile } from "./features/profile/feature.ts";
import { registration } from "./features/registration/feature.ts";
import { signIn } from "./features/sign-in/feature.ts";
import { status } from "./features/status/feature.ts";
import { tools } from "./features/tools/feature.ts";
import { verification } from "./features/verification/feature.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import type { Decision as SignedDecision } from "./operations/decisions/decision.routes.ts";
import { ownerOperations } from "./operations/feature.ts";
import type { TypedDataRoute } from "./operations/typed-data/typed-data.routes.ts";
import type { FeatureDescriptor, Mount } from "./platform/define-feature.ts";
import type { Endpoint, EndpointDeps } from "./platform/endpoint.ts";
import { platform } from "./platform/feature.ts";

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
  events,
  profile,
  documents,
  chronicles,
  bindings,
  endings,
  verification,
  did,
  organizations,
  disclosure,
  audits,
  alignment,
  domains,
  endpointChecks,
  allowances,
  emergencyStop,
  privateData,
  tools,
  web,
] as const;

type Feature = (typeof features)[number];

/** `A | B` as `A & B`. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  merged: infer All,
) => void
  ? All
  : never;

/** What a feature lists under a name, if it lists anything. */
type ListedIn<Any, Key extends string> =
  Any extends Readonly<Record<Key, infer Listed>> ? Listed[keyof Listed] : never;
function listedIn<Key extends "endpoints" | "decisions" | "typedData">(
  feature: Feature,
  key: Key,
): readonly ListedIn<Feature, Key>[] {
  const descriptor: FeatureDescriptor = feature;
  const listed: object = descriptor[key] ?? {};
  return Object.values(listed);
}

/** The operations that are one value each. */
type AnyEndpoint = ListedIn<Feature, "endpoints">;
/** Literal parts of a path come first, because the first route that fits answers. */
export const endpoints: readonly AnyEndpoint[] = features
  .flatMap((feature) => listedIn(feature, "endpoints"))
  .toSorted((one, other) => (literalFirst(one) < literalFirst(other) ? -1 : 1));

/** Everything that one account decides by its signature. */
type Decision = ListedIn<Feature, "decisions">;
export const decisionsOf = (feature: Feature) => listedIn(feature, "decisions");
export const decisions: readonly Decision[] = features.flatMap(decisionsOf);

/** The routes that answer what people sign, one for each operation. */
type TypedData = ListedIn<Feature, "typedData"> | Decision["typedData"];
export const typedDataRoutes: readonly TypedData[] = [
  ...features.flatMap((feature) => listedIn(feature, "typedData")),
  ...decisions.map(({ typedData }) => typedData),
];

/** What building the decisions takes. */
export type DecisionParts = Merged<PartsOf<Decision>>;
type PartsOf<Any> = Any extends SignedDecision<infer Parts> ? Parts : never;

type Rules = Feature["operations"] | AnyEndpoint["rules"] | TypedData["rules"] | Decision["rules"];
/** Every operation of both services by its `operationId`. */
export const operations: Merged<Rules> = merged<Rules>([
  ...features.map((feature) => feature.operations),
  ...[...endpoints, ...typedDataRoutes, ...decisions].map(({ rules }) => rules),
]);
export type OperationId = keyof typeof operations;

/** Every kind of job. A rule here and a handler of the same name are all it takes to have one. */
export const JOBS: Merged<Feature["jobs"]> = merged(features.map((feature) => feature.jobs));
export type JobName = keyof typeof JOBS;

/** The tables of every feature. */
export const TABLES: readonly Feature["tables"][] = features.map(({ tables }) => tables);

/** What the routes of all features need. */
export type RouteDeps = Merged<
  | DepsOf<Feature["mounts"][number]>
  | TypedDataDepsOf<TypedData>
  | EndpointDepsOf<AnyEndpoint>
  | EndpointDeps
>;
type DepsOf<Any> = Any extends Mount<infer Deps> ? Deps : never;
type EndpointDepsOf<Any> = Any extends Endpoint<infer Deps> ? Deps : never;
type TypedDataDepsOf<Any> = Any extends TypedDataRoute<infer Deps> ? Deps : never;

function literalFirst({ path, method }: AnyEndpoint): string {
  return `${path.replaceAll("{", "\uffff")} ${method}`;
}

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
