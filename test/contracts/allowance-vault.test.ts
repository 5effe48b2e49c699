import hre from "hardhat";
import {
  type Address,
  encodeFunctionData,
  getContract,
  keccak256,
  parseAbi,
  stringToHex,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowanceVaultOver, LocalStablecoin } from "../../ignition/modules/AllowanceVault.ts";
import { LocalRegistries } from "../../ignition/modules/Registries.ts";
import { soulRegistryOver } from "../../ignition/modules/SoulRegistry.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { registrationTypedData, ZERO_HASH } from "../../protocol/index.ts";

const vaultAbi = parseAbi([
  "struct SetAllowance { uint256 tokenId; uint16 epoch; uint24 version; uint64 perTransaction; uint64 dailyLimit; uint256 nonce; uint256 deadline; }",
  "function STABLECOIN() view returns (address)",
  "function SOUL_REGISTRY() view returns (address)",
  "function setAllowance(SetAllowance allowance, bytes signature)",
  "function spend(uint256 tokenId, address recipient, uint256 amount)",
  "function trySpend(uint256 tokenId, address recipient, uint256 amount) returns (uint8 reason)",
  "function canSpend(uint256 tokenId, uint256 amount) view returns (bool allowed, uint8 reason, uint256 remainingToday)",
]);
const stablecoinAbi = parseAbi([
  "function mint(address account, uint256 amount)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);
const probeAbi = parseAbi([
  "function gasOf(address target, bytes data) view returns (uint256 used)",
]);
const identityAbi = parseAbi(["function ownerOf(uint256 agentId) view returns (address)"]);

const SET_ALLOWANCE_TYPES = {
  SetAllowance: [
    { name: "tokenId", type: "uint256" },
    { name: "epoch", type: "uint16" },
    { name: "version", type: "uint24" },
    { name: "perTransaction", type: "uint64" },
    { name: "dailyLimit", type: "uint64" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

const TOKEN_ID = 1n;
const PASSPORT_ID = 0n;
const DEADLINE = 4_000_000_000n;
const PER_TRANSACTION = 10_000_000n;
const DAILY_LIMIT = 25_000_000n;
const FUNDS = 100_000_000n;

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/** The protocol as its modules deploy it, and one registered agent that may pay from its owner's wallet. */
async function fixture({ viem, ignition }: Connection) {
  const publicClient = await viem.getPublicClient();
  const [registrar, operator, recipient, owner] = await viem.getWalletClients();
  if (!registrar || !operator || !recipient || !owner)
    throw new Error("The chain has too few accounts.");
  const SoulRegistry = soulRegistryOver(LocalRegistries);
  const parameters = {
    $global: { admin: registrar.account.address, registrar: registrar.account.address },
  };
  // Ignition types a contract by artifacts that a fresh clone has yet to compile; only the address is needed here.
  const at: { readonly allowanceVault: { readonly address: Address } } = await ignition.deploy(
    allowanceVaultOver(SoulRegistry, LocalStablecoin),
    {
      parameters,
    },
  );
  const vault = getContract({
    address: at.allowanceVault.address,
    abi: vaultAbi,
    client: publicClient,
  });
  const soulRegistry = await vault.read.SOUL_REGISTRY();
  const stablecoin = await vault.read.STABLECOIN();
  const identityRegistry = await publicClient.readContract({
    address: soulRegistry,
    abi: soulRegistryAbi,
    functionName: "IDENTITY_REGISTRY",
  });

  const chainId = await publicClient.getChainId();
  const message = {
    name: "alice",
    agentType: 0,
    owner: owner.account.address,
    operator: operator.account.address,
    soulHash: keccak256(stringToHex("soul")),
    soulMerkleRoot: keccak256(stringToHex("root")),
    contentHash: ZERO_HASH,
    bindPassport: false,
    passportId: 0n,
    parentTokenId: 0n,
    organizationId: 0n,
    seal: true,
    nonce: 1n,
    deadline: DEADLINE,
  } as const;
  const publication = {
    archiveId: "a".repeat(43),
    agentURI: "ar://with-ids",
    agentURIWithoutIds: "ar://without-ids",
    expectedPassportId: PASSPORT_ID,
    expectedTokenId: TOKEN_ID,
  };
  const signature = await owner.signTypedData(
    registrationTypedData({ chainId, verifyingContract: soulRegistry, message }),
  );

  /** Sends one transaction and gives the gas that it used as a whole. */
  const gasOf = async (sending: Promise<`0x${string}`>): Promise<bigint> => {
    const { status, gasUsed } = await publicClient.waitForTransactionReceipt({
      hash: await sending,
    });
    expect(status).toBe("success");
    return gasUsed;
  };

  await gasOf(
    registrar.writeContract({
      address: soulRegistry,
      abi: soulRegistryAbi,
      functionName: "register",
      args: [message, publication, { verifier: zeroAddress, data: "0x" }, "0x", signature],
    }),
  );
  const coin = { address: stablecoin, abi: stablecoinAbi } as const;
  for (const account of [owner.account.address, recipient.account.address]) {
    await gasOf(registrar.writeContract({ ...coin, functionName: "mint", args: [account, FUNDS] }));
  }
  await gasOf(
    owner.writeContract({
      ...coin,
      functionName: "approve",
      args: [vault.address, 1_000_000_000n],
    }),
  );

  const allowance = {
    tokenId: TOKEN_ID,
    epoch: 1,
    version: 0,
    perTransaction: PER_TRANSACTION,
    dailyLimit: DAILY_LIMIT,
    nonce: 2n,
    deadline: DEADLINE,
  };
  const allowanceSignature = await owner.signTypedData({
    domain: { name: "AllowanceVault", version: "1", chainId, verifyingContract: vault.address },
    types: SET_ALLOWANCE_TYPES,
    primaryType: "SetAllowance",
    message: allowance,
  });
  await gasOf(
    registrar.writeContract({
      address: vault.address,
      abi: vaultAbi,
      functionName: "setAllowance",
      args: [allowance, allowanceSignature],
    }),
  );

  const probe = await viem.deployContract("GasProbe");
  return {
    publicClient,
    vault,
    coin,
    identityRegistry,
    owner: owner.account.address,
    recipient: recipient.account.address,
    spend: (amount: bigint) =>
      gasOf(
        operator.writeContract({
          address: vault.address,
          abi: vaultAbi,
          functionName: "spend",
          args: [TOKEN_ID, recipient.account.address, amount],
        }),
      ),
    trySpend: (amount: bigint) =>
      gasOf(
        operator.writeContract({
          address: vault.address,
          abi: vaultAbi,
          functionName: "trySpend",
          args: [TOKEN_ID, recipient.account.address, amount],
        }),
      ),
    balanceOf: (account: Address) =>
      publicClient.readContract({ ...coin, functionName: "balanceOf", args: [account] }),
    gasFromContract: (target: Address, data: `0x${string}`) =>
      publicClient.readContract({
        address: probe.address,
        abi: probeAbi,
        functionName: "gasOf",
        args: [target, data],
      }),
  };
}

let connection: Connection;
let agent: Awaited<ReturnType<typeof fixture>>;

beforeAll(async () => {
  connection = await hre.network.create();
  agent = await fixture(connection);
});

afterAll(async () => {
  await connection.close();
});

describe("AllowanceVault as its module deploys it", () => {
  it("pays from the owner's wallet what the owner signed, and no more", async () => {
    const before = await agent.balanceOf(agent.owner);
    await agent.spend(1_000_000n);
    const second = await agent.spend(2_000_000n);
    await agent.trySpend(PER_TRANSACTION + 1n);

    expect(await agent.balanceOf(agent.owner)).toBe(before - 3_000_000n);
    expect(await agent.balanceOf(agent.recipient)).toBe(FUNDS + 3_000_000n);
    expect(await agent.vault.read.canSpend([TOKEN_ID, PER_TRANSACTION])).toEqual([
      true,
      0,
      DAILY_LIMIT - 3_000_000n,
    ]);
    // Somewhat above what it takes, so that a payment does not grow dearer unnoticed.
    expect(second).toBeLessThan(70_000n);
  });

  it("answers another contract at little more than the cost of asking the passport's owner", async () => {
    const ownerOf = await agent.gasFromContract(
      agent.identityRegistry,
      encodeFunctionData({ abi: identityAbi, functionName: "ownerOf", args: [PASSPORT_ID] }),
    );
    const canSpend = await agent.gasFromContract(
      agent.vault.address,
      encodeFunctionData({ abi: vaultAbi, functionName: "canSpend", args: [TOKEN_ID, 1n] }),
    );
    expect(canSpend - ownerOf).toBeLessThan(14_000n);
  });
});
