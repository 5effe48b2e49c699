import { UntrustedText } from "../../ui/components.tsx";

/** A field's value: its text, or one line for each entry of its list. */
export function ValueView({ value }: { value: unknown }) {
  if (value === "") return <span class="muted">an empty text</span>;
  if (typeof value === "string") return <UntrustedText text={value} />;
  if (Array.isArray(value) && value.length === 0) return <span class="muted">an empty list</span>;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) {
    const entries = value.map((entry) => (
      <li>
        <UntrustedText text={entry} />
      </li>
    ));
    return <ul>{entries}</ul>;
  }
  return (
    <pre tabindex={0}>
      <UntrustedText text={JSON.stringify(value, null, 2) ?? "nothing"} />
    </pre>
  );
}
