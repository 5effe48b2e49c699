import { DISCLOSURE_DOCUMENT } from "../../../kit/disclosure/document.ts";
import { ALIGNMENT_FORMAT } from "../../../protocol/alignment/facts.ts";
import { isPlainObject, parseJsonStrict } from "../../../protocol/json.ts";

/** What a file is, as far as it can be checked. */
export type Recognised =
  | { readonly kind: "disclosure"; readonly json: unknown }
  | { readonly kind: "chronicle"; readonly json: unknown }
  | { readonly kind: "alignment"; readonly item: Uint8Array }
  | { readonly kind: "passport"; readonly what: string; readonly references: readonly string[] }
  | { readonly kind: "unknown"; readonly why: string };

/** What the page takes, for a person. */
export const TAKEN =
  "It takes a disclosure (svc-disclosure-document-v1), the proof of a chronicle, the signed item of an alignment snapshot, a registration file (ERC-8004), and a DID document.";

/** A disclosure has at most twelve values, of which a soul of half a mebibyte has all. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

const LIMITS = { maxDepth: 32, maxBytes: MAX_FILE_BYTES } as const;
/** How a signed archive item begins: the number of the kind of its signature, in two bytes. */
const ITEM = [3, 0] as const;

/** Says what the bytes of a file are. Nothing of it is checked yet. */
export function recognise(bytes: Uint8Array): Recognised {
  if (ITEM.every((byte, index) => bytes[index] === byte)) return { kind: "alignment", item: bytes };
  const json = jsonIn(bytes);
  if (!isPlainObject(json)) return { kind: "unknown", why: "This is no JSON object." };
  if (json.format === DISCLOSURE_DOCUMENT) return { kind: "disclosure", json };
  if ("chronicleHash" in json && "contentHash" in json) return { kind: "chronicle", json };
  if (json.format === ALIGNMENT_FORMAT || ("breakdown" in json && "offChain" in json)) {
    const why =
      "This is the content of an alignment snapshot, without its signature. Choose the signed item instead: /ar/<id>/item.";
    return { kind: "unknown", why };
  }
  if (typeof json.id === "string" && json.id.startsWith("did:svc:")) {
    return { kind: "passport", what: "a DID document", references: [json.id] };
  }
  if (Array.isArray(json.registrations)) {
    return {
      kind: "passport",
      what: "a registration file",
      references: json.registrations.flatMap(passportIn),
    };
  }
  if (Array.isArray(json.keys)) {
    return { kind: "unknown", why: "This is a set of keys. It does not name its agent." };
  }
  return { kind: "unknown", why: "This page does not know JSON of this kind." };
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJsonStrict(new TextDecoder("utf-8", { fatal: true }).decode(bytes), LIMITS);
  } catch {
    return null;
  }
}

/** `eip155:<chain>:<registry>#<passport>` of an entry of `registrations`. */
function passportIn(entry: unknown): readonly string[] {
  if (!isPlainObject(entry)) return [];
  const { agentRegistry, agentId } = entry;
  const id = typeof agentId === "number" || typeof agentId === "string" ? String(agentId) : "";
  const isPassport =
    typeof agentRegistry === "string" &&
    /^eip155:[0-9]{1,20}:0x[0-9a-fA-F]{40}$/.test(agentRegistry) &&
    /^[0-9]{1,78}$/.test(id);
  return isPassport ? [`${agentRegistry}#${id}`] : [];
}
