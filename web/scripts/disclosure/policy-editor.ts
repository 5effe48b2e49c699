import type {
  DisclosureCondition,
  DisclosureMode,
  DisclosurePolicy,
  DisclosureRule,
  MinTrustLevel,
} from "../../../protocol/disclosure/index.ts";
import { FALLBACK_EXPIRY } from "../../../protocol/disclosure/index.ts";
import { FIELDS, type Field } from "../../../protocol/fields.ts";
import { postAs } from "../lib/api.ts";
import { actions, button, element, notice } from "../lib/dom.ts";
import { failureNotice } from "../lib/failures.ts";
import type { PageSession } from "../lib/session-view.ts";
import { EXPIRY_WORDS } from "./decisions.ts";

/** A policy as the service lists it. */
export interface ListedPolicy extends DisclosurePolicy {
  readonly policyId: string;
  readonly active: boolean;
}

interface PolicyEditorOptions {
  readonly tokenId: number;
  readonly session: PageSession;
  readonly policies: readonly ListedPolicy[];
}

/** What the form can say about a field: a condition, for bindings with its minimum. */
const CHOICES: Readonly<Record<string, string>> = {
  "": "Any agent may ask",
  bound_agents: "Agents that it is bound to",
  "bound_agents:verified": "Agents that it is bound to as verified",
  "bound_agents:trusted": "Agents that it is bound to as trusted",
  organization_members: "Members of its organization",
  specific_agents: "The agents listed below",
  regulatory: "Audits only",
  never: "No one, ever",
};

const MODES: Readonly<Record<DisclosureMode, string>> = {
  either: "Through the service, or directly",
  api_relayed: "Through the service only",
  p2p: "Directly to the requester only",
};

/** The active policy in words, and the form that replaces it. */
export function policyEditor({ tokenId, session, policies }: PolicyEditorOptions): HTMLElement[] {
  const active = policies.find((policy) => policy.active) ?? null;
  const name = textInput("policyName", active?.name ?? "My policy");
  const mode = choice("policyMode", MODES, active?.preferredMode ?? "either");
  const expiry = choice("policyExpiry", EXPIRY_WORDS, active?.defaultExpiry ?? FALLBACK_EXPIRY);
  const agents = element("textarea", { class: "control", rows: "3" });
  const listed = active?.rules.find(({ allowedDids }) => allowedDids !== undefined);
  agents.value = listed?.allowedDids?.join("\n") ?? "";
  const fields = FIELDS.map(
    (field) => [field, choice(field, CHOICES, choiceOf(active, field))] as const,
  );

  const problem = element("div", { "aria-live": "polite" });
  const save = async () => {
    const dids = agents.value.split(/\s+/).filter((did) => did !== "");
    const choices = fields.map(([field, { value }]) => [field, value] as const);
    const policy = {
      name: name.value.trim(),
      preferredMode: mode.value,
      defaultExpiry: expiry.value,
      rules: rulesOf(choices, dids),
    };
    try {
      await postAs(
        session.credential,
        "/v1/disclose/policy",
        { tokenId, policy },
        crypto.randomUUID(),
      );
    } catch (error) {
      // What was entered stays.
      problem.replaceChildren(failureNotice(error));
      return;
    }
    session.run(async () => {});
  };
  const form = element(
    "form",
    { method: "dialog", novalidate: true, submit: (event: Event) => event.preventDefault() },
    labelled("Name", name),
    labelled("Values are sent", mode),
    labelled("A disclosure stands for", expiry),
    ...fields.map(([field, select]) => labelled(field, select)),
    labelled("Agents on the list, one DID per line", agents),
    problem,
    actions(button(active === null ? "Set the policy" : "Replace the policy", () => void save())),
  );
  const content = hasSeveralLists(active)
    ? [notice("caution", "Replace it with the API", "Its rules list different agents.")]
    : [...lostParts(active), form];
  const change = element(
    "details",
    { class: "fold" },
    element("summary", {}, active === null ? "Set a policy" : "Change or replace it"),
    ...content,
  );
  if (active === null) {
    return [element("p", {}, "There is no policy: any agent may ask, and you decide."), change];
  }
  const end = () =>
    session.run(async () => {
      const path = `/v1/disclose/policy/${active.policyId}/deactivate`;
      await postAs(session.credential, path, { tokenId }, crypto.randomUUID());
    });
  return [summary(active), actions(button("Deactivate it", end, "button secondary")), change];
}

function summary({ name, rules }: ListedPolicy): HTMLElement {
  const words = rules.map((rule) => {
    const listed = rule.allowedDids?.join(", ");
    const who = listed ?? CHOICES[choiceKey(rule)] ?? "any agent may ask";
    return element("li", {}, `${rule.fields.join(", ")}: ${who}`);
  });
  return element(
    "div",
    {},
    element("p", {}, element("strong", {}, name), ". The first rule that names a field decides."),
    words.length === 0
      ? element("p", { class: "muted" }, "It has no rules: any agent may ask.")
      : element("ol", {}, ...words),
  );
}

function choiceKey({ condition, minTrustLevel = "limited" }: DisclosureRule): string {
  if (condition === "any") return "";
  const hasLevel = condition === "bound_agents" && minTrustLevel !== "limited";
  return hasLevel ? `${condition}:${minTrustLevel}` : condition;
}

function choiceOf(policy: DisclosurePolicy | null, field: Field): string {
  const rule = policy?.rules.find(({ fields }) => fields.includes(field));
  return rule === undefined ? "" : choiceKey(rule);
}

/** One rule for each choice, over all of its fields. */
function rulesOf(choices: readonly (readonly [Field, string])[], dids: readonly string[]) {
  const chosen = new Set(choices.map(([, key]) => key).filter((key) => key !== ""));
  return [...chosen].map((key) => {
    const [condition, minTrustLevel] = key.split(":") as [DisclosureCondition, MinTrustLevel?];
    return {
      fields: choices.filter(([, one]) => one === key).map(([field]) => field),
      condition,
      minTrustLevel,
      allowedDids: condition === "specific_agents" ? dids : undefined,
    };
  });
}

/** The form has one list of agents: joining several would let more agents ask. */
function hasSeveralLists(policy: DisclosurePolicy | null): boolean {
  const lists = policy?.rules.flatMap(({ allowedDids }) => allowedDids?.join() ?? []) ?? [];
  return new Set(lists).size > 1;
}

/** Says what of a policy the form cannot hold. */
function lostParts(policy: DisclosurePolicy | null): HTMLElement[] {
  const isLost = policy?.rules.some(({ mode, note }) => mode ?? note) ?? false;
  if (!isLost) return [];
  const why =
    "Some of its rules have a note or a way of sending of their own. Replacing it here drops them; the API keeps them.";
  return [notice("caution", "This form cannot hold all of the policy", why)];
}

function textInput(id: string, value: string): HTMLInputElement {
  return element("input", { class: "control", type: "text", id, value, maxlength: "64" });
}

function choice(
  id: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
): HTMLSelectElement {
  const select = element("select", { class: "control", id });
  for (const [value, label] of Object.entries(options)) {
    select.append(element("option", { value, selected: value === chosen }, label));
  }
  return select;
}

function labelled(label: string, control: HTMLElement): HTMLElement {
  if (control.id === "") control.id = "policyAgents";
  return element("div", { class: "field" }, element("label", { for: control.id }, label), control);
}
