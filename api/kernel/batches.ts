import DataLoader from "dataloader";

/** Milliseconds that an item waits for others at most, and only while another batch is on its way. */
const WINDOW_MS = 2;
/** The most items of one batch. */
const MAX_ITEMS = 64;

/**
 * A function that answers concurrent calls together. Without others on their way a call is carried
 * out in the same turn of the event loop, with those of requests that arrived at the same time. While
 * a batch is on its way, calls gather until it is answered, 2 ms at most. A call never joins a batch
 * that has left: what it gets was read after it came.
 *
 * @param run The results in the order of the items. When it rejects, all of them fail.
 */
export function inBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
): (item: Item) => Promise<Result> {
  const gathering = new Set<() => void>();
  let onTheirWay = 0;

  async function send(items: readonly Item[]): Promise<readonly (Result | Error)[]> {
    onTheirWay += 1;
    try {
      return await run(items);
    } finally {
      onTheirWay -= 1;
      for (const leave of gathering) leave();
    }
  }

  const loader = new DataLoader<Item, Result>(send, {
    cache: false,
    maxBatchSize: MAX_ITEMS,
    batchScheduleFn(dispatch) {
      if (onTheirWay === 0) {
        // After all that has arrived is read, and before the process waits for more.
        setImmediate(dispatch);
        return;
      }
      const leave = () => {
        clearTimeout(timer);
        gathering.delete(leave);
        dispatch();
      };
      const timer = setTimeout(leave, WINDOW_MS);
      gathering.add(leave);
    },
  });
  return (item) => loader.load(item);
}

/**
 * As `inBatches`, for reads, and for writes that may be repeated. When a batch fails and `isOfAnItem` says that one of its items may be
 * the cause, each item is read alone: one item never fails the others.
 */
export function readInBatches<Item, Result>(
  read: (items: readonly Item[]) => Promise<readonly Result[]>,
  isOfAnItem: (error: unknown) => boolean,
): (item: Item) => Promise<Result> {
  async function readAlone(item: Item): Promise<Result | Error> {
    try {
      const [result] = await read([item]);
      return result as Result;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }
  return inBatches<Item, Result>(async (items) => {
    try {
      return await read(items);
    } catch (error) {
      if (items.length === 1 || !isOfAnItem(error)) throw error;
      return Promise.all(items.map(readAlone));
    }
  });
}
