/** What the page of events tells its script. */
export interface EventsPageData {
  /** Address of the stream, with the page's filter and where it goes on. */
  readonly stream: string;
  /** Block explorer without a trailing slash; null without one. */
  readonly explorer: string | null;
}
