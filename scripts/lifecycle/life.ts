import { randomBytes } from "node:crypto";
import {
  type Address,
  erc20Abi,
  type LocalAccount,
  parseAbi,
  parseEventLogs,
  parseSignature,
  zeroAddress,
  zeroHash,
} from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import {
  ALLOWANCE_VAULT_TYPES,
  allowanceVaultDomain,
  NO_EXPECTED_IDS,
  NO_HUMAN_PROOF,
  ORGANIZATION_REGISTRY_TYPES,
  organizationRegistryDomain,
  paymentRedemption,
  type RegistrationMessage,
  registrationTypedData,
  SOUL_REGISTRY_TYPES,
  soulRegistryDomain,
} from "../../protocol/index.ts";
import { paymentTypedData } from "../../protocol/payment.ts";
import { type Chain, hashOf } from "./chain.ts";

const UNIT = 1_000_000n;
const NO_SIGNATURE = "0x";
/** EIP-7825: no transaction may use more. */
const MOST_GAS = 16_777_216n;

const STABLECOIN_ABI = [
  ...erc20Abi,
  ...parseAbi([
    "function mint(address account, uint256 amount)",
    "function nonces(address owner) view returns (uint256)",
    "function version() view returns (string)",
  ]),
] as const;

/**
 * The lives of a few agents, one step after another. @throws Error at the first step that is not
 * as expected.
 */
export async function live(chain: Chain, agentsOfBatch: number): Promise<void> {
  // A name can be given only once: each run uses its own.
  const run = randomBytes(4).toString("hex");
  const name = (role: string) => `life-${run}-${role}`;

  const first = await registerNew(chain, chain.owner, name("first"), {});
  await bindExisting(chain, name("bound"));
  const organizationId = await foundOrganization(chain, name("organization"));
  await join(chain, first.tokenId, organizationId);
  await allow(chain, first.tokenId);
  await pay(chain, first.tokenId);
  await sellAndReturn(chain, first);
  await sellForGood(chain, first);
  await endAndSucceed(chain, first.tokenId, name("second"));
  const unwanted = await registerNew(chain, chain.owner, name("unwanted"), {});
  await release(chain, unwanted);
  await registerBatch(chain, organizationId, agentsOfBatch, run);
}

interface Agent {
  readonly tokenId: bigint;
  readonly passportId: bigint;
}

/** Registers and seals an agent by its owner's signature, submitted by the registrar. */
async function registerNew(
  chain: Chain,
  owner: LocalAccount,
  name: string,
  changes: Partial<RegistrationMessage>,
): Promise<Agent> {
  const message: RegistrationMessage = {
    name,
    agentType: 0,
    owner: owner.address,
    operator: chain.operator.address,
    soulHash: hashOf(`soul of ${name}`),
    soulMerkleRoot: hashOf(`root of ${name}`),
    contentHash: hashOf(`content of ${name}`),
    bindPassport: false,
    passportId: 0n,
    agentURI: "",
    parentTokenId: 0n,
    organizationId: 0n,
    seal: true,
    humanVerifier: zeroAddress,
    humanProofHash: zeroHash,
    ...(await chain.signed()),
    ...changes,
  };
  const place = { chainId: chain.chainId, verifyingContract: chain.contracts.soulRegistry };
  const signature = await owner.signTypedData(registrationTypedData({ ...place, message }));
  const fresh = !message.bindPassport;
  const publication = {
    archiveId: hashOf(`archive of ${name}`),
    agentURI: fresh ? `https://${name}.example/with-ids` : "",
    agentURIWithoutIds: fresh ? `https://${name}.example` : "",
    expectedPassportId: 0n,
    expectedTokenId: 0n,
    reservation: 0n,
  };
  const receipt = await chain.step(
    message.bindPassport ? `${name}: bound to an existing passport` : `${name}: registered`,
    chain.souls.write.register(
      [message, publication, NO_HUMAN_PROOF, NO_SIGNATURE, signature],
      chain.by(chain.registrar),
    ),
  );
  const [log] = parseEventLogs({
    abi: soulRegistryAbi,
    eventName: "SoulRegistered",
    logs: receipt.logs,
  });
  if (!log) throw new Error(`${name}: no registration was logged.`);
  const { tokenId, passportId } = log.args;
  chain.expect(`${name}: valid`, await chain.souls.read.isValid([tokenId]), true);
  chain.expect(
    `${name}: its certificate is its owner's`,
    await chain.certificates.read.ownerOf([tokenId]),
    owner.address,
  );
  return { tokenId, passportId };
}

