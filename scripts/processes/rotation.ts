import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { UsageError } from "../lib/usage.ts";

const ROTATED = ["token", "master", "relayer"] as const;
type Rotated = (typeof ROTATED)[number];
const STEPS = ["add", "use", "remove"] as const;
type Step = (typeof STEPS)[number];

const SECRET_BYTES = 32;
/** Tokens live for an hour. */
const TOKEN_MS = 3_600_000;
const RESTART = "restart every API and worker process, one after another";

/** The last step of a rotation that has not ended, as a comment in the file. */
interface Mark {
  readonly step: "add" | "use";
  /** What the next step moves: after `add` the new secret's label or address, after `use` the old one's. */
  readonly id: string;
  readonly at: Date;
}

/** What a step changes. */
interface Change {
  readonly values: Readonly<Record<string, string>>;
  /** Null when the rotation has ended. */
  readonly mark: Omit<Mark, "at"> | null;
  readonly next: string;
}

type Values = Readonly<Record<string, string | undefined>>;

/**
 * One step in the rotation of a secret, in the file at `path`. Between two steps every process is
 * restarted, so that processes of two neighbouring steps accept what the others make.
 *
 * @param words `token`, `master` or `relayer`, and `add`, `use` or `remove`.
 * @returns what the operator does next, without a secret.
 * @throws UsageError for a step out of turn; the file is then as before.
 */
export function rotateSecret(path: string, words: readonly string[], now: Date): string {
  const [what, step] = words;
  if (words.length !== 2 || !isOneOf(ROTATED, what) || !isOneOf(STEPS, step)) {
    throw new UsageError(
      `Name what is rotated (${ROTATED.join(", ")}) and a step (${STEPS.join(", ")})`,
    );
  }
  const text = readEnvFile(path);
  const mark = markIn(text, what);
  assertTurn(what, step, mark);
  const change = CHANGES[what][step](parseEnv(text), mark, now);
  writeEnvFile(path, edited(text, what, change, now), change.values);
  return `${change.next}\n`;
}

function isOneOf<Word extends string>(words: readonly Word[], word: unknown): word is Word {
  return words.includes(word as Word);
}

/** The step that comes after each one. */
function assertTurn(what: Rotated, step: Step, mark: Mark | null): void {
  const due = mark === null ? "add" : mark.step === "add" ? "use" : "remove";
  if (step === due || (what === "master" && step === "remove")) return;
  const last = mark === null ? "No rotation was begun" : `The last step was "${mark.step}"`;
  throw new UsageError(`${last}: the next one is "rotate ${what} ${due}", not "${step}"`);
}

const CHANGES: Readonly<
  Record<Rotated, Readonly<Record<Step, (values: Values, mark: Mark | null, now: Date) => Change>>>
