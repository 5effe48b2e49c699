import type { Context } from "hono";

/** What a page of an agent answers besides. */
export const DIGITS_ANSWER = {
  303: { description: "For digits: to what they name as a passport and as a certificate." },
} as const;

/** Leads from digits in the place of a name to both agents that they can name. */
export function leadFromDigits(c: Context) {
  return c.redirect(`/agents?q=${c.req.param("name")}`, 303);
}
