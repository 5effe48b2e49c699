import type { ActionDone, SignedAction } from "../owner/data.ts";
import { onlyOwner } from "../owner/signers.ts";

/** What differs between the actions that an owner signs in the console. */
type SignedHere = Pick<SignedAction, "id" | "labels"> &
  Partial<Pick<SignedAction, "soul" | "progress" | "form">> & {
    readonly request: Omit<SignedAction["request"], "preparation">;
    readonly done: ActionDone;
  };

/** An action that the agent's owner signs, with the form that stands above it. */
export function signedByOwner(
  agent: { readonly owner: string; readonly name: string },
  { id, labels, request, done, ...more }: SignedHere,
): SignedAction {
  return {
    kind: "sign",
    id,
    signers: onlyOwner(agent),
    labels,
    form: `${id}-form`,
    confirm: null,
    soul: null,
    request: { ...request, preparation: {} },
    done: { done },
    ...more,
  };
}
