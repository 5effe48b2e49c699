import type { Address, PublicClient } from "viem";
import { z } from "zod";
import { bounded } from "../../api/kernel/bounded.ts";
import { ApiError } from "../../api/kernel/errors.ts";
import { soulCertificateAbi } from "../../protocol/generated/abi.ts";
import type { CertificateDrawings } from "./pictures.ts";

const JSON_URI = "data:application/json;base64,";
const SVG_URI = "data:image/svg+xml;base64,";
const Metadata = z.object({ image: z.string().startsWith(SVG_URI) });

/** The certificate contract's own drawings. */
export function createCertificateDrawings(options: {
  readonly client: PublicClient;
  readonly address: Address;
  /** Milliseconds that a caller waits for one. */
  readonly timeoutMs: number;
}): CertificateDrawings {
  const contract = { address: options.address, abi: soulCertificateAbi } as const;
  return {
    async drawing(tokenId, blockNumber) {
      try {
        const uri = await bounded(
          options.timeoutMs,
          () =>
            options.client.readContract({
              ...contract,
              functionName: "tokenURI",
              args: [tokenId],
              blockNumber,
            }),
          () => new Error(`The node did not answer within ${options.timeoutMs} ms.`),
        );
        if (!uri.startsWith(JSON_URI)) throw new Error("The token's URI has another form.");
        const { image } = Metadata.parse(JSON.parse(decoded(uri.slice(JSON_URI.length))));
        return decoded(image.slice(SVG_URI.length));
      } catch (cause) {
        throw new ApiError("CHAIN_UNAVAILABLE", { cause });
      }
    },
  };
}

function decoded(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}
