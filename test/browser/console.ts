import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { describe, expect, it, vi } from "vitest";
import {
  agentKeysAbi,
  identityRegistryAbi,
  soulRegistryAbi,
} from "../../protocol/generated/abi.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { type OwnedAgent, ownerSigned } from "../fixtures/owner-signed.ts";
import { ED25519_KEY } from "../fixtures/public-keys.ts";
import { button, inspect } from "./browser.ts";
import { richWallet } from "./rich-wallet.ts";
import type { Stage } from "./stage.ts";
import { testWallet, timesAsked } from "./wallet.ts";

const SOON = { timeout: 45_000, interval: 250 };
const CONFIRMATION = "Type delete to confirm";

/** The owner's console: everything that an owner does, from one sign-in. */
export function consolePages(stage: Stage): void {
  const newAgent = (owner?: LocalAccount) => ownerSigned(stage.service).newAgent(owner);
  const textOf = (page: Page) => page.getByRole("main").textContent();
  const said = (page: Page, text: string | RegExp) =>
    page.locator("#console-said").getByText(text).waitFor();

  async function signIn(page: Page): Promise<void> {
    await button(page, "Use Heron Wallet").click();
    await button(page, "Sign in").click();
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  }

  /** Opens a part of the console by its link. */
  async function part(page: Page, { name, tokenId }: OwnedAgent, title: string): Promise<void> {
    await page.goto(`${stage.service.url}/console`);
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page
      .getByRole("navigation", { name: "Parts of the console" })
      .getByRole("link", { name: title })
      .click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    expect(new URL(page.url()).pathname).toContain(`/console/${tokenId}/`);
  }

  /** Opens a page that the console links for what the wallet signs. */
  async function task(page: Page, { name }: OwnedAgent, label: string): Promise<void> {
    await page.goto(`${stage.service.url}/console`);
    await page.getByRole("link", { name, exact: true }).first().click();
    await page
      .getByRole("region", { name: "On pages of their own" })
      .getByRole("link", { name: label, exact: true })
      .click();
    await button(page, "Use Heron Wallet").click();
  }

  const worksFor = async (apiKey: string, { tokenId }: OwnedAgent) =>
    (await stage.service.request(`/v1/webhooks?tokenId=${tokenId}`, { headers: bearer(apiKey) }))
      .status;

  const cookiesOf = async (page: Page) =>
    (await page.context().cookies()).map(({ name, httpOnly, sameSite, secure, path }) => ({
      name,
      httpOnly,
      sameSite,
      secure,
      path,
    }));

  describe("the console", () => {
    it("signs in once for all agents, survives a reload, and signs out", async () => {
      const owner = newAccount();
      const [first, second] = [await newAgent(owner), await newAgent(owner)];
      const wallet = testWallet([owner], { declines: new Set(["personal_sign"]) });
      const page = await stage.open("/console", wallet);
      await page.getByRole("heading", { level: 1, name: "Manage your agents" }).waitFor();
      expect(await inspect(page, "console-signed-out")).toEqual([]);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await cookiesOf(page)).toEqual([]);
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByRole("heading", { level: 1, name: "Your agents", exact: true }).waitFor();
      expect(await cookiesOf(page)).toEqual([
        { name: "svc-console", httpOnly: true, sameSite: "Strict", secure: false, path: "/" },
      ]);
      await page.waitForLoadState();
      expect(await page.evaluate(() => document.cookie)).toBe("");
      expect(await textOf(page)).toContain("Nothing waits for you");
      for (const { name } of [first, second]) {
        await page.getByRole("link", { name, exact: true }).waitFor();
      }
      expect(await inspect(page, "console")).toEqual([]);
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Your agents", exact: true }).waitFor();
      expect(timesAsked(wallet, "personal_sign")).toBe(2);

      await page.goto(`${stage.service.url}/manage/${first.tokenId}`);
      await page.getByRole("heading", { level: 1, name: first.name }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/console/${first.tokenId}`);
      expect(await inspect(page, "console-agent")).toEqual([]);
      await button(page, "Sign out").click();
      await page.getByText("You are signed out.").waitFor();
      await page.getByRole("heading", { level: 1, name: "Manage your agents" }).waitFor();
      expect(await cookiesOf(page)).toEqual([]);
      expect(await textOf(page)).not.toContain(first.name);
    });

    it("shows an account without an agent what to do, and no agent of another account", async () => {
      const agent = await newAgent();
      const wallet = testWallet([newAccount()]);
      const page = await stage.open("/console", wallet);
      await signIn(page);
      expect(await textOf(page)).toContain("This account owns no agent yet.");
      expect(await inspect(page, "console-empty")).toEqual([]);
      for (const path of ["", "/keys", "/webhooks", "/records", "/identity", "/passport"]) {
        await page.goto(`${stage.service.url}/console/${agent.tokenId}${path}`);
        await page.getByText(`This account does not own ${agent.name}`).waitFor();
        expect(await page.getByRole("navigation", { name: "Parts" }).count()).toBe(0);
      }
      expect(await inspect(page, "console-foreign")).toEqual([]);
    });

    it("takes the account that is chosen of several, and says that it waits for a slow wallet", async () => {
      const [one, other] = [newAccount(), newAccount()];
      const agent = await newAgent(other);
      let answer = () => {};
      const asked = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const slow = {
        ...other,
        signMessage: async (message: Parameters<LocalAccount["signMessage"]>[0]) => {
          await asked;
          return other.signMessage(message);
        },
      };
      const page = await stage.open("/console", testWallet([one, slow as LocalAccount]));
      await page.clock.install();
      await page.reload();
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Act as").selectOption(other.address);
      expect(await inspect(page, "console-accounts")).toEqual([]);
      await button(page, "Sign in").click();
      await page.getByText("Your wallet asks for a signature.").waitFor();
      await page.clock.fastForward(8_000);
      await page.getByText("Still waiting for your wallet.").waitFor();
      expect(await inspect(page, "console-slow-wallet")).toEqual([]);
      answer();
      await page.getByRole("link", { name: agent.name, exact: true }).waitFor();
      expect(await textOf(page)).toContain(other.address);
    });

    it("drives an agent's whole life: keys, webhooks, records, identity, allowance, organization, sale, reseal, burn", async () => {
      const { service } = stage;
      const owner = newAccount();
      const agent = await newAgent(owner);
      const { tokenId, name } = agent;
      const receiver = await startOpenReceiver(service);
      const hook = receiver.at(`/${tokenId}/console`);
      const wallet = testWallet([owner]);
      const page = await stage.open("/console", wallet);
      await signIn(page);

      // A key: made, used, and ended.
      await part(page, agent, "Keys and sessions");
      expect(await inspect(page, "console-keys")).toEqual([]);
      await button(page, "Make a new key, and end all others").click();
      await page.getByRole("heading", { name: "The agent's new key" }).waitFor();
      const apiKey = (await page.locator("#rotate-action code").textContent()) ?? "";
      expect(apiKey).toMatch(/^svc_live_/);
      expect([await worksFor(apiKey, agent), await worksFor(agent.apiKey, agent)]).toEqual([
        200, 401,
      ]);
      expect(await inspect(page, "console-key-made")).toEqual([]);
      await button(page, "Copy it").click();
      await page.getByText("It is in the clipboard.").waitFor();
      await button(page, "I have kept it").click();
      await page.getByText("API keys: 1").waitFor();
      expect(await page.content()).not.toContain(apiKey);
      await page.getByRole("button", { name: /^End it: the key/ }).click();
      await said(page, /^The key .+ has ended\.$/);
      expect(await worksFor(apiKey, agent)).toBe(401);
      expect(await textOf(page)).toContain(`No key acts for ${name}.`);

      // A webhook: created, tested, stopped, started, given another secret, and deleted.
      await part(page, agent, "Webhooks");
      await page.getByLabel("Address", { exact: true }).fill("http://192.168.0.1/hook");
      await button(page, "Create the webhook").click();
      await page.getByText("Error INVALID_REQUEST").waitFor();
      expect(await inspect(page, "console-webhook-refused")).toEqual([]);
      await page.getByLabel("Address", { exact: true }).fill(hook.url);
      await page.getByLabel("chronicle.recorded").check();
      await button(page, "Create the webhook").click();
      await page.getByRole("heading", { name: "The webhook's secret" }).waitFor();
      expect(await page.locator("#create-action code").textContent()).toMatch(/^whsec_/);
      await button(page, "I have kept it").click();
      await page.getByRole("link", { name: hook.url }).click();
      await page.getByText("Nothing was sent yet.").waitFor();
      await button(page, "Send a test").click();
      await said(page, "A test event was sent.");
      await vi.waitFor(async () => {
        await page.reload();
        expect(await page.getByText("delivered", { exact: true }).count()).toBe(1);
      }, SOON);
      expect(hook.got()).toHaveLength(1);
      expect(await inspect(page, "console-webhook")).toEqual([]);
      await page.getByRole("button", { name: /^Send it again: webhook\.test/ }).click();
      await said(page, "webhook.test is sent again.");
      await vi.waitFor(() => expect(hook.got()).toHaveLength(2), SOON);
      await button(page, "Disable it").click();
      await said(page, "The webhook is disabled.");
      expect(await button(page, "Send what was missed").count()).toBe(0);
      await button(page, "Enable it").click();
      await said(page, "The webhook is enabled.");
      await button(page, "Rotate the secret").click();
      await page.getByRole("heading", { name: "The webhook's secret" }).waitFor();
      await button(page, "I have kept it").click();

      // A chronicle and a document.
      await part(page, agent, "Records");
      await button(page, "Record it").click();
      await page.getByText("Title: fill this in").waitFor();
      await page.getByLabel("Category").selectOption("achievement");
      await page.getByLabel("Title", { exact: true }).fill("Counted <b>all</b> herons");
      await button(page, "Record it").click();
      await said(page, "The chronicle 1 is recorded.");
      const { body: chronicles } = await service.get(`/v1/chronicle/${name}`);
      expect(chronicles.chronicles[0]).toMatchObject({ category: "achievement" });
      await page.getByLabel("Id of the document").fill("manifesto");
      await page.getByLabel("Its title").fill("Manifesto");
      await page.getByLabel("File").setInputFiles({
        name: "manifesto.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# Herons first"),
      });
      await button(page, "Publish the document").click();
      await said(page, "The document manifesto is published.");
      expect(await textOf(page)).toContain("Documents: 1");
      expect(await inspect(page, "console-records")).toEqual([]);
      const { body: documents } = await service.get(`/v1/soul-documents/${name}`);
      expect(documents.documents[0]).toMatchObject({ id: "manifesto", version: 1 });

      // What was missed, then the end of the webhook.
      await part(page, agent, "Webhooks");
      await page.getByRole("link", { name: hook.url }).click();
      await button(page, "Send what was missed").click();
      await said(page, /^0 events are sent again; 0 remain\.$/);
      await button(page, "Delete it").click();
      await page.getByText(CONFIRMATION).first().waitFor();
      await page.getByLabel(CONFIRMATION).fill("delete");
      await button(page, "Delete it").click();
      await said(page, `The webhook to ${hook.url} is deleted.`);
      expect(await textOf(page)).toContain("Webhooks: 0");
      expect(await inspect(page, "console-webhooks-none")).toEqual([]);
      await receiver.stop();

      // What it says and shows of itself, and its DID document.
      await part(page, agent, "Identity");
      await page.getByLabel("About it").fill("Counts herons.");
      await page.getByLabel("Category").selectOption("knowledge");
      await page.getByLabel("Tags").fill("herons\nweirs");
      await page.getByLabel("Contacts").fill("github heron");
      await button(page, "Publish it").click();
      await said(page, "The agent says this from now on.");
      expect(await page.getByLabel("Tags").inputValue()).toBe("herons\nweirs");
      await page.getByLabel("The operator's label").fill("The night shift");
      await page.getByLabel("Programs may show balances").check();
      await button(page, "Save it").click();
      await said(page, "The agent's page shows this from now on.");
      const { body: display } = await service.get(`/v1/profile/${name}/display`);
      expect(display.displaySettings).toMatchObject({
        operatorLabel: "The night shift",
        showWalletBalances: true,
        showTransactionCount: false,
      });
      const { body: profile } = await service.get(`/v1/profile/${name}`);
      expect(profile.publicIdentity).toMatchObject({
        bio: "Counts herons.",
        category: "knowledge",
        tags: ["herons", "weirs"],
        contacts: [{ type: "github", value: "heron" }],
      });
      await button(page, "Use Heron Wallet").click();
      expect(await inspect(page, "console-identity")).toEqual([]);
      await page.getByLabel("Chain", { exact: true }).fill("eip155:1");
      await page.getByLabel("Address", { exact: true }).fill(newAccount().address);
      await page.getByLabel("Label", { exact: true }).fill("Savings");
      await button(page, "Review adding it").click();
      await page.getByRole("heading", { name: "Exactly what you sign: SetDidArchive" }).waitFor();
      await button(page, "Sign and add it").click();
      await page.getByText("The account is in the DID document").waitFor();
      expect(JSON.stringify((await service.get(`/v1/did/${name}`)).body)).toContain("Savings");

      // Another operator.
      await part(page, agent, "Passport");
      await button(page, "Use Heron Wallet").click();
      expect(await inspect(page, "console-passport")).toEqual([]);
      const operator = newAccount().address;
      await page.getByLabel("The new operator").fill(operator);
      await button(page, "Review the change").last().click();
      await page.getByRole("heading", { name: "Exactly what you sign: RecordEvolution" }).waitFor();
      await button(page, "Sign and change it").click();
      await page.getByText("The agent has a new operator").waitFor();

      // What it may pay.
      await task(page, agent, "Allowance");
      await page.getByLabel("At most for one payment").fill("1");
      await page.getByLabel("At most in one UTC day").fill("5");
      await page.getByLabel("Last day").fill("2100-01-31");
      await button(page, "Review what you sign").click();
      await button(page, "Sign and set").click();
      await page.getByText("The limits are in force").waitFor();
      const allowance = async () => (await service.get(`/v1/allowance/${tokenId}`)).body.allowance;
      expect(await allowance()).toMatchObject({ perTransaction: 1_000_000, active: true });

      // Its organization.
      await task(page, agent, "Organizations");
      await page.getByLabel("Name", { exact: true }).fill("Waders");
      await button(page, "Review what you sign").click();
      await button(page, "Sign and found").click();
      await page.getByText("The organization is founded").waitFor();
      await page.goto(`${service.url}/console`);
      await page.getByRole("link", { name: "Waders" }).click();
      await page.getByLabel("Name or passport number").fill(name);
      await button(page, "Choose it").click();
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review joining").click();
      await button(page, "Sign and join").click();
      await page.getByText(`${name} is a member`).waitFor();

      // The sale: everything ends first, the sign-in too.
      await task(page, agent, "Sell it");
      await button(page, "End everything").click();
      await button(page, "Sign and end everything").click();
      await page.getByText("Everything has ended").waitFor();
      expect((await allowance()).active).toBe(false);
      await page.goto(`${service.url}/console/${tokenId}`);
      await page.getByRole("heading", { level: 1, name: "Manage your agents" }).waitFor();
      await signIn(page);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      const buyer = newAccount();
      const { chain } = service;
      await chain.transferPassport(agent.passportId, owner, buyer.address);
      await page.reload();
      await page.getByText(`This account does not own ${name}`).waitFor();
      await vi.waitFor(async () => {
        await page.goto(`${service.url}/console`);
        expect(await page.getByRole("link", { name, exact: true }).count()).toBe(0);
        const isSuspended = await chain.client.readContract({
          address: chain.contracts.soulRegistry,
          abi: soulRegistryAbi,
          functionName: "isSuspended",
          args: [BigInt(tokenId)],
        });
        expect(isSuspended).toBe(true);
      }, SOON);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      await chain.client.mine({ blocks: 1 });
      await stage.close();

      // The buyer finds it waiting, and reseals it.
      const buyersWallet = testWallet([buyer]);
      const sold = await stage.open("/console", buyersWallet);
      await signIn(sold);
      await sold.getByRole("heading", { name: "Waiting for you" }).waitFor();
      expect(await inspect(sold, "console-sold")).toEqual([]);
      await sold.getByRole("link", { name, exact: true }).click();
      await sold.getByText("The soul waits for your decision").waitFor();
      expect(await inspect(sold, "console-agent-suspended")).toEqual([]);
      await sold.getByRole("link", { name: "Take it over" }).click();
      await button(sold, "Use Heron Wallet").click();
      await sold.getByLabel("Text of the new soul").fill("You count herons for another owner.");
      await button(sold, "Review what you sign").click();
      await button(sold, "Sign and reseal").click();
      await sold.getByText(`${name} is sealed by you`).waitFor();
      await button(sold, "Copy the API key").click();
      await Promise.all([
        sold.waitForEvent("download"),
        sold.getByRole("link", { name: "Download the proof file" }).click(),
      ]);

      // What the passport says of the soul is written by a reseal, or waits.
      await task(sold, agent, "End it");
      await sold.getByLabel("Reason").fill("Its work is done.");
      await button(sold, "Review what you sign").click();
      await sold.getByText(`Type ${name} to confirm`).first().waitFor();
      await sold.getByLabel(`Type ${name} to confirm`).fill(name);
      await button(sold, "Review what you sign").click();
      await button(sold, "Sign and burn").click();
      await sold.getByText(`${name} has ended`).waitFor();
      await sold.goto(`${service.url}/console`);
      await sold.getByRole("link", { name, exact: true }).click();
      await sold.getByText("The soul has ended").waitFor();
      await sold.getByRole("link", { name: "Register its successor" }).waitFor();
      expect(await inspect(sold, "console-agent-ended")).toEqual([]);
    });

    it("changes the passport, the keys and the soul, and has the agent scored and validated", async () => {
      const { service } = stage;
      const owner = newAccount();
      const agent = await newAgent(owner);
      const { name, passportId } = agent;
      const page = await stage.open("/console", await richWallet(stage, owner));
      await signIn(page);
      const act = (id: string, label: string) =>
        page.locator(`#${id}-action`).getByRole("button", { name: label, exact: true }).click();
      const file = async () => (await service.get(`/v1/registration-file/${name}`)).body;

      // The registration file: by the passport writer, which is approved first, and by the owner's wallet.
      await part(page, agent, "Passport");
      await button(page, "Use Heron Wallet").click();
      await page
        .getByLabel("Endpoints to add or replace")
        .fill("MCP https://heron.example/mcp\nA2A https://heron.example/card.json");
      await act("file", "Review the change");
      await page.getByText("Error APPROVAL_REQUIRED").waitFor();
      await ownerSigned(service).approve(agent);
      await act("file", "Review the change");
      await page.getByRole("heading", { name: "Exactly what you sign: SetAgentURI" }).waitFor();
      await act("file", "Sign and change it");
      await page.getByText("The passport points at the new file").waitFor();
      expect((await file()).services).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: "MCP", endpoint: "https://heron.example/mcp" }),
          expect.objectContaining({ name: "A2A", endpoint: "https://heron.example/card.json" }),
        ]),
      );
      await part(page, agent, "Passport");
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Description", { exact: true }).fill("Counts herons at dawn.");
      await act("uri", "Review the change");
      await act("uri", "Sign and write it");
      await page.getByText("The new file is stored").waitFor();
      await page.locator("#uri-action").getByRole("button").first().click();
      await vi.waitFor(
        async () => expect((await file()).description).toBe("Counts herons at dawn."),
        SOON,
      );

      // The wallet that its payments go to.
      await part(page, agent, "Passport");
      await button(page, "Use Heron Wallet").click();
      await act("agent-wallet", "Make this account the agent's wallet");
      await vi.waitFor(async () => {
        const wallet = await service.chain.client.readContract({
          address: service.chain.contracts.identityRegistry,
          abi: identityRegistryAbi,
          functionName: "getAgentWallet",
          args: [passportId],
        });
        expect(wallet).toBe(owner.address);
      }, SOON);

      // Its public keys, and another prompt.
      await part(page, agent, "Identity");
      await button(page, "Use Heron Wallet").click();
      const key = {
        ...ED25519_KEY,
        use: "sig",
        exp: Math.floor(Date.now() / 1000) + 3_600,
      };
      await page.getByLabel("Public JWKs").fill("not a list");
      await act("key-set", "Review the keys");
      await page.getByText("Public JWKs: ").waitFor();
      await page.getByLabel("Public JWKs").fill(JSON.stringify([key]));
      await page.getByLabel("Only while the passport's agentWallet is the operator").check();
      await act("key-set", "Review the keys");
      await act("key-set", "Sign and publish them");
      await page.getByText("The agent's keys are these").waitFor();
      const [keysSet] = await service.chain.client.getContractEvents({
        address: service.chain.contracts.agentKeys,
        abi: agentKeysAbi,
        eventName: "AgentKeysSet",
        args: { tokenId: BigInt(agent.tokenId) },
        fromBlock: 0n,
      });
      expect(keysSet?.args.onlyWithAgentWallet).toBe(true);
      const { body: published } = await service.get(`/v1/agents/${name}/jwks.json`);
      expect(JSON.parse(published).keys).toContainEqual(
        expect.objectContaining({ x: key.x, use: "sig" }),
      );
      await part(page, agent, "Identity");
      await button(page, "Use Heron Wallet").click();
      const { body: before } = await service.get(`/v1/profile/${name}`);
      await page.getByLabel("Text of the new soul").fill("You count herons, and now geese.");
      await act("revision", "Review the revision");
      await page.getByRole("heading", { name: "Exactly what you sign: RecordEvolution" }).waitFor();
      await act("revision", "Sign and revise it");
      await page.getByText("The soul is revised").waitFor();
      const { body: after } = await service.get(`/v1/profile/${name}`);
      expect([after.soulHash === before.soulHash, after.genesisStatus]).toEqual([false, "SEALED"]);

      // A validation is asked for by the owner's wallet, and then written by the service.
      await part(page, agent, "Score and validation");
      expect(await inspect(page, "console-reputation")).toEqual([]);
      await button(page, "Use Heron Wallet").click();
      await act("request-validation", "Ask for a validation");
      await page.getByText("Load the page again once it is confirmed.").waitFor();
      await page.reload();
      await button(page, "Validate it now").click();
      await said(page, /^The validation registry holds (?:50|100) of 100 for the agent\.$/);
      await button(page, "Score it now").click();
      await page.getByText("is under 30 days old: it has no score yet.").waitFor();
      expect(await textOf(page)).toContain("Error FORBIDDEN");
    });

    it("lists what waits for a decision, and leads to it", async () => {
      const agent = await newAgent();
      const { tokenId, name, apiKey } = agent;
      const asked = await stage.service.post(
        "/v1/chronicle/request",
        { tokenId, category: "certification", data: { title: "Bird ringer" } },
        bearer(apiKey),
      );
      expect(asked.status).toBe(201);
      const other = await newAgent();
      const disclosure = await stage.service.post(
        "/v1/disclose/request",
        {
          requesterTokenId: other.tokenId,
          targetAgentName: name,
          requestedFields: ["soul.purpose"],
          reason: "To compare notes.",
        },
        bearer(other.apiKey),
      );
      expect(disclosure.status).toBe(202);
      const wallet = testWallet([agent.owner]);
      const page = await stage.open("/console", wallet);
      await signIn(page);
      expect(await inspect(page, "console-waiting")).toEqual([]);
      await page.getByRole("link", { name: "1 chronicle to sign" }).click();
      await page.getByText("Chronicles that wait for your signature: 1").waitFor();
      await page.getByRole("link", { name: /^Read and sign/ }).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toMatch(/^\/sign\/chr_/);
      await page.goto(`${stage.service.url}/console`);
      await page.getByRole("link", { name: "1 request to see its soul" }).click();
      // The sign-in to the console is enough: the page needs no wallet.
      await page.getByText("Requests that wait for you: 1").waitFor();
      expect(await button(page, "Use Heron Wallet").count()).toBe(0);
      expect(await inspect(page, "disclosures-signed-in")).toEqual([]);
      expect(timesAsked(wallet, "personal_sign")).toBe(1);
    });

    it("stops an agent with the sign-in alone, which ends with it", async () => {
      const agent = await newAgent();
      const page = await stage.open(`/console/${agent.tokenId}/keys`, testWallet([agent.owner]));
      await signIn(page);
      await button(page, "End keys, sessions and webhooks now").click();
      await said(page, /^All keys, sessions and webhooks of the agent have ended/);
      await page.getByRole("heading", { level: 1, name: "Manage your agents" }).waitFor();
      expect(await worksFor(agent.apiKey, agent)).toBe(401);
    });
  });
}
