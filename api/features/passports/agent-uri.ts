import { ApiError } from "../../kernel/errors.ts";
import type { PostgresOperation } from "../../operations/operation.ts";
import type { ChainSouls, OwnedSoul } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type { FileEdit } from "./file-edit.ts";
import type { FileDeps } from "./file-update.ts";
import { assertFileChanges, definedOnly, plannedFile } from "./file-update.ts";
import type { OwnerTransaction } from "./owner-transactions.ts";
import { agentUriTransaction } from "./owner-transactions.ts";

interface StoredFile {
  readonly storageId: string;
  readonly uri: string;
}

/** Stores a new registration file, once for each signature. The owner points the passport at it. */
export function agentUriOperation(
  deps: FileDeps & { readonly souls: ChainSouls },
): PostgresOperation<
  { readonly passportId: bigint; readonly edit: FileEdit },
  OwnedSoul,
  StoredFile & { readonly passportId: string },
  /** The transaction is for the owner to send: nothing has reached the chain. */
  StoredFile & { readonly transaction: OwnerTransaction }
> {
  const { context, passports, souls } = deps;
  return {
    kind: "agent_uri",
    settlement: "postgres",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "AgentUriUpdate" } },
    requestJson: ({ passportId, edit }) => ({
      passportId: passportId.toString(),
      edit: definedOnly(edit),
    }),

    async read({ passportId }) {
      const passport = await passports.read(passportId);
      if (passport === null) {
        throw new ApiError("NOT_FOUND", { message: `The passport ${passportId} carries no soul.` });
      }
      return requireSoul(souls, passport.tokenId, "owned");
    },
    signatures: (_request, soul) => [{ role: "owner", signer: soul.owner }],
    subjects: (_request, { tokenId, epoch }) => [{ kind: "soul", id: tokenId, epoch }],

    async plan({ edit }, soul) {
      const planned = await plannedFile(deps, soul, edit);
      assertFileChanges(planned);
      const { passport, previousURIHash, uri, storageId, content } = planned;
      return {
        messages: { owner: { agentId: passport.passportId, previousURIHash, agentURI: uri } },
        payload: { passportId: passport.passportId.toString(), storageId, uri },
        secrets: null,
        items: [content],
      };
    },

    async settle({ passportId }, _soul, { payload: { storageId, uri } }) {
      return { storageId, uri, transaction: agentUriTransaction(context, passportId, uri) };
    },
  };
}
