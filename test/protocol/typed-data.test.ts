import {
  concat,
  encodeAbiParameters,
  type Hex,
  hashTypedData,
  keccak256,
  pad,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { describe, expect, it } from "vitest";
import {
  AGENT_KEYS_TYPES,
  AGENT_WALLET_TYPES,
  agentWalletTypedData,
  BINDING_REGISTRY_TYPES,
  humanProofHash,
  messageJson,
  NO_HUMAN_PROOF,
  OWNER_MESSAGE_CONTRACTS,
  OWNER_MESSAGE_TYPES,
  type OwnerMessage,
  type OwnerMessageName,
  ownerMessageDigest,
  ownerMessageOf,
  ownerTypedData,
  PASSPORT_WRITER_TYPES,
  REGISTRATION_TYPES,
  registrationTypedData,
  SOUL_REGISTRY_TYPES,
  setBindingTypedData,
} from "../../protocol/index.ts";

const place = {
  chainId: 8453,
  verifyingContract: "0x1111111111111111111111111111111111111111",
} as const;
const owner = "0x2222222222222222222222222222222222222222";
const operator = "0x3333333333333333333333333333333333333333";
const verifier = "0x4444444444444444444444444444444444444444";
const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;

/** Version 2 where a struct has changed since the first edition. */
const VERSIONS: Readonly<Record<string, string>> = { AgentKeys: "2", SoulRegistry: "2" };
const versionOf = (contract: string) => VERSIONS[contract] ?? "1";

/** EIP-712 by hand, from the contracts' type string. */
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
      { type: "bytes32", value: keccak256(toHex(versionOf(contract))) },
      { type: "uint256", value: BigInt(place.chainId) },
      { type: "address", value: place.verifyingContract },
    ],
  );
  return keccak256(concat(["0x1901", domain, struct(type, words)]));
}

/** The contracts' type strings. */
const TYPE_STRINGS = {
  Registration:
    "Registration(string name,uint8 agentType,address owner,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,bool bindPassport,uint256 passportId,string agentURI,uint256 parentTokenId,uint256 organizationId,bool seal,address humanVerifier,bytes32 humanProofHash,uint256 nonce,uint256 deadline)",
  RegistrationBatch:
    "RegistrationBatch(address owner,uint256 organizationId,bool leaveOutTakenNames,BatchEntry[] entries,uint256 nonce,uint256 deadline)BatchEntry(string name,uint8 agentType,address operator,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash)",
  Seal: "Seal(uint256 tokenId,uint16 epoch,uint32 version,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,string agentURI,address humanVerifier,bytes32 humanProofHash,uint256 nonce,uint256 deadline)",
  RecordEvolution:
    "RecordEvolution(uint256 tokenId,uint16 epoch,uint32 version,string category,string changeType,bytes32 previousSoulHash,bytes32 newSoulHash,bytes32 newSoulMerkleRoot,bytes32 dataHash,string agentURI,uint256 nonce,uint256 deadline)",
  Reseal:
    "Reseal(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,address operator,uint64 observedBlock,bytes32 soulHash,bytes32 soulMerkleRoot,bytes32 contentHash,string agentURI,address humanVerifier,bytes32 humanProofHash,uint256 nonce,uint256 deadline)",
  Release:
    "Release(uint256 tokenId,uint16 epoch,uint32 version,address newOwner,uint64 observedBlock,uint256 nonce,uint256 deadline)",
  Burn: "Burn(uint256 tokenId,uint16 epoch,uint32 version,bytes32 reasonHash,uint256 nonce,uint256 deadline)",
  Suspend: "Suspend(uint256 tokenId,uint16 epoch,uint32 version,uint256 nonce,uint256 deadline)",
  SetDidArchive:
    "SetDidArchive(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousArchiveId,bytes32 archiveId,uint256 nonce,uint256 deadline)",
  SetAgentURI:
    "SetAgentURI(uint256 tokenId,uint16 epoch,uint32 version,bytes32 previousURIHash,string agentURI,uint256 nonce,uint256 deadline)",
  SetMetadata:
    "SetMetadata(uint256 tokenId,uint16 epoch,uint32 version,string key,bytes32 previousValueHash,bytes value,uint256 nonce,uint256 deadline)",
  SetAgentKeys:
    "SetAgentKeys(uint256 tokenId,uint16 epoch,uint32 version,bytes32 keysHash,bytes32 archiveId,bool onlyWithAgentWallet,uint256 nonce,uint256 deadline)",
  SetBinding:
    "SetBinding(uint256 fromTokenId,uint16 epoch,uint256 toTokenId,uint16 toEpoch,uint8 trustLevel,string context,uint32 version,uint256 nonce,uint256 deadline)",
  Cancel: "Cancel(address signer,uint256 nonce,uint256 deadline)",
} as const;

