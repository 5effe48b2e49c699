import type { Locator, Page } from "playwright-core";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { avatarSvg } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName, idempotencyKey, PUBLIC_DESCRIPTION } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { testWallet, timesAsked } from "./wallet.ts";

/** Public pages: the home page, agents' pages and the reference. */
export function openPages(stage: Stage): void {
  async function newAgent(change: object = {}) {
    const owner = newAccount();
    const name = freshName();
    const { answer } = await stage.service.register(name, owner, change);
    return {
      name,
      owner,
      ...(answer.body as { tokenId: number; apiKey: string; soulHash: Hex }),
    };
  }

  const textOf = (page: Page) => page.getByRole("main").textContent();

  const isPainted = (image: Locator) =>
    image.evaluate(async (one) => {
      await (one as HTMLImageElement).decode();
      return (one as HTMLImageElement).naturalWidth > 0;
    });

  describe("an agent's page", () => {
    it("says who it is, what is proven, where it is reached, and what happened", async () => {
      const agent = await newAgent({
        publicIdentity: {
          tagline: "Up before the birds. <b>Really</b>\u202e",
          website: "https://heron.example",
          serviceEndpoints: { a2a: "https://heron.example/a2a", mcp: "https://heron.example/mcp" },
        },
      });
      for (const title of ["Bird ringer", "First season"]) {
        await stage.service.post(
          "/v1/chronicle",
          { tokenId: agent.tokenId, category: "certification", data: { title } },
          { authorization: `Bearer ${agent.apiKey}`, "idempotency-key": idempotencyKey() },
        );
      }
      const page = await stage.open(`/agents/${agent.name}`);
      await page.getByRole("heading", { level: 1, name: agent.name }).waitFor();
      const text = await textOf(page);
      expect(text).toContain("Sealed and valid");
      expect(text).toContain("Up before the birds. <b>Really</b>[U+202E]");
      expect(text).toContain(`did:svc:31337:${agent.name}`);
      expect(text).toContain(agent.soulHash);
      expect(text).toContain(PUBLIC_DESCRIPTION);
      expect(text).toContain(agent.owner.address);
      expect(text).toContain("Bird ringer");
      expect(text).toContain("waits for the next batch");

      const links = await page
        .getByRole("main")
        .getByRole("link")
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
      expect(links).toContain("https://heron.example/a2a");
      expect(links).toContain("https://heron.example/mcp");
      expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
      expect(await inspect(page, "profile-sealed")).toEqual([]);
    });

    it("shows what its owner states, and only the addresses that the owner made public", async () => {
      const operator = newAccount().address;
      const { name, tokenId, apiKey } = await newAgent({ operatorAddress: operator });
      const change = async (path: string, body: object) => {
        const { status } = await stage.service.request(`/v1/${path}`, {
          method: "PUT",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        expect(status).toBe(200);
      };
      await change(`public-identity/${tokenId}`, {
        tokenId,
        publicIdentity: {
          bio: "Counts herons. <i>All</i> of them\u202e",
          category: "knowledge",
          tags: ["herons", "weirs"],
          modelFamily: "Heron",
          contacts: [
            { type: "website", value: "https://heron.example/contact" },
            { type: "github", value: "javascript:alert(1)" },
          ],
        },
      });
      const shown = { operatorLabel: "The night shift\u202e", operatorAddress: "truncated" };
      await change(`profile/${name}/display`, {
        displaySettings: { ...shown, ownerAddress: "hidden" },
      });

      const page = await stage.open(`/agents/${name}`);
      const text = await textOf(page);
      for (const part of [
        "Counts herons. <i>All</i> of them[U+202E]",
        "Knowledge",
        "herons",
        "None of it is verified.",
        "The night shift[U+202E]",
        `${operator.slice(0, 6)}…${operator.slice(-4)}`,
        "javascript:alert(1)",
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toContain("Ownernot shown");
      expect(text).not.toContain(operator);
      const words = page.getByRole("region", { name: "In its owner's words" });
      const links = await words
        .getByRole("link")
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
      expect(links).toEqual(["https://heron.example/contact"]);
      expect(await inspect(page, "profile-words")).toEqual([]);
    });

    it("draws a picture of a soul whose own image is stored elsewhere, or gone", async () => {
      const image = "https://heron.example/face.png";
      const elsewhere = await newAgent({ publicIdentity: { image } });
      const page = await stage.open(`/agents/${elsewhere.name}`);
      const portrait = page.locator("img.portrait");
      const drawing = `data:image/svg+xml;base64,${Buffer.from(
        avatarSvg({ name: elsewhere.name, soulHash: elsewhere.soulHash }),
      ).toString("base64")}`;
      expect(await portrait.getAttribute("src")).toBe(drawing);
      expect(await isPainted(portrait)).toBe(true);
      await page.getByRole("link", { name: image }).waitFor();

      const gone = await newAgent();
      const { body } = await stage.service.get(`/v1/profile/${gone.name}`);
      await page.goto(`${stage.service.url}/agents/${gone.name}`);
      expect(await portrait.getAttribute("src")).toBe(body.avatarUrl);
      expect(await isPainted(portrait)).toBe(true);
      await page.route(body.avatarUrl, (route) => route.abort());
      await page.reload();
      await page.locator('img.portrait[src^="data:image/svg+xml"]').waitFor();
      expect(await isPainted(portrait)).toBe(true);
    });

    it("runs all checks again on request", async () => {
      const { name } = await newAgent();
      const page = await stage.open(`/agents/${name}`);
      await button(page, "Check now").click();
      await page.getByText("Everything was checked, and everything holds").waitFor();
      expect(await page.locator(".steps li.done").count()).toBe(6);
      expect(await inspect(page, "profile-checked")).toEqual([]);
    });

    it("reports an altered archive", async () => {
      const { name } = await newAgent();
      const { body } = await stage.service.get(`/v1/profile/${name}`);
      await stage.service.pool.query(
        "update app.storage_item set bytes = set_byte(bytes, length(bytes) - 3, 0) where id = $1",
        [body.arweaveTxId],
      );
      const page = await stage.open(`/agents/${name}`);
      await button(page, "Check now").click();
      await page.getByText("A check failed").waitFor();
      expect(await page.locator(".steps li.failed").allInnerTexts()).toEqual([
        expect.stringContaining("The archive, fetched and hashed again: invalid"),
      ]);
      expect(await inspect(page, "profile-check-failed")).toEqual([]);
    });

    it("has pages of history", async () => {
      const { name, tokenId, apiKey } = await newAgent();
      const { body: before } = await stage.service.get(`/v1/chronicle/${name}`);
      await stage.service.post(
        "/v1/chronicle",
        { tokenId, category: "experience", data: { title: "Ebb" } },
        { authorization: `Bearer ${apiKey}`, "idempotency-key": idempotencyKey() },
      );
      expect(before.pagination.total).toBe(0);
      const page = await stage.open(`/agents/${name}`);
      await page.getByRole("heading", { level: 1, name }).waitFor();
      const history = page.locator("section", { has: page.locator("#history-title") });
      expect(await history.locator("li strong").allInnerTexts()).toEqual([
        "Experience",
        "Sealed",
        "Registered",
      ]);
    });

    it("does not exist for an unknown name", async () => {
      const page = await stage.open("/agents/unknown-name");
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      expect(await inspect(page, "profile-unknown")).toEqual([]);
    });

    it("answers 304 to a client that has it, but JSON never", async () => {
      const { name } = await newAgent();
      const first = await stage.service.get(`/agents/${name}`);
      expect(first.status).toBe(200);
      expect(first.headers.get("content-type")).toBe("text/html; charset=UTF-8");
      expect(first.headers.get("cache-control")).toBe("no-cache");
      const again = await stage.service.request(`/agents/${name}`, {
        headers: { "if-none-match": first.headers.get("etag") as string },
      });
      expect(again.status).toBe(304);
    });
  });

  describe("the home page", () => {
    it("describes the service, counts, and finds an agent by name or DID", async () => {
      const { name } = await newAgent();
      const page = await stage.open("/");
      const text = await textOf(page);
      expect(text).toMatch(/sealed souls[1-9]/);
      expect(text).toContain(`curl ${stage.service.url}/v1/register`);
      expect(await inspect(page, "home")).toEqual([]);
      for (const sought of [
        ` ${name.toUpperCase()} `,
        `did:svc:31337:${name}`,
        `did:svc:${name}`,
      ]) {
        await page.goto(stage.service.url);
        await page.getByLabel("Find an agent").fill(sought);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name }).waitFor();
      }
    });

    it("finds agents by number, by account and by the beginning of a name", async () => {
      const first = await newAgent();
      const owner = newAccount();
      const names: string[] = [];
      for (const name of [freshName(), freshName()]) {
        await stage.service.register(name, owner);
        names.push(name);
      }
      const passportOf = async (name: string) =>
        (await stage.service.get(`/v1/profile/${name}`)).body.erc8004AgentId as number;
      const page = await stage.open("/");
      const find = async (sought: string) => {
        await page.goto(stage.service.url);
        await page.getByLabel("Find an agent").fill(sought);
        await page.keyboard.press("Enter");
      };
      const found = () => page.locator(".agent-card-name").allInnerTexts();
      const row = (name: string) =>
        page.locator("dl.facts > div").filter({ has: page.getByText(name, { exact: true }) });

      await find(String(first.tokenId));
      await row(`Certificate ${first.tokenId}`).getByRole("link", { name: first.name }).waitFor();
      const passport = await passportOf(first.name);
      await find(String(passport));
      await row(`Passport ${passport}`).getByRole("link", { name: first.name }).click();
      await page.getByRole("heading", { level: 1, name: first.name }).waitFor();

      await find(owner.address);
      await page.getByText("2 agents.").waitFor();
      expect((await found()).toSorted()).toEqual(names.toSorted());

      await find("heron-");
      await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
      expect((await found()).length).toBeGreaterThan(2);

      const [name = ""] = names;
      await find(name.slice(0, -1));
      await page.getByRole("heading", { level: 1, name }).waitFor();
    });

    it("signs in with a wallet, and forgets the token", async () => {
      const { name, owner } = await newAgent();
      const wallet = testWallet([owner]);
      const page = await stage.open("/", wallet);
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign in").click();
      await page.getByText(`You are ${name}`).waitFor();
      expect(await textOf(page)).toContain("Tier 2: Soul.");
      expect(timesAsked(wallet, "personal_sign")).toBe(1);
      expect(await inspect(page, "home-signed-in")).toEqual([]);
      const storage = await page.evaluate(() => ({
        cookies: document.cookie,
        stored: localStorage.length + sessionStorage.length,
        page: document.documentElement.outerHTML,
      }));
      expect(storage).toMatchObject({ cookies: "", stored: 0 });
      expect(storage.page).not.toMatch(/eyJ[A-Za-z0-9_-]+\./);
      await page.getByRole("link", { name: "See your page" }).click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    });

    it("tells an account without a passport what to do, and explains a refusal", async () => {
      const wallet = testWallet([newAccount()], { declines: new Set(["personal_sign"]) });
      const page = await stage.open("/", wallet);
      await page.getByText("Use Heron Wallet").click();
      await button(page, "Sign in").click();
      await page.getByText("You declined in your wallet").waitFor();
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("This account holds no passport").waitFor();
      expect(await inspect(page, "home-no-passport")).toEqual([]);
    });
  });
}
