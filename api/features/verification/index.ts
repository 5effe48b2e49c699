// What other features and pages may use of this one.

export type { Verification } from "./verify.routes.ts";
