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
import { isWithSealer } from "../../soul/with-sealer.ts";
import type { DetailsIndex } from "../profile/index.ts";
import type { ConfirmedPassport, PassportIndex, PassportSources } from "./passport-choice.ts";
import { choosePassport, confirmPassport } from "./passport-choice.ts";
import { type ProfileSources, type SignInSession, signInProfile } from "./profile.ts";
import { TOKEN_LIFETIME_SECONDS, type Tokens } from "./tokens/tokens.ts";

/** Seconds that a sign-in to the console lasts: eight hours. It is never prolonged. */
const CONSOLE_LIFETIME_SECONDS = 8 * 60 * 60;

/** How long a nonce, and then a code, can be used: 5 minutes. */
const ONE_TIME_LIFETIME_MS = 5 * 60 * 1000;

/** `account` opens the console. */
type Flow = SignInSession["flow"] | "account";

/** A message that was issued to be signed. */
export interface IssuedMessage {
  readonly nonce: string;
  readonly flow: Flow;
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

/** What a message to sign is asked for with. */
export interface ChallengeRequest {
  readonly address: Address;
  /** The passport to sign in with; by default the service chooses. */
  readonly agentId?: bigint | undefined;
  readonly scope: readonly Scope[];
  readonly minTier: Tier;
  /** Must be the service's own chain when it is given. */
  readonly chainId?: number | undefined;
  /** Origin of the relying party that the token is for, as `isAudience` accepts it; by default this service. */
  readonly audience?: string | undefined;
}

export interface SignedMessage {
  readonly nonce: string;
  readonly message: string;
  readonly signature: Hex;
}

/**
 * What sign-in with an on-chain identity works with. Every rejection leaves the nonce or code unchanged, so that no
 * caller can use up another's: NONCE_EXPIRED and CODE_EXPIRED (also for unknown ones), NONCE_USED,
 * CODE_USED, INVALID_SIGNATURE (also for a message that is not the issued one), NOT_OWNER,
 * TIER_TOO_LOW, CHAIN_UNAVAILABLE.
 */
export interface SignIn extends PassportSources, ProfileSources {
  readonly index: PassportIndex & DetailsIndex;
  readonly store: SignInStore;
  readonly signatures: MessageSignatures;
  readonly tokens: Tokens;
  readonly clock: Clock;
  /** Named in messages. From the configuration: a Host header is the client's word. */
  readonly domain: string;
  /** Origin under which the world reaches this service. */
  readonly uri: string;
  readonly chainId: number;
  readonly identityRegistry: Address;
  /** Milliseconds that one verify may wait for the node in all. */
  readonly chainTimeoutMs: number;
}

type Clock = () => Date;

/** The form of our own nonces: anything else was never issued. */
const NONCE = /^[0-9a-f]{32}$/;

/**
 * A message to sign.
 *
 * @throws ApiError INVALID_REQUEST for another chain, and for scope manage with another audience.
 */
export async function challenge(
  signIn: SignIn,
  flow: Flow,
  { address, scope: scopes, minTier, ...request }: ChallengeRequest,
) {
  const { domain, chainId } = signIn;
  if (request.chainId !== undefined && request.chainId !== chainId) {
    throw badRequest("chainId", `This service signs in on chain ${chainId} only`);
  }
  const audience = request.audience === signIn.uri ? null : (request.audience ?? null);
  if (audience !== null && scopes.includes("manage")) {
    const message = `A token with scope manage is issued for ${domain} only. Leave out the audience, or the scope manage`;
    throw badRequest("audience", message);
  }
  const issuedAt = signIn.clock();
  const asked = {
    nonce: randomBytes(16).toString("hex"),
    flow,
    address,
    agentId: request.agentId ?? null,
    chainId,
    scopes,
    minTier,
    audience,
    expiresAt: new Date(issuedAt.getTime() + ONE_TIME_LIFETIME_MS),
  };
  const message = messageOf(signIn, asked, issuedAt);
  await signIn.store.issue({ ...asked, message }, issuedAt);
  return { nonce: asked.nonce, message, expiresAt: asked.expiresAt };
}

/** A message for the console: of an account, whether it owns a passport or not. */
export function challengeAccount(signIn: SignIn, address: Address) {
  return challenge(signIn, "account", { address, scope: ["manage"], minTier: 1 });
}

function messageOf(
  { domain, uri, identityRegistry }: SignIn,
  issued: Omit<IssuedMessage, "message">,
  issuedAt: Date,
): string {
  const { flow, address, agentId, chainId, scopes, audience, nonce } = issued;
  const fields = {
    domain,
    address,
    statement: signInStatement({ flow, domain, agentId, scopes, audience }),
    uri,
    chainId,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expirationTime: issued.expiresAt.toISOString(),
  };
  return flow === "agent" && agentId !== null
    ? agentMessage({ ...fields, agentId, registry: identityRegistry })
    : new SiweMessage({ ...fields, version: "1" }).prepareMessage();
}

/** Wallet flow: the code that a signed message buys. It can be used once. */
export async function verifyWallet(signIn: SignIn, signed: SignedMessage) {
  const session = await check(signIn, "wallet", signed);
  const at = signIn.clock();
  const expiresAt = new Date(at.getTime() + ONE_TIME_LIFETIME_MS);
  const code = randomBytes(32).toString("base64url");
  const stored = { codeHash: hashOfSecret(code), session, expiresAt };
  if (!(await signIn.store.consumeForCode(signed.nonce, at, stored))) {
    throw await lostNonce(signIn, signed.nonce);
  }
  return { code, expiresAt };
}

/** Wallet flow: the token that the code of `verifyWallet` buys. */
export async function redeemCode(signIn: SignIn, code: string) {
  const at = signIn.clock();
  const session = await signIn.store.redeem(hashOfSecret(code), at);
  if (session === "used") throw new ApiError("CODE_USED");
  if (session === "expired") throw new ApiError("CODE_EXPIRED");
  await signIn.store.open(session.sessionId, at, tokenEnd(at));
  return signedIn(signIn, session);
}

/** Agent flow: the token that a signed message buys. */
export async function verifyAgent(signIn: SignIn, signed: SignedMessage) {
  const session = await check(signIn, "agent", signed);
  const at = signIn.clock();
  const opened = { session, expiresAt: tokenEnd(at) };
  if (!(await signIn.store.consume(signed.nonce, at, opened))) {
    throw await lostNonce(signIn, signed.nonce);
  }
  return signedIn(signIn, session);
}

/** Opens a session of the console. Its cookie holds `secret` for so many seconds. */
export async function verifyAccount(signIn: SignIn, signed: SignedMessage) {
  const { signatures, clock, store, domain } = signIn;
  const { address: account, message } = await issuedFor(signIn, "account", signed);
  await inTime(signIn, () => signatures.assertSigned(account, message, signed.signature));
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
    throw await lostNonce(signIn, signed.nonce);
  }
  return { account, secret, seconds: CONSOLE_LIFETIME_SECONDS, expiresAt };
}

