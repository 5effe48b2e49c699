import { randomBytes, randomUUID } from "node:crypto";
import { SiweMessage } from "@signinwithethereum/siwe";
import type { Address, Hex } from "viem";
import { agentMessage, passportName, signInStatement } from "../../../protocol/index.ts";
import { bounded } from "../../kernel/bounded.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type { Scope, Tier } from "../../kernel/scopes.ts";
import { grantedScopes } from "../../kernel/scopes.ts";
import { hashOfSecret } from "../../kernel/secret-hash.ts";
import type { MessageSignatures } from "../../kernel/signatures.ts";
import type { ChainPassports } from "../../soul/chain-soul.ts";
import { isWithSealer } from "../../soul/with-sealer.ts";
import type { PassportArrivals } from "./arrivals.ts";
import type { ConfirmedPassport, PassportIndex } from "./passport-choice.ts";
import { choosePassport, confirmPassport } from "./passport-choice.ts";
import type { Flow, SignInProfile, SignInProfiles, SignInSession } from "./profile.ts";
import { TOKEN_LIFETIME_SECONDS, type Tokens } from "./tokens/tokens.ts";

/** Seconds that a sign-in to the console lasts: eight hours. It is never prolonged. */
const CONSOLE_LIFETIME_SECONDS = 8 * 60 * 60;

/** How long a nonce, and then a code, can be used: 5 minutes. */
const ONE_TIME_LIFETIME_MS = 5 * 60 * 1000;

/** The time as the service sees it. */
export type Clock = () => Date;

/** A message that was issued to be signed. */
export interface IssuedMessage {
  readonly nonce: string;
  /** `account` opens the console. */
  readonly flow: Flow | "account";
  /** Who is to sign. */
  readonly address: Address;
  /** The passport to sign in with; null leaves the choice to the service. */
  readonly agentId: bigint | null;
  readonly chainId: number;
  readonly scopes: readonly Scope[];
  readonly minTier: Tier;
  /** Origin of the relying party that the token is for; null: this service. */
  readonly audience: string | null;
  readonly message: string;
  readonly expiresAt: Date;
}

export interface StoredMessage extends IssuedMessage {
  readonly usedAt: Date | null;
}

/** What a code stands for until it is redeemed. */
export interface NewAuthCode {
  /** SHA-256 of the code: a reader of the table cannot use it. */
  readonly codeHash: Buffer;
  readonly session: SignInSession;
  readonly expiresAt: Date;
}

/** One-time values. Of any number of calls that use one up, exactly one succeeds. */
export interface SignInStore {
  issue(message: IssuedMessage, at: Date): Promise<void>;
  find(nonce: string): Promise<StoredMessage | null>;
  /**
   * Uses the nonce up and stores the session that it opens, in one statement. False, and no
   * session, when the nonce is unknown, used or expired at `at`.
   */
  consume(nonce: string, at: Date, opened: OpenedSession): Promise<boolean>;
  /**
   * Uses the nonce up and stores the code it bought with the session that the code will open, in
   * one statement: who ends an agent's sessions ends those too. False, and no code, as above.
   */
  consumeForCode(nonce: string, at: Date, code: NewAuthCode): Promise<boolean>;
  /**
   * Uses the code up. "used" when that was done before, "expired" when it is unknown or too old.
   */
  redeem(codeHash: Buffer, at: Date): Promise<SignInSession | "used" | "expired">;
  /** As `consume`, for a session that a cookie finds. */
  consumeForCookie(nonce: string, at: Date, opened: OpenedConsole): Promise<boolean>;
  /** The session of a redeemed code lives from now until then. */
  open(sessionId: string, at: Date, expiresAt: Date): Promise<void>;
}

/** A session with the end of its token. */
export interface OpenedSession {
  readonly session: SignInSession;
  readonly expiresAt: Date;
}

/** A session of the console. */
export interface OpenedConsole {
  readonly sessionId: string;
  readonly account: Address;
  readonly audience: string;
  /** SHA-256 of the cookie's secret: a reader of the table cannot use it. */
  readonly secretHash: Buffer;
  readonly expiresAt: Date;
}

