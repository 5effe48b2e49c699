import type { Page } from "playwright-core";
import { describe, expect, it, vi } from "vitest";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

const SOON = { timeout: 45_000, interval: 250 };

/** The pages on which owners stop an agent, and sell it. */
export function salePage(stage: Stage): void {
  const newAgent = () => ownerSigned(stage.service).newAgent();
  const textOf = (page: Page) => page.getByRole("main").textContent();
  const useKey = async (apiKey: string, tokenId: number) =>
    (await stage.service.request(`/v1/webhooks?tokenId=${tokenId}`, { headers: bearer(apiKey) }))
      .status;

  describe("the seller's page", () => {
    it("says what is open, and ends it with one signature before the sale", async () => {
      const agent = await newAgent();
      const { signed, send } = ownerSigned(stage.service);
      const limits = { tokenId: agent.tokenId, perTransaction: 1_000_000, dailyLimit: 5_000_000 };
      const allowance = `/v1/allowance/${agent.tokenId}`;
      await send("POST", allowance, await signed("allowance", limits, agent.owner));
      expect(await useKey(agent.apiKey, agent.tokenId)).toBe(200);

      const wallet = testWallet([newAccount()], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(`/sales/${agent.tokenId}`, wallet);
      await page.getByRole("heading", { level: 1, name: `Sell ${agent.name}` }).waitFor();
      for (const part of ["the agent may pay 5 of the stablecoin a day", "1 in use"]) {
        expect(await textOf(page)).toContain(part);
      }
      expect(await inspect(page, "sale-before")).toEqual([]);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).first().waitFor();
      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "End everything").click();
      const heading = "Exactly what you sign: DeactivateAllowance";
      await page.getByRole("heading", { name: heading }).waitFor();
      expect(await inspect(page, "sale-review")).toEqual([]);
      await button(page, "Sign and end everything").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await useKey(agent.apiKey, agent.tokenId)).toBe(200);
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("Everything has ended").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(2);
      expect(await useKey(agent.apiKey, agent.tokenId)).toBe(401);
      expect((await stage.service.get(allowance)).body.allowance.active).toBe(false);

      await page.getByRole("link", { name: "See what is left" }).click();
      await page.getByText("none works").waitFor();
      expect(await textOf(page)).toContain("the agent may pay nothing");
      expect(await inspect(page, "sale-closed")).toEqual([]);
    });

    it("suspends the agent before the sale, so that a return revives nothing", async () => {
      const agent = await newAgent();
      const wallet = testWallet([agent.owner]);
      const page = await stage.open(`/sales/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Suspend it").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Suspend" }).waitFor();
      expect(await inspect(page, "sale-suspend")).toEqual([]);
      await button(page, "Sign and suspend").click();
      await page.getByText(`${agent.name} is suspended`).waitFor();
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      const { body } = await stage.service.get(`/v1/soul-validity/${agent.tokenId}`);
      expect(body.valid).toBe(false);
      await page.getByRole("link", { name: "See what was granted" }).click();
      await page.getByText("The passport is with its seller, and the suspension stands").waitFor();
      expect(await inspect(page, "sale-suspended")).toEqual([]);
    });

    it("says after the sale that the suspension is recorded", async () => {
      const agent = await newAgent();
      const buyer = newAccount();
      const { chain } = stage.service;
      await chain.transferPassport(agent.passportId, agent.owner, buyer.address);
      const page = await stage.open(`/sales/${agent.tokenId}`);
      await page.getByText("The passport was sold").waitFor();
      await vi.waitFor(async () => {
        await page.reload();
        expect(await textOf(page)).toContain("The suspension is recorded on chain");
      }, SOON);
      expect(await textOf(page)).toContain(buyer.address);
      expect(await inspect(page, "sale-after")).toEqual([]);

      await chain.fund(buyer.address);
      await chain.transferPassport(agent.passportId, buyer, agent.owner.address);
      await page.reload();
      await page.getByText("The passport is with its seller, and the suspension stands").waitFor();
      await page.getByRole("link", { name: `Reseal ${agent.name}` }).waitFor();
    });

    it("records the suspension in one click of any account", async () => {
      const agent = await newAgent();
      const sender = newAccount();
      const { chain } = stage.service;
      await chain.fund(sender.address);
      // The service records it too: its watch waits until this test has seen the page.
      const lock = await stage.service.pool.connect();
      await lock.query("begin");
      await lock.query("lock table app.passport_watch in access exclusive mode");
      try {
        await chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
        const wallet = testWallet([sender], {
          declines: new Set(["eth_sendTransaction"]),
          send: (from, call) => chain.client.sendTransaction({ account: from, ...call }),
        });
        const page = await stage.open(`/sales/${agent.tokenId}`, wallet);
        await page.getByText("The suspension is not recorded yet").waitFor();
        expect(await inspect(page, "sale-unrecorded")).toEqual([]);
        await button(page, "Use Heron Wallet").click();
        await button(page, "Record the suspension").click();
        await page.getByText("You declined in your wallet").waitFor();
        wallet.declines.clear();
        await button(page, "Try again").click();
        await page.getByText("Sent as").waitFor();
      } finally {
        await lock.query("rollback");
        lock.release();
      }
      const isSuspended = await chain.client.readContract({
        address: chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "isSuspended",
        args: [BigInt(agent.tokenId)],
      });
      expect(isSuspended).toBe(true);
    });

    it("says that nothing is left to sell of an agent that has ended", async () => {
      const agent = await newAgent();
      const { signed, send } = ownerSigned(stage.service);
      const burn = { tokenId: agent.tokenId, reason: "Its work is done." };
      await send("POST", `/v1/burn/${agent.tokenId}`, await signed("burn", burn, agent.owner));
      const page = await stage.open(`/sales/${agent.tokenId}`);
      await page.getByRole("link", { name: "register its successor" }).waitFor();
      expect(await inspect(page, "sale-ended")).toEqual([]);
    });
  });

  describe("the page of keys and sessions", () => {
    it("lists them after a sign-in, and ends a single key", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(`/access/${agent.tokenId}`, wallet);
      const title = `Keys and sessions of ${agent.name}`;
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect(await inspect(page, "access")).toEqual([]);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in to see them").click();
      await page.getByText("API keys: 1").waitFor();
      await page.getByText("Sessions: 1").waitFor();
      await page.getByText("(this page)").waitFor();
      await page.getByText("Webhooks: 0").waitFor();
      expect(await inspect(page, "access-listed")).toEqual([]);
      await page.getByRole("button", { name: /^End it: the key / }).click();
      await page.getByText("API keys: 0").waitFor();
      expect(await useKey(agent.apiKey, agent.tokenId)).toBe(401);
    });

    it("stops everything with one signature", async () => {
      const agent = await newAgent();
      const wallet = testWallet([agent.owner]);
      const page = await stage.open(`/access/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await button(page, "End everything").click();
      await page.getByRole("heading", { name: "Exactly what you sign: EmergencyStop" }).waitFor();
      expect(await inspect(page, "access-stop")).toEqual([]);
      await button(page, "Sign and end everything").click();
      await page.getByText("Everything has ended").waitFor();
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      expect(await useKey(agent.apiKey, agent.tokenId)).toBe(401);
    });

    it("shows nothing to other accounts, and explains a declined sign-in", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount()], { declines: new Set(["personal_sign"]) });
      const page = await stage.open(`/access/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).first().waitFor();
      expect(await button(page, "Sign in to see them").count()).toBe(0);
      expect(await button(page, "End everything").count()).toBe(0);
      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "Sign in to see them").click();
      await page.getByText("You declined in your wallet").waitFor();
    });

    it("has nothing to end after a sale", async () => {
      const agent = await newAgent();
      const { chain } = stage.service;
      await chain.transferPassport(agent.passportId, agent.owner, newAccount().address);
      const page = await stage.open(`/access/${agent.tokenId}`);
      await page.getByText("Nothing acts for this agent now").waitFor();
      expect(await inspect(page, "access-sold")).toEqual([]);
    });
  });
}
