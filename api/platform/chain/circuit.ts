import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import { HttpRequestError, RpcRequestError, TimeoutError } from "viem";

/** Consecutive failures after which the node counts as down. */
const FAILURES = 3;
/** Then no request is sent for this time, in milliseconds. After it, one request tests the node. */
const PAUSE_MS = 2_000;

/**
 * A JSON-RPC code for an unavailable resource: `isUnavailable` knows it, and viem does not retry
 * it.
 */
const RESOURCE_UNAVAILABLE = -32002;

/** `closed` lets every request pass, `open` none, `half-open` one at a time. */
export type CircuitStanding = "closed" | "open" | "half-open";

/** One request to the node, as errors name it. */
interface Question {
  readonly body: ConstructorParameters<typeof RpcRequestError>[0]["body"];
  readonly url: string;
}

export interface NodeCircuit {
  /**
   * The answer of `ask`, while the circuit is not open.
   *
   * @throws RpcRequestError at once, without asking, while it is open.
   */
  run<T>(question: Question, ask: () => Promise<T>): Promise<T>;
  standing(): CircuitStanding;
}

/**
 * A circuit breaker for one node. After some consecutive requests without an answer, callers are
 * rejected at once instead of holding a socket until the time-out. Only time-outs and broken
 * transport count; a revert is an answer.
 */
export function createNodeCircuit(pauseMs = PAUSE_MS): NodeCircuit {
  const policy = circuitBreaker(handleWhen(isSilence), {
    halfOpenAfter: pauseMs,
    breaker: new ConsecutiveBreaker(FAILURES),
  });

  return {
    async run<T>(question: Question, ask: () => Promise<T>) {
      // The library would queue callers behind the test request; here they are rejected.
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

/** An error response is an answer too, and resets the count. */
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
  // Statuses below 500 concern the request: too large, not allowed, too many.
  return error instanceof HttpRequestError && (error.status ?? 500) >= 500;
}

function refusal({ body, url }: Question): RpcRequestError {
  const message = "The node failed to answer several times in a row. Try again in a moment.";
  return new RpcRequestError({ body, url, error: { code: RESOURCE_UNAVAILABLE, message } });
}
