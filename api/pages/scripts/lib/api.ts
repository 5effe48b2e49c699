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

/** Reads as the owner of a session. @throws ApiFailure */
export async function getAs<T>(accessToken: string, path: string): Promise<T> {
  return call<T>(path, { cache: "no-store", headers: authorization(accessToken) });
}

/** Acts as the owner of a session. @throws ApiFailure */
export async function postAs<T>(
  accessToken: string,
  path: string,
  body: unknown,
  repetition?: string,
): Promise<T> {
  return sendJson<T>("POST", path, body, repetition, authorization(accessToken));
}

/** Ends what lies at a path, as the owner of a session. @throws ApiFailure */
export async function deleteAs(accessToken: string, path: string): Promise<void> {
  await call(path, { method: "DELETE", headers: authorization(accessToken) });
}

function authorization(accessToken: string) {
  return { authorization: `Bearer ${accessToken}` };
}

/** Sends a form with a file. @throws ApiFailure */
export async function postForm<T>(path: string, form: FormData): Promise<T> {
  return call<T>(path, { method: "POST", body: form });
}

/**
 * @param repetition the Idempotency-Key: the same for every try of the same thing, so that a lost answer does not do it twice.
 * @throws ApiFailure
 */
export async function postJson<T>(path: string, body: unknown, repetition?: string): Promise<T> {
  return sendJson<T>("POST", path, body, repetition);
}

/** As `postJson`, by any method: browsers send the body of a DELETE. @throws ApiFailure */
export async function sendJson<T>(
  method: string,
  path: string,
  body: unknown,
  repetition?: string,
  credential: Readonly<Record<string, string>> = {},
): Promise<T> {
  const headers = {
    "content-type": "application/json",
    ...(repetition === undefined ? {} : { "idempotency-key": repetition }),
    ...credential,
  };
  return call<T>(path, { method, headers, body: JSON.stringify(body) });
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  let status: number;
  let body: unknown;
  try {
    const response = await fetch(path, init);
    status = response.status;
    body = status === 204 ? null : await response.json();
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