/** The owner registers a passport, approves the passport writer, and binds a soul to it. */
async function bindExisting(chain: Chain, name: string): Promise<void> {
  const { identity, owner } = chain;
  const { logs } = await chain.step(
    "a passport of the owner's own",
    identity.write.register([`https://${name}.example/old`], chain.by(owner)),
  );
  const [log] = parseEventLogs({ abi: identity.abi, eventName: "Registered", logs });
  if (!log) throw new Error("No passport was registered.");
  const passportId = log.args.agentId;
  await chain.step(
    "the owner approves the passport writer",
    identity.write.approve([chain.contracts.passportWriter, passportId], chain.by(owner)),
  );
  const agentURI = `https://${name}.example/new`;
  await registerNew(chain, owner, name, { bindPassport: true, passportId, agentURI });
  chain.expect(
    `${name}: the passport points at the signed file`,
    await identity.read.tokenURI([passportId]),
    agentURI,
  );
}

async function foundOrganization(chain: Chain, name: string): Promise<bigint> {
  const message = { name, admin: chain.owner.address, ...(await chain.signed()) };
  const signature = await chain.owner.signTypedData({
    domain: organizationsDomain(chain),
    types: ORGANIZATION_REGISTRY_TYPES,
    primaryType: "CreateOrganization",
    message,
  });
  const { logs } = await chain.step(
    "an organization",
    chain.organizations.write.create([message, signature], chain.by(chain.registrar)),
  );
  const [log] = parseEventLogs({
    abi: chain.organizations.abi,
    eventName: "OrganizationCreated",
    logs,
  });
  if (!log) throw new Error("No organization was founded.");
  return log.args.organizationId;
}

async function join(chain: Chain, tokenId: bigint, organizationId: bigint): Promise<void> {
  const { organizations, souls } = chain;
  const [, , version] = await organizations.read.membershipOf([tokenId]);
  const epoch = await souls.read.epochOf([tokenId]);
  const message = { tokenId, epoch, organizationId, version, ...(await chain.signed()) };
  const signature = await chain.owner.signTypedData({
    domain: organizationsDomain(chain),
    types: ORGANIZATION_REGISTRY_TYPES,
    primaryType: "Join",
    message,
  });
  // The owner is also the admin: one signature suffices.
  const consent = { nonce: 0n, deadline: 0n, signature: NO_SIGNATURE } as const;
  await chain.step(
    "the agent joins it",
    organizations.write.join([message, signature, consent], chain.by(chain.registrar)),
  );
  chain.expect(
    "it is a member",
    await organizations.read.isMember([tokenId, organizationId]),
    true,
  );
}

/** The limits and the stablecoin's approval, by two signatures in one transaction. */
async function allow(chain: Chain, tokenId: bigint): Promise<void> {
  const { client, contracts, owner, vault } = chain;
  const coin = { address: contracts.stablecoin, abi: STABLECOIN_ABI } as const;
  const needed = 3n * UNIT;
  const balance = await client.readContract({
    ...coin,
    functionName: "balanceOf",
    args: [owner.address],
  });
  if (balance < needed) {
    await chain.step(
      "money for the owner",
      client.writeContract({
        ...coin,
        ...chain.by(owner),
        functionName: "mint",
        args: [owner.address, needed],
      }),
    );
  }
  const { epoch, version } = await vault.read.allowanceOf([tokenId]);
  const { nonce, deadline } = await chain.signed();
  const allowance = {
    tokenId,
    epoch,
    version,
    perTransaction: UNIT,
    dailyLimit: 3n * UNIT,
    validUntil: Number(deadline),
    onlyWithAgentWallet: false,
    nonce,
    deadline,
  };
  const signature = await owner.signTypedData({
    domain: vaultDomain(chain),
    types: ALLOWANCE_VAULT_TYPES,
    primaryType: "SetAllowance",
    message: allowance,
  });
  const [coinName, coinVersion, coinNonce] = await Promise.all([
    client.readContract({ ...coin, functionName: "name" }),
    client.readContract({ ...coin, functionName: "version" }),
    client.readContract({ ...coin, functionName: "nonces", args: [owner.address] }),
  ]);
  const permission = {
    owner: owner.address,
    spender: contracts.allowanceVault,
    value: needed,
    nonce: coinNonce,
    deadline,
  };
  const permit = parseSignature(
    await owner.signTypedData({
      domain: {
        name: coinName,
        version: coinVersion,
        chainId: chain.chainId,
        verifyingContract: contracts.stablecoin,
      },
      types: PERMIT_TYPES,
      primaryType: "Permit",
      message: permission,
    }),
  );
  await chain.step(
    "an allowance and the approval, by two signatures",
    vault.write.setAllowanceWithPermit(
      [
        allowance,
        signature,
        { value: needed, deadline, v: 27 + permit.yParity, r: permit.r, s: permit.s },
      ],
      chain.by(chain.registrar),
    ),
  );
}

