import { base64urlnopad } from "@scure/base";
import type { DisclosureDocument } from "../../../kit/disclosure/document.ts";

const PARAMETER = "document";

/** The address of the page that verifies a document. Browsers send nothing after the `#`. */
export function documentLink(document: DisclosureDocument): string {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return `/verify-disclosure#${PARAMETER}=${base64urlnopad.encode(bytes)}`;
}

/** The document's text in the part of an address after the `#`; null without one. */
export function linkedDocument(hash: string): string | null {
  const encoded = new URLSearchParams(hash.replace(/^#/, "")).get(PARAMETER);
  if (encoded === null) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(base64urlnopad.decode(encoded));
  } catch {
    // The link was cut off or changed. The page shows the text, and the checks refuse it.
    return encoded;
  }
}
