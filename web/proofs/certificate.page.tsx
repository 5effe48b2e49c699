import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { page as pageRules } from "../../api/platform/http/operations.ts";
import { idNumber, TokenIdParam } from "../../api/platform/http/schemas.ts";
import type { IndexedAgents } from "../../api/soul/index-reads.ts";
import { requireAgent } from "../../api/soul/require-agent.ts";
import { byTokenId } from "../../api/soul/soul-ref.ts";
import { Card } from "../ui/components.tsx";
import { page } from "../ui/page.ts";
import { NodeQuery, type ProofPageDeps, proofPage } from "./proof.page.tsx";

/** The page on which a visitor verifies one soul and its certificate. */
export const showCertificateProofPage = page({
  operationId: "showCertificateProofPage",
  rules: pageRules,
  path: "/proofs/certificates/{tokenId}",
  params: { tokenId: TokenIdParam },
  query: NodeQuery.shape,
  errors: ["INVALID_REQUEST", "NOT_FOUND"],
  async show(
    { tokenId, node },
    deps: ProofPageDeps & { readonly current: IndexedAgents },
    _kit,
    c,
  ) {
    const { at, value } = await requireAgent(deps.current, byTokenId(tokenId));
    const { soul } = value;
    reflectsBlock(c, at);
    return proofPage(deps, node, {
      title: soul.name,
      description: `Checks in your browser what the chain says of ${soul.name}.`,
      eyebrow: "Proof of a certificate",
      lead: "Your browser reads the soul, its passport and its certificate from the chain, and compares them with each other and with what this page says.",
      subject: {
        kind: "certificate",
        // Not the owner: its display settings may hide it.
        claims: {
          tokenId: idNumber(soul.tokenId),
          agentName: soul.name,
          passportId: idNumber(soul.passportId),
          epoch: soul.epoch,
          soulHash: soul.soulHash,
          soulMerkleRoot: soul.soulMerkleRoot,
        },
      },
      contracts: ["soulRegistry", "soulCertificate", "identityRegistry", "agentKeys"],
      children: (
        <Card id="subject" title="What is checked">
          <p>
            Certificate {String(soul.tokenId)} of <a href={`/agents/${soul.name}`}>{soul.name}</a>,
            for passport {String(soul.passportId)}.
          </p>
        </Card>
      ),
      offline: {
        says: "The open-source kit reads the same from your own machine:",
        lines: [
          `svc verify agent ${soul.name} --rpc https://your.node --deployment deployment.json`,
        ],
      },
    });
  },
});
