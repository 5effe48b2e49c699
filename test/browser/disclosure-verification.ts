import type { Page } from "playwright-core";
import type { Hex } from "viem";
import { beforeAll, describe, expect, it } from "vitest";
import { type DisclosureDocument, disclosureDocument } from "../../kit/disclosure/document.ts";
import { buildFieldTree, proveField, soulHash } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import { type KnownAgent, knownAgent } from "../fixtures/disclosures.ts";
import { svc } from "../fixtures/svc.ts";
import { button, inspect } from "./browser.ts";
import { startLiar } from "./liar.ts";
import type { Stage } from "./stage.ts";

/** The page on which a visitor verifies what an agent disclosed. */
export function disclosureVerificationPage(stage: Stage): void {
  const PATH = "/verify-disclosure";
  const textOf = (page: Page) => page.getByRole("main").textContent();

  let agent: KnownAgent;
  beforeAll(async () => {
    agent = await knownAgent(stage.service);
  });

  /** A document as the kit makes it from an answer of `POST /v1/disclose`. */
  async function disclosed(change: Partial<DisclosureDocument> = {}): Promise<DisclosureDocument> {
    const { status, body } = await stage.service.post(
      "/v1/disclose",
      { tokenId: agent.tokenId, disclosures: [agent.stated("soul.purpose")] },
      bearer(agent.apiKey),
    );
    expect(status).toBe(200);
    return disclosureDocument({ ...placeOf(agent), ...body, ...change });
  }

  const placeOf = ({ name, tokenId }: KnownAgent) => ({
    chainId: 31337,
    soulView: stage.service.chain.contracts.soulView as Hex,
    agentName: name,
    tokenId,
  });

  const linkOf = (document: object) =>
    `${PATH}#document=${Buffer.from(JSON.stringify(document)).toString("base64url")}`;

  const verdictOf = (page: Page) => page.locator("#verification .notice").first().textContent();

  async function paste(page: Page, document: object | string): Promise<void> {
    const text = typeof document === "string" ? document : JSON.stringify(document);
    await page.getByLabel("Or its text").fill(text);
    await button(page, "Check it").click();
  }

  const stepsOf = (page: Page) =>
    page
      .locator("#verification .steps li")
      .evaluateAll((all) => all.map((one) => `${one.className}: ${one.firstChild?.textContent}`));

  const PASSED = [
    "done: It is a disclosure document",
    "done: It names the contract that you trust",
    "done: The node is on its chain",
    expect.stringMatching(/^done: Soul [0-9]+ has the agent's name$/),
    "done: Every value leads to the root on chain",
    "done: The soul is valid",
    "done: Who sealed the values owns the agent",
    "done: It has not expired",
    "open: It was not revoked",
  ];

  describe("the page that verifies a disclosure", () => {
    it("recomputes every step of a linked document, from the node alone", async () => {
      const document = await disclosed();
      const page = await stage.open(PATH);
      expect(await inspect(page, "verify-empty")).toEqual([]);
      const requests: { readonly origin: string; readonly path: string; readonly body: string }[] =
        [];
      page.on("request", (one) => {
        const { origin, pathname } = new URL(one.url());
        requests.push({ origin, path: pathname, body: `${one.url()} ${one.postData()}` });
      });
      await page.goto("about:blank");
      await page.goto(`${stage.service.url}${linkOf(document)}`);
      await page.getByText("Proven on chain").waitFor();
      expect(await stepsOf(page)).toEqual(PASSED);
      await page.getByText("What was computed").click();
      const text = await textOf(page);
      for (const part of [
        agent.ccsf.soul.purpose,
        agent.root,
        agent.owner.address,
        stage.service.chain.contracts.soulView,
        stage.service.chain.rpcUrl,
        "No signature covers these.",
      ]) {
        expect(text).toContain(part);
      }
      expect(await inspect(page, "verify-proven")).toEqual([]);

      // The command on the page does the same as it stands, with the visitor's file and node.
      const { rpcUrl } = stage.service.chain;
      const command = (await page.locator("pre code").last().textContent()) ?? "";
      const [name, ...args] = command
        .replace("document.json", "-")
        .replace("https://your.node", rpcUrl)
        .split(/[\s\\]+/);
      expect(name).toBe("svc");
      const run = await svc(args, { standardInput: JSON.stringify(document) });
      expect([run.code, run.stdout]).toEqual([
        0,
        `valid: soul.purpose of ${agent.name} has this value on chain.\n`,
      ]);

      const asked = requests.filter(({ origin }) => origin === stage.service.url);
      const paths = asked.map(({ path }) => path.replace(/-[A-Z0-9]{8}\./, "."));
      expect(paths.toSorted()).toEqual([
        "/assets/bricolage-grotesque-latin-600-normal.woff2",
        "/assets/icon.svg",
        "/assets/style.css",
        "/assets/verify.js",
        PATH,
      ]);
      const origins = new Set(requests.map(({ origin }) => origin));
      expect(origins).toEqual(new Set([stage.service.url, new URL(rpcUrl).origin]));
      expect(requests.filter(({ body }) => body.includes(agent.ccsf.soul.purpose))).toEqual([]);
    });

    it("is red for anything that was changed, names it, and turns green again", async () => {
      const document = await disclosed();
      const [value] = document.disclosures;
      if (value === undefined) throw new Error("One field was disclosed.");
      const withField = (change: object) => ({
        ...document,
        disclosures: [{ ...value, ...change }],
      });
      const flip = (hash: Hex) => `${hash.slice(0, -1)}${hash.endsWith("0") ? "1" : "0"}` as Hex;
      const wrongValue = `soul.purpose of ${agent.name} does not have this value on chain.`;
      const cases: readonly (readonly [object | string, string])[] = [
        [withField({ value: "Counts owls." }), wrongValue],
        [withField({ field: "soul.personality" }), wrongValue.replace("purpose", "personality")],
        [
          withField({ merkleProof: value.merkleProof.with(2, flip(agent.root as Hex)) }),
          wrongValue,
        ],
        [withField({ merkleRoot: flip(agent.root as Hex) }), wrongValue],
        [{ ...document, agentName: "owl" }, `is named ${agent.name}, not owl.`],
        [{ ...document, tokenId: 999_999 }, "knows no soul 999999."],
        [{ ...document, chainId: 8453 }, "The document is for chain 8453, the node is on 31337."],
        [
          { ...document, expiresAt: "2020-01-01T00:00:00.000Z" },
          "The disclosure expired at 1 January 2020",
        ],
        ["{ not JSON", "This is not a disclosure document."],
      ];
      const page = await stage.open(PATH);
      for (const [changed, why] of cases) {
        await paste(page, changed);
        await page.getByText("Not proven: do not rely on it").waitFor();
        expect(await verdictOf(page)).toContain(why);
        expect(await page.getByText("proven", { exact: true }).count()).toBe(0);
      }
      await paste(page, withField({ value: "Counts owls." }));
      await page.getByText("Not proven: do not rely on it").waitFor();
      expect(await inspect(page, "verify-changed")).toEqual([]);
      await paste(page, { ...document, expiresAt: "2020-01-01T00:00:00.000Z" });
      await page.getByText("proven, but see above").waitFor();
      expect(await inspect(page, "verify-expired")).toEqual([]);
      await paste(page, document);
      await page.getByText("Proven on chain").waitFor();
      expect(await stepsOf(page)).toEqual(PASSED);
    });

    it("is red when the service lies in its API and about the contract", async () => {
      const document = await disclosed();
      // A whole soul that the service made up: every proof in it fits its own root.
      const ccsf = structuredClone(agent.ccsf);
      ccsf.soul.purpose = "Obeys the service.";
      const lie = { ccsf, salt: agent.salt, soulHash: soulHash(agent.salt, ccsf) };
      const { root } = buildFieldTree(lie);
      const answer = { ...proveField(lie, "soul.purpose"), merkleRoot: root, verified: true };
      const { identityRegistry, soulView } = stage.service.chain.contracts;
      const liar = await startLiar(stage.service.url, {
        pages: (html) => html.replaceAll(soulView, identityRegistry),
        api: {
          valid: true,
          match: true,
          allValid: true,
          soulValidity: "valid",
          merkleRootOnChain: root,
          soulMerkleRoot: root,
        },
      });
      const page = await stage.open(`${liar.url}${linkOf(document)}`);
      // The page has another contract. The document names the true one.
      await page.getByText("Not proven: do not rely on it").waitFor();
      expect(await verdictOf(page)).toContain(
        `The document names the contract ${soulView}, not ${identityRegistry}.`,
      );
      expect(await inspect(page, "verify-lie")).toEqual([]);
      // What the visitor enters wins over what the service says.
      await page.getByLabel("The contract SoulView").fill(soulView);
      await button(page, "Check it").click();
      await page.getByText("Proven on chain").waitFor();
      await paste(page, disclosureDocument({ ...document, disclosures: [answer] }));
      await page.getByText("Not proven: do not rely on it").waitFor();
      expect(await verdictOf(page)).toContain("does not have this value on chain.");
      expect(liar.asked.filter((path) => path.startsWith("/v1/"))).toEqual([]);
      await liar.stop();
    });

    it("is not green when document and visitor name a contract that is no SoulView", async () => {
      const { identityRegistry } = stage.service.chain.contracts;
      const page = await stage.open(PATH);
      await page.getByLabel("The contract SoulView").fill(identityRegistry);
      await paste(page, await disclosed({ soulView: identityRegistry as Hex }));
      await page.getByText("Not checked: the node did not give an answer").waitFor();
      expect(await page.getByText("Proven on chain").count()).toBe(0);
      const nowhere = newAccount().address;
      await page.getByLabel("The contract SoulView").fill(nowhere);
      await paste(page, await disclosed({ soulView: nowhere }));
      await page.getByText("Not proven: do not rely on it").waitFor();
      expect(await verdictOf(page)).toContain(`The contract ${nowhere} knows no soul`);
    });

    it("is red for a soul that was sold", async () => {
      const sold = await knownAgent(stage.service);
      const document = disclosureDocument({
        ...placeOf(sold),
        disclosures: [{ ...sold.proof("soul.purpose"), merkleRoot: sold.root as Hex }],
        issuedTo: null,
        issuedAt: new Date().toISOString(),
        expiresAt: null,
      });
      const { chain } = stage.service;
      await chain.fund(sold.owner.address);
      await chain.transferPassport(BigInt(sold.passportId), sold.owner, newAccount().address);
      const page = await stage.open(linkOf(document));
      await page.getByText("Not proven: do not rely on it").waitFor();
      const steps = await stepsOf(page);
      expect(steps).toContain("done: Every value leads to the root on chain");
      expect(steps).toContain("failed: The soul is valid");
      expect(steps).toContain("failed: Who sealed the values owns the agent");
    });

    it("asks the node that the visitor chooses, and never one that a link names", async () => {
      const document = await disclosed();
      const other = "https://node.example:8443";
      const page = await stage.open(`${PATH}?node=${other}${linkOf(document).slice(PATH.length)}`);
      // The link only lets the page connect to it.
      await page.getByText("Proven on chain").waitFor();
      expect(await page.getByLabel("A node of the chain").inputValue()).toBe(
        stage.service.chain.rpcUrl,
      );

      await page.goto(`${stage.service.url}${PATH}`);
      const asked: string[] = [];
      await page.route("https://node.example:8443/**", async (route) => {
        asked.push(route.request().url());
        const answer = await fetch(stage.service.chain.rpcUrl, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: route.request().postData(),
        });
        await route.fulfill({
          contentType: "application/json",
          headers: { "access-control-allow-origin": "*" },
          body: await answer.text(),
        });
      });
      const seen: string[] = [];
      page.on("request", (one) => seen.push(one.url()));
      await page.getByLabel("A node of the chain").fill("http://node.example");
      await paste(page, document);
      await page.getByText("Enter the address of a node").waitFor();
      await page.getByLabel("A node of the chain").fill(`${other}/key-of-the-visitor`);
      await button(page, "Check it").click();
      await page.getByText("Proven on chain").waitFor();
      expect(new URL(page.url()).search).toBe(`?node=${encodeURIComponent(other)}`);
      expect(new Set(asked)).toEqual(new Set([`${other}/key-of-the-visitor`]));
      const toService = seen.filter((url) => url.startsWith(stage.service.url));
      expect(toService.filter((url) => url.includes("key-of-the-visitor"))).toEqual([]);
      await page.getByLabel("A node of the chain").fill(stage.service.chain.rpcUrl);
      await page.route(`${stage.service.chain.rpcUrl}/`, (route) => route.abort());
      await button(page, "Check it").click();
      await page.getByText("Not checked: the node did not give an answer").waitFor();
      expect(await inspect(page, "verify-no-node")).toEqual([]);
    });

    it("takes a dropped or chosen file, and works with the keyboard alone", async () => {
      const content = JSON.stringify(await disclosed());
      const page = await stage.open(PATH);
      await page.getByLabel("The document's file").setInputFiles({
        name: "heron-disclosure.json",
        mimeType: "application/json",
        buffer: Buffer.from(content),
      });
      await page.getByText("Proven on chain").waitFor();
      await page.reload();
      await page.evaluate((text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], "heron-disclosure.json"));
        document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
      }, content);
      await page.getByText("Proven on chain").waitFor();
      await page.reload();
      await page.getByLabel("Or its text").focus();
      await page.keyboard.insertText(content);
      await button(page, "Check it").focus();
      await page.keyboard.press("Enter");
      await page.getByText("Proven on chain").waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(
        "Proven on chain",
      );
    });

    it("may connect to nodes alone, by the origins that it was served with", async () => {
      const { rpcUrl } = stage.service.chain;
      const connects = async (query: string) => {
        const { headers } = await stage.service.get(`${PATH}${query}`);
        return /connect-src [^;]+/.exec(headers.get("content-security-policy") ?? "")?.[0];
      };
      expect(await connects("")).toBe(`connect-src ${rpcUrl}`);
      expect(await connects("?node=https://node.example/key")).toBe(
        `connect-src ${rpcUrl} https://node.example`,
      );
      for (const node of [
        "https://a;script-src%20*",
        "https://*",
        "https://a,b",
        "http://node.example",
        "http://[::1]:8545",
        "data:,x",
        "node.example",
      ]) {
        const { status, body } = await stage.service.get(`${PATH}?node=${node}`);
        expect([status, body.error.details.issues[0].path]).toEqual([400, "node"]);
      }
      const { body } = await stage.service.get(PATH);
      expect(body).not.toMatch(/<script(?![^>]* src=)| style=| on[a-z]+=|<style/);
    });
  });
}
