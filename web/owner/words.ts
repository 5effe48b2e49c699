import type { SignedContract, SignedField, StructFields } from "../../protocol/index.ts";
import { NAMED_VALUES, SIGNED_SENTENCES, SIGNED_TYPES, signedField } from "../../protocol/index.ts";
import type { SignedFieldWords, SignedWords } from "./data.ts";

const NOTES: Readonly<Partial<Record<SignedField, string>>> = {
  agentURI: "the public file that the passport will point at",
  bindPassport: "the agent gets a passport that you own",
  category: "what the record is about",
  changeType: "what happened",
  contentHash: "the hash of the public file",
  dataHash: "the hash of the whole record",
  deadline: "after it the signature is void",
  epoch: "how often the soul was sealed; the next seal makes the signature void",
  fromTokenId: "the agent that trusts, by its certificate",
  humanProofHash: "the hash of a proof that you are a person",
  humanVerifier: "the contract that checks a proof that you are a person",
  newSoulHash: "the soul from now on",
  newSoulMerkleRoot: "its twelve fields, as one hash",
  nonce: "the signature counts once",
  observedBlock: "where the contract recorded the passport's owner",
  operator: "may act for the agent, and spend what you allow it",
  parentTokenId: "the agent that ended, by its certificate",
  previousSoulHash: "the soul as it is now",
  reasonHash: "the hash of the reason that you wrote",
  seal: "the soul is sealed in the same transaction",
  soulHash: "the hash of the soul, private text included",
  soulMerkleRoot: "the soul's twelve fields, as one hash",
  toEpoch: "how often its soul was sealed",
  toTokenId: "the agent that is trusted, by its certificate",
  tokenId: "the agent's certificate",
  version: "any later decision of this kind makes the signature void",
};

/** What zero, no text or "false" means. */
const EMPTY: Readonly<Partial<Record<SignedField, string>>> = {
  agentURI: "None: the file of a new passport names numbers that do not exist yet",
  bindPassport: "No: the agent gets a new passport",
  humanProofHash: "None",
  humanVerifier: "None",
  newSoulHash: "None: the soul stays as it is",
  newSoulMerkleRoot: "None: the soul stays as it is",
  operator: "None: only you act for the agent",
  organizationId: "None",
  parentTokenId: "None: it descends from no other agent",
  passportId: "None yet: a new one is made",
  seal: "No: another signature seals the soul later",
};

/** Fields that name an agent by its certificate. */
const AGENTS: ReadonlySet<SignedField> = new Set([
  "fromTokenId",
  "parentTokenId",
  "toTokenId",
  "tokenId",
]);

/** The same words, with the names of agents whose certificates a message can hold. */
export function namingAgents(
  words: SignedWords,
  ...agents: readonly { readonly tokenId: bigint | number; readonly name: string }[]
): SignedWords {
  const named = agents.map(({ tokenId, name }) => [String(tokenId), name] as const);
  return { ...words, agents: Object.fromEntries(named) };
}

/** How pages describe these messages, by the contract in their domain. */
export function signedWords(
  messages: Readonly<Partial<Record<SignedContract, readonly string[]>>>,
): SignedWords {
  const sentences: Record<string, string> = {};
  const fields: Record<string, SignedFieldWords> = {};
  for (const [contract, names] of Object.entries(messages) as [SignedContract, string[]][]) {
    const types: Readonly<Record<string, StructFields>> = SIGNED_TYPES[contract];
    const described: Readonly<Record<string, string>> = SIGNED_SENTENCES[contract];
    for (const name of names) {
      sentences[name] = described[name] ?? "";
      for (const field of types[name] ?? []) {
        const key = field.name as SignedField;
        const { label, format } = signedField(key);
        fields[key] = {
          label,
          format: AGENTS.has(key) ? "agent" : format,
          note: NOTES[key] ?? null,
          empty: EMPTY[key],
        };
      }
    }
  }
  return { sentences, fields, names: NAMED_VALUES };
}
