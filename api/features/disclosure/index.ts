// What other features and pages may use of this one.

export type { ApprovalPageData, VerificationPageData } from "./pages/page-data.ts";
export type {
  ConfirmedAnswer,
  FulfilledAnswer,
  RequestAnswerSchema,
  WaitingRequestsAnswer,
} from "./requests/schemas.ts";