const PERMIT_TYPES = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
} as const;

const vaultDomain = ({ chainId, contracts }: Chain) =>
  allowanceVaultDomain({ chainId, verifyingContract: contracts.allowanceVault });

/** The operator pays itself, and by a signature that another account submits. */
async function pay(chain: Chain, tokenId: bigint): Promise<void> {
  const { vault, operator, registrar } = chain;
  const recipient = chain.buyer.address;
  await chain.step(
    "the operator spends",
    vault.write.spend([tokenId, recipient, UNIT, hashOf("invoice 1")], chain.by(operator)),
  );
  const payment = await signedPayment(chain, tokenId, recipient, UNIT);
  await chain.step(
    "another account submits a payment that the operator signed",
    vault.write.redeemDelegations(payment, chain.by(registrar)),
  );
  await chain.refused("the same payment again", "NonceAlreadyUsed", () =>
    vault.simulate.redeemDelegations(payment, { account: registrar }),
  );
  await chain.refused("a payment above the limit", "SpendNotAllowed", () =>
    vault.simulate.spend([tokenId, recipient, 2n * UNIT, zeroHash], { account: operator }),
  );
}

async function signedPayment(chain: Chain, tokenId: bigint, recipient: Address, amount: bigint) {
  const { epoch, version } = await chain.vault.read.allowanceOf([tokenId]);
  const message = {
    tokenId,
    epoch,
    allowanceVersion: version,
    operator: chain.operator.address,
    recipient,
    amount,
    paymentRef: hashOf("invoice 2"),
    termsHash: zeroHash,
    redeemer: zeroAddress,
    ...(await chain.signed()),
  };
  const place = { chainId: chain.chainId, verifyingContract: chain.contracts.allowanceVault };
  const signature = await chain.operator.signTypedData(paymentTypedData(place, message));
  return paymentRedemption(chain.contracts.stablecoin, message, signature);
}

/**
 * A passport is sold and returned: earlier grants stay invalid, and the sealer reseals the soul.
 */
async function sellAndReturn(chain: Chain, { tokenId, passportId }: Agent): Promise<void> {
  const { souls, vault, owner, buyer } = chain;
  await transfer(chain, passportId, owner, buyer);
  chain.expect("sold: no longer valid", await souls.read.isValid([tokenId]), false);
  await suspend(chain, tokenId);
  await transfer(chain, passportId, buyer, owner);
  chain.expect("returned: still suspended", await souls.read.isValid([tokenId]), false);
  await chain.refused("the old allowance", "SpendNotAllowed", () =>
    vault.simulate.spend([tokenId, buyer.address, UNIT, zeroHash], { account: chain.operator }),
  );
  await suspend(chain, tokenId);
  await reseal(chain, tokenId, owner);
  chain.expect("resealed by the sealer: valid", await souls.read.isValid([tokenId]), true);
  chain.expect("a second epoch", await souls.read.epochOf([tokenId]), 2);
  chain.expect(
    "its membership ended",
    await chain.organizations.read.organizationOf([tokenId]),
    0n,
  );
  const [allowed] = await vault.read.canSpend([tokenId, 1n]);
  chain.expect("its allowance ended", allowed, false);
}

async function sellForGood(chain: Chain, { tokenId, passportId }: Agent): Promise<void> {
  const { buyer, owner } = chain;
  await transfer(chain, passportId, owner, buyer);
  await suspend(chain, tokenId);
  await reseal(chain, tokenId, buyer);
  chain.expect(
    "the certificate is the buyer's",
    await chain.certificates.read.ownerOf([tokenId]),
    buyer.address,
  );
}

/** A passport's new owner that wants no soul releases it. */
async function release(chain: Chain, { tokenId, passportId }: Agent): Promise<void> {
  const { souls, buyer, owner } = chain;
  await transfer(chain, passportId, owner, buyer);
  await suspend(chain, tokenId);
  const [, observedBlock] = await souls.read.suspensionOf([tokenId]);
  const message = {
    tokenId,
    epoch: await souls.read.epochOf([tokenId]),
    version: await souls.read.versionOf([tokenId]),
    newOwner: buyer.address,
    observedBlock,
    ...(await chain.signed()),
  };
  const signature = await buyer.signTypedData({
    domain: soulsDomain(chain),
    types: SOUL_REGISTRY_TYPES,
    primaryType: "Release",
    message,
  });
  await chain.step(
    "the buyer releases the soul",
    souls.write.release([message, signature], chain.by(chain.registrar)),
  );
  chain.expect("the passport is free", await souls.read.tokenOfPassport([passportId]), 0n);
}

