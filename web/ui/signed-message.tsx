import type { Child } from "hono/jsx";
import type { SignedWords } from "../owner/data.ts";
import { Code, DescriptionItem, DescriptionList } from "./components.tsx";
import { momentText, visibleText } from "./text.ts";
import type { TypedData } from "./typed-data.ts";

/** Fields that say when and how often a signature counts. */
const LIMITS: ReadonlySet<string> = new Set(["epoch", "version", "nonce", "deadline"]);

/** Every value of a message in words and as wallets show it: the decision first, then what limits the signature. */
export function SignedMessage({
  typedData: { domain, message },
  words,
  heading: Heading,
}: {
  typedData: Pick<TypedData, "domain" | "message">;
  words: SignedWords;
  heading: "h3" | "h4";
}) {
  const rows = (areLimits: boolean) =>
    Object.entries(message)
      .filter(([field]) => LIMITS.has(field) === areLimits)
      .map(([field, value]) => <SignedValue field={field} value={value} words={words} />);
  return (
    <>
      <DescriptionList>{rows(false)}</DescriptionList>
      <Heading>What limits the signature</Heading>
      <DescriptionList>
        {rows(true)}
        <DescriptionItem name="For the contract">
          {domain.name} on chain {domain.chainId}
          <Raw>{domain.verifyingContract}</Raw>
        </DescriptionItem>
      </DescriptionList>
    </>
  );
}

/** Typed data before it is signed. What stands in it follows the message's sentence. */
export function SignedReview({
  typedData,
  words,
  children,
}: {
  typedData: TypedData;
  words: SignedWords;
  children?: Child;
}) {
  const { primaryType } = typedData;
  return (
    <div class="signed">
      <h3>Exactly what you sign: {primaryType}</h3>
      <p class="sentence">{words.sentences[primaryType]}</p>
      {children}
      <SignedMessage typedData={typedData} words={words} heading="h4" />
    </div>
  );
}

function SignedValue({
  field,
  value,
  words,
}: {
  field: string;
  value: unknown;
  words: SignedWords;
}) {
  const { label = field, format = "raw", note = null, empty } = words.fields[field] ?? {};
  const text = visibleText(String(value));
  const isSaidEmpty = empty !== undefined && isEmpty(value);
  const says = isSaidEmpty ? empty : inWords(format, value, words);
  // The name of the agent says what its number means.
  const isExplained = isSaidEmpty || (format === "agent" && says !== null);
  return (
    <DescriptionItem name={[label, <Raw>{field}</Raw>]}>
      {says ?? <Code>{text}</Code>}
      {says === null || text === "" || text === says ? null : <Raw>{text}</Raw>}
      {note === null || isExplained ? null : <span class="muted meaning">{note}</span>}
    </DescriptionItem>
  );
}

/** As wallets show it. */
function Raw({ children }: { children: string }) {
  return <code class="code raw">{children}</code>;
}

/** Null where the value says it itself. */
function inWords(format: string, value: unknown, { names, agents }: SignedWords): string | null {
  if (format === "usd") return `${Number(value) / 1_000_000} of the stablecoin`;
  if (format === "moment") return momentText(Number(value) * 1000);
  if (value === true) return "Yes";
  if (format === "agent") {
    const name = agents?.[String(value)];
    return name === undefined ? null : `${name}, certificate ${String(value)}`;
  }
  return names[format]?.[Number(value)] ?? null;
}

/** Zero, no text, or no. */
function isEmpty(value: unknown): boolean {
  return value === false || value === "" || /^(?:0x)?0+$/.test(String(value));
}
