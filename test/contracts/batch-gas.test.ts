import hre from "hardhat";
import { type Hex, keccak256, parseAbi, parseEventLogs, stringToHex, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOUL_REGISTRY_TYPES } from "../../protocol/index.ts";

/** What one transaction may use at most (EIP-7825): its gas limit, thus before refunds. */
const TRANSACTION_GAS_CAP = 16_777_216n;
/** The largest batch that the protocol API takes. */
const LARGEST_BATCH = 50;

const abi = parseAbi([
  "struct BatchEntry { string name; uint8 agentType; address operator; bytes32 soulHash; bytes32 soulMerkleRoot; bytes32 contentHash; }",
  "struct RegistrationBatch { address owner; uint256 organizationId; BatchEntry[] entries; uint256 nonce; uint256 deadline; }",
  "struct BatchPublication { string archiveId; string agentURI; }",
  "function registerBatch(RegistrationBatch batch, BatchPublication[] publications, bytes signature) returns (uint256 firstTokenId)",
  "event SoulSealed(uint256 indexed tokenId, uint256 indexed passportId, address indexed sealer, uint16 epoch, bytes32 soulHash, bytes32 soulMerkleRoot, bytes32 contentHash, string archiveId, bool agentURIHasIds, address verifier)",
]);

const { RegistrationBatch, BatchEntry } = SOUL_REGISTRY_TYPES;
const types = { RegistrationBatch, BatchEntry };

/** A hash without cheap zero bytes, as real ones are. */
const hash = (text: string): Hex => keccak256(stringToHex(text));

/** A base64url id of 43 characters, as permanent storage gives them. */
const archiveId = (text: string) =>
  Buffer.from(hash(text).slice(2), "hex").toString("base64url").padEnd(43, "A");

type Connection = Awaited<ReturnType<typeof hre.network.create>>;
let connection: Connection;

beforeAll(async () => {
  connection = await hre.network.create();
});

afterAll(async () => {
  await connection.close();
});

/** A fresh protocol, and a batch of `count` agents that its owner signed, ready to be sent by the registrar. */
async function signedBatch(count: number) {
  const { viem } = connection;
  const client = await viem.getPublicClient();
  const [admin, registrar, owner] = await viem.getWalletClients();
  if (!admin || !registrar || !owner) throw new Error("The node has too few accounts.");
  const identity = await viem.deployContract("IdentityRegistry");
  const registry = await viem.deployContract("SoulRegistry", [
    identity.address,
    zeroAddress,
    admin.account.address,
    registrar.account.address,
  ]);

  const batch = {
    owner: owner.account.address,
    organizationId: 0n,
    entries: Array.from({ length: count }, (_, index) => ({
      // The longest name, and an operator of its own: what costs most.
      name: `fleet-of-agents-with-long-name-${String(index).padStart(2, "0")}`.slice(-32),
      agentType: index % 5,
      operator: `0x${hash(`operator ${index}`).slice(-40)}` as Hex,
      soulHash: hash(`soul ${index}`),
      soulMerkleRoot: hash(`root ${index}`),
      contentHash: hash(`content ${index}`),
    })),
    nonce: BigInt(hash("nonce")),
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
  };
  const publications = batch.entries.map((_, index) => ({
    archiveId: archiveId(`archive ${index}`),
    agentURI: `ar://${archiveId(`uri ${index}`)}`,
  }));
  const signature = await owner.signTypedData({
    domain: {
      name: "SoulRegistry",
      version: "1",
      chainId: await client.getChainId(),
      verifyingContract: registry.address,
    },
    types,
    primaryType: "RegistrationBatch",
    message: batch,
  });
  const call = {
    address: registry.address,
    abi,
    functionName: "registerBatch",
    args: [batch, publications, signature],
    account: registrar.account,
  } as const;

  return { client, registrar, call, batch, publications };
}

describe("registerBatch", () => {
  it("fits the largest batch into one transaction", async () => {
    const { client, registrar, call, batch, publications } = await signedBatch(LARGEST_BATCH);
    expect(publications[0]?.agentURI).toHaveLength(48);

    const transaction = await registrar.writeContract({ ...call, gas: TRANSACTION_GAS_CAP });
    const receipt = await client.waitForTransactionReceipt({ hash: transaction });

    expect(receipt.status).toBe("success");
    const sealed = parseEventLogs({ abi, eventName: "SoulSealed", logs: receipt.logs });
    expect(sealed.map(({ args }) => args.soulHash)).toStrictEqual(
      batch.entries.map(({ soulHash }) => soulHash),
    );
  });
});
