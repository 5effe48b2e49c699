import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { bytesToHex, hexToBytes, isAddressEqual, zeroAddress } from "viem";
import { NO_EXPECTED_IDS } from "../../../../protocol/index.ts";
import { storedKeyOf } from "../../../kernel/api-keys.ts";
import { ApiError, isRefusedFor } from "../../../kernel/errors.ts";
import {
  type ArchivedContent,
  type ChainOperation,
  type ContentIds,
  type Operation,
  type OperationPlan,
  requiredAs,
  type SignedOperation,
} from "../../../operations/operation.ts";
import type { Call } from "../../../platform/chain/transactions.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import type { Secrets } from "../../../platform/secrets/secrets.ts";
import { SALT_PURPOSE } from "../../../soul/soul-salt.ts";
import {
  alreadySubmitted,
  apiKeyOf,
  assertConsistent,
  assertNamed,
  avatarContent,
  encryptedApiKey,
  jsonContent,
  type RegistrationContext,
  type RegistrationInput,
  type RegistrationRecord,
  type RegistrationRequest,
  type RegistrationResolver,
  type RegistrationStore,
  registrationFields,
  registrationFileJson,
  soulArchiveJson,
} from "../../registration/index.ts";
import { noSuchOrganization } from "../organizations.ts";
import type { OrganizationRegistry } from "../registry.chain.ts";
import type {
  AgentOutcome,
  BatchIds,
  BatchMessage,
  BatchRegistry,
  PublishedAgent,
  RegisteredAgent,
} from "./batch.chain.ts";

export type { BatchMessage };

export const MAX_BATCH = 50;

/** What one transaction may use at most (EIP-7825). 50 agents use nearly all of it. */
export const BATCH_GAS = 16_777_216n;
const BASE_GAS = 900_000n;
const GAS_PER_AGENT = 330_000n;

/** Agents of one owner, who administers the organization: each has that owner and organization. */
export interface BatchRequest {
  readonly organizationId: bigint;
  readonly owner: Address;
  /** Whether agents are left out whose names others have. False: one such name refuses the batch. */
  readonly leaveOutTakenNames: boolean;
  readonly agents: readonly RegistrationInput[];
}

/** One agent of an accepted batch. Public content only. Its file has no ids. */
export interface BatchAgent extends PublishedAgent {
  /** Of its row among the registrations. */
  readonly id: string;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  /** Whether another agent had its name before the batch was accepted. It then has no row, and is left out. */
  readonly isTaken: boolean;
}

export interface BatchPayload {
  readonly organizationId: bigint;
  readonly owner: Address;
  readonly agents: readonly BatchAgent[];
}

export type BatchOperation = ChainOperation<
  BatchRequest,
  null,
  BatchPayload,
  readonly AgentOutcome[]
>;

interface BatchContext {
  readonly context: RegistrationContext;
  readonly resolver: RegistrationResolver;
  readonly registry: Pick<OrganizationRegistry, "organization">;
  readonly batches: BatchRegistry;
  readonly store: RegistrationStore;
  readonly secrets: Secrets;
  readonly archive: ContentIds & { archive(content: ArchivedContent): Promise<string> };
}

interface AgentIds {
  readonly passportId: bigint;
  readonly tokenId: bigint;
}

/**
 * Registers and seals up to 50 agents of an organization in one transaction: all or none, or all whose names are
 * free. Its admin, who owns them, signs.
 */
