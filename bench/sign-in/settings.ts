import { type Address, getAddress } from "viem";
import { readSettings } from "../lib/settings.ts";

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
  readonly rpcUrl: string;
  readonly soulView: Address;
}

export function readPeerSettings(): PeerSettings {
  const settings = readSettings(["rpcUrl", "domain", "chainId", "soulView", "secret"]);
  const { rpcUrl, domain, chainId, soulView, secret } = settings;
  return { rpcUrl, domain, chainId: Number(chainId), soulView: getAddress(soulView), secret };
}

/** The secret comes as base64. */
export function readFloorSettings(): FloorSettings {
  const settings = readSettings(["databaseUrl", "issuer", "secret", "rpcUrl", "soulView"]);
  const { databaseUrl, issuer, secret, rpcUrl, soulView } = settings;
  return {
    databaseUrl,
    issuer,
    secret: Uint8Array.from(Buffer.from(secret, "base64")),
    rpcUrl,
    soulView: getAddress(soulView),
  };
}
