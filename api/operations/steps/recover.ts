import { isRefusal } from "../../kernel/errors.ts";
import { finish } from "../carry-out.ts";
import type { ChainOperationEnd } from "../operation.ts";
import type { EngineContext } from "./context.ts";

/**
 * Finishes every operation that a stopped process left behind. The definitions are of every kind that can be stored.
 *
 * @throws AggregateError of what could not be finished now, after trying all.
 */
export function createRecover(engine: EngineContext) {
  return async function recover(definitions: readonly ChainOperationEnd[]): Promise<void> {
    const failures: unknown[] = [];
    for (const operation of await engine.ledger.listAccepted()) {
      const definition = definitions.find(({ kind }) => kind === operation.kind);
      if (!definition) {
        failures.push(new Error(`Operation ${operation.id} is of no known kind.`));
        continue;
      }
      await finish(engine, definition, operation).catch((error: unknown) => {
        // Refused by the chain: its end and the reason are stored.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} operations could not be finished.`);
    }
  };
}
