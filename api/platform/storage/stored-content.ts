import { ApiError } from "../../kernel/errors.ts";

/** What permanent storage holds, checked against its id; null for nothing. Rejects when only altered copies are left. */
export type Stored<Content> = (id: string) => Promise<Content | null>;

/**
 * What is stored under an id that the chain names, so that it must be there.
 *
 * @param details Where the id stands, for the error.
 * @throws ApiError STORAGE_UNAVAILABLE when storage does not have it now, or not as it was.
 */
export async function storedContent<Content>(
  stored: Stored<Content>,
  id: string,
  details: Readonly<Record<string, string>>,
): Promise<Content> {
  const content = await stored(id).catch((cause: unknown) => {
    throw new ApiError("STORAGE_UNAVAILABLE", { details, cause });
  });
  if (content === null) throw new ApiError("STORAGE_UNAVAILABLE", { details });
  return content;
}

/** An archived item, read again. `intact`: correctly signed, and the requested one. */
export type ArchivedItem =
  | { readonly state: "intact"; readonly data: Uint8Array }
  | { readonly state: "altered" }
  | { readonly state: "missing" };
