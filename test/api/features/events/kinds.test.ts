import { readFileSync } from "node:fs";
import { zeroAddress, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import {
  detailsOf,
  EVENT_KINDS,
  type FieldType,
  KINDS,
  sentenceOf,
} from "../../../../api/features/events/kinds.ts";

const GUIDE = new URL("../../../../docs/events.md", import.meta.url);

const names = {
  agent: "aurora",
  passport: "The passport of aurora",
  other: "heron",
};

describe("kinds of events", () => {
  it("are all in the guide", () => {
    const guide = readFileSync(GUIDE, "utf8");
    expect(KINDS.filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([]);
  });

  it("have words of their own", () => {
    const titles = Object.values(EVENT_KINDS).map(({ title }) => title);
    expect(new Set(titles).size).toBe(KINDS.length);
  });

  it.each([
    [{ operator: zeroAddress }, "The owner of aurora acts for it again."],
    [{ operator: `0x${"ab".repeat(20)}` }, "0xABaB…ABaB acts for aurora now."],
  ])("say who acts: %j", (change, sentence) => {
    const details = detailsOf("operator.changed", { previousOperator: zeroAddress, ...change });
    expect(sentenceOf("operator.changed", details, names)).toBe(sentence);
  });

  it("say what was withdrawn", () => {
    const did = detailsOf("did.updated", { archiveId: zeroHash, previousArchiveId: zeroHash });
    expect(sentenceOf("did.updated", did, names)).toBe("The DID document of aurora was withdrawn.");
    const keys = detailsOf("keys.updated", { owner: zeroAddress, keysHash: null });
    expect(sentenceOf("keys.updated", keys, names)).toBe(
      "The public keys of aurora were withdrawn.",
    );
  });

  it("say that a passport came back, and that this ends no suspension", () => {
    const details = detailsOf("soul.suspended", {
      observedOwner: zeroAddress,
      sealer: zeroAddress,
    });
    expect(sentenceOf("soul.suspended", details, names)).toBe(
      "The passport of aurora was seen back with 0x0000…0000. aurora stays suspended.",
    );
  });

  it("say of whom an agent is the successor", () => {
    const raw = { owner: zeroAddress, operator: null, agentType: "0", newPassport: "false" };
    const details = detailsOf("soul.registered", { ...raw, parentTokenId: "3" });
    expect(sentenceOf("soul.registered", details, names)).toBe(
      "0x0000…0000 registered aurora, of type assistant, as the successor of certificate 3.",
    );
    expect(details).toMatchObject({ operator: null, agentType: 0, newPassport: false });
  });

  it("keep amounts exact, and reject rows without what they need", () => {
    const huge = (2n ** 256n - 1n).toString();
    const raw = {
      recipient: zeroAddress,
      operator: zeroAddress,
      amount: huge,
      withinLimits: "false",
      reason: "EXCEEDS_DAILY_LIMIT",
      paymentRef: zeroHash,
    };
    const details = detailsOf("payment.reported", raw);
    expect([details.amount, details.recipient, details.withinLimits]).toEqual([huge, null, false]);
    expect(() => detailsOf("payment.reported", { ...raw, amount: null })).toThrow(
      "A field of an event is missing in the index.",
    );
  });
});

describe("texts that any account may write", () => {
  /** Turns the line around, hides, ends lines and markup, and is long. */
  const HOSTILE = `\u202e\u2066\u200b\u0000\r\n\n<script>${"a".repeat(100_000)}`;
  const VALID: Readonly<Record<FieldType, string>> = {
    address: `0x${"ab".repeat(20)}`,
    "address?": `0x${"ab".repeat(20)}`,
    hash: zeroHash,
    "hash?": zeroHash,
    amount: (-(2n ** 255n)).toString(),
    "amount?": (2n ** 256n - 1n).toString(),
    integer: "100",
    "integer?": "100",
    id: (2n ** 256n - 1n).toString(),
    boolean: "true",
    text: HOSTILE,
    "text?": HOSTILE,
    "time?": "1800000000",
    trust: "2",
  };

  it.each(KINDS)("are in no sentence of %s", (kind) => {
    const fields = Object.entries(EVENT_KINDS[kind].fields);
    const raw = Object.fromEntries(fields.map(([name, type]) => [name, VALID[type as FieldType]]));
    const sentence = sentenceOf(kind, detailsOf(kind, raw), names);
    expect(sentence).toMatch(/^[\x20-\x7e…]{10,250}\.$/);
  });
});
