import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { allowanceVaultAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { newAgent, type TestAgent } from "../fixtures/agents.ts";
import { bindByOwner } from "../fixtures/disclosures.ts";
import { inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** What an agent's page draws of allowance, bindings, soul and endpoints. */
export function agentPage(stage: Stage): void {
  const textOf = (page: Page) => page.getByRole("main").textContent();

  /** A call of the vault by the agent's owner. */
  async function vault({ owner }: TestAgent, functionName: string, args: readonly unknown[]) {
    const { client, contracts } = stage.service.chain;
    const call = { address: contracts.allowanceVault, abi: allowanceVaultAbi, functionName, args };
    const hash = await client.writeContract({ account: owner, ...call } as never);
    return client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  }

  /** An agent that may pay and has paid, with three partners. */
  async function busyAgent(): Promise<TestAgent> {
    const [agent, ...partners] = [
      await newAgent(stage.service, {
        publicIdentity: {
          serviceEndpoints: { a2a: "https://heron.example/a2a", mcp: "https://heron.example/mcp" },
        },
      }),
      await newAgent(stage.service),
      await newAgent(stage.service),
      await newAgent(stage.service),
    ];
    const [first, second, third] = partners as [TestAgent, TestAgent, TestAgent];
    await bindByOwner(stage.service, agent, first, "trusted");
    await bindByOwner(stage.service, agent, second, "limited");
    await bindByOwner(stage.service, second, agent, "verified");
    await bindByOwner(stage.service, third, agent, "limited");
    const tokenId = BigInt(agent.tokenId);
    const limits = { perTransaction: 2_000_000n, dailyLimit: 5_000_000n };
    const term = { validUntil: 4_102_444_799, onlyWithAgentWallet: false };
    const set = { tokenId, epoch: 1, version: 0, ...limits, ...term };
    await vault(agent, "setAllowance", [{ ...set, nonce: 0n, deadline: 0n }, "0x"]);
    const ref = `0x${"7e".repeat(32)}`;
    await vault(agent, "report", [tokenId, first.owner.address, 1_500_000n, ref]);
    const { blockNumber } = await vault(agent, "report", [
      tokenId,
      first.owner.address,
      250_000n,
      ref,
    ]);
    await stage.service.get(`/v1/profile/${agent.name}?minBlock=${blockNumber}`);
    return agent;
  }

  describe("the cards of an agent's page", () => {
    it("show what it may pay and whom it trusts", async () => {
      const agent = await busyAgent();
      const page = await stage.open(`/agents/${agent.name}`);
      const text = await textOf(page);
      await page.getByRole("button", { name: "Copy “First: is its soul valid?”" }).click();
      await page.getByText("It is in the clipboard.").waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain(`path: { tokenId: ${agent.tokenId} }`);
      expect(text).toContain("1.75 USDC of 5 USDC spent today");
      expect(text).toMatch(/1\.75 USDC in the last 30 days, most on \d+ \w+ \d{4}: 1\.75 USDC\./);
      expect(await inspect(page, "agent-dealings")).toEqual([]);
    });

    it("show nothing as proven or granted once the passport is sold", async () => {
      const agent = await busyAgent();
      const { chain } = stage.service;
      const buyer = newAccount().address;
      const block = await chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer);
      await stage.service.get(`/v1/profile/${agent.name}?minBlock=${block}`);
      const page = await stage.open(`/agents/${agent.name}`);
      await page.getByText("The passport left the owner who sealed the soul").waitFor();
      const text = await textOf(page);
      expect(text).toContain("What is on record");
      expect(text).toContain("The soul is not valid, so the agent can pay nothing.");
      expect(text).toContain("The soul is not valid, so none of its bindings counts.");
      expect(text).not.toContain("Sealed and valid");
      const main = page.getByRole("main");
      expect(await main.locator(".good, .way, .leaf.shown, .gauge, .graph, .snippet").count()).toBe(
        0,
      );
      expect(await main.getByText("proven", { exact: true }).count()).toBe(0);
      expect(await inspect(page, "agent-suspended")).toEqual([]);
    });
  });
}
