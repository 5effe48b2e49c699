import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import {
  type ChainAddress,
  DidChangeError,
  type DidSubject,
  didRecordJson,
  InvalidChainAddressError,
  InvalidDidRecordError,
  isNameOfChain,
  MAX_DID_ADDRESSES,
  nextDidRecord,
  parseChainAddress,
  parseDidRecord,
} from "../../protocol/index.ts";

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const KEY = base58.encode(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
const MAINNET = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const input = {
  chain: "base",
  address: ADDRESS,
  label: "Treasury",
  keyType: "EcdsaSecp256k1",
};
const solana = { chain: "solana", address: KEY, label: "Tips", keyType: "Ed25519" };

describe("parseChainAddress", () => {
  it.each([
    [input, { ...input, chain: "eip155:8453", sentChain: "base" }],
    [
      { ...input, chain: "eip155:1", address: ADDRESS.toLowerCase() },
      { ...input, chain: "eip155:1" },
    ],
    [
      { ...input, chain: "eip155:1", address: `0x${ADDRESS.slice(2).toUpperCase()}` },
      { ...input, chain: "eip155:1" },
    ],
    [solana, { ...solana, chain: MAINNET, sentChain: "solana" }],
    [
      { ...solana, label: "  Tips " },
      { ...solana, chain: MAINNET, sentChain: "solana" },
    ],
  ])("normalises %j", (given, normal) => {
    expect(parseChainAddress(given)).toStrictEqual(normal);
    expect(parseChainAddress(normal)).toMatchObject({
      chain: normal.chain,
      address: normal.address,
    });
  });

  it.each([
    ["chain", { chain: "dogecoin" }],
    ["chain", { chain: "eip155:0" }],
    ["chain", { chain: "eip155:01" }],
    ["chain", { chain: "eip155:9007199254740992" }],
    ["chain", { chain: "bip122:000000000019d6689c085ae165831e93" }],
    ["chain", { chain: "__proto__" }],
    ["address", { address: ADDRESS.replace("d8dA", "D8dA") }],
    ["address", { address: ADDRESS.slice(0, -1) }],
    ["address", { address: `0x${"0".repeat(40)}` }],
    ["address", { address: KEY }],
    ["keyType", { keyType: "Ed25519" }],
    ["label", { label: "" }],
    ["label", { label: " " }],
    ["label", { label: "a".repeat(65) }],
    ["label", { label: "a\u202eb" }],
    ["label", { label: "a\nb" }],
    ["label", { label: "\ud800" }],
  ])("refuses an account with a wrong %s: %j", (field, change) => {
    const run = () => parseChainAddress({ ...input, ...change });
    expect(run).toThrow(InvalidChainAddressError);
    expect(run).toThrow(expect.objectContaining({ code: "invalid_chain_address", field }));
  });

  it.each([
    ["address", { address: base58.encode(new Uint8Array(31).fill(7)) }],
    ["address", { address: base58.encode(new Uint8Array(33).fill(7)) }],
    ["address", { address: base58.encode(new Uint8Array(32)) }],
    ["address", { address: `${KEY.slice(0, -1)}0` }],
    ["address", { address: ADDRESS }],
    ["keyType", { keyType: "EcdsaSecp256k1" }],
  ])("refuses a Solana account with a wrong %s: %j", (field, change) => {
    expect(() => parseChainAddress({ ...solana, ...change })).toThrow(
      expect.objectContaining({ code: "invalid_chain_address", field }),
    );
  });

  it("keeps the chain name of the input, and no other", () => {
    expect(parseChainAddress({ ...solana, chain: "solana" })).toMatchObject({
      chain: MAINNET,
      sentChain: "solana",
    });
    expect(parseChainAddress({ ...solana, chain: MAINNET })).not.toHaveProperty("sentChain");
    expect(isNameOfChain("base", "eip155:8453")).toBe(true);
    expect(isNameOfChain("base", "eip155:1")).toBe(false);
  });
});

const subject: DidSubject = {
  chainId: 8453,
  soulRegistry: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  name: "ada",
  tokenId: 7n,
  epoch: 2,
};
const treasury = parseChainAddress(input);
const tips = parseChainAddress(solana);
const idOf = (record: Parameters<typeof didRecordJson>[0]) =>
  createHash("sha256").update(didRecordJson(record)).digest("base64url");

describe("records", () => {
  const first = nextDidRecord(subject, null, { kind: "add", address: treasury });
  const second = nextDidRecord(
    subject,
    { id: idOf(first), record: first },
    { kind: "add", address: tips },
  );

  it("are written in one form", () => {
    expect(didRecordJson(second)).toBe(
      `{"addresses":[{"address":"${ADDRESS}","chain":"eip155:8453","keyType":"EcdsaSecp256k1","label":"Treasury","sentChain":"base"},{"address":"${KEY}","chain":"${MAINNET}","keyType":"Ed25519","label":"Tips","sentChain":"solana"}],"did":"did:svc:8453:ada","epoch":2,"format":"svc-did/1","previous":"${idOf(first)}","soulRegistry":"0x8004A169FB4a3325136EB29fA0ceB6D2e539a432","tokenId":"7","version":2}`,
    );
  });

  it("are read back", () => {
    for (const record of [first, second]) {
      expect(parseDidRecord(didRecordJson(record), subject)).toStrictEqual(record);
    }
  });

  it("name the previous one, and lose what is removed", () => {
    const third = nextDidRecord(
      subject,
      { id: idOf(second), record: second },
      { kind: "remove", chain: treasury.chain, address: treasury.address },
    );
    expect(third).toStrictEqual({
      ...subject,
      version: 3,
      previous: idOf(second),
      addresses: [tips],
    });
  });

  it("refuse invalid changes", () => {
    const current = { id: idOf(second), record: second };
    const many: ChainAddress[] = Array.from({ length: MAX_DID_ADDRESSES }, (_, index) => ({
      ...treasury,
      chain: `eip155:${index + 1}`,
    }));
    const full = { id: idOf(first), record: { ...first, addresses: many } };
    const refused = [
      [
        "listed",
        () =>
          nextDidRecord(subject, current, { kind: "add", address: { ...tips, label: "Other" } }),
      ],
      ["absent", () => nextDidRecord(subject, null, { kind: "remove", ...tips })],
      ["full", () => nextDidRecord(subject, full, { kind: "add", address: tips })],
    ] as const;
    for (const [reason, run] of refused) {
      expect(run).toThrow(DidChangeError);
      expect(run).toThrow(expect.objectContaining({ code: "did_change", reason }));
    }
  });

  const spoiled = (change: object) =>
    JSON.stringify({ ...JSON.parse(didRecordJson(second)), ...change });
  const entry = { ...treasury };

  it.each([
    ["text", "it is not JSON", "no"],
    ["a list", "it is not an object", "[]"],
    ["another format", "its format is unknown", spoiled({ format: "svc-did/2" })],
    ["another name", "it is of another agent or epoch", spoiled({ did: "did:svc:8453:bob" })],
    ["another chain", "it is of another agent or epoch", spoiled({ did: "did:svc:1:ada" })],
    ["another epoch", "it is of another agent or epoch", spoiled({ epoch: 1 })],
    ["another token", "it is of another agent or epoch", spoiled({ tokenId: "8" })],
    ["a token as number", "it is of another agent or epoch", spoiled({ tokenId: 7 })],
    ["another registry", "it is of another agent or epoch", spoiled({ soulRegistry: ADDRESS })],
    ["version 0", "its version is not a number from 1", spoiled({ version: 0 })],
    ["an invalid predecessor", "its predecessor is not a storage id", spoiled({ previous: "x" })],
    [
      "version 2 without one",
      "only the first version has no predecessor",
      spoiled({ previous: null }),
    ],
    ["version 1 with one", "only the first version has no predecessor", spoiled({ version: 1 })],
    ["no list", "it has no list of at most 20 addresses", spoiled({ addresses: {} })],
    [
      "a long list",
      "it has no list of at most 20 addresses",
      spoiled({ addresses: Array(21).fill(entry) }),
    ],
    [
      "an address twice",
      "an address is listed twice",
      spoiled({ addresses: [entry, { ...entry, label: "x" }] }),
    ],
    ["an entry that is text", "an address lacks a field", spoiled({ addresses: ["x"] })],
    [
      "a short form",
      "an address is not in its stored form",
      spoiled({ addresses: [{ ...entry, chain: "base", sentChain: undefined }] }),
    ],
    [
      "a wrong address",
      "an address is invalid (address: not an address, or its checksum is wrong.)",
      spoiled({ addresses: [{ ...entry, address: "0x" }] }),
    ],
  ])("are refused when they hold %s", (_what, reason, text) => {
    const run = () => parseDidRecord(text, subject);
    expect(run).toThrow(InvalidDidRecordError);
    expect(run).toThrow(expect.objectContaining({ code: "invalid_did_record", reason }));
  });
});
