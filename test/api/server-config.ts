import { randomBytes } from "node:crypto";
import { readConfig } from "../../api/platform/config/config.ts";

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

/** A deployment whose contracts are not called. */
export const deployment = {
  chainId: 31337,
  contracts: {
    soulRegistry: ADDRESS,
    soulCertificate: ADDRESS,
    soulView: ADDRESS,
    passportWriter: ADDRESS,
    passportMint: ADDRESS,
    registrars: ADDRESS,
    humanVerifierRegistry: ADDRESS,
    worldIdVerifier: null,
    organizationRegistry: ADDRESS,
    bindingRegistry: ADDRESS,
    chronicleAnchor: ADDRESS,
    alignmentRegistry: ADDRESS,
    agentKeys: ADDRESS,
    allowanceVault: ADDRESS,
    stablecoin: ADDRESS,
    identityRegistry: ADDRESS,
    reputationRegistry: ADDRESS,
    validationRegistry: null,
  },
  startBlock: 0,
} as const;

/** The environment of a server with keys of its own, on any free port, without a node or database. */
export function serverEnvironment(): Readonly<Record<string, string>> {
  const base64 = () => randomBytes(32).toString("base64");
  return {
    SVC_API_PORT: "0",
    // The discard port has no listener.
    RPC_URL: "http://127.0.0.1:9",
    SVC_DEPLOYMENT: "unused.json",
    PUBLIC_URL: "http://127.0.0.1:8787",
    TRUSTED_PROXIES: "none",
    RELAYER_PRIVATE_KEY: `0x${randomBytes(32).toString("hex")}`,
    STORAGE_PRIVATE_KEY: `0x${randomBytes(32).toString("hex")}`,
    MASTER_KEYS: `v1:${base64()}`,
    JWT_SECRETS: `a:${base64()}`,
  };
}

/** Its configuration. */
export const configOf = (changes: { readonly DATABASE_URL: string } & Record<string, string>) =>
  readConfig({ ...serverEnvironment(), ...changes });
