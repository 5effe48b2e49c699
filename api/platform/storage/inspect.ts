import { InvalidItemError } from "./ans104.ts";
import type { PermanentStorage } from "./permanent.ts";
import type { ArchivedItem } from "./stored-content.ts";

/** Reads items again, and distinguishes altered items from missing ones. */
export function createArchiveInspection(storage: Pick<PermanentStorage, "read">) {
  return async (id: string): Promise<ArchivedItem> => {
    try {
      const item = await storage.read(id);
      return item === null ? { state: "missing" } : { state: "intact", data: item.data };
    } catch (error) {
      if (error instanceof InvalidItemError) return { state: "altered" };
      throw error;
    }
  };
}
