/** What the page of an agent's endpoints hands to its script. */
export interface EndpointsPageData {
  readonly agentName: string;
  /** ISO 8601; null before the first check. */
  readonly checkedAt: string | null;
}
