// What other features and pages may use of this one.

export type { EventsPageData } from "./page-data.ts";
export type { EventBody } from "./schemas.ts";
export { TIMELINE_SIZE, TimelineCard, timelineCursors } from "./timeline.page.tsx";
export type { Timeline, TimelineService } from "./timeline.ts";
