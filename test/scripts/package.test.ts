import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unknownImports } from "../../scripts/checks/document-imports.ts";
import { deploymentsFile } from "../../scripts/generate/deployments-file.ts";
import { kitEntries } from "../../scripts/package/entries.ts";
import { kilobytes, recordedSizes, sizeChanges } from "../../scripts/package/sizes.ts";

const NAME = "agent-identity-protocol";

describe("unknownImports", () => {
  it("names imports of subpaths and Solidity files that the package does not have", () => {
    const documents = {
      "docs/good.md": `import { a } from "${NAME}"; import { b } from "${NAME}/did"; import "${NAME}/contracts/interfaces/ISoulView.sol";`,
      "docs/bad.md": `import { a } from "${NAME}/kit"; import "${NAME}/contracts/interfaces/INone.sol";`,
    };
    expect(unknownImports(documents)).toEqual([
      `docs/bad.md imports ${NAME}/kit, which the package does not have.`,
      `docs/bad.md imports ${NAME}/contracts/interfaces/INone.sol, which the package does not have.`,
    ]);
  });
});

describe("sizeChanges", () => {
  it("names entries that grew by more than 5 %, are new or are gone", () => {
    const recorded = { ".": 1_000, "./did": 1_000, "./gone": 1 };
    expect(sizeChanges(recorded, { ".": 1_050, "./did": 1_051, "./new": 2 })).toEqual([
      "./did has 1051 bytes, and had 1000.",
      "./gone is recorded, and does not exist.",
      "./new has no recorded size.",
    ]);
    expect(kilobytes(1_051)).toBe("1.1 kB");
  });

  it("has a recorded size for every entry", () => {
    expect(Object.keys(recordedSizes())).toEqual(kitEntries().map(({ subpath }) => subpath));
  });
});

describe("deploymentsFile", () => {
  it("holds the public deployments by chain, and never the local one", () => {
    const folder = mkdtempSync(join(tmpdir(), "deployments-"));
    try {
      const contracts = { soulRegistry: "0x42FF98C4E85212a5D31358ACbFe76a621b50fC02" };
      const base = { network: "base", chainId: 8453, startBlock: 7, contracts };
      writeFileSync(join(folder, "base.json"), JSON.stringify(base));
      writeFileSync(join(folder, "local.json"), JSON.stringify({ ...base, chainId: 31_337 }));
      const { path, content } = deploymentsFile(folder);
      expect(path).toBe("protocol/generated/deployments.ts");
      expect(JSON.parse(/= (\{.*\}) as const;/s.exec(content)?.[1] ?? "")).toEqual({
        8453: { chainId: 8453, startBlock: 7, contracts },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