describe("the EIP-712 types that owners sign", () => {
  const types = {
    ...SOUL_REGISTRY_TYPES,
    ...PASSPORT_WRITER_TYPES,
    ...AGENT_KEYS_TYPES,
    ...BINDING_REGISTRY_TYPES,
  };

  it.each(Object.entries(TYPE_STRINGS))("%s has the contract's type string", (name, expected) => {
    expect(encodeType(name as keyof typeof types)).toBe(expected);
  });

  it("name only structs that this test knows", () => {
    expect(Object.keys(types).sort()).toEqual([...Object.keys(TYPE_STRINGS), "BatchEntry"].sort());
  });

  /** EIP-712's encodeType, for types of which at most one kind is nested. */
  function encodeType(name: keyof typeof types): string {
    const own = (of: keyof typeof types) =>
      `${of}(${types[of].map((field) => `${field.type} ${field.name}`).join(",")})`;
    const nested = types[name].flatMap(({ type }) =>
      type.endsWith("[]") ? [type.slice(0, -2) as keyof typeof types] : [],
    );
    return [name, ...nested].map(own).join("");
  }
});

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
    agentURI: "ar://file",
    parentTokenId: 5n,
    organizationId: 6n,
    seal: true,
    humanVerifier: verifier,
    humanProofHash: hash("0d"),
    nonce: 7n,
    deadline: 8n,
  } as const;

  it("has the hash that follows from the contract's type string", () => {
    const typedData = registrationTypedData({ ...place, message });
    expect(typedData).toStrictEqual({
      domain: { name: "SoulRegistry", version: "2", ...place },
      types: REGISTRATION_TYPES,
      primaryType: "Registration",
      message,
    });
    expect(hashTypedData(typedData)).toBe(
      digest("SoulRegistry", TYPE_STRINGS.Registration, [
        { type: "bytes32", value: keccak256(toHex("alice")) },
        { type: "uint8", value: 2 },
        { type: "address", value: owner },
        { type: "address", value: operator },
        { type: "bytes32", value: hash("0a") },
        { type: "bytes32", value: hash("0b") },
        { type: "bytes32", value: hash("0c") },
        { type: "bool", value: true },
        { type: "uint256", value: 4n },
        { type: "bytes32", value: keccak256(toHex("ar://file")) },
        { type: "uint256", value: 5n },
        { type: "uint256", value: 6n },
        { type: "bool", value: true },
        { type: "address", value: verifier },
        { type: "bytes32", value: hash("0d") },
        { type: "uint256", value: 7n },
        { type: "uint256", value: 8n },
      ]),
    );
  });

  it("has its published digest", () => {
    expect(hashTypedData(registrationTypedData({ ...place, message }))).toBe(
      "0xc2d5d4c44ef9cc2345eda4e837fdd0c09072a929ee1d9dad5c1935b86df64dd1",
    );
  });
});

