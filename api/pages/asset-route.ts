import { createRoute, z } from "@hono/zod-openapi";
import { ApiError } from "../kernel/errors.ts";
import { createRouter, errorResponses } from "../platform/http/router.ts";
import { ASSET_PATH } from "./assets.ts";
import type { PageKit } from "./kit.ts";
import { operations } from "./operation-rules.ts";

const getPageAsset = createRoute({
  method: "get",
  path: `${ASSET_PATH}/{file}`,
  operationId: "getPageAsset",
  request: { params: z.object({ file: z.string().max(128) }) },
  responses: { 200: { description: "The file." }, ...errorResponses("NOT_FOUND") },
});

/** What pages load, for ever under the same name: other content has another name. */
export const pageAssetRoutes = ({ pages }: { readonly pages: PageKit }) =>
  createRouter(operations).openapi(getPageAsset, (c) => {
    const asset = pages.assets.find(c.req.valid("param").file);
    if (asset === undefined) throw new ApiError("NOT_FOUND");
    return c.body(asset.bytes, 200, { "Content-Type": asset.contentType });
  });
