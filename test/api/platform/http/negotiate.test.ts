import { describe, expect, it } from "vitest";
import { negotiate } from "../../../../api/platform/http/negotiate.ts";

const OFFERED = ["application/json", "application/did+json", "text/html"] as const;

describe("the media type of an answer", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["application/*", "application/json"],
    ["text/*", "text/html"],
    ["application/did+json", "application/did+json"],
    ["APPLICATION/DID+JSON; Q=0.3", "application/did+json"],
    ["application/json;q=0.2, application/did+json;q=0.9", "application/did+json"],
    ["application/did+json;q=0.9, */*", "application/json"],
    ["application/json;q=0, application/*", "application/did+json"],
    ["*/*;q=0.1, text/html", "text/html"],
    ["text/html;q=0.5, text/*;q=0.9, application/*;q=0.7", "application/json"],
    ["application/json;q=0", null],
    ["image/png", null],
    ["*/*;q=0", null],
    ["nonsense", "application/json"],
    ["*/json", "application/json"],
    ["text/html;q=2", "application/json"],
  ])("for Accept %j is %j", (header, expected) => {
    expect(negotiate(header, OFFERED)).toBe(expected);
  });
});
