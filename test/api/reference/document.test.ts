import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AgentTypeSchema } from "../../../api/features/registration/schemas.ts";
import { correctSchemas } from "../../../api/reference/corrections.ts";
import { describeDocument } from "../../../api/reference/describe.ts";
import { declareHeaders } from "../../../api/reference/headers.ts";
import {
  type OpenApiDocument,
  type OpenApiOperation,
  operationsOf,
} from "../../../api/reference/openapi.ts";
import type { DocumentSchema } from "../../../api/reference/schema-walk.ts";
import { shareErrorResponses } from "../../../api/reference/shared-responses.ts";
import { documentProblems } from "../../../scripts/checks/openapi-document.ts";
import { chosenExamples } from "../../../scripts/generate/examples.ts";

const INFO = { version: "1.0.0" };

function withSchemas(schemas: Record<string, DocumentSchema>): OpenApiDocument {
  return { info: INFO, components: { schemas } };
}

function withOperation(operation: Partial<OpenApiOperation>): OpenApiDocument {
  const complete = { operationId: "readThing", summary: "Reads", responses: {}, ...operation };
  return { info: INFO, paths: { "/v1/thing": { get: complete } } };
}

describe("the descriptions of properties", () => {
  it("come from the schema before those that are shared", () => {
    const own = { type: "integer", description: "This one's id." };
    const document = withSchemas({ A: { properties: { tokenId: own } } });
    describeDocument(document);
    expect(own.description).toBe("This one's id.");
  });

  it("prefer the schema, then the parent, then the name alone", () => {
    const document = withSchemas({
      SealMessage: { properties: { tokenId: { type: "string" } } },
      Session: { properties: { tokenId: { type: "integer" } } },
      Snapshot: { properties: { status: { type: "string" } } },
    });
    describeDocument(document);
    const { SealMessage, Session, Snapshot } = document.components?.schemas ?? {};
    expect(SealMessage?.properties?.tokenId?.description).toBe(
      "Id of the agent's soulbound certificate, as a decimal string.",
    );
    expect(Session?.properties?.tokenId?.description).toBe(
      "Id of the agent's soulbound certificate, from 1.",
    );
    expect(Snapshot?.properties?.status?.description).toBe(
      "Always `computing`: the score appears when it is on chain.",
    );
  });

  it("say what null means where a property can be null", () => {
    const document = withSchemas({
      A: { properties: { nextCursor: { type: ["string", "null"] } } },
    });
    describeDocument(document);
    expect(document.components?.schemas?.A?.properties?.nextCursor?.description).toBe(
      "Send it as `cursor` for the next page. Null on the last page.",
    );
  });

  it("mark a former name as deprecated", () => {
    const former = { type: "integer", description: "Former name of `organizationId`." };
    describeDocument(withSchemas({ A: { properties: { fleetId: former } } }));
    expect(former).toEqual({
      type: "integer",
      description: "Former name of `organizationId`.",
      deprecated: true,
    });
  });
});

describe("the corrections of schemas", () => {
  it("let null match a reference that can be null", () => {
    const thing: DocumentSchema = {
      allOf: [
        { $ref: "#/components/schemas/B" },
        { type: ["object", "null"], description: "Null before." },
      ],
    };
    correctSchemas(withSchemas({ A: { properties: { thing } } }));
    expect(thing).toEqual({
      anyOf: [{ $ref: "#/components/schemas/B" }, { type: "null" }],
      description: "Null before.",
    });
  });

  it("put the description of a reference beside it", () => {
    const thing: DocumentSchema = {
      allOf: [{ $ref: "#/components/schemas/B" }, { description: "A thing." }],
    };
    correctSchemas(withSchemas({ A: { properties: { thing } } }));
    expect(thing).toEqual({ $ref: "#/components/schemas/B", description: "A thing." });
  });

  it("keep a discriminator for the variants that have it", () => {
    const body: DocumentSchema = {
      oneOf: [
        { $ref: "#/components/schemas/Signed" },
        { $ref: "#/components/schemas/First" },
        { $ref: "#/components/schemas/Second" },
      ],
      discriminator: {
        propertyName: "step",
        mapping: {
          first: "#/components/schemas/First",
          second: "#/components/schemas/Second",
        },
      },
    };
    const signed: DocumentSchema = { properties: { step: { type: "null" }, name: {} } };
    correctSchemas(withSchemas({ Body: body, Signed: signed }));
    expect(signed).toEqual({ properties: { name: {} } });
    expect(body).toEqual({
      oneOf: [
        { $ref: "#/components/schemas/Signed" },
        {
          oneOf: [{ $ref: "#/components/schemas/First" }, { $ref: "#/components/schemas/Second" }],
          discriminator: {
            propertyName: "step",
            mapping: {
              first: "#/components/schemas/First",
              second: "#/components/schemas/Second",
            },
          },
        },
      ],
    });
  });

  it("drop the flag at the end of a pattern", () => {
    const name: DocumentSchema = { pattern: "^\\p{L}*$/u" };
    correctSchemas(withSchemas({ A: { properties: { name } } }));
    expect(name.pattern).toBe("^\\p{L}*$");
  });
});

