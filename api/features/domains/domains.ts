import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { agentRegistry } from "../../../protocol/index.ts";
import { shareAnswer } from "../../kernel/shared-answer.ts";
import type { IndexedAgents } from "../../soul/index-reads.ts";
import { requireAgent } from "../../soul/require-agent.ts";
import type { SoulRef } from "../../soul/soul-ref.ts";
import { noSuchSoul } from "../../soul/soul-ref.ts";
import { validityOf } from "../../soul/validity.ts";
import type { RegistrationContext } from "../registration/index.ts";

/** A file as it is sent, in both of its encodings. */
export interface WellKnownFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  /** Changes with the content. */
  readonly tag: string;
}

export interface RegisteredPassports {
  /** Passports of every soul that is not burned, as decimal digits, in numerical order. One query. */
  registeredPassports(): Promise<readonly string[]>;
}

export type DomainVerification = ReturnType<typeof createDomainVerification>;

const compress = promisify(gzip);

/** The proof that a domain belongs to an agent (ERC-8004): the pair of its registration, in a file at a well-known path. */
export function createDomainVerification({
  context,
  reads,
  registered,
  keepMs,
  clock,
}: {
  readonly context: Pick<RegistrationContext, "chainId" | "identityRegistry">;
  readonly reads: IndexedAgents;
  readonly registered: RegisteredPassports;
  /** Milliseconds for which one file is given to all clients; longer when it takes long to make. */
  readonly keepMs: number;
  readonly clock: () => Date;
}) {
  const registry = agentRegistry(context.chainId, context.identityRegistry);

  /** The standard knows no pages: a hundred thousand agents are one file of 9 MB, or a few hundred kilobytes compressed. */
  async function build(): Promise<WellKnownFile> {
    const entries = (await registered.registeredPassports()).map(
      (id) => `{"agentId":${id},"agentRegistry":"${registry}"}`,
    );
    const plain = new TextEncoder().encode(`{"registrations":[${entries.join(",")}]}`);
    const tag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`;
    return { plain, gzipped: new Uint8Array(await compress(plain)), tag };
  }

  return {
    /**
     * What an owner publishes on its own domain, and whether the soul's seal is valid.
     *
     * @throws ApiError NOT_FOUND, also for a burned agent: it has no passport any more.
     */
    async ofAgent(agent: SoulRef) {
      const { at, value } = await requireAgent(reads, agent);
      if (value.soul.status === "BURNED") throw noSuchSoul(agent);
      const agentId = Number(value.soul.passportId);
      const isValid = validityOf(value) === "valid";
      return { at, value: { registrations: [{ agentId, agentRegistry: registry }], isValid } };
    },

    /** The service's own file: everything that is registered here. */
    ofService: shareAnswer({ make: build, clock, keptMs: keepMs }),
  };
}
