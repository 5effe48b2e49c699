import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { encodeErrorResult, zeroAddress, zeroHash } from "viem";
import { afterEach, expect, it } from "vitest";
import { createSoulRegistry } from "../../../../api/features/registration/soul-registry.chain.ts";
import { createChainClient } from "../../../../api/platform/chain/clients.ts";
import { organizationRegistryAbi, soulRegistryAbi } from "../../../../protocol/generated/abi.ts";

// Before an owner signs, a registration is simulated with a wallet in the owner's place. Only some
// nodes can do that.

const ADDRESS = "0x00000000000000000000000000000000000000A1";

let node: Server | undefined;
afterEach(() => {
  node?.closeAllConnections();
  node?.close();
});

/** Simulates a registration on a node that answers every request with this error. */
async function simulated(
  error: object,
): Promise<{ outcome: unknown; call: { params: unknown[] } }> {
  let call = { params: [] as unknown[] };
  node = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    call = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, error }));
  });
  await new Promise<void>((resolve) => node?.listen(0, "127.0.0.1", resolve));
  const { port } = node.address() as AddressInfo;
  const registry = createSoulRegistry({
    client: createChainClient({ rpcUrl: `http://127.0.0.1:${port}`, chainId: 8453 }),
    address: ADDRESS,
    passportWriter: ADDRESS,
    identityRegistry: ADDRESS,
    registrar: ADDRESS,
  });
  const registration = registry.simulateUnsigned({
    message: {
      name: "ada",
      agentType: 0,
      owner: ADDRESS,
      operator: ADDRESS,
      soulHash: zeroHash,
      soulMerkleRoot: zeroHash,
      contentHash: zeroHash,
      bindPassport: false,
      passportId: 0n,
      agentURI: "",
      parentTokenId: 0n,
      organizationId: 0n,
      seal: true,
      humanVerifier: zeroAddress,
      humanProofHash: zeroHash,
      nonce: 1n,
      deadline: 2n,
    },
    publication: {
      archiveId: zeroHash,
      agentURI: "",
      agentURIWithoutIds: "",
      expectedPassportId: 0n,
      expectedTokenId: 0n,
      reservation: 0n,
    },
    humanProof: null,
    adminConsent: "0x",
    signature: "0x",
  });
  const outcome = await registration.then(
    () => "accepted",
    (reason: unknown) => reason,
  );
  return { outcome, call };
}

it.each([
  ["takes no third argument", { code: -32602, message: "too many arguments, want at most 2" }],
  ["does not know overrides", { code: -32600, message: "Invalid Request" }],
  ["says no more than that", { code: -32603, message: "Internal error" }],
])("does not refuse before the signature when the node %s", async (_which, error) => {
  const { outcome, call } = await simulated(error);
  expect(outcome).toBe("accepted");
  expect(call.params[2]).toEqual({ [ADDRESS]: { code: "0x631626ba7e60e01b60005260206000f3" } });
});

it("refuses before the signature what the contract refuses", async () => {
  const data = encodeErrorResult({
    abi: soulRegistryAbi,
    errorName: "NameTaken",
    args: ["ada", 3n],
  });
  const { outcome } = await simulated({ code: 3, message: "execution reverted", data });
  expect(outcome).toMatchObject({
    type: "NAME_TAKEN",
    details: { reason: "NameTaken", args: { name: "ada", tokenId: 3 } },
  });
});

it("does not ask for an admin's consent before there is a message to sign", async () => {
  const data = encodeErrorResult({
    abi: organizationRegistryAbi,
    errorName: "AdminConsentRequired",
    args: [1n, ADDRESS],
  });
  expect((await simulated({ code: 3, message: "execution reverted", data })).outcome).toBe(
    "accepted",
  );
});

it.each([
  ["that more gas is needed", { code: -32000, message: "out of gas" }, "INVALID_REQUEST"],
  ["that it has no time", { code: -32005, message: "limit exceeded" }, "CHAIN_UNAVAILABLE"],
])("passes on the node's answer %s", async (_what, error, type) => {
  expect((await simulated(error)).outcome).toMatchObject({ type });
});