it("describes an agent's type as requests may state it: by name and by number", () => {
  const document = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as OpenApiDocument;
  const requests = ["ClaimEdits", "OwnerRegistration", "AgentRegisterStep", "BatchAgent"];
  const types = requests.map(
    (name) => document.components?.schemas?.[name]?.properties?.agentType?.type,
  );
  expect(types).toEqual(requests.map(() => ["string", "integer"]));
  expect(["specialist", 2].map((type) => AgentTypeSchema.parse(type))).toEqual([2, 2]);
});

describe("the responses of errors", () => {
  it("stand once among the components, under the error's type", () => {
    const refused = (types: readonly string[]) => ({
      description: types.map((type) => `\`${type}\`: It is refused.`).join("\n\n"),
    });
    const [one, two, others] = [["GONE"], ["BURNED", "SUSPENDED"], ["BURNED", "NAME_TAKEN"]];
    const responses = () => ({
      200: { description: "It." },
      410: refused(one as string[]),
      409: refused(two as string[]),
    });
    const document: OpenApiDocument = {
      info: INFO,
      paths: {
        "/v1/a": { get: { responses: responses() } },
        "/v1/b": { get: { responses: { ...responses(), 409: refused(others as string[]) } } },
        "/v1/c": { get: { responses: responses() } },
      },
    };
    shareErrorResponses(document);
    const at = (name: string) => ({ $ref: `#/components/responses/${name}` });
    const shown = { 200: { description: "It." }, 410: at("GONE"), 409: at("409.2-errors") };
    expect(document.paths).toEqual({
      "/v1/a": { get: { responses: shown } },
      "/v1/b": { get: { responses: { ...shown, 409: at("409.2-errors.2") } } },
      "/v1/c": { get: { responses: shown } },
    });
    expect(document.components?.responses).toEqual({
      GONE: refused(["GONE"]),
      "409.2-errors": refused(["BURNED", "SUSPENDED"]),
      "409.2-errors.2": refused(["BURNED", "NAME_TAKEN"]),
    });
  });

  it("of the service list INDEX_BEHIND wherever they list NOT_FOUND", () => {
    const document: OpenApiDocument = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
    const shared: Readonly<Record<string, unknown>> = document.components?.responses ?? {};
    const named = operationsOf(document).map(({ id, operation }) => {
      const listed = JSON.stringify(operation.responses).replaceAll(
        /"#\/components\/responses\/([^"]+)"/g,
        (_ref, name: string) => JSON.stringify(shared[name]),
      );
      return {
        id,
        isLate: listed.includes("`INDEX_BEHIND`"),
        isAbsent: listed.includes("`NOT_FOUND`"),
      };
    });
    const absent = named.filter(({ isAbsent }) => isAbsent);
    expect(absent.length).toBeGreaterThan(0);
    expect(absent.filter(({ isLate }) => !isLate)).toEqual([]);
  });
});

describe("the headers of answers", () => {
  it("follow from the rules of the operation", () => {
    const document = withOperation({
      deprecated: true,
      "x-svc-cache": "published",
      responses: { 200: { description: "It." }, 429: { description: "Later." } },
    });
    declareHeaders(document);
    const { responses } = document.paths?.["/v1/thing"]?.get ?? { responses: {} };
    const always = [
      "X-Request-Id",
      "X-RateLimit-Limit",
      "X-RateLimit-Remaining",
      "X-RateLimit-Reset",
    ];
    expect(Object.keys(responses[200]?.headers ?? {})).toEqual([
      ...always,
      "Cache-Control",
      "X-Svc-Block",
      "X-Svc-Index-Lag",
      "ETag",
      "Deprecation",
      "Sunset",
    ]);
    expect(Object.keys(responses[429]?.headers ?? {})).toEqual([
      ...always,
      "Retry-After",
      "Deprecation",
      "Sunset",
    ]);
  });
});

