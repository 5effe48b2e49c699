import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { encodeFunctionData, hashTypedData, recoverAddress, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { identityRegistryAbi, passportWriterAbi } from "../../protocol/generated/abi.ts";
import { buildFieldTree, normaliseCcsf, soulHash } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs, SECRET_PROMPT } from "../fixtures/agent-verbs.ts";
import { freshName } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import { richWallet } from "./rich-wallet.ts";
import type { Stage } from "./stage.ts";
import { type TestWallet, testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners claim agents that registered themselves. */
export function claimPage(stage: Stage): void {
  const agents = agentVerbs({ post: (...sent) => stage.service.post(...sent) });
  const DECLARED = {
    agentDescription: "Counts the birds along the river.",
    publicFields: ["identity.description"],
    publicIdentity: { tagline: "Up before the birds.", category: "knowledge", tags: ["birds"] },
    personalityDocument: {
      title: "How I count\u202e",
      content: "Slowly.\n<script>alert(1)</script>",
      immutable: true,
    },
    birthBundle: { note: "Born on the weir." },
  };

  interface Unclaimed {
    readonly name: string;
    readonly registrationId: string;
    readonly claimUrl: string;
  }

  async function registered(change: object = DECLARED): Promise<Unclaimed> {
    const name = freshName();
    const { registrationId, claimUrl } = await agents.registerAgent(name, change);
    return { name, registrationId, claimUrl };
  }

  /** Opens the collapsed parts of the form. */
  async function unfold(page: Page): Promise<void> {
    for (const summary of await page
      .locator("summary")
      .filter({ has: page.locator(".fold-note") })
      .all())
      await summary.click();
  }

  async function reviewed(page: Page): Promise<void> {
    await button(page, "Use Heron Wallet").click();
    await button(page, "Review what you sign").click();
    await button(page, "Sign and claim").waitFor();
  }

  /** The wallet's last signature request, and its signer. */
  function signedData(wallet: TestWallet) {
    const request = wallet.calls.findLast(({ method }) => method === "eth_signTypedData_v4");
    const [account, shown] = (request?.params ?? []) as [string, string];
    const { types, ...data } = JSON.parse(shown);
    const { EIP712Domain: _, ...own } = types;
    return { account, data: { ...data, types: own } };
  }

  const passportRead = (functionName: "tokenURI" | "getAgentWallet", passportId: number) =>
    stage.service.chain.client.readContract({
      address: stage.service.chain.contracts.identityRegistry,
      abi: identityRegistryAbi,
      functionName,
      args: [BigInt(passportId)],
    });

  describe("the claim page", () => {
    it("shows what is claimed without private values, and is not cached", async () => {
      const { name, claimUrl } = await registered();
      const page = await stage.open(claimUrl, testWallet([newAccount()]));
      await button(page, "Use Heron Wallet").waitFor();
      const text = await page.getByRole("main").textContent();
      for (const part of [
        `Claim ${name}`,
        "Specialist",
        "Hashed and discarded: it cannot be shown or edited, you can only replace it",
        DECLARED.agentDescription,
        "Up before the birds.",
        "identity.description",
        "How I count[U+202E]",
        "<script>alert(1)</script>",
        "The account that signs becomes the agent's owner.",
      ]) {
        expect(text).toContain(part);
      }
      expect(await page.content()).not.toContain(SECRET_PROMPT);
      expect(await inspect(page, "claim-open")).toEqual([]);

      const { headers, body } = await stage.service.get(claimUrl.slice(stage.service.url.length));
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(body).not.toMatch(/<script(?![^>]* src="\/assets\/claim-)/);
      expect(body).not.toMatch(/ style=| on[a-z]+=|<style/);
    });

    it("counts characters, and opens the hashed parts only with a new prompt", async () => {
      const { claimUrl } = await registered({});
      const page = await stage.open(claimUrl, testWallet([newAccount()]));
      const [type, description] = [page.getByLabel("Type"), page.getByLabel("Description")];
      expect(await type.isDisabled()).toBe(true);
      expect(await description.isDisabled()).toBe(true);
      await page.getByLabel("New prompt").fill("Count owls.");
      expect(await type.isEnabled()).toBe(true);
      expect(await description.isEnabled()).toBe(true);
      expect(await page.locator("[data-counts=systemPrompt]").textContent()).toBe(
        "11 of 262144 characters",
      );
      await unfold(page);
      await page.getByLabel("About it").fill("x".repeat(600));
      expect(await page.locator("[data-counts=bio]").textContent()).toBe("500 of 500 characters");
      await page.getByLabel("New prompt").fill("");
      expect(await type.isDisabled()).toBe(true);
    });

    it("claims and seals with one signature, and gives everything to keep", async () => {
      const { name, registrationId, claimUrl } = await registered();
      const { body: draft } = await stage.service.get(`/v1/register/claim?id=${registrationId}`);
      const { id, contentHash, immutable } = draft.draft.personalityDocument;
      const owner = newAccount();
      const wallet = await richWallet(stage, owner);
      const page = await stage.open(claimUrl, wallet);
      const prompt = "Count the owls, not the herons.\n\tNever before midnight.";
      await page.getByLabel("New prompt").fill(prompt);
      await page.getByLabel("Type").selectOption("companion");
      await page.getByLabel("Description").fill("Counts owls.");
      await unfold(page);
      await page.getByLabel("Display name").fill("Strix");
      await page.getByLabel("Tags").fill("owls, night");
      await page.getByLabel("Website").fill("https://owls.example/");
      await page.getByLabel("Your name, if you want it there").fill("Ada");

      await reviewed(page);
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(0);
      const shown = await page.locator("#claim-root").textContent();
      expect(shown).toContain(
        `Register this agent as yours.${name} gets a new ERC-8004 passport, and its soul is sealed as it is.`,
      );
      expect(shown).toContain("agentTypecompanion1");
      expect(shown).toContain(owner.address);
      expect(await inspect(page, "claim-review")).toEqual([]);

      await button(page, "Sign and claim").click();
      await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
      const { account, data } = signedData(wallet);
      expect(account).toBe(owner.address);
      for (const value of Object.values(data.message)) expect(shown).toContain(String(value));
      expect(await inspect(page, "claim-done")).toEqual([]);

      // Leaving now would lose what is shown once.
      const asked = page.waitForEvent("dialog");
      const left = page.getByRole("link", { name: `To ${name}` }).click();
      const dialog = await asked;
      expect(dialog.type()).toBe("beforeunload");
      await dialog.dismiss();
      await left;
      expect(page.url()).toBe(claimUrl);

      // The downloaded file and the owner's own prompt give the soul's hash, without the service.
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the proof file" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${name}-soul.json`);
      const registration = JSON.parse(await readFile(await download.path(), "utf8"));
      const { body: profile } = await stage.service.get(`/v1/profile/${name}`);
      expect(profile).toMatchObject({
        tokenId: registration.tokenId,
        genesisStatus: "SEALED",
        soulValidity: { status: "valid" },
        birthBundle: { note: "Born on the weir.", creatorName: "Ada" },
        owner: owner.address,
        agentType: "companion",
        soulHash: registration.soulHash,
        erc8004AgentId: expect.any(Number),
      });
      const ccsf = normaliseCcsf({
        identity: { name, agent_type: "companion", description: "Counts owls." },
        soul: { purpose: prompt, documents: [{ id, contentHash, immutable }] },
      });
      expect(soulHash(registration.soulSalt, ccsf)).toBe(registration.soulHash);
      const tree = buildFieldTree({
        ccsf,
        salt: registration.soulSalt,
        soulHash: registration.soulHash,
      });
      expect(tree).toMatchObject({
        root: registration.soulMerkleRoot,
        leaves: registration.merkleLeaves,
      });
      const { body: archived } = await stage.service.get(`/ar/${profile.arweaveTxId}`);
      expect(archived.publicIdentity).toMatchObject({
        displayName: "Strix",
        tagline: "Up before the birds.",
        category: "knowledge",
        tags: ["owls", "night"],
        website: "https://owls.example/",
      });

      await button(page, "Copy the API key").click();
      await page.getByText("The API key is in the clipboard.").waitFor();
      const apiKey = await page.evaluate(() => navigator.clipboard.readText());
      const { status } = await stage.service.post(
        "/v1/chronicle/request",
        { tokenId: registration.tokenId, category: "other", data: {} },
        { authorization: `Bearer ${apiKey}` },
      );
      expect(status).toBe(201);

      await button(page, "Set the agent's wallet").click();
      await page.getByText("Sent as").waitFor();
      expect(await passportRead("getAgentWallet", profile.erc8004AgentId)).toBe(owner.address);
      expect(await inspect(page, "claim-follow-up")).toEqual([]);

      await page.goto(claimUrl);
      await page.getByRole("heading", { name: `${name} has an owner` }).waitFor();
      expect(await inspect(page, "claim-taken")).toEqual([]);
    });

    it("changes only what its owner changes", async () => {
      const { name, registrationId, claimUrl } = await registered();
      const wallet = testWallet([newAccount()]);
      const page = await stage.open(claimUrl, wallet);
      const asked = page.waitForRequest((request) => request.url().endsWith("/typed-data/claim"));
      await reviewed(page);
      expect((await asked).postDataJSON()).toEqual({
        registrationId,
        ownerAddress: wallet.accounts[0]?.address,
        seal: true,
        agentKeeps: true,
      });
      await button(page, "Change something").click();
      await page.getByLabel("Let the agent have a key of its own").uncheck();
      await page.getByLabel("Seal it at once").uncheck();
      await unfold(page);
      await page.getByLabel("Tagline").fill("");
      const again = page.waitForRequest((request) => request.url().endsWith("/typed-data/claim"));
      await button(page, "Review what you sign").click();
      expect((await again).postDataJSON()).toMatchObject({
        seal: false,
        agentKeeps: false,
        editedData: { publicIdentity: { tagline: null } },
      });
      await button(page, "Sign and claim").click();
      await page.getByText("It is registered, and waits for its seal.").waitFor();
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      expect(body.genesisStatus).toBe("PROVISIONAL");

      // The console has what the owner left for later.
      await page.goto(`${stage.service.url}/console`);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in").click();
      await page.getByRole("link", { name: "Seal it" }).click();
      await page.getByRole("heading", { name: "Seal the soul" }).waitFor();
      expect(await inspect(page, "console-unsealed")).toEqual([]);
      const card = page.getByRole("region", { name: "Seal the soul" });
      await card.getByRole("link", { name: "Choose your wallet" }).waitFor();
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review the seal").click();
      await button(page, "Sign and seal it").click();
      await page.getByText("The soul is sealed").waitFor();
      const sealed = await stage.service.get(`/v1/profile/${name}`);
      expect(sealed.body.genesisStatus).toBe("SEALED");
    });

    it("offers to point the passport at its own file when another registration came between", async () => {
      const { name, claimUrl } = await registered({});
      const owner = newAccount();
      const page = await stage.open(claimUrl, await richWallet(stage, owner));
      const uri = `ar://${"U".repeat(43)}`;
      // Two registrations in one block cannot be caused at will, so the answer is edited to say
      // that there were.
      await page.route("**/v1/register/claim", async (route) => {
        const response = await route.fetch();
        const claimed = await response.json();
        const data = encodeFunctionData({
          abi: identityRegistryAbi,
          functionName: "setAgentURI",
          args: [BigInt(claimed.erc8004AgentId), uri],
        });
        const to = stage.service.chain.contracts.identityRegistry;
        const agentUriTransaction = {
          to,
          data,
          functionName: "setAgentURI",
          args: [],
          description: "",
        };
        await route.fulfill({
          response,
          json: { ...claimed, needsAgentUriUpdate: true, agentUriTransaction },
        });
      });
      await reviewed(page);
      await button(page, "Sign and claim").click();
      await button(page, "Update the passport").click();
      await page.getByText("Sent as").waitFor();
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      expect(await passportRead("tokenURI", body.erc8004AgentId)).toBe(uri);
      expect(await inspect(page, "claim-update-passport")).toEqual([]);
    });

    it("offers the approval and the transaction that writes what the passport lacks", async () => {
      const { name, claimUrl } = await registered({});
      const owner = newAccount();
      const page = await stage.open(claimUrl, await richWallet(stage, owner));
      const { identityRegistry, passportWriter } = stage.service.chain.contracts;
      // An approval cannot be withdrawn within the claim: the answer is changed to report one.
      await page.route("**/v1/register/claim", async (route) => {
        const response = await route.fetch();
        const claimed = await response.json();
        const approve = encodeFunctionData({
          abi: identityRegistryAbi,
          functionName: "approve",
          args: [passportWriter, BigInt(claimed.erc8004AgentId)],
        });
        const sync = encodeFunctionData({
          abi: passportWriterAbi,
          functionName: "sync",
          args: [[BigInt(claimed.tokenId)]],
        });
        const transaction = { chainId: 31337, to: passportWriter, data: sync, value: "0" };
        await route.fulfill({
          response,
          json: {
            ...claimed,
            approvalTransaction: { ...transaction, to: identityRegistry, data: approve },
            pendingMetadata: [
              { key: "svcSoulHash", value: "0x", transaction },
              { key: "svcStatus", value: "0x", transaction },
            ],
          },
        });
      });
      await reviewed(page);
      await button(page, "Sign and claim").click();
      await page
        .getByText("The passport lacks these entries about the soul: svcSoulHash, svcStatus.")
        .waitFor();
      expect(await inspect(page, "claim-pending-metadata")).toEqual([]);
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      const passportId = BigInt(body.erc8004AgentId);
      const identity = { address: identityRegistry, abi: identityRegistryAbi } as const;
      const { client } = stage.service.chain;
      const cleared = await client.writeContract({
        ...identity,
        account: owner,
        functionName: "setMetadata",
        args: [passportId, "svcStatus", "0x"],
      });
      await client.waitForTransactionReceipt({ hash: cleared, pollingInterval: 20 });

      await button(page, "Approve the passport writer").click();
      await page.getByText("Sent as").waitFor();
      const approved = { ...identity, functionName: "getApproved", args: [passportId] } as const;
      expect(await client.readContract(approved)).toBe(passportWriter);
      await button(page, "Write to the passport").click();
      await expect.poll(() => page.getByText("Sent as").count()).toBe(2);
      const status = { ...identity, functionName: "getMetadata" } as const;
      expect(await client.readContract({ ...status, args: [passportId, "svcStatus"] })).toBe(
        stringToHex("SEALED"),
      );
    });

    it("explains a refusal, and does not sign again after a lost answer", async () => {
      const { name, claimUrl } = await registered({});
      const owner = newAccount();
      const wallet = testWallet([owner], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(claimUrl, wallet);
      await reviewed(page);
      await button(page, "Sign and claim").click();
      await page.getByText("You declined in your wallet").waitFor();
      expect(await inspect(page, "claim-declined")).toEqual([]);
      wallet.declines.clear();

      let lost = 0;
      await page.route("**/v1/register/claim", async (route) => {
        if (lost > 0) return route.continue();
        lost += 1;
        // The claim happens, but its answer is lost.
        await route.fetch();
        return route.abort();
      });
      await button(page, "Try again").click();
      await page.getByText("The service did not answer.").waitFor();
      expect(await inspect(page, "claim-offline")).toEqual([]);
      await button(page, "Try again").click();
      await page.getByRole("heading", { name: `${name} is yours` }).waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(2);
      const { data } = signedData(wallet);
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      expect(body.owner).toBe(owner.address);
      expect(hashTypedData(data)).toMatch(/^0x/);
      expect(
        await recoverAddress({
          hash: hashTypedData(data),
          signature: await owner.signTypedData(data),
        }),
      ).toBe(owner.address);
    });

    it("shows the service's error with its field", async () => {
      const { claimUrl } = await registered({});
      const page = await stage.open(claimUrl, testWallet([newAccount()]));
      await button(page, "Use Heron Wallet").click();
      await unfold(page);
      await page.getByLabel("Tags").fill("Owls");
      await button(page, "Review what you sign").click();
      await page.getByText("Tags: Not lowercase").waitFor();
      expect(await inspect(page, "claim-refused-edit")).toEqual([]);
      await page.getByLabel("Tags").fill("owls");
      await page.getByLabel("Website").fill("no address");
      await page.locator("summary").filter({ hasText: "Its public profile" }).click();
      expect(await page.getByLabel("Website").isVisible()).toBe(false);
      await button(page, "Review what you sign").click();
      // The browser itself shows the error beside the field.
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("website");
      expect(await button(page, "Sign and claim").count()).toBe(0);
    });

    it("says when another claim was faster", async () => {
      const { registrationId, claimUrl, name } = await registered({});
      const page = await stage.open(claimUrl, testWallet([newAccount()]));
      await reviewed(page);
      const faster = await agents.signedClaim(registrationId, newAccount());
      expect((await agents.submitClaim(faster)).status).toBe(200);
      await button(page, "Sign and claim").click();
      await page.getByText("This registration has already been claimed.").waitFor();
      expect(await inspect(page, "claim-too-late")).toEqual([]);
      expect(await button(page, "Try again").count()).toBe(0);
      await page.getByRole("link", { name: `To ${name}` }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    });

    it("asks for the right network, and says what to do without a wallet", async () => {
      const { claimUrl } = await registered({});
      const wallet = testWallet([newAccount()], { chainId: 1 });
      const page = await stage.open(claimUrl, wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText("Your wallet is on another network").waitFor();
      expect(await inspect(page, "claim-wrong-network")).toEqual([]);
      await button(page, "Switch to Hardhat").click();
      await button(page, "Review what you sign").waitFor();

      await stage.close();
      const bare = await stage.open(claimUrl);
      await bare.getByText("No wallet found in this browser").waitFor();
      expect(await inspect(bare, "claim-no-wallet")).toEqual([]);
    });

    it("says when a claim is in progress", async () => {
      const { name, claimUrl } = await registered({});
      const setState = (state: string) =>
        stage.service.pool.query("update app.agent_registration set state = $1 where name = $2", [
          ...[state, name],
        ]);
      await setState("claiming");
      const page = await stage.open(claimUrl);
      await page.getByRole("heading", { name: `${name} is being claimed` }).waitFor();
      expect(await inspect(page, "claim-under-way")).toEqual([]);
      await setState("pending");
      await page.getByRole("link", { name: "Look again" }).click();
      await page.getByRole("heading", { name: `Claim ${name}` }).waitFor();
    });

    it("is gone after its time, and does not exist for other ids", async () => {
      const { name, claimUrl } = await registered({});
      await stage.service.pool.query(
        "update app.agent_registration set expires_at = now() - interval '1 minute' where name = $1",
        [name],
      );
      const page = await stage.open(claimUrl);
      await page.getByRole("heading", { name: "This has expired" }).waitFor();
      await page.getByText("This registration was not claimed in time. Register again.").waitFor();
      expect(await inspect(page, "claim-expired")).toEqual([]);
      await page.goto(`${stage.service.url}/claim/${"x".repeat(32)}`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      expect(await inspect(page, "claim-unknown")).toEqual([]);
    });
  });
}
