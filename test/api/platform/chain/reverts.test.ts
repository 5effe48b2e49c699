import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeErrorResult, type Hex, parseAbi, zeroAddress, zeroHash } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import {
  decodeRevert,
  isUnavailable,
  revertError,
  withChainErrors,
} from "../../../../api/platform/chain/reverts.ts";
import { passportWriterAbi, soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import { alice, type IndexedChain, startIndexedChain } from "../../../fixtures/indexed-chain.ts";

const SIGNER = "0x00000000000000000000000000000000000000A1";
const HASH = `0x${"ab".repeat(32)}` as const;
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("It did not fail."),
    (error: unknown) => error,
  );

const registryRevert = (errorName: string, args: readonly unknown[]): Hex =>
  encodeErrorResult({ abi: soulRegistryAbi, errorName, args } as Parameters<
    typeof encodeErrorResult
  >[0]);

describe("the table of reverts", () => {
  it.each([
    ["InvalidSignature", [SIGNER], "INVALID_SIGNATURE", { signer: SIGNER }],
    [
      "NonceAlreadyUsed",
      [SIGNER, 2n ** 255n],
      "NONCE_USED",
      { signer: SIGNER, nonce: String(2n ** 255n) },
    ],
    ["DeadlineExpired", [1700n], "NONCE_EXPIRED", { deadline: "1700" }],
    ["NameTaken", ["ada", 3n], "NAME_TAKEN", { name: "ada", tokenId: 3 }],
    ["InvalidName", ["A d a"], "INVALID_NAME", { name: "A d a" }],
    ["EmptySoul", [], "INVALID_MERKLE_DATA", {}],
    ["InvalidParent", [4n, SIGNER], "INVALID_REQUEST", { parentTokenId: 4, owner: SIGNER }],
    ["UnexpectedPassportId", [5n], "INVALID_REQUEST", { passportId: 5 }],
    ["PassportIdTooLarge", [2n ** 56n], "INVALID_REQUEST", { passportId: "72057594037927936" }],
    ["UnexpectedAgentURI", [], "INVALID_REQUEST", {}],
    ["UnexpectedHumanProof", [], "INVALID_REQUEST", {}],
    ["HumanProofMismatch", [zeroHash, HASH], "INVALID_REQUEST", { signed: zeroHash, given: HASH }],
    [
      "SoulSuspended",
      [6n, SIGNER, SIGNER],
      "SUSPENDED",
      { tokenId: 6, sealer: SIGNER, passportOwner: SIGNER },
    ],
    ["WrongStatus", [6n, 0], "NOT_FOUND", { tokenId: 6, status: "0" }],
    ["WrongStatus", [6n, 1], "FORBIDDEN", { tokenId: 6, status: "1" }],
    ["WrongStatus", [6n, 2], "ALREADY_SEALED", { tokenId: 6, status: "2" }],
    ["WrongStatus", [6n, 3], "BURNED", { tokenId: 6, status: "3" }],
  ] as const)("has %s", (reason, args, type, named) => {
    const error = revertError(registryRevert(reason, args));
    expect({ type: error.type, details: error.details }).toEqual({
      type,
      details: { reason, args: named },
    });
  });

  it.each([
    ["NotApproved", [7n], "APPROVAL_REQUIRED", { passportId: 7 }],
    ["NotBound", [6n, 7n], "NOT_FOUND", { tokenId: 6, passportId: 7 }],
    ["WrongVersion", [6n, 1, 2], "INVALID_REQUEST", { tokenId: 6, version: "1", current: "2" }],
    ["SoulSuspended", [6n, SIGNER, SIGNER], "SUSPENDED", { tokenId: 6, sealer: SIGNER }],
  ] as const)("has %s of the passport writer", (errorName, args, type, named) => {
    const data = encodeErrorResult({ abi: passportWriterAbi, errorName, args } as never);
    const { type: given, details } = revertError(data);
    expect({ type: given, details }).toMatchObject({
      type,
      details: { reason: errorName, args: named },
    });
  });

  it.each([
    ["our missing role", registryRevert("NotRegistrar", [SIGNER])],
    ["an unknown error", "0xdeadbeef"],
    ["no data", "0x"],
    ["half a known error", registryRevert("UnexpectedPassportId", [5n]).slice(0, 20) as Hex],
  ] as const)("reports %s as an internal error without details", (_what, data) => {
    const error = revertError(data);
    expect(error).toMatchObject({ type: "INTERNAL", details: undefined });
    expect((error.cause as Error).message).toMatch(/^A contract reverted unexpectedly: /);
  });
});