describe("ownerTypedData", () => {
  const common = { tokenId: 1n, epoch: 2, version: 3 } as const;
  const end = { nonce: 8n, deadline: 9n } as const;
  const soul = {
    soulHash: hash("0a"),
    soulMerkleRoot: hash("0b"),
    contentHash: hash("0c"),
    agentURI: "ar://file",
    humanVerifier: verifier,
    humanProofHash: hash("0d"),
  } as const;
  const messages: { readonly [Name in OwnerMessageName]: OwnerMessage<Name> } = {
    Seal: { ...common, ...soul, ...end },
    Reseal: { ...common, newOwner: owner, operator, observedBlock: 4n, ...soul, ...end },
    Release: { ...common, newOwner: owner, observedBlock: 4n, ...end },
    Burn: { ...common, reasonHash: hash("0e"), ...end },
    Suspend: { ...common, ...end },
    SetDidArchive: { ...common, previousArchiveId: hash("0e"), archiveId: hash("0f"), ...end },
    SetAgentURI: { ...common, previousURIHash: hash("0e"), agentURI: "ar://file", ...end },
    SetMetadata: { ...common, key: "site", previousValueHash: hash("0e"), value: "0xab", ...end },
    SetAgentKeys: {
      ...common,
      keysHash: hash("0e"),
      archiveId: hash("0f"),
      onlyWithAgentWallet: true,
      ...end,
    },
  };
  const GOLDEN: { readonly [Name in OwnerMessageName]: readonly [string, Hex] } = {
    Seal: ["SoulRegistry", "0xf7b8114a5a2066762a2542a80763c6658b36c6fd5eb238b618fb4380e5dc5bf8"],
    Reseal: ["SoulRegistry", "0x63773e38c5cf7fe231302e2d408cc369068f6f3036753722981c316f9dcc627f"],
    Release: ["SoulRegistry", "0xe69a21a0c8331a3e14671c054d9c8b853b41e8e567978e990390e09f8b3f6203"],
    Burn: ["SoulRegistry", "0xb8addd574504a8a7e81ff4eb50738e99a18144b86562614256593f13bccdf1fb"],
    Suspend: ["SoulRegistry", "0xdab4108ffd67c9b2b5b7f92e9435a98710ee0ecccb880dd7db09eed7391a87d1"],
    SetDidArchive: [
      "SoulRegistry",
      "0x2f43bb951b8d8c15b48adcc3aab25a1b33d7229dd0c587c8dab62657b6e3fb38",
    ],
    SetAgentURI: [
      "PassportWriter",
      "0x2a30fac1194e6e6baaa84262c53d19ee6b6363985a36cb86d11b4eea28421ba4",
    ],
    SetMetadata: [
      "PassportWriter",
      "0xab801d93d44a19ebe0f85ce5dd0982247139398cfd7b727510aeea514742bd2b",
    ],
    SetAgentKeys: [
      "AgentKeys",
      "0xc8e971c4a255cc0914a1ed4c64196b856b7d3f43b7972421f4e9a891820aa333",
    ],
  };
  const names = Object.keys(messages) as OwnerMessageName[];

  it.each(names)("of %s has its contract's domain and its published digest", (name) => {
    const [contract, expected] = GOLDEN[name];
    const typedData = ownerTypedData(place, name, messages[name]);
    expect(typedData.domain).toStrictEqual({
      name: contract,
      version: versionOf(contract),
      ...place,
    });
    expect(OWNER_MESSAGE_CONTRACTS[name]).toBe(contract);
    const found = ownerMessageDigest(place, name, messages[name]);
    expect(found).toBe(expected);
    expect(found).toBe(digest(contract, TYPE_STRINGS[name], wordsOf(name)));
  });

  it.each(names)("of %s survives JSON", (name) => {
    const json = JSON.parse(JSON.stringify(messageJson(messages[name])));
    expect(ownerMessageOf(name, json)).toStrictEqual(messages[name]);
  });

  /** The message as EIP-712 encodes it: dynamic values as their hashes. */
  function wordsOf(name: OwnerMessageName) {
    const message = messages[name] as Readonly<Record<string, unknown>>;
    return OWNER_MESSAGE_TYPES[name].map(({ name: field, type }) => {
      const value = message[field];
      if (type === "string") return { type: "bytes32", value: keccak256(toHex(value as string)) };
      if (type === "bytes") return { type: "bytes32", value: keccak256(value as Hex) };
      return { type, value };
    });
  }
});

describe("setBindingTypedData", () => {
  it("hashes to what the binding registry's type string gives", () => {
    const message = {
      fromTokenId: 1n,
      epoch: 2,
      toTokenId: 3n,
      toEpoch: 4,
      trustLevel: 3,
      context: "payments",
      version: 5,
      nonce: 8n,
      deadline: 9n,
    };
    const typedData = setBindingTypedData({ ...place, message });
    expect(typedData.domain).toStrictEqual({ name: "BindingRegistry", version: "1", ...place });
    expect(hashTypedData(typedData)).toBe(
      digest("BindingRegistry", TYPE_STRINGS.SetBinding, [
        { type: "uint256", value: 1n },
        { type: "uint16", value: 2 },
        { type: "uint256", value: 3n },
        { type: "uint16", value: 4 },
        { type: "uint8", value: 3 },
        { type: "bytes32", value: keccak256(toHex("payments")) },
        { type: "uint32", value: 5 },
        { type: "uint256", value: 8n },
        { type: "uint256", value: 9n },
      ]),
    );
  });
});

describe("humanProofHash", () => {
  it("is zero without a proof", () => {
    expect(humanProofHash(NO_HUMAN_PROOF)).toBe(zeroHash);
  });

  it("is the hash of adapter and data, as the contract encodes them", () => {
    expect(humanProofHash({ verifier, data: "0x0102" })).toBe(
      keccak256(
        concat([
          pad(verifier),
          toHex(64n, { size: 32 }),
          toHex(2n, { size: 32 }),
          pad("0x0102", { dir: "right" }),
        ]),
      ),
    );
  });

  it("differs for another adapter, other data, and data without an adapter", () => {
    const hashes = [
      humanProofHash({ verifier, data: "0x01" }),
      humanProofHash({ verifier: owner, data: "0x01" }),
      humanProofHash({ verifier, data: "0x02" }),
      humanProofHash({ verifier, data: "0x" }),
      humanProofHash({ verifier: zeroAddress, data: "0x01" }),
      zeroHash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("agentWalletTypedData", () => {
  const message = { agentId: 0n, newWallet: operator, owner, deadline: 9n } as const;

  it("has the hash that follows from the identity registry's type string", () => {
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
