import { randomBytes } from "node:crypto";
import type { Address, Hex } from "viem";
import { bytesToHex, hexToBytes } from "viem";
import type {
  AgentWalletMessage,
  Field,
  FieldLeaf,
  RegistrationMessage,
} from "../../../protocol/index.ts";
import { canonicalJson, didOf, parseAgentType } from "../../../protocol/index.ts";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../../kernel/unsigned-transactions.ts";
import { unixSeconds } from "../../operations/signing-deadline.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import type { Requester } from "../../platform/sponsorship/sponsorship.ts";
import type { SoulSource } from "../../soul/text/agent-soul.ts";
import type { SoulReader } from "../../soul/text/soul-tasks.ts";
import type {
  CompletedRegistration,
  LeftMetadata,
  PassportBinding,
  PendingRegistration,
  RegistrationContext,
  RegistrationEngine,
  RegistrationInput,
  RegistrationRequest,
  RegistrationResolver,
} from "../registration/index.ts";
import {
  acceptableRequest,
  agentWalletConsent,
  assertConsistent,
  pendingMetadata,
  registrationDigest,
  registrationMessage,
} from "../registration/index.ts";
import type { StagedContent } from "./agent-registration.ts";
import {
  committed,
  REGISTRATION_SALT_PURPOSE,
  REGISTRATION_TOKEN,
  registrationTokenHash,
} from "./agent-registration.ts";
import type { ClaimEdits } from "./edits.ts";
import { editedBirthBundle, editedIdentity } from "./edits.ts";

/** The signed terms, which a claim must repeat exactly. */
export interface ClaimTerms {
  readonly registrationId: string;
  readonly ownerAddress: Address;
  readonly edits: ClaimEdits;
  /** Whether the same transaction seals. */
  readonly seal: boolean;
  /** Whether the agent may exchange its provisional key for a full key of its own. */
  readonly agentKeeps: boolean;
}

/** A stored registration of an agent. */
export interface AgentRegistration {
  readonly id: string;
  readonly name: string;
  readonly state: "pending" | "claiming" | "claimed" | "deleted";
  /** Null, like the two after it, once it is claimed or deleted. */
  readonly content: StagedContent | null;
  /** Bound to `id`. */
  readonly saltEncrypted: Buffer | null;
  readonly leaves: readonly FieldLeaf[] | null;
  readonly documentText: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly tokenId: bigint | null;
  readonly owner: Address | null;
}

/** A draft that an owner was given to sign. */
export interface ClaimDraft {
  readonly registrationId: string;
  readonly agentKeeps: boolean;
  /** HMAC of the edits, and of whether the agent keeps a key. */
  readonly editsMac: Buffer;
  readonly request: Omit<RegistrationRequest, "soulSalt">;
  readonly message: RegistrationMessage;
  /** Bound to the registration's id and the message's nonce. */
  readonly saltEncrypted: Buffer;
  readonly createdAt: Date;
}

/** How many drafts are stored for one registration. */
export interface DraftLimits {
  /** The limit of drafts by one requester for one owner: the newest are kept. */
  readonly perOwner: number;
  /** Drafts of one requester, for any owners: more are refused. */
  readonly perRequester: number;
  /**
   * Drafts of one registration. One more displaces the oldest draft of the network block with the
   * most drafts. It is refused when that block has no more drafts than its own block then would. So
   * the newest draft of a block is never displaced.
   */
  readonly perRegistration: number;
}

export interface ClaimStore {
  find(tokenHash: Buffer): Promise<AgentRegistration | null>;
  /**
   * Stores a draft within the limits. Does nothing when the registration can no longer be claimed.
   *
   * @param requester the caller, as limits count callers.
   * @throws ApiError RATE_LIMIT_EXCEEDED when it exceeds the requester's limit, or its network
   * block's share of a full registration.
   */
  insertDraft(draft: ClaimDraft, requester: string, limits: DraftLimits): Promise<void>;
  findDraft(registrationId: string, nonce: bigint): Promise<ClaimDraft | null>;
  /** Whether a claimed agent itself holds a live key at `at`: a key rotation ends it. */
  hasAgentKey(tokenId: bigint, at: Date): Promise<boolean>;
}