describe("decoding", () => {
  it("names arguments, and numbers those without a name", () => {
    const abi = parseAbi(["error Odd(uint256, bytes4 id, uint256[] list)"]);
    const data = encodeErrorResult({ abi, errorName: "Odd", args: [1n, "0x01020304", [2n, 3n]] });
    expect(decodeRevert(data, [abi, abi])).toEqual({
      name: "Odd",
      args: { 0: "1", id: "0x01020304", list: '["2","3"]' },
    });
  });

  it("knows Solidity's own errors", () => {
    const abi = parseAbi(["error Error(string message)", "error Panic(uint256 code)"]);
    const text = encodeErrorResult({ abi, errorName: "Error", args: ["no"] });
    const panic = encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
    expect(decodeRevert(text, [])).toEqual({ name: "Error", args: { message: "no" } });
    expect(decodeRevert(panic, [])).toEqual({ name: "Panic", args: { reason: "17" } });
  });
});

describe("an error of Hardhat's node", () => {
  let chain: IndexedChain;
  beforeAll(async () => {
    chain = await startIndexedChain();
  });
  afterAll(() => chain.stop());

  it("is decoded when it refuses, whichever client asks", async () => {
    const client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337 });
    const cancel = {
      address: chain.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "cancel",
      args: [8n],
      account: alice,
    } as const;
    await chain.mined(await chain.client.writeContract(cancel));
    const refusal = {
      type: "NONCE_USED",
      details: { reason: "NonceAlreadyUsed", args: { signer: alice.address, nonce: "8" } },
    };
    const calls = [
      () => client.simulateContract({ ...cancel, account: alice.address }),
      () => client.estimateContractGas({ ...cancel, account: alice.address }),
      () => chain.client.writeContract({ ...cancel, gas: 100_000n }),
    ];
    for (const call of calls) {
      const error = await errorOf(withChainErrors<unknown>(call));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject(refusal);
    }
  });

  it("that the contract does not exist is an internal error", async () => {
    const client = createChainClient({ rpcUrl: chain.rpcUrl, chainId: 31337 });
    const call = () =>
      client.readContract({
        address: zeroAddress,
        abi: soulRegistryAbi,
        functionName: "tokenOfName",
        args: ["x"],
      });
    expect(await errorOf(withChainErrors(call))).toMatchObject({ type: "INTERNAL" });
  });
});

describe("a node's error", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** A node that gives every request the same answer. null: it does not answer. */
  async function clientOf(answer: { status?: number; error?: object } | null) {
    server = createServer((request, response) => {
      if (answer === null) return;
      request.resume();
      const body = { jsonrpc: "2.0", id: 1, error: answer.error };
      response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return createChainClient({
      rpcUrl: `http://127.0.0.1:${port}`,
      chainId: 8453,
      timeoutMs: 100,
    });
  }
  const failure = async (answer: Parameters<typeof clientOf>[0]) => {
    const client = await clientOf(answer);
    return errorOf(withChainErrors(() => client.call({ to: SIGNER, data: "0x01" })));
  };
  const data = registryRevert("UnexpectedPassportId", [5n]);
  const refusal = {
    type: "INVALID_REQUEST",
    details: { reason: "UnexpectedPassportId", args: { passportId: 5 } },
  };

  it.each([
    ["as Base's do", { code: 3, message: "execution reverted", data }],
    [
      "one level deeper",
      { code: -32603, message: "reverted", data: { data, message: "reverted" } },
    ],
    ["under another code", { code: -32000, message: "execution reverted", data }],
  ])("may carry the revert %s", async (_where, error) => {
    const refused = await failure({ error });
    expect(refused).toMatchObject(refusal);
    expect(isUnavailable((refused as ApiError).cause)).toBe(false);
  });

  it("that only says that the call reverted counts as a revert", async () => {
    const error = { code: -32000, message: "execution reverted" };
    expect(await failure({ error })).toMatchObject({ type: "INTERNAL" });
  });

  it.each([
    ["is silent", null],
    ["is overloaded", { status: 503 }],
    ["limits the rate by status", { status: 429 }],
    ["limits the rate by code", { error: { code: -32005, message: "limit exceeded" } }],
    ["is broken inside", { error: { code: -32603, message: "internal error" } }],
  ])("that %s is CHAIN_UNAVAILABLE", async (_how, answer) => {
    expect(await failure(answer)).toMatchObject({ type: "CHAIN_UNAVAILABLE", retryAfter: 2 });
  });

  it("that calls the request invalid is an internal error", async () => {
    const error = { code: -32602, message: "invalid params" };
    expect(await failure({ error })).toMatchObject({ type: "INTERNAL" });
  });
});

it("is passed on when it does not come from the chain", async () => {
  const own = new ApiError("NOT_FOUND");
  const bug = new TypeError("bug");
  expect(await errorOf(withChainErrors(() => Promise.reject(own)))).toBe(own);
  expect(await errorOf(withChainErrors(() => Promise.reject(bug)))).toBe(bug);
});
