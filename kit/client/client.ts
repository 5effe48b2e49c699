import { ApiError } from "./api-error.ts";
import { type BaseClient, type ClientOptions, createBaseClient } from "./create-client.ts";
import type { Answer } from "./operation-types.ts";
import type { SigningDeployment } from "./signing/deployment.ts";
import type { RegisteredAgent, RegisterInput, ResumeInput } from "./signing/register.ts";
import type { SignedId, SignInput } from "./signing/sign.ts";
import type { SignInContext, SignInInput, SignInToken } from "./signing/sign-in.ts";

export interface SigningClientOptions extends ClientOptions {
  /** Chain and contracts, from a source that you trust. Needed to sign. */
  readonly deployment?: SigningDeployment | undefined;
  /** Origin under which the service publishes what it makes; `service`, where it is absent. */
  readonly publicUrl?: string | undefined;
  /** The domain of sign-in messages; the host of `publicUrl`, where it is absent. */
  readonly signInDomain?: string | undefined;
}

/** A client of one service, with one credential or none. */
export interface Client extends BaseClient {
  /** The same client with another credential, such as the token of a sign-in. */
  with(credential: Pick<ClientOptions, "apiKey" | "token">): Client;
  /**
   * Calls an operation that an owner signs: asks for its typed data, checks each field, signs and
   * sends it.
   *
   * @throws ApiError UNSAFE_TO_SIGN, UNVERIFIED_FIELDS: nothing was signed.
   */
  sign<Id extends SignedId>(id: Id, input: SignInput<Id>): Promise<Answer<Id>>;
  /** Signs in as an agent, or as an account with a passport. */
  signIn(input: SignInInput): Promise<SignInToken>;
  /** Registers an agent. Its self-description is hashed here and not sent. */
  register(input: RegisterInput | ResumeInput): Promise<RegisteredAgent>;
}

/**
 * A client of all operations of a service.
 *
 * @throws ApiError INVALID_INPUT for an address that a credential must not be sent to.
 */
export function createClient(given: SigningClientOptions): Client {
  // One for all clients that `with` makes of this one.
  const options = { ...given, lastWrite: given.lastWrite ?? { position: null } };
  const base = createBaseClient(options);

  function signingContext(): SignInContext {
    const { deployment, publicUrl = base.service } = options;
    if (deployment === undefined) {
      throw new ApiError("INVALID_INPUT", "Signing needs the deployment that you trust.");
    }
    const signInDomain = options.signInDomain ?? new URL(publicUrl).host;
    return { client: base, deployment, publicUrl, signInDomain };
  }

  // Signing and hashing are loaded when they are used: a client that only calls stays small.
  return {
    ...base,
    with: ({ apiKey, token }) => createClient({ ...options, apiKey, token }),

    async sign(id, input) {
      const context = signingContext();
      const { signAndCall } = await import("./signing/sign.ts");
      return (await signAndCall(id, input as never, context)) as never;
    },

    async signIn(input) {
      const context = signingContext();
      const { signIn } = await import("./signing/sign-in.ts");
      return signIn(input, context);
    },

    async register(input) {
      const context = signingContext();
      const { register } = await import("./signing/register.ts");
      return register(input, context);
    },
  };
}
