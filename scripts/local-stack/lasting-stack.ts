import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deploymentPath } from "../deploy/deployment.ts";
import { type Stack, startStack } from "./stack.ts";

/** Names the running stack for the end-to-end tests that use it. */
export const LASTING_STACK_VARIABLE = "LASTING_STACK";

/** The value of the variable, as JSON: the stack's URLs, or why it did not start. */
export type LastingStackPlace =
  | { readonly error: string }
  | {
      /** When it was ready, in milliseconds since 1970. */
      readonly readyAt: number;
      readonly apiUrl: string;
      readonly rpcUrl: string;
      readonly deploymentPath: string;
    };

export interface LastingStack {
  /** Resolves once the stack is ready, or could not be started. Never rejects. */
  readonly place: Promise<LastingStackPlace>;
  /** Stops it, also while it starts, and leaves nothing behind. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts a stack beside the tests, which use it when it has been idle for minutes, because
 * subscriptions, caches and connections fail with age. A registration that is not visible one
 * second after its block is reported without waiting.
 */
export function startLastingStack(): LastingStack {
  const directory = mkdtempSync(join(tmpdir(), "lasting-stack-"));
  // A process of the stack that is being killed may still write there.
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const abort = new AbortController();
  let stack: Stack | undefined;
  let stopped: Promise<void> | undefined;

  const start = async (): Promise<LastingStackPlace> => {
    try {
      stack = await startStack({
        directory,
        ports: { chain: 0, postgres: 0, indexer: 0, api: 0 },
        apiEnvironment: { INDEXER_WAIT_MS: "1000" },
        signal: abort.signal,
      });
      return {
        readyAt: Date.now(),
        apiUrl: stack.urls.api,
        rpcUrl: stack.urls.rpc,
        deploymentPath: deploymentPath(directory),
      };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  const place = start();
  const stop = async () => {
    abort.abort(new Error("The run has ended."));
    await place;
    await stack?.stop();
    remove();
  };
  return {
    place,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
