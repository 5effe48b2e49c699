import { isDeepStrictEqual } from "node:util";
import type { Address } from "viem";
import type { AgentTypeIndex, RegistrationFile, ServiceEntry } from "../../../protocol/index.ts";
import {
  canonicalJson,
  didOf,
  isManagedService,
  isPlainObject,
  isSameService,
  MANAGED_SERVICES,
  registrationFile,
  SERVICE_SEGMENT,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { ChainSoul } from "../../soul/chain-soul.ts";

/** An untrusted registration file: every member may have any type. */
export type LooseFile = Readonly<Record<string, unknown>>;

/** What an owner changes about its registration file. What is left out stays as it is. */
export interface FileEdit {
  /** Each replaces the entry of the same name (case ignored), or is appended. */
  readonly services: readonly ServiceEntry[];
  /** Names of entries to take away. */
  readonly removeServices: readonly string[];
  readonly x402Support?: boolean | undefined;
  readonly description?: string | undefined;
  readonly image?: string | undefined;
}

export const NO_EDIT: FileEdit = { services: [], removeServices: [] };

/** Where a deployment's files point. */
export interface FileContext {
  readonly chainId: number;
  readonly identityRegistry: Address;
  readonly links: Links;
}

/** What the service itself says in the file. */
export type FileSoul = Pick<
  ChainSoul,
  "tokenId" | "name" | "passportId" | "soulHash" | "agentType"
> & {
  /** Whether the owner is attested to be a person, as the file is to say it. */
  readonly humanVerified: boolean;
};

/** Most bytes of a file that the service writes. */
export const MAX_FILE_BYTES = 256 * 1024;

/** Trust models that the service itself writes. */
const OWN_TRUST: readonly unknown[] = ["sbt-bound", "human-verified"];

/**
 * The registration file after an edit. Managed entries are rebuilt from the current soul;
 * everything else in the current file stays, including unknown inherited members.
 *
 * @param current The file that the passport names now; null without one.
 * @throws ApiError INVALID_REQUEST naming an entry that is managed, or one to be removed that does
 * not exist.
 */
export function editedFile(
  current: LooseFile | null,
  edit: FileEdit,
  soul: FileSoul,
  context: FileContext,
): LooseFile {
  const { endpoints, x402support, ...members } = current ?? {};
  const managed = managedFile(soul, context);
  const image = edit.image ?? text(members.image);
  const { image: _replaced, ...others } = members;
  return {
    ...others,
    type: managed.type,
    name: text(members.name) ?? soul.name,
    description: edit.description ?? text(members.description) ?? "",
    ...(image === null ? {} : { image }),
    services: [...managed.services, ...ownServices(members.services ?? endpoints, edit)],
    x402Support: edit.x402Support ?? flag(members.x402Support) ?? flag(x402support) ?? false,
    active: managed.active,
    registrations: [
      ...managed.registrations,
      ...list(members.registrations).filter((entry) => !isRegistrationOf(entry, managed)),
    ],
    supportedTrust: [
      ...managed.supportedTrust,
      ...list(members.supportedTrust).filter((trust) => !OWN_TRUST.includes(trust)),
    ],
    [SERVICE_SEGMENT]: managed[SERVICE_SEGMENT],
  };
}

/**
 * Whether a file says of a soul what the service would write now. A file that was signed for an
 * existing passport, before the soul had a token id, names the passport alone.
 */
export function describesSoul(
  file: LooseFile,
  soul: FileSoul,
  { active, context }: { readonly active: boolean; readonly context: FileContext },
): boolean {
  const managed = managedFile(soul, context);
  const isAttested = list(file.supportedTrust).includes("human-verified");
  const isOfPassport = list(file.registrations).some((entry) =>
    managed.registrations.some((own) => isDeepStrictEqual(entry, own)),
  );
  const section = file[SERVICE_SEGMENT];
  const { tokenId: _, ...withoutId } = managed[SERVICE_SEGMENT];
  return (
    (isDeepStrictEqual(section, managed[SERVICE_SEGMENT]) ||
      (isOfPassport && isDeepStrictEqual(section, withoutId))) &&
    file.active === active &&
    isAttested === soul.humanVerified
  );
}

/** The file as it is archived. */
export function fileContent(file: LooseFile): { data: Uint8Array; contentType: string } {
  let data: Uint8Array;
  try {
    data = new TextEncoder().encode(canonicalJson(file));
  } catch (cause) {
    // Only what was inherited can be so: half surrogates have no UTF-8 form.
    throw new ApiError("INVALID_REQUEST", {
      message: "What the passport points at now holds text that cannot be written again.",
      cause,
    });
  }
  if (data.byteLength > MAX_FILE_BYTES) {
    throw new ApiError("INVALID_REQUEST", {
      message: `The registration file would have more than ${MAX_FILE_BYTES} bytes.`,
    });
  }
  return { data, contentType: "application/json" };
}

/**
 * Members that two files do not have alike, in the order of the new one and then of the old one.
 */
export function changedFields(before: LooseFile | null, after: LooseFile): string[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before ?? {})]);
  return [...names].filter((name) => json(before?.[name]) !== json(after[name]));
}

