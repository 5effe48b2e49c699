import { createUseRecorder } from "../../kernel/last-use.ts";
import type { Platform } from "../../platform/build.ts";
import { createMessageSignatures } from "../../platform/chain/signatures.ts";
import type { SoulReads } from "../../soul/build.ts";
import { apiKeyStore, type KeyUses } from "../keys/index.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import { createPassportArrivals } from "./arrivals.chain.ts";
import { createConsoleSessions } from "./console-sessions.store.ts";
import { createSignInReads } from "./reads.store.ts";
import { signInStore } from "./sign-in.store.ts";
import type { SignIn } from "./sign-in.ts";
import { createIntrospection, currentTokens } from "./tokens/introspection.ts";
import { rememberRevoked } from "./tokens/revocation.store.ts";
import { createSessionStore, recordSessionUse } from "./tokens/sessions.store.ts";
import { createOwnerSessions } from "./tokens/sessions.ts";
import type { Tokens } from "./tokens/tokens.ts";

const SIGNATURE_TIMEOUT_MS = 5_000;
const ARRIVALS_TIMEOUT_MS = 5_000;
const SIGN_IN_CHAIN_TIMEOUT_MS = 8_000;

/** Sign-in by wallet and by agent, and the checks of what it issues. */
export function buildSignIn({
  config,
  deployment,
  db,
  pool,
  chain,
  links,
  clock,
  index,
  age,
  asked,
  souls,
  tokens,
  files,
  keyUses,
}: Pick<Platform, "config" | "deployment" | "db" | "pool" | "chain" | "links" | "clock"> &
  Pick<SoulReads, "index" | "age" | "asked" | "souls"> & {
    readonly tokens: Tokens;
    readonly files: RegistrationFiles;
    readonly keyUses: KeyUses;
  }) {
  const { chainId, contracts } = deployment;
  const { identityRegistry, soulCertificate } = contracts;
  const reads = createSignInReads(pool);
  const recordUse = createUseRecorder((id, at) => recordSessionUse(db, id, at), clock);
  const timeoutMs = ARRIVALS_TIMEOUT_MS;
  const arrivals = createPassportArrivals({ client: chain, identityRegistry, timeoutMs });
  const consoleSessions = createConsoleSessions({ db, recordUse, clock });
  const signIn: SignIn = {
    store: signInStore(db),
    live: { ...souls, ...arrivals },
    index: { passportsOfOwner: index.passportsOfOwner, ...reads },
    signatures: createMessageSignatures({ client: chain, timeoutMs: SIGNATURE_TIMEOUT_MS }),
    tokens,
    clock,
    domain: config.domain,
    uri: config.publicUrl.origin,
    chainId,
    identityRegistry,
    files,
    links,
    soulCertificate,
    chainTimeoutMs: SIGN_IN_CHAIN_TIMEOUT_MS,
  };
  const standing = currentTokens(reads.tokenStanding, age, asked);
  const store = createSessionStore(db);
  return {
    signIn,
    introspection: createIntrospection(tokens, standing, recordUse),
    ownerSessions: createOwnerSessions({ store, consoleSessions, souls, clock }),
    consoleSessions,
    revocation: { tokens, revoke: rememberRevoked(db), clock },
    apiKeys: { souls, clock, keys: apiKeyStore(db), recordUse: keyUses },
  };
}
