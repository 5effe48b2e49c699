import { createPublicClient, http, type PublicClient } from "viem";
import { type CommandInput, type CommandOption, UsageError } from "./command.ts";

/** The option that names the node. */
export const RPC_OPTION: CommandOption = {
  name: "rpc",
  value: "url",
  summary: "A node of the chain, which is trusted",
  variable: "SVC_RPC_URL",
};

/** Time limit for one answer of the node. */
const TIMEOUT_MS = 15_000;

/** A client of the node. @throws UsageError */
export function nodeOf({ option }: CommandInput): PublicClient {
  const url = option("rpc");
  if (url === undefined) throw new UsageError("--rpc is missing: the URL of a node of the chain.");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError("--rpc must be the URL of a node: https://...");
  }
  // Reads of one moment go out as one request.
  const transport = http(url, { timeout: TIMEOUT_MS, retryCount: 1, batch: true });
  return createPublicClient({ transport, cacheTime: 0 });
}
