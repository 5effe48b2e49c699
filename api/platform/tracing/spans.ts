import { AsyncLocalStorage } from "node:async_hooks";
import { ApiError } from "../../kernel/errors.ts";

/**
 * Everything that a span may say: the same as the log, and no free text. Never a body, a query, a
 * secret, or an address of a person, a wallet or a receiver.
 */
export interface SpanAttributes {
  readonly "http.request.method"?: string;
  /** The route's pattern, never the path. */
  readonly "http.route"?: string;
  readonly "http.response.status_code"?: number;
  /** The catalogue's type of an error, or a class name; never its message. */
  readonly "error.type"?: string;
  readonly "svc.request.id"?: string;
  readonly "svc.job.id"?: string;
  /** Failed tries before this one. */
  readonly "svc.job.retries"?: number;
  readonly "svc.operation.id"?: string;
  readonly "svc.operation.kind"?: string;
  readonly "svc.transaction.hash"?: string;
  readonly "svc.transaction.block"?: number;
  readonly "svc.delivery.id"?: string;
  readonly "svc.event"?: string;
}

export type SpanKind = "server" | "client" | "consumer" | "internal";

export interface SpanOptions {
  readonly kind?: SpanKind;
  /**
   * The trace that the work belongs to, where it was stored. Default: the current one. Work that
   * runs in a span of the same trace is a child of that span.
   */
  readonly of?: string | null | undefined;
  readonly attributes?: SpanAttributes;
}

/** A piece of work, timed. */
export interface Span {
  /** As in the header of W3C Trace Context; null for work that belongs to no trace. */
  readonly traceparent: string | null;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  end(): void;
  /** Begins a part of this work. */
  begin(name: string, options: SpanOptions): Span;
}

/** Begins traces. Null wherever tracing is switched off. */
export interface Tracing {
  /** Begins a trace, or continues one with a remote part. */
  begin(name: string, options: SpanOptions): Span;
  /**
   * For work that repeats by itself and has no cause worth a trace: only parts that continue a
   * stored trace are recorded.
   */
  quiet(): Span;
  /** Sends what is left, within a time limit. */
  close(): Promise<void>;
}

const spans = new AsyncLocalStorage<Span>();

/** Runs work in a span, and ends it. An error is recorded by its type alone. */
export async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  return spans.run(span, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.set({ "error.type": errorType(error) });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs work as a part of the current one. Without tracing it only runs the work. */
export function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const current = spans.getStore();
  return current === undefined ? work(null) : runInSpan(current.begin(name, options), work);
}

/** The current trace, to be stored with what follows from it; null without one. */
export function currentTrace(): string | null {
  return spans.getStore()?.traceparent ?? null;
}

/** For the log; undefined without a trace. */
export function currentTraceId(): string | undefined {
  return currentTrace()?.split("-")[1];
}

function errorType(error: unknown): string {
  if (error instanceof ApiError) return error.type;
  return error instanceof Error ? error.name : "unknown";
}
