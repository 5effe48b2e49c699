import type { CommandAnswer } from "./command.ts";

/** What a verification found. */
export interface Verdict {
  readonly verdict: "valid" | "invalid";
  readonly why: string;
  /** Everything that is wrong, where there is more than one thing. */
  readonly differences?: readonly string[];
}

/** The answer of `verify`. `note` is what the reader still has to know of a valid result. */
export function verdictAnswer(
  { verdict, why, differences = [] }: Verdict,
  note: string | null = null,
): CommandAnswer {
  const isValid = verdict === "valid";
  const lines = isValid ? [note ?? ""] : differences.map((difference) => `  ${difference}`);
  return {
    code: isValid ? 0 : 1,
    json: { verdict, why, differences, note: isValid ? note : null },
    text: [`${isValid ? "valid" : "not valid"}: ${why}`, ...lines].join("\n").trimEnd(),
  };
}
