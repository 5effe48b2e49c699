import { randomBytes } from "node:crypto";
import plainHttp, { type RequestOptions } from "node:http";
import https from "node:https";
import { createPublicClient, type Hex, http, type PublicClient, webSocket } from "viem";
import type { Deployment } from "../../api/platform/config/deployment.ts";
import { redactText } from "../../api/platform/log/log.ts";
import { type Finding, fault, nodeReason, ok, reason, warning } from "./finding.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 10_000;
/** A head older than this is a node that stands still, or a wrong clock. */
const OLD_HEAD_SECONDS = 300;
/** A local chain mines only when it is used. */
const LOCAL_CHAIN = 31_337;
/** More is worth a warning: a node or an index behind the newest head. */
export const MAX_BLOCKS_BEHIND = 10n;

export function connectChain(url: string): PublicClient {
  return createPublicClient({ transport: http(url, { timeout: TIMEOUT_MS, retryCount: 1 }) });
}

/** Whether the node is on the deployment's chain, synchronised, and answers what the indexer asks. */
export async function checkNode(
  client: PublicClient,
  deployment: Deployment | null,
  host: string,
): Promise<{ readonly isUsable: boolean; readonly findings: Finding[] }> {
  let chainId: number;
  try {
    chainId = await client.getChainId();
  } catch (error) {
    return {
      isUsable: false,
      findings: [
        fault(
          `The node ${host} of RPC_URL does not answer: ${nodeReason(error, redactText)}`,
          "Correct address and key in RPC_URL, or use another node.",
        ),
      ],
    };
  }
  if (deployment !== null && chainId !== deployment.chainId) {
    return { isUsable: false, findings: [wrongChain("RPC_URL", chainId, deployment, host)] };
  }
  const findings = [...(await headFindings(client, chainId))];
  if (deployment !== null) findings.push(...(await logFindings(client, deployment)));
  return {
    isUsable: true,
    findings:
      findings.length > 0 ? findings : [ok(`The node ${host} answers, on chain ${chainId}.`)],
  };
}

function wrongChain(name: string, chainId: number, deployment: Deployment, host: string): Finding {
  return fault(
    `${host} of ${name} is a node of chain ${chainId}, and the deployment is on chain ${deployment.chainId}.`,
    `Set ${name} to a node of chain ${deployment.chainId}, or SVC_DEPLOYMENT to the file of chain ${chainId}.`,
  );
}

async function headFindings(client: PublicClient, chainId: number): Promise<Finding[]> {
  const syncing = await client
    .request({ method: "eth_syncing" } as never)
    .catch(() => false as unknown);
  if (syncing !== false) {
    return [
      fault("The node is still synchronising.", "Wait until eth_syncing is false, or use another."),
    ];
  }
  const { timestamp } = await client.getBlock();
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (chainId === LOCAL_CHAIN || Math.abs(age) <= OLD_HEAD_SECONDS) return [];
  return [
    warning(
      `The node's newest block is ${Math.abs(age)} s ${age > 0 ? "old" : "in the future"}.`,
      "Compare it with another provider, and this machine's clock with NTP.",
    ),
  ];
}

async function logFindings(client: PublicClient, deployment: Deployment): Promise<Finding[]> {
  const { startBlock, contracts } = deployment;
  const first = `0x${startBlock.toString(16)}` as Hex;
  const head = await client.getBlockNumber({ cacheTime: 0 });
  if (head < BigInt(startBlock)) {
    return [
      fault(
        `The deployment's first block ${startBlock} is after the node's newest, ${head}.`,
        "Set SVC_DEPLOYMENT to the file that npm run deploy wrote, or use a node that is up to date.",
      ),
    ];
  }
  try {
    await client.request({
      method: "eth_getLogs",
      params: [{ address: contracts.soulRegistry, fromBlock: first, toBlock: first }],
    });
    return [];
  } catch (error) {
    return [
      fault(
        `The node has no events of the deployment's first block ${startBlock}: ${reason(error, redactText)}`,
        "Use a node that keeps all events (an archive of states is not needed).",
      ),
    ];
  }
}

/** Nodes of one list whose head is behind the newest of all. The service asks the others. */
export async function checkHeads(
  nodes: readonly { readonly client: PublicClient; readonly host: string }[],
): Promise<Finding[]> {
  const heads = await Promise.all(
    nodes.map(async ({ client, host }) => ({
      host,
      head: await client.getBlockNumber({ cacheTime: 0 }).catch(() => null),
    })),
  );
  const newest = newestOf(heads.map(({ head }) => head));
  if (newest === null) return [];
  return heads.flatMap(({ host, head }) =>
    head === null || newest - head <= MAX_BLOCKS_BEHIND
      ? []
      : [
          warning(
            `The node ${host} of RPC_URL is at block ${head}, ${newest - head} blocks behind the newest of the nodes.`,
            "Wait until it has caught up, or use another node. The others are asked meanwhile.",
          ),
        ],
  );
}

/** @returns the newest block of the nodes, or null when none answers. */
export async function newestHead(urls: readonly string[]): Promise<bigint | null> {
  const heads = await Promise.all(
    urls.map((url) =>
      connectChain(url)
        .getBlockNumber({ cacheTime: 0 })
        .catch(() => null),
    ),
  );
  return newestOf(heads);
}

function newestOf(heads: readonly (bigint | null)[]): bigint | null {
  return heads.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}

/** Whether the socket leads to the same chain. */
export async function checkSocket(
  { RPC_WS_URL: url }: Settings,
  deployment: Deployment | null,
): Promise<Finding[]> {
  if (url === undefined) return [];
  const transport = webSocket(url, { timeout: TIMEOUT_MS, retryCount: 0, reconnect: false });
  const client = createPublicClient({ transport });
  try {
    const chainId = await client.getChainId();
    if (deployment !== null && chainId !== deployment.chainId) {
      return [wrongChain("RPC_WS_URL", chainId, deployment, new URL(url).host)];
    }
    return [ok("The node answers over the socket.")];
  } catch (error) {
    const cause = (await handshakeProblem(url)) ?? nodeReason(error, redactText);
    return [
      fault(
        `The node ${new URL(url).host} does not answer at RPC_WS_URL: ${cause}`,
        "Correct it, or remove it: the index is then up to date within a second or two.",
      ),
    ];
  } finally {
    const socket = await client.transport.getRpcClient().catch(() => null);
    socket?.close();
  }
}

/** @returns why a websocket does not open, which its client does not say; null when it opens. */
function handshakeProblem(url: string): Promise<string | null> {
  const target = new URL(url.replace(/^ws/, "http"));
  const options: RequestOptions = {
    timeout: TIMEOUT_MS,
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
    },
  };
  return new Promise((resolve) => {
    const handshake =
      target.protocol === "https:"
        ? https.request(target, options)
        : plainHttp.request(target, options);
    const end = (problem: string | null) => {
      handshake.destroy();
      resolve(problem);
    };
    handshake.once("upgrade", () => end(null));
    handshake.once("response", ({ statusCode }) =>
      end(`HTTP status ${statusCode}, and no websocket`),
    );
    handshake.once("timeout", () => end(`no answer within ${TIMEOUT_MS / 1000} s`));
    handshake.on("error", (error) => resolve(reason(error, redactText)));
    handshake.end();
  });
}