export function batchOperation(parts: BatchContext): BatchOperation {
  const { batches, store } = parts;
  return {
    kind: "organization_batch",
    settlement: "chain",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "RegistrationBatch" } },
    requestJson: ({ organizationId, owner, leaveOutTakenNames, agents }) => ({
      organizationId: organizationId.toString(),
      owner,
      // A request without it is the same request as before there was the choice.
      ...(leaveOutTakenNames && { leaveOutTakenNames }),
      agents: agents.map(({ soulSalt: _private, ...agent }) => plainJson(agent)),
    }),

    async read({ organizationId, owner }) {
      const organization = await parts.registry.organization(organizationId);
      if (organization === null) throw noSuchOrganization(organizationId);
      if (!isAddressEqual(organization.admin, owner)) {
        throw new ApiError("FORBIDDEN", {
          message: `Only the admin of organization ${organizationId} may register agents in it: ownerAddress must be ${organization.admin}.`,
        });
      }
      return null;
    },

    signatures: ({ owner }) => [{ role: "owner", signer: owner }],
    subjects: ({ organizationId }) => [{ kind: "organization", id: organizationId, epoch: null }],
    plan: (request) => planOf(parts, request),
    refuseRepetition: alreadySubmitted,

    // Only the registrar may send a batch, so that its owner's own call says nothing.
    async assertAcceptable(_request, _registrant, { payload, signatures }) {
      const { message } = requiredAs<BatchMessage>(signatures, "owner");
      await batches.simulateUnsigned(message, payload.agents, gasOf(payload));
    },

    gas: gasOf,
    signer: "registrar",

    call: (operation) => callOf(parts, operation, operation.payload.agents),
    buildCall: (operation) => callWithIds(parts, operation),
    // Another account registered a passport, or a name, meanwhile. The files then name no ids.
    secondAttempt: {
      isFor: (error, { signatures }) =>
        isOvertaken(error, requiredAs<BatchMessage>(signatures, "owner").message),
      buildCall: (operation) => callWithoutIds(parts, operation),
    },

    result: ({ payload }, { txHash }) => batches.outcomes(txHash, payload.agents),

    async onAccept(tx, { payload: { agents } }) {
      // Names are locked in one order, so that two batches never wait for each other.
      const ordered = [...agents.entries()]
        .filter(([, { isTaken }]) => !isTaken)
        .sort(([, one], [, other]) => (one.request.agentName < other.request.agentName ? -1 : 1));
      for (const [index, agent] of ordered) await ofEntry(index, () => begin(parts, tx, agent));
    },

    onSettle: (tx, operation, _execution, outcomes) => settle(parts, tx, operation, outcomes),

    async onEnd(tx, { payload: { agents } }) {
      for (const { id } of agents) await store.remove(tx, id);
    },
  };
}

async function planOf(
  parts: BatchContext,
  { organizationId, owner, leaveOutTakenNames, agents }: BatchRequest,
): Promise<OperationPlan<BatchPayload>> {
  const isTaken = await takenOf(
    parts,
    leaveOutTakenNames,
    agents.map(({ agentName }) => agentName),
  );
  if (isTaken.length > 0 && isTaken.every(Boolean)) {
    throw new ApiError("NAME_TAKEN", {
      message: "Other agents have all names of the batch. Choose other names.",
    });
  }
  const names = new Set<string>();
  const planned: Awaited<ReturnType<typeof plannedAgent>>[] = [];
  for (const [index, agent] of agents.entries()) {
    planned.push(
      await ofEntry(index, async () => {
        if (names.has(agent.agentName)) {
          throw new ApiError("NAME_TAKEN", { message: "The batch has this name twice." });
        }
        names.add(agent.agentName);
        return plannedAgent(parts, agent, isTaken[index] ?? false);
      }),
    );
  }
  const entries = planned.map(({ entry }) => entry);
  return {
    messages: { owner: { owner, organizationId, leaveOutTakenNames, entries } },
    payload: { organizationId, owner, agents: planned.map(({ agent }) => agent) },
    secrets: Object.fromEntries(planned.map(({ salt }) => salt)),
    // They are archived when the transaction is built.
    items: [],
  };
}

