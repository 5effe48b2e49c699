// What other features and pages may use of this one.

export type { StatisticsService } from "./build.ts";
export type { ServiceStatistics } from "./overview.ts";
