import type { DidDocument } from "../../protocol/did-document.ts";

// The shapes of did-resolver's methods, written out so that the package needs no types of it.

/** What a method of did-resolver answers. */
export interface DidResolutionResult {
  /** Null when the DID names no agent, or could not be resolved. */
  didDocument: DidDocument | null;
  didResolutionMetadata: Record<string, unknown> & {
    contentType?: string;
    /** `invalidDid`, `notFound`, `representationNotSupported` or `internalError`. */
    error?: string;
    message?: string;
  };
  didDocumentMetadata: {
    /** The soul was burned, or the passport given up. */
    deactivated?: boolean;
    versionId?: string;
    nextVersionId?: string;
    canonicalId?: string;
  };
}

/** One method, as `new Resolver(methods)` of did-resolver takes it. */
export type DidMethodResolver = (
  did: string,
  parsed: { readonly query?: string | undefined },
  resolver: unknown,
  options: { readonly accept?: string | undefined },
) => Promise<DidResolutionResult>;
