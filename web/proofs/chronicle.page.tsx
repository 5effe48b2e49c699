import { z } from "@hono/zod-openapi";
import type { ChronicleProofs } from "../../api/features/chronicles/index.ts";
import { page as pageRules } from "../../api/platform/http/operations.ts";
import type { IndexedAgents } from "../../api/soul/index-reads.ts";
import { byTokenId } from "../../api/soul/soul-ref.ts";
import { Card } from "../ui/components.tsx";
import { page } from "../ui/page.ts";
import { inWords } from "../ui/text.ts";
import {
  type ArchiveReads,
  embedded,
  NodeQuery,
  type ProofPageDeps,
  proofPage,
} from "./proof.page.tsx";

/** The page on which a visitor verifies that one chronicle is on chain. */
export const showChronicleProofPage = page({
  operationId: "showChronicleProofPage",
  rules: pageRules,
  path: "/proofs/chronicles/{queueId}",
  params: { queueId: z.string().max(128) },
  query: NodeQuery.shape,
  errors: ["INVALID_REQUEST", "NOT_FOUND"],
  async show(
    { queueId, node },
    deps: ProofPageDeps & {
      readonly chronicleProofs: ChronicleProofs;
      readonly archive: ArchiveReads;
      readonly current: Pick<IndexedAgents, "agent">;
    },
  ) {
    const { chronicleProofs, archive, current } = deps;
    const chronicle = await chronicleProofs.find(queueId);
    const [proof, { value: agent }, record] = await Promise.all([
      chronicleProofs.proof(chronicle),
      current.agent(byTokenId(chronicle.tokenId)),
      embedded(async () => (await archive.read(chronicle.archiveId))?.data ?? null),
    ]);
    const { chainId, contracts } = deps.deployment;
    return proofPage(deps, node, {
      title: "A chronicle",
      description: `Checks in your browser that chronicle ${queueId} is on chain.`,
      eyebrow: "Proof of a record",
      lead: "Your browser hashes the record, follows its Merkle path up to the root of its batch, and compares this root with the contract's.",
      subject: { kind: "chronicle", proof, record },
      contracts: ["chronicleAnchor", "soulRegistry"],
      children: (
        <Card id="subject" title="What is checked">
          <p>
            Chronicle {String(chronicle.chronicleId)} of{" "}
            <a href={`/certificates/${chronicle.tokenId}`}>
              {agent?.soul.name ?? `agent ${chronicle.tokenId}`}
            </a>
            : {inWords(chronicle.changeType)}.{" "}
            <a href={`/v1/chronicle/${queueId}/proof`}>Its proof</a> and{" "}
            <a href={`/ar/${chronicle.archiveId}`}>its record</a> as files.
          </p>
        </Card>
      ),
      offline: {
        says: `With both files, the open-source kit makes the same checks on chain ${chainId}:`,
        lines: [
          "svc verify chronicle proof.json --record record.json \\",
          "  --rpc https://your.node \\",
          `  --anchor ${contracts.chronicleAnchor} \\`,
          `  --registry ${contracts.soulRegistry}`,
        ],
      },
    });
  },
});
