import { describe, expect, it } from "vitest";
import { auditWithSources } from "../../scripts/generate/audit-sources.ts";

describe("auditWithSources", () => {
  it("names the sources by the hash that is generated with the compiled contracts", () => {
    const hash = "ab".repeat(32);
    const { path, content } = auditWithSources([
      { path: "compiled/sources.sha256", content: `${hash}\n` },
    ]);
    expect(path).toBe("docs/audit.md");
    expect(content).toContain(`Sources (SHA-256): \`${hash}\``);
  });

  it("refuses to write a document without a hash", () => {
    expect(() => auditWithSources([])).toThrow("compiled/sources.sha256 is not generated.");
  });
});
