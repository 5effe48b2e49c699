import { english } from "viem/accounts";
import { CommandError } from "../command.ts";

/** The words of recovery phrases (BIP 39), and the fewest of one phrase. */
const PHRASE_WORDS: ReadonlySet<string> = new Set(english);
const SHORTEST_PHRASE = 12;

/** Options that other tools take a secret in. */
const SECRET_OPTIONS =
  /^--?(private-?key|secret(-?key)?|pk|mnemonic|seed|phrase|password|passphrase|api-?key|token|access-?token)(=|$)/i;

const WHERE =
  "Other users of this machine can see arguments, and the shell's history keeps them. Give keys in a keystore file (--keystore) or in the environment (SVC_PRIVATE_KEY, SVC_API_KEY, SVC_ACCESS_TOKEN). See: svc --help.";

/**
 * Refuses arguments that hold a secret. The error never repeats the argument.
 *
 * @throws CommandError
 */
export function refuseSecrets(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const place = `Argument ${index + 1}`;
    const value = arg.startsWith("-") ? arg.slice(arg.indexOf("=") + 1) : arg;
    const kind = [arg, value].map(secretKind).find((found) => found !== null);
    if (kind !== undefined) {
      throw new CommandError(
        `${place} looks like ${kind}, and was not used. Treat it as known to others: replace it.`,
        WHERE,
      );
    }
    if (SECRET_OPTIONS.test(arg)) {
      throw new CommandError(`${place} is an option for a secret, which does not exist.`, WHERE);
    }
  }
  if (longestPhrase(args) >= SHORTEST_PHRASE) {
    throw new CommandError(
      "The arguments look like a recovery phrase, and were not used. Treat it as known to others: replace it.",
      WHERE,
    );
  }
}

function secretKind(text: string): string | null {
  if (/(^|[^0-9a-f])(0x)?[0-9a-f]{64}($|[^0-9a-f])/i.test(text)) return "a private key";
  if (/svc_(live|provisional)_/i.test(text)) return "an API key";
  if (/(^|[^\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/.test(text)) return "an access token";
  return longestPhrase(text.trim().split(/\s+/)) >= SHORTEST_PHRASE ? "a recovery phrase" : null;
}

/** How many words of phrases follow each other. */
function longestPhrase(words: readonly string[]): number {
  let longest = 0;
  let run = 0;
  for (const word of words) {
    run = PHRASE_WORDS.has(word) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
