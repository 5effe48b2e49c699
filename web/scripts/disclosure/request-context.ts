import type { z } from "@hono/zod-openapi";
import type { RequestAnswerSchema } from "../../../api/features/disclosure/index.ts";
import type { DisclosurePolicy, Field } from "../../../protocol/index.ts";
import type { ApprovalPageData } from "../../disclosure/page-data.ts";
import type { WalletSession } from "../lib/session-view.ts";
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
