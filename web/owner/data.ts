import type { WalletNetwork } from "../ui/network.ts";
import type { TypedData } from "../ui/typed-data.ts";

/** What a page hands to the script with which an owner decides. */
export interface OwnerPageData {
  readonly network: WalletNetwork;
  readonly actions: readonly OwnerAction[];
  readonly words: SignedWords;
  /** The sign-in to the console with which the page acts. Default: none. */
  readonly console?: ConsoleAccess | null;
}

/** A sign-in to the console, as its pages use it. The session itself is in a cookie. */
export interface ConsoleAccess {
  readonly account: string;
  /** Sent in the header `X-Svc-Console`, without which the cookie permits nothing. */
  readonly token: string;
}

/** What an owner can do on a page. Its place is the element with the id `<id>-action`. */
export type OwnerAction =
  | SignedAction
  | SentAction
  | AgentWalletAction
  | CallAction
  | ConsoleSignInAction
  | DocumentAction
  | AccessAction
  | InvitationsAction
  | DisclosuresAction;

/** The accounts that can act. */
export interface Signers {
  /** Empty: any account. */
  readonly accounts: readonly string[];
  /** The title of the notice for any other account. */
  readonly refusal: string;
}

/** Signs typed data of the service, which carries it out. The owner sends no transaction. */
export interface SignedAction {
  readonly kind: "sign";
  readonly id: string;
  readonly signers: Signers;
  readonly labels: {
    /** On the button that shows what is signed. */
    readonly start: string;
    /** On the button that asks the wallet. */
    readonly sign: string;
    /** The step after the signature. */
    readonly send: string;
  };
  /** Id of the form whose values join the body; null without one. */
  readonly form: string | null;
  /** What must be typed into a field of the form first; null for nothing. */
  readonly confirm: { readonly field: string; readonly text: string } | null;
  /** The form describes a soul, which is hashed; null for none. */
  readonly soul: SoulForm | null;
  readonly request: {
    /** Name of the typed data under `/v1/typed-data/`. */
    readonly typedData: string;
    readonly method: "POST" | "PUT" | "DELETE";
    readonly path: string;
    /** In both bodies. `"$account"` stands for the account of the wallet. */
    readonly body: ActionBody;
    /** Only in the body of the typed data. */
    readonly preparation: ActionBody;
  };
  /** It ends something for good: the button that asks the wallet is marked. */
  readonly isFinal?: boolean;
  /** Said while the service does it. Default: that it sends a transaction, and pays for it. */
  readonly progress?: string;
  /** The rest of the page can still be used afterwards, because what it shows is still so. */
  readonly changesNothing?: boolean;
  /** The answer can be saved as a file of this name. Default: it cannot. */
  readonly download?: string;
  /** What to say afterwards, by the `status` of the answer; `done` for any other. */
  readonly done: Readonly<Record<string, ActionDone>> & { readonly done: ActionDone };
}

/** How a form's text becomes a soul. */
export interface SoulForm {
  /** Of the agent, where the form has no field for them. */
  readonly agentName: string | null;
  readonly agentType: string | null;
  /** An agent that ended, whose soul the form can take over; null for a new soul only. */
  readonly former: FormerSoul | null;
  /** The soul is revised: it is the `data` of a chronicle, and publishes nothing. Default: it is new. */
  readonly revises?: boolean;
}

export interface FormerSoul {
  readonly name: string;
  /** Its last soul hash, and its first one. */
  readonly soulHashes: readonly string[];
}

export type ActionBody = Readonly<Record<string, unknown>>;

export interface ActionDone {
  readonly title: string;
  readonly text: string | null;
  /** `{field}` in an address stands for that field of the answer. */
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** Sends a transaction that the account pays for itself. */
export interface SentAction {
  readonly kind: "send";
  readonly id: string;
  readonly signers: Signers;
  readonly label: string;
  readonly to: string;
  readonly data: string;
  readonly done: string;
}

/** Makes the owner's account the wallet of an agent, by a signature and a transaction of its own. */
export interface AgentWalletAction {
  readonly kind: "agent-wallet";
  readonly id: string;
  readonly signers: Signers;
  readonly passportId: number;
  /** What the new wallet signs. The script sets the deadline. */
  readonly typedData: TypedData;
  /** The identity registry. */
  readonly to: string;
  readonly selector: string;
}

/** Needs the sign-in to the console alone: no wallet, no signature. */
export interface CallAction {
  readonly kind: "call";
  readonly id: string;
  readonly label: string;
  /** What it acts on, for people who do not see where the button is. */
  readonly about?: string;
  readonly look?: "button" | "button secondary" | "button danger" | "link-button";
  /** Id of the form whose values join the body; null without one. */
  readonly form: string | null;
  /** What must be typed into a field of the form first; null for nothing. */
  readonly confirm: { readonly field: string; readonly text: string } | null;
  readonly request: {
    readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
    readonly path: string;
    /** Null: the request has no body. */
    readonly body: ActionBody | null;
  };
  /** A member of the answer that is shown once. */
  readonly secret?: { readonly field: string; readonly title: string; readonly note: string };
  /** Said afterwards, on the page as it then is. `{field}` stands for that field of the answer. */
  readonly done: string;
}

/** Signs the account in to the console, and loads the page again. */
export interface ConsoleSignInAction {
  readonly kind: "console-sign-in";
  readonly id: string;
  readonly signers: Signers;
}

/** Records a document of the soul, and uploads it. Needs the sign-in to the console alone. */
export interface DocumentAction {
  readonly kind: "document";
  readonly id: string;
  readonly form: string;
  readonly tokenId: number;
}

/** Lists the sessions and keys of an agent, after a sign-in, and ends single ones. */
export interface AccessAction {
  readonly kind: "access";
  readonly id: string;
  readonly signers: Signers;
  readonly tokenId: number;
  readonly passportId: number;
}

/** Lists the invitations of an account, after a sign-in, and declines single ones. */
export interface InvitationsAction {
  readonly kind: "invitations";
  readonly id: string;
  readonly signers: Signers;
  /** Null: of all organizations. */
  readonly organizationId: number | null;
}

/** Lists requests, policy and disclosures of an agent, after a sign-in, and changes them. */
export interface DisclosuresAction {
  readonly kind: "disclosures";
  readonly id: string;
  readonly signers: Signers;
  readonly tokenId: number;
  readonly passportId: number;
}

/** How typed data is described before it is signed. */
export interface SignedWords {
  /** What each message does, by its EIP-712 type. */
  readonly sentences: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, SignedFieldWords>>;
  /** The names of values that are numbers, by format. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** The names of agents that the message can be about, by certificate. Default: none is known. */
  readonly agents?: Readonly<Record<string, string>>;
}

export interface SignedFieldWords {
  readonly label: string;
  readonly format: string;
  /** What its value means; null where the label says it. */
  readonly note: string | null;
  /** What zero, no text or "false" means. Default: it is a value like others. */
  readonly empty?: string | undefined;
}
