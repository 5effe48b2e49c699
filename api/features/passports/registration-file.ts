import { isPlainObject } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { calledOf, noSuchSoul } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import type { PassportFiles, UnreadableFile } from "./passport-files.ts";

export type RegistrationFileService = ReturnType<typeof createRegistrationFileService>;

/** The ERC-8004 registration file behind an agent's passport, read from permanent storage. */
export function createRegistrationFileService({
  reads,
  files,
}: {
  readonly reads: IndexedAgents;
  readonly files: PassportFiles;
}) {
  return {
    /**
     * The file, and whether the soul's seal is valid.
     *
     * @throws ApiError NOT_FOUND; STORAGE_UNAVAILABLE when storage does not have what the passport points at.
     */
    async of(agent: SoulRef) {
      const { at, value } = await requireAgent(reads, agent);
      const uri = value.passport?.uri ?? null;
      if (uri === null) throw noSuchSoul(agent);
      // Its owner may have pointed the passport anywhere: only what permanent storage vouches for is served from here.
      const found = await files.read(uri, ["storage"]);
      if ("refused" in found) throw notServed(agent, uri, found.refused);
      const isValid = validityOf(value) === "valid";
      return { at, value: { file: parseFile(found.text, uri), isValid } };
    },
  };
}

function notServed(agent: SoulRef, agentUri: string, why: UnreadableFile): ApiError {
  const details = { agentUri };
  if (why === "unavailable") return new ApiError("STORAGE_UNAVAILABLE", { details });
  if (why === "unusable") return noRegistrationFile(agentUri);
  return new ApiError("NOT_FOUND", {
    message: `The passport of the agent ${calledOf(agent)} points outside permanent storage.`,
    details,
  });
}

function parseFile(text: string, agentUri: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isPlainObject(file)) return file;
  } catch {
    // No JSON is no registration file either.
  }
  throw noRegistrationFile(agentUri);
}

function noRegistrationFile(agentUri: string): ApiError {
  return new ApiError("NOT_FOUND", {
    message: "What the passport points at is no registration file.",
    details: { agentUri },
  });
}
