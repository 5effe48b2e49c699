import type { Hex } from "viem";
import { ApiError } from "../api-error.ts";
import type { BaseClient } from "../create-client.ts";
import type { CallOptions, OperationId, RequestParts } from "../operation-types.ts";
import { checkedMessage, checkedPermit, type Fields } from "./check.ts";
import type { SigningDeployment } from "./deployment.ts";
import { SIGNED_OPERATIONS, type SignedInput, type SignedOperation } from "./operations.ts";
import { addressOf, type Signer, signTypedData } from "./signer.ts";

/** Operations that an owner signs. */
export type SignedId = keyof typeof SIGNED_OPERATIONS & OperationId;

/** Members of a body that the client adds. */
type Added = "message" | "signature" | "signer" | "nonce" | "permit";

/** Of several forms of a body, the one that is signed. */
type Unsigned<Body> = Body extends unknown
  ? "signature" extends keyof Body
    ? Omit<Body, Added>
    : never
  : never;

/** Path and body of an operation, without what the signature adds. */
export type SignInput<Id extends SignedId> = Omit<RequestParts<Id>, "body"> &
  (RequestParts<Id> extends { readonly body?: infer Body }
    ? Record<never, never> extends Unsigned<Exclude<Body, undefined>>
      ? { readonly body?: Unsigned<Exclude<Body, undefined>> }
      : { readonly body: Unsigned<Exclude<Body, undefined>> }
    : Record<never, never>) &
  CallOptions &
  SigningOptions;

export interface SigningOptions {
  readonly signer: Signer;
  /**
   * Called with the fields whose values the client cannot know, such as the id of a file that the
   * service has prepared. Return true to sign them. Without it such a message is not signed.
   */
  readonly review?: ((request: ReviewRequest) => boolean | Promise<boolean>) | undefined;
}

/** A message that the client cannot check completely. */
export interface ReviewRequest {
  readonly operation: string;
  /** The EIP-712 type, such as `SetAgentURI`. */
  readonly primaryType: string;
  /** The fields to decide about. */
  readonly fields: Fields;
  /** The whole message. */
  readonly message: Fields;
}

export interface SigningContext {
  readonly client: BaseClient;
  readonly deployment: SigningDeployment;
  readonly publicUrl: string;
}

/** Any operation's input. */
interface AnySignInput extends CallOptions, SigningOptions {
  readonly path?: Fields | undefined;
  readonly body?: Fields | undefined;
}

/** Asks for the typed data, checks it, signs it, and calls the operation. */
export async function signAndCall(
  id: string,
  input: AnySignInput,
  context: SigningContext,
): Promise<unknown> {
  const { path, signal, timeoutMs, idempotencyKey } = input;
  const body = await signedBody(id, input, context);
  const call = { path, body, signal, timeoutMs, idempotencyKey };
  return context.client.call(id as "burnAgent", call as never);
}

/**
 * The operation's body with message, signature and signer. It can be stored, and sent again after a
 * crash.
 *
 * @throws ApiError UNSAFE_TO_SIGN for a message that says something else, UNVERIFIED_FIELDS for one
 * that the client cannot check completely and that `review` does not accept.
 */
export async function signedBody(
  id: string,
  input: AnySignInput,
  { client, deployment, publicUrl }: SigningContext,
): Promise<Fields> {
  const definition = definitionOf(id);
  const { path = {}, body = {}, signer, signal, timeoutMs } = input;
  const address = addressOf(signer);
  const known: SignedInput = { path, body, signer: address, message: {}, deployment, publicUrl };
  const { name: _name, ...ids } = path;
  const prepareBody = definition.prepareBody?.(known) ?? { ...ids, ...body };
  const answer: unknown = await client.call(
    definition.prepare as "prepareBurn",
    { body: prepareBody, signal, timeoutMs } as never,
  );

  const { registrationFile: file, permit } = answer as Fields;
  const { typedData, unverified } = checkedMessage(answer, {
    operation: id,
    messages: definition.messages(known),
    fields: (message) => definition.fields({ ...known, message, file }),
    maxSeconds: definition.maxSeconds ?? 86_400,
    deployment,
  });
  const { primaryType, message } = typedData;
  const fields = { ...unverified, ...definition.unknown?.({ ...known, message, file }) };
  await assertReviewed({ operation: id, primaryType, fields, message }, input);
  const permitData =
    permit === undefined
      ? undefined
      : checkedPermit(permit, {
          owner: address,
          value: body.approval,
          deployment,
          operation: id,
        });

  const signature = await signTypedData(signer, typedData);
  if (id === "claimAgent") return { ...body, nonce: message.nonce, signature };
  const signed = { ...body, message, signature, signer: address };
  if (permitData === undefined) return signed;
  const permitSignature: Hex = await signTypedData(signer, permitData);
  return { ...signed, permit: { message: permitData.message, signature: permitSignature } };
}

function definitionOf(id: string): SignedOperation {
  const table: Readonly<Record<string, SignedOperation>> = SIGNED_OPERATIONS;
  const definition = Object.hasOwn(table, id) ? table[id] : undefined;
  if (definition !== undefined) return definition;
  throw new ApiError("INVALID_INPUT", `${id} is not signed by an owner.`, { operation: id });
}

async function assertReviewed(request: ReviewRequest, { review }: SigningOptions): Promise<void> {
  const names = Object.keys(request.fields);
  if (names.length === 0 || (await review?.(request)) === true) return;
  throw new ApiError(
    "UNVERIFIED_FIELDS",
    `The client cannot check ${names.join(", ")} of ${request.primaryType}.`,
    { operation: request.operation, details: { fields: request.fields } },
  );
}
