import {
  agentDidDocument,
  type DidDocument,
  didOf,
  InvalidDidError,
  isValidName,
  parseDid,
  parsePassportName,
} from "../../protocol/index.ts";
import { ApiError } from "../errors.ts";
import type { DidRecords } from "./did-records.ts";
import type { AgentRecord, PassportRecord, ProfileReads, Reading } from "./index-reads.ts";
import { validityOf } from "./profile.ts";
import type { RegistrationFiles } from "./registration-files.ts";

/** A DID document and what DID Core says beside it. */
export interface DidResolution {
  readonly document: DidDocument;
  readonly metadata: {
    readonly created?: Date;
    /** Present, and true, once the agent is burned. */
    readonly deactivated?: true;
    /** Storage id of the record that the document was made with. */
    readonly versionId?: string;
  };
  /** Whether the soul's seal is valid. */
  readonly isValid: boolean;
}

export interface DidReads extends Pick<ProfileReads, "profileByName"> {
  /** The soul bound to a passport, burned ones left out. */
  soulByPassport(passportId: bigint): Promise<Reading<AgentRecord | null>>;
  passport(id: bigint): Promise<Reading<PassportRecord | null>>;
}

export interface DidDocumentsOptions {
  readonly chainId: number;
  readonly reads: DidReads;
  readonly records: DidRecords;
  readonly files: RegistrationFiles;
}

export interface DidDocuments {
  /**
   * The document of an agent, or of a passport by its own name `agent-<id>`, as last indexed.
   *
   * @param reference A name, `did:svc:<name>` or `did:svc:<chain>:<name>`.
   * @throws ApiError INVALID_NAME; INVALID_REQUEST for what is no DID or one of another chain; NOT_FOUND, before the claim too, since
   * a DID begins with its registration on chain; STORAGE_UNAVAILABLE.
   */
  resolve(reference: string): Promise<Reading<DidResolution>>;
  /** The name in a reference, refused like there. */
  nameIn(reference: string): string;
}

export function createDidDocuments(options: DidDocumentsOptions): DidDocuments {
  const { chainId, reads, records, files } = options;

  function nameIn(reference: string): string {
    if (!reference.startsWith("did:")) {
      const name = reference.toLowerCase();
      if (isValidName(name) || parsePassportName(name) !== null) return name;
      throw new ApiError("INVALID_NAME", { details: { name: reference } });
    }
    try {
      const named = parseDid(reference, chainId);
      if (named.chainId === chainId) return named.name;
      throw refused(`Only agents of chain ${chainId} are known here`);
    } catch (error) {
      if (error instanceof InvalidDidError) throw refused(error.message);
      throw error;
    }
  }

  async function ofSoul(name: string): Promise<Reading<DidResolution>> {
    const { at, value: agent } = await reads.profileByName(name);
    if (agent === null) throw absent(name);
    const { soul, passport } = agent;
    const isValid = validityOf(agent) === "valid";
    const [archived, file] = await Promise.all([
      isValid ? records.of(soul) : null,
      fileOf(soul.status === "BURNED" ? null : passport),
    ]);
    const document = agentDidDocument({
      ...{ chainId, name, alsoKnownAs: [] },
      passportOwner: passport?.owner ?? null,
      soul: { status: soul.status, isValid, operator: soul.operator },
      addresses: archived?.record.addresses ?? [],
      services: file?.services ?? [],
    });
    const metadata = {
      created: new Date(Number(soul.mintTimestamp) * 1000),
      ...(soul.status === "BURNED" ? { deactivated: true as const } : {}),
      ...(archived === null ? {} : { versionId: archived.id }),
    };
    return { at, value: { document, metadata, isValid } };
  }

  async function ofPassport(name: string, passportId: bigint): Promise<Reading<DidResolution>> {
    const bound = await reads.soulByPassport(passportId);
    const { at, value: passport } = bound.value?.passport
      ? { at: bound.at, value: bound.value.passport }
      : await reads.passport(passportId);
    if (passport === null || passport.owner === null) throw absent(name);
    const file = await fileOf(passport);
    const document = agentDidDocument({
      ...{ chainId, name, soul: null, addresses: [] },
      passportOwner: passport.owner,
      services: file?.services ?? [],
      alsoKnownAs: bound.value === null ? [] : [didOf(chainId, bound.value.soul.name)],
    });
    const { registeredAt } = passport;
    const metadata =
      registeredAt === null ? {} : { created: new Date(Number(registeredAt) * 1000) };
    return { at, value: { document, metadata, isValid: false } };
  }

  async function fileOf(passport: PassportRecord | null) {
    return passport?.uri == null ? null : files.read(passport.uri);
  }

  return {
    nameIn,
    async resolve(reference) {
      const name = nameIn(reference);
      const passportId = parsePassportName(name);
      return passportId === null ? ofSoul(name) : ofPassport(name, passportId);
    },
  };
}

function absent(name: string): ApiError {
  return new ApiError("NOT_FOUND", { message: `There is no agent ${name} on chain.` });
}

function refused(message: string): ApiError {
  return new ApiError("INVALID_REQUEST", { details: { issues: [{ path: "name", message }] } });
}
