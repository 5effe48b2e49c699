import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs, SECRET_PROMPT } from "../fixtures/agent-verbs.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import { freshName } from "../fixtures/registrations.ts";
import { button } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { testWallet } from "./wallet.ts";

/** The main use of the service: an agent sends its owner a link. */
export function story(stage: Stage): void {
  const NEW_PROMPT = "You keep the owls' almanac, and never say where the barn stands.";

  describe("an agent and its owner", () => {
    it("come from a request over HTTP to a sealed soul that signs in, with one signature each", async () => {
      const name = freshName();
      const agents = agentVerbs(stage.service);
      const { claimUrl } = await agents.registerAgent(name, {
        agentDescription: "Counts the birds along the river.",
        publicFields: ["identity.description"],
      });

      const owner = newAccount();
      const wallet = testWallet([owner]);
      const page = await stage.open(claimUrl, wallet);
      await page.getByLabel("New prompt").fill(NEW_PROMPT);
      await page.getByLabel("Description").fill("Keeps the owls' almanac.");
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review what you sign").click();
      await button(page, "Sign and claim").click();
      await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
      await page.getByText("It is registered and sealed.").waitFor();

      await button(page, "Copy the API key").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the proof file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${name}-soul.json`);
      await page.getByRole("link", { name: `To ${name}` }).click();

      await page.getByRole("heading", { level: 1, name }).waitFor();
      const profile = await page.getByRole("main").textContent();
      for (const part of ["Sealed and valid", "Keeps the owls' almanac.", owner.address]) {
        expect(profile).toContain(part);
      }
      await button(page, "Check now").click();
      await page.getByText("Everything was checked, and everything holds").waitFor();

      await page.getByRole("link", { name: "Agent Identity" }).click();
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in").click();
      await page.getByText(`You are ${name}`).waitFor();
      expect(await page.locator("#home-root").textContent()).toContain("Tier 2: Soul.");

      const asked = wallet.calls
        .map(({ method }) => method)
        .filter((one) => /sign|send/i.test(one));
      expect(asked).toEqual(["eth_signTypedData_v4", "personal_sign"]);
      const storedText = `${await everythingStored(stage.service.pool)}\n${(await stage.service.logLines()).join("\n")}`;
      expect(storedText).toContain("Keeps the owls' almanac.");
      expect(storedText).not.toContain(SECRET_PROMPT);
      expect(storedText).not.toContain(NEW_PROMPT);
    });
  });
}
