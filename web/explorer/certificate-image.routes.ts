import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../../api/kernel/errors.ts";
import { aboutValidSeal } from "../../api/platform/http/caching.ts";
import { contentTag, isHeld } from "../../api/platform/http/conditional.ts";
import { reflectsBlock } from "../../api/platform/http/indexed-block.ts";
import { createRouter, errorResponses } from "../../api/platform/http/router.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";
import { operations } from "../operation-rules.ts";
import type { CertificatePictures } from "./pictures.ts";
import type { RecordReads } from "./records.ts";

export interface CertificateImageDeps {
  readonly records: Pick<RecordReads, "certificate">;
  readonly certificatePictures: CertificatePictures;
}

const getCertificateImage = createRoute({
  method: "get",
  path: "/certificates/{tokenId}/image.svg",
  operationId: "getCertificateImage",
  request: { params: z.object({ tokenId: TokenIdParam }) },
  responses: {
    200: { description: "The picture." },
    304: { description: "The caller holds it already." },
    ...errorResponses(
      "INVALID_REQUEST",
      "NOT_FOUND",
      "REGISTRY_PENDING",
      "INDEX_BEHIND",
      "CHAIN_UNAVAILABLE",
    ),
  },
});

/** The picture of a certificate, from this service's own origin. */
export function certificateImageRoutes({ records, certificatePictures }: CertificateImageDeps) {
  return createRouter(operations).openapi(getCertificateImage, async (c) => {
    const { tokenId } = c.req.valid("param");
    const { at, value } = await records.certificate(tokenId, { limit: 1, after: undefined });
    if (value === null || value.holder === null) {
      throw new ApiError("NOT_FOUND", { message: `There is no certificate ${tokenId}.` });
    }
    const svg = await certificatePictures.picture(value.soul, at.block);
    reflectsBlock(c, at);
    if (value.soul.genesisStatus === "SEALED" && value.soul.soulValidity === "valid") {
      aboutValidSeal(c);
    }
    const tag = contentTag(Buffer.from(svg));
    c.header("ETag", tag);
    if (isHeld(c, tag)) return c.body(null, 304);
    return c.body(svg, 200, { "Content-Type": "image/svg+xml" });
  });
}
