import type { AlignmentInputs } from "./inputs.ts";

/** The component's value while there is nothing to compare. */
export const NO_DATA = 50;

/** Share of the chronicles and skills that fit the sealed capabilities and type. */
export function taskTypeAlignment({ count }: AlignmentInputs) {
  const tasks = count("tasks");
  const counted = tasks.chronicles.counted + tasks.skills.counted;
  const fitting = tasks.chronicles.fitting + tasks.skills.fitting;
  const value = counted === 0 ? NO_DATA : Math.floor((200 * fitting + counted) / (2 * counted));
  return { value, used: [tasks] };
}

/** What an agent published of its sealed soul. Null: the leaf is not public. */
export interface PublicCapabilities {
  readonly skills: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly agentType: string | null;
}

/**
 * Whether a chronicle's work fits the published capabilities; null when nothing can be compared. A
 * chronicle names skills in `data.skill` or `data.skills`, and a type of work in `data.taskType`.
 * Every named skill must be a published skill or tool, and the type of work the agent's type.
 */
export function chronicleFits(
  data: Readonly<Record<string, unknown>>,
  published: PublicCapabilities,
): boolean | null {
  const verdicts = [
    ...namedSkills(data).map((skill) => skillFits(skill, published)),
    typeFits(data.taskType, published),
  ].filter((verdict) => verdict !== null);
  return verdicts.length === 0 ? null : verdicts.every(Boolean);
}

/** Whether a skill is among the published skills and tools; null for none while skills are private. */
export function skillFits(skill: string, { skills, tools }: PublicCapabilities): boolean | null {
  const isNamed = [...(skills ?? []), ...(tools ?? [])].some((name) => fold(name) === fold(skill));
  if (isNamed) return true;
  return skills === null ? null : false;
}

function typeFits(taskType: unknown, { agentType }: PublicCapabilities): boolean | null {
  if (typeof taskType !== "string" || agentType === null) return null;
  return fold(taskType) === fold(agentType);
}

function namedSkills({ skill, skills }: Readonly<Record<string, unknown>>): string[] {
  const named = Array.isArray(skills) ? [skill, ...skills] : [skill];
  return named.filter((name) => typeof name === "string" && name.trim() !== "") as string[];
}

/** Names are compared as people read them. */
function fold(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}
