import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import { inspect, inspectWidth } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** Most that a page and everything it loads may take on the wire. */
const LARGEST_PAGE = 150 * 1024;

/** What every page shares, the home page, and trying a read in the reference. */
export function frontPages(stage: Stage): void {
  const nav = (page: Page) => page.getByRole("navigation", { name: "Site" });

  describe("the navigation", () => {
    it("is a row of links on a desk, and opens from a button on a phone, without a script", async () => {
      const page = await stage.open("/docs/sign-in");
      expect(await page.locator("script").count()).toBe(0);
      const menu = page.getByRole("button", { name: "Menu" });
      expect(await menu.isVisible()).toBe(false);
      expect(await nav(page).getByRole("link", { name: "API" }).isVisible()).toBe(true);
      expect(await nav(page).locator('[aria-current="true"]').textContent()).toBe("Docs");

      await page.setViewportSize({ width: 390, height: 800 });
      expect(await nav(page).isVisible()).toBe(false);
      await menu.focus();
      await page.keyboard.press("Enter");
      await nav(page).getByRole("link", { name: "Organizations" }).waitFor();
      await page.keyboard.press("Escape");
      await nav(page).waitFor({ state: "hidden" });
      await menu.click();
      expect(await inspect(page, "navigation-open")).toEqual([]);
      await page.setViewportSize({ width: 390, height: 800 });
      await nav(page).getByRole("link", { name: "API" }).click();
      await page.getByRole("heading", { level: 1, name: "API" }).waitFor();
      await menu.click();
      expect(await nav(page).locator('[aria-current="page"]').textContent()).toBe("API");
    });
  });

  describe("the first page", () => {
    it("leads to the newest agents, keeps still while it loads, and is small", async () => {
      const names: string[] = [];
      for (let count = 0; count < 3; count++) {
        const name = freshName();
        await stage.service.register(name, newAccount());
        names.unshift(name);
      }
      const page = await stage.open("/");
      const cards = page.locator(".agent-card-name");
      expect((await cards.allInnerTexts()).slice(0, 3)).toEqual(names);

      const measured = await page.evaluate(async () => {
        await document.fonts.ready;
        const shifts = await new Promise<number>((resolve) => {
          let sum = 0;
          const observer = new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              sum += (entry as PerformanceEntry & { value: number }).value;
          });
          observer.observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        });
        const loaded = [
          ...performance.getEntriesByType("navigation"),
          ...performance.getEntriesByType("resource"),
        ] as PerformanceResourceTiming[];
        return {
          shifts,
          bytes: loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
          typeface: document.fonts.check('600 16px "Bricolage Grotesque"'),
          heading: getComputedStyle(document.querySelector("h1") as Element).fontFamily,
        };
      });
      expect(measured.shifts).toBeLessThan(0.01);
      expect(measured.bytes).toBeLessThan(LARGEST_PAGE);
      expect(measured.typeface).toBe(true);
      expect(measured.heading).toMatch(/^"Bricolage Grotesque"/);
      expect(await inspect(page, "front")).toEqual([]);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = "200%";
      });
      expect(await inspectWidth(page, "front-large-text")).toEqual([]);

      await page.reload();
      const [newest = ""] = names;
      await page
        .locator(".agent-card")
        .first()
        .click({ position: { x: 5, y: 5 } });
      await page.getByRole("heading", { level: 1, name: newest }).waitFor();
      const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
      expect(picture).toBe(`${stage.service.url}/agents/${newest}/card.png`);
      await page.goto(`${stage.service.url}/agents/${newest}/badge.svg`);
      expect(await page.locator("svg > title").textContent()).toContain(`${newest}: valid, as of`);
    });
  });

  describe("trying a read in the reference", () => {
    it("calls the running service, and asks for a key where one is needed", async () => {
      const name = freshName();
      await stage.service.register(name, newAccount());
      const page = await stage.open("/docs/api/profile");
      const operation = page.locator("#getProfile");
      await operation.getByText("Try it here").click();
      await operation.getByRole("textbox", { name: "name", exact: true }).fill(name);
      await operation.getByRole("button", { name: "Send" }).click();
      await operation.getByText(`"agentName": "${name}"`).waitFor();
      expect(await operation.locator("[aria-live] strong").textContent()).toBe("200");
      expect(await inspect(page, "docs-api-tried")).toEqual([]);

      await operation.getByRole("textbox", { name: "name", exact: true }).fill("no-such/agent");
      await page.keyboard.press("Enter");
      await operation.getByText('"type":').waitFor();
      expect(await operation.locator("[aria-live] strong").textContent()).toMatch(/^4/);

      await page.goto(`${stage.service.url}/docs/api/webhooks`);
      const webhooks = page.locator("#listWebhooks");
      await webhooks.getByText("Try it here").click();
      await webhooks.getByRole("button", { name: "Send" }).click();
      await webhooks.getByText("This operation needs a key.").waitFor();
      await page.getByText("Try reads that need a key").click();
      await page.getByLabel("API key or access token").fill("svc_live_wrong");
      await webhooks.getByRole("button", { name: "Send" }).click();
      await webhooks.getByText('"UNAUTHORIZED"').waitFor();
      expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    });
  });
}
