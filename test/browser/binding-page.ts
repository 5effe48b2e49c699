import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners say how far their agents trust others. */
export function bindingPage(stage: Stage): void {
  const newAgent = () => ownerSigned(stage.service).newAgent();
  const textOf = (page: Page) => page.getByRole("main").textContent();
  const bindingsOf = async ({ name }: OwnedAgent) =>
    (await stage.service.get(`/v1/binding/${name}?direction=outbound`)).body.bindings;
  const HOSTILE = "Shares counts. <script>alert(1)</script>\u202e";

  async function find(page: Page, typed: string): Promise<void> {
    await page.getByLabel("Name or passport number").fill(typed);
    await button(page, "Find it").click();
  }

  describe("the bindings page", () => {
    it("binds to an agent that was looked up by name, with one signature", async () => {
      const [agent, partner] = [await newAgent(), await newAgent()];
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(`/bindings/${agent.tokenId}`, wallet);
      await page.getByRole("heading", { level: 1, name: `Whom ${agent.name} trusts` }).waitFor();
      expect(await inspect(page, "bindings-none")).toEqual([]);
      await find(page, "no-such-agent<b>");
      await page.getByText("You looked for “no-such-agent<b>”.").waitFor();
      await find(page, partner.name);
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Trust", { exact: true }).selectOption("trusted");
      await page.getByLabel("What for").fill(HOSTILE);
      await button(page, "Review what you sign").click();
      await page.getByRole("heading", { name: "Exactly what you sign: SetBinding" }).waitFor();
      for (const part of [
        "Set how far your agent trusts another agent.",
        "Shares counts. <script>alert(1)</script>[U+202E]",
        stage.service.chain.contracts.bindingRegistry,
      ]) {
        expect(await textOf(page)).toContain(part);
      }
      expect(await inspect(page, "bindings-review")).toEqual([]);
      await button(page, "Sign and bind").click();
      await page.getByText("The binding is set").waitFor();
      expect(await inspect(page, "bindings-done")).toEqual([]);
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
      expect(await bindingsOf(agent)).toMatchObject([
        {
          partnerTokenId: partner.tokenId,
          trustLevel: "trusted",
          authority: "OWNER",
          context: HOSTILE,
        },
      ]);

      await page.getByRole("link", { name: "See the bindings" }).click();
      await page.getByText("Bindings that it made: 1").waitFor();
      expect(await textOf(page)).toContain("Shares counts. <script>alert(1)</script>[U+202E]");
      expect(await inspect(page, "bindings-listed")).toEqual([]);
      await page.goto(`${stage.service.url}/bindings/${partner.tokenId}`);
      await page.getByText("Bindings that others made: 1").waitFor();
    });

    it("revokes a binding, also after a declined signature", async () => {
      const [agent, partner] = [await newAgent(), await newAgent()];
      const { signed, send } = ownerSigned(stage.service);
      const binding = {
        tokenId: agent.tokenId,
        partnerTokenId: partner.tokenId,
        trustLevel: "verified",
        context: "Shares counts.",
      };
      await send("POST", "/v1/binding", await signed("binding", binding, agent.owner));
      const wallet = testWallet([agent.owner], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(`/bindings/${agent.tokenId}`, wallet);
      await page.getByRole("link", { name: "Change or revoke it" }).click();
      expect(await page.getByLabel("What for").inputValue()).toBe("Shares counts.");
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review the end").click();
      await button(page, "Sign and revoke").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await bindingsOf(agent)).toMatchObject([{ trustLevel: "verified" }]);
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("The binding is revoked").waitFor();
      expect(await bindingsOf(agent)).toMatchObject([{ trustLevel: "revoked" }]);
    });

    it("waits for the owner's account, and shows the service's error", async () => {
      const [agent, partner] = [await newAgent(), await newAgent()];
      const wallet = testWallet([newAccount()]);
      const page = await stage.open(
        `/bindings/${agent.tokenId}?partner=${partner.passportId}`,
        wallet,
      );
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).waitFor();
      expect(await button(page, "Review what you sign").count()).toBe(0);
      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "Review what you sign").click();
      await page.getByText("What for: fill this in").waitFor();
      await page.getByLabel("What for").fill("é".repeat(513));
      await button(page, "Review what you sign").click();
      await page.getByText("What for: Longer than 1024 bytes").waitFor();
      expect(await inspect(page, "bindings-refused")).toEqual([]);
    });

    it("makes no binding after a sale, and none of an agent with itself", async () => {
      const agent = await newAgent();
      const page = await stage.open(`/bindings/${agent.tokenId}?partner=${agent.name}`);
      await page.getByText("An agent is not bound to itself").waitFor();
      const { chain } = stage.service;
      await chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
      await page.reload();
      await page.getByText("No binding can be made now").waitFor();
      expect(await page.getByLabel("Name or passport number").count()).toBe(0);
    });
  });
}
