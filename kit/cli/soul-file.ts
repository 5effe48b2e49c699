import { randomBytes } from "node:crypto";
import { extname } from "node:path";
import { bytesToHex, type Hex } from "viem";
import { type Ccsf, fieldValue, InvalidCcsfError } from "../../protocol/ccsf.ts";
import { buildFieldTree, type Field, type FieldTree } from "../../protocol/field-tree.ts";
import { FIELDS } from "../../protocol/fields.ts";
import {
  type IdentityDefaults,
  readSource,
  SOURCE_FORMATS,
  sourceHash,
} from "../../protocol/formats/index.ts";
import { soulHash } from "../../protocol/soul-hash.ts";
import { CommandError, type CommandInput, type CommandOption, UsageError } from "./command.ts";
import { readInputText } from "./input-file.ts";
import { createSecretFile, readSecretLine } from "./keys/secret-files.ts";

export const SOUL_ARGUMENT: {
  readonly value: string;
  readonly summary: string;
} = {
  value: "soul.md",
  summary: "The soul in a file, or - for standard input. It never leaves this machine",
};

/** How the text is read. */
export const SOURCE_OPTIONS: readonly CommandOption[] = [
  {
    name: "format",
    value: "format",
    summary: `${SOURCE_FORMATS.join(", ")}. Default: by the file's ending`,
  },
  { name: "name", value: "name", summary: "The agent's name, where the text states none" },
  { name: "type", value: "type", summary: "The agent's type, where the text states none" },
];

export const SOUL_OPTIONS: readonly CommandOption[] = [
  ...SOURCE_OPTIONS,
  {
    name: "salt-file",
    value: "file",
    summary: "The soul's secret salt. Default: the soul's file with .salt at its end",
  },
];

const FORMAT_OF_ENDING: Readonly<Record<string, string>> = {
  ".md": "soul_md",
  ".markdown": "soul_md",
  ".yaml": "ccsf_yaml",
  ".yml": "ccsf_yaml",
  ".json": "ccsf_json",
  ".txt": "plaintext",
};

/** A soul as it is in a file. */
export interface SoulFile {
  readonly ccsf: Ccsf;
  readonly text: string;
  readonly format: string;
  /** Fields that the text does not state. */
  readonly defaulted: readonly Field[];
}

/** A soul in a file, hashed on this machine. */
export interface HashedSoul extends SoulFile {
  /** Secret. */
  readonly salt: Hex;
  readonly saltFile: string;
  readonly soulHash: Hex;
  readonly sourceHash: Hex;
  readonly tree: FieldTree;
}

/** Reads the soul of the argument. @throws UsageError, ProtocolError */
export async function readSoul(input: CommandInput): Promise<SoulFile> {
  const { argument: path, io } = input;
  const format = input.option("format") ?? formatOf(path);
  if (!SOURCE_FORMATS.includes(format)) {
    throw new UsageError(`--format is one of: ${SOURCE_FORMATS.join(", ")}.`);
  }
  const text = await readInputText(path, io);
  try {
    const { ccsf, defaulted } = readSource(format, text, defaultsOf(input));
    return { ccsf, text, format, defaulted };
  } catch (error) {
    const option = error instanceof InvalidCcsfError ? OPTION_OF[error.path] : undefined;
    if (option === undefined) throw error;
    throw new CommandError((error as Error).message, `Give it in the file, or with ${option}.`);
  }
}

/** Options that give what a text does not state. */
const OPTION_OF: Readonly<Record<string, string>> = {
  "identity.name": "--name",
  "identity.agent_type": "--type",
};

/** The fields without a value. */
export function emptyFields(ccsf: Ccsf): readonly Field[] {
  return FIELDS.filter((field) => fieldValue(ccsf, field).length === 0);
}

/**
 * Reads and hashes the soul of the argument. A missing salt is made, with its file.
 *
 * @throws UsageError, CommandError, ProtocolError
 */
export async function hashedSoul(input: CommandInput): Promise<HashedSoul> {
  const { argument: path } = input;
  const saltFile = input.option("salt-file") ?? (path === "-" ? null : `${path}.salt`);
  if (saltFile === null) throw new UsageError("--salt-file is needed with standard input.");
  const { ccsf, text, format, defaulted } = await readSoul(input);
  const salt = await saltIn(saltFile, input);
  const hash = soulHash(salt, ccsf);
  return {
    ccsf,
    text,
    format,
    defaulted,
    salt,
    saltFile,
    soulHash: hash,
    sourceHash: sourceHash(text),
    tree: buildFieldTree({ ccsf, salt, soulHash: hash }),
  };
}

function formatOf(path: string): string {
  const format = FORMAT_OF_ENDING[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(`--format is needed: one of ${SOURCE_FORMATS.join(", ")}.`);
}

function defaultsOf({ option }: CommandInput): IdentityDefaults {
  const defaults: IdentityDefaults = {};
  const [name, type] = [option("name"), option("type")];
  if (name !== undefined) defaults.name = name;
  if (type !== undefined) defaults.agent_type = type;
  return defaults;
}

async function saltIn(path: string, { io }: CommandInput): Promise<Hex> {
  const known = await readSecretLine(path, io).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (known !== null) {
    if (/^0x[0-9a-f]{64}$/.test(known)) return known as Hex;
    throw new CommandError(`${path} holds no salt: 0x and 64 lower-case hexadecimal digits.`);
  }
  const salt = bytesToHex(randomBytes(32));
  await createSecretFile(path, `${salt}\n`);
  io.note(
    `Wrote a new salt to ${path}. Keep it secret and safe: no field can be proved without it.`,
  );
  return salt;
}
