// What other features and pages may use of this one.

export type { ServiceStatistics, StatisticsService } from "./statistics.ts";
