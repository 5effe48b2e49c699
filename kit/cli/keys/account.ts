import type { Hex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { CommandError, type CommandInput, type CommandOption } from "../command.ts";
import { openKeystore, parseKeystore } from "./keystore.ts";
import { readSecretFile, readSecretLine } from "./secret-files.ts";

/** Where the key of an account comes from. */
export const ACCOUNT_OPTIONS: readonly CommandOption[] = [
  {
    name: "keystore",
    value: "file",
    summary: "Keystore file with the account's key",
    variable: "SVC_KEYSTORE",
  },
  {
    name: "password-file",
    value: "file",
    summary: "File with the keystore's password in its first line",
    variable: "SVC_KEYSTORE_PASSWORD_FILE",
  },
];

/** Whether a key is configured. */
export function hasAccount({ option, io }: CommandInput): boolean {
  return option("keystore") !== undefined || Boolean(io.env.SVC_PRIVATE_KEY);
}

/** The account of the configured key. @throws CommandError that never repeats a secret. */
export async function readAccount(input: CommandInput): Promise<PrivateKeyAccount> {
  const path = input.option("keystore");
  const key = input.io.env.SVC_PRIVATE_KEY || undefined;
  if (path !== undefined && key !== undefined) {
    throw new CommandError(
      "There are two keys: a keystore file and SVC_PRIVATE_KEY.",
      "Unset SVC_PRIVATE_KEY, or give no keystore (--keystore, SVC_KEYSTORE).",
    );
  }
  if (path !== undefined) return accountOf(await keystoreKey(path, input), path);
  if (key !== undefined) return accountOf(key, "SVC_PRIVATE_KEY");
  throw new CommandError(
    "This needs the key of an account.",
    "Give a keystore file with --keystore, or set SVC_PRIVATE_KEY.",
  );
}

async function keystoreKey(path: string, input: CommandInput): Promise<Hex> {
  const keystore = parseKeystore(await readSecretFile(path, input.io), path);
  return openKeystore(keystore, await passwordOf(path, input));
}

async function passwordOf(path: string, { option, io }: CommandInput): Promise<string> {
  const password = io.env.SVC_KEYSTORE_PASSWORD;
  if (password !== undefined) return password;
  const file = option("password-file");
  if (file !== undefined) return readSecretLine(file, io);
  if (io.askSecret !== null) return io.askSecret(`Password of ${path}: `);
  throw new CommandError(
    "The keystore file needs a password, and there is no terminal to ask on.",
    "Set SVC_KEYSTORE_PASSWORD, or give --password-file.",
  );
}

function accountOf(key: string, source: string): PrivateKeyAccount {
  try {
    if (/^0x[0-9a-f]{64}$/i.test(key)) return privateKeyToAccount(key as Hex);
  } catch {
    // Not a number that is a key: the library's error could repeat it.
  }
  throw new CommandError(`${source} holds no private key: 0x and 64 hexadecimal digits.`);
}
