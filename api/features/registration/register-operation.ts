import type { Hex } from "viem";
import { bytesToHex, hexToBytes, zeroHash } from "viem";
import type { HumanProof, RegistrationMessage } from "../../../protocol/index.ts";
import { archiveIdOf } from "../../../protocol/index.ts";
import { storedKeyOf } from "../../kernel/api-keys.ts";
import { ApiError } from "../../kernel/errors.ts";
import type {
  ChainOperation,
  Operation,
  OperationSecrets,
  SignedOperation,
} from "../../operations/operation.ts";
import { requiredAs } from "../../operations/operation.ts";
import type { Secrets } from "../../platform/secrets/secrets.ts";
import { SALT_PURPOSE } from "../../soul/soul-salt.ts";
import { apiKeyOf, encryptedApiKey } from "./api-key.ts";
import type { RegistrationContext, RegistrationRequest } from "./content.ts";
import {
  fileWithoutIds,
  humanProofOf,
  registrationFields,
  registrationFileJson,
} from "./content.ts";
import type {
  CompletedRegistration,
  FollowUp,
  Publication,
  RegistrationCall,
  RegistrationOrigin,
} from "./ports.ts";
import { REGISTRATION_GAS, REGISTRATION_PREFIX } from "./ports.ts";
import type { Publisher } from "./publisher.ts";
import type { RegistrationStore } from "./registrations.store.ts";
import type { SoulRegistry } from "./soul-registry.chain.ts";

/** An acceptable registration: the request with the service's part filled in. */
export interface AcceptableRegistration<Origin extends RegistrationOrigin = RegistrationOrigin> {
  readonly request: RegistrationRequest;
  readonly origin: Origin;
  /** As the organization registry takes it; `0x` for none. */
  readonly adminConsent: Hex;
  /** Of a prepared message, in Unix seconds; null for the usual 15 minutes. */
  readonly deadline: bigint | null;
}

/** What a registration's call needs besides its message. */
export interface RegistrationPayload {
  readonly adminConsent: Hex;
  readonly humanProof: HumanProof | null;
}

/** The differences between a registration by an owner and the claim of an agent's registration. */
export interface RegistrationKind<Request, Origin extends RegistrationOrigin> {
  /** Stored with each operation: never renamed. */
  readonly kind: string;
  /** See `ChainOperation.requestJson`. It must not hold the soul's salt. */
  requestJson(request: Request): unknown;
  /** @throws ApiError for a request that no signature makes acceptable. */
  read(request: Request): Promise<AcceptableRegistration<Origin>>;
  /** See `ChainOperation`. */
  refuseRepetition(request: Request): ApiError;
  reportedError(request: Request, error: unknown): Promise<unknown>;
  /** Archives content of the agent's own request, before the transaction is sent. */
  archiveStaged(origin: Origin): Promise<void>;
  readonly followUp: FollowUp<Origin>;
}

export interface RegisterOperationDeps {
  readonly context: RegistrationContext;
  readonly soulRegistry: Omit<SoulRegistry, "tokenOfName">;
  readonly publisher: Publisher;
  readonly store: RegistrationStore;
  readonly secrets: Secrets;
}

export type RegisterOperation<Request> = ChainOperation<
  Request,
  AcceptableRegistration,
  RegistrationPayload,
  CompletedRegistration
>;

type Registering = Operation<RegistrationPayload>;

/** The name of the salt among an operation's secrets. */
const SALT = "soulSalt";

const NOTHING_PUBLISHED: Publication = {
  archiveId: zeroHash,
  agentURI: "",
  agentURIWithoutIds: "",
  expectedPassportId: 0n,
  expectedTokenId: 0n,
  reservation: 0n,
};

