import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners set what their agents may pay. */
export function allowancePage(stage: Stage): void {
  const newAgent = () => ownerSigned(stage.service).newAgent();
  const path = ({ tokenId }: OwnedAgent) => `/allowances/${tokenId}`;
  const read = async ({ tokenId }: OwnedAgent) =>
    (await stage.service.get(`/v1/allowance/${tokenId}`)).body;
  const textOf = (page: Page) => page.getByRole("main").textContent();

  async function fill(page: Page, limits: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(limits)) await page.getByLabel(label).fill(value);
  }

  const LIMITS = {
    "At most for one payment": "2.50",
    "At most in one UTC day": "10",
    "Last day": "2100-01-31",
  };

  describe("the allowance page", () => {
    it("sets limits and approval with two signatures and no transaction", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(path(agent), wallet);
      await page.getByRole("heading", { level: 1, name: `What ${agent.name} may pay` }).waitFor();
      expect(await textOf(page)).toContain("Not set The agent can pay nothing.");
      expect(await inspect(page, "allowance-none")).toEqual([]);

      await button(page, "Use Heron Wallet").click();
      await fill(page, { ...LIMITS, "Approval of your wallet": "25" });
      await button(page, "Review what you sign").click();
      await page.getByRole("heading", { name: "Exactly what you sign: SetAllowance" }).waitFor();
      await page.getByRole("heading", { name: "Exactly what you sign: Permit" }).waitFor();
      const { allowanceVault, stablecoin } = stage.service.chain.contracts;
      for (const part of [
        "Let your agent's operator pay from your wallet up to these limits.",
        "Let the allowance vault move up to this amount from your wallet.",
        "2500000",
        "2.5 of the stablecoin",
        "25000000",
        "31 January 2100 at 23:59 UTC",
        allowanceVault,
        stablecoin,
      ]) {
        expect(await textOf(page)).toContain(part);
      }
      expect(await inspect(page, "allowance-review")).toEqual([]);
      await button(page, "Sign and set").click();
      await page.getByText("The limits are in force").waitFor();
      expect(await inspect(page, "allowance-set")).toEqual([]);
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(2);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      expect(await read(agent)).toMatchObject({
        allowance: {
          perTransaction: 2_500_000,
          dailyLimit: 10_000_000,
          validUntil: "2100-01-31T23:59:59.000Z",
          active: true,
        },
        funding: { approved: 25_000_000 },
      });

      await page.getByRole("link", { name: "See the allowance now" }).click();
      await page.getByText("Change the limits").waitFor();
      for (const part of ["Active", "Approved for payments25", "Agents that can pay from it1"]) {
        expect(await textOf(page)).toContain(part);
      }
    });

    it("changes an allowance with one signature, and ends it", async () => {
      const agent = await newAgent();
      const wallet = testWallet([agent.owner]);
      const page = await stage.open(path(agent), wallet);
      await button(page, "Use Heron Wallet").click();
      await fill(page, LIMITS);
      await button(page, "Review what you sign").click();
      await button(page, "Sign and set").click();
      await page.getByText("The limits are in force").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);

      await page.getByRole("link", { name: "See the allowance now" }).click();
      await button(page, "Use Heron Wallet").click();
      await button(page, "End the allowance").click();
      await page
        .getByRole("heading", { name: "Exactly what you sign: DeactivateAllowance" })
        .waitFor();
      expect(await inspect(page, "allowance-end")).toEqual([]);
      await button(page, "Sign and end").click();
      await page.getByText("The allowance has ended").waitFor();
      expect((await read(agent)).allowance).toMatchObject({ active: false, validUntil: null });
    });

    it("asks again only for the signature that its owner declined", async () => {
      const agent = await newAgent();
      const wallet = testWallet([agent.owner], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(path(agent), wallet);
      await button(page, "Use Heron Wallet").click();
      await fill(page, LIMITS);
      await button(page, "Review what you sign").click();
      await button(page, "Sign and set").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await inspect(page, "allowance-declined")).toEqual([]);
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("The limits are in force").waitFor();
    });

    it("says which amount is not one, and what the service refuses", async () => {
      const agent = await newAgent();
      const page = await stage.open(path(agent), testWallet([agent.owner]));
      await button(page, "Use Heron Wallet").click();
      await fill(page, { ...LIMITS, "At most in one UTC day": "ten" });
      await button(page, "Review what you sign").click();
      await page.getByText("Enter amounts as numbers").waitFor();
      await fill(page, { ...LIMITS, "Last day": "2020-01-01" });
      await button(page, "Review what you sign").click();
      await page.getByText("Last day: This moment has passed: choose a later one").waitFor();
      expect(await inspect(page, "allowance-refused")).toEqual([]);
    });

    it("waits for the owner's account, and offers nothing after a sale", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount()]);
      const page = await stage.open(path(agent), wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).waitFor();
      expect(await button(page, "Review what you sign").count()).toBe(0);
      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "Review what you sign").waitFor();

      const { chain } = stage.service;
      await chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
      await page.reload();
      await page.getByText("The soul is not valid").waitFor();
      expect(await page.getByLabel("Last day").count()).toBe(0);
      expect(await inspect(page, "allowance-sold")).toEqual([]);
    });

    it("does not exist for an unknown agent", async () => {
      const page = await stage.open("/allowances/999999");
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    });
  });
}
