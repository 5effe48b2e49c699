import {
  type Abi,
  type Address,
  decodeEventLog,
  type Hex,
  type Log,
  type PublicClient,
} from "viem";
import * as abis from "../../protocol/generated/abi.ts";
import { nameSkeleton } from "../../protocol/name-skeleton.ts";
import type { Row } from "./rows.ts";
import { canonical } from "./rows.ts";

// The expected content of the index, computed independently and as plainly as possible: every log
// of the chain in order, one reducer over maps, no Ponder. It shares only the ABIs and the
// skeletons of names with the indexer's handlers.

type Change = Record<string, unknown>;

/** An event, with its arguments as the ABI names them. */
interface PlainEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: thirty events of different shapes and names.
  readonly args: any;
  readonly logIndex: number;
  readonly timestamp: bigint;
  readonly block: bigint;
  readonly tx: Hex;
  readonly passportMint: Address | null;
}

const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
const ZERO_HASH = `0x${"00".repeat(32)}`;
const AUTHORITIES = ["NONE", "SERVICE", "OWNER"];
const REASONS = [
  "NONE",
  "ALLOWANCE_NOT_SET",
  "ALLOWANCE_INACTIVE",
  "EXCEEDS_PER_TRANSACTION_LIMIT",
  "EXCEEDS_DAILY_LIMIT",
  "TRANSFER_FAILED",
  "AGENT_WALLET_NOT_OPERATOR",
];

/** The tables that a replay of the whole chain's logs gives, each in the form of `canonical`. */
export async function replay(
  client: PublicClient,
  contracts: Readonly<Record<string, Address | null>>,
  tables: readonly string[],
): Promise<Record<string, string[]>> {
  const abiOf = new Map<string, Abi>(
    Object.entries(contracts).flatMap(([name, address]) => {
      const abi = (abis as Record<string, unknown>)[`${name}Abi`] as Abi | undefined;
      return address && abi ? [[address.toLowerCase(), abi] as const] : [];
    }),
  );
  const logs = await client.getLogs({
    address: [...abiOf.keys()] as Address[],
    fromBlock: 0n,
    toBlock: "latest",
  });
  const numbers = [...new Set(logs.map((log) => log.blockNumber))];
  const times = new Map(
    await Promise.all(
      numbers.map(
        async (blockNumber) =>
          [blockNumber, (await client.getBlock({ blockNumber })).timestamp] as const,
      ),
    ),
  );

  const state = new Tables();
  for (const log of logs) {
    const abi = abiOf.get(log.address.toLowerCase());
    const event = abi && decoded(log, abi);
    if (!event) continue;
    const name = nameOf(log.address, contracts);
    reduce(state, {
      name: `${name}:${event.eventName}`,
      args: event.args,
      logIndex: log.logIndex,
      timestamp: times.get(log.blockNumber) as bigint,
      block: log.blockNumber,
      tx: log.transactionHash,
      passportMint: contracts.passportMint ?? null,
    });
  }
  addDerived(state);
  return Object.fromEntries(tables.map((table) => [table, canonical(state.rows(table))]));
}

/** What follows from other columns at the end. */
function addDerived(state: Tables): void {
  for (const { id } of state.rows("passport")) state.put("passport", [id], { soulTokenId: null });
  for (const row of state.rows("soul")) {
    const { tokenId, name, passportId, status, sealer, suspendedOwner } = row;
    const owner = state.get("passport", passportId)?.owner ?? ZERO_ADDRESS;
    const isSealed = status === "SEALED" && owner !== ZERO_ADDRESS;
    const isValid = owner === sealer && (suspendedOwner ?? null) === null;
    const validity = isSealed ? (isValid ? "valid" : "suspended") : "not_linked";
    state.put("soul", [tokenId], { nameSkeleton: nameSkeleton(String(name)), validity });
    if (status !== "BURNED") state.put("passport", [passportId], { soulTokenId: tokenId });
  }
}

