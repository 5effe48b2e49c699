// What other features and pages may use of this one.

export type { EventBody } from "./schemas.ts";
export type { Timeline, TimelineService } from "./timeline.ts";
