import { sha256 } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentKeysError, checkedAgentKeys } from "../../kit/agent-keys/index.ts";
import {
  type AgentKeySet,
  agentKeySet,
  agentKeySetJson,
  agentKeysHash,
  InvalidKeySetError,
  publicKeys,
} from "../../protocol/index.ts";
import { hashOf } from "../fixtures/chain-verbs.ts";
import { alice, bob, type IndexedChain, startIndexedChain } from "../fixtures/indexed-chain.ts";
import { ED25519_KEY } from "../fixtures/public-keys.ts";

// Only the chain is needed; the source of the keys is not trusted.
let chain: IndexedChain;
beforeAll(async () => {
  chain = await startIndexedChain();
});
afterAll(() => chain?.stop());

const EXP = 2_000_000_000;
const ED25519 = {
  ...ED25519_KEY,
  use: "sig",
  exp: EXP,
};
const KEYS = publicKeys([ED25519]);
const setOf = (tokenId: bigint) =>
  agentKeySet([ED25519], { chainId: 31_337, soulRegistry: chain.soulRegistry, tokenId });
const bytesOf = (set: AgentKeySet) => new TextEncoder().encode(agentKeySetJson(set));
const archiveId = hashOf("where the keys are");
const name = (tokenId: bigint, set = setOf(tokenId)) =>
  chain.setKeys(alice, tokenId, { hash: agentKeysHash(set), archiveId });

const ask = (tokenId: bigint, keySet = bytesOf(setOf(tokenId)), time = EXP - 1) =>
  checkedAgentKeys({
    rpcUrl: chain.rpcUrl,
    agentKeys: chain.contracts.agentKeys,
    tokenId,
    keySet,
    time,
  });
const refusal = (reason: AgentKeysError["reason"]) =>
  expect.objectContaining({ name: "AgentKeysError", reason });

describe("checkedAgentKeys", () => {
  it("gives the keys that the chain commits to, without expired ones", async () => {
    const { tokenId } = await chain.register(alice, "keys-named");
    await name(tokenId);
    expect(await ask(tokenId)).toEqual(KEYS);
    expect(await ask(tokenId, bytesOf(setOf(tokenId)), EXP)).toEqual([]);
  });

  it("gives the keys of a set of the first form, which names no agent", async () => {
    const { tokenId } = await chain.register(alice, "keys-first-form");
    const set = { keys: KEYS };
    await name(tokenId, set);
    expect(await ask(tokenId, bytesOf(set))).toEqual(KEYS);
  });

  it("refuses a set that was copied from another agent", async () => {
    const [one, other] = [
      await chain.register(alice, "keys-original"),
      await chain.register(alice, "keys-copied"),
    ];
    const copied = setOf(one.tokenId);
    await name(other.tokenId, copied);
    await expect(ask(other.tokenId, bytesOf(copied))).rejects.toEqual(
      new InvalidKeySetError("agent", "the keys of another agent"),
    );
  });

  it("refuses other bytes, however similar", async () => {
    const { tokenId } = await chain.register(alice, "keys-changed");
    await name(tokenId);
    const other = bytesOf({ keys: publicKeys([{ ...ED25519, exp: 1 }]) });
    await expect(ask(tokenId, other)).rejects.toEqual(refusal("other_keys"));
    await expect(ask(tokenId, new Uint8Array())).rejects.toEqual(refusal("other_keys"));
  });

  it("refuses the keys of an agent that has none, whose keys were withdrawn, or that was sold", async () => {
    const { tokenId, passportId } = await chain.register(alice, "keys-withdrawn");
    await expect(ask(tokenId)).rejects.toEqual(refusal("no_keys"));
    await name(tokenId);
    await chain.setKeys(alice, tokenId, null);
    await expect(ask(tokenId)).rejects.toEqual(refusal("no_keys"));
    await name(tokenId);
    await chain.transferPassport(passportId, alice, bob.address);
    await expect(ask(tokenId)).rejects.toEqual(refusal("no_keys"));
  });

  it("refuses the owner's bytes when they are not a key set", async () => {
    const { tokenId } = await chain.register(alice, "keys-none");
    const text = new TextEncoder().encode("{}");
    await chain.setKeys(alice, tokenId, { hash: sha256(text), archiveId });
    await expect(ask(tokenId, text)).rejects.toThrow(InvalidKeySetError);
  });
});
