import { readFile } from "node:fs/promises";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import {
  type AgentDidState,
  agentDidDocument,
  type ChainAddress,
  type DidDocument,
  didDocument,
  parseDidRecord,
} from "../../protocol/index.ts";
import { didCoreProblems } from "../fixtures/did-core.ts";

const DID = "did:svc:8453:ada";
const OWNER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const OPERATOR = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const SOLANA_ADDRESS = base58.encode(Uint8Array.from({ length: 32 }, (_, index) => index + 1));

const onSolana: ChainAddress = {
  chain: SOLANA,
  address: SOLANA_ADDRESS,
  label: "Tips",
  keyType: "Ed25519",
};
const onMainnet: ChainAddress = {
  chain: "eip155:1",
  address: OWNER,
  label: "Treasury",
  keyType: "EcdsaSecp256k1",
};
const services = [
  { name: "A2A", endpoint: "https://ada.example/a2a" },
  { name: "DID", endpoint: DID },
  { name: "email", endpoint: "ada@ada.example" },
  { name: "script", endpoint: "javascript:alert(1)" },
  { name: "login", endpoint: "https://ada:secret@ada.example" },
  { name: "spaced", endpoint: "https://ada.example/a b" },
  { name: "no scheme", endpoint: "//ada.example" },
  { name: " ", endpoint: "https://ada.example" },
  { name: "A2A", endpoint: "http://127.0.0.1:8080/%7Eada?x=[1]#y" },
];
const sealed: AgentDidState = {
  chainId: 8453,
  name: "ada",
  passportOwner: OWNER,
  soul: { status: "SEALED", isValid: true, operator: OPERATOR },
  addresses: [onMainnet, onSolana],
  services,
  alsoKnownAs: [],
};

const methodIds = (document: DidDocument) => document.verificationMethod.map(({ id }) => id);

