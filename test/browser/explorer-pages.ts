import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import { inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** The pages on which one looks around: agents, passports, certificates, accounts. */
export function explorerPages(stage: Stage): void {
  const names = (page: Page) => page.locator(".agent-card-name").allInnerTexts();
  const one = async (page: Page, name: string) => {
    await page.getByText("1 agent.").waitFor();
    expect(await names(page)).toEqual([name]);
  };
  const search = (page: Page) => page.getByRole("searchbox");
  const query = (page: Page) => new URL(page.url()).search;

  /** How far the page moved by itself since it was opened. */
  const shift = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const moves = list.getEntries() as (PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            })[];
            resolve(moves.reduce((sum, move) => sum + (move.hadRecentInput ? 0 : move.value), 0));
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 300);
        }),
    );

  describe("the page of all agents", () => {
    it("finds while one types, filters and sorts, and keeps all of it in the address", async () => {
      const { service } = stage;
      const owner = newAccount();
      const word = `nuthatch${Date.now().toString(36)}`;
      const name = freshName();
      const alike = name.replace("heron", "her0n");
      const { answer } = await service.register(name, owner, {
        publicIdentity: {
          tagline: `Climbs down trees, head first. A ${word}, all of it.`,
          category: "knowledge",
        },
      });
      await service.register(alike, owner);
      const { tokenId } = answer.body;

      const page = await stage.open("/agents");
      await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
      expect(await shift(page)).toBe(0);
      expect(await names(page)).toEqual(expect.arrayContaining([name, alike]));
      expect(await inspect(page, "agents")).toEqual([]);

      // Nothing of the page is loaded again, and what was typed stays.
      await page.evaluate(() => Object.assign(window, { isSamePage: true }));
      await search(page).pressSequentially(word);
      // The first letters may already find this one agent alone.
      await page.waitForURL(`**/agents?q=${word}`);
      await one(page, name);
      expect(await search(page).inputValue()).toBe(word);
      await page.getByText("Filters and order").click();
      await page.getByLabel("Category").selectOption("commerce");
      await page.getByText("No agent matches").waitFor();
      expect(await inspect(page, "agents-nothing")).toEqual([]);
      await page.getByLabel("Category").selectOption("knowledge");
      await one(page, name);
      await page.getByLabel("Standing").selectOption("valid");
      await page.getByLabel("Order").selectOption("alignment");
      await page.getByText("Highest alignment.").waitFor();
      expect(query(page)).toBe(`?q=${word}&validity=valid&category=knowledge&sort=alignment`);
      expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);

      // The address alone gives the same page.
      await page.reload();
      await one(page, name);
      expect(await page.getByLabel("Category").inputValue()).toBe("knowledge");
      expect(await page.getByLabel("Order").inputValue()).toBe("alignment");
      expect(await inspect(page, "agents-filtered")).toEqual([]);

      await page.goto(`${service.url}/agents?q=${owner.address}`);
      await page.getByText("2 agents.").waitFor();
      await page.getByText("Easily mistaken for").waitFor();
      expect(await inspect(page, "agents-alike")).toEqual([]);
      await page.getByRole("link", { name: "Table", exact: true }).click();
      await page.getByRole("columnheader", { name: "Alignment" }).waitFor();
      expect(query(page)).toBe(`?q=${owner.address}&view=table`);
      expect(await shift(page)).toBe(0);
      expect(await inspect(page, "agents-table")).toEqual([]);

      await search(page).fill(String(tokenId));
      await page.getByRole("link", { name: "the certificate" }).waitFor();
      expect(query(page)).toBe(`?q=${tokenId}&view=table`);
      expect(await inspect(page, "agents-number")).toEqual([]);
    });

    it("does the same without its script, by keyboard", async () => {
      const { service } = stage;
      const owner = newAccount();
      const name = freshName();
      await service.register(name, owner);
      const page = await stage.open("/");
      await page.route("**/assets/explorer-*", (route) => route.abort());
      await page.goto(`${service.url}/agents`);
      await search(page).focus();
      await page.keyboard.type(name);
      await page.keyboard.press("Enter");
      await one(page, name);
      expect(query(page)).toContain(`q=${name}`);
      expect(query(page)).toContain("sort=newest");
    });
  });

  describe("the pages of a passport, a certificate and an account", () => {
    it("lead to each other", async () => {
      const { service } = stage;
      const owner = newAccount();
      const name = freshName();
      await service.register(name, owner);
      await service.chain.fund(owner.address);
      const passportId = await service.chain.registerPassport(owner);
      const buyer = newAccount().address;
      const block = await service.chain.transferPassport(passportId, owner, buyer);
      await service.get(`/v1/agents?limit=1&minBlock=${block}`);

      const page = await stage.open(`/agents/${name}`);
      const proven = page.getByRole("region", { name: "What is proven" });
      await proven.locator('a[href^="/certificates/"]').click();
      await page.getByRole("img", { name: `The certificate of ${name}` }).waitFor();
      expect(await shift(page)).toBe(0);
      expect(await inspect(page, "certificate")).toEqual([]);

      await page.getByRole("main").locator('a[href^="/passports/"]').click();
      await page.getByText("It carries the soul of").waitFor();
      expect(await inspect(page, "passport")).toEqual([]);

      await page.locator(`a[href="/owners/${owner.address}"]`).first().click();
      await page.getByRole("heading", { level: 1, name: owner.address }).waitFor();
      expect(await names(page)).toEqual([name]);
      expect(await inspect(page, "owner")).toEqual([]);

      await page.goto(`${service.url}/passports/${passportId}`);
      await page.getByText("It carries no soul").waitFor();
      expect(await inspect(page, "passport-soulless")).toEqual([]);
      await page.goto(`${service.url}/owners/${newAccount().address}`);
      await page.getByText("This account has nothing here").waitFor();
      expect(await inspect(page, "owner-empty")).toEqual([]);
    });
  });
}
