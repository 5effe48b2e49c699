import type { Platform } from "../../api/platform/build.ts";
import type { SoulReads } from "../../api/soul/build.ts";
import { createCertificateDrawings } from "./drawings.chain.ts";
import { keptPictures } from "./pictures.ts";
import { createRecordReads } from "./records.store.ts";
import { currentRecords } from "./records.ts";

/** Longest wait for the chain's drawing. */
const PICTURE_TIMEOUT_MS = 2_000;

type Options = Pick<Platform, "deployment" | "pool" | "chain"> & Pick<SoulReads, "age">;

/** Reads of the pages to look around. */
export function buildExplorer({ deployment, pool, chain, age }: Options) {
  return {
    records: currentRecords(createRecordReads(pool), age),
    certificatePictures: keptPictures(
      createCertificateDrawings({
        client: chain,
        address: deployment.contracts.soulCertificate,
        timeoutMs: PICTURE_TIMEOUT_MS,
      }),
    ),
  };
}