describe("agentDidDocument", () => {
  it("names owner, operator and every listed account, and only services of the web", () => {
    const owner = `${DID}#owner`;
    const operator = `${DID}#operator`;
    const mainnet = `${DID}#eip155-1-${OWNER}`;
    const solana = `${DID}#solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp-${SOLANA_ADDRESS}`;
    const account = {
      type: "EcdsaSecp256k1RecoveryMethod2020",
      keyType: "EcdsaSecp256k1",
      controller: DID,
    };
    const document = agentDidDocument(sealed);
    expect(document).toStrictEqual({
      "@context": [
        "https://www.w3.org/ns/did/v1",
        "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
        "https://w3id.org/security/suites/ed25519-2020/v1",
        {
          blockchainAccountId: "https://w3id.org/security#blockchainAccountId",
          keyType: "urn:svc:did#keyType",
          label: "http://www.w3.org/2000/01/rdf-schema#label",
        },
      ],
      id: DID,
      controller: `did:pkh:eip155:8453:${OWNER}`,
      verificationMethod: [
        { id: owner, ...account, blockchainAccountId: `eip155:8453:${OWNER}` },
        { id: operator, ...account, blockchainAccountId: `eip155:8453:${OPERATOR}` },
        { id: mainnet, ...account, blockchainAccountId: `eip155:1:${OWNER}`, label: "Treasury" },
        {
          id: solana,
          type: "Ed25519VerificationKey2020",
          keyType: "Ed25519",
          controller: DID,
          // Multicodec prefix and key, by hand: z is base58btc.
          publicKeyMultibase: `z${base58.encode(Uint8Array.from([0xed, 1, ...base58.decode(SOLANA_ADDRESS)]))}`,
          blockchainAccountId: `${SOLANA}:${SOLANA_ADDRESS}`,
          label: "Tips",
        },
      ],
      authentication: [owner, operator, mainnet, solana],
      assertionMethod: [owner, operator, mainnet, solana],
      service: [
        { id: `${DID}#service-1`, type: "A2A", serviceEndpoint: "https://ada.example/a2a" },
        {
          id: `${DID}#service-2`,
          type: "A2A",
          serviceEndpoint: "http://127.0.0.1:8080/%7Eada?x=[1]#y",
        },
      ],
    });
    expect(didCoreProblems(document, DID)).toEqual([]);
  });

  it("writes the Ed25519 key as did:key does", () => {
    // RFC 8037's public key, whose did:key form is published with it in the did:key method
    // specification.
    const key = Buffer.from("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "base64url");
    const address = base58.encode(key);
    const document = agentDidDocument({ ...sealed, addresses: [{ ...onSolana, address }] });
    expect(document.verificationMethod.at(-1)).toMatchObject({
      publicKeyMultibase: "z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw",
    });
  });

  it("has one method for an account that is owner, operator and listed", () => {
    const own = { ...onMainnet, chain: "eip155:8453" };
    const soul = { ...sealed.soul, operator: OWNER.toLowerCase() } as AgentDidState["soul"];
    const document = agentDidDocument({ ...sealed, soul, addresses: [own] });
    expect(methodIds(document)).toEqual([`${DID}#owner`]);
    expect(document["@context"]).toHaveLength(3);
    expect(didCoreProblems(document, DID)).toEqual([]);
  });

  it.each<[string, NonNullable<AgentDidState["soul"]>]>([
    ["before the seal", { status: "PROVISIONAL", isValid: false, operator: OPERATOR }],
    ["once the passport was sold", { status: "SEALED", isValid: false, operator: OPERATOR }],
  ])("names only the passport's owner %s", (_when, soul) => {
    const document = agentDidDocument({ ...sealed, soul });
    expect(methodIds(document)).toEqual([`${DID}#owner`]);
    expect(document.authentication).toEqual([`${DID}#owner`]);
    expect(document.controller).toBe(`did:pkh:eip155:8453:${OWNER}`);
    expect(didCoreProblems(document, DID)).toEqual([]);
  });

  it.each<[string, Partial<AgentDidState>]>([
    ["after a burn", { soul: { status: "BURNED", isValid: false, operator: OPERATOR } }],
    ["while the passport has no owner", { passportOwner: null }],
  ])("names no account %s", (_when, change) => {
    const document = agentDidDocument({ ...sealed, ...change });
    expect(document).toStrictEqual({
      "@context": ["https://www.w3.org/ns/did/v1"],
      id: DID,
      verificationMethod: [],
      authentication: [],
      assertionMethod: [],
      service: [],
    });
    expect(didCoreProblems(document, DID)).toEqual([]);
  });

  it("describes a passport without a soul, and the passport's soul as a second name", () => {
    const state = { ...sealed, name: "agent-0", soul: null, services: [] };
    const bare = agentDidDocument(state);
    expect(methodIds(bare)).toEqual(["did:svc:8453:agent-0#owner"]);
    expect(bare).not.toHaveProperty("alsoKnownAs");
    const named = agentDidDocument({ ...state, alsoKnownAs: [DID] });
    expect(named.alsoKnownAs).toEqual([DID]);
    expect(didCoreProblems(named, "did:svc:8453:agent-0")).toEqual([]);
  });
});

describe("the rules of DID Core", () => {
  const valid = () => structuredClone(agentDidDocument(sealed));
  const method = (document: DidDocument, change: object) => {
    document.verificationMethod[0] = { ...document.verificationMethod[0], ...change } as never;
  };

  // Control: the rules do find problems.
  it.each<[string, string, (document: DidDocument) => unknown]>([
    ["another id", "id is not the DID that was resolved.", (d) => ({ ...d, id: "did:svc:x:y" })],
    ["no first context", "The first context is not", (d) => d["@context"].shift()],
    ["an unknown property", "keys is in no context.", (d) => ({ ...d, keys: [] })],
    ["a controller that is no DID", "A controller is no DID.", (d) => ({ ...d, controller: "x" })],
    [
      "a relationship to nothing",
      "authentication names no method",
      (d) => d.authentication.push(`${DID}#x`),
    ],
    [
      "a repeated relationship",
      "authentication is no set.",
      (d) => d.authentication.push(`${DID}#owner`),
    ],
    [
      "a method that lacks its context",
      "the context of Ed25519VerificationKey2020 is missing",
      (d) => d["@context"].splice(2, 1),
    ],
    ["an undefined term", "keyType is in no context.", (d) => d["@context"].pop()],
    ["a type that is a list", "type is not exactly one string.", (d) => method(d, { type: [] })],
    [
      "a short type",
      "type EcdsaSecp256k1 is in no context.",
      (d) => method(d, { type: "EcdsaSecp256k1" }),
    ],
    [
      "an account without chain",
      "no CAIP-10 account.",
      (d) => method(d, { blockchainAccountId: OWNER }),
    ],
    ["a null", "A value has no JSON form.", (d) => method(d, { label: null })],
    [
      "two expressions of one key",
      "one key is expressed twice.",
      (d) => method(d, { publicKeyJwk: {}, publicKeyMultibase: "z" }),
    ],
    [
      "a key without its prefix",
      "no Ed25519 key in multibase.",
      (d) =>
        Object.assign(d.verificationMethod[3] ?? {}, { publicKeyMultibase: `z${SOLANA_ADDRESS}` }),
    ],
    [
      "an endpoint that is no URI",
      "serviceEndpoint is no URI.",
      (d) => Object.assign(d.service[0] ?? {}, { serviceEndpoint: "ada@ada.example" }),
    ],
    [
      "two services with one id",
      "Two services have one id.",
      (d) => Object.assign(d.service[0] ?? {}, { id: d.service[1]?.id }),
    ],
  ])("find %s", (_what, problem, spoil) => {
    const document = valid();
    const spoiled = spoil(document);
    const isCopy = typeof spoiled === "object" && spoiled !== null && "@context" in spoiled;
    const problems = didCoreProblems(isCopy ? spoiled : document, DID);
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });
});

describe("didDocument", () => {
  it("refuses names that are invalid in a DID", () => {
    const input = { chainId: 8453, owner: OWNER, services: [] } as const;
    expect(() => didDocument({ ...input, name: "Ada" })).toThrow(
      expect.objectContaining({ code: "invalid_did", did: "did:svc:8453:Ada" }),
    );
  });
});

describe("the specification of the method", () => {
  it("shows a document and its record as they are", async () => {
    const text = await readFile(new URL("../../docs/did-method.md", import.meta.url), "utf8");
    const [shown = "", record = ""] = [...text.matchAll(/```json\n(.*?)```/gs)].map(
      ([, json]) => json,
    );
    const document = JSON.parse(shown);
    const { soulRegistry } = JSON.parse(record);
    const subject = { chainId: 8453, name: "aurora", soulRegistry, tokenId: 1n, epoch: 1 };
    const { addresses } = parseDidRecord(record, subject);
    const generated = agentDidDocument({
      chainId: 8453,
      name: "aurora",
      alsoKnownAs: [],
      addresses,
      passportOwner: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
      soul: {
        status: "SEALED",
        isValid: true,
        operator: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
      },
      services: [{ name: "MCP", endpoint: "https://aurora.example/mcp" }],
    });
    expect(document).toEqual(generated);
    expect(didCoreProblems(document, "did:svc:8453:aurora")).toEqual([]);
  });
});
