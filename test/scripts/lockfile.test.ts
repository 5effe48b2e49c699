import { expect, it } from "vitest";
import { entriesWithoutIntegrity, installScriptProblems } from "../../scripts/checks/lockfile.ts";
import { billOfMaterials } from "../../scripts/service/sbom.ts";

const integrity = `sha512-${Buffer.alloc(64, 0xab).toString("base64")}`;
const lockfile = {
  packages: {
    "": {},
    kit: { version: "1.0.0" },
    "node_modules/kit": { link: true },
    "node_modules/native": { version: "2.0.0", integrity, hasInstallScript: true, license: "MIT" },
    "node_modules/@tool/other": { version: "3.0.0", dev: true },
    "node_modules/alias": { version: "4.0.0", name: "@own/name", integrity, optional: true },
  },
};

it("finds entries that an installation would not verify", () => {
  expect(entriesWithoutIntegrity(lockfile)).toEqual(["node_modules/@tool/other"]);
});

it("finds install scripts that are not decided on, and decisions without one", () => {
  expect(installScriptProblems(lockfile, { native: true })).toEqual([]);
  expect(installScriptProblems(lockfile, { gone: true })).toEqual([
    "native has an install script that allowScripts in package.json does not name.",
    "allowScripts in package.json names gone, which has no install script.",
  ]);
});

it("lists what is installed for the service under its own name", () => {
  const hashes = [{ alg: "SHA-512", content: "ab".repeat(64) }];
  expect(billOfMaterials(lockfile, { name: "service", version: "1.2.3" })).toEqual({
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": "service@1.2.3",
        name: "service",
        version: "1.2.3",
      },
    },
    components: [
      {
        type: "library",
        "bom-ref": "pkg:npm/%40own/name@4.0.0",
        name: "@own/name",
        version: "4.0.0",
        purl: "pkg:npm/%40own/name@4.0.0",
        scope: "optional",
        hashes,
        licenses: [],
      },
      {
        type: "library",
        "bom-ref": "pkg:npm/native@2.0.0",
        name: "native",
        version: "2.0.0",
        purl: "pkg:npm/native@2.0.0",
        scope: "required",
        hashes,
        licenses: [{ license: { name: "MIT" } }],
      },
    ],
  });
});
