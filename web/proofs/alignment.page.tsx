import type { LastSnapshot } from "../../api/features/alignment/index.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { page as pageRules } from "../../api/platform/http/operations.ts";
import { AGENT_READ_ERRORS } from "../../api/platform/http/router.ts";
import { idNumber, TypedAgentSchema } from "../../api/platform/http/schemas.ts";
import type { Reading } from "../../api/soul/index-reads.ts";
import type { SoulRef } from "../../api/soul/soul-ref.ts";
import { Card, Code, Notice } from "../ui/components.tsx";
import { page } from "../ui/page.ts";
import { leadFromDigits } from "../ui/typed-digits.ts";
import {
  type ArchiveReads,
  embedded,
  NodeQuery,
  type ProofPageDeps,
  proofPage,
  type TrustedContract,
} from "./proof.page.tsx";

const CONTRACTS: readonly TrustedContract[] = [
  "soulRegistry",
  "identityRegistry",
  "reputationRegistry",
  "validationRegistry",
  "allowanceVault",
  "bindingRegistry",
  "organizationRegistry",
  "alignmentRegistry",
];

/** The page on which a visitor computes an agent's score again from the chain. */
export const showAlignmentProofPage = page({
  operationId: "showAlignmentProofPage",
  rules: pageRules,
  path: "/proofs/alignment/{name}",
  params: { name: TypedAgentSchema },
  query: NodeQuery.shape,
  errors: ["INVALID_REQUEST", ...AGENT_READ_ERRORS],
  async show(
    { name, node },
    deps: ProofPageDeps & {
      readonly alignments: { lastSnapshot(agent: SoulRef): Promise<Reading<LastSnapshot>> };
      readonly archive: ArchiveReads;
    },
    _kit,
    c,
  ) {
    if (name.kind !== "name") return leadFromDigits(c);
    const { at, value } = await deps.alignments.lastSnapshot(name);
    const { tokenId, agentName, snapshotId } = value;
    const item =
      snapshotId === null ? null : await embedded(() => deps.archive.readItem(snapshotId));
    reflectsBlock(c, at);
    return proofPage(deps, node, {
      title: `The alignment of ${agentName}`,
      description: `Computes the alignment score of ${agentName} again in your browser, from the chain.`,
      eyebrow: "Proof of a score",
      lead: "Your browser checks the signed snapshot of the score, reads all its facts from the chain, looks for facts that were left out, and computes the score again.",
      subject: { kind: "alignment", tokenId: idNumber(tokenId), item },
      contracts: CONTRACTS,
      children: (
        <Card id="subject" title="What is checked">
          <Subject agentName={agentName} snapshotId={snapshotId} isHere={item !== null} />
          <p class="muted">
            The node must serve the logs of all blocks since {String(deps.deployment.startBlock)}.
            It is asked for them in ranges that it accepts, which can be many requests.
          </p>
        </Card>
      ),
      offline: {
        says: "With the snapshot's item, the open-source kit computes it on your own machine:",
        lines: [
          `svc verify alignment ${agentName} --item snapshot.item --rpc https://your.node \\`,
          "  --deployment deployment.json",
        ],
      },
    });
  },
});

function Subject({
  agentName,
  snapshotId,
  isHere,
}: {
  agentName: string;
  snapshotId: string | null;
  isHere: boolean;
}) {
  const agent = <a href={`/agents/${agentName}`}>{agentName}</a>;
  if (snapshotId === null) {
    return (
      <p>
        {agent} has no score in its present epoch. The first one comes after 30 days, and then it is
        checked here.
      </p>
    );
  }
  const item = (
    <a href={`/ar/${snapshotId}/item`}>
      <Code>{snapshotId}</Code>
    </a>
  );
  return (
    <>
      <p>
        The last recorded score of {agent}, with the snapshot {item}.
      </p>
      {isHere ? null : (
        <Notice tone="caution" title="The snapshot is not in this page">
          <p>
            It is too large, or permanent storage does not answer now. Download it, and choose the
            file on <a href="/verify">the page that verifies files</a>.
          </p>
        </Notice>
      )}
    </>
  );
}
