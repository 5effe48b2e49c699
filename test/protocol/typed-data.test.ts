import { concat, encodeAbiParameters, type Hex, hashTypedData, keccak256, toHex } from "viem";
import { describe, expect, it } from "vitest";
import {
  AGENT_WALLET_TYPES,
  agentWalletTypedData,
  REGISTRATION_TYPES,
  registrationTypedData,
} from "../../protocol/index.ts";

const place = {
  chainId: 8453,
  verifyingContract: "0x1111111111111111111111111111111111111111",
} as const;
const owner = "0x2222222222222222222222222222222222222222";
const operator = "0x3333333333333333333333333333333333333333";
const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;

/** EIP-712 by hand, from the type string that the contracts are written against. */
function digest(contract: string, type: string, words: { type: string; value: unknown }[]): Hex {
  const struct = (typeString: string, fields: { type: string; value: unknown }[]) =>
    keccak256(
      encodeAbiParameters(
        [{ type: "bytes32" }, ...fields.map(({ type }) => ({ type }))],
        [keccak256(toHex(typeString)), ...fields.map(({ value }) => value)],
      ),
    );
  const domain = struct(
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
    [
      { type: "bytes32", value: keccak256(toHex(contract)) },
      { type: "bytes32", value: keccak256(toHex("1")) },
      { type: "uint256", value: BigInt(place.chainId) },
      { type: "address", value: place.verifyingContract },
    ],
  );
  return keccak256(concat(["0x1901", domain, struct(type, words)]));
}

describe("registrationTypedData", () => {
  const message = {
    name: "alice",
    agentType: 2,
    owner,
    operator,
    soulHash: hash("0a"),
    soulMerkleRoot: hash("0b"),
    contentHash: hash("0c"),
    bindPassport: true,
    passportId: 4n,
    parentTokenId: 5n,
    organizationId: 6n,
    seal: true,
    nonce: 7n,
    deadline: 8n,
  } as const;

  it("hashes to what the contract's type string gives", () => {
    const typedData = registrationTypedData({ ...place, message });
    expect(typedData).toStrictEqual({
      domain: { name: "SoulRegistry", version: "1", ...place },
      types: REGISTRATION_TYPES,
      primaryType: "Registration",
      message,
    });
    expect(hashTypedData(typedData)).toBe(
      digest(
        "SoulRegistry",
        "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,uint256 parentTokenId,uint256 organizationId,bool seal,uint256 nonce,uint256 deadline)",
        [
          { type: "bytes32", value: keccak256(toHex("alice")) },
          { type: "uint8", value: 2 },
          { type: "address", value: owner },
          { type: "address", value: operator },
          { type: "bytes32", value: hash("0a") },
          { type: "bytes32", value: hash("0b") },
          { type: "bytes32", value: hash("0c") },
          { type: "bool", value: true },
          { type: "uint256", value: 4n },
          { type: "uint256", value: 5n },
          { type: "uint256", value: 6n },
          { type: "bool", value: true },
          { type: "uint256", value: 7n },
          { type: "uint256", value: 8n },
        ],
      ),
    );
  });
});

describe("agentWalletTypedData", () => {
  const message = { agentId: 0n, newWallet: operator, owner, deadline: 9n } as const;

  it("hashes to what the identity registry's type string gives", () => {
    const typedData = agentWalletTypedData({ ...place, message });
    expect(typedData).toStrictEqual({
      domain: { name: "ERC8004IdentityRegistry", version: "1", ...place },
      types: AGENT_WALLET_TYPES,
      primaryType: "AgentWalletSet",
      message,
    });
    expect(hashTypedData(typedData)).toBe(
      digest(
        "ERC8004IdentityRegistry",
        "AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)",
        [
          { type: "uint256", value: 0n },
          { type: "address", value: operator },
          { type: "address", value: owner },
          { type: "uint256", value: 9n },
        ],
      ),
    );
  });
});
