import { ApiError } from "../../kernel/errors.ts";

/**
 * Reads an item from permanent storage and verifies its id; null when it is missing. Rejects when
 * only altered copies exist.
 */
export type Stored<Content> = (id: string) => Promise<Content | null>;

/**
 * The content of an id that the chain names, which must exist.
 *
 * @param details The source of the id, for the error.
 * @throws ApiError STORAGE_UNAVAILABLE when storage does not have it now, or has it altered.
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