> = {
  token: {
    add(values) {
      const entries = entriesOf(values, "JWT_SECRETS");
      if (entries.length > 1) {
        throw new UsageError(
          "JWT_SECRETS has two entries: remove the one that signs no more first",
        );
      }
      const label = nextLabel(entries, "k");
      return {
        values: { JWT_SECRETS: [...entries, fresh(label)].join(",") },
        mark: { step: "add", id: label },
        next: `Added ${label}, which signs nothing yet.\nNext: ${RESTART}. When all of them run with this file: rotate token use.`,
      };
    },
    use(values, mark) {
      const [label, entries] = moved(values, "JWT_SECRETS", mark);
      const old = labelOf(entries[1] ?? "");
      return {
        values: { JWT_SECRETS: entries.join(",") },
        mark: { step: "use", id: old },
        next: `${label} signs from now on, and ${old} is still accepted.\nNext: ${RESTART}. An hour after the last one: rotate token remove.`,
      };
    },
    remove(values, mark, now) {
      const { id, at } = mark as Mark;
      const until = new Date(at.getTime() + TOKEN_MS);
      if (now < until) {
        throw new UsageError(
          `Tokens that ${id} signed are valid until an hour after the last restart, not before ${until.toISOString()}`,
        );
      }
      const entries = entriesOf(values, "JWT_SECRETS").filter((entry) => labelOf(entry) !== id);
      return {
        values: { JWT_SECRETS: entries.join(",") },
        mark: null,
        next: `Removed ${id}.\nNext: ${RESTART}.`,
      };
    },
  },
  master: {
    add(values) {
      const entries = entriesOf(values, "MASTER_KEYS");
      const label = nextLabel(entries, "v");
      return {
        values: { MASTER_KEYS: [...entries, fresh(label)].join(",") },
        mark: { step: "add", id: label },
        next: `Added ${label}, which encrypts nothing yet.\nNext: back the file up, and ${RESTART}. When all of them run with this file: rotate master use.`,
      };
    },
    use(values, mark) {
      const [label, entries] = moved(values, "MASTER_KEYS", mark);
      return {
        values: { MASTER_KEYS: entries.join(",") },
        mark: null,
        next: `${label} encrypts from now on, and all decrypt.\nNext: back the file up, and ${RESTART}. The rotation has ended, and earlier keys stay.`,
      };
    },
    remove() {
      throw new UsageError(
        "A master key is never removed: stored salts and webhook secrets that were made with it need it for ever",
      );
    },
  },
  relayer: {
    add(values) {
      const key = generatePrivateKey();
      const keys = [...entriesOf(values, "RELAYER_PRIVATE_KEYS"), key];
      const account = addressOf(key);
      return {
        values: { RELAYER_PRIVATE_KEYS: keys.join(",") },
        mark: { step: "add", id: account },
        next: `Added ${account} as a further key.\nNext: let the admin grant it the four roles, send it ether, and ${RESTART}. When npm run doctor finds nothing missing: rotate relayer use.`,
      };
    },
    use(values, mark) {
      const { id } = mark as Mark;
      const { RELAYER_PRIVATE_KEY: old = "" } = values;
      const keys = entriesOf(values, "RELAYER_PRIVATE_KEYS");
      const key = keys.find((one) => addressOf(one) === id);
      if (key === undefined)
        throw new UsageError(`RELAYER_PRIVATE_KEYS does not have the key of ${id}`);
      return {
        values: {
          RELAYER_PRIVATE_KEY: key,
          RELAYER_PRIVATE_KEYS: keys.map((one) => (one === key ? old : one)).join(","),
        },
        mark: { step: "use", id: addressOf(old) },
        next: `${id} is the registrar's key from now on, and ${addressOf(old)} a further one.\nNext: ${RESTART}. When app.relayer_transaction has no row of ${addressOf(old)} with status open: rotate relayer remove.`,
      };
    },
    remove(values, mark) {
      const { id } = mark as Mark;
      const keys = entriesOf(values, "RELAYER_PRIVATE_KEYS").filter((one) => addressOf(one) !== id);
      return {
        values: { RELAYER_PRIVATE_KEYS: keys.join(",") },
        mark: null,
        next: `Removed the key of ${id}.\nNext: ${RESTART}. Then let the admin revoke the account's roles, and send its ether on before you destroy the key.`,
      };
    },
  },
};

function entriesOf(values: Values, name: string): string[] {
  return (values[name] ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

const labelOf = (entry: string) => entry.slice(0, entry.indexOf(":"));
const addressOf = (key: string) => privateKeyToAccount(key as Hex).address;
const fresh = (label: string) => `${label}:${randomBytes(SECRET_BYTES).toString("base64")}`;

/** `k2` after `k1`; `k1` where no label has a number. */
function nextLabel(entries: readonly string[], prefix: "k" | "v"): string {
  const numbers = entries.map((entry) => Number(/^[kv](\d+)$/.exec(labelOf(entry))?.[1] ?? 0));
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

/** The entries with the one that was added first, and its label. */
function moved(values: Values, name: string, mark: Mark | null): readonly [string, string[]] {
  const { id } = mark as Mark;
  const entries = entriesOf(values, name);
  const added = entries.find((entry) => labelOf(entry) === id);
  if (added === undefined) throw new UsageError(`${name} does not have ${id}, which was added`);
  return [id, [added, ...entries.filter((entry) => entry !== added)]];
}

const markLine = (what: Rotated) =>
  new RegExp(`^# rotation of ${what}: (add|use) (\\S+) at (\\S+)$`, "m");

function markIn(text: string, what: Rotated): Mark | null {
  const [, step, id = "", at = ""] = markLine(what).exec(text) ?? [];
  return step === "add" || step === "use" ? { step, id, at: new Date(at) } : null;
}

function edited(text: string, what: Rotated, { values, mark }: Change, now: Date): string {
  let changed = text.replace(new RegExp(`${markLine(what).source}\\n?`, "m"), "");
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:# )?${name}=.*$`, "m");
    if (!line.test(changed)) changed = `${changed.trimEnd()}\n${name}=\n`;
    changed = changed.replace(line, () => (value === "" ? `# ${name}=` : `${name}=${value}`));
  }
  if (mark === null) return changed;
  const comment = `# rotation of ${what}: ${mark.step} ${mark.id} at ${now.toISOString()}`;
  return `${changed.trimEnd()}\n${comment}\n`;
}

function readEnvFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new UsageError(`${path} cannot be read. Name the file with --file`);
  }
}

/** Replaces the file as a whole. A file that sets a variable twice, or in another form, is left alone. */
function writeEnvFile(path: string, text: string, values: Readonly<Record<string, string>>): void {
  const read: Values = parseEnv(text);
  for (const [name, value] of Object.entries(values)) {
    if ((read[name] ?? "") !== value) {
      throw new UsageError(`${path} does not have one plain line ${name}=…, and was not changed`);
    }
  }
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
