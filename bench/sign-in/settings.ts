import { type Address, getAddress } from "viem";

/** The settings of a child process, in an environment variable that nothing else reads. */
const VARIABLE = "BENCH_SETTINGS";

export interface PeerSettings {
  readonly rpcUrl: string;
  readonly domain: string;
  readonly chainId: number;
  readonly soulView: Address;
  /** Signs receipts. */
  readonly secret: string;
}

export interface FloorSettings {
  readonly databaseUrl: string;
  readonly issuer: string;
  /** The service's token secret. */
  readonly secret: Uint8Array<ArrayBuffer>;
}

/** Settings as an environment. */
export function settingsEnvironment(settings: object): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(settings) };
}

export function readPeerSettings(): PeerSettings {
  const settings = read(["rpcUrl", "domain", "chainId", "soulView", "secret"]);
  const { rpcUrl, domain, chainId, soulView, secret } = settings;
  return { rpcUrl, domain, chainId: Number(chainId), soulView: getAddress(soulView), secret };
}

/** The secret comes as base64. */
export function readFloorSettings(): FloorSettings {
  const { databaseUrl, issuer, secret } = read(["databaseUrl", "issuer", "secret"]);
  return { databaseUrl, issuer, secret: Uint8Array.from(Buffer.from(secret, "base64")) };
}

function read<Name extends string>(names: readonly Name[]): Record<Name, string> {
  const text = process.env[VARIABLE];
  if (text === undefined) throw new Error(`${VARIABLE} is not set: run.ts starts this.`);
  const settings = JSON.parse(text);
  for (const name of names) {
    if (typeof settings[name] !== "string") throw new Error(`${VARIABLE} lacks ${name}.`);
  }
  return settings;
}
