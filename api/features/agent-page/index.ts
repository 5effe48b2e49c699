// What other features and pages may use of this one.

export { AllowanceCard } from "./allowance.page.tsx";
export { ConnectCard } from "./connect.page.tsx";
export type { DealingsOf } from "./dealings.ts";
export { PartnersCard } from "./partners.page.tsx";
export { SoulTree } from "./soul-tree.page.tsx";
