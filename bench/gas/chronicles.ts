import { zeroAddress, zeroHash } from "viem";
import { chronicleAnchorAbi } from "../../protocol/generated/abi.ts";
import type { Comparison } from "../lib/report.ts";
import { easAbi } from "./peers.ts";
import { easSchema, hashOf, type World } from "./world.ts";

const BATCH = 1_000;
/** Records per attestation call: more of them hardly change the cost per record. */
const ATTESTATIONS = 10;

/**
 * One anchored batch of 1,000 chronicles, compared with one EAS attestation of one word for each.
 */
export async function compareChronicles(world: World): Promise<readonly Comparison[]> {
  const { service, gasOf, at } = world;
  const root = (batch: bigint) => hashOf(`root ${batch}`);
  const anchor = (batch: bigint) =>
    gasOf(
      service.writeContract({
        address: at.anchor,
        abi: chronicleAnchorAbi,
        functionName: "anchor",
        args: [
          batch,
          root(batch),
          batch === 1n ? zeroHash : root(batch - 1n),
          BigInt(BATCH),
          hashOf("the leaves"),
        ],
      }),
    );
  // The first call also changes the counter from zero.
  await anchor(1n);
  const perChronicle = (await anchor(2n)) / BATCH;

  const schema = await easSchema(world, "bytes32 contentHash");
  const data = (text: string) => ({
    recipient: zeroAddress,
    expirationTime: 0n,
    revocable: false,
    refUID: zeroHash,
    data: hashOf(text),
    value: 0n,
  });
  const eas = { address: at.eas, abi: easAbi } as const;
  const single = await gasOf(
    service.writeContract({
      ...eas,
      functionName: "attest",
      args: [{ schema, data: data("alone") }],
    }),
  );
  const many = await gasOf(
    service.writeContract({
      ...eas,
      functionName: "multiAttest",
      args: [
        [
          {
            schema,
            data: Array.from({ length: ATTESTATIONS }, (_, index) => data(`chronicle ${index}`)),
          },
        ],
      ],
    }),
  );
  const compare = (name: string, value: number): Comparison => ({
    what: `anchor, per chronicle of ${BATCH.toLocaleString("en-US")}`,
    ours: perChronicle,
    peer: { name, value },
    aim: { text: "at most 60", atMost: 60 },
    bound:
      "two words written (the root and the counter), the event and the transaction's base cost.",
  });
  return [
    compare("one EAS attestation", single),
    compare(`an EAS attestation among ${ATTESTATIONS}`, many / ATTESTATIONS),
  ];
}
