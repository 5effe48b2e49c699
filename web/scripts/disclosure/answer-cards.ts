import {
  DISCLOSURE_EXPIRIES,
  type DisclosureExpiry,
  FALLBACK_EXPIRY,
  type Field,
} from "../../../protocol/index.ts";
import { actions, button, card, code, element, notice } from "../lib/dom.ts";
import { commonWays, EXPIRY_WORDS, type Way } from "./decisions.ts";
import { fileForm } from "./file-form.ts";
import { leafList } from "./leaf-list.ts";
import type { DisclosureRequest, RequestContext } from "./request-context.ts";
import { sendAnswer } from "./send-answer.ts";
import { type ChosenSoul, type KnownSoul, knownSoul, SoulFileProblem } from "./soul-files.ts";
import { wayChoice } from "./way-choice.ts";

/** The owner's file, the decision about each field, and the answer. */
export function answerCards(context: RequestContext): HTMLElement[] {
  const { page, request, soul, policy, opened } = context;
  const { pending, answer: settled } = request;
  // Values that did not arrive are sent again as they were decided.
  const decided = new Map<Field, boolean>(settledDecisions(request));
  const approved = () => pending.filter(({ field }) => decided.get(field) === true);

  const read = element("div", { class: "stack follow-up", "aria-live": "polite" });
  const outcome = element("div", { class: "stack follow-up", tabindex: "-1" });
  const ways = wayChoice(wayWords(request));
  const expiry = expiryChoice(policy?.defaultExpiry ?? FALLBACK_EXPIRY);
  const isSettled = settled !== null;
  const leaves = leafList({ pending, opened, policy, decided, isSettled, onDecide: offerWays });
  let known: KnownSoul | null = null;
  /** Counts the files that were chosen: hashing an earlier one may end later. */
  let turn = 0;

  function offerWays(): void {
    const fields = approved();
    ways.offer(isSettled ? ["service"] : commonWays(fields), fields.length > 0);
    outcome.replaceChildren();
  }

  function take(soulOfFile: KnownSoul | null): void {
    known = soulOfFile;
    if (known === null && !isSettled) {
      for (const { field } of approved()) decided.delete(field);
    }
    leaves.draw(known?.ccsf ?? null);
    offerWays();
  }

  async function readFile(chosen: ChosenSoul): Promise<void> {
    turn += 1;
    const now = turn;
    take(null);
    read.replaceChildren(element("p", { class: "muted" }, "Your file is being hashed…"));
    const { agentName: name, agentType } = page;
    const defaults = { name, agent_type: agentType, ...chosen.defaults };
    try {
      const found = await knownSoul({ ...chosen, defaults }, soul);
      if (now !== turn) return;
      const root = element("p", {}, "Root ", code(soul.merkleRoot), ` in block ${soul.block}.`);
      read.replaceChildren(notice("good", "This is the soul on chain", root));
      take(found);
    } catch (error) {
      if (now !== turn) return;
      read.replaceChildren(
        error instanceof SoulFileProblem
          ? notice("bad", error.title, error.message)
          : notice("bad", "The file could not be read", "Choose it again."),
      );
    }
  }

  function submit(): void {
    const problem = undecided(request, decided) ?? missing();
    if (problem !== null) {
      outcome.replaceChildren(problem);
      return;
    }
    const shown = approved().map(({ field }) => field);
    lock(true);
    sendAnswer(outcome, {
      ...context,
      known,
      shown,
      denied: pending.map(({ field }) => field).filter((field) => !shown.includes(field)),
      expiresIn: expiry.value as DisclosureExpiry,
      // An answer that shows nothing holds no value.
      way: shown.length === 0 ? "service" : (ways.chosen() ?? "service"),
      onAnswered: () => terms.remove(),
      onChange: () => {
        lock(false);
        outcome.replaceChildren();
      },
    });
  }

  function missing(): HTMLElement | null {
    if (approved().length === 0) return null;
    if (known === null) return notice("caution", "Choose your file first", "It holds the values.");
    if (ways.chosen() !== null) return null;
    return notice(
      "caution",
      "Choose fields that can be sent in one way",
      "Keep one of them closed.",
    );
  }

  const terms = element("div", { class: "stack" });
  terms.append(
    element(
      "div",
      { class: "field" },
      element("label", { for: "expiresIn" }, "What you show stands for"),
      expiry,
      element("p", { class: "hint" }, "What was seen cannot be taken back, then or now."),
    ),
    ways.area,
    element(
      "p",
      { class: "muted" },
      "Your answer ends the request: what you do not show is denied.",
    ),
    actions(button(isSettled ? "Send the values again" : "Answer the request", submit)),
  );
  const form = fileForm((chosen) => void readFile(chosen));
  const fileCard = card("Your file", form, read);
  const leavesCard = card("What would be shown", ...leaves.parts);
  take(null);
  return [fileCard, leavesCard, card("Your answer", terms, outcome)];

  /** While an answer is sent, and after it, nothing can be changed. */
  function lock(isLocked: boolean): void {
    for (const part of [form, leavesCard, terms]) part.toggleAttribute("inert", isLocked);
  }
}

function settledDecisions({ answer }: DisclosureRequest): (readonly [Field, boolean])[] {
  if (answer === null) return [];
  const { fulfilledFields, denied } = answer;
  return [
    ...fulfilledFields.map((field) => [field, true] as const),
    ...denied.map((field) => [field, false] as const),
  ];
}

function undecided(
  { pending }: DisclosureRequest,
  decided: ReadonlyMap<Field, boolean>,
): HTMLElement | null {
  const open = pending.map(({ field }) => field).filter((field) => !decided.has(field));
  if (open.length === 0) return null;
  return notice("caution", "Decide about every field", `Still open: ${open.join(", ")}.`);
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

function expiryChoice(preferred: DisclosureExpiry): HTMLSelectElement {
  const select = element("select", { class: "control", id: "expiresIn" });
  for (const one of DISCLOSURE_EXPIRIES) {
    select.append(
      element("option", { value: one, selected: one === preferred }, EXPIRY_WORDS[one]),
    );
  }
  return select;
}
