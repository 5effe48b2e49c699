import type { ErrorBody } from "../../../kernel/errors.ts";

/** A call that the service refused, or that did not reach it. The message is made for people. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  constructor(
    /** The catalogue's type; OFFLINE when the server did not answer. */
    readonly type: string,
    message: string,
    /** What is wrong with which part of the request. */
    readonly issues: readonly { readonly path: string; readonly message: string }[] = [],
    /** Seconds. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
  }
}

/**
 * @param cache `no-store` asks past every cache.
 * @throws ApiFailure
 */
export async function getJson<T>(path: string, cache: RequestCache = "default"): Promise<T> {
  return call<T>(path, { cache });
}

/**
 * @param repetition the Idempotency-Key: the same for every try of the same thing, so that a lost answer does not do it twice.
 * @throws ApiFailure
 */
export async function postJson<T>(path: string, body: unknown, repetition?: string): Promise<T> {
  return sendJson<T>("POST", path, body, repetition);
}

/** As `postJson`. Browsers send the body of a DELETE. @throws ApiFailure */
export async function deleteJson<T>(path: string, body: unknown, repetition: string): Promise<T> {
  return sendJson<T>("DELETE", path, body, repetition);
}

async function sendJson<T>(
  method: string,
  path: string,
  body: unknown,
  repetition: string | undefined,
): Promise<T> {
  const headers = {
    "content-type": "application/json",
    ...(repetition === undefined ? {} : { "idempotency-key": repetition }),
  };
  return call<T>(path, { method, headers, body: JSON.stringify(body) });
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  let status: number;
  let body: unknown;
  try {
    const response = await fetch(path, init);
    status = response.status;
    body = await response.json();
  } catch {
    throw new ApiFailure(
      "OFFLINE",
      "The service did not answer. Check your connection; trying again does nothing twice.",
    );
  }
  if (status < 400) return body as T;
  const { type, message, details, retryAfter } = (body as ErrorBody).error;
  const { issues } = details as { issues?: { path: string; message: string }[] };
  throw new ApiFailure(type, message, issues ?? [], retryAfter ?? null);
}
