import type { Page } from "playwright-core";
import type { LocalAccount } from "viem";
import { describe, expect, it } from "vitest";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, testWallet, timesAsked } from "./wallet.ts";

const HOSTILE = "Herons <b>of</b> the weir";

/** The pages of organizations. */
export function organizationPages(stage: Stage): void {
  const verbs = () => organizationVerbs(stage.service);
  const textOf = (page: Page) => page.getByRole("main").textContent();
  const pathOf = (organizationId: number) => `/organizations/${organizationId}`;
  const read = async (organizationId: number) =>
    (await stage.service.get(`/v1/org/${organizationId}`)).body;

  async function choose(page: Page, name: string): Promise<void> {
    await page.getByLabel("Name or passport number").fill(name);
    await button(page, "Choose it").click();
  }

  /** An organization, and an agent that its admin does not own. */
  async function founded(admin: LocalAccount = newAccount()) {
    const agent = await verbs().newAgent();
    return { admin, agent, organizationId: await verbs().found(admin, HOSTILE) };
  }

  describe("the page of all organizations", () => {
    it("founds one with one signature, and finds it", async () => {
      const admin = newAccount();
      const wallet = testWallet([admin]);
      const page = await stage.open("/organizations", wallet);
      await page.getByRole("heading", { level: 1, name: "Organizations" }).waitFor();
      expect(await inspect(page, "organizations")).toEqual([]);
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Name", { exact: true }).fill(HOSTILE);
      await button(page, "Review what you sign").click();
      const heading = "Exactly what you sign: CreateOrganization";
      await page.getByRole("heading", { name: heading }).waitFor();
      expect(await textOf(page)).toContain("Found this organization.");
      expect(await inspect(page, "organizations-review")).toEqual([]);
      await button(page, "Sign and found").click();
      await page.getByText("The organization is founded").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);
      await page.getByRole("link", { name: "See its page" }).click();
      await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
      expect(await textOf(page)).toContain(admin.address);
      expect(await inspect(page, "organization")).toEqual([]);

      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await page.goto(`${stage.service.url}/organizations`);
      await page.getByLabel("The beginning of its name").fill(id);
      await button(page, "Find it").click();
      await page.getByRole("link", { name: HOSTILE }).first().waitFor();
    });

    it("founds nothing when the signature is declined, or without a name", async () => {
      const wallet = testWallet([newAccount()], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open("/organizations", wallet);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review what you sign").click();
      await page.getByText("Name: fill this in").waitFor();
      await page.getByLabel("Name", { exact: true }).fill("x".repeat(65));
      await button(page, "Review what you sign").click();
      await page.getByText("name: Longer than 64 bytes of UTF-8").waitFor();
      await page.getByLabel("Name", { exact: true }).fill("Waders");
      await button(page, "Review what you sign").click();
      await button(page, "Sign and found").click();
      await page.getByText("You declined in your wallet").waitFor();
    });
  });

  describe("the page of an organization", () => {
    it("lets an agent join by two signatures in a row, and ends its membership", async () => {
      const { admin, agent, organizationId } = await founded();
      const wallet = testWallet([newAccount(), agent.owner]);
      const page = await stage.open(pathOf(organizationId), wallet);
      await choose(page, agent.name);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review joining").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Join" }).waitFor();
      expect(await inspect(page, "organization-join")).toEqual([]);
      await button(page, "Sign and join").click();
      await page.getByText("Your signature waits for the second one").waitFor();
      expect(await inspect(page, "organization-invited")).toEqual([]);
      expect((await read(organizationId)).members).toEqual([]);

      await page.getByRole("link", { name: "The page to send" }).click();
      await chooseAccounts(wallet, [admin]);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review admitting").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Admission" }).waitFor();
      await button(page, "Sign and admit").click();
      await page.getByText(`${agent.name} is a member`).waitFor();
      expect(await read(organizationId)).toMatchObject({
        members: [{ tokenId: agent.tokenId, status: "active" }],
      });

      await page.getByRole("link", { name: "See the organization" }).click();
      await page.getByText("Members: 1").waitFor();
      expect(await inspect(page, "organization-member")).toEqual([]);
      await page.getByRole("link", { name: "End its membership" }).click();
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review the end").click();
      await page.getByRole("heading", { name: "Exactly what you sign: Leave" }).waitFor();
      await button(page, "Sign and end it").click();
      await page.getByText(`${agent.name} is no member any more`).waitFor();
      expect((await read(organizationId)).members).toEqual([]);
    });

    it("lists an invitation by one signature, also to an admin without a passport, and its party declines it", async () => {
      const { admin, agent, organizationId } = await founded();
      const { signed, send } = verbs();
      const request = { organizationId, tokenId: agent.tokenId, role: "admin" };
      const { organizationId: _inPath, ...body } = await signed("org-member", request, admin);
      const invited = await send("POST", `/v1/org/${organizationId}/members`, body);
      expect(invited.status).toBe(202);

      const wallet = testWallet([admin]);
      const page = await stage.open("/organizations", wallet);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign to see them").click();
      await button(page, "Withdraw it").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(1);

      await chooseAccounts(wallet, [agent.owner]);
      await button(page, "Sign to see them").click();
      await page.getByText(`Certificate ${agent.tokenId}`).waitFor();
      expect(await inspect(page, "organizations-invitations")).toEqual([]);
      await button(page, "Decline it").click();
      await page.getByText("It has ended.").waitFor();
      await button(page, "Sign to see them").click();
      await page.getByText("No invitation waits.").waitFor();
      expect(timesAsked(wallet, "eth_signTypedData_v4")).toBe(4);
      expect(timesAsked(wallet, "personal_sign")).toBe(0);
    });

    it("hands the organization over once the next admin accepts", async () => {
      const { admin, organizationId } = await founded();
      const next = newAccount();
      const wallet = testWallet([admin], { declines: new Set(["eth_signTypedData_v4"]) });
      const page = await stage.open(pathOf(organizationId), wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByLabel("Account of the next admin").fill(next.address);
      await button(page, "Review the naming").click();
      await button(page, "Sign and name").click();
      await page.getByText("You declined in your wallet").waitFor();
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("The next admin is named").waitFor();
      expect(await read(organizationId)).toMatchObject({ pendingAdmin: next.address });

      await page.getByRole("link", { name: "See the organization" }).click();
      await chooseAccounts(wallet, [next]);
      await button(page, "Use Heron Wallet").click();
      await page.getByText("This account is not the admin").first().waitFor();
      expect(await inspect(page, "organization-accept")).toEqual([]);
      await button(page, "Review the hand-over").click();
      await button(page, "Sign and take over").click();
      await page.getByText("You are the admin now").waitFor();
      expect(await read(organizationId)).toMatchObject({ admin: next.address, pendingAdmin: null });
    });

    it("takes a naming back", async () => {
      const { admin, organizationId } = await founded();
      const { signed, send } = verbs();
      const request = { organizationId, newAdmin: newAccount().address, role: "admin" };
      const {
        organizationId: _inPath,
        role: _known,
        ...body
      } = await signed("org-admin", request, admin);
      await send("PUT", `/v1/org/${organizationId}/admin`, body);
      const page = await stage.open(pathOf(organizationId), testWallet([admin]));
      await button(page, "Use Heron Wallet").click();
      await button(page, "Review taking it back").click();
      await button(page, "Sign and take back").click();
      await page.getByText("The naming is taken back").waitFor();
      expect(await read(organizationId)).toMatchObject({ pendingAdmin: null });
    });

    it("refuses other accounts, and an agent that does not exist", async () => {
      const { agent, organizationId } = await founded();
      const page = await stage.open(pathOf(organizationId), testWallet([newAccount()]));
      await choose(page, "no-such-agent");
      await page.getByText("There is no such agent").waitFor();
      await choose(page, String(agent.tokenId));
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${agent.name}`).waitFor();
      await page.getByText("This account is not the admin").first().waitFor();
      expect(await button(page, "Review joining").count()).toBe(0);
      expect(await inspect(page, "organization-refused")).toEqual([]);
    });

    it("shows hidden characters of its name, and does not exist for other ids", async () => {
      const organizationId = await verbs().found(newAccount(), "Herons\u202e\u200b<i>");
      const page = await stage.open(pathOf(organizationId));
      await page.getByRole("heading", { level: 1, name: "Herons[U+202E][U+200B]<i>" }).waitFor();
      expect(await page.title()).toContain("Herons[U+202E][U+200B]<i>");
      await page.goto(`${stage.service.url}/organizations/999999`);
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    });
  });

  it.each(["/organizations", "one"])(
    "the page %s shows what it knows without a script, and nothing inline",
    async (path) => {
      const { organizationId } = await founded();
      const url = path === "one" ? pathOf(organizationId) : `${path}?q=${organizationId}`;
      const { status, body } = await stage.service.get(url);
      expect(status).toBe(200);
      expect(body).toContain("Herons &lt;b&gt;of&lt;/b&gt; the weir");
      expect(body).not.toMatch(/<script(?![^>]* src=)/);
    },
  );
}
