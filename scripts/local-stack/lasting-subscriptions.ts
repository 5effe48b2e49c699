import type { HardhatPlugin } from "hardhat/types/plugins";

/**
 * Keeps websocket subscriptions alive. Hardhat's node drops a subscription five minutes after it was made, sends no error and
 * leaves the socket open. Its subscriber, such as the indexer, then waits for blocks that never come.
 */
export const lastingSubscriptions: HardhatPlugin = {
  id: "lasting-subscriptions",
  hookHandlers: {
    network: () => import("./lasting-subscriptions/network.ts"),
  },
};
