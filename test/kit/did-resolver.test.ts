import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Resolver } from "did-resolver";
import { type Hex, type LocalAccount, sha256 } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createItemSigner } from "../../api/platform/storage/ans104.ts";
import { getResolver } from "../../kit/did/resolver.ts";
import {
  agentKeySet,
  agentKeySetJson,
  archiveIdOf,
  canonicalJson,
  type DidChange,
  type DidRecord,
  didRecordJson,
  nextDidRecord,
  parseChainAddress,
  publicKeys,
} from "../../protocol/index.ts";
import { didCoreProblems } from "../fixtures/did-core.ts";
import {
  account,
  alice,
  bob,
  type IndexedChain,
  startIndexedChain,
} from "../fixtures/indexed-chain.ts";
import { ED25519_KEY, P256_KEY } from "../fixtures/public-keys.ts";
import { startStaticGateway } from "../fixtures/static-gateway.ts";

// A chain and a file server: no part of the service runs here.
let chain: IndexedChain;
let gateway: Awaited<ReturnType<typeof startStaticGateway>>;
const signer = createItemSigner(generatePrivateKey());
const carol = account(3);

beforeAll(async () => {
  [chain, gateway] = await Promise.all([startIndexedChain(), startStaticGateway()]);
});
afterAll(async () => {
  await Promise.all([chain?.stop(), gateway?.stop()]);
});

const KEY = "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const tips = parseChainAddress({
  chain: "solana",
  address: KEY,
  label: "Tips",
  keyType: "Ed25519",
});
const treasury = parseChainAddress({
  chain: "ethereum",
  address: carol.address,
  label: "Treasury",
  keyType: "EcdsaSecp256k1",
});

type Options = Parameters<typeof getResolver>[0];

function resolver(change: Partial<Options> = {}) {
  const network = { rpcUrls: [chain.rpcUrl], soulRegistry: chain.soulRegistry } as const;
  return new Resolver(
    getResolver({
      networks: { 31337: network },
      gateways: [{ url: gateway.itemUrl, serves: "item" }],
      timeoutMs: 5_000,
      ...change,
    }),
  );
}

let count = 0;
async function agent(owner: LocalAccount = alice) {
  count += 1;
  const name = `resolved-${count}`;
  const { tokenId, passportId } = await chain.register(owner, name);
  return { name, tokenId, passportId, did: `did:svc:31337:${name}` };
}

async function store(text: string): Promise<string> {
  const item = await signer.sign({ data: Buffer.from(text), contentType: "application/json" });
  await gateway.keep(item);
  return item.id;
}

/** An owner's change of its agent's document: the record is stored, and its id signed. */
async function change(
  { name, tokenId }: { name: string; tokenId: bigint },
  current: { id: string; record: DidRecord } | null,
  what: DidChange,
  { owner = alice, epoch = 1 } = {},
) {
  const subject = { chainId: 31337, soulRegistry: chain.soulRegistry, name, tokenId, epoch };
  const record = nextDidRecord(subject, current, what);
  const id = await store(didRecordJson(record));
  await chain.setDidArchive(owner, tokenId, archiveIdOf(id));
  return { id, record };
}

const ownerMethod = (did: string, owner: LocalAccount) => ({
  id: `${did}#owner`,
  type: "EcdsaSecp256k1RecoveryMethod2020",
  keyType: "EcdsaSecp256k1",
  controller: did,
  blockchainAccountId: `eip155:31337:${owner.address}`,
});

const CONTEXT = [
  "https://www.w3.org/ns/did/v1",
  "https://w3id.org/security/suites/secp256k1recovery-2020/v2",
  expect.any(Object),
];

