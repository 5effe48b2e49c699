import type { Hex } from "viem";
import { isHash } from "../../../protocol/bytes.ts";
import {
  buildFieldTree,
  type Ccsf,
  FIELDS,
  type FieldLeaf,
  type FieldTree,
  fieldLeaf,
  fieldValue,
  type IdentityDefaults,
  isPlainObject,
  ProtocolError,
  parseSource,
  rootOfLeaves,
  soulHash,
} from "../../../protocol/index.ts";

/** What the owner chose holds no soul, or not this one. The message is made for people. */
export class SoulFileProblem extends Error {
  override readonly name = "SoulFileProblem";
  constructor(
    readonly title: string,
    message: string,
  ) {
    super(message);
  }
}

/** The soul as its owner has it: it never leaves the page. */
export interface KnownSoul {
  readonly ccsf: Ccsf;
  readonly salt: Hex;
  readonly soulHash: Hex;
  readonly tree: FieldTree;
}

/** The hashes that the chain has of the soul. */
export interface SealedHashes {
  readonly soulHash: Hex;
  readonly merkleRoot: Hex;
}

export interface ChosenSoul {
  readonly files: readonly File[];
  /** A name of `SOURCE_FORMATS`; empty to go by the file's name. */
  readonly format: string;
  /** As typed; empty to take it from the proof file. */
  readonly salt: string;
  /** What the agent's text leaves out. */
  readonly defaults: IdentityDefaults;
}

/** The file that the claim offered: salt and leaves, without the text. */
interface ProofFile {
  readonly salt: string;
  readonly soulHash: string | null;
  readonly leaves: readonly FieldLeaf[] | null;
}

/** A soul has at most half of it; a proof file is smaller. */
const MAX_BYTES = 1024 * 1024;

const FORMATS: Readonly<Record<string, string>> = {
  json: "ccsf_json",
  yaml: "ccsf_yaml",
  yml: "ccsf_yaml",
  md: "soul_md",
};

/**
 * Reads the chosen files, and compares what they hash to with the chain. Nothing is sent.
 *
 * @throws SoulFileProblem
 */
export async function knownSoul(chosen: ChosenSoul, sealed: SealedHashes): Promise<KnownSoul> {
  const { text, proof } = await sorted(chosen.files);
  if (text === null) {
    throw new SoulFileProblem(
      "Choose the file with the soul's text",
      proof === null
        ? "It is the CCSF document, or the system prompt that the soul was made from."
        : "The proof file holds the salt and the hashes. The text is in a file of its own: choose both.",
    );
  }
  const ccsf = parsed(chosen, text);
  const salt = saltOf(chosen.salt, proof);
  const computed = soulHash(salt, ccsf);
  if (computed !== sealed.soulHash.toLowerCase()) throw mismatch(ccsf, salt, proof, sealed);
  const tree = buildFieldTree({ ccsf, salt, soulHash: computed });
  // The contract took both hashes as the owner signed them: they may belong to different texts.
  if (tree.root !== sealed.merkleRoot.toLowerCase()) throw mismatch(ccsf, salt, proof, sealed);
  return { ccsf, salt, soulHash: computed, tree };
}

async function sorted(files: readonly File[]) {
  let text: { readonly name: string; readonly content: string } | null = null;
  let proof: ProofFile | null = null;
  for (const file of files) {
    if (file.size > MAX_BYTES) {
      throw new SoulFileProblem(`${file.name} is too large`, "A soul has at most 512 KiB.");
    }
    const content = await file.text();
    const found = proofFileIn(content);
    if (found !== null) proof = found;
    else if (text === null) text = { name: file.name, content };
    else {
      throw new SoulFileProblem(
        "Choose one text",
        `${text.name} and ${file.name} both look like the text of a soul.`,
      );
    }
  }
  return { text, proof };
}

function proofFileIn(content: string): ProofFile | null {
  let file: unknown;
  try {
    file = JSON.parse(content);
  } catch {
    return null;
  }
  if (!isPlainObject(file) || typeof file.soulSalt !== "string") return null;
  const { soulSalt: salt, soulHash: hash, merkleLeaves: leaves } = file;
  return {
    salt,
    soulHash: typeof hash === "string" ? hash : null,
    leaves: Array.isArray(leaves) ? (leaves as FieldLeaf[]) : null,
  };
}

function parsed({ format, defaults }: ChosenSoul, text: { name: string; content: string }): Ccsf {
  const extension = text.name.split(".").at(-1)?.toLowerCase() ?? "";
  try {
    return parseSource(format || (FORMATS[extension] ?? "plaintext"), text.content, defaults);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new SoulFileProblem(`${text.name} cannot be read`, error.message);
  }
}

function saltOf(typed: string, proof: ProofFile | null): Hex {
  const salt = typed === "" ? proof?.salt : typed;
  if (salt === undefined) {
    throw new SoulFileProblem(
      "The salt is missing",
      "Choose the proof file that you saved at the claim as well, or enter the salt.",
    );
  }
  if (isHash(salt)) return salt;
  throw new SoulFileProblem("This is not a salt", "A salt is 0x and 64 hexadecimal digits.");
}

function mismatch(
  ccsf: Ccsf,
  salt: Hex,
  proof: ProofFile | null,
  sealed: SealedHashes,
): SoulFileProblem {
  const hash = sealed.soulHash.toLowerCase() as Hex;
  if (proof?.soulHash && proof.soulHash.toLowerCase() !== hash) {
    return new SoulFileProblem(
      "The proof file belongs to another soul",
      `It is about the soul hash ${proof.soulHash}. On chain is ${hash}.`,
    );
  }
  const leaves = sealedLeaves(proof, sealed);
  if (leaves === null) {
    return new SoulFileProblem(
      "This is not the soul on chain",
      "The text, the salt or both are of another version. The proof file of the claim would tell which.",
    );
  }
  const differing = FIELDS.filter((field, index) => {
    const value = fieldValue(ccsf, field);
    return fieldLeaf({ salt, soulHash: hash, field, value }).hash !== leaves[index]?.hash;
  });
  if (differing.length === FIELDS.length) {
    return new SoulFileProblem(
      "The salt is wrong",
      "With it no field is the one on chain. It belongs to another version of the soul: choose the proof file of the present one.",
    );
  }
  return new SoulFileProblem(
    "The text is not the one on chain",
    `The salt is right. These fields differ: ${differing.join(", ")}.`,
  );
}

/** The leaves of the proof file, where they are those of the root on chain. */
function sealedLeaves(proof: ProofFile | null, sealed: SealedHashes): readonly FieldLeaf[] | null {
  if (!proof?.leaves) return null;
  try {
    const isSealed = rootOfLeaves(proof.leaves) === sealed.merkleRoot.toLowerCase();
    return isSealed ? proof.leaves : null;
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}
