import pg from "pg";
import { numberToHex, type RpcBlock, type RpcLog } from "viem";
import { readSettings } from "../lib/settings.ts";
import { CONTRACTS } from "./events.ts";

// The floor: every log and its block's time, copied into one table and not decoded.

const BLOCKS_PER_REQUEST = 500;
const CONCURRENCY = 16;

const { rpcUrl, databaseUrl, blocks } = readSettings(["rpcUrl", "databaseUrl", "blocks"]);
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
await client.query(`create table copied (
  block bigint, log_index integer, time bigint, tx text, address text, topics text, data text,
  primary key (block, log_index))`);

const before = process.cpuUsage();
for (let from = 0; from < Number(blocks); from += BLOCKS_PER_REQUEST) {
  const to = Math.min(from + BLOCKS_PER_REQUEST, Number(blocks)) - 1;
  const filter = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
  const address = Object.values(CONTRACTS);
  const logs = (await ask("eth_getLogs", [{ ...filter, address }])) as RpcLog[];
  const times = await timesOf([...new Set(logs.map((log) => log.blockNumber ?? "0x0"))]);
  const columns = [
    logs.map((log) => Number(log.blockNumber)),
    logs.map((log) => Number(log.logIndex)),
    logs.map((log) => times.get(log.blockNumber ?? "0x0") ?? 0),
    logs.map((log) => log.transactionHash),
    logs.map((log) => log.address),
    logs.map((log) => log.topics.join()),
    logs.map((log) => log.data),
  ];
  await client.query(
    `insert into copied select * from unnest(
      $1::bigint[], $2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[])`,
    columns,
  );
}
const { user, system } = process.cpuUsage(before);
await client.query("drop table copied");
await client.end();
process.send?.({ processorMs: (user + system) / 1_000 });

async function timesOf(numbers: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  const left = numbers.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const number of left) {
        const block = (await ask("eth_getBlockByNumber", [number, false])) as RpcBlock;
        times.set(number, Number(block.timestamp));
      }
    }),
  );
  return times;
}

async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}
