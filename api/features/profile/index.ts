// What other features and pages may use of this one.

export type {
  AgentFilter,
  AgentList,
  AgentOrder,
  AgentPage,
  ExploredAgent,
  ListedAgent,
  Resemblances,
  ResembledSoul,
} from "./agents.ts";
export { ALL_AGENT_ORDERS } from "./agents.ts";
export type { AgentDetails, DetailsIndex, PublicIdentityRecord, SoulDetails } from "./details.ts";
export { DEFAULT_DISPLAY } from "./display.ts";
export { DuplicateOfSchema, duplicateOfBody } from "./duplicate-of.schemas.ts";
export type { AgentProfile, ProfileService } from "./profile.ts";
export { publicIdentity } from "./tables.ts";
