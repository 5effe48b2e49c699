import { isRefusal } from "../../kernel/errors.ts";
import type { ChainOperationEnd } from "../operation.ts";
import type { EngineParts } from "./parts.ts";

/** See `OperationEngine.recover`. */
export function createRecover({
  ledger,
  carryOut: { finish },
}: Pick<EngineParts, "ledger" | "carryOut">) {
  return async function recover(definitions: readonly ChainOperationEnd[]): Promise<void> {
    const failures: unknown[] = [];
    for (const operation of await ledger.listAccepted()) {
      const definition = definitions.find(({ kind }) => kind === operation.kind);
      if (!definition) {
        failures.push(new Error(`Operation ${operation.id} is of no known kind.`));
        continue;
      }
      await finish(definition, operation).catch((error: unknown) => {
        // Refused by the chain: its end and the reason are stored.
        if (!isRefusal(error)) failures.push(error);
      });
    }
    if (failures.length > 0) {
      throw new AggregateError(failures, `${failures.length} operations could not be finished.`);
    }
  };
}
