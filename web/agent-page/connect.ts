import { declaredEndpoints } from "../../protocol/endpoints/index.ts";
import type { ReadRegistrationFile } from "../../protocol/index.ts";

/** Text to copy. */
export interface Snippet {
  readonly title: string;
  readonly text: string;
}

/** Snippets of each kind: a file may list many endpoints. */
const MOST_OF_A_KIND = 2;
/** Where a host publishes its A2A card. */
const CARD_PATH = "/.well-known/agent-card.json";
/** Characters that no shell acts on, inside of quotes or outside. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9._~:/?=%@,+-]+$/;

/** How a program connects to an agent at the endpoints that its registration file declares, which are untrusted. */
export function connectSnippets(
  file: Pick<ReadRegistrationFile, "services">,
  agentName: string,
): readonly Snippet[] {
  const declared = declaredEndpoints(file);
  const urlsOf = (kind: "mcp" | "a2a") =>
    declared
      .filter((one) => one.kind === kind)
      .map(({ endpoint }) => new URL(endpoint))
      .filter(({ username, password }) => username === "" && password === "")
      .slice(0, MOST_OF_A_KIND);
  const cards = [...new Set(urlsOf("a2a").map(cardUrl))];
  return [
    ...urlsOf("mcp").map((url) => ({
      title: "MCP: in the configuration of a client",
      text: JSON.stringify(
        { mcpServers: { [agentName]: { type: "http", url: url.href } } },
        null,
        2,
      ),
    })),
    ...cards
      .filter((url) => PLAIN_URL.test(url))
      .map((url) => ({
        title: "A2A: read its card",
        text: `curl -H 'Accept: application/json' '${url}'`,
      })),
  ];
}

function cardUrl(endpoint: URL): string {
  return endpoint.pathname.endsWith(".json") ? endpoint.href : new URL(CARD_PATH, endpoint).href;
}

/** Asks whether the soul is valid before anything else, with the client package. */
export function checkSnippet(service: string, tokenId: bigint): Snippet {
  return {
    title: "First: is its soul valid?",
    text: [
      'import { createClient } from "agent-identity-protocol/client";',
      "",
      `const client = createClient({ service: ${JSON.stringify(service)} });`,
      `const { valid, message } = await client.call("getSoulValidity", { path: { tokenId: ${tokenId} } });`,
      "if (!valid) throw new Error(message);",
    ].join("\n"),
  };
}
