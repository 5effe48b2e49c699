// What other features may use of this one.

export type { Guides } from "./guides.ts";
export type { TryData } from "./try-data.ts";
