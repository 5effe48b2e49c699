import type { z } from "zod";
import { ALL_SECTIONS } from "../processes/indexer-environment.ts";
import type { GeneratedFile } from "./generated-file.ts";

const WIDTH = 100;

const HEAD = `# The settings of every process. npm run secrets copies this file to .env and fills in new secrets.
# A variable in the environment wins over .env. A line with # shows the default, or an example.
`;

/** `.env.example`, from the schema by which the processes read their environment. */
export function envExample(): GeneratedFile {
  const sections = Object.entries(ALL_SECTIONS).map(([title, { shape }]) =>
    [
      `# ---- ${title} ${"-".repeat(WIDTH - 8 - title.length)}`,
      ...Object.entries(shape).map(([name, schema]) => variable(name, schema)),
    ].join("\n\n"),
  );
  return {
    path: ".env.example",
    content: `${[HEAD, ...sections].join("\n")}\n`.replaceAll(/\n{3,}/g, "\n\n"),
  };
}

/** @throws Error for a variable without a description, or without a value to show. */
function variable(name: string, schema: z.ZodType): string {
  const { description, sample = "", secret = false } = schema.meta() ?? {};
  if (description === undefined) throw new Error(`${name} has no description.`);
  const required = !schema.isOptional();
  const shown = sample === "" ? shortDefault(schema) : sample;
  if (shown === "" && !secret) throw new Error(`${name} has no sample.`);
  const value = secret ? "" : shown;
  return [
    ...wrapped(`${description}${required ? " Required." : ""}`),
    required ? `${name}=${value}` : `# ${name}=${value}`,
  ].join("\n");
}

/** A default that is written as it is read. */
function shortDefault(schema: z.ZodType): string {
  const { def } = schema as unknown as { readonly def: { readonly defaultValue?: unknown } };
  const value = def.defaultValue;
  return ["string", "number", "bigint"].includes(typeof value) ? String(value) : "";
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(`# ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
