import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** The four services of the local stack, in the order in which they are started. */
export const PORTS = {
  chain: { port: 8545, variable: "SVC_CHAIN_PORT" },
  postgres: { port: 55_432, variable: "SVC_POSTGRES_PORT" },
  indexer: { port: 42_069, variable: "SVC_INDEXER_PORT" },
  api: { port: 8787, variable: "SVC_API_PORT" },
} as const;

/**
 * Free ports are of this range, the second number excluded. It lies below those that systems give to connections, and to servers
 * that ask for any port: what is released here for a program that starts a moment later, or again, is not given away in between.
 */
const FREE_RANGE = [11_000, 32_768] as const;

export type PortName = keyof typeof PORTS;
export type Ports = Readonly<Record<PortName, number>>;

class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  constructor(
    readonly port: number,
    readonly service: PortName,
  ) {
    super(
      `Port ${port} (${service}) is taken by another process. Stop it or set ${PORTS[service].variable}=<a free port>.`,
    );
  }
}

class InvalidPortError extends Error {
  override readonly name = "InvalidPortError";
  constructor(
    readonly source: string,
    readonly value: string,
  ) {
    super(
      `${source} must be a port number from 1 to 65535, or 0 for any free one; it is "${value}".`,
    );
  }
}

/** A port number from text; `source` (a variable or a flag) is named in the InvalidPortError. */
export function parsePort(value: string, source: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidPortError(source, value);
  return port;
}

/**
 * The stack's ports: the given ones first, then the environment, then the defaults. 0 stays 0 here.
 */
export function readPorts(environment: NodeJS.ProcessEnv, overrides: Partial<Ports> = {}): Ports {
  const read = (name: PortName): number => {
    const { port, variable } = PORTS[name];
    const value = environment[variable];
    return overrides[name] ?? (value ? parsePort(value, variable) : port);
  };
  return {
    chain: read("chain"),
    postgres: read("postgres"),
    indexer: read("indexer"),
    api: read("api"),
  };
}

/**
 * Replaces every 0 by a free port and makes sure that the others are free on loopback.
 * Throws PortTakenError for the first that is not.
 */
export async function claimPorts(ports: Ports): Promise<Ports> {
  const claimed: Record<PortName, number> = { ...ports };
  // All free ports are held until the last one is known: a released one could be returned twice.
  const releases: (() => Promise<void>)[] = [];
  try {
    for (const service of Object.keys(PORTS) as PortName[]) {
      const held = await (ports[service] === 0 ? holdAny() : hold(ports[service]));
      if (!held) throw new PortTakenError(ports[service], service);
      claimed[service] = held.port;
      releases.push(held.release);
    }
  } finally {
    await Promise.all(releases.map((release) => release()));
  }
  return claimed;
}

/** So many different free ports on loopback. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held = await Promise.all(Array.from({ length: count }, holdAny));
  await Promise.all(held.map((one) => one.release()));
  return held.map(({ port }) => port);
}

type Held = Readonly<{ port: number; release: () => Promise<void> }>;

async function holdAny(): Promise<Held> {
  for (;;) {
    const held = await hold(randomInt(...FREE_RANGE));
    if (held) return held;
  }
}

/**
 * Listens on a loopback port; null when another process already does, on loopback or on every
 * interface.
 */
async function hold(port: number): Promise<Held | null> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => resolve(true));
  });
  if (!listening) return null;

  return {
    port,
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