/** The owner burns the soul and registers its successor. */
async function endAndSucceed(chain: Chain, tokenId: bigint, name: string): Promise<void> {
  const { souls, buyer } = chain;
  const message = {
    tokenId,
    epoch: await souls.read.epochOf([tokenId]),
    version: await souls.read.versionOf([tokenId]),
    reasonHash: hashOf("the end"),
    ...(await chain.signed()),
  };
  const signature = await buyer.signTypedData({
    domain: soulsDomain(chain),
    types: SOUL_REGISTRY_TYPES,
    primaryType: "Burn",
    message,
  });
  await chain.step(
    "the soul is burned",
    souls.write.burn([message, signature], chain.by(chain.registrar)),
  );
  await registerNew(chain, buyer, name, { parentTokenId: tokenId });
}

/** One transaction for all. */
async function registerBatch(
  chain: Chain,
  organizationId: bigint,
  count: number,
  run: string,
): Promise<void> {
  const { souls, owner } = chain;
  const names = Array.from({ length: count }, (_, index) => `life-${run}-agent-${index}`);
  const message = {
    owner: owner.address,
    organizationId,
    leaveOutTakenNames: false,
    entries: names.map((name) => ({
      name,
      agentType: 0,
      operator: chain.operator.address,
      soulHash: hashOf(`soul of ${name}`),
      soulMerkleRoot: hashOf(`root of ${name}`),
      contentHash: hashOf(`content of ${name}`),
    })),
    ...(await chain.signed()),
  };
  const signature = await owner.signTypedData({
    domain: soulsDomain(chain),
    types: SOUL_REGISTRY_TYPES,
    primaryType: "RegistrationBatch",
    message,
  });
  const publications = names.map((name) => ({
    archiveId: hashOf(`archive of ${name}`),
    agentURI: `https://${name}.example`,
  }));
  const { gasUsed } = await chain.step(
    `${count} agents of the organization in one transaction`,
    souls.write.registerBatch([message, publications, NO_EXPECTED_IDS, signature], {
      ...chain.by(chain.registrar),
      gas: MOST_GAS,
    }),
  );
  console.log(
    `     ${((100 * Number(gasUsed)) / Number(MOST_GAS)).toFixed(1)} % of what a transaction may use`,
  );
}

async function transfer(chain: Chain, passportId: bigint, from: LocalAccount, to: LocalAccount) {
  await chain.step(
    "the passport changes hands",
    chain.identity.write.transferFrom([from.address, to.address, passportId], chain.by(from)),
  );
}

async function suspend(chain: Chain, tokenId: bigint): Promise<void> {
  await chain.step(
    "an account records who owns the passport",
    chain.souls.write.suspend([tokenId], chain.by(chain.registrar)),
  );
}

async function reseal(chain: Chain, tokenId: bigint, newOwner: LocalAccount): Promise<void> {
  const { souls } = chain;
  const [, observedBlock] = await souls.read.suspensionOf([tokenId]);
  const epoch = await souls.read.epochOf([tokenId]);
  const message = {
    tokenId,
    epoch,
    version: await souls.read.versionOf([tokenId]),
    newOwner: newOwner.address,
    operator: chain.operator.address,
    observedBlock,
    soulHash: hashOf(`soul of ${tokenId} in epoch ${epoch + 1}`),
    soulMerkleRoot: hashOf(`root of ${tokenId} in epoch ${epoch + 1}`),
    contentHash: hashOf(`content of ${tokenId} in epoch ${epoch + 1}`),
    agentURI: "",
    humanVerifier: zeroAddress,
    humanProofHash: zeroHash,
    ...(await chain.signed()),
  };
  const signature = await newOwner.signTypedData({
    domain: soulsDomain(chain),
    types: SOUL_REGISTRY_TYPES,
    primaryType: "Reseal",
    message,
  });
  const archiveId = hashOf(`archive of ${tokenId} in epoch ${epoch + 1}`);
  await chain.step(
    "its owner reseals the soul",
    souls.write.reseal([message, archiveId, NO_HUMAN_PROOF, signature], chain.by(chain.registrar)),
  );
}

const soulsDomain = ({ chainId, contracts }: Chain) =>
  soulRegistryDomain({ chainId, verifyingContract: contracts.soulRegistry });

const organizationsDomain = ({ chainId, contracts }: Chain) =>
  organizationRegistryDomain({ chainId, verifyingContract: contracts.organizationRegistry });
