/** Longest audience accepted: a DNS name has at most 253 characters. */
export const MAX_AUDIENCE_LENGTH = 270;

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const HOSTNAME = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/;

/** Whether a URL may carry a token: https, or http on a loopback host. */
export function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/**
 * Whether a text is an origin that access tokens can be issued to: https, or http on a loopback host.
 *
 * Tokens are compared with an audience byte for byte, so each origin has one accepted spelling: lower case, international names
 * in punycode, no default port, no user, path or trailing slash.
 */
export function isAudience(value: string): boolean {
  if (value.length > MAX_AUDIENCE_LENGTH || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.origin === value && isConfidential(url) && HOSTNAME.test(url.hostname);
}