export interface WalletChallenge {
  readonly address: Address;
  /** The passport to sign in with; by default the service chooses. */
  readonly agentId?: bigint | undefined;
  readonly scopes: readonly Scope[];
  readonly minTier: Tier;
  /** Must be the service's own chain when it is given. */
  readonly chainId?: number | undefined;
  /**
   * Origin of the relying party that the token is for, as `isAudience` accepts it; by default this
   * service.
   */
  readonly audience?: string | undefined;
}

export interface AgentChallenge extends WalletChallenge {
  readonly agentId: bigint;
}

export interface Challenge {
  readonly nonce: string;
  /** To be signed exactly as it is. */
  readonly message: string;
  readonly expiresAt: Date;
}

export interface SignedMessage {
  readonly nonce: string;
  readonly message: string;
  readonly signature: Hex;
}

export interface IssuedCode {
  readonly code: string;
  readonly expiresAt: Date;
}

export interface SignedIn {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly tier: Tier;
  readonly profile: SignInProfile;
  readonly scopes: readonly Scope[];
}

/** What the cookie of the console holds, and until when it works. */
export interface ConsoleSignedIn {
  readonly account: Address;
  readonly secret: string;
  /** How long it lasts. */
  readonly seconds: number;
  readonly expiresAt: Date;
}

/**
 * Sign-in with an on-chain identity. Every rejection leaves the nonce or code unchanged, so that no
 * caller can use up another's: NONCE_EXPIRED and CODE_EXPIRED (also for unknown ones), NONCE_USED,
 * CODE_USED, INVALID_SIGNATURE (also for a message that is not the issued one), NOT_OWNER,
 * TIER_TOO_LOW, CHAIN_UNAVAILABLE.
 */
export interface SignIn {
  /**
   * @throws ApiError INVALID_REQUEST for another chain, and for scope manage with another audience.
   */
  challengeWallet(request: WalletChallenge): Promise<Challenge>;
  /** @throws ApiError INVALID_REQUEST, as `challengeWallet`. */
  challengeAgent(request: AgentChallenge): Promise<Challenge>;
  /** For the console: of an account, whether it owns a passport or not. */
  challengeAccount(address: Address): Promise<Challenge>;
  verifyWallet(signed: SignedMessage): Promise<IssuedCode>;
  verifyAgent(signed: SignedMessage): Promise<SignedIn>;
  redeemCode(code: string): Promise<SignedIn>;
  /** Opens a session of the console. */
  verifyAccount(signed: SignedMessage): Promise<ConsoleSignedIn>;
}

export interface SignInOptions {
  readonly store: SignInStore;
  readonly live: ChainPassports & PassportArrivals;
  readonly index: PassportIndex;
  readonly signatures: MessageSignatures;
  readonly tokens: Tokens;
  readonly clock: Clock;
  /** Named in messages. From the configuration: a Host header is the client's word. */
  readonly domain: string;
  /** Origin under which the world reaches this service. */
  readonly uri: string;
  readonly chainId: number;
  readonly identityRegistry: Address;
  readonly profiles: SignInProfiles;
  /** Milliseconds that one verify may wait for the node in all. */
  readonly chainTimeoutMs: number;
}

/** The form of our own nonces: anything else was never issued. */
const NONCE = /^[0-9a-f]{32}$/;

