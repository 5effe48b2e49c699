import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  type AlignmentFact,
  alignmentDocument,
  alignmentDocumentBytes,
  InvalidAlignmentDocumentError,
  parseAlignmentDocument,
  recomputedDocument,
} from "../../../protocol/index.ts";
import {
  account,
  binding,
  feedback,
  membership,
  organization,
  overspending,
  payment,
  plainAgent,
  review,
  SUBJECT,
} from "./sample-facts.ts";

/** One fact of nearly every kind that counts, and one that does not. */
function facts(): AlignmentFact[] {
  // Its hex has letters, which have two cases.
  const payer = account(10_187);
  return [
    ...plainAgent(),
    overspending(3),
    overspending(95),
    binding(8n, 4, 30),
    binding(8n, 1, 19),
    binding(9n, 3, 20),
    payment(payer),
    ...review(187, 90),
    ...review(2, 70, { humanVerified: true }),
    membership(10_002n, 3n),
    organization(3n, account(500)),
    feedback(account(999), 0),
  ];
}

const DOCUMENT = alignmentDocument(SUBJECT, facts());
const TEXT = new TextDecoder().decode(alignmentDocumentBytes(DOCUMENT));

function upperCase(hex: Hex): Hex {
  return `0x${hex.slice(2).toUpperCase()}`;
}

/** The document's JSON, as far as the tests change it. */
type Draft = Record<string, unknown> & {
  block: { number: string };
  facts: Record<string, unknown>[];
  offChain: { skills: { fitting: number } }[];
};

/** The document's text after a change of its JSON. */
function changed(change: (document: Draft) => void): Uint8Array {
  const document = JSON.parse(TEXT) as Draft;
  change(document);
  return alignmentDocumentBytes(document as never);
}

describe("snapshot document", () => {
  it("is read back as it was written, and gives the same score", () => {
    const parsed = parseAlignmentDocument(alignmentDocumentBytes(DOCUMENT));
    expect(parsed).toEqual(DOCUMENT);
    expect(recomputedDocument(parsed)).toEqual(DOCUMENT);
  });

  it("holds only the facts that the score rests on", () => {
    expect(DOCUMENT.facts.map(({ kind }) => kind)).toEqual([
      "registered",
      "sealed",
      "reviewer",
      "reviewer",
      "organization",
      "membership",
      "binding",
      "payment",
      "binding",
      "feedback",
      "feedback",
      "overspending",
    ]);
    expect(DOCUMENT.offChain.map(({ kind }) => kind)).toEqual([
      "documents",
      "records",
      "registrationFile",
      "requests",
      "tasks",
    ]);
  });

  it("is the same for the same facts in another order, repeated, and in another case", () => {
    const reversed = [...DOCUMENT.facts, ...DOCUMENT.offChain].reverse();
    expect(alignmentDocument(SUBJECT, [...reversed, ...reversed])).toEqual(DOCUMENT);
    const upper = { ...SUBJECT, issuer: upperCase(SUBJECT.issuer) };
    const upperFacts = reversed.map((fact) =>
      fact.kind === "feedback" ? { ...fact, account: upperCase(fact.account) } : fact,
    );
    expect(alignmentDocument(upper, upperFacts)).toEqual(DOCUMENT);
  });

  it.each<[string, (document: Draft) => void, string]>([
    [
      "another format",
      (it) => {
        it.format = "svc-alignment/2";
      },
      "format does not fit",
    ],
    [
      "an unknown member",
      (it) => {
        it.note = "hello";
      },
      "note does not fit",
    ],
    [
      "a missing member",
      (it) => {
        delete it.score;
      },
      "score does not fit",
    ],
    [
      "a score above 100",
      (it) => {
        it.score = 101;
      },
      "score does not fit",
    ],
    [
      "a number where a decimal string stands",
      (it) => {
        it.tokenId = 7;
      },
      "tokenId does not fit",
    ],
    [
      "an id with a leading zero",
      (it) => {
        it.tokenId = "07";
      },
      "tokenId does not fit",
    ],
    [
      "an address in upper case",
      (it) => {
        it.issuer = `0x${"A".repeat(40)}`;
      },
      "issuer does not fit",
    ],
    [
      "an unknown kind of fact",
      (it) => {
        Object.assign(it.facts[0] ?? {}, { kind: "rumour" });
      },
      "facts[0].kind does not fit",
    ],
    [
      "a fact without its place",
      (it) => {
        delete it.facts[1]?.place;
      },
      "facts[1].place does not fit",
    ],
    [
      "more fitting chronicles than there are",
      (it) => {
        Object.assign(it.offChain[4]?.skills ?? {}, { fitting: 1 });
      },
      "offChain[4].skills.fitting does not fit",
    ],
    [
      "facts out of order",
      (it) => {
        it.facts.reverse();
      },
      "its facts are not in order, or not once each",
    ],
    [
      "a fact twice",
      (it) => {
        it.facts.unshift(...it.facts.slice(0, 1));
      },
      "its facts are not in order, or not once each",
    ],
    [
      "a fact after its block",
      (it) => {
        it.block.number = "1";
      },
      "its registered fact is of block 800000, after the snapshot's block 1",
    ],
  ])("refuses %s", (_, change, reason) => {
    expect(() => parseAlignmentDocument(changed(change))).toThrow(
      new InvalidAlignmentDocumentError(reason),
    );
  });

  it("refuses JSON that is not canonical, and bytes that are not UTF-8", () => {
    expect(() => parseAlignmentDocument(new TextEncoder().encode(`${TEXT}\n`))).toThrow(
      new InvalidAlignmentDocumentError("its JSON is not canonical"),
    );
    expect(() => parseAlignmentDocument(new Uint8Array([0xff]))).toThrow(
      new InvalidAlignmentDocumentError("it is not UTF-8"),
    );
  });
});
