import {
  concat,
  type Hex,
  hashTypedData,
  hexToBigInt,
  keccak256,
  numberToHex,
  parseSignature,
  serializeErc6492Signature,
  slice,
  toHex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { createOwnerSignatures, isSignedBy } from "../../../../api/platform/chain/signatures.ts";
import { deployWallet } from "../../../fixtures/contract-wallet.ts";
import { type IndexedChain, startIndexedChain } from "../../../fixtures/indexed-chain.ts";

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const DIGEST = hashTypedData({
  domain: { name: "Test" },
  types: { Thing: [{ name: "id", type: "uint256" }] },
  primaryType: "Thing",
  message: { id: 1n },
});
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const unreachable = createChainClient({ rpcUrl: "http://127.0.0.1:1", chainId: 31337 });

let chain: IndexedChain;
let client: ReturnType<typeof createChainClient>;
let signature: Hex;

beforeAll(async () => {
  chain = await startIndexedChain();
  // A wallet that uses all of its gas keeps a loaded machine's node busy for longer than the
  // request time limit.
  client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337, timeoutMs: 15_000 });
});
afterAll(() => chain.stop());
beforeEach(async () => {
  signature = await owner.sign({ hash: DIGEST });
});

const check = (signer: Hex, signed: Hex, on = client) =>
  createOwnerSignatures(on).assertSignedBy(signer, DIGEST, signed);
const invalid = (signer: Hex) => ({
  type: "INVALID_SIGNATURE",
  details: { reason: "InvalidSignature", signer },
});

describe("a key's signature", () => {
  it("is accepted without a request to the chain", async () => {
    await check(owner.address, signature, unreachable);
    expect(await isSignedBy(unreachable, owner.address, DIGEST, signature)).toBe(true);
    // Addresses may also be in lower case.
    await check(owner.address.toLowerCase() as Hex, signature, unreachable);
  });

  it("is refused for another account and for another digest", async () => {
    await expect(check(stranger.address, signature)).rejects.toMatchObject(
      invalid(stranger.address),
    );
    expect(await isSignedBy(client, stranger.address, DIGEST, signature)).toBe(false);
    expect(await isSignedBy(client, owner.address, keccak256("0x01"), signature)).toBe(false);
  });

  it("is refused in every other encoding of the same numbers, as on chain", async () => {
    const { r, s, yParity } = parseSignature(signature);
    const highS = numberToHex(CURVE_ORDER - hexToBigInt(s), { size: 32 });
    const compactS = numberToHex(hexToBigInt(s) | (BigInt(yParity) << 255n), { size: 32 });
    const forms: Hex[] = [
      concat([r, highS, toHex(28 - yParity, { size: 1 })]),
      concat([r, s, toHex(yParity, { size: 1 })]),
      concat([r, compactS]),
      concat([signature, "0x00"]),
      concat([toHex(0, { size: 32 }), slice(signature, 32)]),
      concat([toHex(CURVE_ORDER, { size: 32 }), slice(signature, 32)]),
      "0x",
    ];
    for (const form of forms) {
      await expect(check(owner.address, form)).rejects.toMatchObject(invalid(owner.address));
    }
  });

  it("stays valid when the account has code that would refuse it", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    await chain.client.setCode({ address: account.address, bytecode: "0x60006000fd" });
    await check(account.address, await account.sign({ hash: DIGEST }));
  });
});

describe("a contract wallet's signature", () => {
  it("is accepted exactly when the wallet agrees", async () => {
    const wallet = await deployWallet(chain, owner.address);
    await check(wallet, signature);
    expect(await isSignedBy(client, wallet, DIGEST, signature)).toBe(true);
    const other = await stranger.sign({ hash: DIGEST });
    await expect(check(wallet, other)).rejects.toMatchObject(invalid(wallet));
    expect(await isSignedBy(client, wallet, DIGEST, other)).toBe(false);
  });

  it.each([
    ["reverts", "0x60006000fd"],
    ["uses up its gas", "0x5b600056"],
    ["is no program", "0xfe"],
    ["answers nothing", "0x00"],
    ["answers too little", "0x631626ba7e60e01b60005260046000f3"],
    ["answers more than the magic number", `0x7f1626ba7e${"00".repeat(27)}0160005260206000f3`],
  ] as const)("is refused when its code %s", async (_how, bytecode) => {
    const wallet = privateKeyToAccount(generatePrivateKey()).address;
    await chain.client.setCode({ address: wallet, bytecode });
    await expect(check(wallet, signature)).rejects.toMatchObject(invalid(wallet));
    expect(await isSignedBy(client, wallet, DIGEST, signature)).toBe(false);
  });

  it("is refused for a precompiled contract, which has no code", async () => {
    const identity = "0x0000000000000000000000000000000000000004";
    await expect(check(identity, signature)).rejects.toMatchObject(invalid(identity));
  });

  it("of a wallet that is not deployed yet is recognized", async () => {
    const wrapped = serializeErc6492Signature({
      address: stranger.address,
      data: "0x01",
      signature,
    });
    await expect(check(owner.address, wrapped)).rejects.toMatchObject({
      type: "WALLET_NOT_DEPLOYED",
      details: { signer: owner.address },
    });
    expect(await isSignedBy(client, owner.address, DIGEST, wrapped)).toBe(false);
    // After deployment the wallet itself refuses the wrapped form.
    const wallet = await deployWallet(chain, owner.address);
    await expect(check(wallet, wrapped)).rejects.toMatchObject(invalid(wallet));
  });

  it("is unknown while the chain does not answer", async () => {
    const expected = { type: "CHAIN_UNAVAILABLE", retryAfter: 2 };
    await expect(check(stranger.address, signature, unreachable)).rejects.toMatchObject(expected);
    await expect(
      isSignedBy(unreachable, stranger.address, DIGEST, signature),
    ).rejects.toMatchObject(expected);
  });
});
