import { describe, expect, it } from "vitest";
import { checkSnippet, connectSnippets } from "../../../web/agent-page/connect.ts";

const service = (name: string, endpoint: string) => ({ name, endpoint, version: null });
const snippets = (...services: ReturnType<typeof service>[]) =>
  connectSnippets({ services } as never, "heron");

describe("the snippets of an agent's endpoints", () => {
  it("are a configuration for MCP and a command for the A2A card", () => {
    expect(
      snippets(
        service("MCP", "https://heron.example/mcp"),
        service("A2A", "https://heron.example/a2a"),
        service("a2a v0.3", "https://heron.example/cards/agent.json"),
        service("web", "https://heron.example"),
      ),
    ).toEqual([
      {
        title: "MCP: in the configuration of a client",
        text: `{
  "mcpServers": {
    "heron": {
      "type": "http",
      "url": "https://heron.example/mcp"
    }
  }
}`,
      },
      {
        title: "A2A: read its card",
        text: "curl -H 'Accept: application/json' 'https://heron.example/.well-known/agent-card.json'",
      },
      {
        title: "A2A: read its card",
        text: "curl -H 'Accept: application/json' 'https://heron.example/cards/agent.json'",
      },
    ]);
  });

  it.each([
    "https://heron.example/card.json?x=$(id)",
    "https://heron.example/card.json?x=`id`",
    "https://heron.example/card.json?x=1;id",
    "https://heron.example/card.json?x=1&calc",
    "https://heron.example/card.json?x='+id+'",
    "https://heron.example/card.json?x=1|id",
    "https://heron.example/card.json#!!",
    "https://heron.example/{a,b}/card.json!",
  ])("have no command with characters that a shell acts on: %s", (endpoint) => {
    const found = snippets(service("A2A", endpoint));
    expect(
      found.filter(({ text }) => !/^curl -H '[^']+' 'https:[\w./:%?=+-]+'$/.test(text)),
    ).toEqual([]);
    expect(found.map(({ text }) => text).join()).not.toMatch(/[$`;&|!#{}]/);
  });

  it.each([
    "javascript:alert(1)",
    "https://user:secret@heron.example/mcp",
    "did:web:heron.example",
    "https://",
    "",
  ])("leave out what is no address to call: %j", (endpoint) => {
    expect(snippets(service("MCP", endpoint), service("A2A", endpoint))).toEqual([]);
  });

  it("write an address as it is called, with nothing that hides or reorders text", () => {
    const [snippet] = snippets(
      service("MCP", 'https://heron\u00e9.example/"},"x":{"\u202e</script>'),
    );
    expect(snippet?.text).toContain(
      '"url": "https://xn--heron-fsa.example/%22%7D,%22x%22:%7B%22%E2%80%AE%3C/script%3E"',
    );
    expect(JSON.parse(snippet?.text ?? "null").mcpServers).toHaveProperty("heron.url");
  });

  it("are at most two of a kind", () => {
    const many = Array.from({ length: 9 }, (_, n) => service("MCP", `https://heron.example/${n}`));
    expect(snippets(...many)).toHaveLength(2);
  });

  it("begin with the question whether the soul is valid", () => {
    const { text } = checkSnippet("https://service.example", 7n);
    expect(text).toContain('createClient({ service: "https://service.example" })');
    expect(text).toContain('client.call("getSoulValidity", { path: { tokenId: 7 } })');
  });
});
