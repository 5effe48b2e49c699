import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import { HttpRequestError, RpcRequestError, TimeoutError } from "viem";

/** Failures in a row after which the node is taken for dead. */
const FAILURES = 3;
/** How long nothing is asked then, in milliseconds. After that, one question tries whether the node answers again. */
const PAUSE_MS = 2_000;

/** A code of JSON-RPC for what exists and is not available: `isUnavailable` knows it, and viem does not retry it. */
const RESOURCE_UNAVAILABLE = -32002;

/** `closed` lets every question pass, `open` none, `half-open` one at a time. */
export type CircuitStanding = "closed" | "open" | "half-open";

/** One request to the node, as errors name it. */
interface Question {
  readonly body: ConstructorParameters<typeof RpcRequestError>[0]["body"];
  readonly url: string;
}

export interface NodeCircuit {
  /**
   * The answer of `ask`, while the node is believed to live.
   *
   * @throws RpcRequestError at once, without asking, while it is not.
   */
  run<T>(question: Question, ask: () => Promise<T>): Promise<T>;
  standing(): CircuitStanding;
}

/**
 * A circuit breaker for one node: after a few questions in a row without an answer, callers are refused at once instead of each
 * holding a socket until its time-out. Only silence and broken transport count. An answer that refuses, such as a revert, is an
 * answer.
 */
export function createNodeCircuit(pauseMs = PAUSE_MS): NodeCircuit {
  const policy = circuitBreaker(handleWhen(isSilence), {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(FAILURES),
  });

  return {
    async run<T>(question: Question, ask: () => Promise<T>) {
      // The library lets callers wait for the one question that is under way; here they are refused instead.
      if (policy.state === CircuitState.HalfOpen) throw refusal(question);
      let outcome: { readonly value: T } | { readonly refusal: unknown };
      try {
        outcome = await policy.execute(() => answered(ask));
      } catch (error) {
        throw error instanceof BrokenCircuitError ? refusal(question) : error;
      }
      if ("refusal" in outcome) throw outcome.refusal;
      return outcome.value;
    },

    standing() {
      if (policy.state === CircuitState.Closed) return "closed";
      return policy.state === CircuitState.HalfOpen ? "half-open" : "open";
    },
  };
}

/** A refusal is an answer as well, and ends a row of failures. */
async function answered<T>(ask: () => Promise<T>) {
  try {
    return { value: await ask() };
  } catch (error) {
    if (isSilence(error)) throw error;
    return { refusal: error };
  }
}

function isSilence(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  // Statuses below 500 say something about the question: too large, not allowed, too many.
  return error instanceof HttpRequestError && (error.status ?? 500) >= 500;
}

function refusal({ body, url }: Question): RpcRequestError {
  const message = "The node did not answer several times in a row, and is not asked for a moment.";
  return new RpcRequestError({ body, url, error: { code: RESOURCE_UNAVAILABLE, message } });
}
