import { createUseRecorder } from "../../kernel/last-use.ts";
import type { Platform } from "../../platform/build.ts";
import { createMessageSignatures } from "../../platform/chain/signatures.ts";
import type { SoulReads } from "../../soul/build.ts";
import { apiKeyStore, type KeyUses } from "../keys/index.ts";
import type { RegistrationFiles } from "../passports/index.ts";
import { createPassportArrivals } from "./arrivals.chain.ts";
import { createConsoleSessions } from "./console/console-sessions.store.ts";
import { createKeyVerification } from "./key-verification.ts";
import { passportIndex } from "./passports.store.ts";
import { createSignInProfiles } from "./profile.ts";
import { createSignInReads } from "./reads.store.ts";
import { signInStore } from "./sign-in.store.ts";
import { createSignIn } from "./sign-in.ts";
import { createIntrospection, currentTokens } from "./tokens/introspection.ts";
import { revokedTokenStore } from "./tokens/revocation.store.ts";
import { createTokenRevocation } from "./tokens/revocation.ts";
import { createSessionStore, recordSessionUse } from "./tokens/sessions.store.ts";
import { createOwnerSessions } from "./tokens/sessions.ts";
import type { Tokens } from "./tokens/tokens.ts";

const SIGNATURE_TIMEOUT_MS = 5_000;
const ARRIVALS_TIMEOUT_MS = 5_000;
const SIGN_IN_CHAIN_TIMEOUT_MS = 8_000;

type Options = Pick<
  Platform,
  "config" | "deployment" | "db" | "pool" | "chain" | "links" | "clock"
> &
  Pick<SoulReads, "index" | "age" | "asked" | "souls"> & {
    readonly tokens: Tokens;
    readonly files: RegistrationFiles;
    readonly keyUses: KeyUses;
  };

/** Sign-in by wallet and by agent, and the checks of what it issues. */
export function buildSignIn(options: Options) {
  const { config, deployment, db, chain, links, clock, index, souls, tokens, files } = options;
  const { identityRegistry, soulCertificate } = deployment.contracts;
  const reads = createSignInReads(options.pool);
  const recordUse = createUseRecorder((id, at) => recordSessionUse(db, id, at), clock);
  const arrivals = createPassportArrivals({
    client: chain,
    identityRegistry,
    timeoutMs: ARRIVALS_TIMEOUT_MS,
  });
  const consoleSessions = createConsoleSessions({ db, recordUse, clock });
  return {
    signIn: createSignIn({
      store: signInStore(db),
      live: { ...souls, ...arrivals },
      index: passportIndex(index),
      signatures: createMessageSignatures({ client: chain, timeoutMs: SIGNATURE_TIMEOUT_MS }),
      tokens,
      clock,
      domain: config.domain,
      uri: config.publicUrl.origin,
      chainId: deployment.chainId,
      identityRegistry,
      profiles: createSignInProfiles({ index: reads, files, links, soulCertificate }),
      chainTimeoutMs: SIGN_IN_CHAIN_TIMEOUT_MS,
    }),
    introspection: createIntrospection({
      tokens,
      index: currentTokens(reads, options.age, options.asked),
      recordUse,
    }),
    ownerSessions: createOwnerSessions({
      store: createSessionStore(db),
      consoleSessions,
      souls,
      clock,
    }),
    consoleSessions,
    revocation: createTokenRevocation({ tokens, revoked: revokedTokenStore(db), clock }),
    apiKeys: createKeyVerification({
      souls,
      clock,
      keys: apiKeyStore(db),
      recordUse: options.keyUses,
    }),
  };
}
