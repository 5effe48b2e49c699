import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent } from "../fixtures/agents.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** As when another tab is chosen, and this one again. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: isHidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

/** The feed of events, the history of an agent, and the status of the service. */
export function eventsPages(stage: Stage): void {
  const titlesOf = (texts: readonly string[]) => texts.map((text) => text.trim());

  describe("the feed of events", () => {
    it("shows events as they happen, pauses, filters, and has pages without a script", async () => {
      const agent = await newAgent(stage.service);
      const page = await stage.open(`/events?agent=${agent.name}`);
      const titles = page.locator("#events > li strong");
      await page.getByText("Live: new events appear here by themselves.").waitFor();
      expect(titlesOf(await titles.allInnerTexts())).toEqual(["Sealed", "Registered"]);
      expect(await inspect(page, "events")).toEqual([]);

      const partner = await newAgent(stage.service);
      const bind = async (trustLevel: string) => {
        const { tokenId, apiKey } = agent;
        const wish = { tokenId, partnerTokenId: partner.tokenId, trustLevel, context: "" };
        const { status } = await stage.service.post("/v1/binding", wish, bearer(apiKey));
        expect(status).toBe(201);
      };
      await bind("limited");
      await page.getByText("Live: 1 new event.").waitFor();
      expect(titlesOf(await titles.allInnerTexts())).toEqual([
        "Trust changed",
        "Sealed",
        "Registered",
      ]);
      expect(await page.locator("#events > li").first().textContent()).toContain(
        `${agent.name} set its trust in ${partner.name} to limited.`,
      );
      expect(await inspect(page, "events-live")).toEqual([]);

      await button(page, "Pause").click();
      await page.getByText("Paused.").waitFor();
      await bind("verified");
      await bind("trusted");
      expect(await titles.count()).toBe(3);
      // Nothing that happened meanwhile is lost, and nothing comes twice.
      await button(page, "Go on").click();
      await page.getByText("Live: 3 new events.").waitFor();
      expect(await page.locator("#events > li").nth(0).textContent()).toContain("to trusted.");
      expect(await page.locator("#events > li").nth(1).textContent()).toContain("to verified.");
      expect(await titles.count()).toBe(5);

      // A tab that is hidden takes no connection of those that a browser has for the site.
      const closed = page.waitForEvent("requestfailed", (request) =>
        request.url().includes("/v1/events/stream"),
      );
      await setHidden(page, true);
      await closed;
      await bind("limited");
      expect(await titles.count()).toBe(5);
      await setHidden(page, false);
      await page.getByText("Live: 4 new events.").waitFor();
      expect(await titles.count()).toBe(6);

      await page.getByLabel("Kind").selectOption({ label: "Registered" });
      await button(page, "Show").click();
      await page.waitForURL(/kind=soul.registered/);
      expect(titlesOf(await titles.allInnerTexts())).toEqual(["Registered"]);
      await stage.close();

      const { body: all } = await stage.service.get("/events");
      expect(all).toContain(`<a href="/agents/${agent.name}">${agent.name}</a>`);
      const none = await stage.open(`/events?agent=${partner.name}&kind=soul.burned`);
      await none.getByText("Nothing like this has happened.").waitFor();
      expect(await inspect(none, "events-none")).toEqual([]);
      await none.getByLabel("Agent").fill("Aurora Borealis\u202e");
      const answer = none.waitForResponse(/agent=Aurora/);
      await button(none, "Show").click();
      expect((await answer).status()).toBe(404);
      await none.getByText("No agent has the name or passport").waitFor();
      expect(await none.getByLabel("Agent").inputValue()).toBe("Aurora Borealis\u202e");
      expect(await inspect(none, "events-unknown")).toEqual([]);
    });
  });

  describe("the history of an agent", () => {
    it("is its events and records in bands of epochs, in pages, and proves nothing while suspended", async () => {
      const agent = await newAgent(stage.service);
      for (const title of ["Ebb", "Flood", "Slack"]) {
        const data = { title };
        const record = { tokenId: agent.tokenId, category: "experience", data };
        const headers = { ...bearer(agent.apiKey), "idempotency-key": idempotencyKey() };
        await stage.service.post("/v1/chronicle", record, headers);
      }
      const { address: owner } = agent.owner;
      const short = `${owner.slice(0, 6)}…${owner.slice(-4)}`;
      const page = await stage.open(`/agents/${agent.name}`);
      const history = page.locator("section.card", { has: page.locator("#history-title") });
      const titles = history.locator("li strong");
      expect(titlesOf(await titles.allInnerTexts())).toEqual([
        ...["Experience", "Experience", "Experience", "Sealed", "Registered"],
      ]);
      expect(await history.locator(".epoch-title").allInnerTexts()).toEqual([
        expect.stringMatching(new RegExp(`^Epoch 1 of owner ${short} since [^ ]+ [A-Z]`)),
      ]);
      expect(await inspect(page, "history")).toEqual([]);
      await stage.close();

      await stage.service.chain.fund(agent.owner.address);
      const passportId = BigInt(agent.passportId);
      const { address } = newAccount();
      const block = await stage.service.chain.transferPassport(passportId, agent.owner, address);
      await stage.service.get(`/v1/profile/${agent.name}?minBlock=${block}`);
      const sold = await stage.open(`/agents/${agent.name}`);
      const after = sold.locator("section.card", { has: sold.locator("#history-title") });
      // Chain and service have clocks of their own, so the sale may stand beside any of the records.
      expect(titlesOf(await after.locator("li strong").allInnerTexts()).sort()).toEqual([
        ...["Experience", "Experience", "Experience"],
        ...["Passport sold or moved", "Registered", "Sealed"],
      ]);
      await after
        .getByText("nothing of it is proven until the passport's owner reseals it")
        .waitFor();
      expect(await after.locator(".badge.good, .notice.good").count()).toBe(0);
      expect(await inspect(sold, "history-suspended")).toEqual([]);
    });
  });

  describe("the status of the service", () => {
    it("is said in words, with what it means, and gives no secret away", async () => {
      const page = await stage.open("/status");
      await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
      const text = (await page.getByRole("main").textContent()) ?? "";
      for (const part of [
        "Reading the chain",
        "Up to date",
        "Sending transactions",
        "Can send",
        "Records on chain",
        "Permanent storage",
        "On this server",
        "Work in the background",
        "Database: works.",
      ]) {
        expect(text).toContain(part);
      }
      expect(text.match(/What this means for you:/g)).toHaveLength(5);
      // Neither accounts nor balances.
      expect(text).not.toMatch(/0x[0-9a-f]{8}| wei\b/i);
      expect(await inspect(page, "status")).toEqual([]);
    });
  });
}