export interface ClaimDeps {
  readonly context: RegistrationContext;
  readonly engine: Pick<
    RegistrationEngine,
    "assertAcceptable" | "accept" | "finish" | "findByDigest" | "apiKeyOf"
  >;
  readonly resolver: RegistrationResolver;
  readonly binding: PassportBinding;
  readonly transactions: PassportTransactions;
  readonly store: ClaimStore;
  readonly souls: SoulReader;
  readonly secrets: Secrets;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** The owner's answer. The key, the salt and the leaves are returned only here. */
export interface ClaimAnswer {
  readonly pending: PendingRegistration;
  readonly completed: CompletedRegistration;
  readonly did: string;
  readonly agentKeeps: boolean;
  readonly apiKey: string;
  /** Without it no field of the soul can ever be proven. */
  readonly soulSalt: Hex;
  /**
   * The transaction that points the passport at the file with its ids; null when it already does.
   */
  readonly agentUriTransaction: UnsignedTransaction | null;
  readonly pendingMetadata: LeftMetadata["pendingMetadata"];
  readonly approvalTransaction: LeftMetadata["approvalTransaction"];
  /**
   * Signed by the agent's wallet, it lets the owner set that wallet; null for a passport that was
   * bound.
   */
  readonly agentWallet: AgentWalletMessage | null;
  /** The block that reads had reached when the answer was given. */
  readonly indexedBlock: bigint;
}

export type ClaimService = ReturnType<typeof createClaims>;

const EDITS_PURPOSE = "claim-edits";
const DRAFT_SALT_PURPOSE = "claim-draft-salt";
const DRAFT_LIMITS: DraftLimits = { perOwner: 5, perRequester: 20, perRegistration: 100 };

/** How an owner claims an agent that registered itself. */
export function createClaims(deps: ClaimDeps) {
  const { context, engine, store, secrets, clock } = deps;

  /**
   * The public part of a registration. @throws ApiError NOT_FOUND; GONE when it expired unclaimed.
   */
  async function draft(registrationId: string): Promise<AgentRegistration> {
    const found = await known(registrationId);
    if (isGone(found)) throw gone();
    return found;
  }

  /**
   * The message that the owner signs: valid until the registration expires, and for exactly these
   * terms.
   *
   * @throws ApiError NOT_FOUND, GONE, ALREADY_CLAIMED; INVALID_REQUEST for invalid edits;
   * HASH_MISMATCH for a public value that does not match its leaf, and for a text that states
   * another name or type; RATE_LIMIT_EXCEEDED for too many drafts.
   *
   * @param requester the caller, as limits count callers.
   */
  async function prepare(terms: ClaimTerms, requester: string): Promise<RegistrationMessage> {
    const registration = await known(terms.registrationId);
    assertOpen(registration);
    const request = await accepted(await inputOf(registration, terms));
    const message = registrationMessage(request, context, {
      nonce: deps.randomNonce(),
      deadline: unixSeconds(registration.expiresAt),
    });
    const { registrationId: publicId } = terms;
    const origin = { kind: "claim", registrationId: registration.id, publicId } as const;
    await engine.assertAcceptable(request, message, origin);
    const { soulSalt, ...kept } = request;
    await store.insertDraft(
      {
        registrationId: registration.id,
        agentKeeps: terms.agentKeeps,
        editsMac: macOf(registration.id, message.nonce, terms, secrets.versions[0] as number),
        request: kept,
        message,
        createdAt: clock(),
        saltEncrypted: secrets.encrypt(
          DRAFT_SALT_PURPOSE,
          hexToBytes(soulSalt),
          placeOf(registration.id, message.nonce),
        ),
      },
      requester,
      DRAFT_LIMITS,
    );
    return message;
  }

  /**
   * Mints, and seals unless the terms say otherwise, by the owner's one signature over the message
   * that `prepare` gave for these terms.
   *
   * @param requester Only the same operation key reads the answer again.
   * @throws ApiError NOT_FOUND, GONE, ALREADY_CLAIMED; NONCE_EXPIRED when no draft has the nonce;
   * INVALID_REQUEST when the draft was made for other terms, or before the passport's file changed;
   * those of `PassportBinding`; INVALID_SIGNATURE, WALLET_NOT_DEPLOYED; the contract's refusals;
   * RATE_LIMIT_EXCEEDED and GAS_BUDGET_EXHAUSTED; CHAIN_UNAVAILABLE and STORAGE_UNAVAILABLE.
   */
  async function claim(
    terms: ClaimTerms,
    signed: { readonly nonce: bigint; readonly signature: Hex },
    { operationKey, network }: Requester,
  ): Promise<ClaimAnswer> {
    const registration = await known(terms.registrationId);
    const draft = await store.findDraft(registration.id, signed.nonce);
    if (draft !== null) {
      const begun = await engine.findByDigest(registrationDigest(draft.message, context));
      if (begun?.pending.operationKey === operationKey) {
        assertTerms(draft, terms, signed.nonce);
        return answer(
          draft,
          begun.pending,
          begun.completed ?? (await engine.finish(begun.pending)),
        );
      }
    }
    assertOpen(registration);
    if (draft === null) {
      throw new ApiError("NONCE_EXPIRED", {
        message:
          "This nonce belongs to no draft of this registration, or newer drafts replaced it. Request the typed data again.",
      });
    }
    assertTerms(draft, terms, signed.nonce);
    const { registrationId: publicId } = terms;
    const request = { ...draft.request, soulSalt: saltOf(draft) };
    const pending = await assertPassportAsDrafted(request, draft.message)
      .then(() =>
        engine.accept({
          origin: {
            kind: "claim",
            registrationId: registration.id,
            publicId,
            agentKeeps: draft.agentKeeps,
          },
          request,
          message: draft.message,
          adminConsent: "0x",
          operationKey,
          signature: signed.signature,
          network,
        }),
      )
      .catch(async (error: unknown) => {
        // If another claim won, report ALREADY_CLAIMED rather than the check that happened to fail.
        const { state } = await known(publicId);
        if (state !== "claiming" && state !== "claimed") throw error;
        throw alreadyClaimed(registration.name);
      });
    return answer(draft, pending, await engine.finish(pending));
  }

  /**
   * A draft may be a day old. The passport's current content must not be overwritten with its
   * earlier content.
   */
  async function assertPassportAsDrafted(
    request: RegistrationRequest,
    message: RegistrationMessage,
  ): Promise<void> {
    if (request.passport === null) return;
    const { passportId } = request.passport;
    const passport = await deps.binding.inspect(passportId, request.ownerAddress);
    await deps.binding.assertApproved(passportId);
    const { contentHash } = registrationMessage({ ...request, passport }, context, message);
    if (contentHash === message.contentHash) return;
    throw badRequest(
      "nonce",
      "The passport's registration file has changed since this was drafted. Request the typed data again",
    );
  }

  /** The request, completed by the service, if the contract can accept it. */
  async function accepted(input: RegistrationInput): Promise<RegistrationRequest> {
    // Its hashes were computed here; the values that the owner publishes are checked.
    assertConsistent({ ...input, soulDocuments: null });
    return acceptableRequest(input, deps);
  }

  async function known(registrationId: string): Promise<AgentRegistration> {
    const found = REGISTRATION_TOKEN.test(registrationId)
      ? await store.find(registrationTokenHash(registrationId))
      : null;
    if (found === null) {
      throw new ApiError("NOT_FOUND", { message: "There is no registration with this id." });
    }
    return found;
  }

  function isGone({ state, expiresAt }: AgentRegistration): boolean {
    return state === "deleted" || (state === "pending" && expiresAt < clock());
  }

  function assertOpen(registration: AgentRegistration): void {
    if (isGone(registration)) throw gone();
    if (registration.state !== "pending") throw alreadyClaimed(registration.name);
  }

  /** The owner's registration: the agent's own, with the owner's edits. */
  async function inputOf(
    registration: AgentRegistration,
    { ownerAddress, edits, seal }: ClaimTerms,
  ): Promise<RegistrationInput> {
    const { content } = registration;
    if (content === null) throw gone();
    const soul = await soulOf(registration, content, edits);
    return {
      agentName: registration.name,
      ...soul,
      publicIdentity: editedIdentity(content, edits),
      birthBundle: editedBirthBundle(content.birthBundle, edits.birthBundle),
      ownerAddress,
      operatorAddress: null,
      parentTokenId: edits.parentTokenId ?? 0n,
      organizationId: 0n,
      seal,
      humanProof: edits.humanProof ?? null,
      soulDocuments: content.document === null ? null : [content.document],
      passportId: content.erc8004AgentId,
    };
  }

  async function soulOf(
    registration: AgentRegistration,
    content: StagedContent,
    edits: ClaimEdits,
  ) {
    const source = sourceOf(edits);
    if (source === null) {
      assertLeavesUntouched(content, edits);
      return {
        agentType: content.agentType,
        soulHash: content.soulHash,
        soulMerkleRoot: content.soulMerkleRoot,
        merkleLeaves: registration.leaves ?? [],
        soulSalt: stagedSalt(registration),
        sourceFormat: content.sourceFormat,
        publicFields: edits.publicFields ?? content.publicFields,
      };
    }
    const isWhole = source.kind === "ccsf";
    const { document } = content;
    // Every text has its own salt: with the old one, a reader of the old text could tell what has
    // not changed.
    const soulSalt = bytesToHex(randomBytes(32));
    const { agentType, publicFields, ...hashed } = await deps.souls.run(
      "hashSource",
      {
        source,
        frame: {
          agentName: registration.name,
          agentType: edits.agentType ?? (isWhole ? null : content.agentType),
          description: edits.agentDescription ?? (isWhole ? null : content.agentDescription),
          documents: document === null ? [] : [committed(document)],
        },
        soulSalt,
        publicFields: Object.keys(content.publicFields) as Field[],
      },
      isWhole ? "editedData.ccsf" : "editedData.systemPrompt",
    );
    return {
      agentType: parseAgentType(agentType),
      ...hashed,
      soulSalt,
      sourceFormat: isWhole ? "ccsf_json" : source.format,
      publicFields: edits.publicFields ?? publicFields,
    };
  }

  function stagedSalt({ id, saltEncrypted }: AgentRegistration): Hex {
    if (saltEncrypted === null) throw gone();
    return bytesToHex(secrets.decrypt(REGISTRATION_SALT_PURPOSE, saltEncrypted, id));
  }

  function saltOf({ registrationId, message, saltEncrypted }: ClaimDraft): Hex {
    const place = placeOf(registrationId, message.nonce);
    return bytesToHex(secrets.decrypt(DRAFT_SALT_PURPOSE, saltEncrypted, place));
  }

  /** Refuses terms that differ from the draft's, naming the difference. */
  function assertTerms(draft: ClaimDraft, terms: ClaimTerms, nonce: bigint): void {
    const { registrationId, message, editsMac, agentKeeps } = draft;
    const issues = [
      ...(message.owner === terms.ownerAddress
        ? []
        : [{ path: "ownerAddress", message: `The draft of this nonce is for ${message.owner}` }]),
      ...(message.seal === terms.seal
        ? []
        : [{ path: "seal", message: `The draft of this nonce says ${message.seal}` }]),
      ...(agentKeeps === terms.agentKeeps
        ? []
        : [{ path: "agentKeeps", message: `The draft of this nonce says ${agentKeeps}` }]),
      ...(secrets.versions.some((version) =>
        macOf(registrationId, nonce, { ...terms, agentKeeps }, version).equals(editsMac),
      )
        ? []
        : [
            {
              path: "editedData",
              message: "These edits differ from those of this nonce's draft",
            },
          ]),
    ];
    if (issues.length > 0) {
      throw new ApiError("INVALID_REQUEST", {
        message: "The signed message does not match this claim.",
        details: { issues },
      });
    }
  }

  /** A plain hash would let a reader of the table confirm a guess at private text. */
  function macOf(
    id: string,
    nonce: bigint,
    { edits, agentKeeps }: Pick<ClaimTerms, "edits" | "agentKeeps">,
    version: number,
  ): Buffer {
    const parts = [id, nonce.toString(), jsonOf(edits), String(agentKeeps)];
    return secrets.hmac(EDITS_PURPOSE, parts, version);
  }

  async function answer(
    draft: ClaimDraft,
    pending: PendingRegistration,
    completed: CompletedRegistration,
  ): Promise<ClaimAnswer> {
    const { transactions } = deps;
    const { passportId, agentUri, completeUri } = completed;
    return {
      pending,
      completed,
      agentUriTransaction:
        agentUri === completeUri ? null : transactions.setAgentUri(passportId, completeUri),
      ...pendingMetadata(pending, completed, transactions),
      agentWallet: agentWalletConsent(pending, completed, deps.clock()),
      did: didOf(context.chainId, pending.request.agentName),
      // The keys may have been rotated since the draft, also before the claim was finished.
      agentKeeps: await store.hasAgentKey(completed.tokenId, deps.clock()),
      apiKey: engine.apiKeyOf(pending),
      soulSalt: saltOf(draft),
      indexedBlock: await deps.index.waitForBlock(completed.blockNumber),
    };
  }

  return { draft, prepare, claim };
}

function sourceOf({ systemPrompt, sourceFormat, ccsf }: ClaimEdits): SoulSource | null {
  if (sourceFormat !== undefined && systemPrompt === undefined) {
    throw badRequest(
      "editedData.sourceFormat",
      "This is the format of systemPrompt: send that with it",
    );
  }
  if (ccsf !== undefined) {
    if (systemPrompt !== undefined) {
      throw badRequest("editedData.ccsf", "Send either systemPrompt or ccsf, not both");
    }
    return { kind: "ccsf", document: ccsf };
  }
  return systemPrompt === undefined
    ? null
    : { kind: "text", format: sourceFormat ?? "plaintext", text: systemPrompt };
}

/** A sealed soul can only be hashed again with the private text, which is not stored. */
function assertLeavesUntouched(content: StagedContent, edits: ClaimEdits): void {
  const touched: [keyof ClaimEdits, Field, boolean][] = [
    ["agentType", "identity.agent_type", differs(edits.agentType, content.agentType)],
    [
      "agentDescription",
      "identity.description",
      differs(edits.agentDescription, content.agentDescription),
    ],
  ];
  const issues = touched
    .filter(([, , isTouched]) => isTouched)
    .map(([edit, leaf]) => ({
      path: `editedData.${edit}`,
      message: `It changes the leaf ${leaf}: send systemPrompt or ccsf with it`,
    }));
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message:
        "The private text was discarded, and values that are hashed with it cannot be changed alone.",
      details: { issues },
    });
  }
}

function differs<T>(edit: T | undefined, staged: T | null): boolean {
  return edit !== undefined && edit !== staged;
}

/** Equal edits give equal text, in any order. */
function jsonOf(edits: ClaimEdits): string {
  const plain = JSON.stringify(edits, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
  return canonicalJson(JSON.parse(plain));
}

function placeOf(registrationId: string, nonce: bigint): string {
  return `${registrationId}:${nonce}`;
}

export function gone(): ApiError {
  return new ApiError("GONE", {
    message: "This registration was not claimed in time. Register again.",
  });
}

export function alreadyClaimed(agentName: string): ApiError {
  return new ApiError("ALREADY_CLAIMED", { details: { agentName } });
}
