import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../api/kernel/errors.ts";
import { keptEncodings } from "../api/platform/http/bodies/compression.ts";
import { createRouter, errorResponses } from "../api/platform/http/router.ts";
import { ASSET_PATH } from "./assets.ts";
import { operations } from "./operation-rules.ts";
import type { PageKit } from "./ui/kit.ts";

const getPageAsset = createRoute({
  method: "get",
  path: `${ASSET_PATH}/{file}`,
  operationId: "getPageAsset",
  request: { params: z.object({ file: z.string().max(128) }) },
  responses: { 200: { description: "The file." }, ...errorResponses("NOT_FOUND") },
});

/** What pages load, for ever under the same name: other content has another name. */
export function pageAssetRoutes({ pages }: { readonly pages: PageKit }) {
  const encoded = keptEncodings();
  return createRouter(operations).openapi(getPageAsset, async (c) => {
    const { file } = c.req.valid("param");
    const asset = pages.assets.find(file);
    if (asset === undefined) throw new ApiError("NOT_FOUND");
    const { bytes, encoding } = await encoded(c, file, asset);
    if (encoding !== undefined) c.header("Content-Encoding", encoding);
    return c.body(bytes, 200, { "Content-Type": asset.contentType });
  });
}
