import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorType } from "../../api/kernel/errors.ts";
import { type Endpoint, endpoint, type Members, type Shape } from "../../api/platform/endpoint.ts";
import type { AppEnv } from "../../api/platform/http/env.ts";
import type { OperationRules } from "../../api/platform/http/operations.ts";
import { TokenIdParam } from "../../api/platform/http/schemas.ts";
import type { PageKit } from "./kit.ts";
import type { Page } from "./layout.tsx";
import { sendPage } from "./send.tsx";

interface WithKit {
  readonly pages: PageKit;
}

/** A page, with everything about it. `web/pages.routes.ts` lists them all. */
interface PageSpec<Deps, Params extends Shape, Query extends Shape, Id extends string> {
  readonly operationId: Id;
  readonly rules: OperationRules;
  /** Default: GET. */
  readonly method?: "post";
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  /** Errors besides those of its rules. */
  readonly errors?: readonly ErrorType[];
  /**
   * @param input Members of path and query.
   * @returns The page, which is answered with 200. A Response, for one a redirect, is sent as it is.
   * @throws ApiError of `errors`, which the visitor sees as a page.
   */
  show(
    input: Members<Params> & Members<Query>,
    deps: Deps,
    kit: PageKit,
    c: Context<AppEnv>,
  ): Page | Response | Promise<Page | Response>;
}

/** A page as an endpoint: its route and rules follow. */
export function page<
  Deps,
  const Id extends string,
  const Params extends Shape = Record<never, never>,
  const Query extends Shape = Record<never, never>,
>(spec: PageSpec<Deps, Params, Query, Id>): Endpoint<Deps & WithKit, Id> {
  return endpoint<Deps & WithKit, Id, z.ZodVoid, Params, Query>({
    errors: [],
    method: "get",
    ...spec,
    at: "/",
    tag: "Pages",
    summary: spec.operationId,
    done: "The page.",
    async run(input, deps, c) {
      const shown = await spec.show(input, deps, deps.pages, c);
      return shown instanceof Response ? shown : sendPage(c, deps.pages, shown);
    },
  });
}

/** A page about one agent, which its certificate's token id names. */
export const ofAgent = {
  params: { tokenId: TokenIdParam },
  errors: ["NOT_FOUND", "CHAIN_UNAVAILABLE"],
} as const;
