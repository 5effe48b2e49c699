/** Headers by their names in lower case. */
export type HeaderRecord = Record<string, string>;

/** What handlers said with `c.header` before they answered. */
export interface PreparedHeaders {
  readonly headers: HeaderRecord;
  readonly cookies: string[];
}
