import type { PublicClient } from "viem";

/** The node's answers from which a score is computed again. */
export type AlignmentClient = Pick<
  PublicClient,
  "getChainId" | "getBlockNumber" | "getBlock" | "readContract" | "request"
>;
