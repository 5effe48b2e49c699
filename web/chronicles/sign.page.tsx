import { type Address, zeroAddress } from "viem";
import {
  type ChronicleService,
  queueIdOf,
  type RecordedChronicle,
} from "../../api/features/chronicles/chronicles.ts";
import { chronicleDraft } from "../../api/features/chronicles/content.ts";
import type {
  ChronicleRequest,
  ChronicleRequestService,
} from "../../api/features/chronicles/requests.ts";
import { ChronicleRequestId } from "../../api/features/chronicles/schemas.ts";
import type { TypedDataOf } from "../../api/operations/typed-data/typed-data.http.ts";
import { unsigned } from "../../api/operations/typed-data/unsigned-message.ts";
import { unlistedPage } from "../../api/platform/http/operations.ts";
import { idNumber } from "../../api/platform/http/schemas.ts";
import { type RecordEvolutionMessage, SIGNED_SENTENCES } from "../../protocol/index.ts";
import type { SignedWords } from "../owner/data.ts";
import { namingAgents, signedWords } from "../owner/words.ts";
import {
  Card,
  Code,
  DateTime,
  Facts,
  PublishedForEver,
  ScriptRoot,
  Transaction,
  UntrustedText,
} from "../ui/components.tsx";
import type { PageKit } from "../ui/kit.ts";
import type { Page } from "../ui/layout.tsx";
import { page } from "../ui/page.ts";
import { SignedMessage } from "../ui/signed-message.tsx";
import { inWords } from "../ui/text.ts";
import { JsonFacts } from "../ui/values.tsx";
import type { SignPageData } from "./page-data.ts";

interface SignPageDeps {
  readonly pages: PageKit;
  readonly clock: () => Date;
  readonly chronicleRequests: Pick<ChronicleRequestService, "open">;
  readonly chronicles: Pick<ChronicleService, "list">;
  readonly typedDataOf: TypedDataOf;
}

/** How far back the record of an answered request is looked for: an agent has at most a few a day. */
const RECENT = 100;

/** The page on which an owner signs what an agent asked for. */
export const showSignPage = page({
  operationId: "showSignPage",
  rules: unlistedPage,
  path: "/sign/{requestId}",
  params: { requestId: ChronicleRequestId },
  errors: ["NOT_FOUND", "GONE", "CHAIN_UNAVAILABLE"],
  async show({ requestId }, deps: SignPageDeps, kit) {
    const { request, message, owner } = await deps.chronicleRequests.open(requestId);
    return message === null || owner === null
      ? answeredPage(kit, request, await recordOf(deps, request))
      : await pendingPage(deps, request, message, owner);
  },
});

async function recordOf(
  { chronicles }: SignPageDeps,
  request: ChronicleRequest,
): Promise<RecordedChronicle | undefined> {
  const page = { limit: RECENT, offset: 0 };
  const recent = await chronicles.list(request.tokenId, { category: request.category }, page);
  return recent.chronicles.find(({ evidence }) => evidence?.message.nonce === request.nonce);
}

const DATA_NAMES: Readonly<Record<string, string>> = {
  changeType: "What happened",
  subtype: "What happened",
  merkleLeaves: "Hashes of the twelve fields",
  operator: "Operator",
  newOperator: "Operator",
};

async function pendingPage(
  { pages, typedDataOf, clock }: SignPageDeps,
  request: ChronicleRequest,
  message: RecordEvolutionMessage,
  owner: Address,
): Promise<Page> {
  const { agentName, category, changeType, data, description, expiresAt } = request;
  const typedData = await typedDataOf(unsigned("SoulRegistry", "RecordEvolution", message));
  const script: SignPageData = {
    requestId: request.id,
    tokenId: idNumber(request.tokenId),
    agentName,
    category,
    data,
    owner,
    typedData,
    network: pages.network,
  };
  return {
    title: `Sign for ${agentName}`,
    script: "sign",
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">A request for your signature</p>
          <h1>{headline(request)}</h1>
          <p class="lead">{consequence(request)}</p>
        </div>
        {description === null ? null : (
          <figure class="quote">
            <figcaption>In the agent's own words, which are not verified:</figcaption>
            <blockquote>
              <UntrustedText text={description} />
            </blockquote>
          </figure>
        )}
        <Card id="record" title="What would be recorded">
          <Facts
            of={{
              Agent: [
                <a href={`/agents/${agentName}`}>{agentName}</a>,
                `, certificate ${request.tokenId}`,
              ],
              Category: inWords(category),
              "Kind of change": inWords(changeType),
              "Asked on": <DateTime at={request.createdAt} />,
              "Can be signed until": [
                <DateTime at={expiresAt} />,
                ` (${remaining(expiresAt, clock())})`,
              ],
            }}
          />
          <h3>Its content</h3>
          <JsonFacts value={contentOf(data)} named={DATA_NAMES} />
          <PublishedForEver />
        </Card>
        <Card id="exact" title="Exactly what you sign">
          <p>
            <strong>{SIGNED_SENTENCES.SoulRegistry.RecordEvolution}</strong> Your wallet shows this
            sentence, or the heading <Code>RecordEvolution</Code>, with the same values. Nothing
            else is signed: no payment, no permission to move anything. The service pays the
            network's fees.
          </p>
          <SignedMessage typedData={typedData} words={wordsFor(request)} heading="h3" />
        </Card>
        <Card id="sign" title="Sign with your wallet">
          <p>
            Only the agent's owner can sign this: <Code>{owner}</Code>
          </p>
          <ScriptRoot script="sign" data={script} />
        </Card>
      </div>
    ),
  };
}