describe("the check of the document", () => {
  it("names a property without a description", () => {
    expect(documentProblems(withSchemas({ A: { properties: { unknownName: {} } } }))).toEqual([
      "A: unknownName has no description.",
    ]);
  });

  it("names a property whose null is not explained", () => {
    const thing = { type: ["string", "null"], description: "A thing." };
    expect(documentProblems(withSchemas({ A: { properties: { thing } } }))).toEqual([
      "A: thing can be null, and its description does not say what null means.",
    ]);
  });

  it("names what an operation does not say", () => {
    const { summary: _summary, ...operation } = {
      summary: "",
      tags: ["Things"],
      parameters: [{ name: "id", in: "query" }],
      responses: { 200: { description: "It." } },
    };
    const document = withOperation({ ...operation, summary: undefined as unknown as string });
    expect(documentProblems(document)).toEqual([
      "The tag Things has no description.",
      "readThing has no description of its parameter id.",
      "readThing declares no headers of its answer 200.",
      "readThing has no summary.",
    ]);
  });

  it("names a request and an answer without an example", () => {
    const json = { "application/json": {} };
    const headers = { "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" } };
    const document = withOperation({
      requestBody: { content: json },
      responses: { 201: { description: "It.", headers, content: json } },
    });
    expect(documentProblems(document)).toEqual([
      "readThing has no example of a request.",
      "readThing has no example of an answer.",
    ]);
  });
});

describe("the choice of examples", () => {
  const document: OpenApiDocument = {
    info: INFO,
    paths: {
      "/v1/thing/{id}": {
        get: {
          operationId: "readThing",
          parameters: [
            { name: "id", in: "path" },
            { name: "limit", in: "query" },
          ],
          responses: {},
        },
      },
    },
  };
  const exchange = {
    method: "GET",
    url: "http://127.0.0.1:41000/v1/thing/7",
    request: null,
    status: 200,
    contentType: "application/json",
  };

  it("takes the exchange that shows most, with the address of the document's server", () => {
    const poor = { ...exchange, answer: { entries: [] } };
    const rich = { ...exchange, answer: { entries: [{ url: "http://127.0.0.1:41000/a" }] } };
    expect(chosenExamples(document, [poor, rich, poor])).toEqual({
      readThing: [
        {
          parameters: { id: "7" },
          request: null,
          status: 200,
          contentType: "application/json",
          answer: { entries: [{ url: "http://127.0.0.1:8787/a" }] },
        },
      ],
    });
  });

  it("keeps an earlier example where no exchange shows more", () => {
    const example = { ...exchange, parameters: { id: "8" } };
    const { method: _method, url: _url, ...earlier } = { ...example, answer: { a: 1, b: 2 } };
    const poor = { ...exchange, answer: { a: 1 } };
    const rich = { ...exchange, answer: { a: 1, b: 2, c: 3 } };
    const kept = { readThing: [earlier], otherThing: [earlier] };
    expect(chosenExamples(document, [poor], kept)).toEqual({
      otherThing: [earlier],
      readThing: [earlier],
    });
    expect(chosenExamples(document, [poor, rich], kept).readThing?.[0]?.answer).toEqual(
      rich.answer,
    );
  });

  it("takes an exchange with a body before one without, where the operation has a body", () => {
    const requestBody = { content: { "application/json": {} } };
    const writing = structuredClone(document);
    for (const { operation } of operationsOf(writing)) Object.assign(operation, { requestBody });
    const without = { ...exchange, answer: { a: 1, b: 2, c: 3 } };
    const withBody = { ...exchange, request: { a: 1 }, answer: {} };
    const chosen = (one: typeof document) => chosenExamples(one, [without, withBody]);
    expect(chosen(writing).readThing?.[0]?.request).toEqual({ a: 1 });
    expect(chosen(document).readThing?.[0]?.request).toBeNull();
    expect(chosenExamples(writing, [without]).readThing?.[0]?.request).toBeNull();
  });

  it("leaves out requests with parameters that are not documented", () => {
    const url = `${exchange.url}?unknown=1`;
    expect(chosenExamples(document, [{ ...exchange, url, answer: {} }])).toEqual({});
  });
});