/** Registers a soul, with a new passport or bound to one, by its owner's signature. */
export function registerOperation<Request, Origin extends RegistrationOrigin>(
  kind: RegistrationKind<Request, Origin>,
  deps: RegisterOperationDeps,
): RegisterOperation<Request> {
  const { context, soulRegistry, publisher, store, secrets } = deps;
  const { followUp } = kind;
  const originOf = ({ origin }: { readonly origin: RegistrationOrigin }) => origin as Origin;

  return {
    kind: kind.kind,
    settlement: "chain",
    prefix: REGISTRATION_PREFIX,
    signer: "registrar",
    messageTypes: { owner: { contract: "SoulRegistry", primaryType: "Registration" } },
    requestJson: kind.requestJson,
    read: kind.read,
    signatures: (_request, { request }) => [{ role: "owner", signer: request.ownerAddress }],
    // Its soul does not exist yet.
    subjects: () => [],
    registrant: (_request, { request }) => request.ownerAddress,
    deadline: (_request, { deadline }) => deadline,
    refuseRepetition: kind.refuseRepetition,
    reportedError: kind.reportedError,

    async plan(_request, { request, adminConsent }) {
      const salt = hexToBytes(request.soulSalt);
      const encrypted: OperationSecrets = {
        [SALT]: secrets.encrypt(SALT_PURPOSE, salt, request.soulHash),
      };
      return {
        messages: { owner: registrationFields(request, context) },
        payload: { adminConsent, humanProof: humanProofOf(request, context) },
        secrets: encrypted,
        // They name ids that are only known when the transaction is built.
        items: [],
        shown: fileWithoutIds(request, context),
      };
    },

    async assertAcceptable(_request, { origin, request }, unsigned) {
      await soulRegistry.simulateUnsigned(callOf(unsigned));
      const holder = origin.kind === "claim" ? origin.registrationId : null;
      await store.assertNameFree(request.agentName, holder);
    },

    gas: () => REGISTRATION_GAS,
    call: (operation) => soulRegistry.registerCall(callOf(operation)),
    buildCall: (operation) =>
      builtCall(deps, operation, (origin) => kind.archiveStaged(originOf({ origin }))),

    async onAccept(tx, { id }, { request: { soulSalt: _, ...request }, origin }) {
      const apiKeyEncrypted = encryptedApiKey(id, secrets);
      const begun = { id, origin: originOf({ origin }), request, apiKeyEncrypted };
      await store.begin(tx, begun);
      await followUp.accepted(tx, begun);
    },

    async result(operation, { txHash }) {
      const registered = await soulRegistry.registeredIn(txHash);
      const { request } = await requestOf(deps, operation);
      const { archiveId, agentUri: completeUri } = await publisher.publish(request, registered);
      assertSignedFile(operation, request, completeUri);
      return { ...registered, operationId: operation.id, archiveId, completeUri };
    },

    async onSettle(tx, operation, _execution, completed) {
      const record = await store.read(operation.id, tx);
      const { message } = requiredAs<RegistrationMessage>(operation.signatures, "owner");
      const { request } = record;
      await store.complete(tx, operation.id, {
        tokenId: completed.tokenId,
        epoch: completed.epoch,
        archiveId: completed.archiveId,
        apiKey: storedKeyOf(apiKeyOf(record, secrets)),
        soulHash: request.soulHash,
        saltEncrypted: saltOf(operation),
        leaves: request.merkleLeaves,
      });
      await followUp.completed(tx, { ...record, origin: originOf(record), message }, completed);
    },

    async onEnd(tx, operation) {
      const record = await store.read(operation.id, tx);
      await store.remove(tx, operation.id);
      await followUp.ended(tx, { ...record, origin: originOf(record) });
    },
  };
}

/** The stored registration with its salt, which is stored only encrypted. */
async function requestOf({ store, secrets }: RegisterOperationDeps, operation: Registering) {
  const { request, origin } = await store.read(operation.id);
  const salt = secrets.decrypt(SALT_PURPOSE, saltOf(operation), request.soulHash);
  return { origin, request: { ...request, soulSalt: bytesToHex(salt) } };
}

/** Everything is archived under its final id before the transaction that names it is sent. */
async function builtCall(
  deps: RegisterOperationDeps,
  operation: Registering,
  archiveStaged: (origin: RegistrationOrigin) => Promise<void>,
) {
  const { context, soulRegistry, publisher } = deps;
  const { origin, request } = await requestOf(deps, operation);
  await archiveStaged(origin);
  const ids = await soulRegistry.simulateRegister(callOf(operation));
  const published = await publisher.publish(request, ids);
  const archiveId = archiveIdOf(published.archiveId);
  assertSignedFile(operation, request, published.agentUri);
  if (request.passport !== null) {
    // The owner signed the passport's URI, and the contract takes no other.
    return soulRegistry.registerCall(callOf(operation, { ...NOTHING_PUBLISHED, archiveId }));
  }
  const withoutIds = registrationFileJson(request, context, null);
  return soulRegistry.registerCall(
    callOf(operation, {
      archiveId,
      agentURI: published.agentUri,
      agentURIWithoutIds: `ar://${await publisher.archiveJson(withoutIds)}`,
      expectedPassportId: ids.passportId,
      expectedTokenId: ids.tokenId,
      reservation: 0n,
    }),
  );
}

/**
 * The owner of an existing passport signed the URI of its file. The file's text can have changed
 * since, with another release or public URL: then nothing may be sent.
 */
function assertSignedFile(
  operation: Registering,
  request: { readonly passport: unknown },
  agentUri: string,
): void {
  const { message } = requiredAs<RegistrationMessage>(operation.signatures, "owner");
  if (request.passport === null || agentUri === message.agentURI) return;
  throw new ApiError("INVALID_REQUEST", {
    message:
      "The passport's registration file would not be the one that was signed. Prepare the registration again, and sign it.",
    details: { signed: message.agentURI, agentUri },
  });
}

function saltOf({ id, secrets }: Registering): Buffer {
  const salt = secrets?.[SALT];
  if (!salt) throw new Error(`Registration ${id} has lost its salt.`);
  return salt;
}

function callOf(
  { payload, signatures }: SignedOperation<RegistrationPayload>,
  publication = NOTHING_PUBLISHED,
): RegistrationCall {
  const { message, signature } = requiredAs<RegistrationMessage>(signatures, "owner");
  const { adminConsent, humanProof } = payload;
  return { message, publication, adminConsent, signature, humanProof };
}
