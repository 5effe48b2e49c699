import type { OffChainMessage } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { ArchivedContent, LiveSoul, OperatedSoul } from "../../operations/engine.ts";
import { assertLive } from "../../operations/engine.ts";
import type {
  OffChainEvidence,
  OffChainSignatures,
} from "../../operations/off-chain-signatures.ts";
import { assertSays } from "../../operations/off-chain-signatures.ts";
import type { FileEdit } from "./file-edit.ts";
import type { FileDeps, PlannedFile } from "./file-update.ts";
import { assertNews, plannedFile } from "./file-update.ts";
import type { OwnerTransaction } from "./owner-transactions.ts";
import { agentUriTransaction } from "./owner-transactions.ts";

export interface AgentUriRequest {
  readonly passportId: bigint;
  readonly edit: FileEdit;
}

export interface AgentUriUpdate {
  readonly passportId: bigint;
  readonly storageId: string;
  readonly uri: string;
  /** For the owner to send: nothing has reached the chain. */
  readonly transaction: OwnerTransaction;
}

export interface AgentUriDeps<Transaction> extends FileDeps {
  readonly souls: { soul(tokenId: bigint): Promise<OperatedSoul> };
  readonly signatures: OffChainSignatures<Transaction>;
  readonly archive: { archive(content: ArchivedContent): Promise<string> };
}

export type AgentUriService = ReturnType<typeof createAgentUriService>;

/** Writes registration files for owners who point their passports at them by themselves. */
export function createAgentUriService<Transaction>(deps: AgentUriDeps<Transaction>) {
  const { context, passports, signatures } = deps;

  /** The message to sign, with a fresh nonce and deadline. */
  async function prepare(request: AgentUriRequest): Promise<OffChainMessage<"AgentUriUpdate">> {
    const planned = await plannedFile(deps, await liveSoul(request.passportId), request.edit);
    assertNews(planned);
    return messageOf(planned, signatures.once());
  }

  /**
   * Stores the new file, once for each signature.
   *
   * @throws ApiError NOT_FOUND, SUSPENDED, NOT_OWNER, INVALID_REQUEST, and those of a signature; NONCE_USED the second time.
   */
  async function update(
    request: AgentUriRequest,
    evidence: OffChainEvidence<"AgentUriUpdate">,
  ): Promise<AgentUriUpdate> {
    const soul = await liveSoul(request.passportId);
    await signatures.assertSigned("AgentUriUpdate", evidence, soul.owner);
    const planned = await plannedFile(deps, soul, request.edit);
    assertNews(planned);
    assertSays(evidence.message, messageOf(planned, evidence.message));
    // Stored before the nonce is used: when storage does not answer, the signature still counts.
    await deps.archive.archive(planned.content);
    await signatures.consume("AgentUriUpdate", evidence);
    const { passport, storageId, uri } = planned;
    return {
      passportId: passport.passportId,
      storageId,
      uri,
      transaction: agentUriTransaction(context, passport.passportId, uri),
    };
  }

  async function liveSoul(passportId: bigint): Promise<LiveSoul> {
    const passport = await passports.read(passportId);
    if (passport === null) {
      throw new ApiError("NOT_FOUND", { message: `The passport ${passportId} carries no soul.` });
    }
    return assertLive(await deps.souls.soul(passport.tokenId));
  }

  return { prepare, update };
}

function messageOf(
  { passport, previousURIHash, uri }: PlannedFile,
  { nonce, deadline }: { readonly nonce: bigint; readonly deadline: bigint },
): OffChainMessage<"AgentUriUpdate"> {
  return { agentId: passport.passportId, previousURIHash, agentURI: uri, nonce, deadline };
}
