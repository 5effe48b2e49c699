import type { AgentProfile } from "../profile/index.ts";

/** Whether an agent may be relied on, as a picture of it says it: with few words, and none that promises more than is known. */
export interface PictureStanding {
  readonly word: "valid" | "suspended" | "not linked" | "not sealed" | "burned" | "passport only";
  /** Text on `fill`, with a contrast of at least 4.5. */
  readonly ink: string;
  readonly fill: string;
}

const GOOD = { ink: "#ffffff", fill: "#1d6334" };
const CAUTION = { ink: "#ffffff", fill: "#8a5500" };
const BAD = { ink: "#ffffff", fill: "#98271b" };
const NEUTRAL = { ink: "#ffffff", fill: "#565c66" };

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
  if (genesisStatus === "BURNED") return { word: "burned", ...BAD };
  if (genesisStatus === "PROVISIONAL") return { word: "not sealed", ...NEUTRAL };
  if (soulValidity.status === "valid") return { word: "valid", ...GOOD };
  if (soulValidity.status === "suspended") return { word: "suspended", ...CAUTION };
  return { word: "not linked", ...BAD };
}
