import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { type Hex, keccak256, stringToHex, zeroHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, it } from "vitest";
import { chronicleAnchorAbi } from "../../protocol/generated/abi.ts";
import { archiveIdOf, chronicleRootOf } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { newAgent, type TestAgent } from "../fixtures/agents.ts";
import { idempotencyKey } from "../fixtures/registrations.ts";
import { button, inspect } from "./browser.ts";
import { startLiar } from "./liar.ts";
import type { Stage } from "./stage.ts";

const GREEN = "Proven on chain";
const RED = "Not proven: do not rely on it";

/** The pages on which a visitor verifies one chronicle, one certificate, or a file. */
export function proofPages(stage: Stage): void {
  const admin = privateKeyToAccount(stackAccounts().admin.privateKey);

  interface Anchored {
    readonly agent: TestAgent;
    readonly path: string;
    readonly proof: Readonly<Record<string, unknown>>;
  }

  /** A chronicle in a batch of two, which the administrator anchors itself. */
  async function anchored(): Promise<Anchored> {
    const agent = await newAgent(stage.service);
    const { body } = await stage.service.post(
      "/v1/chronicle",
      { tokenId: agent.tokenId, category: "certification", data: { title: "Bird ringer" } },
      { authorization: `Bearer ${agent.apiKey}`, "idempotency-key": idempotencyKey() },
    );
    const { queueId, chronicleId } = body;
    const queued = (await stage.service.get(`/v1/chronicle/${queueId}/proof`)).body;
    const sibling: Hex = `0x${randomBytes(32).toString("hex")}`;
    const root = chronicleRootOf(queued.chronicleHash, [sibling]) as Hex;
    const archiveId = randomBytes(32).toString("base64url");
    const { client, contracts } = stage.service.chain;
    const anchor = {
      address: contracts.chronicleAnchor,
      abi: chronicleAnchorAbi,
      account: admin,
    } as const;
    const mined = async (hash: Hex) =>
      client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    await mined(
      await client.writeContract({
        ...anchor,
        functionName: "grantRole",
        args: [keccak256(stringToHex("ANCHOR_ROLE")), admin.address],
      }),
    );
    const count = await client.readContract({ ...anchor, functionName: "batchCount" });
    const previous =
      count === 0n
        ? zeroHash
        : await client.readContract({ ...anchor, functionName: "rootOf", args: [count] });
    const batchId = count + 1n;
    const { transactionHash, blockNumber } = await mined(
      await client.writeContract({
        ...anchor,
        functionName: "anchor",
        args: [batchId, root, previous, 2n, archiveIdOf(archiveId)],
      }),
    );
    const bytes = (hash: Hex) => Buffer.from(hash.slice(2), "hex");
    await stage.service.pool.query(
      `insert into app.chronicle_batch (id, stage, leaf_count, root, previous_root, archive_id, tx_hash,
         block_number, created_at, anchored_at, confirmed_at, announced_at)
       values ($1, 'confirmed', 2, $2, $3, $4, $5, $6, now(), now(), now(), now())`,
      [String(batchId), root, previous, archiveId, transactionHash, String(blockNumber)],
    );
    await stage.service.pool.query(
      "update app.chronicle_state set batch_id = $1, proof = $2 where token_id = $3 and chronicle_id = $4",
      [String(batchId), bytes(sibling), agent.tokenId, chronicleId],
    );
    const { body: proof } = await stage.service.get(`/v1/chronicle/${queueId}/proof`);
    return { agent, path: `/proofs/chronicles/${queueId}`, proof };
  }

  const stepsOf = (page: Page, state: string) =>
    page
      .locator(`#verification .steps li.${state}`)
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));

  const verdictOf = (page: Page) => page.locator("#verification .notice").first().textContent();

  /** Opens the page as a service that lies in it would serve it, and waits for the red verdict. */
  async function openChanged(page: Page, path: string, change: (html: string) => string) {
    const liar = await startLiar(stage.service.url, { pages: change, api: { valid: true } });
    await page.goto(`${liar.url}${path}`);
    await page.getByText(RED).waitFor();
    await liar.stop();
  }

  async function paste(page: Page, content: object | string): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await page.getByLabel("Or its text").fill(text);
    await button(page, "Check it").click();
  }

  let chronicle: Anchored;
  beforeAll(async () => {
    chronicle = await anchored();
  });

  describe("the proof page of a chronicle", () => {
    it("is green from the node alone, and red at the step that was changed", async () => {
      const { path, proof } = chronicle;
      const { rpcUrl } = stage.service.chain;
      const page = await stage.open("/verify");
      const asked: string[] = [];
      page.on("request", (one) => asked.push(one.url()));
      await page.goto(`${stage.service.url}${path}`);
      await page.getByText(GREEN).waitFor();
      expect(await stepsOf(page, "done")).toEqual([
        "Proof",
        "Record",
        "Leaf",
        "Chain",
        "Merkle path",
        "Root",
        "Batches before",
      ]);
      const text = await page.locator("#verification").textContent();
      for (const part of [proof.chronicleHash, proof.merkleRoot, proof.leavesArweaveTxId]) {
        expect(text).toContain(part);
      }
      expect(asked.filter((url) => url.startsWith(`${stage.service.url}/v1/`))).toEqual([]);
      expect(new Set(asked.map((url) => new URL(url).origin))).toEqual(
        new Set([stage.service.url, new URL(rpcUrl).origin]),
      );
      expect(await inspect(page, "proof-chronicle")).toEqual([]);

      const root = String(proof.merkleRoot);
      const other = `0x${"ab".repeat(32)}`;
      const path0 = (proof.merkleProof as string[])[0] ?? "";
      const cases: readonly (readonly [string, (html: string) => string, string])[] = [
        ["Leaf", (html) => html.replaceAll("certification", "achievement"), "hash to the leaf"],
        ["Merkle path", (html) => html.replaceAll(path0, other), "leads to the root"],
        [
          "Root",
          (html) =>
            html
              .replaceAll(path0, other)
              .replaceAll(`"${root}"`, "null")
              .replaceAll(`&quot;${root}&quot;`, "null"),
          "the proof leads to",
        ],
        [
          "Batches before",
          (html) => html.replaceAll(String(proof.leavesArweaveTxId), "A".repeat(43)),
          "The list of leaves",
        ],
        [
          "Record",
          (html) => html.replace(/(record&quot;:&quot;[^&]*?)ey/, "$1eZ"),
          "The archived record hashes to",
        ],
      ];
      for (const [step, change, why] of cases) {
        await openChanged(page, path, change);
        expect(await stepsOf(page, "failed")).toEqual([step]);
        expect(await verdictOf(page)).toContain(why);
      }
      expect(await inspect(page, "proof-chronicle-changed")).toEqual([]);
    });

    it("says that nothing is known when the node is silent, and names a node of another chain", async () => {
      const page = await stage.open("/verify");
      const node = `${stage.service.chain.rpcUrl}/`;
      await page.route(node, (route) => route.abort());
      await page.goto(`${stage.service.url}${chronicle.path}`);
      await page.getByText("Not checked: the node did not give an answer").waitFor();
      await page.unroute(node);
      await page.route(node, async (route) => {
        const request = route.request().postDataJSON();
        if (request.method !== "eth_chainId") return route.continue();
        return route.fulfill({ json: { jsonrpc: "2.0", id: request.id, result: "0x2105" } });
      });
      await button(page, "Check it").click();
      await page.getByText(RED).waitFor();
      expect(await stepsOf(page, "failed")).toEqual(["Chain"]);
    });
  });

  describe("the proof page of a certificate", () => {
    it("is green for a valid agent, and red for a lie and for a sold agent", async () => {
      const agent = await newAgent(stage.service);
      const path = `/proofs/certificates/${agent.tokenId}`;
      const page = await stage.open(path);
      await page.getByText(GREEN).waitFor();
      const done = await stepsOf(page, "done");
      for (const step of ["Owner", "Certificate", "Seal", "Validity", "Stated soul hash"]) {
        expect(done).toContain(step);
      }
      expect(await inspect(page, "proof-certificate")).toEqual([]);
      const { body } = await stage.service.get(`/v1/profile/${agent.name}`);
      await openChanged(page, path, (html) =>
        html.replaceAll(body.soulHash, `0x${"cd".repeat(32)}`),
      );
      expect(await stepsOf(page, "failed")).toEqual(["Stated soul hash"]);

      await page.goto(`${stage.service.url}${path}`);
      await page.getByText(GREEN).waitFor();
      const { chain } = stage.service;
      await chain.fund(agent.owner.address);
      const buyer = newAccount().address;
      await chain.transferPassport(BigInt(body.erc8004AgentId), agent.owner, buyer);
      await button(page, "Check it").click();
      await page.getByText(`is with ${buyer}`).first().waitFor();
      expect(await stepsOf(page, "failed")).toContain("Owner");
    });
  });

  describe("the page that takes any file", () => {
    it("says what a file is, and whether it holds", async () => {
      const { proof, agent } = chronicle;
      const page = await stage.open("/verify");
      expect(await inspect(page, "verify-file")).toEqual([]);
      await paste(page, proof);
      await page.getByText(GREEN).waitFor();
      await paste(page, { ...proof, category: "achievement" });
      await page.getByText(RED).waitFor();
      expect(await stepsOf(page, "failed")).toEqual(["Leaf"]);
      const { body: did } = await stage.service.get(`/v1/did/${agent.name}`);
      await paste(page, did.didDocument ?? did);
      await page.getByText("This is a DID document.").waitFor();
      await page.getByText(GREEN).waitFor();
      for (const [content, why] of [
        ["hello", "This is no JSON object."],
        [{ keys: [] }, "This is a set of keys."],
        [{ any: 1 }, "This page does not know JSON of this kind."],
      ] as const) {
        await paste(page, content);
        await page.getByText("This page cannot check this file").waitFor();
        expect(await verdictOf(page)).toContain(why);
        expect(await verdictOf(page)).toContain("It takes a disclosure");
      }
      await page.getByLabel("Your file").setInputFiles({
        name: "snapshot.item",
        mimeType: "application/octet-stream",
        buffer: Buffer.concat([Buffer.from([3, 0]), randomBytes(400)]),
      });
      await page.getByText(RED).waitFor();
      expect(await stepsOf(page, "failed")).toEqual(["Snapshot"]);
    });
  });

  describe("every open page", () => {
    it("calls nothing but its own origin, and on proof pages the chosen node", async () => {
      const { agent, path } = chronicle;
      const { tokenId, name } = agent;
      const proving = [path, `/proofs/certificates/${tokenId}`, `/proofs/alignment/${name}`];
      const verifying = ["/verify", "/verify-disclosure"];
      const others = [
        "/",
        `/agents/${name}`,
        `/manage/${tokenId}`,
        `/allowances/${tokenId}`,
        `/access/${tokenId}`,
        `/disclosures/${tokenId}`,
        `/sales/${tokenId}`,
        `/reseal/${tokenId}`,
        `/bindings/${tokenId}`,
        "/organizations",
        `/burn/${tokenId}`,
        `/reincarnate/${tokenId}`,
        "/private-data",
        "/docs",
        "/docs/api",
        "/docs/pages",
      ];
      const own = stage.service.url;
      const node = new URL(stage.service.chain.rpcUrl).origin;
      const page = await stage.open("/verify");
      const asked: string[] = [];
      page.on("request", (one) => {
        if (!one.url().startsWith("data:")) asked.push(new URL(one.url()).origin);
      });
      for (const one of [...others, ...verifying, ...proving]) {
        asked.length = 0;
        const answer = await page.goto(`${own}${one}`, { waitUntil: "networkidle" });
        const isProof = proving.includes(one) || verifying.includes(one);
        const policy = answer?.headers()["content-security-policy"] ?? "";
        expect([one, /connect-src ([^;]+)/.exec(policy)?.[1]]).toEqual([
          one,
          isProof ? node : "'self'",
        ]);
        const beyond = asked.filter((origin) => origin !== own && !(isProof && origin === node));
        expect([one, beyond]).toEqual([one, []]);
        if (one !== `/agents/${name}`) continue;
        const leads = await page
          .locator("main .badge:not(li)")
          .evaluateAll((all) => all.map((badge) => badge.getAttribute("href")));
        expect(new Set(leads)).toEqual(new Set([`/proofs/certificates/${tokenId}`]));
      }
    });
  });
}
