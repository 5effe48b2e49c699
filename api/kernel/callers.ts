import type { Address } from "viem";

/**
 * The caller that a request's Authorization header proves. Operations that an owner must sign carry their own signature, which
 * is checked where they are carried out.
 *
 * - `anonymous`: no header.
 * - `provisional`: the key that an agent registered with. After the claim it reads until it is exchanged or ends.
 * - `full`: the key of an agent, in the seal epoch it was issued in.
 * - `identity`: a sign-in token without the scope `manage`. It says who its holder is, and permits nothing.
 * - `session`: a sign-in token with the scope `manage`. What it permits still depends on who owns the agent now.
 */
export type Caller =
  | { readonly kind: "anonymous" }
  | {
      readonly kind: "provisional";
      readonly id: string;
      readonly registrationId: string;
      /** Whether the registration has been claimed. */
      readonly claimed: boolean;
    }
  | {
      readonly kind: "full";
      readonly id: string;
      readonly tokenId: bigint;
      /** Seal epoch that the key was issued in. */
      readonly epoch: number;
      /** Whether the passport has moved since: such a key only reads. */
      readonly suspended: boolean;
    }
  | { readonly kind: "identity"; readonly id: string; readonly owner: Address }
  | {
      readonly kind: "session";
      readonly id: string;
      /** Of this sign-in alone: the `jti` of its token. */
      readonly sessionId: string;
      readonly owner: Address;
      /** Passport of the one agent that the token manages; null: every agent that `owner` owns. */
      readonly agentId: bigint | null;
    };
