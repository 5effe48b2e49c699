import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createClient } from "../../../kit/client/index.ts";
import { SIGNED_OPERATIONS } from "../../../kit/client/signing/operations.ts";
import { operationGroups } from "../../../web/guides/openapi-groups.ts";
import { samplesOf } from "../../../web/guides/samples.ts";

const ORIGIN = "http://127.0.0.1:8787";
const document = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
const all = operationGroups(document).flatMap(({ operations }) => operations);
const textOf = (id: string, label: "curl" | "client") => {
  const operation = all.find(({ operationId }) => operationId === id);
  if (operation === undefined) throw new Error(`There is no ${id}.`);
  const sample = samplesOf(operation, ORIGIN).find((one) => one.label === label);
  return sample?.text ?? "";
};

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
}

/** What a client's sample sends when it runs. */
async function sentBy(sample: string): Promise<Sent> {
  const requests: Request[] = [];
  const create = (options: object) =>
    createClient({
      ...options,
      service: ORIGIN,
      retries: 0,
      fetch: async (request: Request) => {
        requests.push(request.clone());
        return Response.json({});
      },
    });
  const code = sample.replaceAll(/^import .*\n/gm, "").replace("const answer = ", "");
  const run = new Function(
    ...["createClient", "process", "form", "readFileSync"],
    `return (async () => {${code}})();`,
  );
  const env = {
    SVC_API_KEY: "a-key",
    SVC_TOKEN: "a-token",
    SVC_PROVISIONAL_KEY: "a-provisional-key",
  };
  // Some answers have required members: what counts is what was sent.
  await run(create, { env }, new FormData(), () => "{}").catch(() => {});
  const [request] = requests;
  if (request === undefined) throw new Error("Nothing was sent.");
  return {
    method: request.method,
    url: decodeURIComponent(request.url),
    authorization: request.headers.get("authorization"),
    body: await request.text(),
  };
}

/** What curl would send, as far as the text says it. */
function sentByCurl(sample: string): Omit<Sent, "body"> & { readonly body: string | null } {
  const [, method = "GET", url = ""] = /^curl (?:-X ([A-Z]+) )?'([^']*)'/.exec(sample) ?? [];
  const [, variable] = /Bearer \$([A-Z_]+)/.exec(sample) ?? [];
  const keys: Record<string, string> = {
    SVC_API_KEY: "Bearer a-key",
    SVC_TOKEN: "Bearer a-token",
    SVC_PROVISIONAL_KEY: "Bearer a-provisional-key",
  };
  return {
    method,
    url: decodeURIComponent(url),
    authorization: keys[variable ?? ""] ?? null,
    body: /<<'JSON'\n([\s\S]*)\nJSON$/.exec(sample)?.[1] ?? null,
  };
}

describe("the samples of the reference", () => {
  const called = all.filter(({ operationId }) =>
    textOf(operationId, "client").includes(`client.call("${operationId}"`),
  );
  const followed = all.filter(({ operationId }) =>
    textOf(operationId, "client").includes("new EventSource("),
  );
  const signed = all.filter(
    (operation) => !called.includes(operation) && !followed.includes(operation),
  );

  it.each(called.map(({ operationId }) => operationId))("of %s send the same", async (id) => {
    const curl = sentByCurl(textOf(id, "curl"));
    const { body, ...client } = await sentBy(textOf(id, "client"));
    expect(client).toEqual({
      method: curl.method,
      url: curl.url,
      authorization: curl.authorization,
    });
    if (curl.body !== null) expect(JSON.parse(body)).toEqual(JSON.parse(curl.body));
  });

  it("read the stream of events as browsers do, at the same address", () => {
    expect(followed.map(({ operationId }) => operationId)).toEqual(["followEvents"]);
    const url = `${ORIGIN}/v1/events/stream`;
    expect(textOf("followEvents", "curl")).toBe(`curl '${url}'`);
    expect(textOf("followEvents", "client")).toBe(
      `const events = new EventSource("${url}");\nevents.onmessage = ({ data }) => console.log(JSON.parse(data));`,
    );
  });

  it("sign every operation that the client can sign", () => {
    expect(signed.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(SIGNED_OPERATIONS).toSorted(),
    );
  });

  it("name the path, leave the signature to the client, and need no file for a short body", () => {
    expect(textOf("burnAgent", "client")).toContain(
      'await client.sign("burnAgent", {\n  path: { tokenId: 1 },\n  body: {\n',
    );
    expect(textOf("burnAgent", "client")).not.toMatch(/signature|nonce/);
    expect(textOf("burnAgent", "curl")).toContain('-H "Idempotency-Key: $(uuidgen)"');
    expect(textOf("registerAgent", "curl")).toMatch(/--data @body\.json$/);
  });
});
