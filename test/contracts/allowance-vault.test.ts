import hre from "hardhat";
import {
  type Address,
  concat,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContract,
  type Hex,
  hashTypedData,
  keccak256,
  parseAbi,
  parseEventLogs,
  stringToHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowanceVaultAbi, soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { NO_HUMAN_PROOF, registrationTypedData } from "../../protocol/index.ts";
import { ALLOWANCE_VAULT_TYPES, allowanceVaultDomain } from "../../protocol/typed-data.ts";
import { deployContracts } from "../../scripts/deploy/deploy.ts";
import { LOCAL_REGISTRIES, SOUL_REGISTRY } from "../../scripts/deploy/protocol.ts";

const stablecoinAbi = parseAbi([
  "function mint(address account, uint256 amount)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address account) view returns (uint256)",
]);
const probeAbi = parseAbi([
  "function gasOf(address target, bytes data) view returns (uint256 used)",
]);
const identityAbi = parseAbi(["function ownerOf(uint256 agentId) view returns (address)"]);

const TOKEN_ID = 1n;
const PASSPORT_ID = 0n;
const DEADLINE = 4_000_000_000n;
const PER_TRANSACTION = 10_000_000n;
const DAILY_LIMIT = 25_000_000n;
const FUNDS = 100_000_000n;
const VALID_UNTIL = 4_000_000_000;
const REF = keccak256(stringToHex("invoice"));

/**
 * A bare `ownerOf`, as bench/README.md measures it: the extra cost of a payment for checking the
 * live owner.
 */
const OWNER_OF = 5_531n;
const SAFE_TRANSFER = 65_190n;

/** A payment as the permission context encodes it at its start. */
const PAYMENT_TUPLE = { type: "tuple", components: ALLOWANCE_VAULT_TYPES.Payment } as const;

const checksummed = ({ account }: { account: { address: Address } }) => getAddress(account.address);

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

/**
 * The protocol as it is deployed, and one registered agent that may pay from its owner's
 * wallet.
 */
async function fixture({ viem, provider }: Connection) {
  const publicClient = await viem.getPublicClient();
  const [registrar, operator, recipient, owner] = await viem.getWalletClients();
  if (!registrar || !operator || !recipient || !owner)
    throw new Error("The chain has too few accounts.");
  const at = await deployContracts({
    transport: custom(provider),
    contracts: {
      ...LOCAL_REGISTRIES,
      ...SOUL_REGISTRY,
      stablecoin: "Stablecoin",
      allowanceVault: "AllowanceVault",
    },
    parameters: {
      $global: { admin: registrar.account.address, registrar: registrar.account.address },
    },
  });
  const vault = getContract({
    address: at.allowanceVault,
    abi: allowanceVaultAbi,
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
    deadline: DEADLINE,
  } as const;
  const publication = {
    archiveId: keccak256(stringToHex("archive")),
    agentURI: "ar://with-ids",
    agentURIWithoutIds: "ar://without-ids",
    expectedPassportId: PASSPORT_ID,
    expectedTokenId: TOKEN_ID,
    reservation: 0n,
  };
  const signature = await owner.signTypedData(
    registrationTypedData({ chainId, verifyingContract: soulRegistry, message }),
  );

  /** Sends one transaction and returns its total gas. */
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
      args: [message, publication, NO_HUMAN_PROOF, "0x", signature],
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
    validUntil: VALID_UNTIL,
    onlyWithAgentWallet: false,
    nonce: 2n,
    deadline: DEADLINE,
  };
  const domain = allowanceVaultDomain({ chainId, verifyingContract: vault.address });
  const allowanceSignature = await owner.signTypedData({
    domain,
    types: ALLOWANCE_VAULT_TYPES,
    primaryType: "SetAllowance",
    message: allowance,
  });
  await gasOf(
    registrar.writeContract({
      address: vault.address,
      abi: allowanceVaultAbi,
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
    domain,
    owner,
    operator,
    /** Submits every transaction, and has neither role nor money. */
    recipient,
    stablecoin,
    gasOf,
    spend: (amount: bigint) =>
      gasOf(
        operator.writeContract({
          address: vault.address,
          abi: allowanceVaultAbi,
          functionName: "spend",
          args: [TOKEN_ID, recipient.account.address, amount, REF],
        }),
      ),
    trySpend: (amount: bigint) =>
      gasOf(
        operator.writeContract({
          address: vault.address,
          abi: allowanceVaultAbi,
          functionName: "trySpend",
          args: [TOKEN_ID, recipient.account.address, amount, REF],
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
    const before = await agent.balanceOf(agent.owner.account.address);
    await agent.spend(1_000_000n);
    const second = await agent.spend(2_000_000n);
    await agent.trySpend(PER_TRANSACTION + 1n);

    expect(await agent.balanceOf(agent.owner.account.address)).toBe(before - 3_000_000n);
    expect(await agent.balanceOf(agent.recipient.account.address)).toBe(FUNDS + 3_000_000n);
    expect(await agent.vault.read.canSpend([TOKEN_ID, PER_TRANSACTION])).toEqual([
      true,
      0,
      DAILY_LIMIT - 3_000_000n,
    ]);
    // Without the live owner check, which Safe's module lacks, a payment costs no more than the
    // module's.
    expect(second - OWNER_OF).toBeLessThanOrEqual(SAFE_TRANSFER);
  });

  it("pays what the operator signed when any account submits it, for at most 95,000 gas", async () => {
    const recipient = agent.recipient.account.address;
    const before = await agent.balanceOf(recipient);
    const redeem = async (nonce: bigint) => {
      const message = {
        tokenId: TOKEN_ID,
        epoch: 1,
        allowanceVersion: 1,
        operator: agent.operator.account.address,
        recipient,
        amount: 1_000_000n,
        paymentRef: REF,
        termsHash: REF,
        redeemer: agent.recipient.account.address,
        nonce,
        deadline: DEADLINE,
      };
      const signature = await agent.operator.signTypedData({
        domain: agent.domain,
        types: ALLOWANCE_VAULT_TYPES,
        primaryType: "Payment",
        message,
      });
      const context = concat([encodeAbiParameters([PAYMENT_TUPLE], [message]), signature]);
      // A facilitator knows the token, the payee and the amount of the invoice, and the payer's
      // context.
      const transfer = encodeFunctionData({
        abi: erc20Abi,
        functionName: "transfer",
        args: [recipient, 1_000_000n],
      });
      const execution = concat([agent.stablecoin, zeroHash, transfer]);
      return agent.gasOf(
        agent.recipient.writeContract({
          address: agent.vault.address,
          abi: allowanceVaultAbi,
          functionName: "redeemDelegations",
          args: [[context], [zeroHash], [execution]],
        }),
      );
    };

    await redeem(0x1100n);
    const later = await redeem(0x1101n);
    expect(await agent.balanceOf(recipient)).toBe(before + 2_000_000n);
    expect(later).toBeLessThanOrEqual(95_000n);
  });

  it("answers another contract for little more than the cost of reading the passport's owner", async () => {
    const ownerOf = await agent.gasFromContract(
      agent.identityRegistry,
      encodeFunctionData({ abi: identityAbi, functionName: "ownerOf", args: [PASSPORT_ID] }),
    );
    const canSpend = await agent.gasFromContract(
      agent.vault.address,
      encodeFunctionData({
        abi: allowanceVaultAbi,
        functionName: "canSpend",
        args: [TOKEN_ID, 1n],
      }),
    );
    expect(canSpend - ownerOf).toBeLessThanOrEqual(13_000n);
  });
});

describe("the typed data of AllowanceVault", () => {
  /**
   * Sends a signed operation and returns the signer and digest that the vault reports as verified.
   */
  const verified = async (sending: Promise<Hex>) => {
    const { logs, status } = await agent.publicClient.waitForTransactionReceipt({
      hash: await sending,
    });
    expect(status).toBe("success");
    const [used] = parseEventLogs({ abi: allowanceVaultAbi, eventName: "NonceUsed", logs });
    return used?.args;
  };

  it("is what the vault verifies: limits, their end, a payment and a cancellation", async () => {
    const { domain, owner, operator, recipient, vault } = agent;
    const types = ALLOWANCE_VAULT_TYPES;
    const write = { address: vault.address, abi: allowanceVaultAbi } as const;
    const { version } = await vault.read.allowanceOf([TOKEN_ID]);
    const state = { tokenId: TOKEN_ID, epoch: 1, deadline: DEADLINE } as const;

    const set = {
      domain,
      types,
      primaryType: "SetAllowance",
      message: {
        ...state,
        version,
        perTransaction: 2n ** 56n - 1n,
        dailyLimit: 2n ** 56n - 2n,
        validUntil: 2 ** 32 - 1,
        onlyWithAgentWallet: false,
        nonce: 100n,
      },
    } as const;
    const setSignature = await owner.signTypedData(set);
    expect(
      await verified(
        recipient.writeContract({
          ...write,
          functionName: "setAllowance",
          args: [set.message, setSignature],
        }),
      ),
    ).toEqual({ signer: checksummed(owner), nonce: 100n, digest: hashTypedData(set) });

    const payment = {
      domain,
      types,
      primaryType: "Payment",
      message: {
        ...state,
        allowanceVersion: version + 1,
        operator: operator.account.address,
        recipient: recipient.account.address,
        amount: 5n,
        paymentRef: REF,
        termsHash: zeroHash,
        redeemer: zeroAddress,
        nonce: 101n,
      },
    } as const;
    const context = concat([
      encodeAbiParameters([PAYMENT_TUPLE], [payment.message]),
      await operator.signTypedData(payment),
    ]);
    const transfer = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [recipient.account.address, 5n],
    });
    expect(
      await verified(
        recipient.writeContract({
          ...write,
          functionName: "redeemDelegations",
          args: [[context], [zeroHash], [concat([agent.stablecoin, zeroHash, transfer])]],
        }),
      ),
    ).toEqual({ signer: checksummed(operator), nonce: 101n, digest: hashTypedData(payment) });

    const end = {
      domain,
      types,
      primaryType: "DeactivateAllowance",
      message: { ...state, version: version + 1, nonce: 102n },
    } as const;
    const endSignature = await owner.signTypedData(end);
    expect(
      await verified(
        recipient.writeContract({
          ...write,
          functionName: "deactivate",
          args: [end.message, endSignature],
        }),
      ),
    ).toEqual({ signer: checksummed(owner), nonce: 102n, digest: hashTypedData(end) });

    const cancellation = {
      domain,
      types,
      primaryType: "Cancel",
      message: { signer: operator.account.address, nonce: 103n, deadline: DEADLINE },
    } as const;
    const cancelSignature = await operator.signTypedData(cancellation);
    expect(
      await verified(
        recipient.writeContract({
          ...write,
          functionName: "cancelFor",
          args: [operator.account.address, 103n, DEADLINE, cancelSignature],
        }),
      ),
    ).toEqual({ signer: checksummed(operator), nonce: 103n, digest: hashTypedData(cancellation) });
  });
});
