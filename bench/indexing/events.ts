import { hash } from "node:crypto";
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  type Address,
  encodeAbiParameters,
  type Hex,
  keccak256,
  numberToHex,
  stringToHex,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from "viem";
import { INDEXED } from "../../indexer/deployment.ts";
import * as abis from "../../protocol/generated/abi.ts";

// A generated history of the contracts and of the ERC-8004 registries. Its events are what the
// contracts emit, in their order and with consistent ids, so that every handler does its work. The
// same count gives the same history.

/** An event in the chain's own encoding. */
export interface GeneratedLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The logs of one transaction. */
export type GeneratedTransaction = readonly GeneratedLog[];

const CONTRACT_NAMES = [...INDEXED, "validationRegistry"] as const;
type ContractName = (typeof CONTRACT_NAMES)[number];

/** The contracts' addresses, by their names in a deployment file. */
export const CONTRACTS = Object.fromEntries(
  CONTRACT_NAMES.map((name) => [name, accountOf(name)]),
) as Record<ContractName, Address>;

/** An agent, and what its next events say of it. */
interface Agent {
  readonly tokenId: bigint;
  readonly passportId: bigint;
  owner: Address;
  soulHash: Hex;
  version: number;
  score: number;
  readonly spent: bigint;
  keyVersion: number;
  feedback: bigint;
  isMember: boolean;
}

const OWNERS = 500;
const RECIPIENTS = 300;
/** Every so many transactions one registers an agent. */
const REGISTRATION_EVERY = 9;
const EPOCH = 1;

/** At least `count` events, as transactions in the order in which they were mined. */
export function generateTransactions(count: number): GeneratedTransaction[] {
  const history = new History();
  let events = 0;
  const transactions: GeneratedTransaction[] = [];
  for (let index = 0; events < count; index += 1) {
    const logs = history.next(index);
    events += logs.length;
    transactions.push(logs);
  }
  return transactions;
}

class History {
  readonly #agents: Agent[] = [];
  #passports = 0n;
  #batches = 0n;
  #organizations = 0n;
  #members = 0n;
  #previousRoot: Hex = zeroHash;
  readonly #bindings = new Map<string, number>();

  next(index: number): GeneratedLog[] {
    if (index % REGISTRATION_EVERY === 0) return this.#register(index);
    const agent = this.#agents[(index * 7_919) % this.#agents.length] as Agent;
    const acts = [
      () => this.#spend(agent, index),
      () => this.#leaveFeedback(agent, index),
      () => this.#bind(agent, index),
      () => this.#spend(agent, index),
      () => this.#decide(agent, index),
      () => this.#registerPassport(index),
      () => this.#leaveFeedback(agent, index),
      () => this.#record(agent, index),
      () => this.#spend(agent, index),
      () => this.#rare(agent, index),
    ];
    return acts[index % acts.length]?.() ?? [];
  }

