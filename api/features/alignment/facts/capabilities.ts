import type { Hex } from "viem";
import { isAddressEqual, keccak256, stringToHex } from "viem";
import type { PublicCapabilities, RegistrationFileFact } from "../../../../protocol/index.ts";
import {
  isPlainObject,
  parseRegistrationFile,
  REGISTRATION_FILE_LIMITS,
  skillFits,
  UnreadableFileError,
} from "../../../../protocol/index.ts";
import type { GatheredAgent } from "./facts.ts";

/** What an agent published of its sealed soul, from the values of its registration. */
export function capabilitiesOf(
  publicFields: Readonly<Record<string, unknown>>,
): PublicCapabilities {
  const agentType = publicFields["identity.agent_type"];
  return {
    skills: texts(publicFields["capabilities.skills"]),
    tools: texts(publicFields["capabilities.tools"]),
    agentType: typeof agentType === "string" ? agentType : null,
  };
}

function texts(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : null;
}

/** Where a registration file must point. */
export interface FilePlace {
  readonly chainId: number;
  readonly identityRegistry: Hex;
}

/** What is counted of the file at a passport's URI. */
export type CountedFile = ReturnType<typeof countFile>;

/** @param text Null when there is no such file. */
export function countFile(
  agent: Pick<GatheredAgent, "agentName" | "passportId"> & {
    readonly uri: string | null;
    readonly publicFields: Readonly<Record<string, unknown>>;
  },
  text: string | null,
  place: FilePlace,
) {
  const published = capabilitiesOf(agent.publicFields);
  const verdicts = namedSkills(text)
    .map((skill) => skillFits(skill, published))
    .filter((fits) => fits !== null);
  const fact: RegistrationFileFact = {
    kind: "registrationFile",
    uriHash: agent.uri === null ? null : keccak256(stringToHex(agent.uri)),
    consistent: text !== null && describes(text, agent, place),
  };
  return {
    fact,
    skills: { counted: verdicts.length, fitting: verdicts.filter(Boolean).length },
  };
}

function describes(
  text: string,
  { agentName, passportId }: Pick<GatheredAgent, "agentName" | "passportId">,
  { chainId, identityRegistry }: FilePlace,
): boolean {
  try {
    const { name, registrations } = parseRegistrationFile(text);
    return (
      name === agentName &&
      registrations.some(
        (entry) =>
          entry.agentId === passportId &&
          entry.chainId === chainId &&
          isAddressEqual(entry.registry, identityRegistry),
      )
    );
  } catch (error) {
    if (error instanceof UnreadableFileError) return false;
    throw error;
  }
}

/** Skills that the services of a file name, as agent cards list them: each once. */
function namedSkills(text: string | null): readonly string[] {
  const file = text === null ? null : parsed(text);
  const services = isPlainObject(file) && Array.isArray(file.services) ? file.services : [];
  const { entries, text: longest } = REGISTRATION_FILE_LIMITS;
  const names = services.slice(0, entries).flatMap((service: unknown) => {
    const skills = isPlainObject(service) ? service.skills : null;
    return Array.isArray(skills) ? skills.slice(0, entries) : [];
  });
  return [
    ...new Set(
      names.filter(
        (name): name is string =>
          typeof name === "string" && name.trim() !== "" && name.length <= longest,
      ),
    ),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
