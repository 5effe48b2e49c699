import type { ErrorBody } from "../../../api/kernel/errors.ts";
import type { ConsoleAccess } from "../../owner/data.ts";

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

/** The headers with which a request acts for an owner. */
export type Credential = Readonly<Record<string, string>>;

/** Acts by an access token. */
export function byToken(accessToken: string): Credential {
  return { authorization: `Bearer ${accessToken}` };
}

/** Acts by the sign-in to the console: the browser adds its cookie. */
export function byConsole({ token }: ConsoleAccess): Credential {
  return { "x-svc-console": token };
}

/** Reads as the owner of a session. @throws ApiFailure */
export async function getAs<T>(credential: Credential, path: string): Promise<T> {
  return call<T>(path, { cache: "no-store", headers: credential });
}

/** Acts as the owner of a session. @throws ApiFailure */
export async function postAs<T>(
  credential: Credential,
  path: string,
  body: unknown,
  repetition?: string,
): Promise<T> {
  return sendJson<T>("POST", path, body, repetition, credential);
}

/** Ends what lies at a path, as the owner of a session. @throws ApiFailure */
export async function deleteAs(credential: Credential, path: string): Promise<void> {
  await call(path, { method: "DELETE", headers: credential });
}

/** Sends bytes. @throws ApiFailure */
export async function postFile<T>(path: string, file: Blob, repetition: string): Promise<T> {
  const headers = {
    "content-type": "application/octet-stream",
    "idempotency-key": repetition,
  };
  return call<T>(path, { method: "POST", headers, body: file });
}

/** Asks for something without a word more than its path. @throws ApiFailure */
export async function postEmpty<T>(path: string): Promise<T> {
  return call<T>(path, { method: "POST" });
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

/**
 * As `postJson`, by any method: browsers send the body of a DELETE.
 *
 * @param body null: none is sent.
 * @throws ApiFailure
 */
export async function sendJson<T>(
  method: string,
  path: string,
  body: unknown,
  repetition?: string,
  credential: Credential = {},
): Promise<T> {
  const headers = new Headers(credential);
  if (repetition !== undefined) headers.set("idempotency-key", repetition);
  if (body === null) return call<T>(path, { method, headers });
  headers.set("content-type", "application/json");
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
