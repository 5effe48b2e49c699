import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { PATTERNS, PLACES, sourceOf } from "../fixtures/parser-work/patterns.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Hostile texts of the largest size, over HTTP. test/protocol/parser-work.test.ts counts their
// work. This test checks that each is answered without a server error, and that another client is
// answered meanwhile.

const MAX_BYTES = 512 * 1024;
/** The least number of the second client's answers while the texts are read. */
const LEAST_OTHERS = 1;

/** The patterns that made an earlier parser slow, each with its format and place. */
const TEXTS = [
  ["blanks in a heading", "soul_md", 0],
  ["list markers", "soul_md", 2],
  ["different keys", "ccsf_yaml", 0],
  ["anchors and aliases", "ccsf_yaml", 0],
  ["flow collections", "ccsf_yaml", 3],
  ["opening brackets", "ccsf_json", 0],
  ["combining marks", "plaintext", 0],
] as const;

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

function hostileText(pattern: string, format: string, place: number): string {
  const [write, placed] = [PATTERNS[pattern], PLACES[format]?.[place]];
  if (!write || !placed) throw new Error(`There is no ${pattern} at place ${place} of ${format}.`);
  return sourceOf(write, placed, MAX_BYTES);
}

/**
 * Sends everything at once. Returns the statuses of the answers, and the number of a second
 * client's answers before the last of them.
 */
async function beside(requests: readonly (() => Promise<{ readonly status: number }>)[]) {
  let pending = true;
  const answers = Promise.all(requests.map((send) => send())).finally(() => {
    pending = false;
  });
  let others = 0;
  while (pending) {
    const { status } = await service.get("/v1/register/check-name/heron-weir");
    expect(status).toBe(200);
    if (pending) others += 1;
  }
  return { statuses: (await answers).map(({ status }) => status), others };
}

describe("hostile texts of 512 KiB", () => {
  it("are normalised or refused, and another client is answered meanwhile", async () => {
    const { statuses, others } = await beside(
      TEXTS.map(([pattern, format, place]) => () => {
        const form = new FormData();
        form.set("file", new File([hostileText(pattern, format, place)], "soul"));
        form.set("format", format);
        form.set("agentName", "heron-weir");
        form.set("agentType", "other");
        return service.request("/v1/tools/normalise", { method: "POST", body: form });
      }),
    );
    for (const status of statuses) expect([200, 400]).toContain(status);
    expect(statuses).toContain(200);
    expect(others).toBeGreaterThanOrEqual(LEAST_OTHERS);
  });

  it("register an agent or are refused, and another client is answered meanwhile", async () => {
    const verbs = agentVerbs(service);
    const bodies = await Promise.all(
      ["blanks in a heading", "number signs", "code fences", "list markers"].map((pattern) =>
        verbs.answered(freshName(), {
          sourceFormat: "soul_md",
          systemPrompt: hostileText(pattern, "soul_md", 0),
        }),
      ),
    );
    const { statuses, others } = await beside(
      bodies.map((body) => () => service.post("/v1/register", body)),
    );
    // A text whose line ends are escaped in JSON can exceed the body limit.
    for (const status of statuses) expect([201, 400, 413, 422]).toContain(status);
    expect(statuses).toContain(201);
    expect(others).toBeGreaterThanOrEqual(LEAST_OTHERS);
  });
});
