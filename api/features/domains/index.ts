// What other features and pages may use of this one.

export type { RegisteredPassports } from "./domains.ts";
