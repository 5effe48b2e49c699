import { hexToBytes, toFunctionSelector } from "viem";
import type {
  FileDeps,
  MetadataUpdates,
  OwnerTransaction,
} from "../../../api/features/passports/index.ts";
import { metadataLeft } from "../../../api/features/passports/index.ts";
import { agentWalletBody } from "../../../api/features/registration/index.ts";
import { idNumber } from "../../../api/platform/http/schemas.ts";
import type { OwnedSoul } from "../../../api/soul/chain-soul.ts";
import { ActionArea } from "../../owner/components.tsx";
import type { OwnerAction, SentAction, SignedAction } from "../../owner/data.ts";
import { onlyOwner } from "../../owner/signers.ts";
import { Card, Code, DescriptionItem, DescriptionList } from "../../ui/components.tsx";
import { Choice, TextArea, TextField } from "../../ui/fields.tsx";
import type { Section, SectionContext } from "../sections.page.ts";
import { signedByOwner } from "../signed.page.ts";

/** The agent's passport: its file, what is written on it, and who acts for the agent. */
export async function passportSection(
  {
    passportFiles,
  }: {
    readonly passportFiles: Pick<FileDeps, "passports" | "context">;
  },
  { soul, tokenId }: SectionContext,
): Promise<Section> {
  const left: MetadataUpdates =
    soul.status === "SEALED"
      ? await metadataLeft(passportFiles, soul.passportId, {
          tokenId: soul.tokenId,
          soulHash: soul.soulHash,
          archiveId: archiveIdOf(soul),
          status: "SEALED",
        })
      : { pendingMetadata: [], approvalTransaction: null };
  const writes = pendingActions(soul, left);
  const isUnsealed = soul.status === "PROVISIONAL";
  return {
    lead: "The passport of the agent: its public file, what is written on it, and who operates the agent.",
    asksWallet: true,
    actions: [
      ...(isUnsealed ? [sealAction(soul, tokenId)] : []),
      ...writes,
      fileAction(soul, tokenId),
      uriAction(soul),
      operatorAction(soul, tokenId),
      ...walletActions(soul, passportFiles.context),
    ],
    body: (
      <>
        {isUnsealed ? <SealCard /> : <MetadataCard left={left} writes={writes} />}
        <FileCard name={soul.name} />
        <OperatorCard operator={soul.operator} />
        <AgentWalletCard />
      </>
    ),
  };
}

/** As metadata names it; null when the registry keeps none. */
function archiveIdOf({ archiveId }: OwnedSoul): string | null {
  const bytes = hexToBytes(archiveId);
  return bytes.every((byte) => byte === 0) ? null : Buffer.from(bytes).toString("base64url");
}

/** The transactions that write what the passport lacks. */
function pendingActions(soul: OwnedSoul, left: MetadataUpdates): SentAction[] {
  const send = (id: string, label: string, { to, data }: OwnerTransaction): SentAction => ({
    kind: "send",
    id,
    signers: onlyOwner(soul),
    label,
    to,
    data,
    done: "Load the page again once it is confirmed.",
  });
  const { approvalTransaction, pendingMetadata } = left;
  const transactions = new Map(
    pendingMetadata.map(({ transaction }) => [transaction.data, transaction]),
  );
  return [
    ...(approvalTransaction === null
      ? []
      : [send("approve", "Approve the passport writer", approvalTransaction)]),
    ...[...transactions.values()].map((transaction, index) =>
      send(`write-${index}`, "Write to the passport", transaction),
    ),
  ];
}

function sealAction(soul: OwnedSoul, tokenId: number): SignedAction {
  return signedByOwner(soul, {
    id: "seal",
    form: null,
    labels: {
      start: "Review the seal",
      sign: "Sign and seal it",
      send: "Send the transaction",
    },
    request: {
      typedData: "seal",
      method: "POST",
      path: "/v1/seal",
      body: { tokenId },
    },
    done: {
      title: "The soul is sealed",
      text: "The agent is valid from now on.",
      links: [{ href: `/agents/${soul.name}`, label: `To ${soul.name}` }],
    },
  });
}

function fileAction(soul: OwnedSoul, tokenId: number): SignedAction {
  return signedByOwner(soul, {
    id: "file",
    labels: { start: "Review the change", sign: "Sign and change it", send: "Write the new file" },
    request: {
      typedData: "registration-file",
      method: "PUT",
      path: `/v1/registration-file/${tokenId}`,
      body: { tokenId },
    },
    done: {
      title: "The passport points at the new file",
      text: null,
      links: [{ href: `/v1/registration-file/${soul.name}`, label: "See the file" }],
    },
  });
}

function uriAction(soul: OwnedSoul): SignedAction {
  return signedByOwner(soul, {
    id: "uri",
    labels: { start: "Review the change", sign: "Sign and write it", send: "Write the new file" },
    request: {
      typedData: "agent-uri-update",
      method: "POST",
      path: "/v1/agent-uri/update",
      body: { erc8004AgentId: idNumber(soul.passportId) },
    },
    progress: "The service stores the file. This takes a moment.",
    done: {
      title: "The new file is stored",
      text: "The passport points at it once your wallet has sent the transaction below.",
      links: [],
    },
  });
}

