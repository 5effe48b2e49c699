import { AGENT_TYPES } from "./agent-type.ts";
import { ORGANIZATION_REGISTRY_TYPES } from "./organization-typed-data.ts";
import { OFF_CHAIN_TYPES } from "./owner-messages.ts";
import {
  AGENT_KEYS_TYPES,
  ALLOWANCE_VAULT_TYPES,
  BINDING_REGISTRY_TYPES,
  PASSPORT_WRITER_TYPES,
  SOUL_REGISTRY_TYPES,
} from "./typed-data.ts";

// What is signed for which contract, and how wallets and pages describe it. The compiler requires a
// sentence for every message and a label for every field. test/protocol/clear-signing.test.ts
// requires every struct that a contract hashes.

/** All signed messages, by the contract in their domain, whose version is its `domainVersion`. */
export const SIGNED_TYPES = {
  SoulRegistry: { ...SOUL_REGISTRY_TYPES, ...OFF_CHAIN_TYPES },
  OrganizationRegistry: ORGANIZATION_REGISTRY_TYPES,
  AllowanceVault: ALLOWANCE_VAULT_TYPES,
  BindingRegistry: BINDING_REGISTRY_TYPES,
  PassportWriter: PASSPORT_WRITER_TYPES,
  AgentKeys: AGENT_KEYS_TYPES,
} as const;

/** A type of EIP-712: its fields in their order. */
export type StructFields = readonly { readonly name: string; readonly type: string }[];
type Table = Readonly<Record<string, StructFields>>;
/** The types that a table's fields name. */
type UsedTypes<T extends Table> = T[keyof T][number]["type"];
/** The types of a table that are signed themselves: no other type contains them. */
type MessagesOf<T extends Table> = {
  [Name in keyof T & string]: `${Name}[]` extends UsedTypes<T> ? never : Name;
}[keyof T & string];
type FieldNames<T extends Table> = T[keyof T][number]["name"];

export type SignedContract = keyof typeof SIGNED_TYPES;
export type SignedMessage<Contract extends SignedContract> = MessagesOf<
  (typeof SIGNED_TYPES)[Contract]
>;
export type SignedField = {
  [Contract in SignedContract]: FieldNames<(typeof SIGNED_TYPES)[Contract]>;
}[SignedContract];

const CANCELLATION = "Cancel a signature that you gave.";

/** What signing does, in one sentence for the signer. */
export const SIGNED_SENTENCES: {
  readonly [Contract in SignedContract]: {
    readonly [Message in SignedMessage<Contract>]: string;
  };
} = {
  SoulRegistry: {
    Registration: "Register this agent as yours.",
    RegistrationBatch: "Register these agents as yours and seal their souls.",
    Seal: "Seal your agent's soul.",
    RecordEvolution: "Record this change of your agent.",
    Reseal: "Take this agent over with your passport and seal its new soul.",
    Release: "End this agent's soul and free your passport.",
    Burn: "End your agent's soul for ever.",
    Suspend: "Suspend your agent before a sale, until a reseal.",
    SetDidArchive: "Replace the archived DID document of your agent.",
    Cancel: CANCELLATION,
    AgentUriUpdate: "Publish this registration file for your passport.",
    ValidateAgent: "Let the service validate your agent's passport.",
    EmergencyStop: "End all API keys, sessions and webhooks of your agent.",
    ListInvitations: "Show the invitations of your account.",
    EndInvitation: "End this invitation to an organization.",
    ExportPrivateData: "Show everything that the service stores about your account.",
    DeletePrivateData: "Delete what the service stores about your account, for ever.",
    RegulatoryAudit: "Let this regulator audit your agent's soul.",
    OrganizationAudit: "Let this regulator audit the agents of your organization.",
  },
  OrganizationRegistry: {
    CreateOrganization: "Found this organization.",
    Join: "Let your agent join this organization.",
    Admission: "Admit this agent to your organization.",
    Leave: "End this agent's membership of the organization.",
    ChangeAdmin: "Name the next admin of your organization (zero: none).",
    AcceptAdmin: "Take over this organization as its admin.",
    Admit: "Admit the agent of this registration to your organization.",
    Cancel: CANCELLATION,
  },
  AllowanceVault: {
    SetAllowance: "Let your agent's operator pay from your wallet up to these limits.",
    DeactivateAllowance: "Stop your agent's payments from your wallet.",
    Payment: "Pay this recipient from the wallet of the agent's owner.",
    Cancel: CANCELLATION,
  },
  BindingRegistry: {
    SetBinding: "Set how far your agent trusts another agent.",
    Cancel: CANCELLATION,
  },
  PassportWriter: {
    SetAgentURI: "Replace the registration file of your agent's passport.",
    SetMetadata: "Write this metadata on your agent's passport.",
    Cancel: CANCELLATION,
  },
  AgentKeys: {
    SetAgentKeys: "Replace your agent's public keys.",
    Cancel: CANCELLATION,
  },
};

