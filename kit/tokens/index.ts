// For services that admit agents which signed in with this API.

export * from "../../protocol/check-sign-in-message.ts";
export type { AgentMessageFields, WalletMessageFields } from "../../protocol/sign-in-message.ts";
export { InvalidSignInMessageError } from "../../protocol/sign-in-message.ts";
export type { Demand } from "./admission.ts";
export { admittedAgent } from "./admitted.ts";
export type { SignedInAgent, TokenCheck } from "./agent.ts";
export * from "./express.ts";
export * from "./fastify.ts";
export * from "./fetch.ts";
export * from "./hono.ts";
export * from "./introspect.ts";
export * from "./verify-token.ts";