function operatorAction(soul: OwnedSoul, tokenId: number): SignedAction {
  return signedByOwner(soul, {
    id: "operator",
    labels: {
      start: "Review the change",
      sign: "Sign and change it",
      send: "Change the operator",
    },
    request: {
      typedData: "chronicle",
      method: "POST",
      path: "/v1/chronicle",
      body: { tokenId, category: "operator_change" },
    },
    done: {
      title: "The agent has a new operator",
      text: "The change is on chain, and in the agent's history.",
      links: [{ href: `/agents/${soul.name}`, label: `To ${soul.name}` }],
    },
  });
}

function walletActions(
  soul: OwnedSoul,
  context: {
    readonly passportFiles: Pick<FileDeps, "passports" | "context">;
  }["passportFiles"]["context"],
): OwnerAction[] {
  const { owner, passportId } = soul;
  // The script sets the deadline when the owner signs.
  const consent = { agentId: passportId, newWallet: owner, owner, deadline: 0n };
  const asked = agentWalletBody(context, consent);
  if (asked === null) return [];
  return [
    {
      kind: "agent-wallet",
      id: "agent-wallet",
      signers: onlyOwner(soul),
      passportId: idNumber(passportId),
      typedData: asked.typedData,
      to: context.identityRegistry,
      selector: toFunctionSelector(asked.transaction.functionName),
    },
  ];
}

function SealCard() {
  return (
    <Card id="sealing" title="Seal the soul">
      <p>
        The soul is registered and not sealed yet. The seal makes the agent valid. It seals the soul
        as it was registered.
      </p>
      <ActionArea id="seal" />
    </Card>
  );
}

function MetadataCard({
  left: { pendingMetadata, approvalTransaction },
  writes,
}: {
  left: MetadataUpdates;
  writes: readonly SentAction[];
}) {
  return (
    <Card id="metadata" title="What the passport says of the soul">
      {pendingMetadata.length === 0 ? (
        <p>The passport names the soul as it is now. There is nothing to write.</p>
      ) : (
        <>
          <p>
            The passport lacks {pendingMetadata.map(({ key }) => key).join(", ")}. Your wallet sends
            what writes it, and pays a small fee.
          </p>
          {approvalTransaction === null ? null : (
            <p>
              First approve the passport writer. It writes what you sign, and cannot move the
              passport.
            </p>
          )}
          {writes.map(({ id }) => (
            <ActionArea id={id} />
          ))}
        </>
      )}
    </Card>
  );
}

const X402 = [
  { value: "", label: "Leave it" },
  { value: "true", label: "Takes payments over x402" },
  { value: "false", label: "Takes none" },
];

function FileCard({ name }: { name: string }) {
  return (
    <Card id="file-card" title="Registration file">
      <p>
        The public file of the passport: <a href={`/v1/registration-file/${name}`}>see it</a>. What
        you do not change stays.
      </p>
      <ActionArea id="file">
        <TextArea
          name="services"
          label="Endpoints to add or replace"
          rows={3}
          hint="One per line, the name first: MCP https://agent.example/mcp"
          reads="services"
        />
        <TextArea
          name="removeServices"
          label="Endpoints to remove"
          rows={2}
          hint="Their names, one a line."
          reads="lines"
        />
        <Choice name="x402Support" label="x402" options={X402} reads="optional-json" />
      </ActionArea>
      <h3>Description and picture, by a transaction of your own</h3>
      <p>
        Needs no approval of the passport writer: you sign the new file, and your wallet points the
        passport at it.
      </p>
      <ActionArea id="uri">
        <TextArea
          name="description"
          label="Description"
          rows={3}
          max={2000}
          hint="Leave it empty to keep it."
          reads="optional"
        />
        <TextField
          name="imageUrl"
          label="Address of its picture"
          hint="https, ipfs or ar. Leave it empty to keep it."
          reads="optional"
        />
      </ActionArea>
    </Card>
  );
}

function OperatorCard({ operator }: { operator: string | null }) {
  return (
    <Card id="operating" title="Operator">
      <DescriptionList>
        <DescriptionItem name="Acts for the agent">
          {operator === null ? "you, its owner" : <Code>{operator}</Code>}
        </DescriptionItem>
      </DescriptionList>
      <ActionArea id="operator">
        <TextField
          name="data.operator"
          label="The new operator"
          hint="The address of an account on this chain."
        />
      </ActionArea>
    </Card>
  );
}

function AgentWalletCard() {
  return (
    <Card id="paying" title="Agent's wallet">
      <p>
        The account that receives the agent's payments. A new owner's passport names none. You sign
        once, and your wallet sends one transaction.
      </p>
      <ActionArea id="agent-wallet" />
    </Card>
  );
}