describe("resolving", () => {
  it("needs only the chain for an agent without later changes", async () => {
    const { did } = await agent();
    const result = await resolver({ gateways: [] }).resolve(did);
    expect(result).toStrictEqual({
      didDocument: {
        "@context": CONTEXT,
        id: did,
        controller: `did:pkh:eip155:31337:${alice.address}`,
        verificationMethod: [ownerMethod(did, alice)],
        authentication: [`${did}#owner`],
        assertionMethod: [`${did}#owner`],
        service: [],
      },
      didResolutionMetadata: {
        contentType: "application/did+ld+json",
        // The file that the passport points at is on no gateway.
        services: "unavailable",
      },
      didDocumentMetadata: {},
    });
    expect(didCoreProblems(result.didDocument, did)).toEqual([]);
  });

  it("returns listed accounts, the operator and the services, each from its stored source", async () => {
    const one = await agent();
    const { did } = one;
    const file = canonicalJson({
      services: [{ name: "A2A", endpoint: "https://a.example/a2a" }],
    });
    await chain.setPassportUri(alice, one.passportId, `ar://${await store(file)}`);
    await chain.changeOperator(alice, one.tokenId, bob.address);
    const first = await change(one, null, { kind: "add", address: tips });
    const second = await change(one, first, { kind: "add", address: treasury });

    const result = await resolver().resolve(did);
    const solana = `${did}#solana-5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp-${KEY}`;
    const mainnet = `${did}#eip155-1-${carol.address}`;
    const methods = [`${did}#owner`, `${did}#operator`, solana, mainnet];
    expect(result).toStrictEqual({
      didDocument: {
        "@context": [
          ...CONTEXT.slice(0, 2),
          "https://w3id.org/security/suites/ed25519-2020/v1",
          expect.any(Object),
        ],
        id: did,
        controller: `did:pkh:eip155:31337:${alice.address}`,
        verificationMethod: [
          ownerMethod(did, alice),
          { ...ownerMethod(did, bob), id: `${did}#operator` },
          {
            id: solana,
            type: "Ed25519VerificationKey2020",
            keyType: "Ed25519",
            controller: did,
            publicKeyMultibase: expect.stringMatching(/^z6Mk/),
            blockchainAccountId: `${SOLANA}:${KEY}`,
            label: "Tips",
          },
          {
            ...ownerMethod(did, alice),
            id: mainnet,
            blockchainAccountId: `eip155:1:${carol.address}`,
            label: "Treasury",
          },
        ],
        authentication: methods,
        assertionMethod: methods,
        service: [
          { id: `${did}#service-1`, type: "A2A", serviceEndpoint: "https://a.example/a2a" },
        ],
      },
      didResolutionMetadata: {
        contentType: "application/did+ld+json",
        archive: { id: second.id, verified: true },
      },
      didDocumentMetadata: { versionId: second.id },
    });
    expect(didCoreProblems(result.didDocument, did)).toEqual([]);

    const old = await resolver().resolve(`${did}?versionId=${first.id}`);
    expect(old.didDocumentMetadata).toEqual({ versionId: first.id, nextVersionId: second.id });
    expect(old.didDocument?.verificationMethod?.map(({ id }) => id)).toEqual(methods.slice(0, 3));
    expect(didCoreProblems(old.didDocument, did)).toEqual([]);
    expect(await resolver().resolve(`${did}?versionId=${"A".repeat(43)}`)).toEqual({
      didDocument: null,
      didResolutionMetadata: {
        error: "notFound",
        message: `There is no version ${"A".repeat(43)}.`,
      },
      didDocumentMetadata: {},
    });
  });

  it("drops accounts and operator at a sale, until the new owner lists its own", async () => {
    const one = await agent();
    await chain.changeOperator(alice, one.tokenId, carol.address);
    await change(one, null, { kind: "add", address: tips });
    await chain.movePassport(one.passportId, alice, bob);

    const sold = await resolver().resolve(one.did);
    expect(sold.didDocument?.verificationMethod).toEqual([ownerMethod(one.did, bob)]);
    expect(sold.didDocument?.controller).toBe(`did:pkh:eip155:31337:${bob.address}`);
    expect(sold.didDocumentMetadata).toEqual({});

    await chain.suspend(carol, one.tokenId);
    await chain.reseal(bob, one.tokenId, "another soul");
    const own = await change(
      one,
      null,
      { kind: "add", address: treasury },
      { owner: bob, epoch: 2 },
    );
    const resealed = await resolver().resolve(one.did);
    expect(resealed.didDocument?.verificationMethod?.map(({ id }) => id)).toEqual([
      `${one.did}#owner`,
      `${one.did}#eip155-1-${carol.address}`,
    ]);
    expect(resealed.didDocumentMetadata).toEqual({ versionId: own.id });
    expect(didCoreProblems(resealed.didDocument, one.did)).toEqual([]);
  });

  it("reports a burned agent as deactivated, but not its passport", async () => {
    const one = await agent();
    await change(one, null, { kind: "add", address: tips });
    const passport = `did:svc:31337:agent-${one.passportId}`;
    const bound = await resolver().resolve(passport);
    expect(bound.didDocument).toMatchObject({ id: passport, alsoKnownAs: [one.did] });
    expect(bound.didDocument?.verificationMethod).toEqual([ownerMethod(passport, alice)]);
    expect(didCoreProblems(bound.didDocument, passport)).toEqual([]);

    await chain.burn(alice, one.tokenId);
    const burned = await resolver().resolve(one.did);
    expect(burned).toMatchObject({
      didDocument: {
        "@context": ["https://www.w3.org/ns/did/v1"],
        id: one.did,
        verificationMethod: [],
        authentication: [],
        assertionMethod: [],
        service: [],
      },
      didDocumentMetadata: { deactivated: true },
    });
    expect(didCoreProblems(burned.didDocument, one.did)).toEqual([]);

    const freed = await resolver().resolve(passport);
    expect(freed.didDocumentMetadata).toEqual({});
    expect(freed.didDocument).not.toHaveProperty("alsoKnownAs");
    expect(freed.didDocument?.verificationMethod).toEqual([ownerMethod(passport, alice)]);
  });

  it("accepts a DID without its chain when a default chain is configured", async () => {
    const { name, did } = await agent();
    const short = `did:svc:${name}`;
    const result = await resolver({ defaultChainId: 31337 }).resolve(short);
    expect(result.didDocument).toMatchObject({
      id: short,
      verificationMethod: [
        { ...ownerMethod(short, alice), blockchainAccountId: `eip155:31337:${alice.address}` },
      ],
      authentication: [`${short}#owner`],
    });
    expect(result.didDocumentMetadata).toEqual({ canonicalId: did });
    expect(didCoreProblems(result.didDocument, short)).toEqual([]);
  });

  it("gives either representation", async () => {
    const { did } = await agent();
    const result = await resolver().resolve(did, { accept: "application/did+json" });
    expect(result.didResolutionMetadata.contentType).toBe("application/did+json");
    expect(result.didDocument?.id).toBe(did);
  });
});

