/**
 * `npm ci` rejects a lock file that lacks an optional package, even of another platform. `npm
 * install` leaves out packages that its registry lacks. The entries can be written without the
 * registry: the dependent package pins an exact version, and the name says the platform.
 */

interface LockedPackage {
  /** Only where it is installed under another name. */
  name?: string;
  version?: string;
  link?: boolean;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
  dev?: boolean | undefined;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: string[] | undefined;
  cpu?: string[] | undefined;
  libc?: string[] | undefined;
}

export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

const OPERATING_SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = [
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];

/** Packages whose registry entry cannot be read everywhere, so that their hash is unknown. */
const WITHOUT_INTEGRITY = /^node_modules\/@squawk-cli\/(darwin-(arm64|x64)|linux-arm64|win32-x64)$/;

/** The entries without a hash of their content, which an installation would not verify. */
export function entriesWithoutIntegrity({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, { integrity, link }]) => {
      const isInstalled = path.startsWith("node_modules/") && !link;
      return isInstalled && integrity === undefined && !WITHOUT_INTEGRITY.test(path);
    })
    .map(([path]) => path);
}

/** Differences between the packages with install scripts and those that `allowScripts` decides on. */
export function installScriptProblems(
  { packages }: Lockfile,
  allowed: Readonly<Record<string, boolean>>,
): string[] {
  const names = new Set(
    Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)),
  );
  return [
    ...[...names]
      .filter((name) => !Object.hasOwn(allowed, name))
      .map(
        (name) => `${name} has an install script that allowScripts in package.json does not name.`,
      ),
    ...Object.keys(allowed)
      .filter((name) => !names.has(name))
      .map((name) => `allowScripts in package.json names ${name}, which has no install script.`),
  ];
}

/** The entries that are missing, by their path in `node_modules`. */
export function missingEntries(lockfile: Lockfile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {};
  for (const [path, wanting] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(wanting.optionalDependencies ?? {})) {
      const pinned = /^\d+\.\d+\.\d+[-.\w]*$/.test(version);
      if (!pinned || findInstalled(lockfile, path, name, version)) continue;
      missing[entryPath(lockfile, path, name)] = {
        version,
        ...platformOf(name),
        dev: wanting.dev ? true : undefined,
        optional: true,
      };
    }
  }
  return missing;
}

/** Adds the missing entries, in the order in which npm sorts them. */
export function completeLockfile(lockfile: Lockfile): Lockfile {
  const packages = { ...lockfile.packages, ...missingEntries(lockfile) };
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lockfile, packages: Object.fromEntries(sorted) };
}

/** Searches as Node does: in the package's own node_modules, then outwards. */
function findInstalled(lockfile: Lockfile, from: string, name: string, version: string): boolean {
  for (let base: string | undefined = from; base !== undefined; base = parentOf(base)) {
    const found = lockfile.packages[join(base, name)];
    if (found) return found.version === version;
  }
  return false;
}

function entryPath(lockfile: Lockfile, from: string, name: string): string {
  const hoisted = join("", name);
  return lockfile.packages[hoisted] ? join(from, name) : hoisted;
}

function join(base: string, name: string): string {
  return `${base === "" ? "" : `${base}/`}node_modules/${name}`;
}

function parentOf(path: string): string | undefined {
  if (path === "") return undefined;
  const at = path.lastIndexOf("/node_modules/");
  return at === -1 ? "" : path.slice(0, at);
}

function platformOf(name: string): Pick<LockedPackage, "os" | "cpu" | "libc"> {
  const parts = name.replace("linuxmusl", "linux-musl").split(/[-/]/);
  const os = parts.find((part) => OPERATING_SYSTEMS.includes(part));
  const cpu = parts.find((part) => PROCESSORS.includes(part));
  const libc = parts.includes("musl") ? "musl" : parts.includes("gnu") ? "glibc" : undefined;
  return {
    cpu: cpu ? [cpu] : undefined,
    libc: os === "linux" && libc ? [libc] : undefined,
    os: os ? [os] : undefined,
  };
}
