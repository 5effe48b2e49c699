import { storageIdIn } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import { storedContent } from "../../platform/storage/stored-content.ts";
import type { IndexedAgents, Reading } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { calledOf, noSuchSoul } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";

export interface RegistrationFilePorts {
  readonly reads: IndexedAgents;
  /** What permanent storage holds, checked against its id; null for nothing. */
  read(id: string): Promise<{ data: Uint8Array; contentType: string } | null>;
}

/** The file behind an agent's passport. */
export interface AgentFile {
  readonly file: Record<string, unknown>;
  /** Whether the soul's seal is valid. */
  readonly isValid: boolean;
}

export type RegistrationFileService = ReturnType<typeof createRegistrationFileService>;

/** The ERC-8004 registration file behind an agent's passport, read from permanent storage. */
export function createRegistrationFileService(ports: RegistrationFilePorts) {
  /** @throws ApiError NOT_FOUND; STORAGE_UNAVAILABLE when storage does not have what the passport points at. */
  async function of(agent: SoulRef): Promise<Reading<AgentFile>> {
    const { at, value } = await requireAgent(ports.reads, agent);
    const uri = value.passport?.uri ?? null;
    if (uri === null) throw noSuchSoul(agent);

    const id = storageIdIn(uri);
    // Its owner may have pointed the passport anywhere: only what permanent storage vouches for is served from here.
    if (id === null) {
      throw new ApiError("NOT_FOUND", {
        message: `The passport of the agent ${calledOf(agent)} points outside permanent storage.`,
        details: { agentUri: uri },
      });
    }
    const { data } = await storedContent((item) => ports.read(item), id, { agentUri: uri });
    const isValid = validityOf(value) === "valid";
    return { at, value: { file: parseFile(data, uri), isValid } };
  }

  return { of };
}

function parseFile(data: Uint8Array, uri: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch {
    file = null;
  }
  if (typeof file === "object" && file !== null && !Array.isArray(file)) {
    return file as Record<string, unknown>;
  }
  throw new ApiError("NOT_FOUND", {
    message: "What the passport points at is no registration file.",
    details: { agentUri: uri },
  });
}