export function createSignIn(options: SignInOptions): SignIn {
  const { store, live, index, signatures, tokens, clock, domain, chainId } = options;

  async function challenge(
    flow: IssuedMessage["flow"],
    request: WalletChallenge,
  ): Promise<Challenge> {
    const { address, scopes, minTier } = request;
    if (request.chainId !== undefined && request.chainId !== chainId) throw otherChain(chainId);
    const audience = request.audience === options.uri ? null : (request.audience ?? null);
    if (audience !== null && scopes.includes("manage")) throw manageForOthers(domain);
    const issuedAt = clock();
    const expiresAt = new Date(issuedAt.getTime() + ONE_TIME_LIFETIME_MS);
    const nonce = randomBytes(16).toString("hex");
    const agentId = request.agentId ?? null;
    const message = messageOf(flow, {
      address,
      agentId,
      scopes,
      audience,
      nonce,
      issuedAt,
      expiresAt,
    });
    await store.issue(
      {
        nonce,
        flow,
        address,
        agentId,
        chainId,
        scopes,
        minTier,
        audience,
        message,
        expiresAt,
      },
      issuedAt,
    );
    return { nonce, message, expiresAt };
  }

  function messageOf(
    flow: IssuedMessage["flow"],
    issued: Pick<
      IssuedMessage,
      "address" | "agentId" | "scopes" | "audience" | "nonce" | "expiresAt"
    > & { readonly issuedAt: Date },
  ): string {
    const fields = {
      domain,
      address: issued.address,
      statement: signInStatement({
        flow,
        domain,
        agentId: issued.agentId,
        scopes: issued.scopes,
        audience: issued.audience,
      }),
      uri: options.uri,
      chainId,
      nonce: issued.nonce,
      issuedAt: issued.issuedAt.toISOString(),
      expirationTime: issued.expiresAt.toISOString(),
    };
    if (flow !== "agent" || issued.agentId === null) {
      return new SiweMessage({ ...fields, version: "1" }).prepareMessage();
    }
    return agentMessage({
      ...fields,
      agentId: issued.agentId,
      registry: options.identityRegistry,
    });
  }

  /** The issued message that was signed, if it can still be used. Checks no signature. */
  async function issuedFor(
    flow: IssuedMessage["flow"],
    signed: SignedMessage,
  ): Promise<StoredMessage> {
    const issued = NONCE.test(signed.nonce) ? await store.find(signed.nonce) : null;
    // A nonce is valid in one flow only: a signature for one never serves another.
    if (issued?.flow !== flow) throw new ApiError("NONCE_EXPIRED");
    assertUsable(issued, clock());
    if (signed.message !== issued.message) {
      throw new ApiError("INVALID_SIGNATURE", {
        message: "The message is not the one that was issued with this nonce.",
        details: { reason: "MESSAGE_CHANGED", field: changedField(issued.message, signed.message) },
      });
    }
    return issued;
  }

  /** Everything that a signed message must pass, the cheap checks first. Consumes nothing. */
  async function check(flow: Flow, signed: SignedMessage): Promise<SignInSession> {
    const issued = await issuedFor(flow, signed);
    // Each step is bounded too, and they would add up.
    const confirmed = await inTime(() => askChain(issued, signed));
    const { tier } = confirmed;
    if (tier < issued.minTier) {
      throw new ApiError("TIER_TOO_LOW", { details: { tier, minTier: issued.minTier } });
    }
    return sessionOf(flow, issued, confirmed, domain);
  }

  function inTime<T>(ask: () => Promise<T>): Promise<T> {
    return bounded(options.chainTimeoutMs, ask, () => new ApiError("CHAIN_UNAVAILABLE"));
  }

  /**
   * The signature first: a request of any other signer costs the index and the chain nothing more.
   */
  async function askChain(issued: IssuedMessage, signed: SignedMessage) {
    const { address, agentId } = issued;
    await signatures.assertSigned(address, issued.message, signed.signature);
    return agentId === null
      ? choosePassport({ live, index }, address)
      : confirmPassport(live, address, agentId);
  }

  async function signedIn(session: SignInSession): Promise<SignedIn> {
    return {
      accessToken: await tokens.issue(session, session.sessionId),
      expiresIn: TOKEN_LIFETIME_SECONDS,
      tier: session.tier,
      profile: await options.profiles.of(session),
      scopes: session.scopes,
    };
  }

  /**
   * Says why a nonce that was fine when the request came could not be used up: another request was
   * faster, or time.
   */
  async function lostNonce(nonce: string): Promise<ApiError> {
    const issued = await store.find(nonce);
    return new ApiError(issued?.usedAt ? "NONCE_USED" : "NONCE_EXPIRED");
  }

  return {
    challengeWallet: (request) => challenge("wallet", request),
    challengeAgent: (request) => challenge("agent", request),
    challengeAccount: (address) =>
      challenge("account", { address, scopes: ["manage"], minTier: 1 }),

    async verifyWallet(signed) {
      const session = await check("wallet", signed);
      const at = clock();
      const expiresAt = new Date(at.getTime() + ONE_TIME_LIFETIME_MS);
      const code = randomBytes(32).toString("base64url");
      const stored = { codeHash: hashOfSecret(code), session, expiresAt };
      if (!(await store.consumeForCode(signed.nonce, at, stored))) {
        throw await lostNonce(signed.nonce);
      }
      return { code, expiresAt };
    },

    async verifyAgent(signed) {
      const session = await check("agent", signed);
      const at = clock();
      const opened = { session, expiresAt: tokenEnd(at) };
      if (!(await store.consume(signed.nonce, at, opened))) throw await lostNonce(signed.nonce);
      return signedIn(session);
    },

    async verifyAccount(signed) {
      const { address: account, message } = await issuedFor("account", signed);
      await inTime(() => signatures.assertSigned(account, message, signed.signature));
      const at = clock();
      const secret = randomBytes(32).toString("base64url");
      const expiresAt = new Date(at.getTime() + CONSOLE_LIFETIME_SECONDS * 1000);
      const opened = {
        sessionId: randomUUID(),
        account,
        audience: domain,
        secretHash: hashOfSecret(secret),
        expiresAt,
      };
      if (!(await store.consumeForCookie(signed.nonce, at, opened))) {
        throw await lostNonce(signed.nonce);
      }
      return { account, secret, seconds: CONSOLE_LIFETIME_SECONDS, expiresAt };
    },

    async redeemCode(code) {
      const at = clock();
      const session = await store.redeem(hashOfSecret(code), at);
      if (session === "used") throw new ApiError("CODE_USED");
      if (session === "expired") throw new ApiError("CODE_EXPIRED");
      await store.open(session.sessionId, at, tokenEnd(at));
      return signedIn(session);
    },
  };
}

