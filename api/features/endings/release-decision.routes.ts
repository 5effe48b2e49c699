import { soulDecision } from "../../operations/decisions/soul-decision.routes.ts";
import { agentIds } from "../../platform/http/schemas.ts";
import { endedBody, NOT_SUSPENDED, ReleasedSchema } from "./endings.schemas.ts";
import type { createReleaseKind } from "./release.ts";

export const release = soulDecision({
  path: "release",
  route: "/release/{tokenId}",
  tag: "Death and reincarnation",
  prepare: {
    operationId: "prepareRelease",
    summary: "The EIP-712 data that a passport's owner signs to end its suspended agent",
    description:
      "Takes `tokenId`. While the passport's owner is not recorded on chain, the service records it, and the answer is 409 `SUSPENDED` with `Retry-After`.",
  },
  perform: {
    operationId: "releaseAgent",
    summary: "End a suspended agent, for a passport's new owner who wants no soul on it",
    description:
      "By the passport's owner, and irreversible. The passport is free to carry another soul; the name stays taken.",
    done: "Ended, and visible to reads from block `X-Svc-Block` on.",
  },
  messageName: "Release",
  schemaName: "Release",
  shape: {},
  answer: ReleasedSchema,
  errors: NOT_SUSPENDED,
  kind: ({ releaseKind }: { readonly releaseKind: ReturnType<typeof createReleaseKind> }) =>
    releaseKind,
  request: ({ tokenId }) => ({ tokenId }),
  answerOf: ({ passportId, name, ended, ...released }, { tokenId }) => ({
    ...agentIds({ tokenId, passportId: BigInt(passportId) }),
    agentName: name,
    status: "BURNED" as const,
    releasedBy: released.releasedBy,
    releaseTxHash: released.txHash,
    arweaveArchive: released.archiveId,
    releasedAt: released.releasedAt,
    ended: endedBody(ended),
    note: "The soul has ended, and its archive stays. Your passport is free to carry another soul; the name stays taken.",
  }),
});