function decoded(log: Log, abi: Abi) {
  try {
    return decodeEventLog({ abi, data: log.data, topics: log.topics }) as {
      eventName: string;
      args: unknown;
    };
  } catch {
    return null;
  }
}

function nameOf(address: Address, contracts: Readonly<Record<string, Address | null>>): string {
  const found = Object.entries(contracts).find(
    ([, at]) => at?.toLowerCase() === address.toLowerCase(),
  );
  return found?.[0] ?? "";
}

class Tables {
  readonly #tables = new Map<string, Map<string, Change>>();

  rows(table: string): Row[] {
    return [...(this.#tables.get(table)?.values() ?? [])];
  }

  get(table: string, ...key: unknown[]): Change | undefined {
    return this.#tables.get(table)?.get(key.map(String).join("/").toLowerCase());
  }

  /** Applies `change` to the row, which begins as `first`. */
  put(table: string, key: unknown[], change: Change, first: Change = {}): void {
    const rows = this.#tables.get(table) ?? new Map<string, Change>();
    this.#tables.set(table, rows);
    const id = key.map(String).join("/").toLowerCase();
    rows.set(id, { ...(rows.get(id) ?? first), ...change });
  }
}

/** The 43 characters of base64url for the 32 bytes of an archive id; null for zero. */
const archive = (id: Hex) =>
  id === ZERO_HASH ? null : Buffer.from(id.slice(2), "hex").toString("base64url");

/** Text as the database can hold it. */
const text = (value: string) => (value.includes("\0") ? null : value);

const plus = (row: Change | undefined, column: string, amount: number | bigint) =>
  typeof amount === "bigint"
    ? ((row?.[column] as bigint | undefined) ?? 0n) + amount
    : ((row?.[column] as number | undefined) ?? 0) + amount;

function transferKind(from: Address, to: Address, passportMint: Address | null): string {
  if (from === ZERO_ADDRESS) return "MINTED";
  if (from.toLowerCase() === passportMint?.toLowerCase()) return "HANDED_OVER";
  return from === to ? "KEPT" : "TRANSFERRED";
}

function reduce(state: Tables, event: PlainEvent): void {
  const { args: a, timestamp, block, tx, logIndex } = event;
  const when = { timestamp, block, tx, logIndex };
  const updated = { updatedAt: timestamp, updatedBlock: block, updateTx: tx };
  const soul = (change: Change) => state.put("soul", [a.tokenId], change);
  const here = [block, logIndex];

  switch (event.name) {
    /* PASSPORTS */
    case "identityRegistry:Transfer": {
      const { from, to, tokenId: passportId } = a;
      const before = state.get("passport", passportId);
      state.put("passport_owner", [passportId, ...here], {
        passportId,
        kind: transferKind(from, to, event.passportMint),
        from,
        to,
        ...when,
      });
      if (from !== to || before?.owner === undefined) {
        state.put("passport", [passportId], {
          id: passportId,
          owner: to,
          ownerSince: timestamp,
          ownerSinceBlock: block,
          transferCount: plus(before, "transferCount", from === ZERO_ADDRESS ? 0 : 1),
        });
      }
      return;
    }
    case "identityRegistry:Registered":
      state.put("passport", [a.agentId], {
        id: a.agentId,
        uri: text(a.agentURI),
        registrant: a.owner,
        registeredAt: timestamp,
        registeredBlock: block,
        registeredTx: tx,
      });
      return;
    case "identityRegistry:URIUpdated":
      state.put("passport", [a.agentId], { uri: text(a.newURI) });
      return;
    case "identityRegistry:MetadataSet":
      state.put("passport_metadata", [a.agentId, a.metadataKey], {
        passportId: a.agentId,
        key: a.metadataKey,
        value: a.metadataValue,
        updatedAt: timestamp,
        updatedBlock: block,
        updatedTx: tx,
      });
      return;

    /* SOULS */
    case "soulCertificate:Transfer": {
      const burned = a.to === ZERO_ADDRESS;
      state.put(
        "certificate",
        [a.tokenId],
        {
          holder: burned ? null : a.to,
          burnedAt: burned ? timestamp : null,
          burnTx: burned ? tx : null,
        },
        { tokenId: a.tokenId, mintedAt: timestamp, mintedBlock: block, mintTx: tx },
      );
      return;
    }
    case "soulRegistry:SoulRegistered":
      soul({
        ...a,
        sealer: a.owner,
        version: 0,
        passportVersion: 0,
        revisions: 0,
        status: "PROVISIONAL",
        mintTimestamp: timestamp,
        mintBlock: block,
        mintTx: tx,
        lastActiveAt: timestamp,
      });
      state.put("soul_epoch", [a.tokenId, a.epoch], {
        tokenId: a.tokenId,
        epoch: a.epoch,
        sealer: a.owner,
        operator: a.operator,
        startedAt: timestamp,
        startBlock: block,
        startTx: tx,
        startLogIndex: logIndex,
      });
      return;
    case "soulRegistry:SoulProvisioned":
      soul({
        soulHash: a.soulHash,
        soulMerkleRoot: a.soulMerkleRoot,
        contentHash: a.contentHash,
        archiveId: archive(a.archiveId),
      });
      return;
    case "soulRegistry:SoulSealed":
    case "soulRegistry:SoulResealed":
    case "soulRegistry:SoulRevised": {
      const kind = { SoulSealed: "SEAL", SoulResealed: "RESEAL", SoulRevised: "REVISION" }[
        event.name.slice("soulRegistry:".length)
      ];
      const before = state.get("soul", a.tokenId);
      const revision = plus(before, "revisions", 1);
      soul({
        soulHash: a.soulHash,
        soulMerkleRoot: a.soulMerkleRoot,
        archiveId: archive(a.archiveId),
        revisions: revision,
        lastActiveAt: timestamp,
      });
      state.put("soul_revision", [a.tokenId, revision], {
        tokenId: a.tokenId,
        revision,
        kind,
        epoch: a.epoch,
        owner: kind === "REVISION" ? a.owner : a.sealer,
        previousSoulHash: a.previousSoulHash,
        soulHash: a.soulHash,
        soulMerkleRoot: a.soulMerkleRoot,
        contentHash: a.contentHash,
        verifier: a.verifier === ZERO_ADDRESS ? null : a.verifier,
        dataHash: a.dataHash,
        archiveId: archive(a.archiveId),
        ...when,
      });
      if (kind === "REVISION") {
        if (a.agentURIWritten) soul({ agentUriHasIds: true });
        return;
      }
      // A sealer who takes its soul back stays attested.
      const isTakenBack = kind === "RESEAL" && a.sealer === a.previousSealer;
      const unproven = isTakenBack ? before?.humanVerifier : null;
      const human = a.verifier === ZERO_ADDRESS ? unproven : a.verifier;
      soul({
        status: "SEALED",
        sealer: a.sealer,
        epoch: a.epoch,
        contentHash: a.contentHash,
        agentUriHasIds: kind === "SEAL" ? a.agentURIHasIds : a.agentURIWritten || null,
        genesisSoulHash: before?.genesisSoulHash ?? a.soulHash,
        humanVerifier: human,
        sealedAt: timestamp,
        sealBlock: block,
        sealTx: tx,
      });
      if (kind === "SEAL") {
        state.put("soul_epoch", [a.tokenId, a.epoch], { humanVerifier: human });
        return;
      }
      soul({
        operator: a.operator,
        didArchiveId: null,
        alignmentScore: null,
        alignmentArchiveId: null,
        alignmentBlock: null,
        alignmentAt: null,
        suspendedOwner: null,
        suspendedAt: null,
        suspendedBlock: null,
      });
      state.put("soul_epoch", [a.tokenId, a.epoch - 1], {
        endedAt: timestamp,
        endBlock: block,
        endTx: tx,
      });
      state.put("soul_epoch", [a.tokenId, a.epoch], {
        tokenId: a.tokenId,
        epoch: a.epoch,
        sealer: a.sealer,
        operator: a.operator,
        humanVerifier: human,
        startedAt: timestamp,
        startBlock: block,
        startTx: tx,
        startLogIndex: logIndex,
      });
      return;
    }
    case "soulRegistry:SoulVerificationSuspended":
      state.put("suspension", [a.tokenId, ...here], { ...a, ...when });
      soul({
        suspendedOwner: a.observedOwner,
        suspendedAt: timestamp,
        suspendedBlock: block,
      });
      return;
    case "soulRegistry:SoulBurned":
    case "soulRegistry:SoulReleased":
      soul({
        status: "BURNED",
        suspendedOwner: null,
        suspendedAt: null,
        suspendedBlock: null,
        burnedAt: timestamp,
        burnBlock: block,
        burnTx: tx,
        burnReasonHash: a.reasonHash,
        releasedBy: event.name === "soulRegistry:SoulReleased" ? a.owner : null,
        lastActiveAt: timestamp,
      });
      state.put("soul_epoch", [a.tokenId, a.epoch], {
        endedAt: timestamp,
        endBlock: block,
        endTx: tx,
      });
      state.put("soul_end", [a.tokenId], {
        tokenId: a.tokenId,
        kind: event.name === "soulRegistry:SoulReleased" ? "RELEASED" : "BURNED",
        epoch: a.epoch,
        passportId: a.passportId,
        by: a.owner,
        reasonHash: a.reasonHash,
        ...when,
      });
      return;
    case "soulRegistry:SoulReincarnated":
      soul({ soulContinuity: a.soulContinuity, soulHashMatch: a.soulHashMatch });
      return;
    case "soulRegistry:OwnerDecided":
      soul({ version: a.version, lastActiveAt: timestamp });
      return;
    case "soulRegistry:OperatorChanged":
      state.put("operator_change", [a.tokenId, a.version], { ...a, ...when });
      soul({ operator: a.operator, lastActiveAt: timestamp });
      return;
    case "soulRegistry:DidArchiveSet":
      state.put("did_archive", [a.tokenId, ...here], { ...a, ...when });
      soul({
        didArchiveId: a.archiveId === ZERO_HASH ? null : a.archiveId,
        lastActiveAt: timestamp,
      });
      return;
    case "passportWriter:AgentURIWritten":
    case "passportWriter:MetadataWritten":
      soul({ passportVersion: a.version, lastActiveAt: timestamp });
      return;
    case "passportWriter:MetadataSynced":
    case "passportWriter:MetadataCleared":
      state.put("passport", [a.passportId], {
        metadataPendingAt: null,
        metadataPendingBlock: null,
      });
      return;
    case "passportWriter:MetadataPending":
    case "soulRegistry:MetadataPending":
      state.put("passport", [a.passportId], {
        metadataPendingAt: timestamp,
        metadataPendingBlock: block,
      });
      return;

    /* ORGANIZATIONS */
    case "organizationRegistry:OrganizationCreated":
      state.put("organization", [a.organizationId], {
        id: a.organizationId,
        admin: a.admin,
        pendingAdmin: null,
        founder: a.admin,
        name: text(a.name),
        version: 0,
        memberCount: 0n,
        createdAt: timestamp,
        createdBlock: block,
        createTx: tx,
      });
      state.put("organization_admin", [a.organizationId, 0], {
        organizationId: a.organizationId,
        version: 0,
        admin: a.admin,
        kind: "FOUNDED",
        ...when,
      });
      return;
    case "organizationRegistry:AdminNamed":
      state.put("organization", [a.organizationId], {
        pendingAdmin: a.pendingAdmin === ZERO_ADDRESS ? null : a.pendingAdmin,
        version: a.version,
      });
      return;
    case "organizationRegistry:AdminChanged":
      state.put("organization", [a.organizationId], {
        admin: a.admin,
        pendingAdmin: null,
        version: a.version,
      });
      state.put("organization_admin", [a.organizationId, a.version], {
        organizationId: a.organizationId,
        version: a.version,
        admin: a.admin,
        kind: "HANDED_OVER",
        ...when,
      });
      return;
    case "organizationRegistry:MembersJoined":
      for (let tokenId = a.firstTokenId; tokenId < a.firstTokenId + a.count; tokenId += 1n) {
        reduce(state, {
          ...event,
          name: "organizationRegistry:MemberJoined",
          args: { ...a, tokenId, admin: a.owner },
        });
      }
      return;
    case "organizationRegistry:MemberJoined":
    case "organizationRegistry:MemberLeft":
    case "organizationRegistry:MemberPruned": {
      const kind = { J: "JOINED", L: "LEFT", P: "PRUNED" }[
        event.name.charAt("organizationRegistry:Member".length)
      ];
      const joined = kind === "JOINED";
      state.put("membership", [a.tokenId], {
        tokenId: a.tokenId,
        organizationId: joined ? a.organizationId : null,
        epoch: joined ? a.epoch : null,
        version: a.version,
        ...updated,
      });
      state.put("organization", [a.organizationId], { memberCount: a.memberCount });
      state.put("membership_change", [a.tokenId, ...here], {
        tokenId: a.tokenId,
        version: a.version,
        kind,
        organizationId: a.organizationId,
        epoch: a.epoch,
        by: joined ? a.owner : a.endedBy,
        admin: a.admin,
        memberCount: a.memberCount,
        ...when,
      });
      if (joined) soul({ lastActiveAt: timestamp });
      return;
    }

    /* BINDINGS */
    case "bindingRegistry:BindingSet": {
      const { bindingId, fromTokenId, toTokenId, previousTrustLevel, ...values } = a;
      const record = { ...values, authority: AUTHORITIES[a.authority], context: text(a.context) };
      state.put(
        "binding",
        [fromTokenId, toTokenId],
        { ...record, ...updated },
        { fromTokenId, toTokenId, bindingId, createdAt: timestamp },
      );
      state.put("binding_change", [fromTokenId, toTokenId, a.version, a.serviceVersion], {
        fromTokenId,
        toTokenId,
        previousTrustLevel,
        ...record,
        ...when,
      });
      state.put("soul", [fromTokenId], { lastActiveAt: timestamp });
      return;
    }

    /* KEYS */
    case "agentKeys:AgentKeysSet": {
      const { tokenId, epoch, owner, version } = a;
      const set = (value: string) => (value === ZERO_HASH ? null : value);
      const record = {
        tokenId,
        epoch,
        owner,
        version,
        keysHash: set(a.keysHash),
        archiveId: set(a.archiveId),
        onlyWithAgentWallet: a.onlyWithAgentWallet,
      };
      state.put("agent_keys", [tokenId], { ...record, ...updated });
      state.put("agent_keys_change", [tokenId, version], { ...record, ...when });
      soul({ lastActiveAt: timestamp });
      return;
    }

    /* ALLOWANCES */
    case "allowanceVault:AllowanceSet":
    case "allowanceVault:AllowanceDeactivated": {
      const set = event.name.endsWith("Set");
      state.put(
        "allowance",
        [a.tokenId, a.epoch],
        {
          version: a.version,
          active: set,
          validUntil: set ? BigInt(a.validUntil) : null,
          ...(set && {
            perTransaction: a.perTransaction,
            dailyLimit: a.dailyLimit,
            onlyWithAgentWallet: a.onlyWithAgentWallet,
          }),
        },
        freshAllowance(a),
      );
      state.put("allowance_change", [a.tokenId, a.epoch, a.version], {
        ...a,
        validUntil: set ? BigInt(a.validUntil) : null,
        kind: set ? "SET" : "DEACTIVATED",
        ...when,
      });
      soul({ lastActiveAt: timestamp });
      return;
    }
    case "allowanceVault:Spent":
    case "allowanceVault:SpendRefused":
    case "allowanceVault:SpendReported": {
      const kind = { Spent: "ALLOWED", SpendRefused: "REFUSED", SpendReported: "REPORTED" }[
        event.name.slice("allowanceVault:".length)
      ];
      const reason = REASONS[a.reason ?? 0];
      state.put("spend", [a.tokenId, ...here], {
        ...a,
        digest: a.digest === ZERO_HASH ? null : a.digest,
        kind,
        reason,
        withinLimits: reason === "NONE" || reason === "TRANSFER_FAILED",
        ...when,
      });
      const row = state.get("allowance", a.tokenId, a.epoch);
      state.put(
        "allowance",
        [a.tokenId, a.epoch],
        {
          spentDay: Number(timestamp / 86_400n),
          spentToday: a.spentToday,
          ...(kind === "ALLOWED" && {
            paidCount: plus(row, "paidCount", 1),
            paidAmount: plus(row, "paidAmount", a.amount),
          }),
          ...(kind === "REFUSED" && { refusedCount: plus(row, "refusedCount", 1) }),
          ...(kind === "REPORTED" && {
            reportedCount: plus(row, "reportedCount", 1),
            reportedAmount: plus(row, "reportedAmount", a.amount),
          }),
        },
        freshAllowance(a),
      );
      soul({ lastActiveAt: timestamp });
      if (kind === "ALLOWED") {
        const earned = state.get("earning", a.recipient, a.owner);
        state.put("earning", [a.recipient, a.owner], {
          recipient: a.recipient,
          owner: a.owner,
          payments: plus(earned, "payments", 1),
          amount: plus(earned, "amount", a.amount),
        });
      }
      return;
    }

    /* THE SERVICE'S RECORDS */
    case "chronicleAnchor:BatchAnchored": {
      const { batchId, ...values } = a;
      state.put("batch", [batchId], { id: batchId, ...values, ...when });
      return;
    }
    case "alignmentRegistry:AlignmentRecorded":
      state.put("alignment", [a.tokenId, a.blockNumber], {
        tokenId: a.tokenId,
        scoredBlock: a.blockNumber,
        epoch: a.epoch,
        score: a.score,
        previousScore: a.previousScore,
        archiveId: a.archiveId,
        ...when,
      });
      soul({
        alignmentScore: a.score,
        alignmentArchiveId: a.archiveId,
        alignmentBlock: a.blockNumber,
        alignmentAt: timestamp,
      });
      return;

    /* HUMANS */
    case "humanVerifierRegistry:VerifierProposed":
      state.put("human_verifier", [a.verifier], {
        address: a.verifier,
        status: "PROPOSED",
        activatableAt: a.activatableAt,
        activatedBy: null,
        ...updated,
      });
      return;
    case "humanVerifierRegistry:VerifierActivated":
      state.put("human_verifier", [a.verifier], {
        status: "APPROVED",
        activatedBy: a.caller,
        ...updated,
      });
      return;
    case "humanVerifierRegistry:VerifierRemoved":
      state.put("human_verifier", [a.verifier], {
        status: "REMOVED",
        activatedBy: null,
        ...updated,
      });
      return;
    case "humanVerifierRegistry:HumanProofConsumed":
      state.put("human_proof", [a.consumer, a.verifier, a.nullifier], { ...a, ...when });
      return;

    /* REPUTATION AND VALIDATION */
    case "reputationRegistry:NewFeedback": {
      const trust = state.get("passport_trust", a.agentId);
      state.put(
        "feedback",
        [a.agentId, a.clientAddress, a.feedbackIndex],
        {
          passportId: a.agentId,
          client: a.clientAddress,
          feedbackIndex: a.feedbackIndex,
          value: a.value,
          valueDecimals: a.valueDecimals,
          tag1: text(a.tag1),
          tag2: text(a.tag2),
          endpoint: text(a.endpoint),
          uri: text(a.feedbackURI),
          hash: a.feedbackHash,
          givenAt: timestamp,
          givenBlock: block,
          giveTx: tx,
          giveLogIndex: logIndex,
        },
        { responses: 0 },
      );
      state.put(
        "passport_trust",
        [a.agentId],
        {
          feedback: plus(trust, "feedback", 1),
          feedbackClients: plus(trust, "feedbackClients", a.feedbackIndex === 1n ? 1 : 0),
        },
        freshTrust(a.agentId),
      );
      return;
    }
    case "reputationRegistry:FeedbackRevoked": {
      const trust = state.get("passport_trust", a.agentId);
      state.put("feedback", [a.agentId, a.clientAddress, a.feedbackIndex], {
        revokedAt: timestamp,
        revokedBlock: block,
        revokeTx: tx,
        revokeLogIndex: logIndex,
      });
      state.put("passport_trust", [a.agentId], {
        feedbackRevoked: plus(trust, "feedbackRevoked", 1),
      });
      return;
    }
    case "reputationRegistry:ResponseAppended": {
      const trust = state.get("passport_trust", a.agentId);
      const key = [a.agentId, a.clientAddress, a.feedbackIndex];
      state.put("feedback", key, {
        responses: plus(state.get("feedback", ...key), "responses", 1),
      });
      state.put("feedback_response", [...key, ...here], {
        passportId: a.agentId,
        client: a.clientAddress,
        feedbackIndex: a.feedbackIndex,
        responder: a.responder,
        uri: text(a.responseURI),
        hash: a.responseHash,
        ...when,
      });
      state.put("passport_trust", [a.agentId], {
        feedbackResponses: plus(trust, "feedbackResponses", 1),
      });
      return;
    }
    case "validationRegistry:ValidationRequest": {
      const trust = state.get("passport_trust", a.agentId);
      state.put("validation", [a.requestHash], {
        requestHash: a.requestHash,
        validator: a.validatorAddress,
        passportId: a.agentId,
        requestUri: text(a.requestURI),
        requestedAt: timestamp,
        requestedBlock: block,
        requestTx: tx,
        requestLogIndex: logIndex,
      });
      state.put(
        "passport_trust",
        [a.agentId],
        { validationRequests: plus(trust, "validationRequests", 1) },
        freshTrust(a.agentId),
      );
      return;
    }
    case "validationRegistry:ValidationResponse": {
      const trust = state.get("passport_trust", a.agentId);
      state.put("validation", [a.requestHash], {
        response: a.response,
        responseUri: text(a.responseURI),
        responseHash: a.responseHash,
        tag: text(a.tag),
        respondedAt: timestamp,
        respondedBlock: block,
        responseTx: tx,
      });
      state.put("validation_response", [a.requestHash, ...here], {
        requestHash: a.requestHash,
        validator: a.validatorAddress,
        passportId: a.agentId,
        response: a.response,
        uri: text(a.responseURI),
        hash: a.responseHash,
        tag: text(a.tag),
        ...when,
      });
      state.put("passport_trust", [a.agentId], {
        validationResponses: plus(trust, "validationResponses", 1),
      });
    }
  }
}

const freshAllowance = (a: { tokenId: bigint; epoch: number; owner: Address }) => ({
  tokenId: a.tokenId,
  epoch: a.epoch,
  owner: a.owner,
  version: 0,
  active: false,
  perTransaction: 0n,
  dailyLimit: 0n,
  onlyWithAgentWallet: false,
  spentToday: 0n,
  paidCount: 0,
  paidAmount: 0n,
  refusedCount: 0,
  reportedCount: 0,
  reportedAmount: 0n,
});

const freshTrust = (passportId: bigint) => ({
  passportId,
  feedback: 0,
  feedbackRevoked: 0,
  feedbackClients: 0,
  feedbackResponses: 0,
  validationRequests: 0,
  validationResponses: 0,
});
