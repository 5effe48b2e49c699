import { secp256k1 } from "@noble/curves/secp256k1.js";
import type { Page } from "playwright-core";
import { bytesToHex, type EIP1193RequestFn } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receiveDisclosure } from "../../kit/disclosure/receive.ts";
import { DISCLOSURE_SIGNATURE_HEADER, type Field } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, newAgent, type TestAgent } from "../fixtures/agents.ts";
import { type KnownAgent, knownAgent } from "../fixtures/disclosures.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { PRIVATE_TEXT, PUBLIC_DESCRIPTION } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";
import { chooseAccounts, type TestWallet, testWallet, timesAsked } from "./wallet.ts";

/** The page on which owners answer requests for fields of their agents. */
export function disclosureApprovalPage(stage: Stage): void {
  const REASON = "To compare notes on herons. <b>Please</b>\u202e";
  const ENDPOINT = "https://93.184.216.34/disclosures";
  /** Never requested: neither it nor the salt may leave the browser. */
  const CANARY = PRIVATE_TEXT.personality;

  const textOf = (page: Page) => page.getByRole("main").textContent();

  async function request(
    requester: TestAgent,
    target: TestAgent,
    requestedFields: readonly Field[],
    more: object = {},
  ): Promise<string> {
    const { status, body } = await stage.service.post(
      "/v1/disclose/request",
      {
        requesterTokenId: requester.tokenId,
        targetAgentName: target.name,
        requestedFields,
        reason: REASON,
        ...more,
      },
      bearer(requester.apiKey),
    );
    expect([200, 202], JSON.stringify(body)).toContain(status);
    return body.requestId;
  }

  const read = async (requestId: string, { apiKey }: TestAgent) =>
    (await stage.service.request(`/v1/disclose/request/${requestId}`, { headers: bearer(apiKey) }))
      .body;

  /** A wallet that reads the chain through a node, as wallets do. */
  const walletOf = (agent: TestAgent, change: Partial<TestWallet> = {}) =>
    testWallet([agent.owner], {
      read: (method, params) =>
        (stage.service.chain.client.request as EIP1193RequestFn)({ method, params } as never),
      ...change,
    });

  const pathOf = ({ tokenId }: TestAgent, requestId: string) =>
    `/disclosures/${tokenId}/requests/${requestId}`;

  const file = (name: string, content: string) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(content),
  });

  /** The soul as its owner saved it, by hand and in YAML. */
  const yamlOf = ({ ccsf }: KnownAgent) =>
    file(
      "heron.yaml",
      [
        `identity: ${JSON.stringify(ccsf.identity)}`,
        `soul: ${JSON.stringify(ccsf.soul)}`,
        `capabilities: ${JSON.stringify(ccsf.capabilities)}`,
      ].join("\n"),
    );
  const proofOf = (agent: KnownAgent) => file("heron-soul.json", JSON.stringify(agent.proofFile));

  async function signIn(page: Page): Promise<void> {
    await button(page, "Use Heron Wallet").click();
    await button(page, "Sign in and see the request").click();
    await page.getByRole("heading", { name: "Who asks" }).waitFor();
  }

  const choose = (page: Page, ...files: readonly ReturnType<typeof file>[]) =>
    page.getByLabel("Files of the soul").setInputFiles([...files]);

  const decide = (page: Page, field: Field, decision: "Show it" | "Keep it closed") =>
    page
      .getByRole("group", { name: `Your decision about ${field}` })
      .getByLabel(decision)
      .check();

  /** Everything that the browser sends from now on, addresses included. */
  function sentBy(page: Page): { readonly url: string; readonly text: string }[] {
    const sent: { url: string; text: string }[] = [];
    page.on("request", (one) => {
      const url = one.url();
      sent.push({ url, text: `${url}\n${decodeURIComponent(url)}\n${one.postData() ?? ""}` });
    });
    return sent;
  }

  describe("the approval page", () => {
    let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
    let requester: TestAgent;
    beforeAll(async () => {
      receiver = await startOpenReceiver(stage.service);
      requester = await newAgent(stage.service);
    });
    afterAll(() => receiver?.stop());

    it("shows one field through the service, and sends nothing else", async () => {
      const target = await knownAgent(stage.service);
      const hook = await receiver.subscribe(requester, ["disclosure.fulfilled"]);
      const requestId = await request(requester, target, [
        "identity.description",
        "soul.purpose",
        "soul.guidelines",
      ]);
      const wallet = walletOf(target, { accounts: [newAccount(), target.owner] });
      const page = await stage.open(`/disclosures/${target.tokenId}`, wallet);
      const sent = sentBy(page);
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in to see them").click();
      await page.getByText("Requests that wait for you: 1").waitFor();
      expect(await textOf(page)).toContain(`“${REASON.replace("\u202e", "[U+202E]")}”`);
      expect(await inspect(page, "disclosures-waiting")).toEqual([]);

      const link = `Answer the request of ${requester.name}`;
      await page.getByRole("link", { name: link }).click();
      await page.getByRole("heading", { level: 1, name: `A request to ${target.name}` }).waitFor();
      expect(await inspect(page, "disclosure-request-signed-out")).toEqual([]);
      expect(await textOf(page)).not.toContain(requester.name);
      await signIn(page);
      const text = await textOf(page);
      for (const part of [
        requester.name,
        `did:svc:31337:${requester.name}`,
        requester.owner.address,
        "Sealed and valid",
        "2, sealed soul",
        "has not proved to be a person",
        "Organizationnone",
        "<b>Please</b>[U+202E]",
        "Given out alreadyidentity.description: public",
        "There is no policy: you decide.",
      ]) {
        expect(text).toContain(part);
      }
      expect(await inspect(page, "disclosure-request-no-file")).toEqual([]);

      const leaf = (field: Field) => page.locator(`[data-leaf="${field}"]`).textContent();
      await choose(page, yamlOf(target), proofOf(target));
      await page.getByText("This is the soul on chain").waitFor();
      await decide(page, "soul.purpose", "Show it");
      expect(await leaf("soul.guidelines")).toBe("not decided");
      await button(page, "Answer the request").click();
      await page.getByText("Still open: soul.guidelines.").waitFor();
      await decide(page, "soul.guidelines", "Keep it closed");
      await page.getByLabel("What you show stands for").selectOption("7d");
      expect(await leaf("soul.purpose")).toBe("to be shown");
      expect(await leaf("soul.guidelines")).toBe("stays closed");
      expect(await leaf("identity.description")).toBe("public, says the service");
      expect(await page.locator(".tree rect.leaf.shown").count()).toBe(2);
      expect(await textOf(page)).not.toContain(CANARY);
      expect(await inspect(page, "disclosure-request-decided")).toEqual([]);
      await button(page, "Answer the request").click();
      await page.getByText("Shown", { exact: true }).waitFor();
      expect(await textOf(page)).toContain("You kept soul.guidelines closed.");
      expect(await inspect(page, "disclosure-request-answered")).toEqual([]);

      const [event] = await hook.arrived(1);
      expect(event?.data).toMatchObject({
        requestId,
        targetAgent: target.name,
        fulfilled: [{ ...target.proof("soul.purpose"), merkleRoot: target.root }],
        denied: ["soul.guidelines"],
      });
      expect(await read(requestId, requester)).toMatchObject({
        status: "fulfilled",
        answer: { mode: "api_relayed", requesterNotified: true },
      });
      const holding = (value: string) => sent.filter((one) => one.text.includes(value));
      expect(holding(target.ccsf.soul.purpose).map(({ url }) => url)).toEqual([
        `${stage.service.url}/v1/disclose/request/${requestId}/fulfill`,
      ]);
      for (const kept of [CANARY, target.ccsf.soul.guidelines[0] ?? "", target.salt.slice(2)]) {
        expect(holding(kept)).toEqual([]);
      }
      expect(new Set(sent.map(({ url }) => new URL(url).origin))).toEqual(
        new Set([stage.service.url]),
      );
      expect(timesAsked(wallet, "eth_sendTransaction")).toBe(0);

      await page.getByRole("link", { name: "See how it is verified" }).click();
      await page.getByText("Proven on chain").waitFor();
      expect(await textOf(page)).toContain(target.ccsf.soul.purpose);
      expect(holding(target.ccsf.soul.purpose)).toHaveLength(1);

      await page.goto(`${stage.service.url}${pathOf(target, requestId)}`);
      await signIn(page);
      await page.getByText("This request has been answered").waitFor();
      expect(await button(page, "Answer the request").count()).toBe(0);
      expect(await inspect(page, "disclosure-request-done")).toEqual([]);
    });

    it("sends values encrypted from the browser to the requester, and signed by the owner", async () => {
      const target = await knownAgent(stage.service);
      const privateKey = secp256k1.utils.randomSecretKey();
      const requestId = await request(requester, target, ["soul.purpose"], {
        disclosureEndpoint: ENDPOINT,
        disclosurePublicKey: bytesToHex(secp256k1.getPublicKey(privateKey, true)),
      });
      const wallet = walletOf(target);
      const page = await stage.open(pathOf(target, requestId), wallet);
      let status = 500;
      const received: { readonly body: string; readonly signature: string | null }[] = [];
      await page.route(ENDPOINT, async (route) => {
        const taken = route.request();
        received.push({
          body: taken.postData() ?? "",
          signature: await taken.headerValue(DISCLOSURE_SIGNATURE_HEADER),
        });
        await route.fulfill({ status, headers: { "access-control-allow-origin": "*" } });
      });
      const sent = sentBy(page);
      await signIn(page);
      await choose(page, yamlOf(target));
      await page.getByText("The salt is missing").waitFor();
      await page.getByLabel("Salt").fill(target.salt);
      await page.getByLabel("Salt").blur();
      await page.getByText("This is the soul on chain").waitFor();
      await decide(page, "soul.purpose", "Show it");
      await page.getByLabel(/^Directly from your browser/).check();
      expect(await textOf(page)).toContain(`${ENDPOINT}, encrypted to the requester's key.`);
      expect(await inspect(page, "disclosure-request-direct")).toEqual([]);

      wallet.declines.add("personal_sign");
      await button(page, "Answer the request").click();
      await page.getByText("You declined in your wallet").waitFor();
      wallet.declines.clear();
      await button(page, "Try again").click();
      await page.getByText("The requester's endpoint did not take the values").waitFor();
      await page.getByText("It refused the values. Status 500.").waitFor();
      expect(await inspect(page, "disclosure-request-not-taken")).toEqual([]);
      expect((await read(requestId, requester)).status).toBe("pending_approval");
      status = 204;
      await button(page, "Try again").click();
      await page.getByText("Shown", { exact: true }).waitFor();

      // A sign-in, a declined signature, and one that both deliveries used.
      expect(timesAsked(wallet, "personal_sign")).toBe(3);
      const [first, second] = received;
      expect(second).toEqual(first);
      const { chain } = stage.service;
      const verdict = await receiveDisclosure({
        rawBody: second?.body ?? "",
        signature: second?.signature ?? null,
        rpcUrl: chain.rpcUrl,
        soulView: chain.contracts.soulView,
        request: (id) =>
          id === requestId
            ? {
                targetAgentName: target.name,
                requestedFields: ["soul.purpose"],
                expiresAt: new Date(Date.now() + 60_000),
              }
            : null,
        seen: () => false,
        now: new Date(),
        secrets: { secp256k1: bytesToHex(privateKey) },
      });
      expect(verdict).toMatchObject({
        ok: true,
        disclosure: {
          requestId,
          disclosures: [{ ...target.proof("soul.purpose"), merkleRoot: target.root }],
        },
      });
      expect(await read(requestId, requester)).toMatchObject({
        status: "fulfilled",
        answer: { mode: "p2p_direct", fulfilledFields: ["soul.purpose"] },
      });
      const { purpose } = target.ccsf.soul;
      for (const kept of [purpose, CANARY, target.salt.slice(2)]) {
        expect(sent.filter((one) => one.text.includes(kept))).toEqual([]);
      }
    });

    it("says which of file and salt is wrong, and lets its owner deny without a file", async () => {
      const [target, other] = [await knownAgent(stage.service), await knownAgent(stage.service)];
      const requestId = await request(requester, target, ["soul.purpose"]);
      const page = await stage.open(pathOf(target, requestId), walletOf(target));
      await signIn(page);
      const problem = async (title: string, ...files: readonly ReturnType<typeof file>[]) => {
        await choose(page, ...files);
        await page.getByText(title, { exact: true }).waitFor();
        expect(await page.getByLabel("Show it").isDisabled()).toBe(true);
      };
      const changed = { ...target, ccsf: structuredClone(target.ccsf) };
      changed.ccsf.soul.purpose = "Count owls.";
      const otherSalt = { ...target.proofFile, soulSalt: other.salt };
      await problem("Choose the file with the soul's text", proofOf(target));
      await problem("The proof file belongs to another soul", yamlOf(target), proofOf(other));
      await problem("The text is not the one on chain", yamlOf(changed), proofOf(target));
      await page.getByText("These fields differ: soul.purpose.").waitFor();
      await problem(
        "The salt is wrong",
        yamlOf(target),
        file("salt.json", JSON.stringify(otherSalt)),
      );
      expect(await inspect(page, "disclosure-request-wrong-salt")).toEqual([]);
      await problem("heron.yaml cannot be read", file("heron.yaml", "soul: [purpose"));
      await problem("Choose one text", yamlOf(target), file("other.txt", "Count owls."));
      await page.getByLabel("Salt").fill("0x12");
      await problem("This is not a salt", yamlOf(target));
      await page.getByLabel("Salt").fill(other.salt);
      await problem("This is not the soul on chain", yamlOf(target));

      await decide(page, "soul.purpose", "Keep it closed");
      await button(page, "Answer the request").click();
      await page.getByText("You showed nothing").waitFor();
      expect(await read(requestId, requester)).toMatchObject({
        status: "fulfilled",
        answer: { denied: ["soul.purpose"], disclosureId: null },
      });
    });

    it("tells its owner that no webhook took the values, and sends them again", async () => {
      const [target, deaf] = [await knownAgent(stage.service), await newAgent(stage.service)];
      const requestId = await request(deaf, target, ["soul.purpose"]);
      const page = await stage.open(pathOf(target, requestId), walletOf(target));
      await signIn(page);
      await choose(page, yamlOf(target), proofOf(target));
      await decide(page, "soul.purpose", "Show it");
      await button(page, "Answer the request").click();
      await page.getByText("Answered, but the values did not arrive").waitFor();
      expect(await inspect(page, "disclosure-request-not-delivered")).toEqual([]);
      await page.reload();
      await signIn(page);
      await page.getByText("This request was answered, and the values did not arrive").waitFor();
      const hook = await receiver.subscribe(deaf, ["disclosure.fulfilled"]);
      await choose(page, yamlOf(target), proofOf(target));
      await page.getByText("This is the soul on chain").waitFor();
      await button(page, "Send the values again").click();
      await page.getByText("Shown", { exact: true }).waitFor();
      expect(await hook.arrived(1)).toHaveLength(1);
    });

    it("shows a request that has ended, is another agent's, or does not exist", async () => {
      const target = await knownAgent(stage.service);
      const requestId = await request(requester, target, ["soul.purpose"]);
      const stranger = newAccount();
      const wallet = walletOf(target, { accounts: [stranger] });
      const page = await stage.open(pathOf(target, requestId), wallet);
      await button(page, "Use Heron Wallet").click();
      await page.getByText(`This account does not own ${target.name}`).waitFor();
      expect(await button(page, "Sign in and see the request").count()).toBe(0);
      await chooseAccounts(wallet, [target.owner]);
      await button(page, "Sign in and see the request").waitFor();

      await stage.service.pool.query(
        "update app.disclosure_request set expires_at = now() where id = $1",
        [requestId],
      );
      await button(page, "Sign in and see the request").click();
      await page.getByText("This request has expired").waitFor();
      expect(await inspect(page, "disclosure-request-expired")).toEqual([]);

      const unknown = "7d1c2c1e-1f6b-4a52-9d0e-0d6f0a4f9b11";
      const shows = async (path: string, title: string) => {
        await page.goto(`${stage.service.url}${path}`);
        await button(page, "Use Heron Wallet").click();
        await button(page, "Sign in and see the request").click();
        await page.getByText(title).waitFor();
        expect(await page.getByLabel("Files of the soul").count()).toBe(0);
      };
      await shows(pathOf(target, unknown), "There is no such request");
      const own = await request(target, requester, ["soul.purpose"]);
      await shows(pathOf(target, own), "This request is not yours to answer");

      const { chain } = stage.service;
      await chain.fund(target.owner.address);
      await chain.transferPassport(BigInt(target.passportId), target.owner, stranger.address);
      await page.reload();
      await page.getByText("The soul is suspended").waitFor();
    });

    it("refuses to go on when the wallet cannot read the chain", async () => {
      const target = await knownAgent(stage.service);
      const requestId = await request(requester, target, ["soul.purpose"]);
      const wallet = testWallet([target.owner]);
      const page = await stage.open(pathOf(target, requestId), wallet);
      await signIn(page);
      await page.getByText("Your wallet could not read the chain").waitFor();
      expect(await page.getByLabel("Files of the soul").count()).toBe(0);
    });

    it("can be used with the keyboard alone", async () => {
      const target = await knownAgent(stage.service);
      const requestId = await request(requester, target, ["soul.purpose"]);
      const page = await stage.open(pathOf(target, requestId), walletOf(target));
      const press = async (name: string) => {
        await button(page, name).focus();
        await page.keyboard.press("Enter");
      };
      await button(page, "Use Heron Wallet").waitFor();
      await press("Use Heron Wallet");
      await button(page, "Sign in and see the request").waitFor();
      await press("Sign in and see the request");
      await page.getByRole("heading", { name: "Who asks" }).waitFor();
      await choose(page, yamlOf(target), proofOf(target));
      await page.getByText("This is the soul on chain").waitFor();
      await page.getByLabel("Show it").focus();
      await page.keyboard.press("Space");
      expect(await page.getByLabel("Show it").isChecked()).toBe(true);
      await page.keyboard.press("ArrowDown");
      expect(await page.getByLabel("Keep it closed").isChecked()).toBe(true);
      await press("Answer the request");
      await page.getByText("You showed nothing").waitFor();
    });

    it("connects to the service and the requester's endpoint alone, and holds nothing inline", async () => {
      const target = await knownAgent(stage.service);
      const [plain, direct] = [
        await request(requester, target, ["soul.purpose"]),
        await request(requester, target, ["soul.purpose"], { disclosureEndpoint: ENDPOINT }),
      ];
      const policy = async (requestId: string, tokenId = target.tokenId) => {
        const { headers, body, status } = await stage.service.get(
          `/disclosures/${tokenId}/requests/${requestId}`,
        );
        expect(status).toBe(200);
        expect(headers.get("cache-control")).toBe("no-store");
        expect(body).not.toMatch(/<script(?![^>]* src=)| style=| on[a-z]+=|<style/);
        expect(body).not.toContain("Please");
        expect(body).not.toContain(ENDPOINT);
        return /connect-src [^;]+/.exec(headers.get("content-security-policy") ?? "")?.[0];
      };
      expect(await policy(plain)).toBe("connect-src 'self'");
      expect(await policy(direct)).toBe("connect-src 'self' https://93.184.216.34");
      expect(await policy(direct, requester.tokenId)).toBe("connect-src 'self'");
    });
  });

  describe("the page of an agent's disclosures", () => {
    it("sets, replaces and deactivates the policy, and revokes a disclosure", async () => {
      const target = await knownAgent(stage.service);
      const page = await stage.open(`/disclosures/${target.tokenId}`, walletOf(target));
      await stage.service.post(
        "/v1/disclose",
        {
          tokenId: target.tokenId,
          disclosures: [{ field: "identity.description", value: PUBLIC_DESCRIPTION }],
        },
        bearer(target.apiKey),
      );
      await button(page, "Use Heron Wallet").click();
      await button(page, "Sign in to see them").click();
      await page.getByText("There is no policy").waitFor();
      await page.getByText("Set a policy").click();
      await page.getByLabel("Name", { exact: true }).fill("Herons only");
      await page.getByLabel("soul.purpose").selectOption("bound_agents:verified");
      await page.getByLabel("soul.guidelines").selectOption("specific_agents");
      await page.getByLabel("soul.personality").selectOption("never");
      await page.getByLabel("Agents on the list").fill("did:svc:31337:aurora\ndid:svc:owl");
      await page.getByLabel("A disclosure stands for").selectOption("1d");
      expect(await inspect(page, "disclosures-policy-form")).toEqual([]);
      await button(page, "Set the policy").click();
      await page.getByText("soul.personality: No one, ever").waitFor();
      await page.getByText("soul.guidelines: did:svc:31337:aurora, did:svc:31337:owl").waitFor();
      const policies = async () =>
        (
          await stage.service.request(`/v1/disclose/policy/${target.tokenId}`, {
            headers: bearer(target.apiKey),
          })
        ).body.policies;
      expect(await policies()).toMatchObject([
        {
          name: "Herons only",
          defaultExpiry: "1d",
          preferredMode: "either",
          active: true,
          rules: [
            { fields: ["soul.purpose"], condition: "bound_agents", minTrustLevel: "verified" },
            { fields: ["soul.personality"], condition: "never" },
            {
              fields: ["soul.guidelines"],
              condition: "specific_agents",
              allowedDids: ["did:svc:31337:aurora", "did:svc:31337:owl"],
            },
          ],
        },
      ]);
      expect(await inspect(page, "disclosures-policy")).toEqual([]);
      await page.getByText("Change or replace it").click();
      expect(await page.getByLabel("soul.purpose").inputValue()).toBe("bound_agents:verified");
      await page.getByLabel("Agents on the list").fill("not a DID");
      await button(page, "Replace the policy").click();
      await page.getByText("policy.rules.2.allowedDids.0: Not a DID of this service").waitFor();
      expect(await page.getByLabel("Agents on the list").inputValue()).toBe("not a DID");
      await button(page, "Deactivate it").click();
      await page.getByText("There is no policy").waitFor();
      expect(await policies()).toMatchObject([{ active: false }]);

      await page.getByRole("button", { name: /^Revoke it: identity.description/ }).click();
      await page.getByText("revoked", { exact: true }).waitFor();
      expect(await inspect(page, "disclosures-revoked")).toEqual([]);
    });
  });
}
