import hre from "hardhat";
import { custom, type Hex, keccak256, parseEventLogs, stringToHex } from "viem";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { organizationRegistryAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  NO_EXPECTED_IDS,
  SOUL_REGISTRY_TYPES,
  soulRegistryDomain,
  storageIdOf,
} from "../../protocol/index.ts";
import { deployContracts } from "../../scripts/deploy/deploy.ts";
import { LOCAL_REGISTRIES, type Registries, SOUL_REGISTRY } from "../../scripts/deploy/protocol.ts";
import { PROXIED_REGISTRIES } from "../fixtures/proxied-registries.ts";

/** The greatest gas limit of one transaction (EIP-7825), thus before refunds. */
const TRANSACTION_GAS_CAP = 16_777_216n;
/** 92 % of it: the greatest allowed estimate for the largest batch. */
const BATCH_GAS = 15_435_038n;
/** The largest batch that the protocol API accepts. */
const LARGEST_BATCH = 50;

const { RegistrationBatch, BatchEntry } = SOUL_REGISTRY_TYPES;
const types = { RegistrationBatch, BatchEntry };

/** A hash without cheap zero bytes, as real ones are. */
const hash = (text: string): Hex => keccak256(stringToHex(text));

type Connection = Awaited<ReturnType<typeof hre.network.create>>;
let connection: Connection;

beforeEach(async () => {
  connection = await hre.network.create();
});

afterEach(async () => {
  await connection.close();
});

/**
 * A fresh protocol, an organization without members, and a batch of `count` agents for it. Its
 * admin, who owns nothing yet, signed the batch. The registrar can send it.
 */
async function signedBatch(registries: Registries, count: number) {
  const { viem, provider } = connection;
  const client = await viem.getPublicClient();
  const [admin, registrar, owner] = await viem.getWalletClients();
  if (!admin || !registrar || !owner) throw new Error("The node has too few accounts.");
  const { soulRegistry: address, organizationRegistry } = await deployContracts({
    transport: custom(provider),
    contracts: { ...registries, ...SOUL_REGISTRY },
    parameters: {
      $global: { admin: admin.account.address, registrar: registrar.account.address },
    },
  });
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3_600);
  const founding = await owner.writeContract({
    address: organizationRegistry,
    abi: organizationRegistryAbi,
    functionName: "create",
    args: [{ name: "The Fleet", admin: owner.account.address, nonce: 0n, deadline }, "0x"],
  });
  await client.waitForTransactionReceipt({ hash: founding });

  const batch = {
    owner: owner.account.address,
    organizationId: 1n,
    leaveOutTakenNames: false,
    entries: Array.from({ length: count }, (_, index) => ({
      // The longest name, and an operator of its own: the most expensive entry.
      name: `fleet-of-agents-with-long-name-${String(index).padStart(2, "0")}`.slice(-32),
      agentType: index % 5,
      operator: `0x${hash(`operator ${index}`).slice(-40)}` as Hex,
      soulHash: hash(`soul ${index}`),
      soulMerkleRoot: hash(`root ${index}`),
      contentHash: hash(`content ${index}`),
    })),
    nonce: BigInt(hash("nonce")),
    deadline,
  };
  const publications = batch.entries.map((_, index) => ({
    archiveId: hash(`archive ${index}`),
    agentURI: `ar://${storageIdOf(hash(`uri ${index}`))}`,
  }));
  const chainId = await client.getChainId();
  const signature = await owner.signTypedData({
    domain: soulRegistryDomain({ chainId, verifyingContract: address }),
    types,
    primaryType: "RegistrationBatch",
    message: batch,
  });
  const call = {
    address,
    abi: soulRegistryAbi,
    functionName: "registerBatch",
    args: [batch, publications, NO_EXPECTED_IDS, signature],
    account: registrar.account,
  } as const;

  return { client, registrar, call, batch, publications };
}

describe.each([
  ["the local identity registry", LOCAL_REGISTRIES],
  ["an identity registry behind a proxy", PROXIED_REGISTRIES],
] as const)("registerBatch over %s", (_what, registries) => {
  it("fits the largest batch of an organization into one transaction", async () => {
    const signed = await signedBatch(registries, LARGEST_BATCH);
    const { client, registrar, call, batch, publications } = signed;
    expect(batch.entries.every(({ name }) => name.length === 32)).toBe(true);
    expect(publications[0]?.agentURI).toHaveLength(48);

    expect(await client.estimateContractGas(call)).toBeLessThanOrEqual(BATCH_GAS);
    const transaction = await registrar.writeContract({ ...call, gas: TRANSACTION_GAS_CAP });
    const receipt = await client.waitForTransactionReceipt({ hash: transaction });

    expect(receipt.status).toBe("success");
    const sealed = parseEventLogs({
      abi: soulRegistryAbi,
      eventName: "SoulSealed",
      logs: receipt.logs,
    });
    expect(sealed.map(({ args }) => args.soulHash)).toStrictEqual(
      batch.entries.map(({ soulHash }) => soulHash),
    );
  });
});