/** How the page describes the message. */
function wordsFor({ tokenId, agentName, changeType }: ChronicleRequest): SignedWords {
  const words = namingAgents(signedWords({ SoulRegistry: ["RecordEvolution"] }), {
    tokenId,
    name: agentName,
  });
  const { dataHash } = words.fields;
  if (changeType !== "operator_change" || dataHash === undefined) return words;
  const note = "the hash of the new operator's address";
  return { ...words, fields: { ...words.fields, dataHash: { ...dataHash, note } } };
}

function answeredPage(
  kit: PageKit,
  { agentName }: ChronicleRequest,
  record: RecordedChronicle | undefined,
): Page {
  return {
    title: `Signed for ${agentName}`,
    body: (
      <div class="stack">
        <div>
          <p class="eyebrow">A request for your signature</p>
          <h1>This has been signed already</h1>
          <p class="lead">It is part of the history of {agentName}. There is nothing left to do.</p>
        </div>
        <Card id="record" title="The record">
          {record === undefined ? null : (
            <Facts
              of={{
                "What happened": inWords(record.changeType),
                "Recorded on": <DateTime at={record.recordedAt} />,
                State: STATES[record.status],
                Transaction:
                  record.txHash === null ? null : <Transaction kit={kit} hash={record.txHash} />,
              }}
            />
          )}
          <div class="actions">
            {record === undefined ? null : (
              <a class="button secondary" href={`/proofs/chronicles/${queueIdOf(record)}`}>
                See the proof
              </a>
            )}
            <a class="button secondary" href={`/agents/${agentName}`}>
              To {agentName}
            </a>
          </div>
        </Card>
      </div>
    ),
  };
}

const STATES: Readonly<Record<RecordedChronicle["status"], string>> = {
  queued: "Waiting for the next hourly batch",
  batched: "On chain, not yet deep enough to be certain",
  confirmed: "Confirmed on chain",
};

function headline({ agentName, changeType }: ChronicleRequest): string {
  if (changeType === "soul_revision") return `${agentName} asks you to renew its soul`;
  if (changeType === "operator_change") return `${agentName} asks for another operator`;
  return `${agentName} asks you to sign a record`;
}

/** What signing does beside adding a record. */
function consequence(request: ChronicleRequest) {
  const { effect } = chronicleDraft(request);
  if (effect.kind === "soul_revision") {
    return (
      <>
        With your signature the sealed soul is replaced by a new one, at once. What the agent could
        prove about its old soul no longer counts as true.
      </>
    );
  }
  if (effect.kind === "operator_change") {
    const { operator } = effect;
    if (operator === null || operator === zeroAddress) {
      return <>With your signature only you act for the agent, at once.</>;
    }
    return (
      <>
        With your signature <Code>{operator}</Code> may act for the agent, at once, and spend what
        you allow it.
      </>
    );
  }
  return <>With your signature the record below joins its history. It changes nothing else.</>;
}

/** The data without what the page says elsewhere. */
function contentOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(data).filter(([key]) => key !== "changeType" && key !== "subtype"),
  );
}

function remaining(end: Date, now: Date): string {
  const minutes = Math.max(0, Math.round((end.getTime() - now.getTime()) / 60_000));
  if (minutes < 2) return "about a minute left";
  if (minutes < 120) return `${minutes} minutes left`;
  return `${Math.round(minutes / 60)} hours left`;
}
