import type { SignedContract, SignedField, StructFields } from "../../../protocol/index.ts";
import {
  NAMED_VALUES,
  SIGNED_SENTENCES,
  SIGNED_TYPES,
  signedField,
} from "../../../protocol/index.ts";
import type { SignedFieldWords, SignedWords } from "./data.ts";

const NOTES: Readonly<Partial<Record<SignedField, string>>> = {
  agentURI: "the public file that the passport will point at",
  contentHash: "the hash of the public file",
  epoch: "how often the soul was sealed; the signature is dead after the next time",
  fromTokenId: "the agent that trusts",
  humanProofHash: "the hash of a proof that you are a person; zero for no proof",
  humanVerifier: "the contract that checks such a proof; zero for no proof",
  nonce: "this signature counts once",
  observedBlock: "where the contract recorded the passport's owner",
  operator: "zero: only you act for the agent",
  organizationId: "its number; zero for none",
  reasonHash: "the hash of the reason that you wrote",
  soulHash: "the hash of the new soul, private text included",
  soulMerkleRoot: "the same by its twelve fields, as one hash",
  toEpoch: "how often its soul was sealed",
  toTokenId: "the agent that is trusted",
  tokenId: "the agent's certificate",
  version: "the signature is dead after any later decision of this kind",
};

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
        fields[key] = { label, format, note: NOTES[key] ?? null };
      }
    }
  }
  return { sentences, fields, names: NAMED_VALUES };
}
