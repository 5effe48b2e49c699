import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentEndpoints, startAgentEndpoints } from "../fixtures/agent-endpoints.ts";
import { newAgent } from "../fixtures/agents.ts";
import { freshName } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** The page that says whether an agent's endpoints answer. */
export function endpointsPage(stage: Stage): void {
  describe("the page of an agent's endpoints", () => {
    let server: AgentEndpoints;
    beforeAll(async () => {
      server = await startAgentEndpoints();
      server.isRunning = true;
    });
    afterAll(() => server?.stop());

    /** The list of checks leaves out the next agent: it is checked when it is asked for. */
    const leaveOutNext = () =>
      stage.service.pool.query(
        "insert into app.endpoint_watch (token_id, due_at) select max(token_id) + 1, null from chain.soul",
      );

    /** Checks of earlier days: each with one endpoint that answered, and one in a state. */
    const earlierDays = (tokenId: number) =>
      stage.service.pool.query(
        `with earlier as (
           insert into app.endpoint_check_set (id, token_id, started_at, statement, signature)
           select gen_random_uuid(), $1, now() - make_interval(days => n), '{}', '0x'
           from generate_series(1, 70) as n where n % 9 > 0 returning id, started_at
         )
         insert into app.endpoint_check (set_id, position, token_id, started_at, kind, endpoint, state)
         select id, position, $1, started_at, 'mcp', 'https://a.example/', case
             when position = 0 or extract(day from started_at)::int % 4 > 0 then 'answers'
             when extract(day from started_at)::int % 8 = 0 then 'silent'
             else 'domain_not_proven' end
         from earlier, generate_series(0, 1) as position`,
        [tokenId],
      );

    it("has an agent checked, and shows what was found and what to mend", async () => {
      await leaveOutNext();
      const { name, tokenId } = await newAgent(stage.service, {
        agentName: freshName(),
        publicIdentity: {
          serviceEndpoints: {
            a2a: `${server.origin}/.well-known/agent-card.json`,
            mcp: `${server.origin}/mcp`,
          },
          website: `${server.origin}/missing/${"a-long-path-".repeat(12)}`,
        },
      });
      const page = await stage.open(`/endpoints/${name}`);
      await page.getByText("Not checked yet").waitFor();
      expect(await inspect(page, "endpoints-unchecked")).toEqual([]);

      await button(page, "Check now").click();
      const found = page.getByRole("region", { name: "What was found" });
      await found.getByText("An MCP server (protocol 2025-06-18) with 1 tool.").waitFor();
      expect(await found.getByText("domain not proven").count()).toBe(2);
      expect(await found.getByText("silent").count()).toBe(1);
      const fixes = page.getByRole("region", { name: "What to mend" });
      const first = fixes.getByRole("listitem").first();
      expect(await first.getByRole("link").getAttribute("href")).toBe(
        `/v1/domain-verification/${name}`,
      );
      expect(
        await fixes.getByRole("link").evaluateAll((all) => all.map((a) => a.getAttribute("href"))),
      ).toContain(`/console/${tokenId}/passport#file-card-title`);
      await earlierDays(tokenId);
      await page.reload();
      await page.getByText("How it comes about").click();
      await page.getByText("Day by day").click();
      expect(await page.getByRole("img", { name: /^Of the days with a check: / }).count()).toBe(1);
      expect(await inspect(page, "endpoints-checked")).toEqual([]);

      // The next one is 15 minutes away.
      await button(page, "Check now").click();
      await page.getByText(/^The check begins at /).waitFor();

      await page.goto(new URL(`/agents/${name}`, page.url()).href);
      const card = page.getByRole("region", { name: "Endpoints" });
      await card.getByText("domain not proven").first().waitFor();
      await card.getByRole("link", { name: "what was found, and the grade" }).click();
      await page.getByRole("heading", { level: 1, name: `Does ${name} answer?` }).waitFor();
    });
  });
}