  /** A registration that creates a passport, seals the soul and hands the passport over. */
  #register(index: number): GeneratedLog[] {
    const passportId = this.#passports++;
    const tokenId = BigInt(this.#agents.length + 1);
    const owner = ownerAt(index);
    const operator = accountOf(`operator ${index}`);
    const soulHash = hashOf(`soul ${index}`);
    const record = {
      soulMerkleRoot: hashOf(`root ${index}`),
      contentHash: hashOf(`file ${index}`),
    };
    const archiveId = hashOf(`archive ${index}`);
    this.#agents.push({
      tokenId,
      passportId,
      owner,
      soulHash,
      version: 0,
      score: 0,
      spent: 0n,
      keyVersion: 0,
      feedback: 0n,
      isMember: false,
    });
    const { soulRegistry } = CONTRACTS;
    const metadata = (metadataKey: string, metadataValue: Hex) =>
      log("identityRegistry", "MetadataSet", {
        agentId: passportId,
        indexedMetadataKey: metadataKey,
        metadataKey,
        metadataValue,
      });
    return [
      transfer("identityRegistry", zeroAddress, soulRegistry, passportId),
      log("identityRegistry", "Registered", {
        agentId: passportId,
        agentURI: `ar://${archiveId.slice(2, 45)}`,
        owner: soulRegistry,
      }),
      metadata("agentWallet", soulRegistry),
      metadata("svcTokenId", numberToHex(tokenId, { size: 32 })),
      metadata("svcSoulHash", soulHash),
      metadata("svcStatus", stringToHex("SEALED")),
      metadata("agentWallet", "0x"),
      transfer("identityRegistry", soulRegistry, owner, passportId),
      transfer("soulCertificate", zeroAddress, owner, tokenId),
      log("soulRegistry", "SoulRegistered", {
        tokenId,
        passportId,
        owner,
        name: `agent-of-${index}`,
        agentType: index % 5,
        operator,
        parentTokenId: 0n,
        epoch: EPOCH,
        newPassport: true,
      }),
      log("soulRegistry", "SoulSealed", {
        tokenId,
        passportId,
        sealer: owner,
        epoch: EPOCH,
        soulHash,
        ...record,
        archiveId,
        agentURIHasIds: true,
        verifier: zeroAddress,
      }),
      log("allowanceVault", "AllowanceSet", {
        tokenId,
        epoch: EPOCH,
        owner,
        version: 1,
        perTransaction: 10_000_000n,
        dailyLimit: 100_000_000n,
        validUntil: 2_000_000_000,
        onlyWithAgentWallet: false,
      }),
    ];
  }

  #registerPassport(index: number): GeneratedLog[] {
    const agentId = this.#passports++;
    const owner = accountOf(`other ${index}`);
    return [
      transfer("identityRegistry", zeroAddress, owner, agentId),
      log("identityRegistry", "Registered", {
        agentId,
        agentURI: `https://agents.example/${index}/registration.json`,
        owner,
      }),
      log("identityRegistry", "MetadataSet", {
        agentId,
        indexedMetadataKey: "agentWallet",
        metadataKey: "agentWallet",
        metadataValue: owner,
      }),
    ];
  }

  #spend({ tokenId, owner }: Agent, index: number): GeneratedLog[] {
    return [
      log("allowanceVault", "Spent", {
        tokenId,
        recipient: accountOf(`recipient ${index % RECIPIENTS}`),
        digest: hashOf(`digest ${index}`),
        owner,
        epoch: EPOCH,
        operator: accountOf(`operator ${tokenId}`),
        amount: BigInt(index),
        spentToday: BigInt(index),
        paymentRef: hashOf(`payment ${index}`),
      }),
    ];
  }

  #leaveFeedback(agent: Agent, index: number): GeneratedLog[] {
    agent.feedback += 1n;
    const place = {
      agentId: agent.passportId,
      clientAddress: accountOf(`client of ${agent.tokenId}`),
      feedbackIndex: agent.feedback,
    };
    const given = log("reputationRegistry", "NewFeedback", {
      ...place,
      value: BigInt(index % 100),
      valueDecimals: 0,
      indexedTag1: "quality",
      tag1: "quality",
      tag2: "speed",
      endpoint: "https://agents.example/a2a",
      feedbackURI: `ipfs://feedback-${index}`,
      feedbackHash: hashOf(`feedback ${index}`),
    });
    if (index % 4 !== 0) return [given];
    const answer = log("reputationRegistry", "ResponseAppended", {
      ...place,
      responder: agent.owner,
      responseURI: `ipfs://response-${index}`,
      responseHash: hashOf(`response ${index}`),
    });
    return [given, answer];
  }

  #bind(from: Agent, index: number): GeneratedLog[] {
    const to = this.#agents[(index * 104_729) % this.#agents.length] as Agent;
    const key = `${from.tokenId} ${to.tokenId}`;
    const version = (this.#bindings.get(key) ?? 0) + 1;
    this.#bindings.set(key, version);
    return [
      log("bindingRegistry", "BindingSet", {
        bindingId: hashOf(key),
        fromTokenId: from.tokenId,
        toTokenId: to.tokenId,
        previousTrustLevel: version > 1 ? 2 : 0,
        trustLevel: 2,
        authority: 2,
        setBy: from.owner,
        epoch: EPOCH,
        toEpoch: EPOCH,
        version,
        serviceVersion: 0,
        contextHash: hashOf(`context ${index}`),
        context: `Works with ${to.tokenId}.`,
      }),
    ];
  }

  /** A decision of the owner about the soul: a revision, an operator or a DID document. */
  #decide(agent: Agent, index: number): GeneratedLog[] {
    const { tokenId, owner } = agent;
    agent.version += 1;
    const decided = log("soulRegistry", "OwnerDecided", { tokenId, version: agent.version });
    if (index % 3 === 0) {
      const operator = accountOf(`operator ${index}`);
      const change = { tokenId, epoch: EPOCH, operator, version: agent.version };
      const previousOperator = accountOf(`operator ${tokenId}`);
      return [decided, log("soulRegistry", "OperatorChanged", { ...change, previousOperator })];
    }
    if (index % 3 === 1) {
      const archive = { archiveId: hashOf(`did ${index}`), previousArchiveId: zeroHash };
      return [decided, log("soulRegistry", "DidArchiveSet", { tokenId, epoch: EPOCH, ...archive })];
    }
    const previousSoulHash = agent.soulHash;
    agent.soulHash = hashOf(`revision ${index}`);
    const revised = log("soulRegistry", "SoulRevised", {
      tokenId,
      epoch: EPOCH,
      owner,
      previousSoulHash,
      soulHash: agent.soulHash,
      soulMerkleRoot: hashOf(`root ${index}`),
      dataHash: hashOf(`data ${index}`),
      archiveId: hashOf(`archive ${index}`),
    });
    return [decided, revised];
  }

  /** What the service records: a batch of chronicles, and scores. */
  #record(agent: Agent, index: number): GeneratedLog[] {
    const root = hashOf(`batch ${index}`);
    const anchored = log("chronicleAnchor", "BatchAnchored", {
      batchId: ++this.#batches,
      root,
      previousRoot: this.#previousRoot,
      leafCount: 100n,
      leavesArchiveId: hashOf(`leaves ${index}`),
    });
    this.#previousRoot = root;
    const previousScore = agent.score;
    agent.score = index % 101;
    const scored = log("alignmentRegistry", "AlignmentRecorded", {
      tokenId: agent.tokenId,
      epoch: EPOCH,
      score: agent.score,
      previousScore,
      archiveId: hashOf(`score ${index}`),
      blockNumber: BigInt(index),
    });
    return [anchored, scored];
  }

  #rare(agent: Agent, index: number): GeneratedLog[] {
    const acts = [
      () => this.#setKeys(agent, index),
      () => this.#validate(agent, index),
      () => this.#join(agent, index),
      () => this.#sell(agent, index),
    ];
    return acts[Math.floor(index / 10) % acts.length]?.() ?? [];
  }

  #setKeys(agent: Agent, index: number): GeneratedLog[] {
    const { tokenId, owner } = agent;
    agent.keyVersion += 1;
    const archive = {
      keysHash: hashOf(`keys ${index}`),
      archiveId: hashOf(`key file ${index}`),
      onlyWithAgentWallet: false,
    };
    const version = agent.keyVersion;
    return [
      log("agentKeys", "AgentKeysSet", { tokenId, epoch: EPOCH, owner, version, ...archive }),
    ];
  }

  #validate({ passportId: agentId }: Agent, index: number): GeneratedLog[] {
    const validatorAddress = accountOf(`validator ${index % 20}`);
    const requestHash = hashOf(`request ${index}`);
    const request = { validatorAddress, agentId, requestHash };
    return [
      log("validationRegistry", "ValidationRequest", { ...request, requestURI: `ipfs://${index}` }),
      log("validationRegistry", "ValidationResponse", {
        ...request,
        response: index % 101,
        responseURI: `ipfs://answer-${index}`,
        responseHash: hashOf(`answer ${index}`),
        tag: "audit",
      }),
    ];
  }

  /** A new organization, joined by the agent unless it is a member of one. */
  #join(agent: Agent, index: number): GeneratedLog[] {
    const { tokenId, owner } = agent;
    const organizationId = ++this.#organizations;
    const organization = { organizationId, admin: owner, name: `Organization ${index}` };
    const created = log("organizationRegistry", "OrganizationCreated", organization);
    if (agent.isMember) return [created];
    agent.isMember = true;
    this.#members += 1n;
    const admin = { owner, admin: owner };
    const joined = { tokenId, organizationId, epoch: EPOCH, version: 1, memberCount: 1n };
    return [created, log("organizationRegistry", "MemberJoined", { ...joined, ...admin })];
  }

  /** A sale of the passport, which suspends the soul, and the return that a buyer grants. */
  #sell({ passportId, tokenId, owner }: Agent, index: number): GeneratedLog[] {
    const buyer = accountOf(`buyer ${index}`);
    const cleared = log("identityRegistry", "MetadataSet", {
      agentId: passportId,
      indexedMetadataKey: "agentWallet",
      metadataKey: "agentWallet",
      metadataValue: "0x",
    });
    return [
      cleared,
      transfer("identityRegistry", owner, buyer, passportId),
      log("soulRegistry", "SoulVerificationSuspended", {
        tokenId,
        passportId,
        observedOwner: buyer,
        sealer: owner,
      }),
      cleared,
      transfer("identityRegistry", buyer, owner, passportId),
    ];
  }
}