/**
 * The file without its ids, which is what an owner signs the hash of: see `withoutIds` of the
 * protocol.
 */
export function looseWithoutIds(file: LooseFile): LooseFile {
  const { tokenId: _, ...soul } = file[SERVICE_SEGMENT] as { readonly tokenId?: unknown };
  return { ...file, registrations: [], [SERVICE_SEGMENT]: soul };
}

/** Everything that no owner can change. */
function managedFile(soul: FileSoul, context: FileContext): RegistrationFile {
  const { chainId, identityRegistry, links } = context;
  const { name, passportId, tokenId, soulHash, humanVerified } = soul;
  return registrationFile({
    name,
    passportId,
    tokenId,
    soulHash,
    humanVerified,
    chainId,
    agentType: soul.agentType as AgentTypeIndex,
    registry: identityRegistry,
    profileUrl: links.profile(name),
    verifyUrl: links.verify(name),
    did: didOf(chainId, name),
    active: true,
  });
}

function ownServices(current: unknown, edit: FileEdit): unknown[] {
  const issues: { path: string; message: string }[] = [];
  edit.services.forEach(({ name }, index) => {
    const path = `services.${index}.name`;
    if (isManagedService(name)) issues.push({ path, message: "Written by the service" });
    else if (edit.services.findIndex((other) => isSameService(other.name, name)) !== index) {
      issues.push({ path, message: "Given twice" });
    }
  });
  const others = list(current).filter((entry) => !isOurs(entry));
  edit.removeServices.forEach((name, index) => {
    const path = `removeServices.${index}`;
    if (isManagedService(name)) issues.push({ path, message: "Written by the service" });
    else if (!others.some((entry) => isSameService(nameOf(entry), name))) {
      issues.push({ path, message: "There is no such entry" });
    }
  });
  if (issues.length > 0) throw new ApiError("INVALID_REQUEST", { details: { issues } });

  const left = others.filter(
    (entry) => !edit.removeServices.some((name) => isSameService(nameOf(entry), name)),
  );
  const replacement = (entry: unknown) =>
    edit.services.find(({ name }) => isSameService(nameOf(entry), name)) ?? entry;
  const added = edit.services.filter(
    ({ name }) => !left.some((entry) => isSameService(nameOf(entry), name)),
  );
  return [...left.map(replacement), ...added];
}

/**
 * What this service wrote into an earlier file. A DID of another method came with the passport, and
 * stays.
 */
function isOurs(entry: unknown): boolean {
  const name = nameOf(entry);
  if (!isManagedService(name)) return false;
  if (!isSameService(name, MANAGED_SERVICES[2])) return true;
  const endpoint = isPlainObject(entry) ? entry.endpoint : undefined;
  return typeof endpoint === "string" && endpoint.startsWith(`did:${SERVICE_SEGMENT}:`);
}

function nameOf(entry: unknown): string {
  const name = isPlainObject(entry) ? entry.name : undefined;
  return typeof name === "string" ? name : "";
}

/**
 * Whether an entry is about a passport of the same registry: there is one of these, and it is ours.
 */
function isRegistrationOf(entry: unknown, { registrations }: RegistrationFile): boolean {
  const registry = isPlainObject(entry) ? entry.agentRegistry : undefined;
  return (
    typeof registry === "string" &&
    registrations.some((own) => isSameService(own.agentRegistry, registry))
  );
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** Canonical JSON, for comparing; undefined stays undefined, which equals no value read from JSON. */
function json(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}