describe("refusing", () => {
  it.each([
    ["invalidDid", "The DID does not name an agent.", "did:svc:31337:NoName", {}],
    ["invalidDid", "The DID does not name an agent.", "did:svc:heron", {}],
    ["invalidDid", undefined, "did:svc:", {}],
    ["notFound", "There is no agent unknown-name.", "did:svc:31337:unknown-name", {}],
    ["notFound", "There is no agent agent-999999.", "did:svc:31337:agent-999999", {}],
    ["notFound", "Chain 8453 is not among the configured networks.", "did:svc:8453:heron", {}],
    [
      "representationNotSupported",
      "The representation application/did+cbor is not supported.",
      "did:svc:31337:unknown-name",
      { accept: "application/did+cbor" },
    ],
    ["unsupportedDidMethod", undefined, "did:other:heron", {}],
  ])("%s: %s", async (error, message, did, options) => {
    expect(await resolver().resolve(did, options)).toStrictEqual({
      didDocument: null,
      didResolutionMetadata: { error, ...(message === undefined ? {} : { message }) },
      didDocumentMetadata: {},
    });
  });

  it("a node that does not answer, or is another chain's", async () => {
    const { soulRegistry, rpcUrl } = chain;
    const at = (chainId: number, url: string) => ({
      networks: { [chainId]: { rpcUrls: [url] as [string], soulRegistry } },
    });
    const silent = await resolver(at(31337, "http://127.0.0.1:9")).resolve("did:svc:31337:heron");
    expect(silent).toMatchObject({
      didDocument: null,
      didResolutionMetadata: { error: "internalError" },
    });
    const other = await resolver(at(1, rpcUrl)).resolve("did:svc:1:heron");
    expect(other.didResolutionMetadata).toEqual({
      error: "internalError",
      message: "The chain cannot be read: The node is of chain 31337, not 1.",
    });
  });

  it("is replaced by the next node when it does not answer", async () => {
    const { did } = await agent();
    const { soulRegistry, rpcUrl } = chain;
    const rpcUrls = ["http://127.0.0.1:9", rpcUrl] as const;
    const result = await resolver({ networks: { 31337: { rpcUrls, soulRegistry } } }).resolve(did);
    expect(result.didDocument?.id).toBe(did);
  });
});

