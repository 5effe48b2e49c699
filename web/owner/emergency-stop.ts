import type { SignedAction } from "./data.ts";
import { onlyOwner } from "./signers.ts";
import { signedWords } from "./words.ts";

/** What the owner may sign for an emergency stop: the service chooses one. */
export const STOP_WORDS = signedWords({
  AllowanceVault: ["DeactivateAllowance"],
  SoulRegistry: ["EmergencyStop"],
});

/** Ends all keys, sessions, webhooks and the allowance of an agent with one signature. */
export function emergencyStop(agent: {
  readonly tokenId: number;
  readonly name: string;
  readonly owner: string;
  /** Path of the page that shows what is left. */
  readonly page: string;
}): SignedAction {
  const { tokenId, name, owner, page } = agent;
  return {
    kind: "sign",
    id: "stop",
    signers: onlyOwner({ owner, name }),
    labels: { start: "End everything", sign: "Sign and end everything", send: "End everything" },
    form: null,
    confirm: null,
    soul: null,
    isFinal: true,
    request: {
      typedData: "emergency-stop",
      method: "POST",
      path: `/v1/emergency-stop/${tokenId}`,
      body: { tokenId },
      preparation: {},
    },
    done: {
      done: {
        title: "Everything has ended",
        text: "All API keys, sessions and webhooks, and the allowance. Create a new key when you want the agent to act again.",
        links: [{ href: page, label: "See what is left" }],
      },
    },
  };
}
