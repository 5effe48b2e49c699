import type { Context } from "hono";

/** The answer; on a path of the former name `fleet` with the former name of the organization's id as well. */
export function withFleetId<Body extends { readonly organizationId: number }>(
  c: Context,
  body: Body,
): Body & { readonly fleetId?: number } {
  return isFleetPath(c) ? { ...body, fleetId: body.organizationId } : body;
}

function isFleetPath(c: Context): boolean {
  return c.req.path.split("/").some((part) => part === "fleet" || part === "fleet-audit");
}
