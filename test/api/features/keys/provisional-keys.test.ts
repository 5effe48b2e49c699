import { describe, expect, it } from "vitest";
import { operations } from "../../../../api/features.ts";
import type { Identity } from "../../../../api/kernel/access.ts";
import { openApiDocument } from "../../../../api/platform/http/openapi.ts";
import type { OperationRules } from "../../../../api/platform/http/operations.ts";
import { testApp } from "../../helpers.ts";

// What the key of an unclaimed agent may do, for every operation. An admitted request reaches the
// operation itself, which has no dependencies here: only the access decision is tested.

const registrationId = "5b6f8a52-0000-4000-8000-000000000001";
const provisional: Identity = {
  caller: {
    kind: "provisional",
    id: `registration:${registrationId}`,
    claimed: false,
    registrationId,
  },
  account: { subject: `registration:${registrationId}`, tokenId: null, organizationId: 0n },
};
const app = testApp({
  access: { authenticate: async () => provisional, authorise: async () => {} },
});
const documented = Object.entries(
  openApiDocument(app, new URL("http://127.0.0.1:8787")).paths ?? {},
).flatMap(([path, item]) =>
  Object.entries(item as Record<string, { operationId?: string; deprecated?: boolean }>)
    .filter(([, { deprecated }]) => !deprecated)
    .map(([method, { operationId = "" }]) => ({ method: method.toUpperCase(), path, operationId })),
);
const rules: Record<string, OperationRules> = operations;

async function verdict({ method, path }: { method: string; path: string }): Promise<string> {
  const filled = path.replaceAll(/\{(.+?)\}/g, (_, name: string) =>
    /id$/i.test(name) ? registrationId : "aurora",
  );
  const hasBody = method !== "GET" && method !== "DELETE";
  const answer = await app.request(filled, {
    method,
    headers: { authorization: "Bearer x", "content-type": "application/json" },
    ...(hasBody ? { body: "{}" } : {}),
  });
  if (answer.status !== 401 && answer.status !== 403) return "let in";
  const { error } = (await answer.json()) as { error: { type: string } };
  return error.type;
}

/** By the operation's access rule. */
const EXPECTED = {
  none: "let in",
  "any-key": "let in",
  agent: "FULL_KEY_REQUIRED",
  session: "FORBIDDEN",
  "agent-or-signature": "FULL_KEY_REQUIRED",
  "session-or-signature": "FORBIDDEN",
  "provisional-key": "let in",
  signature: "WALLET_SIGNATURE_REQUIRED",
} as const;

describe("a provisional key", () => {
  it.each(documented)("$method $path", async ({ method, path, operationId }) => {
    const rule = rules[operationId];
    if (rule === undefined) throw new Error(`${operationId} is not in the table.`);
    expect(await verdict({ method, path })).toBe(EXPECTED[rule.access]);
  });

  it("may use the operations that the specification allows, and no others", () => {
    const allowed = ["GET /v1/profile/{name}", "GET /v1/verify/{name}", "POST /v1/webhooks"].concat(
      ["GET /v1/name-available/{name}", "GET /v1/status", "GET /v1/alignment/{name}"],
      ["GET /v1/binding/{tokenId}"],
    );
    const denied = ["POST /v1/chronicle", "POST /v1/disclose", "POST /v1/binding"].concat(
      ["POST /v1/burn/{tokenId}"],
      documented
        .filter(({ method }) => ["PUT", "PATCH", "DELETE"].includes(method))
        .map(({ method, path }) => `${method} ${path}`),
    );
    const lets = ({ operationId }: { operationId: string }) =>
      EXPECTED[rules[operationId]?.access ?? "none"] === "let in";
    for (const operation of documented) {
      const name = `${operation.method} ${operation.path}`;
      if (allowed.includes(name)) expect([name, lets(operation)]).toEqual([name, true]);
      // The token in its URL authorizes an upload, with or without a credential.
      if (denied.includes(name) && !operation.path.includes("/upload/")) {
        expect([name, lets(operation)]).toEqual([name, false]);
      }
    }
    const known = documented.map(({ method, path }) => `${method} ${path}`);
    expect(known).toEqual(expect.arrayContaining(allowed.slice(0, 6)));
    expect(known).toContain("POST /v1/chronicle");
  });
});
