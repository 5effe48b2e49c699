import type { Hex, LocalAccount } from "viem";
import { hashTypedData, recoverAddress, zeroAddress } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners sign their agents' requests. */
export function signPage(stage: Stage): void {
  interface Agent {
    readonly name: string;
    readonly tokenId: number;
    readonly owner: LocalAccount;
    readonly apiKey: string;
  }

  async function newAgent(): Promise<Agent> {
    const owner = newAccount();
    const name = freshName();
    const { answer } = await stage.service.register(name, owner);
    return { name, owner, tokenId: answer.body.tokenId, apiKey: answer.body.apiKey };
  }

  const RINGER = {
    category: "certification",
    data: {
      changeType: "licence_granted",
      title: "Bird ringer\u202e",
      grades: ["A", "B"],
      details: { issuedBy: { authority: "River board" }, pages: 3 },
    },
    description: "I passed the exam on Tuesday. <b>Please</b> put it on record.",
  };

  /** Asks the owner to sign, and returns the page's address. */
  async function requested({ tokenId, apiKey }: Agent, change: object = {}): Promise<string> {
    const { status, body } = await stage.service.post(
      "/v1/chronicle/request",
      { tokenId, ...RINGER, ...change },
      { authorization: `Bearer ${apiKey}`, "idempotency-key": idempotencyKey() },
    );
    if (status !== 201) throw new Error(`Not requested: ${JSON.stringify(body)}`);
    return body.signUrl;
  }

  describe("the sign page", () => {
    let agent: Agent;
    beforeAll(async () => {
      agent = await newAgent();
    });

    it("shows the request, and exactly what would be signed", async () => {
      const url = await requested(agent);
      const page = await stage.open(url, testWallet([agent.owner]));
      await page.getByText("Use Heron Wallet").waitFor();
      const text = await page.getByRole("main").textContent();
      expect(text).toContain(`${agent.name} asks you to sign a record`);
      expect(text).toContain("In the agent's own words, which are not verified:");
      expect(text).toContain(RINGER.description);
      expect(text).toContain("Licence granted");
      expect(text).toContain("Bird ringer[U+202E]");
      expect(text).toContain("River board");
      expect(text).toContain("24 hours left");
      expect(text).toContain(agent.owner.address);

      const id = url.split("/").at(-1);
      const { body } = await stage.service.get(`/v1/chronicle/request?id=${id}`);
      for (const [field, value] of Object.entries(body.eip712Data.message)) {
        expect(text).toContain(field);
        expect(text).toContain(String(value));
      }
      expect(text).toContain(body.eip712Data.domain.verifyingContract);
      expect(await inspect(page, "sign-pending")).toEqual([]);
    });

    it("is private, and runs nothing but its own script", async () => {
      const { headers, body } = await stage.service.get(
        (await requested(agent)).slice(stage.service.url.length),
      );
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(body).not.toMatch(/<script(?![^>]* src="\/assets\/sign-)/);
      expect(body).not.toMatch(/ style=| on[a-z]+=|<style/);
      expect(body).toContain("&lt;b&gt;Please&lt;/b&gt;");
    });

    it("records with one signature, and shows where", async () => {
      const url = await requested(agent);
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(url, wallet);
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign and record").waitFor();
      expect(await inspect(page, "sign-connected")).toEqual([]);
      await button(page, "Sign and record").click();
      await page.getByText("Signed and recorded").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
      expect(await inspect(page, "sign-recorded")).toEqual([]);

      const proof = await page.getByRole("link", { name: "See the proof" }).getAttribute("href");
      expect(proof).toMatch(/^\/proofs\/chronicles\/\w+/);
      const queueId = proof?.split("/").at(-1);
      const { body } = await stage.service.get(`/v1/chronicle/${queueId}/proof`);
      expect(body).toMatchObject({
        tokenId: agent.tokenId,
        category: "certification",
        changeType: "licence_granted",
        status: "queued",
      });
      const { body: list } = await stage.service.get(
        `/v1/chronicle/${agent.name}?includeDetails=true`,
      );
      const recorded = list.chronicles.find(
        ({ queueId }: { queueId: string }) => queueId === body.queueId,
      );
      expect(recorded.detail).toMatchObject({ authority: "owner", signer: agent.owner.address });

      // What the wallet showed is what the service reports as signed.
      const request = wallet.calls.find(({ method }) => method === "eth_signTypedData_v4");
      const [account, shown] = (request?.params ?? []) as [string, string];
      const { types, ...data } = JSON.parse(shown);
      const { EIP712Domain: _, ...own } = types;
      const hash = hashTypedData({ ...data, types: own });
      const signature = recorded.detail.signature as Hex;
      expect(await recoverAddress({ hash, signature })).toBe(account);

      await page.reload();
      await page.getByRole("heading", { name: "This has been signed already" }).waitFor();
      expect(await page.getByRole("link", { name: "See the proof" }).getAttribute("href")).toBe(
        proof,
      );
      expect(await inspect(page, "sign-answered")).toEqual([]);
    });

    it("changes the operator on chain, at once", async () => {
      const another = await newAgent();
      const operator = newAccount().address;
      const url = await requested(another, {
        category: "operator_change",
        data: { operator },
        description: undefined,
      });
      const page = await stage.open(url, testWallet([another.owner]));
      await page.getByText(`${another.name} asks for another operator`).waitFor();
      expect(await page.getByRole("main").textContent()).toContain(
        `With your signature ${operator} may act for the agent, at once`,
      );
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign and record").click();
      await page.getByText("Signed and recorded").waitFor();
      expect(await inspect(page, "sign-on-chain")).toEqual([]);
      const { body } = await stage.service.get(`/v1/profile/${another.name}`);
      expect(body.operator).toBe(operator);
      expect(operator).not.toBe(zeroAddress);
    });

    it("explains a refusal, and lets its owner try again", async () => {
      const wallet = testWallet([agent.owner], {
        declines: new Set(["eth_requestAccounts", "eth_signTypedData_v4"]),
      });
      const page = await stage.open(await requested(agent), wallet);
      await page.getByText("Use Heron Wallet").click();
      await page.getByText("The connection was declined").waitFor();
      expect(await inspect(page, "sign-connection-declined")).toEqual([]);
      wallet.declines.delete("eth_requestAccounts");
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign and record").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await inspect(page, "sign-declined")).toEqual([]);
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("Signed and recorded").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(2);
    });

    it("waits for the owner's account, and follows the wallet to it", async () => {
      const stranger = newAccount();
      const wallet = testWallet([stranger]);
      const page = await stage.open(await requested(agent), wallet);
      await page.getByText("Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).waitFor();
      expect(await page.getByText(stranger.address).count()).toBe(1);
      expect(await button(page, "Sign and record").count()).toBe(0);
      expect(await inspect(page, "sign-other-account")).toEqual([]);
      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "Sign and record").waitFor();
      await chooseAccounts(wallet, []);
      await page.getByText("Use Heron Wallet").waitFor();
      expect(await button(page, "Sign and record").count()).toBe(0);
    });

    it("switches the wallet to the right network, and adds the network when needed", async () => {
      const wallet = testWallet([agent.owner], { chainId: 1, chains: new Set([1]) });
      wallet.declines.add("wallet_switchEthereumChain");
      const page = await stage.open(await requested(agent), wallet);
      await page.getByText("Use Heron Wallet").click();
      await page.getByText("Your wallet is on another network").waitFor();
      expect(await inspect(page, "sign-wrong-network")).toEqual([]);
      await button(page, "Switch to Hardhat").click();
      await page.getByText("The wallet stayed where it is").waitFor();
      wallet.declines.clear();
      await button(page, "Switch to Hardhat").click();
      await button(page, "Sign and record").waitFor();
      expect(
        wallet.calls.find(({ method }) => method === "wallet_addEthereumChain")?.params,
      ).toEqual([
        {
          chainId: "0x7a69",
          chainName: "Hardhat",
          nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
          rpcUrls: [stage.service.chain.rpcUrl],
        },
      ]);
      expect(wallet.chainId).toBe(31337);
    });

    it("says what to do without a wallet", async () => {
      const page = await stage.open(await requested(agent));
      await page.getByText("No wallet found in this browser").waitFor();
      expect(await inspect(page, "sign-no-wallet")).toEqual([]);
      await button(page, "Copy this page's address").click();
      await page.getByText("Copied.").waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
    });

    it("offers every wallet, and shows no icon from outside the wallet itself", async () => {
      const hostile = testWallet([], {
        name: "<img src=x onerror=alert(1)>",
        icon: "https://tracker.example/icon.png",
      });
      const vector = testWallet([agent.owner], {
        name: "Vector Wallet",
        icon: `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#c60"/><script>top.hacked = 1</script></svg>')}`,
      });
      const page = await stage.open(
        await requested(agent),
        testWallet([agent.owner]),
        hostile,
        vector,
      );
      await page.getByText("Use Heron Wallet").waitFor();
      await page.getByText("Use <img src=x onerror=alert(1)>").waitFor();
      const icons = await page
        .locator(".wallets img")
        .evaluateAll((all) => all.map((image) => (image as HTMLImageElement).src.slice(0, 14)));
      expect(icons).toEqual(["data:image/png", "data:image/svg"]);
      expect(await page.evaluate(() => "hacked" in window)).toBe(false);
      expect(await inspect(page, "sign-three-wallets")).toEqual([]);
    });

    it("accepts an older wallet that announces nothing", async () => {
      const page = await stage.open(
        await requested(agent),
        testWallet([agent.owner], { manner: "legacy" }),
      );
      await page.getByText("Use this browser's wallet").click();
      await button(page, "Sign and record").waitFor();
    });

    it("can be used with the keyboard alone", async () => {
      const page = await stage.open(await requested(agent), testWallet([agent.owner]));
      await page.getByText("Use Heron Wallet").waitFor();
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(
        "Skip to the content",
      );
      await page.keyboard.press("Enter");
      await button(page, "Use Heron Wallet").focus();
      await page.keyboard.press("Enter");
      await button(page, "Sign and record").focus();
      await page.keyboard.press("Enter");
      await page.getByText(/Signed and recorded|at most 5 chronicles/).waitFor();
    });

    it("shows the service's refusal in the service's words", async () => {
      const busy = await newAgent();
      const url = await requested(busy);
      for (let made = 0; made < 5; made += 1) {
        await stage.service.post(
          "/v1/chronicle",
          { tokenId: busy.tokenId, category: "other", data: {} },
          { authorization: `Bearer ${busy.apiKey}`, "idempotency-key": idempotencyKey() },
        );
      }
      const wallet = testWallet([busy.owner]);
      const page = await stage.open(url, wallet);
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign and record").click();
      await page.getByText("An agent records chronicles at most 5 times a day (UTC).").waitFor();
      expect(await inspect(page, "sign-refused-by-service")).toEqual([]);
      await button(page, "Try again").click();
      await page.getByText("An agent records chronicles at most 5 times a day (UTC).").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
    });

    it("is gone after its time, and when the agent was sold", async () => {
      const sold = await newAgent();
      const [late, url] = [await requested(sold), await requested(sold)];
      await stage.service.pool.query(
        "update app.chronicle_request set expires_at = now() - interval '1 minute' where id = $1",
        [late.split("/").at(-1)],
      );
      const page = await stage.open(late);
      await page.getByRole("heading", { name: "This has expired" }).waitFor();
      expect(await inspect(page, "sign-expired")).toEqual([]);

      const { body } = await stage.service.get(`/v1/profile/${sold.name}`);
      await stage.service.chain.fund(sold.owner.address);
      await stage.service.chain.transferPassport(
        BigInt(body.erc8004AgentId),
        sold.owner,
        newAccount().address,
      );
      await page.goto(url);
      await page.getByText("The agent has been sold, resealed or burned since.").waitFor();
    });

    it("does not exist for an unknown id", async () => {
      const page = await stage.open(`${stage.service.url}/sign/chr_${"x".repeat(22)}`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      expect(await inspect(page, "sign-unknown")).toEqual([]);
    });
  });
}