function transfer(
  contract: "identityRegistry" | "soulCertificate",
  from: Address,
  to: Address,
  tokenId: bigint,
): GeneratedLog {
  return log(contract, "Transfer", { from, to, tokenId });
}

interface Encoder {
  readonly selector: Hex;
  readonly indexed: readonly AbiParameter[];
  readonly data: readonly AbiParameter[];
}

const ABIS: Readonly<Record<`${ContractName}Abi`, Abi>> = abis;
const encoders = new Map<string, Encoder>();

function log(contract: ContractName, eventName: string, args: object): GeneratedLog {
  const { selector, indexed, data } = encoderOf(contract, eventName);
  const values = args as Readonly<Record<string, unknown>>;
  const encode = (inputs: readonly AbiParameter[]) =>
    encodeAbiParameters(
      inputs,
      inputs.map(({ name }) => values[name ?? ""]),
    );
  return {
    address: CONTRACTS[contract],
    topics: [
      selector,
      ...indexed.map((input) =>
        input.type === "string" ? keccakOf(String(values[input.name ?? ""])) : encode([input]),
      ),
    ],
    data: encode(data),
  };
}

function encoderOf(contract: ContractName, eventName: string): Encoder {
  const key = `${contract} ${eventName}`;
  const known = encoders.get(key);
  if (known !== undefined) return known;
  const event = ABIS[`${contract}Abi`].find(
    (item): item is AbiEvent => item.type === "event" && item.name === eventName,
  );
  if (event === undefined) throw new Error(`${contract} has no event ${eventName}.`);
  const encoder = {
    selector: toEventSelector(event),
    indexed: event.inputs.filter(({ indexed }) => indexed),
    data: event.inputs.filter(({ indexed }) => !indexed),
  };
  encoders.set(key, encoder);
  return encoder;
}

const keccaks = new Map<string, Hex>();

function keccakOf(text: string): Hex {
  const known = keccaks.get(text) ?? keccak256(stringToHex(text));
  keccaks.set(text, known);
  return known;
}

function ownerAt(index: number): Address {
  return accountOf(`owner ${index % OWNERS}`);
}

function accountOf(name: string): Address {
  return `0x${hashOf(name).slice(26)}`;
}

/** SHA-256, which Node computes faster than keccak. Nothing here verifies a hash. */
export function hashOf(text: string): Hex {
  return `0x${hash("sha256", text)}`;
}
