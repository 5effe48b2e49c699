import { createHash } from "node:crypto";
import { type Hex, keccak256, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { alignmentRegistryAbi } from "../../protocol/generated/abi.ts";
import { alignmentDocument, alignmentDocumentBytes, archiveIdOf } from "../../protocol/index.ts";
import { stackAccounts } from "../../scripts/local-stack/accounts.ts";
import { newAgent, type TestAgent } from "../fixtures/agents.ts";
import {
  binding,
  counts,
  overspending,
  SUBJECT,
  start,
} from "../protocol/alignment/sample-facts.ts";
import { inspect } from "./browser.ts";
import type { Stage } from "./stage.ts";

/** The score on an agent's page, and its six components. */
export function alignmentCard(stage: Stage): void {
  const admin = privateKeyToAccount(stackAccounts().admin.privateKey);
  const registry = () =>
    ({
      address: stage.service.chain.contracts.alignmentRegistry,
      abi: alignmentRegistryAbi,
      account: admin,
    }) as const;

  interface ScoredRecord {
    readonly blockNumber: bigint;
    readonly score: number;
    readonly archiveId: Hex;
  }

  /** The administrator records scores itself: the service's relayer must not be disturbed. */
  async function allowRecords(): Promise<void> {
    const { client } = stage.service.chain;
    const role = keccak256(stringToHex("ALIGNMENT_ROLE"));
    const args = [role, admin.address] as const;
    const hash = await client.writeContract({ ...registry(), functionName: "grantRole", args });
    await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  }

  /** Records scores in one transaction, and waits until the service knows them. */
  async function record({ name, tokenId }: TestAgent, scores: readonly ScoredRecord[]) {
    const { client } = stage.service.chain;
    const records = scores.map((score) => ({ tokenId: BigInt(tokenId), epoch: 1, ...score }));
    const hash = await client.writeContract({
      ...registry(),
      functionName: "recordAlignment",
      args: [records],
    });
    const { blockNumber } = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    await stage.service.get(`/v1/profile/${name}?minBlock=${blockNumber}`);
  }

  /** An archive item of the agent's score, and how it is stored. */
  async function snapshot({ name, tokenId }: TestAgent, number: bigint) {
    const subject = {
      ...SUBJECT,
      tokenId: BigInt(tokenId),
      agentName: name,
      block: { ...SUBJECT.block, number },
    };
    const facts = [...start(), ...counts(), overspending(2), binding(8n, 4, 9), binding(8n, 1, 8)];
    // The test's blocks are few: all events are of the first.
    const document = alignmentDocument(
      subject,
      facts.map((fact) =>
        "place" in fact ? { ...fact, place: { ...fact.place, blockNumber: 1n } } : fact,
      ),
    );
    const data = alignmentDocumentBytes(document);
    const contentType = "application/json";
    const { id, bytes } = await createItemSigner(stackAccounts().storage.privateKey).sign({
      data,
      contentType,
    });
    const { score } = document;
    if (score === null) throw new Error("The sample agent is too young for a score.");
    return {
      record: { blockNumber: number, score, archiveId: archiveIdOf(id) },
      store: () =>
        stage.service.pool.query(
          `insert into app.storage_item (id, bytes, data_hash, content_type, created_at)
           values ($1, $2, $3, $4, now())`,
          [id, Buffer.from(bytes), createHash("sha256").update(data).digest(), contentType],
        ),
    };
  }

  describe("the alignment of an agent", () => {
    it("is not shown without a score, and with its six components once it has one", async () => {
      const agent = await newAgent(stage.service);
      const page = await stage.open(`/agents/${agent.name}`);
      const card = page.getByRole("region", { name: "Alignment" });
      const rows = card.getByRole("row");
      await page.getByRole("heading", { level: 1, name: agent.name }).waitFor();
      expect(await card.count()).toBe(0);

      await allowRecords();
      const first = await snapshot(agent, 1n);
      await first.store();
      await record(agent, [first.record]);
      await page.reload();
      await card.getByText("82 of 100, recorded on chain on ").waitFor();
      expect(await rows.allTextContents()).toEqual([
        "Spending within limits (22\u00a0%)95",
        "Work that fits its abilities (22\u00a0%)50",
        "Records and documents kept (18\u00a0%)100",
        "Disclosure as promised (14\u00a0%)100",
        "Steady trust in others (14\u00a0%)95",
        "Trust of reviewers (10\u00a0%)50",
      ]);
      expect(await card.getByRole("figure").count()).toBe(0);
      expect(await inspect(page, "alignment-one")).toEqual([]);

      // Its facts are made up: the page reads the chain, and does not believe the service.
      await card.getByRole("link", { name: "82 of 100" }).click();
      await page.getByRole("button", { name: "Check it", exact: true }).click();
      await page.getByText("Not proven: do not rely on it").waitFor();
      expect(
        await page
          .locator("#verification .steps li:not(.open)")
          .evaluateAll((all) =>
            all.map((one) => `${one.className} ${one.firstChild?.textContent}`),
          ),
      ).toEqual(["done Chain", "done Snapshot", "failed Agent and contracts"]);
      expect(await inspect(page, "proof-alignment")).toEqual([]);
    });
  });
}