/** The issued message that was signed, if it can still be used. Checks no signature. */
async function issuedFor(
  { store, clock }: SignIn,
  flow: Flow,
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
async function check(
  signIn: SignIn,
  flow: SignInSession["flow"],
  signed: SignedMessage,
): Promise<SignInSession> {
  const issued = await issuedFor(signIn, flow, signed);
  // Each step is bounded too, and they would add up.
  const confirmed = await inTime(signIn, () => askChain(signIn, issued, signed));
  const { tier } = confirmed;
  if (tier < issued.minTier) {
    throw new ApiError("TIER_TOO_LOW", { details: { tier, minTier: issued.minTier } });
  }
  return sessionOf(flow, issued, confirmed, signIn.domain);
}

function inTime<T>({ chainTimeoutMs }: SignIn, ask: () => Promise<T>): Promise<T> {
  return bounded(chainTimeoutMs, ask, () => new ApiError("CHAIN_UNAVAILABLE"));
}

/** The signature first: a request of any other signer costs the index and the chain nothing more. */
async function askChain(signIn: SignIn, issued: IssuedMessage, signed: SignedMessage) {
  const { address, agentId } = issued;
  await signIn.signatures.assertSigned(address, issued.message, signed.signature);
  return agentId === null
    ? choosePassport(signIn, address)
    : confirmPassport(signIn.live, address, agentId);
}

async function signedIn(signIn: SignIn, session: SignInSession) {
  return {
    accessToken: await signIn.tokens.issue(session, session.sessionId),
    tokenType: "Bearer" as const,
    expiresIn: TOKEN_LIFETIME_SECONDS,
    tier: session.tier,
    profile: await signInProfile(signIn, session),
    scopes: [...session.scopes],
  };
}

/** Why a nonce that was fine when the request came could not be used up: another request was faster, or time. */
async function lostNonce({ store }: SignIn, nonce: string): Promise<ApiError> {
  const issued = await store.find(nonce);
  return new ApiError(issued?.usedAt ? "NONCE_USED" : "NONCE_EXPIRED");
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
  flow: SignInSession["flow"],
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
