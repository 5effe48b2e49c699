import { z } from "@hono/zod-openapi";
import type { Child } from "hono/jsx";
import { ApiError } from "../../api/kernel/errors.ts";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import { OwnerHead } from "../owner/components.tsx";
import { Card, Code, Notice, ScriptRoot } from "../ui/components.tsx";
import { Collapsible, TextField } from "../ui/fields.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { connectableOrigin } from "../ui/send.tsx";
import type { ProofPageData, ProofSubject } from "./page-data.ts";

/** What every page that verifies something is made with. */
export interface ProofPageDeps {
  readonly pages: PageKit;
  readonly deployment: Deployment;
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

/** The query of every such page. */
export const NodeQuery = z.object({ node: NodeOrigin.optional() });

/** The contracts that a visitor may have to trust, under the names in `contracts/`. */
const CONTRACTS = {
  soulView: "SoulView",
  soulRegistry: "SoulRegistry",
  soulCertificate: "SoulCertificate",
  agentKeys: "AgentKeys",
  chronicleAnchor: "ChronicleAnchor",
  alignmentRegistry: "AlignmentRegistry",
  allowanceVault: "AllowanceVault",
  bindingRegistry: "BindingRegistry",
  organizationRegistry: "OrganizationRegistry",
  identityRegistry: "ERC-8004 identity registry",
  reputationRegistry: "ERC-8004 reputation registry",
  validationRegistry: "ERC-8004 validation registry",
} as const satisfies Partial<Record<keyof Deployment["contracts"], string>>;
export type TrustedContract = keyof typeof CONTRACTS;
export const ALL_CONTRACTS = Object.keys(CONTRACTS) as TrustedContract[];

/** The part of permanent storage that proof pages read. */
export interface ArchiveReads {
  read(id: string): Promise<{ data: Uint8Array } | null>;
  readItem(id: string): Promise<Uint8Array | null>;
}

/** Most bytes of an item in a page. A larger one is downloaded, and chosen on `/verify`. */
const MAX_BYTES = 64 * 1024;

/** The bytes in base64 for a page; null for too many, and while storage does not answer. */
export async function embedded(read: () => Promise<Uint8Array | null>): Promise<string | null> {
  try {
    const bytes = await read();
    return bytes === null || bytes.length > MAX_BYTES
      ? null
      : Buffer.from(bytes).toString("base64");
  } catch (error) {
    if (error instanceof ApiError && error.type === "STORAGE_UNAVAILABLE") return null;
    throw error;
  }
}

interface ProofPageContent {
  readonly title: string;
  readonly description: string;
  readonly eyebrow: string;
  /** One or two sentences: what the page checks. */
  readonly lead: Child;
  readonly subject: ProofSubject | null;
  readonly expects?: "disclosure" | undefined;
  /** The contracts that the checks read. */
  readonly contracts: readonly TrustedContract[];
  /** Between the head and the node. */
  readonly children?: Child;
  /** How the same is checked without this page: a sentence, and commands to copy. */
  readonly offline: { readonly says: string; readonly lines: readonly string[] };
}

/** A page that checks something in the visitor's browser, from a node that the visitor chose. */
export function proofPage(
  { pages, deployment }: ProofPageDeps,
  node: string | undefined,
  content: ProofPageContent,
): Page {
  const { chainId, startBlock } = deployment;
  const nodes = pages.network.addable?.rpcUrls ?? [];
  const known = nodes.flatMap((url) => connectableOrigin(url) ?? []);
  const origins = [...new Set(node === undefined ? known : [...known, node])];
  const { subject, expects = null } = content;
  const data: ProofPageData = { chainId, startBlock, nodes, origins, subject, expects };
  return {
    title: content.title,
    description: content.description,
    script: "verify",
    // Not the service itself: no answer of its API can be shown here.
    connects: origins,
    body: (
      <div class="stack">
        <OwnerHead eyebrow={content.eyebrow} title={content.title}>
          {content.lead}
        </OwnerHead>
        {content.children}
        <TrustCard data={data} deployment={deployment} contracts={content.contracts} />
        <div id="verification" class="stack" />
        <Notice tone="info" title="Without this page">
          <p>{content.offline.says}</p>
          <pre>
            <code>{content.offline.lines.join("\n")}</code>
          </pre>
          <p class="muted">
            Name a node that you trust, and compare the addresses with the published ones.
            deployment.json is the deployment file that you trust for this chain. After{" "}
            <Code>npm start</Code> it is <Code>.local/deployment.json</Code> in the clone.
          </p>
        </Notice>
      </div>
    ),
  };
}

function TrustCard({
  data,
  deployment,
  contracts,
}: {
  data: ProofPageData;
  deployment: Deployment;
  contracts: readonly TrustedContract[];
}) {
  const fields = contracts.flatMap((name) => {
    const address = deployment.contracts[name];
    if (address === null) return [];
    return (
      <TextField
        name={name}
        label={`The contract ${CONTRACTS[name]}`}
        value={address}
        hint={name === "soulView" ? "A disclosure names a contract too. It must be this one." : ""}
      />
    );
  });
  return (
    <Card id="trust" title="Whom you trust">
      <p>
        The values below come from this site. Compare them with a source that you trust, or enter
        your own: a false node or contract can make a false value look right.
      </p>
      <form id="trust-form" method="dialog" novalidate>
        <TextField
          name="node"
          label="A node of the chain"
          type="url"
          value={data.nodes[0] ?? ""}
          hint="The page connects to this node alone. For another one it loads again, and this site sees the node's host, without path or key."
        />
        {fields.length > 2 ? (
          <Collapsible title="Contracts" note={`${fields.length} addresses`}>
            {fields}
          </Collapsible>
        ) : (
          fields
        )}
      </form>
      <ScriptRoot
        script="verify"
        data={data}
        why="Your browser makes the checks itself, in a script of this site."
      />
    </Card>
  );
}
