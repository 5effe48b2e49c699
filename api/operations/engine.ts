import type { EngineContext } from "./steps/context.ts";
import { createPerform } from "./steps/perform.ts";
import { createPrepare } from "./steps/prepare.ts";
import { createRecover } from "./steps/recover.ts";
import { createSettle } from "./steps/settle.ts";
import { createSubmit } from "./steps/submit.ts";
import { createWaitingOperations } from "./waiting/waiting.ts";

export type { PreparedMessage } from "./operation.ts";

export type OperationEngine = ReturnType<typeof createOperationEngine>;

/** Carries out signed operations. A definition holds what is particular to one kind. */
export function createOperationEngine(engine: EngineContext) {
  return {
    prepare: createPrepare(engine),
    perform: createPerform(engine),
    submit: createSubmit(engine),
    settle: createSettle(engine),
    recover: createRecover(engine),
    waiting: createWaitingOperations(engine),
  };
}
