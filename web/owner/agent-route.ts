import { createRoute, z } from "@hono/zod-openapi";
import type { ErrorType } from "../../api/kernel/errors.ts";
import { errorResponses } from "../../api/platform/http/router.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";

/** The route of a page about one agent, which its certificate's token id names. */
export function agentPageRoute<Path extends `/${string}/{tokenId}`>(
  path: Path,
  operationId: string,
  ...errors: readonly ErrorType[]
) {
  return createRoute({
    method: "get",
    path,
    operationId,
    request: { params: z.object({ tokenId: TokenIdParam }) },
    responses: {
      200: { description: "The page." },
      ...errorResponses("NOT_FOUND", "CHAIN_UNAVAILABLE", ...errors),
    },
  });
}