describe("gateways", () => {
  it("that serve other bytes are detected, and the next one is queried", async () => {
    const one = await agent();
    const { id } = await change(one, null, { kind: "add", address: tips });
    const bad = await startStaticGateway();
    try {
      const forged = {
        ...JSON.parse(didRecordJson((await changeless(one)).record)),
        addresses: [],
      };
      const text = Buffer.from(canonicalJson(forged));
      const item = await signer.sign({ data: text, contentType: "application/json" });
      bad.serve(`/item/${id}`, item.bytes);
      const lying = { url: bad.itemUrl, serves: "item" } as const;

      const alone = await resolver({ gateways: [lying] }).resolve(one.did);
      expect(alone).toStrictEqual({
        didDocument: null,
        didResolutionMetadata: {
          error: "internalError",
          message: `No gateway serves ${id}: ${bad.itemUrl}: The bytes served as ${id} are not that item: its id is a different one.`,
        },
        didDocumentMetadata: {},
      });
      const honest = { url: gateway.itemUrl, serves: "item" } as const;
      const both = await resolver({ gateways: [lying, honest] }).resolve(one.did);
      expect(both.didResolutionMetadata.archive).toEqual({ id, verified: true });
      expect(both.didDocument?.verificationMethod).toHaveLength(2);
    } finally {
      await bad.stop();
    }
  });

  it("whose answers cannot be verified are queried last, and that is reported", async () => {
    const one = await agent();
    const { id } = await change(one, null, { kind: "add", address: tips });
    const content = { url: gateway.dataUrl, serves: "content" } as const;
    const item = { url: gateway.itemUrl, serves: "item" } as const;
    const checked = await resolver({ gateways: [content, item] }).resolve(one.did);
    expect(checked.didResolutionMetadata.archive).toEqual({ id, verified: true });
    const resolution = await resolver({ gateways: [content] }).resolve(one.did);
    expect(resolution.didResolutionMetadata.archive).toEqual({ id, verified: false });
    expect(resolution.didDocument?.verificationMethod).toHaveLength(2);
  });

  it("without the record do not cause a shorter document", async () => {
    const one = await agent();
    const { id } = await change(one, null, { kind: "add", address: tips });
    gateway.forget(id);
    const { didDocument, didResolutionMetadata } = await resolver().resolve(one.did);
    expect(didDocument).toBeNull();
    expect(didResolutionMetadata).toEqual({
      error: "internalError",
      message: `No gateway serves ${id}: ${gateway.itemUrl}: it answered 404`,
    });
  });

  it("cannot pass another agent's record for this one's", async () => {
    const one = await agent();
    const other = await agent();
    const { id } = await change(other, null, { kind: "add", address: tips });
    await chain.setDidArchive(alice, one.tokenId, archiveIdOf(id));
    const refused = await resolver().resolve(one.did);
    expect(refused.didDocument?.verificationMethod).toEqual([ownerMethod(one.did, alice)]);
    expect(refused.didResolutionMetadata.archive).toEqual({
      id,
      verified: true,
      refused: "it is of another agent or epoch",
    });
    expect(refused.didDocumentMetadata).toEqual({});

    // From a gateway whose answers cannot be verified, it is no answer at all.
    const unproven = resolver({ gateways: [{ url: gateway.dataUrl, serves: "content" }] });
    expect(await unproven.resolve(one.did)).toMatchObject({
      didDocument: null,
      didResolutionMetadata: {
        error: "internalError",
        message:
          "This is not the archived DID record of the agent: it is of another agent or epoch.",
      },
    });
  });

  it("get no request for files that a passport points at elsewhere", async () => {
    const one = await agent();
    const before = gateway.requestedPaths.length;
    await chain.setPassportUri(alice, one.passportId, gateway.dataUrl);
    const elsewhere = await resolver().resolve(one.did);
    expect(elsewhere.didDocument?.service).toEqual([]);
    expect(elsewhere.didResolutionMetadata).toEqual({ contentType: "application/did+ld+json" });
    expect(gateway.requestedPaths).toHaveLength(before);

    const file = JSON.stringify({ services: [{ name: "web", endpoint: "https://a.example" }] });
    const inside = `data:application/json;base64,${Buffer.from(file).toString("base64")}`;
    await chain.setPassportUri(alice, one.passportId, inside);
    const { didDocument } = await resolver().resolve(one.did);
    expect(didDocument?.service).toEqual([
      { id: `${one.did}#service-1`, type: "web", serviceEndpoint: "https://a.example" },
    ]);
  });
});

