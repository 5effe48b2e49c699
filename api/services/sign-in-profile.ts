import type { Address, Hex } from "viem";
import { agentTypeName, didOf } from "../../protocol/index.ts";
import type { LiveSoul } from "./live-state.ts";
import type { TokenSubject } from "./tokens.ts";

export const FLOWS = ["wallet", "agent"] as const;
export type Flow = (typeof FLOWS)[number];

/** One completed sign-in, as it was true in block `checkedBlock`. */
export interface SignInSession extends TokenSubject {
  readonly flow: Flow;
  /** The soul that tier 2 rests on; null below. */
  readonly soul: Omit<LiveSoul, "name" | "valid"> | null;
}

/** What was sealed. */
export interface GenesisRecord {
  readonly tokenId: number;
  readonly genesisStatus: "SEALED";
  readonly agentType: string;
  readonly epoch: number;
  readonly sealer: Address;
  readonly soulHash: Hex;
  readonly soulMerkleRoot: Hex;
}

/** The caller's own profile in a token response. The first seven fields are always there. */
export interface SignInProfile {
  readonly agentId: number;
  readonly agentName: string;
  readonly holder: Address;
  readonly erc8004AgentId: number;
  readonly chainId: number;
  readonly did: string;
  readonly humanVerified: boolean;
  /** Certificate of the sealed soul, from tier 2. */
  readonly tokenId?: number;
  /** From tier 2, in the wallet flow or with scope soul. Null: no score yet. */
  readonly soulAlignment?: number | null;
  /** Scope soul. */
  readonly soulHash?: Hex;
  readonly genesisRecord?: GenesisRecord;
  /** Scope certs: the soulbound certificate. */
  readonly certs?: { readonly contract: Address; readonly tokenId: number }[];
  /** Scope chronicles, the newest first. */
  readonly chronicles?: never[];
  /** Scope services: endpoints of the registration file. */
  readonly services?: never[];
  /** Scope profile: the public identity. */
  readonly bio?: null;
  readonly category?: null;
  readonly tags?: never[];
  readonly contacts?: never[];
}

/**
 * The profile of a sign-in: what always belongs to it, and what its granted scopes add. What nobody has published is empty or
 * null, never absent.
 */
export function signInProfile(session: SignInSession, certificate: Address): SignInProfile {
  const { soul, scopes } = session;
  const agentId = Number(session.agentId);
  const profile: SignInProfile = {
    agentId,
    agentName: session.agentName,
    holder: session.holder,
    erc8004AgentId: agentId,
    chainId: session.chainId,
    did: didOf(session.chainId, session.agentName),
    humanVerified: session.humanVerified,
    ...(scopes.includes("services") ? { services: [] } : {}),
  };
  if (soul === null) return profile;

  const tokenId = Number(soul.tokenId);
  return {
    ...profile,
    tokenId,
    ...(session.flow === "wallet" || scopes.includes("soul") ? { soulAlignment: null } : {}),
    ...(scopes.includes("soul")
      ? { soulHash: soul.soulHash, genesisRecord: genesisRecord(soul, tokenId) }
      : {}),
    ...(scopes.includes("certs") ? { certs: [{ contract: certificate, tokenId }] } : {}),
    ...(scopes.includes("chronicles") ? { chronicles: [] } : {}),
    ...(scopes.includes("profile") ? { bio: null, category: null, tags: [], contacts: [] } : {}),
  };
}

function genesisRecord(soul: NonNullable<SignInSession["soul"]>, tokenId: number): GenesisRecord {
  return {
    tokenId,
    genesisStatus: "SEALED",
    agentType: agentTypeName(soul.agentType),
    epoch: soul.epoch,
    sealer: soul.sealer,
    soulHash: soul.soulHash,
    soulMerkleRoot: soul.soulMerkleRoot,
  };
}
