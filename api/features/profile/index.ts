// What other features and pages may use of this one.

export type { Resemblances, ResembledSoul } from "./agents.store.ts";
export type {
  AgentFilter,
  AgentList,
  AgentOrder,
  AgentPage,
  ExploredAgent,
  ListedAgent,
} from "./agents.ts";
export { ALL_AGENT_ORDERS } from "./agents.ts";
export type { AgentDetails, DetailsIndex, PublicIdentityRecord, SoulDetails } from "./details.ts";
export { DuplicateOfSchema, duplicateOfBody } from "./duplicate-of.schemas.ts";
export type { AgentProfile, ProfileService } from "./profile.ts";
export { publicIdentity } from "./tables.ts";