describe("the keys that an owner set", () => {
  const ED25519 = {
    ...ED25519_KEY,
    use: "sig",
    exp: 4_000_000_000,
  };
  const P256 = {
    ...P256_KEY,
    use: "enc",
    // It has ended.
    exp: 1_000_000_000,
  };
  const setOf = (tokenId: bigint, keys: readonly object[] = [ED25519, P256]) =>
    agentKeySet(keys, { chainId: 31337, soulRegistry: chain.soulRegistry, tokenId });
  const kid = publicKeys([ED25519, P256]).find(({ crv }) => crv === "Ed25519")?.kid;

  const network = (rpcUrl = chain.rpcUrl, startBlock = 0n) => ({
    31337: {
      rpcUrls: [rpcUrl] as const,
      soulRegistry: chain.soulRegistry,
      agentKeys: { address: chain.contracts.agentKeys, startBlock },
    },
  });
  async function setKeys({ tokenId }: { tokenId: bigint }, text = agentKeySetJson(setOf(tokenId))) {
    const id = await store(text);
    const hash = sha256(new TextEncoder().encode(text));
    await chain.setKeys(alice, tokenId, { hash, archiveId: archiveIdOf(id) });
    return id;
  }

  it("are listed until they end, and only where the contract is named", async () => {
    const one = await agent();
    await setKeys(one);
    const { didDocument } = await resolver({ networks: network() }).resolve(one.did);
    const { exp: _, ...jwk } = ED25519;
    expect(didDocument?.verificationMethod).toEqual([
      ownerMethod(one.did, alice),
      {
        id: `${one.did}#${kid}`,
        type: "JsonWebKey",
        controller: one.did,
        expires: "2096-10-02T07:06:40.000Z",
        publicKeyJwk: { ...jwk, kid },
      },
    ]);
    expect(didDocument?.authentication).toEqual([`${one.did}#owner`, `${one.did}#${kid}`]);
    expect(didCoreProblems(didDocument, one.did)).toEqual([]);
    const without = await resolver().resolve(one.did);
    expect(without.didDocument?.verificationMethod).toEqual([ownerMethod(one.did, alice)]);
  });

  it("are the last ones set, and none once withdrawn or sold", async () => {
    const one = await agent();
    const first = await setKeys(one);
    await setKeys(one, agentKeySetJson(setOf(one.tokenId, [{ ...P256, exp: 4_000_000_001 }])));
    gateway.forget(first);
    const shown = async () => {
      const { didDocument } = await resolver({ networks: network() }).resolve(one.did);
      return didDocument?.verificationMethod?.map(({ id }) => id.split("#")[1]);
    };
    expect(await shown()).toEqual(["owner", "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"]);
    await chain.setKeys(alice, one.tokenId, null);
    expect(await shown()).toEqual(["owner"]);
    await setKeys(one);
    expect(await shown()).toEqual(["owner", kid]);
    await chain.transferPassport(one.passportId, alice, bob.address);
    expect(await shown()).toEqual(["owner"]);
  });

  it("are those of a set that names no agent, and none of a set that names another one", async () => {
    const [one, other] = [await agent(), await agent()];
    const shown = async () => {
      const { didDocument } = await resolver({ networks: network() }).resolve(one.did);
      return didDocument?.verificationMethod?.map(({ id }) => id.split("#")[1]);
    };
    await setKeys(one, agentKeySetJson({ keys: publicKeys([ED25519]) }));
    expect(await shown()).toEqual(["owner", kid]);
    await setKeys(one, agentKeySetJson(setOf(other.tokenId)));
    expect(await shown()).toEqual(["owner"]);
  });

  it("are found on a node that limits the range of a request for logs", async () => {
    const one = await agent();
    await setKeys(one);
    const ranges: number[] = [];
    await using node = await startNode(({ method, params }) => {
      if (method !== "eth_getLogs") return true;
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: Hex; toBlock: Hex }];
      ranges.push(Number(toBlock) - Number(fromBlock));
      return Number(toBlock) - Number(fromBlock) < 4;
    });
    const networks = network(node.url);
    const { didDocument } = await resolver({ networks }).resolve(one.did);
    expect(didDocument?.verificationMethod).toHaveLength(2);
    expect(Math.max(...ranges)).toBeGreaterThan(4);
  });

  it("make no shorter document when the node has no event of them, or no gateway has them", async () => {
    const one = await agent();
    const id = await setKeys(one);
    const head = await chain.client.getBlockNumber({ cacheTime: 0 });
    const late = await resolver({ networks: network(chain.rpcUrl, head + 1n) }).resolve(one.did);
    expect(late).toMatchObject({
      didDocument: null,
      didResolutionMetadata: { error: "internalError" },
    });
    gateway.forget(id);
    const gone = await resolver({ networks: network() }).resolve(one.did);
    expect([gone.didDocument, gone.didResolutionMetadata]).toEqual([
      null,
      {
        error: "internalError",
        message: `No gateway serves ${id}: ${gateway.itemUrl}: it answered 404`,
      },
    ]);
  });

  it("are empty when the owner named another archive, or one that is not a key set", async () => {
    const one = await agent();
    const id = await store("{}");
    const archiveId = archiveIdOf(id);
    await chain.setKeys(alice, one.tokenId, { hash: `0x${"11".repeat(32)}`, archiveId });
    const other = await resolver({ networks: network() }).resolve(one.did);
    expect(other.didDocument?.verificationMethod).toEqual([ownerMethod(one.did, alice)]);
    // A gateway that sends the data alone may have made it up.
    const gateways = [{ url: gateway.dataUrl, serves: "content" as const }];
    expect(await resolver({ networks: network(), gateways }).resolve(one.did)).toMatchObject({
      didDocument: null,
      didResolutionMetadata: {
        error: "internalError",
        message: `No gateway serves ${id}: the served content is not the agent's key set`,
      },
    });
    await chain.setKeys(alice, one.tokenId, { hash: sha256("0x7b7d"), archiveId });
    const none = await resolver({ networks: network() }).resolve(one.did);
    expect(none.didDocument?.verificationMethod).toEqual([ownerMethod(one.did, alice)]);
  });
});

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** A node that answers only the calls that `accepts` lets through, and refuses the others. */
async function startNode(accepts: (call: RpcCall) => boolean) {
  const server = createServer(async (request, response) => {
    const calls: RpcCall[] = [JSON.parse(await text(request))].flat();
    const answers = await Promise.all(
      calls.map(async (call) => {
        if (!accepts(call)) {
          return { jsonrpc: "2.0", id: call.id, error: { code: -32600, message: "Too wide" } };
        }
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify(call);
        return (await fetch(chain.rpcUrl, { method: "POST", headers, body })).json();
      }),
    );
    response.setHeader("content-type", "application/json").end(JSON.stringify(answers));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The first record that `one` could have. */
async function changeless({ name, tokenId }: { name: string; tokenId: bigint }) {
  const subject = {
    chainId: 31337,
    soulRegistry: chain.soulRegistry as Hex,
    name,
    tokenId,
    epoch: 1,
  };
  return { record: nextDidRecord(subject, null, { kind: "add", address: tips }) };
}
