import type { z } from "@hono/zod-openapi";
import type { RequestAnswerSchema } from "../../../api/features/disclosure/index.ts";
import type {
  DisclosureExpiry,
  DisclosurePolicy,
  DisclosureRule,
  Field,
} from "../../../protocol/index.ts";
import type { ApprovalPageData } from "../../disclosure/page-data.ts";
import type { WalletSession } from "../lib/session-view.tsx";
import type { SoulState } from "./soul-state.ts";

export type DisclosureRequest = z.output<typeof RequestAnswerSchema>;

/** Everything that the owner decides with. */
export interface RequestContext {
  readonly page: ApprovalPageData;
  readonly session: WalletSession;
  readonly request: DisclosureRequest;
  readonly policy: DisclosurePolicy | null;
  /** The agent that is asked, as the owner's wallet reads it. */
  readonly soul: SoulState;
  /** Fields whose values everyone can have already. */
  readonly opened: ReadonlySet<Field>;
}

/** A field that the owner decides about, as the request has it. */
export interface PendingField {
  readonly field: Field;
  readonly mode: "p2p" | "api_relayed" | "either";
  readonly p2pAvailable: boolean;
}

/** How long a disclosure stands, in words. */
export const EXPIRY_WORDS: Readonly<Record<DisclosureExpiry, string>> = {
  "1h": "One hour",
  "1d": "One day",
  "7d": "Seven days",
  "30d": "30 days",
  never: "No end",
};

/** How values reach the requester. */
export type Way = "service" | "direct";

/** The ways in which all of these fields may be sent; none when they have no way in common. */
export function commonWays(fields: readonly PendingField[]): readonly Way[] {
  const ways: readonly [Way, (field: PendingField) => boolean][] = [
    ["service", ({ mode }) => mode !== "p2p"],
    ["direct", ({ p2pAvailable }) => p2pAvailable],
  ];
  return ways.filter(([, isWay]) => fields.every(isWay)).map(([way]) => way);
}

const CONDITIONS: Readonly<Record<DisclosureRule["condition"], string>> = {
  any: "any agent with a valid soul may ask",
  bound_agents: "only agents that this one is bound to may ask",
  specific_agents: "only agents on its list may ask",
  organization_members: "only members of the same organization may ask",
  regulatory: "only audits see it",
  never: "it is never disclosed",
};

function wayWords({ mode, p2pAvailable }: PendingField): string {
  if (mode === "p2p") return "It may only go to the requester directly.";
  if (mode === "api_relayed") return "It may only go through the service.";
  return p2pAvailable
    ? "It may go through the service, or to the requester directly."
    : "It goes through the service: the requester named no address of its own.";
}

/** What the policy says about a field, in words. */
export function policyWords(
  policy: DisclosurePolicy | null,
  asked: PendingField,
): { readonly text: string; readonly note: string | null } {
  const rule = policy?.rules.find(({ fields }) => fields.includes(asked.field));
  if (policy === null || rule === undefined) {
    const why = policy === null ? "There is no policy" : "The policy does not name this field";
    return { text: `${why}: you decide. ${wayWords(asked)}`, note: null };
  }
  const level =
    rule.condition === "bound_agents" ? `, at least ${rule.minTrustLevel ?? "limited"}` : "";
  return {
    text: `The policy “${policy.name}” says: ${CONDITIONS[rule.condition]}${level}. ${wayWords(asked)}`,
    note: rule.note ?? null,
  };
}
