/** What an agent's page hands to its script. */
export interface ProfilePageData {
  readonly agentName: string;
  /** Block explorer without a trailing slash; null without one. */
  readonly explorer: string | null;
}
