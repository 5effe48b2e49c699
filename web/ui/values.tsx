import type { Child } from "hono/jsx";
import { Code, DescriptionItem, DescriptionList, UntrustedText } from "./components.tsx";
import { inWords } from "./text.ts";

const HEX = /^(0x)?[0-9a-fA-F]{32,}$/;
/** Longer lists are folded. */
const LONG_LIST = 6;

/**
 * Every member of an untrusted JSON object, in readable form. `named` replaces how a key is called.
 */
export function JsonFacts({
  value,
  named = {},
}: {
  value: Readonly<Record<string, unknown>>;
  named?: Readonly<Record<string, string>>;
}) {
  return (
    <DescriptionList>
      {Object.entries(value).map(([key, member]) => (
        <DescriptionItem name={Object.hasOwn(named, key) ? named[key] : inWords(key)}>
          <JsonValue value={member} />
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

/** An untrusted JSON value. */
export function JsonValue({ value }: { value: unknown }): Child {
  if (value === null || value === "") return <span class="muted">nothing</span>;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    return HEX.test(value) ? <Code>{value}</Code> : <UntrustedText text={value} />;
  }
  if (!Array.isArray(value)) return <Structure value={value} />;
  if (value.length === 0) return <span class="muted">an empty list</span>;
  if (value.length > LONG_LIST || value.some((entry) => typeof entry === "object")) {
    return (
      <details>
        <summary>{value.length} entries</summary>
        <Structure value={value} />
      </details>
    );
  }
  return (
    <ul>
      {value.map((entry) => (
        <li>
          <JsonValue value={entry} />
        </li>
      ))}
    </ul>
  );
}

function Structure({ value }: { value: unknown }) {
  return (
    <pre tabindex={0}>
      <UntrustedText text={JSON.stringify(value, null, 2)} />
    </pre>
  );
}
