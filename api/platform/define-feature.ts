import type { Hono } from "hono";
import type { Schema } from "hono/types";
import type { AppEnv } from "./http/env.ts";
import type { OperationTable } from "./http/operations.ts";
import type { JobRules } from "./jobs/rules.ts";

/** Routes that a feature answers, and the path under which they are mounted. */
export interface Mount<Deps> {
  /** `/api/v1` is the sign-in service, `/v1` the protocol API. */
  readonly at: "/" | "/api/v1" | "/v1";
  /** @param openApi The OpenAPI document of everything that is mounted, for use in handlers only. */
  readonly routes: (deps: Deps, openApi: () => object) => Hono<AppEnv, Schema, string>;
}

/** The route of `POST /v1/typed-data/{path}` as descriptors list it; see `operations/typed-data`. */
export interface FeatureTypedData {
  readonly path: string;
  readonly rules: OperationTable;
}

/** A decision as descriptors list it; see `operations/decisions`. */
export interface FeatureDecision {
  /** Of `POST /v1/{path}`, and of `POST /v1/typed-data/{path}`. */
  readonly path: string;
  readonly rules: OperationTable;
  readonly typedData: FeatureTypedData;
}

/** An operation as descriptors list it; see `endpoint.ts`. */
export interface FeatureEndpoint {
  readonly at: Mount<never>["at"];
  readonly rules: OperationTable;
}

/** What a feature is, as data. What it does is built in `api/compose.ts`. */
export interface FeatureDescriptor {
  /** Name of its folder. */
  readonly name: string;
  /** Access, limits, caching and size of each other operation, pages included. */
  readonly operations: OperationTable;
  /** Its operations that are one value each: files of it as a whole. */
  readonly endpoints?: Readonly<Record<string, FeatureEndpoint>>;
  readonly mounts: readonly Mount<never>[];
  /** What is signed for its operations: the feature's `typed-data.routes.ts` as a whole. */
  readonly typedData?: Readonly<Record<string, FeatureTypedData>>;
  /** What one account decides by its signature: the feature's `decisions.routes.ts` as a whole. */
  readonly decisions?: Readonly<Record<string, FeatureDecision>>;
  /** Its database tables by the name of their export: the feature's `tables.ts` as a whole. */
  readonly tables: object;
  readonly jobs: JobRules;
  /** Names of the webhook events that it emits. */
  readonly events: readonly string[];
}

/** Mounts the routes of one file. */
export function mount<Deps>(at: Mount<Deps>["at"], routes: Mount<Deps>["routes"]): Mount<Deps> {
  return { at, routes };
}

/** Keeps the exact types of a descriptor, so that lists of features know every name in it. */
export function defineFeature<const Descriptor extends FeatureDescriptor>(
  descriptor: Descriptor,
): Descriptor {
  return descriptor;
}
