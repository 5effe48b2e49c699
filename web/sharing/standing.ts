import type { AgentProfile } from "../../api/features/profile/index.ts";
import { type SoulStanding, soulStanding } from "../../api/soul/standing.ts";

/** Whether an agent may be relied on, as a picture of it says it: with few words, and none that promises more than is known. */
export interface PictureStanding {
  readonly word: "valid" | "suspended" | "not linked" | "not sealed" | "burned" | "passport only";
  /** Text on `fill`, with a contrast of at least 4.5. */
  readonly ink: string;
  readonly fill: string;
}

const NEUTRAL = { ink: "#ffffff", fill: "#565c66" };
const BAD = { ink: "#ffffff", fill: "#98271b" };

const STANDINGS: Readonly<Record<SoulStanding, PictureStanding>> = {
  valid: { word: "valid", ink: "#ffffff", fill: "#1d6334" },
  suspended: { word: "suspended", ink: "#ffffff", fill: "#8a5500" },
  not_linked: { word: "not linked", ...BAD },
  not_sealed: { word: "not sealed", ...NEUTRAL },
  burned: { word: "burned", ...BAD },
};

/** The standing of what a profile describes. */
export function pictureStanding({
  genesisStatus,
  soulValidity,
  tokenId,
  erc8004AgentId,
}: Pick<
  AgentProfile,
  "genesisStatus" | "soulValidity" | "tokenId" | "erc8004AgentId"
>): PictureStanding {
  if (tokenId === null) {
    return { word: erc8004AgentId === null ? "not sealed" : "passport only", ...NEUTRAL };
  }
  return STANDINGS[soulStanding({ genesisStatus, soulValidity: soulValidity.status })];
}
