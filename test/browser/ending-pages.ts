import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { describe, expect, it, vi } from "vitest";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

const SOON = { timeout: 45_000, interval: 250 };
const SOUL = "You keep the owls' almanac. <b>Bold</b>";

/** The pages on which souls end, change hands and begin again. */
export function endingPages(stage: Stage): void {
  const newAgent = () => ownerSigned(stage.service).newAgent();
  const textOf = (page: Page) => page.getByRole("main").textContent();
  const profileOf = async ({ name }: OwnedAgent) =>
    (await stage.service.get(`/v1/profile/${name}`)).body;

  /** The values that an archived soul publishes, by field. */
  async function publishedIn(archiveId: string): Promise<Record<string, unknown>> {
    const { body } = await stage.service.get(`/ar/${archiveId}`);
    const fields = body.publicFields as { field: string; value: unknown }[];
    return Object.fromEntries(fields.map(({ field, value }) => [field, value]));
  }

  /** Transfers the passport, and resolves once the suspension stands in an earlier block. */
  async function sell(agent: OwnedAgent, to: LocalAccount): Promise<void> {
    const { chain } = stage.service;
    await chain.transferPassport(agent.passportId, agent.owner, to.address);
    await vi.waitFor(async () => {
      const isSuspended = await chain.client.readContract({
        address: chain.contracts.soulRegistry,
        abi: soulRegistryAbi,
        functionName: "isSuspended",
        args: [BigInt(agent.tokenId)],
      });
      expect(isSuspended).toBe(true);
    }, SOON);
    await chain.client.mine({ blocks: 1 });
  }

  async function burn(agent: OwnedAgent): Promise<void> {
    const request = { tokenId: agent.tokenId, reason: "Its work is done." };
    const { signed, send } = ownerSigned(stage.service);
    const path = `/v1/burn/${agent.tokenId}`;
    const { status } = await send("POST", path, await signed("burn", request, agent.owner));
    expect(status).toBe(200);
  }

  describe("the burn page", () => {
    it("says what ends, asks for the agent's name, and burns with one signature", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(`/burn/${agent.tokenId}`, wallet);
      await page.getByRole("heading", { level: 1, name: `End ${agent.name} for ever` }).waitFor();
      expect(await textOf(page)).toContain("API keys1");
      expect(await inspect(page, "burn")).toEqual([]);

      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Reason").fill("Its work is done. <i>Really</i>");
      await page.getByLabel("to confirm").fill("another-name");
      await button(page, "Review what you sign").click();
      await page.getByText("It cannot be undone.").first().waitFor();
      expect(await page.getByText(`Exactly what you sign: Burn`).count()).toBe(0);
      await page.getByLabel("to confirm").fill(agent.name);
      await button(page, "Review what you sign").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Burn" }).waitFor();
      for (const part of [
        "End your agent's soul for ever.",
        "the hash of the reason that you wrote",
        stage.service.chain.contracts.soulRegistry,
      ]) {
        expect(await textOf(page)).toContain(part);
      }
      expect(await inspect(page, "burn-review")).toEqual([]);
      await button(page, "Sign and burn").click();
      await page.getByText(`${agent.name} has ended`).waitFor();
      expect(await inspect(page, "burn-done")).toEqual([]);
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      expect((await profileOf(agent)).genesisStatus).toBe("BURNED");

      await page.reload();
      await page.getByRole("link", { name: "register its successor" }).waitFor();
      expect(await inspect(page, "burn-nothing")).toEqual([]);
    });

    it("burns nothing when its owner declines, and waits for the owner's account", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount()], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(`/burn/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).waitFor();
      expect(await button(page, "Review what you sign").count()).toBe(0);
      await chooseAccounts(wallet, [agent.owner]);
      await page.getByLabel("Reason").fill("A mistake");
      await page.getByLabel("to confirm").fill(agent.name);
      await button(page, "Review what you sign").click();
      await button(page, "Sign and burn").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect((await profileOf(agent)).genesisStatus).toBe("SEALED");
    });
  });

  describe("the page for a passport's new owner", () => {
    it("shows what was granted before, and seals a new soul", async () => {
      const agent = await newAgent();
      const buyer = newAccount();
      await sell(agent, buyer);
      const wallet = testWallet([buyer]);
      const page = await stage.open(`/reseal/${agent.tokenId}`, wallet);
      const title = `Take over ${agent.name}`;
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      for (const part of ["None of it acts now.", buyer.address, agent.owner.address]) {
        expect(await textOf(page)).toContain(part);
      }
      expect(await inspect(page, "reseal")).toEqual([]);

      await button(page, "Use Heron Wallet").click();
      await button(page, "Review what you sign").click();
      await page.getByText("Enter the text of the soul").waitFor();
      await page.getByLabel("Text of the new soul").fill(SOUL);
      await page.getByText("Publish fields of the soul").first().click();
      await page.getByLabel("soul.constraints").check();
      await button(page, "Review what you sign").click();
      await page.getByText("The soul says nothing in soul.constraints").waitFor();
      await page.getByLabel("soul.constraints").uncheck();
      await page.getByLabel("soul.purpose").check();
      expect(await inspect(page, "reseal-publish")).toEqual([]);
      await button(page, "Review what you sign").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Reseal" }).waitFor();
      expect(await textOf(page)).toContain("Take this agent over with your passport");
      expect(await inspect(page, "reseal-review")).toEqual([]);
      await button(page, "Sign and reseal").click();
      await page.getByText(`${agent.name} is sealed by you`).waitFor();
      await page.getByRole("heading", { name: "Keep these now" }).waitFor();
      expect(await inspect(page, "reseal-done")).toEqual([]);
      await button(page, "Copy the API key").click();
      await page.getByText("The API key is in the clipboard.").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the proof file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${agent.name}-soul.json`);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      const { soulValidity, soulHash, arweaveTxId } = await profileOf(agent);
      expect(soulValidity.status).toBe("valid");
      expect(soulHash).not.toBe(agent.soulHash);
      expect(await publishedIn(arweaveTxId)).toEqual({ "soul.purpose": SOUL });
    });

    it("releases the soul once its name is typed, also after a declined signature", async () => {
      const agent = await newAgent();
      const buyer = newAccount();
      await sell(agent, buyer);
      const wallet = testWallet([buyer], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(`/reseal/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review the release").click();
      await page.getByText(`Type ${agent.name} to confirm`).waitFor();
      await page.getByLabel(`Type ${agent.name} to release it`).fill(agent.name);
      await button(page, "Review the release").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Release" }).waitFor();
      await button(page, "Sign and release").click();
      await page.getByText("You declined in your wallet").waitFor();
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText(`${agent.name} has ended`).waitFor();
      expect(await inspect(page, "release-done")).toEqual([]);
      expect((await profileOf(agent)).genesisStatus).toBe("BURNED");
    });

    it("refuses the seller's account, and has nothing to do without a sale", async () => {
      const agent = await newAgent();
      const page = await stage.open(`/reseal/${agent.tokenId}`, testWallet([agent.owner]));
      await page.getByText("No suspension stands").waitFor();
      expect(await inspect(page, "reseal-nothing")).toEqual([]);
      await sell(agent, newAccount());
      await page.reload();
      await button(page, "Use Heron Wallet").click();
      await page
        .getByText(`This account does not own the passport of ${agent.name}`)
        .first()
        .waitFor();
      expect(await button(page, "Review what you sign").count()).toBe(0);
    });
  });

  describe("the page for a successor", () => {
    it("registers it with one signature of the last owner", async () => {
      const agent = await newAgent();
      await burn(agent);
      const wallet = testWallet([agent.owner]);
      const page = await stage.open(`/reincarnate/${agent.tokenId}`, wallet);
      const title = `Successor of ${agent.name}`;
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect(await inspect(page, "reincarnate")).toEqual([]);
      const name = freshName();
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Name", { exact: true }).fill("no");
      await page.getByLabel("Text of the new soul").fill(SOUL);
      await button(page, "Review what you sign").click();
      await page.getByText("Error INVALID_NAME").waitFor();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await button(page, "Review what you sign").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Registration" }).waitFor();
      expect(await inspect(page, "reincarnate-review")).toEqual([]);
      await button(page, "Sign and register").click();
      await page.getByText("The successor is registered and sealed").waitFor();
      expect(await inspect(page, "reincarnate-done")).toEqual([]);
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      expect(body.parentTokenId).toBe(agent.tokenId);
    });

    it("registers the same soul with its text and salt, and refuses any other one", async () => {
      const owner = newAccount();
      const name = freshName();
      const form = new FormData();
      form.set("file", new Blob([SOUL], { type: "text/plain" }), "soul");
      form.set("format", "plaintext");
      form.set("agentName", name);
      form.set("agentType", "specialist");
      const normalised = await stage.service.request("/v1/tools/normalise", {
        method: "POST",
        body: form,
      });
      const { soulHash, soulSalt, soulMerkleRoot, merkleLeaves } = normalised.body;
      const soul = { soulHash, soulSalt, soulMerkleRoot, merkleLeaves, publicFields: {} };
      const agent = await ownerSigned(stage.service).newAgentNamed(name, owner, soul);
      await burn(agent);

      const wallet = testWallet([owner]);
      const page = await stage.open(`/reincarnate/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      const next = freshName();
      await page.getByLabel("Name", { exact: true }).fill(next);
      await page.getByLabel("Its soul").selectOption({ label: `The same soul as ${name}` });
      await page.getByLabel("Text of the new soul").fill(SOUL);
      await button(page, "Review what you sign").click();
      await page.getByText(`Enter the salt of ${name}`).waitFor();
      await page.getByLabel(`Salt of ${name}`).fill(`0x${"12".repeat(32)}`);
      await button(page, "Review what you sign").click();
      await page.getByText(`This is not a soul that ${name} was sealed with`).waitFor();
      await page.getByLabel(`Salt of ${name}`).fill(soulSalt);
      await page.getByText("Publish fields of the soul").first().click();
      await page.getByLabel("identity.agent_type").check();
      expect(await inspect(page, "reincarnate-same")).toEqual([]);
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/v1/reincarnate")),
        (async () => {
          await button(page, "Review what you sign").click();
          await button(page, "Sign and register").click();
        })(),
      ]);
      expect(await answer.json()).toMatchObject({
        agentName: next,
        soulHash,
        soulContinuity: true,
        soulHashMatch: true,
      });
      await page.getByText("The successor is registered and sealed").waitFor();
      const { body } = await stage.service.get(`/v1/profile/${next}`);
      expect(await publishedIn(body.arweaveTxId)).toEqual({ "identity.agent_type": "specialist" });
    });

    it("refuses an account that was not its last owner, and a declined signature", async () => {
      const agent = await newAgent();
      await burn(agent);
      const wallet = testWallet([newAccount()], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(`/reincarnate/${agent.tokenId}`, wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account was not the last owner of ${agent.name}`).waitFor();
      await chooseAccounts(wallet, [agent.owner]);
      const name = freshName();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByLabel("Text of the new soul").fill(SOUL);
      await button(page, "Review what you sign").click();
      await button(page, "Sign and register").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect((await stage.service.get(`/v1/profile/${name}`)).status).toBe(404);
    });

    it("has nothing to do while the agent lives", async () => {
      const agent = await newAgent();
      const page = await stage.open(`/reincarnate/${agent.tokenId}`);
      await page.getByText(`${agent.name} has not ended`).waitFor();
      expect(await inspect(page, "reincarnate-nothing")).toEqual([]);
    });
  });

  it.each(["burn", "reseal", "reincarnate", "allowances", "bindings", "sales", "access"])(
    "the page /%s shows what it knows without a script, and nothing inline",
    async (path) => {
      const agent = await newAgent();
      const { status, body, headers } = await stage.service.get(`/${path}/${agent.tokenId}`);
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(body).toContain(agent.name);
      expect(body).not.toMatch(/<script(?![^>]* src=)/);
      expect(await stage.service.get(`/${path}/999999`)).toMatchObject({ status: 404 });
    },
  );
}
