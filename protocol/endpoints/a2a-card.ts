import { isPlainObject } from "../json.ts";
import {
  answering,
  counted,
  failed,
  get,
  JSON_ONLY,
  jsonOf,
  type Probe,
  type ProbeFinding,
  silent,
  silentBy,
  versionOf,
} from "./exchange.ts";
import { asksForAccess, refusalFinding } from "./web.ts";

const CARD_BYTES = 256 * 1024;

/** Where cards are published: by the present version of A2A, then by earlier ones. */
const WELL_KNOWN = ["/.well-known/agent-card.json", "/.well-known/agent.json"] as const;

/** Reads the card at the endpoint or at its host's well-known paths, and asks the card's own address. */
export function* a2aProbe(endpoint: string): Probe {
  let first: ProbeFinding | null = null;
  for (const url of cardUrls(endpoint)) {
    const outcome = yield get(url, CARD_BYTES, JSON_ONLY);
    if (failed(outcome)) return first ?? silentBy(outcome.failed);
    if (url === endpoint && asksForAccess(outcome.status)) return refusalFinding(outcome);
    const card = outcome.status === 200 ? cardIn(jsonOf(outcome.body)) : null;
    if (card === null) {
      first ??= silent(
        outcome.status === 200
          ? "It answered, and not with an A2A agent card."
          : `It answered ${outcome.status} instead of an A2A agent card.`,
      );
    } else if (card.problem !== null) {
      return silent(`Its A2A agent card ${card.problem}.`);
    } else {
      return yield* askOwnAddress(card, url);
    }
  }
  return first ?? silent("It answered, and not with an A2A agent card.");
}

function cardUrls(endpoint: string): readonly string[] {
  const { origin, pathname } = new URL(endpoint);
  const others = pathname.endsWith(".json") ? [] : WELL_KNOWN.map((path) => origin + path);
  return [endpoint, ...others.filter((url) => url !== endpoint)];
}

/** What a card says that this check shows. */
interface Card {
  readonly url: string;
  readonly version: string | null;
  readonly skills: number;
}

type ReadCard = (Card & { readonly problem: null }) | { readonly problem: string };

/** The card in a JSON value; null where the value is something else. */
function cardIn(json: unknown): ReadCard | null {
  if (!isPlainObject(json)) return null;
  const { name, skills, capabilities, supportedInterfaces } = json;
  const isCard = typeof name === "string" && (skills !== undefined || capabilities !== undefined);
  if (!isCard) return null;
  if (name.trim() === "") return { problem: "has an empty name" };
  if (!isPlainObject(capabilities)) return { problem: "has no object of capabilities" };
  if (!Array.isArray(skills)) return { problem: "has no list of skills" };
  // Version 1 of A2A lists interfaces, the preferred one first; before it the card had one URL.
  const listed: unknown[] = Array.isArray(supportedInterfaces) ? supportedInterfaces : [json];
  const [preferred] = listed;
  const url = isPlainObject(preferred) ? preferred.url : null;
  if (typeof url !== "string" || !/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return { problem: "names no address where the agent is reached" };
  }
  const version = versionOf(isPlainObject(preferred) ? preferred.protocolVersion : null);
  return { problem: null, url, version, skills: skills.length };
}

function* askOwnAddress({ url, version, skills }: Card, cardUrl: string): Probe {
  const named = version === null ? "" : ` (protocol ${version})`;
  const seen = `An A2A agent card${named} with ${counted(skills, "skill")}`;
  if (url === cardUrl) return answering(`${seen}.`);
  // A GET is no message to the agent: any answer but a server's failure shows that it is there.
  const outcome = yield get(url, 0, JSON_ONLY);
  if (failed(outcome)) {
    const { seen: why } = silentBy(outcome.failed);
    return silent(`${seen}, whose own address gave no answer. ${why}`);
  }
  if (outcome.status >= 500) {
    return silent(`${seen}, whose own address answered ${outcome.status}.`);
  }
  return answering(`${seen}, whose own address answers.`);
}