/** How a value is shown. `raw` is the value itself: a number, a text, "true" or "false", or hex. */
export type FieldFormat = "raw" | "account" | "moment" | "usd" | keyof typeof NAMED_VALUES;

/** The names of values that are numbers on chain. */
export const NAMED_VALUES = {
  agentType: AGENT_TYPES,
  trustLevel: ["none", "revoked", "limited", "verified", "trusted"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The label of each field, and how its value is shown where that is not `raw`. A name means the
 * same in every message.
 */
export const SIGNED_FIELDS: {
  readonly [Field in SignedField]: string | readonly [label: string, format: FieldFormat];
} = {
  account: ["Account", "account"],
  admin: ["Admin", "account"],
  agentId: "Passport",
  agentType: ["Type", "agentType"],
  agentURI: "Registration file",
  allowanceVersion: "Allowance's version",
  amount: ["Amount", "usd"],
  archiveId: "Archive id",
  auditReference: "Regulator's reference",
  bindPassport: "Use own passport",
  category: "Category",
  changeType: "Kind of change",
  contentHash: "Public content hash",
  context: "What for",
  dailyLimit: ["Limit per UTC day", "usd"],
  dataHash: "Record's hash",
  deadline: ["Signature ends", "moment"],
  entries: "Agent",
  epoch: "Epoch",
  fromTokenId: "Your agent",
  humanProofHash: "Human proof's hash",
  humanVerifier: ["Human verifier", "account"],
  invitationId: "Invitation",
  key: "Metadata key",
  keysHash: "Keys' hash",
  leaveOutTakenNames: "Leave out taken names",
  name: "Name",
  newAdmin: ["Next admin", "account"],
  newOwner: ["New owner", "account"],
  newSoulHash: "New soul hash",
  newSoulMerkleRoot: "New fields' root",
  nonce: "Nonce (used once)",
  observedBlock: "Suspension seen in block",
  onlyWithAgentWallet: "Only with agent wallet",
  operator: ["Operator", "account"],
  organizationId: "Organization",
  owner: ["Owner", "account"],
  parentTokenId: "Descends from agent",
  passportId: "Passport",
  paymentRef: "Payment's reference",
  perTransaction: ["Limit per payment", "usd"],
  previousArchiveId: "Former archive id",
  previousSoulHash: "Former soul hash",
  previousURIHash: "Former file's hash",
  previousValueHash: "Former value's hash",
  reasonHash: "Reason's hash",
  recipient: ["Recipient", "account"],
  redeemer: ["Submitted by (zero: any)", "account"],
  regulatoryBody: "Regulator",
  regulatoryDid: "Regulator's DID",
  registrationDigest: "Registration",
  salts: "Salts: keep or delete",
  scope: "Scope",
  seal: "Seal the soul now",
  signer: ["Signer", "account"],
  soulHash: "Soul hash",
  soulMerkleRoot: "Fields' root",
  termsHash: "Terms' hash",
  toEpoch: "Its epoch",
  toTokenId: "Other agent",
  tokenId: "Agent",
  trustLevel: ["Trust", "trustLevel"],
  validUntil: ["Allowance ends", "moment"],
  value: "Value",
  version: "Version",
};

/** Label and format of a field. */
export function signedField(name: SignedField): { label: string; format: FieldFormat } {
  const text = SIGNED_FIELDS[name];
  return typeof text === "string"
    ? { label: text, format: "raw" }
    : { label: text[0], format: text[1] };
}
