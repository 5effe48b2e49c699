import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type {
  DisclosureCondition,
  DisclosureMode,
  DisclosurePolicy,
  DisclosureRule,
  MinTrustLevel,
} from "../../../protocol/disclosure/index.ts";
import { FALLBACK_EXPIRY } from "../../../protocol/disclosure/index.ts";
import { FIELDS, type Field } from "../../../protocol/fields.ts";
import { Choice, TextArea, TextField } from "../../ui/fields.tsx";
import { postOnce } from "../lib/api.ts";
import { actions, button, byId, notice } from "../lib/dom.tsx";
import { failureNotice } from "../lib/failures.tsx";
import { fieldOf } from "../lib/form-values.ts";
import type { PageSession } from "../lib/session-view.tsx";
import { EXPIRY_WORDS } from "./decisions.ts";

/** A policy as the service lists it. */
export interface ListedPolicy extends DisclosurePolicy {
  readonly policyId: string;
  readonly active: boolean;
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

const FORM_ID = "policy-form";
const PROBLEM_ID = "policy-problem";

/** The active policy in words, and the form that replaces it. */
export function policyEditor(
  tokenId: number,
  session: PageSession,
  policies: readonly ListedPolicy[],
): Child {
  const active = policies.find((policy) => policy.active) ?? null;
  const change = (
    <details class="fold">
      <summary>{active === null ? "Set a policy" : "Change or replace it"}</summary>
      {hasSeveralLists(active)
        ? notice("caution", "Replace it with the API", "Its rules list different agents.")
        : [lostParts(active), policyForm(active, () => save(tokenId, session))]}
    </details>
  );
  if (active === null) {
    return [<p>There is no policy: any agent may ask, and you decide.</p>, change];
  }
  const path = `/v1/disclose/policy/${active.policyId}/deactivate`;
  const end = () => session.run(() => postOnce(session.credential, path, { tokenId }));
  return [summary(active), actions(button("Deactivate it", end, "button secondary")), change];
}

function policyForm(active: ListedPolicy | null, onSave: () => Promise<void>): Child {
  const listed = active?.rules.find(({ allowedDids }) => allowedDids !== undefined);
  return (
    <form id={FORM_ID} method="dialog" novalidate onSubmit={(event) => event.preventDefault()}>
      <TextField name="policyName" label="Name" value={active?.name ?? "My policy"} limit={64} />
      <Choice
        name="policyMode"
        label="Values are sent"
        options={optionsOf(MODES)}
        value={active?.preferredMode ?? "either"}
      />
      <Choice
        name="policyExpiry"
        label="A disclosure stands for"
        options={optionsOf(EXPIRY_WORDS)}
        value={active?.defaultExpiry ?? FALLBACK_EXPIRY}
      />
      {FIELDS.map((field) => (
        <Choice
          name={field}
          label={field}
          options={optionsOf(CHOICES)}
          value={choiceOf(active, field)}
        />
      ))}
      <TextArea
        name="policyAgents"
        label="Agents on the list, one DID per line"
        rows={3}
        value={listed?.allowedDids?.join("\n") ?? ""}
      />
      <div id={PROBLEM_ID} aria-live="polite" />
      {actions(button(active === null ? "Set the policy" : "Replace the policy", onSave))}
    </form>
  );
}

async function save(tokenId: number, { credential, run }: PageSession): Promise<void> {
  const form = byId(FORM_ID) as HTMLFormElement;
  const textOf = (name: string) => fieldOf(form, name).value;
  const dids = textOf("policyAgents")
    .split(/\s+/)
    .filter((did) => did !== "");
  const policy = {
    name: textOf("policyName").trim(),
    preferredMode: textOf("policyMode"),
    defaultExpiry: textOf("policyExpiry"),
    rules: rulesOf(
      FIELDS.map((field) => [field, textOf(field)] as const),
      dids,
    ),
  };
  try {
    await postOnce(credential, "/v1/disclose/policy", { tokenId, policy });
  } catch (error) {
    // What was entered stays.
    render(failureNotice(error), byId(PROBLEM_ID));
    return;
  }
  run(async () => {});
}

function summary({ name, rules }: ListedPolicy): Child {
  const words = rules.map((rule) => {
    const who = rule.allowedDids?.join(", ") ?? CHOICES[choiceKey(rule)] ?? "any agent may ask";
    return <li>{`${rule.fields.join(", ")}: ${who}`}</li>;
  });
  return (
    <div>
      <p>
        <strong>{name}</strong>. The first rule that names a field decides.
      </p>
      {words.length === 0 ? (
        <p class="muted">It has no rules: any agent may ask.</p>
      ) : (
        <ol>{words}</ol>
      )}
    </div>
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
function lostParts(policy: DisclosurePolicy | null): Child {
  const isLost = policy?.rules.some(({ mode, note }) => mode ?? note) ?? false;
  if (!isLost) return null;
  const why =
    "Some of its rules have a note or a way of sending of their own. Replacing it here drops them; the API keeps them.";
  return notice("caution", "This form cannot hold all of the policy", why);
}

function optionsOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}
