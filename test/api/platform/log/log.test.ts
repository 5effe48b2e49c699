import { describe, expect, it } from "vitest";
import { generateApiKey } from "../../../../api/kernel/api-keys.ts";
import { REDACTED, redactText } from "../../../../api/platform/log/log.ts";
import { capturedLog } from "../../helpers.ts";

const SECRET = "s3cr3t-value";

describe("the log", () => {
  it.each([
    "authorization",
    "Authorization",
    "signature",
    "apiKey",
    "soulSalt",
    "newSoulSalt",
    "systemPrompt",
    "token",
    "accessToken",
    "code",
    "value",
    "webhookSecret",
    "relayerPrivateKey",
    "masterKeys",
    "password",
  ])("never holds the field %s, at any depth", (field) => {
    const { log, lines, entries } = capturedLog();
    log.info({ [field]: SECRET, deep: { list: [{ [field]: { inner: SECRET } }] } }, "sample");
    expect(lines.join("")).not.toContain(SECRET);
    expect(entries()[0]).toMatchObject({
      [field]: REDACTED,
      deep: { list: [{ [field]: REDACTED }] },
      msg: "sample",
    });
  });

  it("keeps harmless fields, numbers beyond JSON and dates", () => {
    const { log, entries } = capturedLog();
    log.info({ tokenId: 5n, name: "alice", at: new Date(0), nothing: null }, "sample");
    expect(entries()[0]).toMatchObject({
      tokenId: "5",
      name: "alice",
      at: "1970-01-01T00:00:00.000Z",
      nothing: null,
    });
  });

  it("finds secrets in messages, errors and their causes", () => {
    const { log, lines } = capturedLog();
    const key = generateApiKey("live");
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
    const cause = new Error(`URL: https://rpc.example/v2/${SECRET}?key=${SECRET} failed`);
    const error = Object.assign(new Error(`bad key ${key}`, { cause }), { parameters: [SECRET] });
    log.error({ err: error }, `Bearer ${SECRET} with ${jwt}`);
    log.error(error);
    log.info(`postgres://user:${SECRET}@db.example:5432/app`);
    const text = lines.join("");
    for (const secret of [SECRET, key, jwt]) expect(text).not.toContain(secret);
    expect(text).toContain("https://rpc.example/…");
    expect(text).toContain("postgres://db.example:5432/…");
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  it("finds secrets in 128 KiB of text that repeats the start of one", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";
    // A pattern that looks for the end of each start would take a minute and more.
    const beginnings = "-eyJ".repeat(32_768);
    expect(redactText(`${beginnings} ${jwt} https://user:${SECRET}@db.example/${SECRET}`)).toBe(
      `-${REDACTED} ${REDACTED} https://db.example/…`,
    );
    const schemes = "a+".repeat(65_536);
    expect(redactText(`${schemes} ${jwt}`)).toBe(`${schemes} ${REDACTED}`);
  });

  it("survives cycles and bytes", () => {
    const { log, entries } = capturedLog();
    const cycle: Record<string, unknown> = { bytes: Buffer.alloc(32, 7) };
    cycle.self = cycle;
    log.info({ cycle }, "sample");
    expect(entries()[0]).toMatchObject({ cycle: { bytes: "[32 bytes]" } });
  });
});
