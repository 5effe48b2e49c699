import { describe, expect, it } from "vitest";
import { inspect, inspectWidth } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** The guides, their search, and the API reference. */
export function docsPages(stage: Stage): void {
  describe("the documents", () => {
    it("are listed, and lead to a guide with a table of contents", async () => {
      const page = await stage.open("/docs");
      expect(await inspect(page, "docs")).toEqual([]);
      await page.getByRole("link", { name: "Sign-in", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Signing in" }).waitFor();
      expect(await inspect(page, "docs-guide")).toEqual([]);
      await page.getByRole("navigation", { name: "On this page" }).getByRole("link").last().click();
      const anchor = decodeURIComponent(new URL(page.url()).hash.slice(1));
      expect(await page.locator(`[id="${anchor}"]`).count()).toBe(1);
    });

    it("fit a phone however wide their code and tables are", async () => {
      for (const path of ["contracts", "access", "tutorials/sign-in", "adr"]) {
        const page = await stage.open(`/docs/${path}`);
        await page.setViewportSize({ width: 360, height: 800 });
        expect(await inspectWidth(page, path.replace("/", "-"))).toEqual([]);
        await stage.close();
      }
    });

    it("are found by words, without a script", async () => {
      const page = await stage.open("/docs");
      await page.getByRole("searchbox").fill("introspection");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByText("best first").waitFor();
      expect(await page.locator("script").count()).toBe(0);
      expect(await inspect(page, "docs-search")).toEqual([]);
      const links = page.locator(".results a");
      expect(await links.count()).toBeGreaterThan(2);
      const [url = ""] = await links.evaluateAll((all) =>
        all.map((link) => link.getAttribute("href") ?? ""),
      );
      await links.first().click();
      expect(new URL(page.url()).pathname).toBe(url.split("#")[0]);
    });

    it("say what to do when no document has the words", async () => {
      const page = await stage.open("/docs?q=<b>zzyzx</b>");
      await page.getByText("No section has all of these words: <b>zzyzx</b>.").waitFor();
    });
  });

  describe("the reference", () => {
    it("has every current operation of the document", async () => {
      const { body: document } = await stage.service.get("/v1/openapi.json");
      const current = Object.values<Record<string, { operationId: string; deprecated?: boolean }>>(
        document.paths,
      )
        .flatMap((methods) => Object.values(methods))
        .filter(({ deprecated }) => !deprecated)
        .map(({ operationId }) => operationId);
      const page = await stage.open("/docs/api");
      expect(await inspect(page, "docs-api")).toEqual([]);
      const groups = await page
        .locator("h2 a")
        .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
      const shown: string[] = [];
      for (const group of groups) {
        await page.goto(new URL(group, stage.service.url).href);
        shown.push(
          ...(await page
            .locator("section.operation")
            .evaluateAll((all) => all.map(({ id }) => id))),
        );
        await page.evaluate(() => {
          for (const details of document.querySelectorAll("details")) details.open = true;
        });
        expect(await inspectWidth(page, `docs-api-${group}`)).toEqual([]);
      }
      expect(shown.toSorted()).toEqual(current.toSorted());
    });

    it("shows what an operation takes and answers", async () => {
      const page = await stage.open("/docs/api/verification");
      expect(await inspect(page, "docs-api-group")).toEqual([]);
    });
  });
}