function assertUsable(issued: StoredMessage, at: Date): void {
  if (issued.usedAt !== null) throw new ApiError("NONCE_USED");
  // Written as "is inside", so that an invalid date is refused.
  if (!(at < issued.expiresAt)) throw new ApiError("NONCE_EXPIRED");
}

/**
 * The first line of the issued message that another text lacks: its label, `domain` and `address`
 * for the first two, `text` for a line without a label. Only the issued text is parsed.
 */
function changedField(issued: string, answered: string): string {
  const others = answered.split("\n");
  const lines = issued.split("\n");
  const index = lines.findIndex((line, i) => line !== others[i]);
  if (index === 0) return "domain";
  if (index === 1) return "address";
  const [label, value] = (lines[index] ?? "").split(": ");
  return value === undefined ? "text" : (label ?? "text");
}

function sessionOf(
  flow: Flow,
  issued: IssuedMessage,
  confirmed: ConfirmedPassport,
  domain: string,
): SignInSession {
  const { passport, tier, block, blockTime } = confirmed;
  const holder = issued.address;
  const scopes = grantedScopes(issued.scopes, tier);
  // A soul names the agent only while its sealer decides for it: a buyer of a sealed soul's
  // passport must not sign in under its name, and no passport's own file can give a name.
  const soul =
    passport.soul && isWithSealer({ ...passport.soul, owner: holder }) ? passport.soul : null;
  return {
    sessionId: randomUUID(),
    flow,
    holder,
    agentId: passport.id,
    agentName: soul?.name ?? passportName(passport.id),
    tokenId: soul?.tokenId ?? null,
    chainId: issued.chainId,
    tier,
    scopes,
    audience: issued.audience ?? domain,
    manages: scopes.includes("manage") ? (issued.agentId === null ? "account" : "agent") : null,
    humanVerified: tier === 3,
    checkedBlock: block,
    checkedAt: blockTime,
    soul:
      soul === null || tier === 1
        ? null
        : {
            tokenId: soul.tokenId,
            sealer: soul.sealer,
            agentType: soul.agentType,
            epoch: soul.epoch,
            soulHash: soul.soulHash,
            soulMerkleRoot: soul.soulMerkleRoot,
          },
  };
}

/** The latest end of a token that is issued now. */
function tokenEnd(at: Date): Date {
  return new Date(at.getTime() + TOKEN_LIFETIME_SECONDS * 1000);
}

function manageForOthers(domain: string): ApiError {
  const message = `A token with scope manage is issued for ${domain} only. Leave out the audience, or the scope manage`;
  return badRequest("audience", message);
}

function otherChain(chainId: number): ApiError {
  const message = `This service signs in on chain ${chainId} only`;
  return badRequest("chainId", message);
}
