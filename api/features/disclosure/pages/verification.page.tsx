import { createRoute, z } from "@hono/zod-openapi";
import { Card, Notice, ScriptRoot } from "../../../pages/components.tsx";
import { FileField, TextArea, TextField } from "../../../pages/fields.tsx";
import type { PageKit } from "../../../pages/kit.ts";
import type { Page } from "../../../pages/layout.tsx";
import { OwnerHead } from "../../../pages/owner/components.tsx";
import { connectableOrigin, sendPage } from "../../../pages/send.tsx";
import { createRouter, errorResponses } from "../../../platform/http/router.ts";
import { operations } from "../operation-rules.ts";
import type { VerificationPageData } from "./page-data.ts";

export interface VerificationPageDeps {
  readonly pages: PageKit;
  readonly disclosurePlace: { readonly soulView: `0x${string}` };
}

const MAX_URL = 300;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/;

/** The origin of a node that the visitor trusts: the page may connect to it. */
const NodeOrigin = z
  .string()
  .max(MAX_URL)
  .transform((url, context) => {
    const origin = connectableOrigin(url);
    if (origin !== null && (origin.startsWith("https:") || LOOPBACK.test(origin))) return origin;
    context.addIssue({ code: "custom", message: "Not the address of a node: https://host" });
    return z.NEVER;
  });

const showDisclosureVerificationPage = createRoute({
  method: "get",
  path: "/verify-disclosure",
  operationId: "showDisclosureVerificationPage",
  request: { query: z.object({ node: NodeOrigin.optional() }) },
  responses: { 200: { description: "The page." }, ...errorResponses("INVALID_REQUEST") },
});

/** The page on which a visitor verifies a disclosure, from a node and not from this service. */
export const disclosureVerificationPageRoutes = ({
  pages,
  disclosurePlace: { soulView },
}: VerificationPageDeps) =>
  createRouter(operations).openapi(showDisclosureVerificationPage, (c) => {
    const { node } = c.req.valid("query");
    const nodes = pages.network.addable?.rpcUrls ?? [];
    const known = nodes.flatMap((url) => connectableOrigin(url) ?? []);
    const origins = [...new Set(node === undefined ? known : [...known, node])];
    return sendPage(c, pages, verificationPage({ soulView, nodes, origins }));
  });

function verificationPage(data: VerificationPageData): Page {
  return {
    title: "Verify a disclosure",
    description: "Checks values that an agent disclosed, in your browser and from the chain.",
    script: "verify",
    // Not the service itself: no answer of its API can be shown here.
    connects: data.origins,
    body: (
      <div class="stack">
        <OwnerHead eyebrow="Selective disclosure" title="Verify a disclosure">
          An agent showed you a part of its soul. Your browser checks here that it is what the chain
          says. It asks a node of the chain, and nothing of this service.
        </OwnerHead>
        <Card id="document" title="The disclosure">
          <form id="document-form" method="dialog" novalidate>
            <FileField
              name="documentFile"
              label="The document's file"
              hint="Choose it, or drop it anywhere on this page. It stays in your browser."
            />
            <TextArea
              name="documentText"
              label="Or its text"
              rows={6}
              hint="It begins with {, and names its format: svc-disclosure-document-v1."
            />
          </form>
        </Card>
        <Card id="trust" title="Whom you trust">
          <p>
            Both values below come from this site. Compare them with a source that you trust, or
            enter your own: a false node or contract can make a false value look right.
          </p>
          <form id="trust-form" method="dialog" novalidate>
            <TextField
              name="node"
              label="A node of the chain"
              type="url"
              value={data.nodes[0] ?? ""}
              hint="The page connects to this node alone. For another one it loads again, and this site sees the node's host, without path or key."
            />
            <TextField
              name="soulView"
              label="The contract SoulView"
              value={data.soulView}
              hint="The document names a contract too. It must be this one."
            />
          </form>
          <ScriptRoot
            script="verify"
            data={data}
            why="Your browser checks the disclosure itself, in a script of this site."
          />
        </Card>
        <div id="verification" class="stack" />
        <Notice tone="info" title="Without this page">
          <p>
            The command svc verify disclosure of the open-source kit makes the same checks with the
            same code, on your own machine.
          </p>
        </Notice>
      </div>
    ),
  };
}
