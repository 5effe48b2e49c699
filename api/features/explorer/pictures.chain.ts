import type { Address, PublicClient } from "viem";
import { z } from "zod";
import { soulCertificateAbi } from "../../../protocol/generated/abi.ts";
import { bounded } from "../../kernel/bounded.ts";
import type { CertificatePictures } from "./records.ts";

const JSON_URI = "data:application/json;base64,";
const Metadata = z.object({ image: z.string().startsWith("data:image/svg+xml;base64,") });

/** The certificate contract's own drawings, asked anew each time: they show the soul's standing. */
export function createCertificatePictures(options: {
  readonly client: PublicClient;
  readonly address: Address;
  /** Milliseconds that a page waits for one. */
  readonly timeoutMs: number;
}): CertificatePictures {
  const contract = { address: options.address, abi: soulCertificateAbi } as const;
  return {
    async picture(tokenId) {
      try {
        const uri = await bounded(
          options.timeoutMs,
          () =>
            options.client.readContract({
              ...contract,
              functionName: "tokenURI",
              args: [tokenId],
            }),
          () => new Error(`The node did not answer within ${options.timeoutMs} ms.`),
        );
        if (!uri.startsWith(JSON_URI)) return null;
        const json = Buffer.from(uri.slice(JSON_URI.length), "base64").toString("utf8");
        return Metadata.parse(JSON.parse(json)).image;
      } catch {
        // The page has every fact from the index: the picture is left out.
        return null;
      }
    },
  };
}
