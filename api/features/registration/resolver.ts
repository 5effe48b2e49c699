import type { Address, Hex } from "viem";
import type { RegistrationContext, RegistrationInput, RegistrationRequest } from "./content.ts";
import { boundFileJson, humanProofOf } from "./content.ts";
import type { PassportBinding } from "./passport-binding.ts";

export type RegistrationResolver = ReturnType<typeof createRegistrationResolver>;

/**
 * Fills in the service's part of a registration, which is signed too: the passport's previous
 * content, a picture, and the registration file of a bound passport.
 */
export function createRegistrationResolver({
  binding,
  avatarUri,
  fileUri,
  context,
}: {
  readonly binding: PassportBinding;
  /** The URI of the picture that is drawn for an agent. */
  readonly avatarUri: (agent: { readonly name: string; readonly soulHash: Hex }) => Promise<string>;
  /** The URI that a registration file will have once it is stored. */
  readonly fileUri: (json: string) => Promise<string>;
  readonly context: RegistrationContext;
}) {
  return {
    /** @throws ApiError as `PassportBinding.inspect`. */
    async resolve({ passportId, ...input }: RegistrationInput): Promise<RegistrationRequest> {
      const passport =
        passportId === null
          ? null
          : await binding.inspect(passportId, input.ownerAddress as Address);
      const hasImage = (input.publicIdentity.image ?? passport?.inherited.image ?? "") !== "";
      const avatar = hasImage
        ? null
        : await avatarUri({ name: input.agentName, soulHash: input.soulHash });
      const request = { ...input, passport, avatar, boundUri: null };
      if (passport === null) return request;
      return { ...request, boundUri: await fileUri(boundFileJson(request, passport, context)) };
    },
  };
}

/** What fills in the service's part of a request. */
export interface ResolvedWith {
  readonly context: RegistrationContext;
  readonly resolver: RegistrationResolver;
  readonly binding: Pick<PassportBinding, "assertApproved">;
}

/**
 * The request with the service's part, if the contract would accept it.
 *
 * @throws ApiError of every check.
 */
export async function acceptableRequest(
  input: RegistrationInput,
  deps: ResolvedWith,
): Promise<RegistrationRequest> {
  humanProofOf(input, deps.context);
  const request = await deps.resolver.resolve(input);
  if (input.passportId !== null) await deps.binding.assertApproved(input.passportId);
  return request;
}
