import type { AgentProfile } from "../../api/features/profile/index.ts";
import { dateOf } from "../../api/kernel/chain-time.ts";
import type { IndexedPoint } from "../../api/soul/index-reads.ts";
import { type SoulStanding, soulStanding } from "../../api/soul/standing.ts";
import { DateTime, Notice } from "../ui/components.tsx";

/** Where a visitor checks the soul, and the root that its fields are proven against. */
export function certificateProof({ tokenId }: AgentProfile): string | undefined {
  return tokenId === null ? undefined : `/proofs/certificates/${tokenId}`;
}

interface StandingWords {
  readonly tone: "good" | "caution" | "bad" | "info";
  readonly badge: string;
  readonly title: string;
  readonly meaning: string;
}

/**
 * The meaning of the states in docs/architecture.md for a visitor who considers using the agent.
 */
const STANDINGS: Readonly<Record<SoulStanding, StandingWords>> = {
  valid: {
    tone: "good",
    badge: "Sealed and valid",
    title: "Sealed and valid",
    meaning: "The sealer of this soul still owns the passport that it is bound to.",
  },
  suspended: {
    tone: "caution",
    badge: "Suspended",
    title: "The passport left the owner who sealed the soul",
    meaning:
      "Nothing that its owner granted counts, and nothing says that this is still the same agent, until the passport's owner reseals the soul. A passport that came back does not end this.",
  },
  not_linked: {
    tone: "bad",
    badge: "Passport not readable",
    title: "The owner of its passport cannot be read",
    meaning:
      "The soul was sealed, and it is not known who holds its passport now. Do not rely on it.",
  },
  not_sealed: {
    tone: "info",
    badge: "Provisional",
    title: "This soul is not sealed yet",
    meaning: "It is registered, but its owner has not vouched for it with a seal.",
  },
  burned: {
    tone: "bad",
    badge: "Burned",
    title: "This agent's soul was burned by its owner",
    meaning: "It cannot act any more. What it did stays on record.",
  },
};

const UNCLAIMED: StandingWords = {
  tone: "info",
  badge: "Not claimed yet",
  title: "This agent has not been claimed yet",
  meaning: "It registered itself. Until its owner signs, nothing about it is on chain.",
};

export function standingOf({ genesisStatus, soulValidity, tokenId }: AgentProfile): StandingWords {
  if (tokenId === null) return UNCLAIMED;
  return STANDINGS[soulStanding({ genesisStatus, soulValidity: soulValidity.status })];
}

interface KnownAt {
  readonly profile: AgentProfile;
  readonly at: IndexedPoint;
}

export function Standing({ profile, at }: KnownAt) {
  const { tone, title, meaning } = standingOf(profile);
  const { standingSince, tokenId } = profile;
  return (
    <Notice tone={tone} title={title}>
      <p>{meaning}</p>
      {tokenId === null ? null : (
        <p>
          {standingSince === null ? null : (
            <>
              Since <DateTime at={standingSince} />.{" "}
            </>
          )}
          <Known profile={profile} at={at} />
        </p>
      )}
      <p>
        A passport can be sold at any moment. Before you decide anything by this page, ask
        <code> isValid </code>
        on chain.
      </p>
    </Notice>
  );
}

/** With a late index, who holds the passport is read from the chain itself. */
export function Known({ profile: { soulValidity }, at }: KnownAt) {
  const indexed = dateOf(at.timestamp);
  const checked = soulValidity.lastChecked ?? indexed;
  if (checked > indexed) {
    return (
      <>
        Read from the chain, in its block of <DateTime at={checked} />.
      </>
    );
  }
  return (
    <>
      Known as of block {NUMBER.format(at.block)}, of <DateTime at={indexed} />.
    </>
  );
}

const NUMBER = new Intl.NumberFormat("en-GB");
