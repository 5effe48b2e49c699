import { drizzle } from "drizzle-orm/node-postgres";
import { bytesToHex, createWalletClient, getAddress, type Hex, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { createLocalStorage } from "../../api/platform/storage/local.ts";
import { createPermanentStorage } from "../../api/platform/storage/permanent.ts";
import { chronicleAnchorAbi } from "../../protocol/generated/abi.ts";
import { archiveIdOf, batchList, buildChronicleTree } from "../../protocol/index.ts";
import { pool, settings } from "./bare-settings.ts";

interface Row {
  readonly token_id: string;
  readonly chronicle_id: string;
  readonly leaf: Buffer;
  readonly archive_id: string;
}

const contract = {
  address: getAddress(settings.chronicleAnchor),
  abi: chronicleAnchorAbi,
} as const;
const wallet = createWalletClient({
  account: privateKeyToAccount(settings.anchorerKey as Hex),
  chain: hardhat,
  transport: http(settings.rpcUrl),
  pollingInterval: 50,
}).extend(publicActions);
const archive = createPermanentStorage(
  createItemSigner(settings.storageKey as Hex),
  createLocalStorage(drizzle(pool), () => new Date()),
);

/** Anchors what is queued as one batch, and leaves the rows that the service would leave. Resolves to their number. */
export async function anchorBatch(): Promise<number> {
  const { rows } = await pool.query<Row>({
    name: "queued",
    text: `select s.token_id, s.chronicle_id, s.leaf, c.archive_id from app.chronicle_state s
      join app.chronicle c using (token_id, chronicle_id)
      where s.batch_id is null and s.tx_hash is null order by s.leaf`,
  });
  const tree = buildChronicleTree(Buffer.concat(rows.map(({ leaf }) => leaf)));
  const lastId = await wallet.readContract({ ...contract, functionName: "batchCount" });
  const previousRoot = await wallet.readContract({
    ...contract,
    functionName: "rootOf",
    args: [lastId],
  });
  const batchId = lastId + 1n;
  const leafCount = rows.length;
  const head = { chainId: hardhat.id, chronicleAnchor: contract.address, batchId, previousRoot };
  const entries = rows.map((row) =>
    batchList.entry({
      leaf: bytesToHex(row.leaf),
      tokenId: BigInt(row.token_id),
      chronicleId: BigInt(row.chronicle_id),
      archiveId: row.archive_id,
    }),
  );
  const list =
    batchList.head({ ...head, leafCount }) + entries.join(batchList.separator) + batchList.tail;
  const archiveId = await archive.archive({
    data: Buffer.from(list),
    contentType: "application/json",
  });
  const txHash = await wallet.writeContract({
    ...contract,
    functionName: "anchor",
    args: [batchId, tree.root, previousRoot, BigInt(leafCount), archiveIdOf(archiveId)],
  });
  const { blockNumber } = await wallet.waitForTransactionReceipt({ hash: txHash });

  await pool.query({
    name: "batch",
    text: `insert into app.chronicle_batch (id, stage, leaf_count, root, previous_root, archive_id,
        tx_hash, block_number, created_at, anchored_at, confirmed_at, announced_at)
      values ($1, 'confirmed', $2, $3, $4, $5, $6, $7, now(), now(), now(), now())`,
    values: [batchId, leafCount, tree.root, previousRoot, archiveId, txHash, blockNumber],
  });
  await pool.query({
    name: "members",
    text: `update app.chronicle_state s set batch_id = $1, proof = m.proof
      from unnest($2::bytea[], $3::bytea[]) as m (leaf, proof)
      where s.leaf = m.leaf and s.batch_id is null and s.tx_hash is null`,
    values: [
      batchId,
      rows.map(({ leaf }) => leaf),
      rows.map((_row, position) => Buffer.from(tree.proofBytes(position))),
    ],
  });
  return leafCount;
}
