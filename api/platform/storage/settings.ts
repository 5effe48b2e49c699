/** Upload paths of the services that are known by name. */
export const BUNDLER_PATHS = { irys: "/tx/ethereum", turbo: "/v1/tx" } as const;

/** The upload address of a bundler. `kind` is one of the known services or a path. */
export function uploadUrl(base: string, kind: string): string {
  const path = kind in BUNDLER_PATHS ? BUNDLER_PATHS[kind as keyof typeof BUNDLER_PATHS] : kind;
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/+$/, "") + path;
  return url.href;
}

export const READ_ORDERS = ["copy", "gateways"] as const;
/** `copy`: the service's own copies, then gateways. `gateways`: the reverse order. */
export type ReadOrder = (typeof READ_ORDERS)[number];

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * https, or http on this machine only. Stored content is public, but the answers decide what is
 * recorded.
 */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
}

/** The placeholder for the id in a gateway's address. */
export const ID_PLACEHOLDER = "{id}";

export const GATEWAY_URLS_RULE =
  "must be https URLs (http only on a loopback address), each an origin or with {id}, separated by commas";

/** The gateways in a list; null when one of them is not as {@link GATEWAY_URLS_RULE} says. */
export function gatewayUrls(text: string): readonly string[] | null {
  const urls = text.split(",").map((part) => part.trim());
  const isGood = (url: string) => {
    const example = url.replace(ID_PLACEHOLDER, "id");
    if (!isServiceUrl(example) || /[{}]/.test(example)) return false;
    // Paths are appended to an origin.
    return example !== url || new URL(url).search === "";
  };
  return urls.every(isGood) ? urls : null;
}
