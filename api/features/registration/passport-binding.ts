import { type Address, isAddressEqual } from "viem";
import {
  canonicalJson,
  type InheritedContent,
  InvalidJsonError,
  isPlainObject,
  parseJsonStrict,
  parseRegistrationFile,
  REGISTRATION_FILE_LIMITS,
  type ServiceEntry,
} from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import {
  ANYWHERE,
  type PassportFiles,
  type PassportTransactions,
  unreadableFile,
} from "../passports/index.ts";
import type { ExistingPassport } from "./content.ts";
import type { BindablePassports } from "./passport-binding.chain.ts";

export type PassportBinding = ReturnType<typeof createPassportBinding>;

/** Checks passports that souls will be bound to, and reads their content. */
export function createPassportBinding(
  passportOf: BindablePassports,
  files: PassportFiles,
  transactions: PassportTransactions,
) {
  async function existing(passportId: bigint) {
    const passport = await passportOf(passportId);
    if (passport !== null) return passport;
    throw new ApiError("NOT_FOUND", { message: `There is no passport ${passportId}.` });
  }

  async function inheritedFrom(agentUri: string): Promise<InheritedContent> {
    if (agentUri === "") return NOTHING;
    const found = await files.read(agentUri, ANYWHERE);
    if ("refused" in found) throw unreadableFile(agentUri, found.refused);
    return inheritedContent(found.text, agentUri);
  }

  return {
    /**
     * The passport with the content of its registration file.
     *
     * @throws ApiError NOT_FOUND; NOT_OWNER unless `owner` owns it in the latest block;
     * Erc8004AgentIdAlreadyBound; INVALID_REQUEST or STORAGE_UNAVAILABLE when its registration file
     * cannot be read completely: no part may be lost unnoticed.
     */
    async inspect(passportId: bigint, owner: Address): Promise<ExistingPassport> {
      const passport = await existing(passportId);
      if (!isAddressEqual(passport.owner, owner)) {
        throw new ApiError("NOT_OWNER", {
          details: { erc8004AgentId: passportId, owner: passport.owner },
        });
      }
      if (passport.tokenId !== 0n) {
        throw new ApiError("Erc8004AgentIdAlreadyBound", {
          details: { erc8004AgentId: passportId, tokenId: passport.tokenId },
        });
      }
      const { agentUri } = passport;
      return { passportId, agentUri, inherited: await inheritedFrom(agentUri) };
    },

    /** @throws ApiError APPROVAL_REQUIRED, with the transaction that approves, unless the passport writer may write to the passport. */
    async assertApproved(passportId: bigint): Promise<void> {
      if ((await existing(passportId)).isApproved) return;
      throw new ApiError("APPROVAL_REQUIRED", {
        details: { erc8004AgentId: passportId, transaction: transactions.approve(passportId) },
      });
    },
  };
}

const NOTHING: InheritedContent = {
  name: null,
  description: null,
  image: null,
  services: [],
  x402Support: null,
};

/** Deepest JSON that is copied from the old file. The serialiser recurses. */
const MAX_DEPTH = 16;
/** Most bytes that are copied from the old file. The service pays for storing them permanently. */
const MAX_INHERITED_BYTES = 64 * 1024;

/**
 * The content of a passport's old file that its new file keeps.
 *
 * @throws ApiError INVALID_REQUEST when content would be lost: the file is invalid, or readers
 * could understand it differently.
 */
export function inheritedContent(text: string, agentUri: string): InheritedContent {
  const raw = members(text, agentUri);
  const read = parseRegistrationFile(text);
  for (const member of ["name", "description", "image"] as const) {
    const isThere = raw[member] !== undefined && raw[member] !== null && raw[member] !== "";
    if (isThere && read[member] === null) throw notInheritable(agentUri, member);
  }
  const services = raw.services ?? raw.endpoints ?? [];
  // The reader leaves out invalid entries and unknown members: they would be lost.
  if (!Array.isArray(services) || services.length !== read.services.length) {
    throw notInheritable(agentUri, "services");
  }
  const inherited = {
    name: read.name,
    description: read.description,
    image: read.image,
    services: services as readonly ServiceEntry[],
    x402Support: read.x402Support,
  };
  const json = canonicalJson(inherited);
  // U+0000, which no database text holds.
  if (/(?<!\\)(?:\\\\)*\\u0000/.test(json)) throw notInheritable(agentUri, "services");
  if (new TextEncoder().encode(json).length > MAX_INHERITED_BYTES) {
    throw new ApiError("INVALID_REQUEST", {
      message: `The passport's registration file says more than the ${MAX_INHERITED_BYTES} bytes that can be inherited.`,
      details: { agentUri: shown(agentUri), reason: "too_large" },
    });
  }
  return inherited;
}

function members(text: string, agentUri: string): Readonly<Record<string, unknown>> {
  const { bytes: maxBytes } = REGISTRATION_FILE_LIMITS;
  try {
    const file = parseJsonStrict(text, { maxDepth: MAX_DEPTH, maxBytes });
    if (isPlainObject(file)) return file;
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
  }
  throw unreadableFile(agentUri, "unusable");
}

function notInheritable(agentUri: string, member: string): ApiError {
  return new ApiError("INVALID_REQUEST", {
    message: `The ${member} of the passport's registration file cannot be inherited, and is not overwritten.`,
    details: { agentUri: shown(agentUri), reason: member },
  });
}

/** A data URI can hold a whole file. */
function shown(agentUri: string): string {
  return agentUri.slice(0, 256);
}
