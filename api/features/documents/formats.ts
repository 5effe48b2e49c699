/**
 * Formats that a soul document may have, and the media type that it is stored as. None of them runs
 * scripts when it is opened. Public gateways would show a page or drawing with scripts under their
 * own origin.
 */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ["markdown", "text/markdown"],
  ["md", "text/markdown"],
  ["text/markdown", "text/markdown"],
  ["plaintext", "text/plain"],
  ["text", "text/plain"],
  ["txt", "text/plain"],
  ["text/plain", "text/plain"],
  ["json", "application/json"],
  ["application/json", "application/json"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["application/yaml", "application/yaml"],
  ["csv", "text/csv"],
  ["text/csv", "text/csv"],
  ["pdf", "application/pdf"],
  ["application/pdf", "application/pdf"],
]);

/** What a document's `format` may be. */
export const DOCUMENT_FORMATS = [...MEDIA_TYPES.keys()] as [string, ...string[]];

/** The media type that a document of this format is stored as; null for an unsupported format. */
export function documentMediaType(format: string): string | null {
  return MEDIA_TYPES.get(format) ?? null;
}

/**
 * Form of a document's id. It is narrower than the soul format's, because ids are part of paths.
 */
export const DOCUMENT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
