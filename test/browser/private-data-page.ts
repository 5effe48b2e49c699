import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { bearer } from "../fixtures/agents.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners take and delete what the service stores about them. */
export function privateDataPage(stage: Stage): void {
  describe("the page of private data", () => {
    it("saves an owner's data as a file, and deletes it once that is confirmed", async () => {
      const agent = await ownerSigned(stage.service).newAgent();
      const wallet = testWallet([agent.owner]);
      const page = await stage.open("/private-data", wallet);
      await page.getByText("What no service can delete").first().waitFor();
      expect(await inspect(page, "private-data")).toEqual([]);

      await button(page, "Use Heron Wallet").click();
      await button(page, "Review what is collected").click();
      await page
        .getByRole("heading", { name: "Exactly what you sign: ExportPrivateData" })
        .waitFor();
      expect(await inspect(page, "private-data-review")).toEqual([]);
      await button(page, "Sign and collect").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Save it as a file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("private-data.json");
      const saved = JSON.parse(await readFile(await download.path(), "utf8"));
      const kinds = new Map(
        (saved.data as { name: string; rows: object[] }[]).map(({ name, rows }) => [name, rows]),
      );
      expect(saved.accountAddress).toBe(agent.owner.address);
      expect(kinds.get("souls")).toMatchObject([{ soulHash: agent.soulHash }]);

      await button(page, "Review the deletion").click();
      await page.getByText("Type delete to confirm").first().waitFor();
      await page.locator("#delete-confirmation").fill("delete");
      await button(page, "Review the deletion").click();
      await page
        .getByRole("heading", { name: "Exactly what you sign: DeletePrivateData" })
        .waitFor();
      await button(page, "Sign and delete").click();
      await page.getByText("Your data is deleted").waitFor();
      expect(await inspect(page, "private-data-deleted")).toEqual([]);
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(2);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      const { status } = await stage.service.request("/v1/status", {
        headers: bearer(agent.apiKey),
      });
      expect(status).toBe(401);
    });
  });
}