/** One agent with its entry in what is signed, and its secrets. */
async function plannedAgent(parts: BatchContext, input: RegistrationInput, isTaken: boolean) {
  const { context, store, secrets } = parts;
  assertConsistent(input);
  assertNamed(input);
  if (!isTaken) await store.assertNameFree(input.agentName, null);
  const resolved = await parts.resolver.resolve(input);
  const { soulSalt, ...request } = resolved;
  const { agentName: name, soulHash, soulMerkleRoot, agentType, operatorAddress } = request;
  const { contentHash } = registrationFields(resolved, context);
  const { archiveId, agentUri } = await contentOf(parts, resolved, null);
  const id = randomUUID();
  const operator = operatorAddress ?? zeroAddress;
  return {
    agent: { id, request, archiveId, agentUri, isTaken },
    entry: { name, agentType, operator, soulHash, soulMerkleRoot, contentHash },
    salt: [id, secrets.encrypt(SALT_PURPOSE, hexToBytes(soulSalt), soulHash)] as const,
  };
}

/** What is archived of one agent, with the ids of its soul's archive and of its file. */
async function contentOf(
  { context, archive }: BatchContext,
  resolved: RegistrationRequest,
  ids: AgentIds | null,
) {
  const { agentName: name, soulHash, avatar } = resolved;
  const soul = jsonContent(soulArchiveJson(resolved, context));
  const file = jsonContent(registrationFileJson(resolved, context, ids));
  // First, because the file names the picture.
  const picture = avatar === null ? [] : [avatarContent({ name, soulHash })];
  return {
    items: [...picture, soul, file],
    archiveId: await archive.idOf(soul),
    agentUri: `ar://${await archive.idOf(file)}`,
  };
}

function callOf(
  { batches }: BatchContext,
  { signatures }: SignedOperation<BatchPayload>,
  agents: readonly PublishedAgent[],
  ids: BatchIds = NO_EXPECTED_IDS,
): Call {
  const { message, signature } = requiredAs<BatchMessage>(signatures, "owner");
  return batches.registerCall(message, agents, ids, signature);
}

/**
 * Archives what the transaction names, before it is sent: only now its gas is set aside. Files name
 * the ids that the batch would get now. Zero stands for no passport id, so the first passport of a
 * registry has a file without.
 */
async function callWithIds(parts: BatchContext, operation: Operation<BatchPayload>): Promise<Call> {
  const { payload, signatures } = operation;
  const { message, signature } = requiredAs<BatchMessage>(signatures, "owner");
  const ids = await parts.batches.nextIds(message, payload.agents, signature, gasOf(payload));
  if (ids.firstPassportId === 0n) return callWithoutIds(parts, operation);
  const names = message.entries.map(({ name }) => name);
  const isTaken = await takenOf(parts, message.leaveOutTakenNames, names);
  let position = 0n;
  const published: PublishedAgent[] = [];
  for (const entry of payload.agents.entries()) {
    const [index, { archiveId }] = entry;
    // Without a URI the contract leaves it out, or refuses the batch if its name is free after all.
    if (isTaken[index]) {
      published.push({ archiveId, agentUri: "" });
      continue;
    }
    const idsOfAgent = {
      passportId: ids.firstPassportId + position,
      tokenId: ids.firstTokenId + position,
    };
    published.push(await archived(parts, operation, entry, idsOfAgent));
    position += 1n;
  }
  return callOf(parts, operation, published, ids);
}

async function callWithoutIds(
  parts: BatchContext,
  operation: Operation<BatchPayload>,
): Promise<Call> {
  const published: PublishedAgent[] = [];
  for (const entry of operation.payload.agents.entries()) {
    published.push(await archived(parts, operation, entry, null));
  }
  return callOf(parts, operation, published);
}

/** Which entries will be left out: none, unless the signer allows it. */
async function takenOf(
  { batches }: BatchContext,
  mayLeaveOut: boolean,
  names: readonly string[],
): Promise<readonly boolean[]> {
  return mayLeaveOut ? batches.areTaken(names) : [];
}

/**
 * Archives the soul, picture and file of one agent.
 *
 * @throws ApiError INVALID_REQUEST when the text of a file has changed since the batch was prepared,
 * with another release or public URL.
 */
