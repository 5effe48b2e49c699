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

/** Reads past every cache. @throws ApiFailure */
export async function getJson<T>(path: string, credential: Credential = {}): Promise<T> {
  return call<T>(path, { cache: "no-store", headers: credential });
}

/**
 * Sends JSON, a form or a file as it is, or for null nothing. Browsers send the body of a DELETE.
 *
 * @param repetition the Idempotency-Key: the same for every try of the same thing, so that a lost answer does not do it twice.
 * @throws ApiFailure
 */
export async function send<T>(
  method: string,
  path: string,
  body: object | null,
  { credential = {}, repetition }: { credential?: Credential; repetition?: string } = {},
): Promise<T> {
  const headers = new Headers(credential);
  if (repetition !== undefined) headers.set("idempotency-key", repetition);
  if (body === null || body instanceof FormData) return call<T>(path, { method, headers, body });
  const isFile = body instanceof Blob;
  headers.set("content-type", isFile ? "application/octet-stream" : "application/json");
  return call<T>(path, { method, headers, body: isFile ? body : JSON.stringify(body) });
}

/** Has something done once, as the owner of a session. @throws ApiFailure */
export async function postOnce<T>(credential: Credential, path: string, body: object): Promise<T> {
  return send<T>("POST", path, body, { credential, repetition: crypto.randomUUID() });
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
