import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import {
  DISCLOSURE_EXPIRIES,
  type DisclosureExpiry,
  FALLBACK_EXPIRY,
  type Field,
} from "../../../protocol/index.ts";
import { Card, Code } from "../../ui/components.tsx";
import { Choice } from "../../ui/fields.tsx";
import { actions, button, byId, notice } from "../lib/dom.tsx";
import {
  commonWays,
  type DisclosureRequest,
  EXPIRY_WORDS,
  type RequestContext,
  type Way,
} from "./decisions.ts";
import { fileForm } from "./file-form.tsx";
import { drawLeaves, LeavesCard } from "./leaf-list.tsx";
import { sendAnswer } from "./send-answer.tsx";
import { type ChosenSoul, type KnownSoul, knownSoul, SoulFileProblem } from "./soul-files.ts";
import { wayChoice } from "./way-choice.tsx";

/** An answer as far as the owner has decided it. */
interface Answering {
  readonly context: RequestContext;
  readonly isSettled: boolean;
  readonly decided: Map<Field, boolean>;
  readonly ways: ReturnType<typeof wayChoice>;
  known: KnownSoul | null;
  /** Counts the files that were chosen: hashing an earlier one may end later. */
  turn: number;
}

/** What is on the page: an account that was left may have its file hashed, or its answer sent, still. */
let shownAnswering: Answering | null = null;

/** The owner's file, the decision about each field, and the answer, in `area` below what it shows already. */
export function showAnswerCards(area: HTMLElement, before: Child, context: RequestContext): void {
  const { request, policy } = context;
  const isSettled = request.answer !== null;
  const answering: Answering = {
    context,
    isSettled,
    // Values that did not arrive are sent again as they were decided.
    decided: new Map(settledDecisions(request)),
    ways: wayChoice("answer-ways", wayWords(request)),
    known: null,
    turn: 0,
  };
  shownAnswering = answering;
  const expiries = DISCLOSURE_EXPIRIES.map((value) => ({ value, label: EXPIRY_WORDS[value] }));
  const label = isSettled ? "Send the values again" : "Answer the request";
  render(
    [
      before,
      <Card title="Your file">
        {fileForm((chosen) => void readFile(answering, chosen))}
        <div id="answer-read" class="stack follow-up" aria-live="polite" />
      </Card>,
      <LeavesCard />,
      <Card title="Your answer">
        <div id="answer-terms" class="stack">
          <Choice
            name="expiresIn"
            label="What you show stands for"
            options={expiries}
            value={policy?.defaultExpiry ?? FALLBACK_EXPIRY}
            hint="What was seen cannot be taken back, then or now."
          />
          <fieldset class="choices" id="answer-ways" />
          <p class="muted">Your answer ends the request: what you do not show is denied.</p>
          {actions(button(label, () => submit(answering)))}
        </div>
        <div id="answer-outcome" class="stack follow-up" tabindex={-1} />
      </Card>,
    ],
    area,
  );
  take(answering, null);
}

function approved({ context, decided }: Answering) {
  return context.request.pending.filter(({ field }) => decided.get(field) === true);
}

function offerWays(answering: Answering): void {
  const fields = approved(answering);
  const { ways, isSettled } = answering;
  ways.offer(isSettled ? ["service"] : commonWays(fields), fields.length > 0);
  byId("answer-outcome").replaceChildren();
}

function take(answering: Answering, known: KnownSoul | null): void {
  const { context, decided, isSettled } = answering;
  const { opened, policy, request } = context;
  answering.known = known;
  if (known === null && !isSettled) {
    for (const { field } of approved(answering)) decided.delete(field);
  }
  const onDecide = () => offerWays(answering);
  const leaves = { pending: request.pending, opened, policy, decided, isSettled, onDecide };
  drawLeaves(leaves, known?.ccsf ?? null);
  offerWays(answering);
}

async function readFile(answering: Answering, chosen: ChosenSoul): Promise<void> {
  answering.turn += 1;
  const now = answering.turn;
  const { page, soul } = answering.context;
  const read = byId("answer-read");
  take(answering, null);
  render(<p class="muted">Your file is being hashed…</p>, read);
  const { agentName: name, agentType } = page;
  const defaults = { name, agent_type: agentType, ...chosen.defaults };
  try {
    const found = await knownSoul({ ...chosen, defaults }, soul);
    if (now !== answering.turn || answering !== shownAnswering) return;
    const root = (
      <p>
        Root <Code>{soul.merkleRoot}</Code> in block {String(soul.block)}.
      </p>
    );
    render(notice("good", "This is the soul on chain", root), read);
    take(answering, found);
  } catch (error) {
    if (now !== answering.turn || answering !== shownAnswering) return;
    const problem =
      error instanceof SoulFileProblem
        ? notice("bad", error.title, error.message)
        : notice("bad", "The file could not be read", "Choose it again.");
    render(problem, read);
  }
}

function submit(answering: Answering): void {
  const { context, known, ways } = answering;
  const { pending } = context.request;
  const outcome = byId("answer-outcome");
  const problem = missing(answering);
  if (problem !== null) {
    render(problem, outcome);
    return;
  }
  const shown = approved(answering).map(({ field }) => field);
  const expiry = byId("expiresIn") as HTMLSelectElement;
  lock(true);
  sendAnswer(outcome, {
    ...context,
    known,
    shown,
    denied: pending.map(({ field }) => field).filter((field) => !shown.includes(field)),
    expiresIn: expiry.value as DisclosureExpiry,
    // An answer that shows nothing holds no value.
    way: shown.length === 0 ? "service" : (ways.chosen() ?? "service"),
    onAnswered: () => {
      if (answering === shownAnswering) byId("answer-terms").remove();
    },
    onChange: () => {
      if (answering === shownAnswering) lock(false);
      outcome.replaceChildren();
    },
  });
}

/** While an answer is sent, and after it, nothing can be changed. */
function lock(isLocked: boolean): void {
  const card = byId("leaves").closest("section");
  const form = byId("soulFiles").closest("form");
  for (const part of [form, card, byId("answer-terms")]) part?.toggleAttribute("inert", isLocked);
}

function settledDecisions({ answer }: DisclosureRequest): (readonly [Field, boolean])[] {
  if (answer === null) return [];
  const { fulfilledFields, denied } = answer;
  return [
    ...fulfilledFields.map((field) => [field, true] as const),
    ...denied.map((field) => [field, false] as const),
  ];
}

/** What the owner has to decide first; null when the answer can be sent. */
function missing(answering: Answering): Child {
  const { context, decided, known, ways } = answering;
  const open = context.request.pending
    .map(({ field }) => field)
    .filter((field) => !decided.has(field));
  if (open.length > 0) {
    return notice("caution", "Decide about every field", `Still open: ${open.join(", ")}.`);
  }
  if (approved(answering).length === 0) return null;
  if (known === null) return notice("caution", "Choose your file first", "It holds the values.");
  if (ways.chosen() !== null) return null;
  return notice("caution", "Choose fields that can be sent in one way", "Keep one of them closed.");
}

function wayWords(request: DisclosureRequest): Readonly<Record<Way, string>> {
  const { disclosureEndpoint, disclosurePublicKey, requester } = request;
  const protection =
    disclosurePublicKey === null
      ? "not encrypted beyond the connection"
      : "encrypted to the requester's key";
  return {
    service: `Through the service, to the webhooks of ${requester.agentName}. The service checks the values and stores none.`,
    direct: `Directly from your browser to ${disclosureEndpoint}, ${protection}. The service sees no value, if endpoint and key are the requester's: you have both from the service.`,
  };
}
