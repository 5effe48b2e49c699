import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { isInstalled, run } from "../lib/run.ts";
import {
  deployFileProblems,
  formProblems,
  knownVariables,
  renderedProblems,
} from "./deploy-files.ts";

const OVERLAYS = "deploy/kubernetes/overlays/*";
const MANIFESTS = "deploy/kubernetes/**/*.yaml";
const CADDYFILE = "deploy/compose/Caddyfile";

/** What is wrong in `deploy/`, and what could not be examined because a program is missing. */
export async function deployProblems(): Promise<{
  readonly problems: readonly string[];
  readonly summary: string;
}> {
  const [kubernetes, caddy] = await Promise.all([kubernetesProblems(), caddyProblems()]);
  return {
    problems: [...deployFileProblems(), ...kubernetes.problems, ...caddy.problems],
    summary: [...kubernetes.notes, ...caddy.notes].join("; "),
  };
}

interface Examined {
  readonly problems: readonly string[];
  /** What was not examined, and why. */
  readonly notes: readonly string[];
}

async function kubernetesProblems(): Promise<Examined> {
  const known = knownVariables(readFileSync(".env.example", "utf8"));
  if (!(await isInstalled("kubectl", "version", "--client"))) {
    const files = globSync(MANIFESTS).filter((path) => basename(path) !== "kustomization.yaml");
    return {
      problems: formProblems(files.map((path) => readFileSync(path, "utf8")).join("\n---\n")),
      notes: ["kubectl was not found: manifests were read one by one, and no overlay was rendered"],
    };
  }
  const rendered = await Promise.all(
    globSync(OVERLAYS).map(async (overlay) => {
      const { exitCode, output } = await run("kubectl", ["kustomize", overlay]);
      const problems = exitCode === 0 ? renderedProblems(output, known) : [output];
      return problems.map((problem) => `${overlay}: ${problem}`);
    }),
  );
  return { problems: rendered.flat(), notes: [`${rendered.length} overlay rendered`] };
}

async function caddyProblems(): Promise<Examined> {
  if (!(await isInstalled("caddy", "version"))) {
    return { problems: [], notes: [`caddy was not found: ${CADDYFILE} was not examined`] };
  }
  const { exitCode, output } = await run("env", [
    ...["PUBLIC_URL=https://id.example.com", "caddy", "validate"],
    ...["--adapter", "caddyfile", "--config", CADDYFILE],
  ]);
  return { problems: exitCode === 0 ? [] : [output], notes: [] };
}
