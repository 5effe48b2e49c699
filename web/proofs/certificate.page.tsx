import { z } from "@hono/zod-openapi";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { createRouter } from "../../api/platform/http/router.ts";
import { idNumber, TokenIdParam } from "../../api/platform/http/schemas.ts";
import type { IndexedAgents } from "../../api/soul/index-reads.ts";
import { requireAgent } from "../../api/soul/require-agent.ts";
import { byTokenId } from "../../api/soul/soul-ref.ts";
import { operations } from "../operation-rules.ts";
import { Card } from "../ui/components.tsx";
import { pageRoute, sendPage } from "../ui/send.tsx";
import { NodeQuery, type ProofPageDeps, proofPage } from "./proof.page.tsx";

const showCertificateProofPage = pageRoute(
  "/proofs/certificates/{tokenId}",
  "showCertificateProofPage",
  { params: z.object({ tokenId: TokenIdParam }), query: NodeQuery },
  "INVALID_REQUEST",
  "NOT_FOUND",
);

/** The page on which a visitor verifies one soul and its certificate. */
export const certificateProofPageRoutes = (
  deps: ProofPageDeps & { readonly current: IndexedAgents },
) =>
  createRouter(operations).openapi(showCertificateProofPage, async (c) => {
    const ref = byTokenId(c.req.valid("param").tokenId);
    const { at, value } = await requireAgent(deps.current, ref);
    const { soul } = value;
    reflectsBlock(c, at);
    const page = proofPage(deps, c.req.valid("query").node, {
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
    return sendPage(c, deps.pages, page);
  });