async function archived(
  parts: BatchContext,
  operation: Operation<BatchPayload>,
  [index, { id, request, archiveId, agentUri }]: readonly [index: number, agent: BatchAgent],
  ids: AgentIds | null,
): Promise<PublishedAgent> {
  const salt = parts.secrets.decrypt(SALT_PURPOSE, saltOf(operation, id), request.soulHash);
  const resolved = { ...request, soulSalt: bytesToHex(salt) };
  const signed = await contentOf(parts, resolved, null);
  if (signed.archiveId !== archiveId || signed.agentUri !== agentUri) {
    throw new ApiError("INVALID_REQUEST", {
      message: `The registration file of agent ${index} has changed. Prepare the batch again, and sign it.`,
      details: { index },
    });
  }
  const content = ids === null ? signed : await contentOf(parts, resolved, ids);
  for (const item of content.items) await parts.archive.archive(item);
  return content;
}

/** Stores an accepted agent, with the key that its owner gets. */
function begin({ store, secrets }: BatchContext, tx: Transaction, { id, request }: BatchAgent) {
  const apiKeyEncrypted = encryptedApiKey(id, secrets);
  return store.begin(tx, { id, origin: { kind: "owner" }, request, apiKeyEncrypted });
}

async function settle(
  parts: BatchContext,
  tx: Transaction,
  operation: Operation<BatchPayload>,
  outcomes: readonly AgentOutcome[],
): Promise<void> {
  const { store, secrets } = parts;
  const registered: (readonly [BatchAgent, RegisteredAgent])[] = [];
  for (const [index, agent] of operation.payload.agents.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(`Agent ${agent.id} is incomplete.`);
    if ("takenBy" in outcome) {
      await store.remove(tx, agent.id);
      continue;
    }
    // A reorganization freed the name, which another agent had when the batch was accepted.
    if (agent.isTaken) await begin(parts, tx, agent);
    registered.push([agent, outcome]);
  }
  const ids = registered.map(([{ id }]) => id);
  const records = await store.readAll(ids, tx);
  for (const [index, [{ id, archiveId, request }, soul]] of registered.entries()) {
    await store.complete(tx, id, {
      tokenId: soul.tokenId,
      epoch: soul.epoch,
      archiveId,
      apiKey: storedKeyOf(apiKeyOf(records[index] as RegistrationRecord, secrets)),
      soulHash: request.soulHash,
      saltEncrypted: saltOf(operation, id),
      leaves: request.merkleLeaves,
    });
  }
}

/** Whether a batch is refused for what another registration took: an id that its files name, or a name that it may leave out. */
export function isOvertaken(
  error: unknown,
  { leaveOutTakenNames }: Pick<BatchMessage, "leaveOutTakenNames">,
): boolean {
  const reasons = ["UnexpectedPassportId", "UnexpectedTokenId", "EntryWithoutURI"];
  if (leaveOutTakenNames) reasons.push("NameTaken");
  return reasons.some((reason) => isRefusedFor(error, reason));
}

/** The encrypted salt of one agent. */
function saltOf({ secrets }: Pick<Operation, "secrets">, id: string): Buffer {
  const salt = secrets?.[id];
  if (!salt) throw new Error(`Agent ${id} has lost its salt.`);
  return salt;
}

function gasOf({ agents }: Pick<BatchPayload, "agents">): bigint {
  const gas = BASE_GAS + BigInt(agents.length) * GAS_PER_AGENT;
  return gas < BATCH_GAS ? gas : BATCH_GAS;
}

/** As JSON has it: ids in decimal, and nothing for what is absent. */
function plainJson(value: object): unknown {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "bigint" ? part.toString() : part,
  );
  return JSON.parse(text);
}

/** Names the entry that is refused: one refuses the whole batch. */
async function ofEntry<T>(index: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.type, {
      message: `Agent ${index} of the batch: ${error.message}`,
      details: { ...error.details, index },
      cause: error,
    });
  }
}
