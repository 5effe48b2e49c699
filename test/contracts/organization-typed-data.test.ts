import hre from "hardhat";
import {
  type Address,
  encodeAbiParameters,
  getAddress,
  getContract,
  type Hex,
  hashTypedData,
  parseEther,
  parseEventLogs,
  stringToHex,
} from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { organizationRegistryAbi } from "../../protocol/generated/abi.ts";
import { ORGANIZATION_REGISTRY_TYPES, organizationRegistryDomain } from "../../protocol/index.ts";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;
type Wallet = Awaited<ReturnType<Connection["viem"]["getWalletClients"]>>[number];
type Message = Readonly<Record<string, string | number | bigint>>;

/** The address that the contract gets for the soul registry. */
const SOULS: Address = "0x5000000000000000000000000000000000000005";
const DEADLINE = 2n ** 64n;

let connection: Connection;
let owner: Wallet;
let admin: Wallet;
let next: Wallet;
let relayer: Wallet;

beforeAll(async () => {
  connection = await hre.network.create();
  const [first, second, third, fourth] = await connection.viem.getWalletClients();
  if (!first || !second || !third || !fourth) throw new Error("The node has too few accounts.");
  [owner, admin, next, relayer] = [first, second, third, fourth];
  const chain = await connection.viem.getTestClient();
  // Answers every call as authorityOf does for a soul of `owner` in epoch 1.
  const answer = `0x73${owner.account.address.slice(2)}5f52600160405260605ff3` as Hex;
  await chain.setCode({ address: SOULS, bytecode: answer });
  await chain.setBalance({ address: SOULS, value: parseEther("1") });
  await chain.impersonateAccount({ address: SOULS });
});

afterAll(async () => {
  await connection.close();
});

describe("the organization registry's typed data", () => {
  let contract: ReturnType<typeof registryAt>;
  let nonces = 0n;

  const registryAt = (address: Address) =>
    getContract({ address, abi: organizationRegistryAbi, client: relayer });

  beforeEach(async () => {
    const { address } = await connection.viem.deployContract("OrganizationRegistry", [SOULS]);
    contract = registryAt(address);
    const creation = { name: "Guild", admin: admin.account.address, nonce: 0n, deadline: 0n };
    await contract.write.create([creation, "0x"], { account: admin.account });
  });

  /** Signs a message by the table of protocol/, with a fresh nonce. */
  async function sign(
    signer: Wallet,
    primaryType: keyof typeof ORGANIZATION_REGISTRY_TYPES,
    fields: Message,
  ) {
    nonces += 1n;
    const message = { ...fields, nonce: nonces, deadline: DEADLINE };
    const typedData = {
      domain: organizationRegistryDomain({
        chainId: await signer.getChainId(),
        verifyingContract: contract.address,
      }),
      types: ORGANIZATION_REGISTRY_TYPES,
      primaryType,
      message: message as never,
    };
    return {
      message,
      digest: hashTypedData(typedData),
      signature: await signer.signTypedData(typedData),
    };
  }

  /** The signers and digests that the contract verified in a transaction. */
  async function verified(hash: Hex) {
    const client = await connection.viem.getPublicClient();
    const { logs } = await client.waitForTransactionReceipt({ hash });
    return parseEventLogs({ abi: organizationRegistryAbi, eventName: "NonceUsed", logs }).map(
      ({ args }) => [args.signer, args.digest],
    );
  }
  const by = ({ account }: Wallet, { digest }: { digest: Hex }) => [
    getAddress(account.address),
    digest,
  ];
  const membership = (version: number) => ({
    tokenId: 1n,
    epoch: 1,
    organizationId: 1n,
    version,
  });

  it("of CreateOrganization is what the contract verifies", async () => {
    const signed = await sign(next, "CreateOrganization", {
      name: "Second",
      admin: next.account.address,
    });
    const hash = await contract.write.create([signed.message as never, signed.signature]);
    expect(await verified(hash)).toEqual([by(next, signed)]);
  });

  it("of Join, Admission and Leave is what the contract verifies", async () => {
    const entry = await sign(owner, "Join", membership(0));
    const admission = await sign(admin, "Admission", membership(0));
    const { nonce, deadline } = admission.message;
    const joined = await contract.write.join([
      entry.message as never,
      entry.signature,
      { nonce, deadline, signature: admission.signature },
    ]);
    expect(await verified(joined)).toEqual([by(owner, entry), by(admin, admission)]);

    const departure = await sign(owner, "Leave", membership(1));
    const left = await contract.write.leaveOrganization([
      departure.message as never,
      owner.account.address,
      departure.signature,
    ]);
    expect(await verified(left)).toEqual([by(owner, departure)]);
  });

  it("of ChangeAdmin and AcceptAdmin is what the contract verifies", async () => {
    const fields = { organizationId: 1n, newAdmin: next.account.address };
    const naming = await sign(admin, "ChangeAdmin", { ...fields, version: 0 });
    const named = await contract.write.changeAdmin([
      naming.message as never,
      naming.signature,
      { nonce: 0n, deadline: 0n, signature: "0x" },
    ]);
    expect(await verified(named)).toEqual([by(admin, naming)]);

    const acceptance = await sign(next, "AcceptAdmin", { ...fields, version: 1 });
    const accepted = await contract.write.acceptAdmin([
      acceptance.message as never,
      acceptance.signature,
    ]);
    expect(await verified(accepted)).toEqual([by(next, acceptance)]);
  });

  it("of Admit is what the contract verifies", async () => {
    const consent = await sign(admin, "Admit", {
      registrationDigest: stringToHex("registration", { size: 32 }),
      organizationId: 1n,
    });
    const { nonce, deadline } = consent.message;
    const hash = await contract.write.joinAtRegistration(
      [
        7n,
        1n,
        owner.account.address,
        stringToHex("registration", { size: 32 }),
        encodeAbiParameters(
          [{ type: "uint256" }, { type: "uint256" }, { type: "bytes" }],
          [nonce, deadline, consent.signature],
        ),
      ],
      { account: SOULS },
    );
    expect(await verified(hash)).toEqual([by(admin, consent)]);
  });

  it("of Cancel is what the contract verifies", async () => {
    const cancellation = await sign(owner, "Cancel", { signer: owner.account.address });
    const { nonce, deadline } = cancellation.message;
    const hash = await contract.write.cancelFor([
      owner.account.address,
      nonce,
      deadline,
      cancellation.signature,
    ]);
    expect(await verified(hash)).toEqual([by(owner, cancellation)]);
    expect(await contract.read.isNonceUsed([owner.account.address, nonce])).toBe(true);
  });
});
