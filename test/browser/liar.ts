import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The service with every answer of its API replaced, and every page changed. */
export async function startLiar(
  truthUrl: string,
  lies: { readonly pages: (html: string) => string; readonly api: object },
) {
  const asked: string[] = [];
  const server = createServer(async ({ url = "/" }, response) => {
    asked.push(url);
    if (url.startsWith("/v1/")) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(lies.api));
      return;
    }
    const truth = await fetch(`${truthUrl}${url}`);
    const type = truth.headers.get("content-type") ?? "";
    const policy = truth.headers.get("content-security-policy") ?? "default-src 'none'";
    response.writeHead(truth.status, {
      "content-type": type,
      "content-security-policy": policy,
    });
    const content = await truth.text();
    response.end(type.startsWith("text/html") ? lies.pages(content) : content);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
