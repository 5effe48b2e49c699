import type { SoulDocument, SoulDocumentService } from "../../../api/features/documents/index.ts";
import { byTokenId } from "../../../api/soul/soul-ref.ts";
import { CHRONICLE_CATEGORIES } from "../../../protocol/index.ts";
import { ActionArea } from "../../owner/components.tsx";
import type { CallAction, DocumentAction } from "../../owner/data.ts";
import {
  Card,
  DateTime,
  DescriptionItem,
  DescriptionList,
  PublishedForEver,
  UntrustedText,
} from "../../ui/components.tsx";
import { Choice, FileField, TextArea, TextField } from "../../ui/fields.tsx";
import { inWords } from "../../ui/text.ts";
import type { ConsoleReads, WaitingChronicle } from "../console.ts";
import type { Section, SectionContext } from "../sections.page.ts";

/** What is recorded of an agent: chronicles and documents. */
export async function recordsSection(
  {
    consoleReads,
    soulDocuments,
  }: {
    readonly consoleReads: ConsoleReads;
    readonly soulDocuments: Pick<SoulDocumentService, "list">;
  },
  { soul, tokenId, now }: SectionContext,
): Promise<Section> {
  const [waiting, listed] = await Promise.all([
    consoleReads.waitingChronicles(soul.tokenId, soul.epoch, now),
    soulDocuments.list(byTokenId(soul.tokenId)),
  ]);
  return {
    lead: "What is recorded of the agent, in public and for ever.",
    asksWallet: false,
    actions: [recordAction(tokenId), documentAction(tokenId)],
    body: (
      <>
        <WaitingCard waiting={waiting} />
        <RecordCard name={soul.name} />
        <DocumentsCard documents={listed.value.documents} />
      </>
    ),
  };
}

function recordAction(tokenId: number): CallAction {
  return {
    kind: "call",
    id: "record",
    label: "Record it",
    form: "record-form",
    confirm: null,
    request: { method: "POST", path: "/v1/chronicle", body: { tokenId } },
    done: "The chronicle {chronicleId} is recorded. The next batch anchors it on chain.",
  };
}

function documentAction(tokenId: number): DocumentAction {
  return { kind: "document", id: "document", form: "document-form", tokenId };
}

function WaitingCard({ waiting }: { waiting: readonly WaitingChronicle[] }) {
  return (
    <Card id="waiting" title={`Chronicles that wait for your signature: ${waiting.length}`}>
      {waiting.length === 0 ? (
        <p class="muted">The agent asks for none.</p>
      ) : (
        <DescriptionList>
          {waiting.map(({ id, category, changeType, description, expiresAt }) => (
            <DescriptionItem name={inWords(category)}>
              <a href={`/sign/${id}`}>Read and sign: {inWords(changeType)}</a>, until{" "}
              <DateTime at={expiresAt} />
              {description === null ? null : (
                <p>
                  <UntrustedText text={description} />
                </p>
              )}
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
    </Card>
  );
}

function RecordCard({ name }: { name: string }) {
  return (
    <Card id="recording" title="A new chronicle">
      <p>
        See <a href={`/agents/${name}`}>its history</a>. A change of the operator is under{" "}
        <a href="./passport">Passport</a>.
      </p>
      <PublishedForEver />
      <ActionArea id="record">
        <Choice
          name="category"
          label="Category"
          options={CHRONICLE_CATEGORIES.filter((one) => one !== "document").map((value) => ({
            value,
            label: inWords(value),
          }))}
        />
        <TextField name="data.title" label="Title" max={200} />
        <TextArea
          name="data.description"
          label="What happened"
          rows={4}
          max={2000}
          hint="Optional."
          reads="optional"
        />
        <TextField
          name="data.changeType"
          label="Kind of change"
          hint="Optional: lower case letters, digits and underscores, such as licence_granted."
          reads="optional"
        />
      </ActionArea>
    </Card>
  );
}

function DocumentsCard({ documents }: { documents: readonly SoulDocument[] }) {
  return (
    <Card id="documents" title={`Documents: ${documents.length}`}>
      {documents.length === 0 ? (
        <p class="muted">None yet: a manifesto, a policy, a manual.</p>
      ) : (
        <DescriptionList>
          {documents.map(({ id, title, version, archiveId }) => (
            <DescriptionItem name={id}>
              <UntrustedText text={title} />, version {version}
              {archiveId === null ? ": declared, and not uploaded yet" : null}
            </DescriptionItem>
          ))}
        </DescriptionList>
      )}
      <h3>Publish a document, or a new version</h3>
      <PublishedForEver />
      <ActionArea id="document">
        <TextField
          name="documentId"
          label="Id of the document"
          hint="Letters, digits, dots and hyphens. The same id makes a new version."
          max={128}
          reads="own"
        />
        <TextField name="documentTitle" label="Its title" max={200} reads="own" />
        <TextField
          name="documentType"
          label="Kind of document"
          value="manifesto"
          max={64}
          reads="own"
        />
        <FileField
          name="documentFile"
          label="File"
          hint="Markdown, text, JSON, YAML, CSV or PDF, at most 10 MiB. It is hashed in this page."
        />
      </ActionArea>
    </Card>
  );
}
