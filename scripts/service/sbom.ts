import type { Lockfile } from "../checks/lockfile.ts";

/** The service itself. */
interface Described {
  readonly name: string;
  readonly version: string;
}

/**
 * The packages of an installation without development packages, as a CycloneDX bill of materials. It
 * follows from the lock file alone: the same lock file gives the same bytes.
 */
export function billOfMaterials({ packages }: Lockfile, { name, version }: Described): object {
  const components = Object.entries(packages)
    .filter(([path, locked]) => path.startsWith("node_modules/") && !locked.dev && !locked.link)
    .map(([path, locked]) => componentOf(path, locked));
  const byPurl = new Map(components.map((component) => [component.purl, component]));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": `${name}@${version}`, name, version },
    },
    components: [...byPurl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

function componentOf(path: string, locked: Lockfile["packages"][string]) {
  const { version = "", integrity, license } = locked;
  // Under another name than its own, a package states its own.
  const name =
    locked.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    // An optional package may be missing: it is installed on its own platform only.
    scope: locked.optional ? "optional" : "required",
    hashes: integrity === undefined ? [] : integrity.split(" ").map(hashOf),
    licenses: license === undefined ? [] : [{ license: { name: license } }],
  };
}

/** As `sha512-<base64>`. */
function hashOf(integrity: string) {
  const [algorithm = "", digest = ""] = integrity.split("-", 2);
  return {
    alg: algorithm.replace("sha", "SHA-"),
    content: Buffer.from(digest, "base64").toString("hex"),
  };
}
